//! Derivatives of the scalar operators.
//!
//! They are those of the real functions, also for integers, computed in the type of the operand. At a jump or a kink the value is
//! one-sided: `min` and `max` go with the operand that they gave, the first one of equal operands; `abs` and `sgn` are flat at 0.
//! Rounding, comparisons and operations on bits are flat everywhere. Where a formula divides by zero although the derivative
//! exists (`x ** 0`, `0 ** y`), the case is told apart.

use crate::build::Builder;
use crate::ir::{Atom, Type};
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp, eval_conv};
use std::f64::consts::{FRAC_2_SQRT_PI, LN_2, LN_10, PI};

/// By what a change of an operand is multiplied.
#[derive(Clone, Copy, Debug)]
pub(super) enum Partial {
    /// By 0.
    Zero,
    /// By 1.
    Keep,
    /// By -1.
    Negate,
    /// By this.
    Times(Atom),
    /// By 1 where this holds, else by 0.
    If(Atom),
    /// By 0 where this holds, else by 1.
    Unless(Atom),
    /// Not at all: this conversion of bits is applied to it, and the other one on the way back.
    Bits(UnOp, UnOp),
}

/// Whether the result changes with the left and the right operand.
pub(super) fn bin_depends(op: BinOp, t: PrimType) -> (bool, bool) {
    match op {
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::Div
        | BinOp::Mod
        | BinOp::Quot
        | BinOp::Rem
        | BinOp::Min
        | BinOp::Max
        | BinOp::Atan2
        | BinOp::Hypot => (true, true),
        BinOp::Pow => (true, t.is_float()),
        BinOp::Shl | BinOp::CopySign | BinOp::NextAfter | BinOp::Ldexp => (true, false),
        BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shr | BinOp::ShrLogical | BinOp::MulHi => (false, false),
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => (false, false),
    }
}

/// Whether the result changes with the operand.
pub(super) fn un_depends(op: UnOp) -> bool {
    !matches!(
        op,
        UnOp::Sgn
            | UnOp::Popc
            | UnOp::Clz
            | UnOp::Ctz
            | UnOp::Floor
            | UnOp::Ceil
            | UnOp::Trunc
            | UnOp::Round
            | UnOp::IsNan
            | UnOp::IsInf
            | UnOp::SignBit
    )
}

/// A change after multiplication with a partial derivative; `None` for zero. `t` is the type of the change.
pub(super) fn apply(b: &mut Builder<'_>, t: PrimType, partial: Partial, change: Atom) -> Option<Atom> {
    let zero = Atom::Const(t.zero());
    match partial {
        Partial::Zero => None,
        Partial::Keep => Some(change),
        Partial::Negate => Some(b.un(UnOp::Neg, t, change)),
        Partial::Times(factor) => Some(b.bin(BinOp::Mul, t, factor, change)),
        Partial::If(condition) => {
            Some(b.if_(condition, &[Type::Prim(t)], |_| vec![change], |_| vec![zero])[0])
        }
        Partial::Unless(condition) => {
            Some(b.if_(condition, &[Type::Prim(t)], |_| vec![zero], |_| vec![change])[0])
        }
        Partial::Bits(op, _) => Some(b.un(op, t, change)),
    }
}

/// The sum of two changes of a scalar of this type.
pub(super) fn add(b: &mut Builder<'_>, t: PrimType, x: Atom, y: Atom) -> Atom {
    let op = if t == PrimType::Bool { BinOp::Or } else { BinOp::Add };
    b.bin(op, t, x, y)
}

