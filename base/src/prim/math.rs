//! What the float operators compute: plain functions that interpreters call and compiled code links to, so that all
//! of them agree bit for bit (but for the payload of NaNs, which IEEE and Rust leave open).
//!
//! `f16` computes in `f32` and rounds; only [`f16_nextafter`] differs. The conversions to `f16` are here because
//! those of `half` from `f64` depend on the machine.

pub mod elementary;
pub mod f32;
pub mod f64;

use half::f16;

/// To the nearest `f16`, ties to even.
pub fn f16_from_f32(x: core::primitive::f32) -> f16 {
    f16::from_f32(x)
}

/// To the nearest `f16`, ties to even, rounding once.
pub fn f16_from_f64(x: core::primitive::f64) -> f16 {
    // Through f32 by rounding to odd: a result that is not exact has its last bit set, so that the second rounding
    // sees on which side of a tie x is.
    let near = x as core::primitive::f32;
    let wide = core::primitive::f64::from(near);
    if wide == x || x.is_nan() {
        return f16::from_f32(near);
    }
    let towards_zero = if wide.abs() > x.abs() { near.to_bits() - 1 } else { near.to_bits() };
    f16::from_f32(core::primitive::f32::from_bits(towards_zero | 1))
}

/// `a * b + c`, rounding once.
pub fn f16_fma(a: f16, b: f16, c: f16) -> f16 {
    // The product is exact in f64. Rounding the sum to odd there keeps what the second rounding needs to know.
    let (product, c) = (a.to_f64() * b.to_f64(), c.to_f64());
    let sum = product + c;
    let shifted = sum - product;
    let error = (product - (sum - shifted)) + (c - shifted);
    let inexact = error != 0.0 && sum.is_finite() && sum.to_bits() & 1 == 0;
    let outwards = (error > 0.0) == (sum > 0.0);
    f16_from_f64(match inexact {
        true => core::primitive::f64::from_bits(if outwards { sum.to_bits() + 1 } else { sum.to_bits() - 1 }),
        false => sum,
    })
}

/// The next `f16` after `x` towards `y`.
pub fn f16_nextafter(x: f16, y: f16) -> f16 {
    let bits = x.to_bits();
    if x.is_nan() || y.is_nan() {
        f16::NAN
    } else if x == y {
        y
    } else if bits & 0x7fff == 0 {
        f16::from_bits((y.to_bits() & 0x8000) | 1)
    } else if (x < y) == (bits & 0x8000 == 0) {
        f16::from_bits(bits + 1)
    } else {
        f16::from_bits(bits - 1)
    }
}
