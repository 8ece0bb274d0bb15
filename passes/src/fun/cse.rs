//! Common subexpressions: the result of an expression equal to an earlier one in scope is replaced by the earlier one's.
//!
//! ```text
//! let (a_2: i64) = add.i64 x_0 y_1
//! let (b_3: i64) = add.i64 y_1 x_0
//! ```
//! becomes
//! ```text
//! let (a_2: i64) = add.i64 x_0 y_1
//! ```
//!
//! Scalar operators, conversions, reads, views (slice, permute, reshape, reverse), and kernels whose results nobody consumes ([`kernels`]): other
//! fresh arrays stay two, since one may be consumed. Two views of one array alias each other and the array (F5), so whatever is consumed, one may stand for the
//! other wherever both may be used. Operands of commutative operators are sorted. An `assert` of what has been asserted before
//! goes.
//!
//! Sums, differences and products of i64 are equal if they are as polynomials modulo 2^64: `n + n` and `n * 2` are one number, and
//! `n - 1 + 1` is `n`. So arrays whose sizes are computed in different ways have one size, and what only says so (an `assert`, a
//! reshape, a copy of rows that seem to lie apart) goes with the next simplification. For the same reason, a number of this body
//! that an `assert` in it found equal to the size of an array is that size from there on, unless it is the size of an array itself.
//!
//! What an update puts into an array is read from there no more where it is known which element it is ([`elements`]).
//!
//! Requires and ensures F1–F9. Cost: n log n.

mod elements;
mod kernels;

use super::commutes;
use elements::Elements;
use fun::ir::{Atom, Body, Dim, Exp, Fun, NoOp, Program, Statement, Type};
use fun::visit::names::{Subst, subst_atom, subst_type};
use fun::visit::{Map, map_body, map_program, map_statement};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, UnOp};
use fun_index::poly::Poly;
use kernels::{Canonical, Uses, canonical};
use std::collections::{BTreeMap, BTreeSet};

/// The most terms, and factors of a term, of a polynomial that is looked at.
const TERMS: usize = 6;

/// Shares equal expressions in the whole program.
pub fn run(program: Program) -> Program {
    let mut cse = Cse { uses: Uses::of_program(&program), ..Cse::default() };
    map_program(&mut cse, &program)
}

/// An expression as a key: equal keys have equal values wherever both are in scope.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Bin(BinOp, PrimType, Atom, Atom),
    Un(UnOp, PrimType, Atom),
    Fma(PrimType, [Atom; 3]),
    Convert(PrimType, PrimType, Atom),
    Index(Var, Vec<Atom>),
    Slice(Var, Vec<Dim>),
    Permute(Vec<usize>, Var),
    Reshape(Vec<Atom>, Var),
    Reverse(usize, Var),
    /// A number: modulo 2^64.
    Number(Poly),
}

#[derive(Default)]
struct Cse {
    known: imbl::OrdMap<Key, Atom>,
    /// What is known of the elements of arrays.
    elements: imbl::OrdMap<Var, Elements>,
    /// Kernels by their hashes, with their results.
    kernels: imbl::OrdMap<u64, (Canonical, Vec<Var>)>,
    /// What is done with arrays.
    uses: Uses,
    /// Conditions that hold here.
    asserted: imbl::OrdSet<Atom>,
    /// What stands for the results of expressions that were known.
    subst: Subst,
    /// What i64 scalars are, where that is more than their name.
    numbers: BTreeMap<Var, Poly>,
    /// The i64 variables that conditions say are equal.
    equations: BTreeMap<Var, Vec<(Var, Var)>>,
    /// The sizes of the arrays so far.
    sizes: BTreeSet<Var>,
    /// How deep in bodies statements have bound i64 scalars.
    bound: BTreeMap<Var, usize>,
    depth: usize,
    /// What an assertion in this body, or one around, has found to be a size.
    found: Vec<Var>,
}