/// The derivatives of an operator by its two operands. `want` says which are needed; `result` is what the operator gave.
pub(super) fn bin(
    b: &mut Builder<'_>,
    op: BinOp,
    t: PrimType,
    (x, y): (Atom, Atom),
    result: Atom,
    want: (bool, bool),
) -> (Partial, Partial) {
    let mut b = Scalars { b, t };
    let b = &mut b;
    match op {
        BinOp::Add => (Partial::Keep, Partial::Keep),
        BinOp::Sub => (Partial::Keep, Partial::Negate),
        BinOp::Mul => (Partial::Times(y), Partial::Times(x)),
        BinOp::Div | BinOp::Quot => {
            let one = b.number(1.0);
            let by_x = if want.0 { Partial::Times(b.bin(op, one, y)) } else { Partial::Zero };
            let by_y = if want.1 {
                let quotient = b.bin(op, result, y);
                Partial::Times(b.un(UnOp::Neg, quotient))
            } else {
                Partial::Zero
            };
            (by_x, by_y)
        }
        BinOp::Mod | BinOp::Rem => {
            if !want.1 {
                return (Partial::Keep, Partial::Zero);
            }
            let quotient = if t.is_float() {
                let quotient = b.bin(BinOp::Div, x, y);
                b.un(UnOp::Trunc, quotient)
            } else {
                b.bin(if op == BinOp::Mod { BinOp::Div } else { BinOp::Quot }, x, y)
            };
            (Partial::Keep, Partial::Times(b.un(UnOp::Neg, quotient)))
        }
        BinOp::Pow => b.pow(x, y, result, want),
        BinOp::Min | BinOp::Max => {
            let first = b.b.bin(BinOp::Eq, t, result, x);
            (Partial::If(first), Partial::Unless(first))
        }
        BinOp::Shl => {
            let one = b.number(1.0);
            (Partial::Times(b.bin(BinOp::Shl, one, y)), Partial::Zero)
        }
        BinOp::Atan2 => {
            let (xx, yy) = (b.bin(BinOp::Mul, x, x), b.bin(BinOp::Mul, y, y));
            let square = b.bin(BinOp::Add, xx, yy);
            let by_x = b.bin(BinOp::Div, y, square);
            let by_y = b.bin(BinOp::Div, x, square);
            (Partial::Times(by_x), Partial::Times(b.un(UnOp::Neg, by_y)))
        }
        BinOp::Hypot => {
            (Partial::Times(b.bin(BinOp::Div, x, result)), Partial::Times(b.bin(BinOp::Div, y, result)))
        }
        BinOp::CopySign => {
            let one = b.number(1.0);
            let (of_x, of_y) = (b.bin(BinOp::CopySign, one, x), b.bin(BinOp::CopySign, one, y));
            (Partial::Times(b.bin(BinOp::Mul, of_x, of_y)), Partial::Zero)
        }
        BinOp::NextAfter => (Partial::Keep, Partial::Zero),
        BinOp::Ldexp => {
            let one = b.number(1.0);
            (Partial::Times(b.bin(BinOp::Ldexp, one, y)), Partial::Zero)
        }
        BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::Shr
        | BinOp::ShrLogical
        | BinOp::MulHi
        | BinOp::Eq
        | BinOp::Ne
        | BinOp::Lt
        | BinOp::Le
        | BinOp::Gt
        | BinOp::Ge => (Partial::Zero, Partial::Zero),
    }
}

