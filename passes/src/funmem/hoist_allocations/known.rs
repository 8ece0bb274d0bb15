//! What is known of numbers: how scalars are computed, which are sizes of arrays, and how large the arrays are that exist.

use fun::ir::Atom;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Lmad;
use fun_index::poly::{Monomial, Poly};
use funmem::ir::{Binder, Exp, MemOp, MemType, Statement, atom_poly};
use std::collections::{BTreeMap, BTreeSet};

/// How far definitions of scalars are followed.
pub(super) const DEEPEST: u32 = 16;
/// The most terms of a definition that is put in for its variable.
const TERMS: usize = 8;
/// How many times the bytes of an array that exists are a modest size.
const TIMES: i128 = 64;
/// Bytes that are modest without any array.
const FEW_BYTES: i128 = 1 << 20;

/// From where on something is known: in the body of this depth, before the statement of this number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(super) struct At {
    pub(super) depth: u32,
    pub(super) index: usize,
}

impl At {
    pub(super) const START: At = At { depth: 0, index: 0 };

    /// The same in a body of this depth, around which the other is or which it is.
    pub(super) fn index_in(self, depth: u32) -> usize {
        if self.depth < depth { 0 } else { self.index }
    }
}

/// How scalars are computed.
#[derive(Default)]
pub(super) struct Scalars {
    /// What scalars are computed from that can't fail and take no time to speak of.
    operands: BTreeMap<Var, Vec<Var>>,
    /// What i64 scalars are.
    definitions: BTreeMap<Var, Poly>,
    /// Scalars that are 0 or 1.
    bits: BTreeSet<Var>,
    /// Maxima of something and a positive constant.
    positive: BTreeSet<Var>,
    /// Conditions that say of numbers only that they are not too small.
    lower: BTreeSet<Var>,
}

impl Scalars {
    pub(super) fn learn(&mut self, statement: &Statement) {
        let [binder] = statement.pattern.as_slice() else { return };
        let MemType::Prim(ty) = binder.ty else { return };
        let atoms = match &statement.exp {
            Exp::Atom(atom) => vec![*atom],
            Exp::Bin(op, of, left, right) if !op.can_fail(*of) => {
                if let (PrimType::I64, Some(poly)) = (ty, self.definition(*op, *left, *right)) {
                    self.definitions.insert(binder.var, poly);
                }
                let is_positive = |atom: &Atom| atom.as_const().and_then(|value| value.as_i64()) > Some(0);
                if *op == BinOp::Max && (is_positive(left) || is_positive(right)) {
                    self.positive.insert(binder.var);
                }
                if self.bounds_below(*op, *left, *right) {
                    self.lower.insert(binder.var);
                }
                vec![*left, *right]
            }
            Exp::Un(_, _, operand) => vec![*operand],
            Exp::Convert { to: PrimType::I64, from: PrimType::Bool, value } => {
                self.bits.insert(binder.var);
                vec![*value]
            }
            Exp::Convert { value, .. } => vec![*value],
            _ => return,
        };
        let operands = atoms.into_iter().filter_map(|atom| atom.as_var()).collect();
        self.operands.insert(binder.var, operands);
    }

    fn definition(&self, op: BinOp, left: Atom, right: Atom) -> Option<Poly> {
        let constant = |atom: Atom| atom.as_const().is_none_or(|value| value.as_i64().is_some());
        if !constant(left) || !constant(right) {
            return None;
        }
        let (left, right) = (self.poly(left), self.poly(right));
        let poly = match op {
            BinOp::Add => left.add(&right),
            BinOp::Sub => left.sub(&right),
            BinOp::Mul => left.mul(&right),
            _ => return None,
        };
        let small = poly.terms().all(|(monomial, _)| monomial.len() <= TERMS);
        (small && poly.terms().count() <= TERMS).then_some(poly)
    }

    fn bounds_below(&self, op: BinOp, left: Atom, right: Atom) -> bool {
        match op {
            BinOp::Lt | BinOp::Le => left.as_const().is_some(),
            BinOp::Gt | BinOp::Ge => right.as_const().is_some(),
            BinOp::And => self.is_lower(left) && self.is_lower(right),
            _ => false,
        }
    }

    /// Whether a condition says of numbers only that they are not too small.
    pub(super) fn is_lower(&self, condition: Atom) -> bool {
        condition.as_var().is_some_and(|var| self.lower.contains(&var))
    }