impl Map<Fun, Fun> for Cse {
    fn ty(&mut self, ty: &Type) -> Type {
        let ty = subst_type(&self.subst, ty);
        self.sizes.extend(ty.shape().iter().filter_map(|size| size.as_var()));
        ty
    }

    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn atom(&mut self, atom: &Atom) -> Atom {
        subst_atom(&self.subst, *atom)
    }

    fn body(&mut self, body: &Body) -> Body {
        // What is known inside holds only inside.
        let (known, asserted, found) = (self.known.clone(), self.asserted.clone(), self.found.len());
        let (kernels, elements) = (self.kernels.clone(), self.elements.clone());
        self.depth += 1;
        let body = map_body(self, body);
        self.depth -= 1;
        (self.known, self.asserted, self.kernels, self.elements) = (known, asserted, kernels, elements);
        self.found.drain(found..).for_each(|var| _ = self.subst.remove(&var));
        body
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let mapped = map_statement(self, statement);
        if let Exp::Assert { condition, .. } = &mapped.exp {
            let condition = *condition;
            if self.asserted.insert(condition).is_none() {
                out.push(mapped);
                self.holds(condition);
            }
            return;
        }
        if matches!(mapped.exp, Exp::Kernel { .. }) {
            return self.kernel(mapped, out);
        }
        let [binder] = mapped.pattern.as_slice() else { return out.push(mapped) };
        if binder.ty == Type::Prim(PrimType::I64) {
            self.bound.insert(binder.var, self.depth);
        }
        let number = self.number(&mapped.exp);
        if let Some(atom) = number.as_ref().and_then(single) {
            self.subst.insert(binder.var, atom);
            return;
        }
        self.numbers.extend(number.clone().map(|number| (binder.var, number)));
        self.equate(binder.var, &mapped.exp);
        let Some(key) = number.map(Key::Number).or_else(|| key(&mapped.exp)) else {
            self.note_elements(binder.var, &mapped.exp);
            return out.push(mapped);
        };
        match self.known.get(&key) {
            Some(known) => {
                self.subst.insert(binder.var, *known);
            }
            None => {
                self.known.insert(key, binder.var.into());
                self.note_read(binder.var, &binder.ty, &mapped.exp);
                out.push(mapped);
            }
        }
    }
}

impl Cse {
    /// Adds a kernel, unless the results of one before may stand for its.
    fn kernel(&mut self, statement: Statement, out: &mut Vec<Statement>) {
        let Some((hash, canonical)) = canonical(&statement) else { return out.push(statement) };
        let pattern = &statement.pattern;
        if let Some((known, results)) = self.kernels.get(&hash)
            && *known == canonical
            && results
                .iter()
                .zip(pattern)
                .all(|(known, binder)| self.uses.may_stand_for(*known, binder.var, &binder.ty))
        {
            let stands = pattern.iter().zip(results).map(|(binder, known)| (binder.var, Atom::Var(*known)));
            return self.subst.extend(stands.collect::<Vec<_>>());
        }
        let results = pattern.iter().map(|binder| binder.var).collect();
        self.kernels.insert(hash, (canonical, results));
        out.push(statement);
    }

    /// What an i64 expression is in terms of what is no sum, difference or product.
    fn number(&self, exp: &Exp) -> Option<Poly> {
        let of = |atom: &Atom| self.number_of(atom);
        let number = match exp {
            Exp::Bin(BinOp::Add, PrimType::I64, left, right) => of(left).add(&of(right)),
            Exp::Bin(BinOp::Sub, PrimType::I64, left, right) => of(left).sub(&of(right)),
            Exp::Bin(BinOp::Mul, PrimType::I64, left, right) => of(left).mul(&of(right)),
            _ => return None,
        };
        let small = number.terms().count() <= TERMS && number.terms().all(|(vars, _)| vars.len() <= TERMS);
        small.then_some(number)
    }

    fn number_of(&self, atom: &Atom) -> Poly {
        match atom {
            Atom::Var(var) => self.numbers.get(var).cloned().unwrap_or_else(|| Poly::var(*var)),
            Atom::Const(value) => Poly::constant(value.as_i64().unwrap_or(0)),
        }
    }

