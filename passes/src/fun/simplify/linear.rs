//! What a body computes as linear functions of its counter.
//!
//! ```text
//! let (j: i32) = convert.i32.i64 i                   j is 1 * i + 0
//! let (k: i32) = mul.i32 c j                         k is c * i + 0
//! let (l: i32) = sub.i32 5i32 k                      l is (0 - c) * i + 5
//! ```
//!
//! All of it holds modulo the size of the type, which is what `+`, `-` and `*` of integers compute in, and what conversions to types of no more
//! bits keep. A conversion to more bits keeps the number itself, so it is taken of the counter, which is exact as long as no type on the way lacks
//! some of its values, and of what is the same for every counter. No float is linear: its sums are rounded.

use super::Simplify;
use fun::ir::{Atom, Binder, Body, Exp, Statement, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, UnOp};
use fun_base::source::Loc;
use std::collections::{BTreeMap, BTreeSet};

/// `slope * i + offset` modulo the size of the type, of a counter `i`.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Linear {
    pub(super) slope: Atom,
    pub(super) offset: Atom,
    /// Whether it is `i` itself, for every value that `i` has.
    exact: bool,
}

impl Linear {
    /// What is the same for every counter.
    pub(super) fn fixed(ty: PrimType, offset: Atom) -> Linear {
        Linear { slope: Atom::Const(ty.zero()), offset, exact: false }
    }

    fn counter(ty: PrimType) -> Linear {
        Linear { slope: Atom::Const(ty.of_i64(1)), offset: Atom::Const(ty.zero()), exact: true }
    }

    fn is_fixed(&self, ty: PrimType) -> bool {
        self.slope == Atom::Const(ty.zero())
    }
}

/// Whether each number of the one type that is not negative is in the other.
fn holds(to: PrimType, from: PrimType) -> bool {
    to.bits() > from.bits() || to.bits() == from.bits() && (from.is_signed() || !to.is_signed())
}

/// What a statement that may be linear computes it from.
fn operands(exp: &Exp) -> Option<Vec<Atom>> {
    match exp {
        Exp::Bin(BinOp::Add | BinOp::Sub | BinOp::Mul, ty, left, right) if ty.is_int() => {
            Some(vec![*left, *right])
        }
        Exp::Un(UnOp::Neg, ty, value) if ty.is_int() => Some(vec![*value]),
        Exp::Convert { to, from, value } if to.is_int() && from.is_int() => Some(vec![*value]),
        _ => None,
    }
}

/// The variables of the body that these atoms of it are made from, and those from outside, if each statement that makes one may be linear.
pub(super) fn needed(body: &Body, wanted: &[Atom]) -> Option<BTreeSet<Var>> {
    let mut needed: BTreeSet<Var> = wanted.iter().filter_map(|atom| atom.as_var()).collect();
    for Statement { pattern, exp, .. } in body.statements.iter().rev() {
        if pattern.iter().any(|binder| needed.contains(&binder.var)) {
            needed.extend(operands(exp)?.iter().filter_map(|atom| atom.as_var()));
        }
    }
    Some(needed)
}

impl Simplify<'_> {
    /// These atoms of the body, of one type, as linear functions of the counter, if they are. `needed` is what they are made from.
    pub(super) fn linear(
        &mut self,
        (counter, counter_ty): (Var, PrimType),
        body: &Body,
        (wanted, ty): (&[Atom], PrimType),
        needed: &BTreeSet<Var>,
        loc: Option<Loc>,
        out: &mut Vec<Statement>,
    ) -> Option<Vec<Linear>> {
        let mut known = BTreeMap::from([(counter, Linear::counter(counter_ty))]);
        for Statement { pattern, exp, .. } in &body.statements {
            let [Binder { var, ty: Type::Prim(_) }] = pattern.as_slice() else { continue };
            if needed.contains(var) {
                let made = self.line(exp, &known, loc, out)?;
                known.insert(*var, made);
            }
        }
        Some(wanted.iter().map(|atom| find(&known, ty, *atom)).collect())
    }

    /// The expression, if it is linear where those are.
    fn line(
        &mut self,
        exp: &Exp,
        known: &BTreeMap<Var, Linear>,
        loc: Option<Loc>,
        out: &mut Vec<Statement>,
    ) -> Option<Linear> {
        let mut scalar = |exp: Exp, ty: PrimType| self.scalar(exp, Type::Prim(ty), loc, out);
        match *exp {
            Exp::Bin(operator @ (BinOp::Add | BinOp::Sub), ty, left, right) => {
                let (left, right) = (find(known, ty, left), find(known, ty, right));
                let slope = scalar(Exp::Bin(operator, ty, left.slope, right.slope), ty);
                let offset = scalar(Exp::Bin(operator, ty, left.offset, right.offset), ty);
                Some(Linear { slope, offset, exact: false })
            }
            Exp::Bin(BinOp::Mul, ty, left, right) => {
                let (left, right) = (find(known, ty, left), find(known, ty, right));
                let (line, factor) = match (left.is_fixed(ty), right.is_fixed(ty)) {
                    (_, true) => (left, right.offset),
                    (true, false) => (right, left.offset),
                    (false, false) => return None,
                };
                let slope = scalar(Exp::Bin(BinOp::Mul, ty, line.slope, factor), ty);
                let offset = scalar(Exp::Bin(BinOp::Mul, ty, line.offset, factor), ty);
                Some(Linear { slope, offset, exact: false })
            }
            Exp::Un(UnOp::Neg, ty, value) => {
                let line = find(known, ty, value);
                let slope = scalar(Exp::Un(UnOp::Neg, ty, line.slope), ty);
                let offset = scalar(Exp::Un(UnOp::Neg, ty, line.offset), ty);
                Some(Linear { slope, offset, exact: false })
            }
            Exp::Convert { to, from, value } => {
                let line = find(known, from, value);
                if line.exact {
                    return Some(Linear { exact: holds(to, from), ..Linear::counter(to) });
                }
                if to.bits() > from.bits() && !line.is_fixed(from) {
                    return None;
                }
                let slope = scalar(Exp::Convert { to, from, value: line.slope }, to);
                let offset = scalar(Exp::Convert { to, from, value: line.offset }, to);
                Some(Linear { slope, offset, exact: false })
            }
            _ => None,
        }
    }
}

/// An atom of this type: what is not known is the same for every counter.
fn find(known: &BTreeMap<Var, Linear>, ty: PrimType, atom: Atom) -> Linear {
    let known = atom.as_var().and_then(|var| known.get(&var).copied());
    known.unwrap_or(Linear::fixed(ty, atom))
}