    /// The i64 atom with definitions put in.
    pub(super) fn poly(&self, atom: Atom) -> Poly {
        match atom {
            Atom::Var(var) => self.definitions.get(&var).cloned().unwrap_or_else(|| Poly::var(var)),
            Atom::Const(_) => atom_poly(atom),
        }
    }

    /// Whether a number is positive, as it is the maximum of something and such a constant.
    pub(super) fn is_positive(&self, atom: Atom) -> bool {
        atom.as_var().is_some_and(|var| self.positive.contains(&var))
    }

    /// What a scalar is computed from; `None` for what only its statement can give.
    pub(super) fn operands(&self, var: Var) -> Option<&[Var]> {
        self.operands.get(&var).map(Vec::as_slice)
    }

    /// Adds everything that a variable is computed from, itself included; whether that was not too much.
    pub(super) fn slice(&self, var: Var, found: &mut BTreeSet<Var>, limit: usize) -> bool {
        if !found.insert(var) {
            return true;
        }
        found.len() <= limit
            && self.operands(var).into_iter().flatten().all(|operand| self.slice(*operand, found, limit))
    }
}

/// What is known at a point of a function.
#[derive(Clone, Default)]
pub(super) struct Known {
    /// Variables in scope.
    scope: imbl::OrdSet<Var>,
    /// Sizes of arrays: they are not negative.
    sizes: imbl::OrdMap<Var, At>,
    /// Products of sizes such that an array of as many elements exists.
    counts: imbl::OrdMap<Monomial, At>,
}

impl Known {
    pub(super) fn learn(&mut self, statement: &Statement, at: At, scalars: &Scalars) {
        for binder in &statement.pattern {
            self.bind(binder, at);
            if scalars.bits.contains(&binder.var) {
                self.sizes.insert(binder.var, at);
            }
        }
        if let Exp::Op(MemOp::Alloc { shape, .. }) = &statement.exp {
            self.count(shape, at);
        }
    }

    pub(super) fn bind(&mut self, binder: &Binder, at: At) {
        self.scope.insert(binder.var);
        let MemType::Array { shape, lmad, .. } = &binder.ty else { return };
        for var in shape.iter().filter_map(|atom| atom.as_var()) {
            self.sizes.entry(var).or_insert(at);
        }
        // Where steps are 0, many elements need no room.
        if lmad.equivalent(&Lmad::row_major(lmad.offset.clone(), &lmad.sizes())) {
            self.count(shape, at);
        }
    }

    /// An array of this shape exists.
    pub(super) fn count(&mut self, shape: &[Atom], at: At) {
        let count = shape.iter().fold(Poly::constant(1), |count, size| count.mul(&atom_poly(*size)));
        for (monomial, _) in count.terms() {
            self.counts.entry(monomial.clone()).or_insert(at);
        }
    }

    pub(super) fn in_scope(&self, var: Var) -> bool {
        self.scope.contains(&var)
    }

    /// Since when an i64 is known not to be negative, if it is.
    pub(super) fn nonneg(&self, atom: Atom, scalars: &Scalars) -> Option<At> {
        let itself = atom.as_var().and_then(|var| self.sizes.get(&var).copied());
        let parts = self.nonneg_parts(&scalars.poly(atom));
        itself.into_iter().chain(parts).min()
    }

    /// The same of a sum of products.
    fn nonneg_parts(&self, poly: &Poly) -> Option<At> {
        let mut since = At::START;
        for (monomial, coefficient) in poly.terms() {
            if coefficient < 0 {
                return None;
            }
            for var in monomial {
                since = since.max(*self.sizes.get(var)?);
            }
        }
        Some(since)
    }

    /// Since when a size is known to be modest, if it is.
    pub(super) fn modest(&self, shape: &[Atom], elem: PrimType, scalars: &Scalars) -> Option<At> {
        let mut since = At::START;
        let mut size = Poly::constant(1);
        for atom in shape {
            since = since.max(self.nonneg(*atom, scalars)?);
            size = size.mul(&scalars.poly(*atom));
        }
        for (monomial, coefficient) in size.terms() {
            let bytes = i128::from(coefficient) * i128::from(elem.bytes());
            // A factor of 0 or 1 makes nothing larger.
            let monomial: Monomial =
                monomial.iter().copied().filter(|var| !scalars.bits.contains(var)).collect();
            if monomial.is_empty() && bytes <= FEW_BYTES {
                continue;
            }
            let exists = self.counts.get(&monomial).filter(|_| bytes <= TIMES);
            since = since.max(*exists?);
        }
        Some(since)
    }
}
