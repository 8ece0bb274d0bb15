//! Exponentials: a power of two times `e` to a rest of at most half of `log 2`.

use super::Arithmetic;
use super::number::Float;
use std::f64::consts;

/// What differs between the widths in `exp`.
pub(super) struct Shape {
    least: f64,
    most: f64,
    log2_e: f64,
    /// Adding this rounds to an integer, which then stands in the last bits, twice the bias added.
    shift: f64,
    /// Minus the last and the first digits of `log 2`.
    ln2_low: f64,
    ln2_high: f64,
    coefficients: &'static [f64],
    mantissa: u32,
}

/// Of least relative error (found by Remez's exchange in 300 bits), as those of `log` and `tanh`.
pub(super) const SINGLE: Shape = Shape {
    least: -104.0,
    most: 89.0,
    log2_e: std::f32::consts::LOG2_E as f64,
    shift: 12_582_912.0 + 254.0,
    ln2_low: -0.0017409305,
    ln2_high: -0.69140625,
    coefficients: &[0.0013926268, 0.008363247, 0.041666552, 0.16666576, 0.5, 1.0, 1.0],
    mantissa: 23,
};

pub(super) const DOUBLE: Shape = Shape {
    least: -746.0,
    most: 710.0,
    log2_e: consts::LOG2_E,
    shift: SHIFT,
    ln2_low: -4.7493250390316726e-7,
    ln2_high: -0.6931467056274414,
    coefficients: &[
        2.5100494788905042e-8,
        2.76202305675069e-7,
        2.7557268229963227e-6,
        2.4801520996825697e-5,
        0.00019841269863201828,
        0.0013888888917406447,
        0.008333333333330032,
        0.04166666666662374,
        0.16666666666666669,
        0.5,
        1.0,
        1.0,
    ],
    mantissa: 52,
};

/// See [`Shape::shift`].
pub(super) const SHIFT: f64 = 6_755_399_441_055_744.0 + 2046.0;

pub(super) fn exp<'a, A: Arithmetic>(x: Float<'a, A>, shape: &Shape) -> Float<'a, A> {
    let y = x.between(shape.least, shape.most);
    let shifted = y.fma(shape.log2_e, shape.shift);
    let n = shifted - shape.shift;
    let r = n.fma(shape.ln2_low, n.fma(shape.ln2_high, y));
    scaled(r.polynomial(shape.coefficients), shifted, shape.mantissa)
}

/// A number times the power of two that stands in the last bits of another: in two factors, since the power alone may be too small or large. What is
/// above their exponents is shifted out.
pub(super) fn scaled<'a, A: Arithmetic>(
    part: Float<'a, A>,
    shifted: Float<'a, A>,
    mantissa: u32,
) -> Float<'a, A> {
    let k = shifted.bits();
    let half = k >> 1;
    part * (half << mantissa).float() * ((k - half) << mantissa).float()
}

pub(super) fn exp_f32<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    exp(x, &SINGLE)
}

pub(super) fn exp_f64<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    exp(x, &DOUBLE)
}

/// So many powers of two as the last bits.
pub(super) fn shifted<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    x * DOUBLE.log2_e + SHIFT
}

/// What is left of a number without `n log 2`, in two parts.
pub(super) fn rest<'a, A: Arithmetic>(x: Float<'a, A>, n: Float<'a, A>) -> (Float<'a, A>, Float<'a, A>) {
    let near = n.fma(DOUBLE.ln2_high, x);
    let r = n.fma(DOUBLE.ln2_low, near);
    (r, n.fma(DOUBLE.ln2_low, near - r))
}

/// The series of `(e^r - 1 - r) / r^2`.
fn series<A: Arithmetic>(r: Float<'_, A>) -> Float<'_, A> {
    r.polynomial(&DOUBLE.coefficients[..10])
}

/// A power of two, in the last bits of `shifted`, times `e` to a small number in two parts.
pub(super) fn exp_of_rest<'a, A: Arithmetic>(
    r: Float<'a, A>,
    rest: Float<'a, A>,
    shifted: Float<'a, A>,
) -> Float<'a, A> {
    let one = 1.0 + r;
    let lost = (1.0 - one) + r;
    let part = one + (lost + (r * r).fma(series(r), r.fma(rest, rest)));
    scaled(part, shifted, 52)
}

/// `e` to a sum, in two parts, and so many powers of two in the last bits of a third.
pub(super) fn exp_of_pair<'a, A: Arithmetic>(
    x: Float<'a, A>,
    more: Float<'a, A>,
) -> (Float<'a, A>, Float<'a, A>, Float<'a, A>) {
    let shifted = shifted(x);
    let (near, lost) = rest(x, shifted - SHIFT);
    let more = lost + more;
    let r = near + more;
    let rest = (near - r) + more;
    let one = 1.0 + r;
    let tail = (1.0 - one) + r + (r * r).fma(series(r), r.fma(rest, rest));
    let part = one + tail;
    (part, (one - part) + tail, shifted)
}

pub(super) fn exp2<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let to = x.between(-1080.0, 1025.0);
    let shifted = to + SHIFT;
    let part = to - (shifted - SHIFT);
    let r = part * consts::LN_2;
    exp_of_rest(r, part.fma(consts::LN_2, -r) + part * 2.3190468138462996e-17, shifted)
}

pub(super) fn exp10<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let to = x.between(-325.0, 310.0);
    let shifted = to * consts::LOG2_10 + SHIFT;
    let n = shifted - SHIFT;
    let near = n.fma(-0.30102999566361177, to);
    let part = n.fma(-3.694239077158931e-13, near);
    let lost = n.fma(-3.694239077158931e-13, near - part);
    let r = part * consts::LN_10;
    let rest = part.fma(consts::LN_10, -r) + part.fma(-2.1707562233822494e-16, lost * consts::LN_10);
    exp_of_rest(r, rest, shifted)
}

pub(super) fn expm1<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let to = x.between(-40.0, 710.0);
    let shifted = shifted(to);
    let (r, rest) = rest(to, shifted - SHIFT);
    let tail = (r * r).fma(series(r), r.fma(rest, rest));
    let half = ((shifted.bits() - 1024) << 52).float();
    let whole = half - 0.5;
    let part = half * r;
    let sum = whole + part;
    let y = 2.0 * (sum + ((whole - sum) + part + half * tail));
    x.abs().less(5.551115123125783e-17).choose(x, y)
}