    /// Notes which variables a condition says are equal.
    fn equate(&mut self, condition: Var, exp: &Exp) {
        let equations = match exp {
            Exp::Bin(BinOp::Eq, PrimType::I64, Atom::Var(left), Atom::Var(right)) => vec![(*left, *right)],
            Exp::Bin(BinOp::And, _, left, right) => {
                let of = |atom: &Atom| atom.as_var().and_then(|var| self.equations.get(&var));
                [left, right].into_iter().filter_map(of).flatten().copied().take(TERMS).collect()
            }
            _ => return,
        };
        if !equations.is_empty() {
            self.equations.insert(condition, equations);
        }
    }

    /// From here on the condition holds. What it says is a size becomes that size, if nothing has a type with it yet: neither an
    /// array, whose type would not be that of what is made from it, nor the body's result.
    fn holds(&mut self, condition: Atom) {
        let equations = condition.as_var().and_then(|var| self.equations.get(&var)).cloned();
        for (left, right) in equations.into_iter().flatten() {
            let [left, right] = [left, right].map(|var| subst_atom(&self.subst, Atom::Var(var)));
            let (Atom::Var(left), Atom::Var(right)) = (left, right) else { continue };
            let (size, other) = match (self.sizes.contains(&left), self.sizes.contains(&right)) {
                (true, false) => (left, right),
                (false, true) => (right, left),
                (true, true) | (false, false) => continue,
            };
            if self.bound.get(&other) != Some(&self.depth) {
                continue;
            }
            // A sum says more than what is computed by a division, say: bounds and sizes in total are worked out of it.
            if self.numbers.contains_key(&other)
                && self.bound.contains_key(&size)
                && !self.numbers.contains_key(&size)
            {
                continue;
            }
            self.subst.insert(other, Atom::Var(size));
            self.found.push(other);
        }
    }
}

/// The constant or variable that a number is, if it is one.
fn single(number: &Poly) -> Option<Atom> {
    match number.as_constant() {
        Some(value) => Some(Atom::i64(value)),
        None => number.as_var().map(Atom::Var),
    }
}

fn key(exp: &Exp) -> Option<Key> {
    match exp {
        Exp::Bin(op, ty, left, right) => {
            let (left, right) = if commutes(*op) && right < left { (right, left) } else { (left, right) };
            Some(Key::Bin(*op, *ty, *left, *right))
        }
        Exp::Un(op, ty, value) => Some(Key::Un(*op, *ty, *value)),
        Exp::Fma(ty, operands) => Some(Key::Fma(*ty, *operands)),
        Exp::Convert { to, from, value } => Some(Key::Convert(*to, *from, *value)),
        Exp::Index { array, indices } => Some(Key::Index(*array, indices.clone())),
        Exp::Slice { array, dims } => Some(Key::Slice(*array, dims.clone())),
        Exp::Permute { perm, array } => Some(Key::Permute(perm.clone(), *array)),
        Exp::Reshape { shape, array } => Some(Key::Reshape(shape.clone(), *array)),
        Exp::Reverse { dim, array } => Some(Key::Reverse(*dim, *array)),
        Exp::Atom(_)
        | Exp::Update { .. }
        | Exp::Iota { .. }
        | Exp::Replicate { .. }
        | Exp::Scratch { .. }
        | Exp::ArrayLiteral { .. }
        | Exp::Concat { .. }
        | Exp::Copy(_)
        | Exp::If { .. }
        | Exp::Loop { .. }
        | Exp::Call { .. }
        | Exp::Assert { .. }
        | Exp::Trace { .. }
        | Exp::Map { .. }
        | Exp::Reduce { .. }
        | Exp::Scan { .. }
        | Exp::Hist { .. }
        | Exp::Scatter { .. }
        | Exp::Derive { .. }
        | Exp::Kernel { .. }
        | Exp::Op(_) => None,
    }
}
