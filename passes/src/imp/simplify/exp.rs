//! Folding of one expression whose operands are folded already.

use fun_base::prim::{BinOp, PrimType, PrimValue, eval_bin, eval_conv, eval_fma, eval_un};
use imp::ir::Exp;

/// Replaces the expression by a simpler one of the same value, if there is one.
pub(super) fn fold(exp: &mut Exp) {
    if let Some(simpler) = simpler(exp) {
        *exp = simpler;
    }
}

fn simpler(exp: &mut Exp) -> Option<Exp> {
    match exp {
        Exp::Const(_) | Exp::Var(_) | Exp::Read { .. } | Exp::Threads | Exp::Param { .. } => None,
        Exp::Bin(op, ty, left, right) => match (&**left, &**right) {
            (Exp::Const(left), Exp::Const(right)) => eval_bin(*op, *left, *right).ok().map(Exp::Const),
            // Floats have no such laws: x + 0 loses the sign of zero.
            (_, Exp::Const(value)) if ty.is_int() && is_right_unit(*op, *value) => Some(take(left)),
            (Exp::Const(value), _) if ty.is_int() && is_left_unit(*op, *value) => Some(take(right)),
            (Exp::Const(PrimValue::Bool(true)), _) if *op == BinOp::And => Some(take(right)),
            (_, Exp::Const(PrimValue::Bool(true))) if *op == BinOp::And => Some(take(left)),
            _ => None,
        },
        Exp::Un(op, _, operand) => match **operand {
            Exp::Const(value) => eval_un(*op, value).ok().map(Exp::Const),
            _ => None,
        },
        Exp::Fma(_, operands) => match (&*operands[0], &*operands[1], &*operands[2]) {
            (Exp::Const(a), Exp::Const(b), Exp::Const(c)) => eval_fma(*a, *b, *c).ok().map(Exp::Const),
            _ => None,
        },
        Exp::Convert { to, from, value } => match **value {
            Exp::Const(constant) => Some(Exp::Const(eval_conv(*to, constant))),
            _ if to == from => Some(take(value)),
            _ => None,
        },
        // The other choice may fail, and then both do.
        Exp::Select(condition, yes, no) => match (&**condition, &**yes, &**no) {
            (Exp::Const(PrimValue::Bool(true)), _, no) if !super::can_fail(no) => Some(take(yes)),
            (Exp::Const(PrimValue::Bool(false)), yes, _) if !super::can_fail(yes) => Some(take(no)),
            // both are computed in any case
            (_, _, Exp::Const(PrimValue::Bool(false))) => Some(truth(BinOp::And, condition, yes)),
            (_, Exp::Const(PrimValue::Bool(true)), _) => Some(truth(BinOp::Or, condition, no)),
            _ => None,
        },
    }
}

fn truth(op: BinOp, x: &mut Exp, y: &mut Exp) -> Exp {
    Exp::Bin(op, PrimType::Bool, Box::new(take(x)), Box::new(take(y)))
}

fn take(exp: &mut Exp) -> Exp {
    std::mem::replace(exp, Exp::Const(PrimValue::Unit))
}

/// `x op value` is `x`.
fn is_right_unit(op: BinOp, value: PrimValue) -> bool {
    match value.as_int() {
        Some(0) => matches!(op, BinOp::Add | BinOp::Sub | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr),
        Some(1) => matches!(op, BinOp::Mul | BinOp::Div | BinOp::Quot),
        _ => false,
    }
}

/// `value op x` is `x`.
fn is_left_unit(op: BinOp, value: PrimValue) -> bool {
    match value.as_int() {
        Some(0) => matches!(op, BinOp::Add | BinOp::Or | BinOp::Xor),
        Some(1) => matches!(op, BinOp::Mul),
        _ => false,
    }
}
