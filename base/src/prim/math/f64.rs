//! The operators on `f64`. Elementary functions are our own (`elementary`), which compute the same bits on every machine.

use crate::prim::math::elementary;
use crate::prim::{BinOp, UnOp};

/// A function of our own.
fn own(op: UnOp, x: f64) -> f64 {
    elementary::unary_f64(&elementary::Double, op, x).unwrap_or(f64::NAN)
}

/// The same of two arguments.
fn own_of_two(op: BinOp, x: f64, y: f64) -> f64 {
    elementary::binary_f64(&elementary::Double, op, x, y).unwrap_or(f64::NAN)
}

/// The remainder with the sign of the dividend, as C's fmod.
pub fn rem(x: f64, y: f64) -> f64 {
    x % y
}

/// The smaller; the number where one operand is NaN; `-0.0` is below `0.0`.
pub fn min(x: f64, y: f64) -> f64 {
    if x < y || y.is_nan() || (x == y && x.is_sign_negative()) { x } else { y }
}

/// The larger; the number where one operand is NaN; `-0.0` is below `0.0`.
pub fn max(x: f64, y: f64) -> f64 {
    if x > y || y.is_nan() || (x == y && x.is_sign_positive()) { x } else { y }
}

/// `x^y`. Squares are products, so that passes may make these of them.
pub fn pow(x: f64, y: f64) -> f64 {
    own_of_two(BinOp::Pow, x, y)
}

/// The angle of the point with coordinates `x` and `y`.
pub fn atan2(y: f64, x: f64) -> f64 {
    own_of_two(BinOp::Atan2, y, x)
}

/// `sqrt (x^2 + y^2)` without overflow between.
pub fn hypot(x: f64, y: f64) -> f64 {
    own_of_two(BinOp::Hypot, x, y)
}

/// `x` with the sign of `y`.
pub fn copysign(x: f64, y: f64) -> f64 {
    x.copysign(y)
}

/// The next float after `x` towards `y`.
pub fn nextafter(x: f64, y: f64) -> f64 {
    libm::nextafter(x, y)
}

/// `x * 2^y`, `y` truncated to an integer.
pub fn ldexp(x: f64, y: f64) -> f64 {
    // as a conversion to i32 does it
    libm::ldexp(x, if y.is_finite() { y as i32 } else { 0 })
}

/// -1, 0 or 1 by the sign, NaN for NaN.
pub fn sgn(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else if x.is_nan() {
        x
    } else {
        0.0
    }
}

/// Negation: flips the sign bit.
pub fn neg(x: f64) -> f64 {
    -x
}

/// Absolute value: clears the sign bit.
pub fn abs(x: f64) -> f64 {
    x.abs()
}

/// The square root.
pub fn sqrt(x: f64) -> f64 {
    x.sqrt()
}

/// `1 / sqrt x`, rounded twice.
pub fn rsqrt(x: f64) -> f64 {
    1.0 / x.sqrt()
}

/// The cube root.
pub fn cbrt(x: f64) -> f64 {
    own(UnOp::Cbrt, x)
}

/// `e^x`.
pub fn exp(x: f64) -> f64 {
    own(UnOp::Exp, x)
}

/// `2^x`.
pub fn exp2(x: f64) -> f64 {
    own(UnOp::Exp2, x)
}

/// `10^x`.
pub fn exp10(x: f64) -> f64 {
    own(UnOp::Exp10, x)
}

/// `e^x - 1`, exact near 0.
pub fn expm1(x: f64) -> f64 {
    own(UnOp::Expm1, x)
}

/// The natural logarithm.
pub fn log(x: f64) -> f64 {
    own(UnOp::Log, x)
}

/// The binary logarithm.
pub fn log2(x: f64) -> f64 {
    own(UnOp::Log2, x)
}

/// The decimal logarithm.
pub fn log10(x: f64) -> f64 {
    own(UnOp::Log10, x)
}

/// `log (1 + x)`, exact near 0.
pub fn log1p(x: f64) -> f64 {
    own(UnOp::Log1p, x)
}

/// The sine.
pub fn sin(x: f64) -> f64 {
    own(UnOp::Sin, x)
}

/// The cosine.
pub fn cos(x: f64) -> f64 {
    own(UnOp::Cos, x)
}

/// The tangent.
pub fn tan(x: f64) -> f64 {
    own(UnOp::Tan, x)
}

/// The arc sine.
pub fn asin(x: f64) -> f64 {
    own(UnOp::Asin, x)
}

/// The arc cosine.
pub fn acos(x: f64) -> f64 {
    own(UnOp::Acos, x)
}

/// The arc tangent.
pub fn atan(x: f64) -> f64 {
    own(UnOp::Atan, x)
}

/// The hyperbolic sine.
pub fn sinh(x: f64) -> f64 {
    own(UnOp::Sinh, x)
}

/// The hyperbolic cosine.
pub fn cosh(x: f64) -> f64 {
    own(UnOp::Cosh, x)
}

/// The hyperbolic tangent.
pub fn tanh(x: f64) -> f64 {
    own(UnOp::Tanh, x)
}

