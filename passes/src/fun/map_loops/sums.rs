//! Scalars that iterations only combine with others.

use super::position;
use fun::ir::{Atom, Body, Exp};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use std::collections::BTreeMap;

/// The uses of a variable on its way to a result, by one operator: directly, through arms of branches, or through loops that combine it with more.
pub(super) struct Chain<'p> {
    /// How often each variable is used.
    pub(super) uses: &'p BTreeMap<Var, usize>,
    /// The variable.
    pub(super) var: Var,
    /// Its type.
    pub(super) ty: PrimType,
    /// Whether loops may combine it with more.
    pub(super) through_loops: bool,
    /// The operator, once it is known.
    pub(super) op: Option<BinOp>,
    /// How many of its uses were met.
    pub(super) seen: usize,
}

impl Chain<'_> {
    /// Whether this value of a body is the variable combined with something.
    pub(super) fn reaches(&mut self, body: &Body, value: Atom) -> Option<()> {
        let var = value.as_var()?;
        if var == self.var {
            self.seen += 1;
            return Some(());
        }
        if self.uses.get(&var) != Some(&1) {
            return None;
        }
        let (number, at) = position(body, var)?;
        match &body.statements[number].exp {
            Exp::Bin(op, ty, left, right) if *ty == self.ty && neutral(*op, *ty).is_some() => {
                if self.op.is_some_and(|other| other != *op) {
                    return None;
                }
                let (before, seen) = (self.op, self.seen);
                self.op = Some(*op);
                let found = self.reaches(body, *left);
                found.or_else(|| {
                    (self.op, self.seen) = (before.or(Some(*op)), seen);
                    self.reaches(body, *right)
                })
            }
            Exp::If { then, otherwise, .. } => {
                self.reaches(then, then.results[at])?;
                self.reaches(otherwise, otherwise.results[at])
            }
            Exp::Loop { params, body: inside, .. } if self.through_loops => {
                let param = params[at].binder.var;
                let mut inner = Chain { var: param, seen: 0, ..*self };
                inner.reaches(inside, inside.results[at])?;
                if self.uses.get(&param) != Some(&inner.seen) {
                    return None;
                }
                self.op = inner.op;
                self.reaches(body, params[at].init)
            }
            _ => None,
        }
    }
}

/// The neutral element of an operator on integers or truths that is associative and commutative.
pub(super) fn neutral(op: BinOp, ty: PrimType) -> Option<PrimValue> {
    match (op, ty) {
        (BinOp::Or, PrimType::Bool) => Some(PrimValue::Bool(false)),
        (BinOp::And, PrimType::Bool) => Some(PrimValue::Bool(true)),
        _ if ty.is_int() => imp::prefix::neutral(op, ty),
        _ => None,
    }
}
