//! Elementary functions of our own, without branches, so that they run in vectors.
//!
//! Each is written once over [`Arithmetic`]: the instances here compute on numbers, that of machine code emits instructions, and the C
//! backend has the same steps as text. So all of them give the same bits. At most 2 units in the last place from the exact results
//! (`docs/backends.md` has the figures). [`unary_f32`] and its neighbours say which operators there are.
//!
//! Most take their argument apart into a power of two (or quarter turns) and a rest on a small interval, where a polynomial does. Those of `f32`,
//! but for `exp`, `log` and `tanh`, are computed in `f64` ([`widened_unary`]).

mod arcs;
mod arithmetic;
mod error;
mod exponential;
mod gamma;
mod hyperbolic;
mod logarithm;
mod number;
mod pi;
mod power;
mod table;
mod turns;
mod widened;

#[cfg(test)]
mod tests;

pub use arithmetic::Arithmetic;
pub(super) use arithmetic::{Double, Single};
pub use table::{FIRST_ROOT, TABLE};

use crate::prim::{BinOp, UnOp};
use number::Float;

/// Where a function of `f32` is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Within {
    /// In `f32`, by [`unary_f32`].
    Single,
    /// In `f64`, by [`widened_unary`] or [`widened_binary`], and rounded.
    Double,
}

/// Where an operator on `f32` is computed, if it is one of these.
pub fn unary_within(op: UnOp) -> Option<Within> {
    match op {
        UnOp::Exp | UnOp::Log | UnOp::Tanh => Some(Within::Single),
        _ if is_unary(op) => Some(Within::Double),
        _ => None,
    }
}

/// Whether an operator on floats is one of these.
pub fn is_unary(op: UnOp) -> bool {
    matches!(
        op,
        UnOp::Exp
            | UnOp::Log
            | UnOp::Tanh
            | UnOp::Exp2
            | UnOp::Exp10
            | UnOp::Expm1
            | UnOp::Log2
            | UnOp::Log10
            | UnOp::Log1p
            | UnOp::Sin
            | UnOp::Cos
            | UnOp::Tan
            | UnOp::Asin
            | UnOp::Acos
            | UnOp::Atan
            | UnOp::Sinh
            | UnOp::Cosh
            | UnOp::Asinh
            | UnOp::Acosh
            | UnOp::Atanh
            | UnOp::Cbrt
            | UnOp::Sinpi
            | UnOp::Cospi
            | UnOp::Tanpi
            | UnOp::Asinpi
            | UnOp::Acospi
            | UnOp::Atanpi
            | UnOp::Erf
            | UnOp::Erfc
            | UnOp::Gamma
            | UnOp::Lgamma
    )
}

/// Whether an operator on two floats is one of these.
pub fn is_binary(op: BinOp) -> bool {
    matches!(op, BinOp::Pow | BinOp::Atan2 | BinOp::Hypot)
}

/// Whether the function of `f64` needs [`Arithmetic::row`].
pub fn has_rows(op: UnOp) -> bool {
    matches!(op, UnOp::Sin | UnOp::Cos | UnOp::Tan | UnOp::Lgamma)
}

/// An operator on `f32` that is computed there.
pub fn unary_f32<A: Arithmetic>(on: &A, op: UnOp, x: A::Float) -> Option<A::Float> {
    let x = Float { on, is: x };
    let y = match op {
        UnOp::Exp => exponential::exp_f32(x),
        UnOp::Log => logarithm::log_f32(x),
        UnOp::Tanh => hyperbolic::tanh_f32(x),
        _ => return None,
    };
    Some(y.is)
}