/// The derivative of an operator on one operand; `r` is what the operator gave.
pub(super) fn un(b: &mut Builder<'_>, op: UnOp, t: PrimType, x: Atom, r: Atom) -> Partial {
    let mut b = Scalars { b, t };
    let b = &mut b;
    let one = b.number(1.0);
    let factor = match op {
        UnOp::Neg => return Partial::Negate,
        UnOp::Not if t == PrimType::Bool => return Partial::Keep,
        // `!x` is `-x - 1`.
        UnOp::Not => return Partial::Negate,
        UnOp::ToBits => return Partial::Bits(UnOp::ToBits, UnOp::FromBits),
        UnOp::FromBits => return Partial::Bits(UnOp::FromBits, UnOp::ToBits),
        UnOp::Sgn
        | UnOp::Popc
        | UnOp::Clz
        | UnOp::Ctz
        | UnOp::Floor
        | UnOp::Ceil
        | UnOp::Trunc
        | UnOp::Round
        | UnOp::IsNan
        | UnOp::IsInf
        | UnOp::SignBit => return Partial::Zero,
        UnOp::Abs => b.un(UnOp::Sgn, x),
        UnOp::Sqrt => b.quotient(0.5, r),
        UnOp::Cbrt => {
            let square = b.bin(BinOp::Mul, r, r);
            b.quotient(1.0 / 3.0, square)
        }
        UnOp::Rsqrt => {
            let quotient = b.bin(BinOp::Div, r, x);
            b.times(-0.5, quotient)
        }
        UnOp::Exp => r,
        UnOp::Exp2 => b.times(LN_2, r),
        UnOp::Exp10 => b.times(LN_10, r),
        UnOp::Expm1 => b.bin(BinOp::Add, r, one),
        UnOp::Log => b.quotient(1.0, x),
        UnOp::Log2 => b.quotient(1.0 / LN_2, x),
        UnOp::Log10 => b.quotient(1.0 / LN_10, x),
        UnOp::Log1p => {
            let sum = b.bin(BinOp::Add, one, x);
            b.quotient(1.0, sum)
        }
        UnOp::Sin => b.un(UnOp::Cos, x),
        UnOp::Cos => {
            let sin = b.un(UnOp::Sin, x);
            b.un(UnOp::Neg, sin)
        }
        UnOp::Tan => b.one_plus_square(r),
        UnOp::Asin => b.inverse_circle(1.0, x),
        UnOp::Acos => b.inverse_circle(-1.0, x),
        UnOp::Atan => {
            let sum = b.one_plus_square(x);
            b.quotient(1.0, sum)
        }
        UnOp::Sinh => b.un(UnOp::Cosh, x),
        UnOp::Cosh => b.un(UnOp::Sinh, x),
        UnOp::Tanh => b.one_minus_square(r),
        UnOp::Asinh => {
            let sum = b.one_plus_square(x);
            let root = b.un(UnOp::Sqrt, sum);
            b.quotient(1.0, root)
        }
        UnOp::Acosh => {
            let square = b.bin(BinOp::Mul, x, x);
            let difference = b.bin(BinOp::Sub, square, one);
            let root = b.un(UnOp::Sqrt, difference);
            b.quotient(1.0, root)
        }
        UnOp::Atanh => {
            let difference = b.one_minus_square(x);
            b.quotient(1.0, difference)
        }
        UnOp::Sinpi => {
            let cos = b.un(UnOp::Cospi, x);
            b.times(PI, cos)
        }
        UnOp::Cospi => {
            let sin = b.un(UnOp::Sinpi, x);
            b.times(-PI, sin)
        }
        UnOp::Tanpi => {
            let sum = b.one_plus_square(r);
            b.times(PI, sum)
        }
        UnOp::Asinpi => b.inverse_circle(1.0 / PI, x),
        UnOp::Acospi => b.inverse_circle(-1.0 / PI, x),
        UnOp::Atanpi => {
            let sum = b.one_plus_square(x);
            b.quotient(1.0 / PI, sum)
        }
        UnOp::Erf => b.gauss(FRAC_2_SQRT_PI, x),
        UnOp::Erfc => b.gauss(-FRAC_2_SQRT_PI, x),
        UnOp::Gamma => {
            let digamma = b.digamma(x);
            b.bin(BinOp::Mul, r, digamma)
        }
        UnOp::Lgamma => b.digamma(x),
    };
    Partial::Times(factor)
}

/// Scalar code of one type.
struct Scalars<'b, 'n> {
    b: &'b mut Builder<'n>,
    t: PrimType,
}

impl Scalars<'_, '_> {
    fn bin(&mut self, op: BinOp, x: Atom, y: Atom) -> Atom {
        self.b.bin(op, self.t, x, y)
    }

    fn un(&mut self, op: UnOp, x: Atom) -> Atom {
        self.b.un(op, self.t, x)
    }

    /// A constant, rounded to the type.
    fn number(&self, x: f64) -> Atom {
        Atom::Const(eval_conv(self.t, PrimValue::F64(x)))
    }

    fn times(&mut self, c: f64, x: Atom) -> Atom {
        let c = self.number(c);
        self.bin(BinOp::Mul, c, x)
    }

    fn quotient(&mut self, c: f64, x: Atom) -> Atom {
        let c = self.number(c);
        self.bin(BinOp::Div, c, x)
    }

    fn one_plus_square(&mut self, x: Atom) -> Atom {
        let (one, square) = (self.number(1.0), self.bin(BinOp::Mul, x, x));
        self.bin(BinOp::Add, one, square)
    }

    fn one_minus_square(&mut self, x: Atom) -> Atom {
        let (one, square) = (self.number(1.0), self.bin(BinOp::Mul, x, x));
        self.bin(BinOp::Sub, one, square)
    }

