//! Wrong rules on scalars: what a simplifier may believe of operators and conversions.

use super::rewrite::{exps, number};
use fun::ir::{Atom, Exp, Program};
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};

/// Whether the constant is a power of two, and which.
fn power(atom: Atom) -> Option<u32> {
    let n = atom.as_const()?.as_int()?;
    (n > 1 && n & (n - 1) == 0).then(|| n.trailing_zeros())
}

/// `x / c` rounds to zero instead of down.
pub(super) fn division_truncates(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::Bin(BinOp::Div, t, x, c @ Atom::Const(_)) if t.is_signed() => {
            Some(Exp::Bin(BinOp::Quot, *t, *x, *c))
        }
        _ => None,
    })
}

/// `x % c` has the sign of `x`, for the constants that are a mask away.
pub(super) fn modulo_is_remainder(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::Bin(BinOp::Mod, t, x, c) if t.is_signed() && power(*c).is_some() => {
            Some(Exp::Bin(BinOp::Rem, *t, *x, *c))
        }
        _ => None,
    })
}

/// Division by a power of two becomes a shift that does not keep the sign.
pub(super) fn division_shifts_logically(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::Bin(BinOp::Div, t, x, c) if t.is_int() => {
            let shift = Atom::Const(t.of_i64(i64::from(power(*c)?)));
            Some(Exp::Bin(BinOp::ShrLogical, *t, *x, shift))
        }
        _ => None,
    })
}

/// `x >> c` of a signed number shifts zeros in.
pub(super) fn shift_forgets_the_sign(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::Bin(BinOp::Shr, t, x, c @ Atom::Const(_)) if t.is_signed() => {
            Some(Exp::Bin(BinOp::ShrLogical, *t, *x, *c))
        }
        _ => None,
    })
}

/// `x < y` becomes `x - y < 0`.
pub(super) fn comparison_by_difference(program: Program) -> Program {
    exps(program, |site, exp| match exp {
        Exp::Bin(BinOp::Lt, t, x, y) if t.is_signed() => {
            let difference = site.emit(fun::ir::Type::Prim(*t), Exp::Bin(BinOp::Sub, *t, *x, *y));
            Some(Exp::Bin(BinOp::Lt, *t, difference.into(), Atom::Const(t.zero())))
        }
        _ => None,
    })
}

/// The lesser of two unsigned numbers is computed as if they were signed.
pub(super) fn unsigned_minimum_is_signed(program: Program) -> Program {
    exps(program, |site, exp| match exp {
        Exp::Bin(BinOp::Min, t, x, y) if t.is_unsigned() => {
            let signed = t.signed_of_width();
            let ty = fun::ir::Type::Prim(signed);
            let mut convert =
                |value: Atom| Atom::Var(site.emit(ty.clone(), Exp::Convert { to: signed, from: *t, value }));
            let (x, y) = (convert(*x), convert(*y));
            let least = site.emit(ty, Exp::Bin(BinOp::Min, signed, x, y));
            Some(Exp::Convert { to: *t, from: signed, value: least.into() })
        }
        _ => None,
    })
}

/// Widening a signed number fills with zeros.
pub(super) fn widening_forgets_the_sign(program: Program) -> Program {
    exps(program, |site, exp| match exp {
        Exp::Convert { to, from, value } if to.is_int() && from.is_signed() && to.bits() > from.bits() => {
            let middle = from.unsigned_of_width();
            let ty = fun::ir::Type::Prim(middle);
            let value = site.emit(ty, Exp::Convert { to: middle, from: *from, value: *value });
            Some(Exp::Convert { to: *to, from: middle, value: value.into() })
        }
        _ => None,
    })
}

/// A conversion of a conversion becomes one, whatever was lost between.
pub(super) fn conversions_collapse(program: Program) -> Program {
    exps(program, |site, exp| match exp {
        Exp::Convert { to, from: _, value } => match site.definition(*value)? {
            Exp::Convert { to: _, from, value } => Some(if from == to {
                Exp::Atom(*value)
            } else {
                Exp::Convert { to: *to, from: *from, value: *value }
            }),
            _ => None,
        },
        _ => None,
    })
}

/// `if a < b` is turned round to `if b < a`, as if they could not be equal.
pub(super) fn turned_comparison_forgets_equality(program: Program) -> Program {
    turned(program, |t| t.is_int(), BinOp::Lt, true)
}

/// `if a < b` of floats is turned round to `if a >= b`, as if there was no NaN.
pub(super) fn turned_comparison_forgets_nan(program: Program) -> Program {
    turned(program, |t| t.is_float(), BinOp::Ge, false)
}

