//! The rules, one expression to a simpler one. Each is named by its algebra in the comment; each holds for wrap-around
//! integers of every width, and on floats only where it changes no bit.

use fun::ir::{Atom, Exp};
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp, eval_bin, eval_conv, eval_fma, eval_un};

/// Applies the first rule that fits.
pub(super) fn rewrite(exp: Exp) -> Exp {
    match exp {
        // x ** 2 = x * x
        Exp::Bin(BinOp::Pow, ty, x, y) if x.as_const().is_none() && y == Atom::Const(ty.of_i64(2)) => {
            Exp::Bin(BinOp::Mul, ty, x, x)
        }
        Exp::Bin(op, ty, left, right) => {
            bin(op, ty, left, right).map_or(Exp::Bin(op, ty, left, right), Exp::Atom)
        }
        Exp::Un(op, ty, value) => un(op, value).map_or(Exp::Un(op, ty, value), Exp::Atom),
        Exp::Fma(ty, operands) => match operands.map(|operand| operand.as_const()) {
            [Some(a), Some(b), Some(c)] => {
                eval_fma(a, b, c).map_or(Exp::Fma(ty, operands), |value| Exp::Atom(Atom::Const(value)))
            }
            _ => Exp::Fma(ty, operands),
        },
        Exp::Convert { to, from, value } => {
            // t.t x = x
            let same = (to == from).then_some(value);
            let folded = value.as_const().map(|value| Atom::Const(eval_conv(to, value)));
            same.or(folded).map_or(Exp::Convert { to, from, value }, Exp::Atom)
        }
        // if c then a else a, for results that both branches only pass on, would need the pattern: left to a later pass
        other => other,
    }
}

fn bin(op: BinOp, ty: PrimType, left: Atom, right: Atom) -> Option<Atom> {
    if let (Some(a), Some(b)) = (left.as_const(), right.as_const()) {
        // What fails stays, to fail when the program runs.
        return eval_bin(op, a, b).ok().map(Atom::Const);
    }
    let zero = |atom: Atom| atom == Atom::Const(ty.zero());
    let one = |atom: Atom| atom == Atom::Const(ty.of_i64(1));
    let constant = |value: PrimValue| Some(Atom::Const(value));
    let is = |atom: Atom, value: bool| atom == Atom::Const(PrimValue::Bool(value));
    if ty == PrimType::Bool {
        return match op {
            BinOp::And if is(left, true) => Some(right), // true && x = x
            BinOp::And if is(right, true) => Some(left), // x && true = x
            BinOp::And if is(left, false) || is(right, false) => constant(PrimValue::Bool(false)),
            BinOp::Or if is(left, false) => Some(right), // false || x = x
            BinOp::Or if is(right, false) => Some(left), // x || false = x
            BinOp::Or if is(left, true) || is(right, true) => constant(PrimValue::Bool(true)),
            BinOp::And | BinOp::Or if left == right => Some(left), // x && x = x
            BinOp::Eq if is(right, true) => Some(left),            // (x == true) = x
            BinOp::Eq if is(left, true) => Some(right),
            _ => None,
        };
    }
    if !ty.is_int() {
        return None;
    }
    match op {
        BinOp::Add if zero(left) => Some(right),            // 0 + x = x
        BinOp::Add if zero(right) => Some(left),            // x + 0 = x
        BinOp::Sub if zero(right) => Some(left),            // x - 0 = x
        BinOp::Sub if left == right => constant(ty.zero()), // x - x = 0
        BinOp::Mul if one(left) => Some(right),             // 1 * x = x
        BinOp::Mul if one(right) => Some(left),             // x * 1 = x
        BinOp::Mul if zero(left) || zero(right) => constant(ty.zero()), // 0 * x = 0
        BinOp::Div | BinOp::Quot if one(right) => Some(left), // x / 1 = x
        BinOp::Mod | BinOp::Rem if one(right) => constant(ty.zero()), // x % 1 = 0
        BinOp::Min | BinOp::Max | BinOp::And | BinOp::Or if left == right => Some(left), // min x x = x
        BinOp::Xor if left == right => constant(ty.zero()), // x ^ x = 0
        BinOp::Shl | BinOp::Shr | BinOp::ShrLogical if zero(right) => Some(left), // x << 0 = x
        BinOp::Eq | BinOp::Le | BinOp::Ge if left == right => constant(PrimValue::Bool(true)), // x <= x
        BinOp::Ne | BinOp::Lt | BinOp::Gt if left == right => constant(PrimValue::Bool(false)), // !(x < x)
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::Div
        | BinOp::Mod
        | BinOp::Quot
        | BinOp::Rem
        | BinOp::Pow
        | BinOp::Min
        | BinOp::Max
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::Shl
        | BinOp::Shr
        | BinOp::ShrLogical
        | BinOp::MulHi
        | BinOp::Atan2
        | BinOp::Hypot
        | BinOp::CopySign
        | BinOp::NextAfter
        | BinOp::Ldexp
        | BinOp::Eq
        | BinOp::Ne
        | BinOp::Lt
        | BinOp::Le
        | BinOp::Gt
        | BinOp::Ge => None,
    }
}

fn un(op: UnOp, value: Atom) -> Option<Atom> {
    eval_un(op, value.as_const()?).ok().map(Atom::Const)
}