    /// `c / sqrt (1 - x * x)`.
    fn inverse_circle(&mut self, c: f64, x: Atom) -> Atom {
        let difference = self.one_minus_square(x);
        let root = self.un(UnOp::Sqrt, difference);
        self.quotient(c, root)
    }

    /// `c * exp (-x * x)`.
    fn gauss(&mut self, c: f64, x: Atom) -> Atom {
        let square = self.bin(BinOp::Mul, x, x);
        let negated = self.un(UnOp::Neg, square);
        let exp = self.un(UnOp::Exp, negated);
        self.times(c, exp)
    }

    /// `a` where the condition holds, else `b`.
    fn choose(&mut self, condition: Atom, a: Atom, b: Atom) -> Atom {
        match condition {
            Atom::Const(PrimValue::Bool(true)) => a,
            Atom::Const(_) => b,
            Atom::Var(_) => self.b.if_(condition, &[Type::Prim(self.t)], |_| vec![a], |_| vec![b])[0],
        }
    }

    fn pow(&mut self, x: Atom, y: Atom, r: Atom, want: (bool, bool)) -> (Partial, Partial) {
        let (zero, one) = (self.number(0.0), self.number(1.0));
        let mut by_x = Partial::Zero;
        if want.0 {
            let mut less = self.bin(BinOp::Sub, y, one);
            if !self.t.is_float() {
                // Integers have no negative powers; the factor `y` makes the result zero anyway.
                less = if let Atom::Const(_) = less { less } else { self.bin(BinOp::Max, less, zero) };
                less =
                    if less.as_const().and_then(|c| c.as_int()).is_some_and(|c| c < 0) { zero } else { less };
            }
            let power = self.bin(BinOp::Pow, x, less);
            let product = self.bin(BinOp::Mul, y, power);
            let flat = self.b.bin(BinOp::Eq, self.t, y, zero);
            by_x = Partial::Times(self.choose(flat, zero, product));
        }
        let mut by_y = Partial::Zero;
        if want.1 && self.t.is_float() {
            let log = self.un(UnOp::Log, x);
            let product = self.bin(BinOp::Mul, r, log);
            let flat = self.b.bin(BinOp::Eq, self.t, x, zero);
            by_y = Partial::Times(self.choose(flat, zero, product));
        }
        (by_x, by_y)
    }

    /// The derivative of the logarithm of the gamma function: for positive arguments by its recurrence up to where the
    /// asymptotic series is good, for others by reflection.
    fn digamma(&mut self, x: Atom) -> Atom {
        let (half, one) = (self.number(0.5), self.number(1.0));
        let reflected = self.b.bin(BinOp::Lt, self.t, x, half);
        let mirror = self.bin(BinOp::Sub, one, x);
        let z = self.choose(reflected, mirror, x);
        let mut sum = self.number(0.0);
        for k in 0..10 {
            let k = self.number(f64::from(k));
            let term = self.bin(BinOp::Add, z, k);
            let inverse = self.quotient(1.0, term);
            sum = self.bin(BinOp::Sub, sum, inverse);
        }
        let ten = self.number(10.0);
        let z = self.bin(BinOp::Add, z, ten);
        let log = self.un(UnOp::Log, z);
        sum = self.bin(BinOp::Add, sum, log);
        let linear = self.quotient(0.5, z);
        sum = self.bin(BinOp::Sub, sum, linear);
        let square = self.bin(BinOp::Mul, z, z);
        let inverse = self.quotient(1.0, square);
        // Bernoulli numbers over twice their index, by Horner's rule.
        let mut series = self.number(0.0);
        for c in [-1.0 / 132.0, 1.0 / 240.0, -1.0 / 252.0, 1.0 / 120.0, -1.0 / 12.0] {
            let c = self.number(c);
            let scaled = self.bin(BinOp::Mul, series, inverse);
            series = self.bin(BinOp::Add, scaled, c);
        }
        let series = self.bin(BinOp::Mul, series, inverse);
        let positive = self.bin(BinOp::Add, sum, series);
        let tan = self.un(UnOp::Tanpi, x);
        let cot = self.quotient(PI, tan);
        let negative = self.bin(BinOp::Sub, positive, cot);
        self.choose(reflected, negative, positive)
    }
}