/// The inverse hyperbolic sine.
pub fn asinh(x: f64) -> f64 {
    own(UnOp::Asinh, x)
}

/// The inverse hyperbolic cosine.
pub fn acosh(x: f64) -> f64 {
    own(UnOp::Acosh, x)
}

/// The inverse hyperbolic tangent.
pub fn atanh(x: f64) -> f64 {
    own(UnOp::Atanh, x)
}

/// The error function.
pub fn erf(x: f64) -> f64 {
    own(UnOp::Erf, x)
}

/// `1 - erf x`.
pub fn erfc(x: f64) -> f64 {
    own(UnOp::Erfc, x)
}

/// The gamma function.
pub fn gamma(x: f64) -> f64 {
    own(UnOp::Gamma, x)
}

/// The logarithm of the absolute value of the gamma function.
pub fn lgamma(x: f64) -> f64 {
    own(UnOp::Lgamma, x)
}

/// `sin (pi * x)`, exact at multiples of 1/2.
pub fn sinpi(x: f64) -> f64 {
    own(UnOp::Sinpi, x)
}

/// `cos (pi * x)`, exact at multiples of 1/2.
pub fn cospi(x: f64) -> f64 {
    own(UnOp::Cospi, x)
}

/// `tan (pi * x)`, exact at multiples of 1/2.
pub fn tanpi(x: f64) -> f64 {
    own(UnOp::Tanpi, x)
}

/// `asin x / pi`.
pub fn asinpi(x: f64) -> f64 {
    own(UnOp::Asinpi, x)
}

/// `acos x / pi`.
pub fn acospi(x: f64) -> f64 {
    own(UnOp::Acospi, x)
}

/// `atan x / pi`.
pub fn atanpi(x: f64) -> f64 {
    own(UnOp::Atanpi, x)
}

/// Rounded to minus infinity.
pub fn floor(x: f64) -> f64 {
    x.floor()
}

/// Rounded to plus infinity.
pub fn ceil(x: f64) -> f64 {
    x.ceil()
}

/// Rounded to zero.
pub fn trunc(x: f64) -> f64 {
    x.trunc()
}

/// Rounded to the nearest integer, ties to even.
pub fn round(x: f64) -> f64 {
    x.round_ties_even()
}

/// The function of an operator from `f64` to `f64`; `None` for operators that are not on floats or give another type.
pub fn unary(op: UnOp) -> Option<fn(f64) -> f64> {
    Some(match op {
        UnOp::Neg => neg,
        UnOp::Abs => abs,
        UnOp::Sgn => sgn,
        UnOp::Sqrt => sqrt,
        UnOp::Cbrt => cbrt,
        UnOp::Rsqrt => rsqrt,
        UnOp::Exp => exp,
        UnOp::Exp2 => exp2,
        UnOp::Exp10 => exp10,
        UnOp::Expm1 => expm1,
        UnOp::Log => log,
        UnOp::Log2 => log2,
        UnOp::Log10 => log10,
        UnOp::Log1p => log1p,
        UnOp::Sin => sin,
        UnOp::Cos => cos,
        UnOp::Tan => tan,
        UnOp::Asin => asin,
        UnOp::Acos => acos,
        UnOp::Atan => atan,
        UnOp::Sinh => sinh,
        UnOp::Cosh => cosh,
        UnOp::Tanh => tanh,
        UnOp::Asinh => asinh,
        UnOp::Acosh => acosh,
        UnOp::Atanh => atanh,
        UnOp::Sinpi => sinpi,
        UnOp::Cospi => cospi,
        UnOp::Tanpi => tanpi,
        UnOp::Asinpi => asinpi,
        UnOp::Acospi => acospi,
        UnOp::Atanpi => atanpi,
        UnOp::Erf => erf,
        UnOp::Erfc => erfc,
        UnOp::Gamma => gamma,
        UnOp::Lgamma => lgamma,
        UnOp::Floor => floor,
        UnOp::Ceil => ceil,
        UnOp::Trunc => trunc,
        UnOp::Round => round,
        UnOp::Not | UnOp::Popc | UnOp::Clz | UnOp::Ctz | UnOp::FromBits => return None,
        UnOp::IsNan | UnOp::IsInf | UnOp::SignBit | UnOp::ToBits => return None,
    })
}

/// The function of an operator on two `f64` giving `f64`, but for the four of arithmetic, which are IEEE's; `None` for others.
pub fn binary(op: BinOp) -> Option<fn(f64, f64) -> f64> {
    Some(match op {
        BinOp::Mod => rem,
        BinOp::Pow => pow,
        BinOp::Min => min,
        BinOp::Max => max,
        BinOp::Atan2 => atan2,
        BinOp::Hypot => hypot,
        BinOp::CopySign => copysign,
        BinOp::NextAfter => nextafter,
        BinOp::Ldexp => ldexp,
        BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div => return None,
        BinOp::Quot | BinOp::Rem | BinOp::And | BinOp::Or | BinOp::Xor => return None,
        BinOp::Shl | BinOp::Shr | BinOp::ShrLogical | BinOp::MulHi => return None,
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => return None,
    })
}