fn turned(program: Program, fits: fn(PrimType) -> bool, op: BinOp, swap: bool) -> Program {
    exps(program, |site, exp| {
        let Exp::If { condition, then, otherwise } = exp else { return None };
        let Exp::Bin(BinOp::Lt | BinOp::Gt, t, x, y) = site.definition(*condition)?.clone() else {
            return None;
        };
        if !fits(t) {
            return None;
        }
        // `>` is turned into `<=` the same way.
        let greater = matches!(site.definition(*condition)?, Exp::Bin(BinOp::Gt, ..));
        let op = match (op, greater) {
            (BinOp::Ge, true) => BinOp::Le,
            (BinOp::Lt, true) => BinOp::Gt,
            (op, _) => op,
        };
        let (x, y) = if swap { (y, x) } else { (x, y) };
        let turned = site.emit(fun::ir::Type::Prim(PrimType::Bool), Exp::Bin(op, t, x, y));
        Some(Exp::If { condition: turned.into(), then: otherwise.clone(), otherwise: then.clone() })
    })
}

/// `x / x = 1`, `x * 0 = 0` and `x - x = 0` on floats too.
pub(super) fn algebra_of_floats(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::Bin(BinOp::Sub, t, x, y) if t.is_float() && x == y => Some(Exp::Atom(Atom::Const(t.zero()))),
        Exp::Bin(BinOp::Div, t, x, y) if t.is_float() && x == y => Some(Exp::Atom(Atom::Const(t.of_i64(1)))),
        Exp::Bin(BinOp::Mul, t, x, y)
            if t.is_float() && [x, y].iter().any(|side| side.as_const().is_some_and(is_zero)) =>
        {
            Some(Exp::Atom(Atom::Const(t.zero())))
        }
        _ => None,
    })
}

fn is_zero(value: PrimValue) -> bool {
    value.as_f64() == Some(0.0)
}

/// `x <= y` of floats becomes `!(x > y)`, as if there was no NaN.
pub(super) fn comparison_by_negation(program: Program) -> Program {
    exps(program, |site, exp| match exp {
        Exp::Bin(BinOp::Le, t, x, y) if t.is_float() => {
            let greater = site.emit(fun::ir::Type::Prim(PrimType::Bool), Exp::Bin(BinOp::Gt, *t, *x, *y));
            Some(Exp::Un(UnOp::Not, PrimType::Bool, greater.into()))
        }
        _ => None,
    })
}

/// `-(x)` of floats is computed as `0 - x`, which has no negative zero.
pub(super) fn negation_by_subtraction(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::Un(UnOp::Neg, t, x) if t.is_float() => Some(Exp::Bin(BinOp::Sub, *t, Atom::Const(t.zero()), *x)),
        _ => None,
    })
}

/// A sum or product of constants is clamped instead of wrapped when it is folded.
pub(super) fn constants_saturate(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::Bin(op @ (BinOp::Add | BinOp::Mul), t, Atom::Const(a), Atom::Const(b)) if t.is_int() => {
            let (a, b) = (a.as_int()?, b.as_int()?);
            let exact = if *op == BinOp::Add { a.checked_add(b)? } else { a.checked_mul(b)? };
            let bits = t.bits();
            let (low, high) = if t.is_signed() {
                (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
            } else {
                (0, (1i128 << bits) - 1)
            };
            Some(Exp::Atom(Atom::Const(PrimValue::from_bits(*t, exact.clamp(low, high) as u64))))
        }
        _ => None,
    })
}

/// Shifts by a constant take it modulo the width, as machines do, instead of giving zero for large ones.
pub(super) fn wide_shift_wraps(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::Bin(BinOp::Shl, t, x, Atom::Const(c)) => {
            let (c, bits) = (c.as_int()?, i128::from(t.bits()));
            let wrapped = i64::try_from(c.rem_euclid(bits)).ok()?;
            (c < 0 || c >= bits).then(|| Exp::Bin(BinOp::Shl, *t, *x, Atom::Const(t.of_i64(wrapped))))
        }
        _ => None,
    })
}

/// `|x|` is the greater of `x` and `!x`, which is one off for negative numbers.
pub(super) fn absolute_value_by_complement(program: Program) -> Program {
    exps(program, |site, exp| match exp {
        Exp::Un(UnOp::Abs, t, x) if t.is_signed() => {
            let complement = site.emit(fun::ir::Type::Prim(*t), Exp::Un(UnOp::Not, *t, *x));
            Some(Exp::Bin(BinOp::Max, *t, *x, complement.into()))
        }
        _ => None,
    })
}

/// `(x % m) % n` becomes `x % n`, which needs that `n` divides `m`.
pub(super) fn modulo_of_modulo(program: Program) -> Program {
    exps(program, |site, exp| match exp {
        Exp::Bin(BinOp::Mod, PrimType::I64, x, n) => {
            let n = number(*n)?;
            let Exp::Bin(BinOp::Mod, PrimType::I64, inner, m) = site.definition(*x)? else { return None };
            (number(*m)? >= n).then(|| Exp::Bin(BinOp::Mod, PrimType::I64, *inner, Atom::i64(n)))
        }
        _ => None,
    })
}