/// An operator on `f32`, computed in `f64`; the result is still to be rounded.
pub fn widened_unary<A: Arithmetic>(on: &A, op: UnOp, x: A::Float) -> Option<A::Float> {
    let x = Float { on, is: x };
    let y = match op {
        UnOp::Exp2 => widened::exp2(x),
        UnOp::Exp10 => widened::exp10(x),
        UnOp::Expm1 => widened::expm1(x),
        UnOp::Log2 => widened::log2(x),
        UnOp::Log10 => widened::log10(x),
        UnOp::Log1p => widened::log1p(x),
        UnOp::Sin => widened::sin(x),
        UnOp::Cos => widened::cos(x),
        UnOp::Tan => widened::tan(x),
        UnOp::Asin => widened::asin(x),
        UnOp::Acos => widened::acos(x),
        UnOp::Atan => widened::atan(x),
        UnOp::Sinh => widened::sinh(x),
        UnOp::Cosh => widened::cosh(x),
        UnOp::Asinh => widened::asinh(x),
        UnOp::Acosh => widened::acosh(x),
        UnOp::Atanh => widened::atanh(x),
        UnOp::Cbrt => widened::cbrt(x),
        UnOp::Sinpi => widened::sinpi(x),
        UnOp::Cospi => widened::cospi(x),
        UnOp::Tanpi => widened::tanpi(x),
        UnOp::Asinpi => widened::asinpi(x),
        UnOp::Acospi => widened::acospi(x),
        UnOp::Atanpi => widened::atanpi(x),
        UnOp::Erf => widened::erf(x),
        UnOp::Erfc => widened::erfc(x),
        UnOp::Gamma => widened::gamma(x),
        UnOp::Lgamma => gamma::lgamma(x),
        _ => return None,
    };
    Some(y.is)
}

/// An operator on two `f32`, computed in `f64`; the result is still to be rounded.
pub fn widened_binary<A: Arithmetic>(on: &A, op: BinOp, x: A::Float, y: A::Float) -> Option<A::Float> {
    let (x, y) = (Float { on, is: x }, Float { on, is: y });
    let z = match op {
        BinOp::Pow => widened::pow(x, y),
        BinOp::Atan2 => widened::angle(x, y),
        BinOp::Hypot => widened::hypot(x, y),
        _ => return None,
    };
    Some(z.is)
}

/// An operator on `f64`.
pub fn unary_f64<A: Arithmetic>(on: &A, op: UnOp, x: A::Float) -> Option<A::Float> {
    let x = Float { on, is: x };
    let y = match op {
        UnOp::Exp => exponential::exp_f64(x),
        UnOp::Log => logarithm::log_f64(x),
        UnOp::Tanh => hyperbolic::tanh_f64(x),
        UnOp::Exp2 => exponential::exp2(x),
        UnOp::Exp10 => exponential::exp10(x),
        UnOp::Expm1 => exponential::expm1(x),
        UnOp::Log2 => logarithm::log2(x),
        UnOp::Log10 => logarithm::log10(x),
        UnOp::Log1p => logarithm::log1p(x),
        UnOp::Sin => turns::sin(x),
        UnOp::Cos => turns::cos(x),
        UnOp::Tan => turns::tan(x),
        UnOp::Asin => arcs::asin(x),
        UnOp::Acos => arcs::acos(x),
        UnOp::Atan => arcs::atan(x),
        UnOp::Sinh => hyperbolic::sinh(x),
        UnOp::Cosh => hyperbolic::cosh(x),
        UnOp::Asinh => hyperbolic::asinh(x),
        UnOp::Acosh => hyperbolic::acosh(x),
        UnOp::Atanh => hyperbolic::atanh(x),
        UnOp::Cbrt => power::cbrt(x),
        UnOp::Sinpi => pi::sinpi(x),
        UnOp::Cospi => pi::cospi(x),
        UnOp::Tanpi => pi::tanpi(x),
        UnOp::Asinpi => pi::asinpi(x),
        UnOp::Acospi => pi::acospi(x),
        UnOp::Atanpi => pi::atanpi(x),
        UnOp::Erf => error::erf(x),
        UnOp::Erfc => error::erfc(x),
        UnOp::Gamma => gamma::gamma(x),
        UnOp::Lgamma => gamma::lgamma_by_rows(x),
        _ => return None,
    };
    Some(y.is)
}

/// An operator on two `f64`.
pub fn binary_f64<A: Arithmetic>(on: &A, op: BinOp, x: A::Float, y: A::Float) -> Option<A::Float> {
    let (x, y) = (Float { on, is: x }, Float { on, is: y });
    let z = match op {
        BinOp::Pow => power::pow(x, y),
        BinOp::Atan2 => arcs::atan2(x, y),
        BinOp::Hypot => power::hypot(x, y),
        _ => return None,
    };
    Some(z.is)
}
