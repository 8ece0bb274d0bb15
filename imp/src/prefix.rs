//! Scans by one operator: the `scan` loops (I16) that backends run in vectors.
//!
//! ```text
//! for i < n scan { let e = a[i]  let x = add.i32(acc, e)  acc := x  sums[i] := acc }
//! ```
//! What is combined is computed before the old value is looked at, and what is done with the new one needs nothing else that changes. So
//! lanes may hold what is combined in some iterations, then their prefixes, and then those combined with the old value. Integers alone:
//! floats would be grouped by how wide vectors are.

use crate::ir::{Exp, Statement, StatementKind};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};

/// The parts of the body of such a loop.
#[derive(Clone, Copy, Debug)]
pub struct Prefix<'p> {
    /// What is combined, and how.
    pub acc: Var,
    /// The operator, which is associative and commutative.
    pub op: BinOp,
    /// Its type.
    pub ty: PrimType,
    /// What it combines the old value with.
    pub value: &'p Exp,
    /// Another name of the new value.
    pub named: Option<Var>,
    /// `let`s before.
    pub before: &'p [Statement],
    /// `let`s and writes behind.
    pub after: &'p [Statement],
}

impl<'p> Prefix<'p> {
    /// The parts of a body, if it has this form.
    pub fn of(body: &'p [Statement]) -> Option<Prefix<'p>> {
        let at = body.iter().position(|statement| matches!(statement.kind, StatementKind::Assign { .. }))?;
        let (before, after) = (&body[..at], &body[at + 1..]);
        let StatementKind::Assign { var: acc, value } = &body[at].kind else { return None };
        let (before, named, combined) = match (value, before.split_last()) {
            (Exp::Var(x), Some((Statement { kind: StatementKind::Let { var, value, .. }, .. }, before)))
                if x == var =>
            {
                (before, Some(*var), value)
            }
            _ => (before, None, value),
        };
        let Exp::Bin(op, ty, x, y) = combined else { return None };
        let value = match (&**x, &**y) {
            (Exp::Var(old), value) | (value, Exp::Var(old)) if old == acc => value,
            _ => return None,
        };
        let plain = before.iter().all(|statement| matches!(statement.kind, StatementKind::Let { .. }))
            && after.iter().all(|statement| {
                matches!(statement.kind, StatementKind::Let { .. } | StatementKind::Write { .. })
            });
        let mut looks = false;
        value.for_each_var(&mut |var| looks |= var == *acc);
        for statement in before {
            statement.kind.for_each_use(&mut |var| looks |= var == *acc);
        }
        let fits = plain && !looks && is_prefix_operator(*op, *ty);
        fits.then_some(Prefix { acc: *acc, op: *op, ty: *ty, value, named, before, after })
    }
}

/// Whether vectors combine prefixes by the operator.
pub fn is_prefix_operator(op: BinOp, ty: PrimType) -> bool {
    let combines = matches!(op, BinOp::Add | BinOp::Min | BinOp::Max | BinOp::And | BinOp::Or | BinOp::Xor);
    combines && ty.is_int()
}

/// The neutral element of an operator that is associative and commutative (sums and products of floats: but for rounding).
pub fn neutral(op: BinOp, ty: PrimType) -> Option<PrimValue> {
    if ty == PrimType::F16 || ty == PrimType::Unit || ty == PrimType::Bool {
        return None;
    }
    let float = |value: f64| match ty {
        PrimType::F32 => PrimValue::F32(value as f32),
        _ => PrimValue::F64(value),
    };
    let (lowest, highest) = (1u64 << (ty.bits() - 1), (1u64 << (ty.bits() - 1)) - 1);
    match op {
        BinOp::Add if ty.is_float() => Some(float(0.0)),
        BinOp::Mul if ty.is_float() => Some(float(1.0)),
        BinOp::Min if ty.is_float() => Some(float(f64::INFINITY)),
        BinOp::Max if ty.is_float() => Some(float(f64::NEG_INFINITY)),
        BinOp::Add | BinOp::Or | BinOp::Xor => Some(ty.zero()),
        BinOp::Mul => Some(ty.of_i64(1)),
        BinOp::And => Some(ty.of_i64(-1)),
        BinOp::Min if ty.is_signed() => Some(PrimValue::from_bits(ty, highest)),
        BinOp::Max if ty.is_signed() => Some(PrimValue::from_bits(ty, lowest)),
        BinOp::Min => Some(ty.of_i64(-1)),
        BinOp::Max => Some(ty.zero()),
        _ => None,
    }
}
