//! Inverse trigonometric functions of `f64`: a polynomial for the small angle, which is added to a multiple of π/2 in two parts.

use super::Arithmetic;
use super::number::Float;
use std::f64::consts;

/// π/2, and what that lacks.
const QUARTER: [f64; 2] = [consts::FRAC_PI_2, 6.123233995736766e-17];
/// π likewise.
const HALF: [f64; 2] = [consts::PI, 1.2246467991473532e-16];

/// The lesser of two sizes over the greater, and whether the first is the greater one.
pub(super) fn quotient<'a, A: Arithmetic>(
    wide: Float<'a, A>,
    high: Float<'a, A>,
) -> (Float<'a, A>, super::number::Mask<'a, A>) {
    let steep = wide.greater(high);
    let (over, under) = (steep.choose(high, wide), steep.choose(wide, high));
    let same = under.equal(0.0).choose(0.0, 1.0);
    (over.equal(under).choose(same, over / under), steep)
}

/// What the arc tangent of a number up to 1 has beside it: that times its square `u` times this.
pub(super) fn arc_series<A: Arithmetic>(u: Float<'_, A>) -> Float<'_, A> {
    u.polynomial(&[
        1.806195461861215e-05,
        -0.00019996189377901382,
        0.0010496035084968515,
        -0.0034958859739163094,
        0.008368931178450162,
        -0.015535152475414177,
        0.023696731580048622,
        -0.031277189066996385,
        0.03749486812535247,
        -0.04260356632601652,
        0.04737749579527779,
        -0.052579733342841106,
        0.05881506877793656,
        -0.06666564699289104,
        0.07692298971033217,
        -0.09090908590891934,
        0.11111111093490827,
        -0.14285714285384132,
        0.1999999999999753,
        -0.3333333333333333,
    ])
}

pub(super) fn atan2<'a, A: Arithmetic>(y: Float<'a, A>, x: Float<'a, A>) -> Float<'a, A> {
    let (t, steep) = quotient(y.abs(), x.abs());
    let back = x.is_signed();
    let u = t * t;
    let g = arc_series(u);
    let turned = back.choose(-t, t);
    let near = steep.choose(-turned, turned);
    let tail = near * u * g;
    let from = steep.choose(QUARTER[0], back.choose(HALF[0], 0.0));
    let from_low = steep.choose(QUARTER[1], back.choose(HALF[1], 0.0));
    let sum = from + near;
    (sum + ((from - sum) + near + (from_low + tail))).copysign(y)
}

pub(super) fn atan<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    atan2(x, x.constant(1.0))
}

/// For the arc sine of a size up to 1/2, or of the root of what a larger one lacks of 1, halved: the argument and what is added.
pub(super) fn asin_parts<A: Arithmetic>(size: Float<'_, A>) -> (Float<'_, A>, Float<'_, A>) {
    let far = size.greater(0.5);
    let u = far.choose(0.5 - 0.5 * size, size * size);
    let z = far.choose(u.sqrt(), size);
    let g = u.polynomial(&[
        0.028757851367421566,
        -0.014851887071247204,
        0.01740087944269402,
        0.005457506718640358,
        0.01032281435018578,
        0.011479177415184906,
        0.013971212973552933,
        0.017352392720869973,
        0.02237217294214989,
        0.030381944138531247,
        0.04464285714635543,
        0.07499999999998433,
        0.16666666666666669,
    ]);
    let lost = (far & z.greater(0.0)).choose((-z).fma(z, u) / (2.0 * z), 0.0);
    (z, (z * u).fma(g, lost))
}

pub(super) fn asin<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let size = x.abs();
    let (z, tail) = asin_parts(size);
    let high = QUARTER[0] - 2.0 * z;
    let far = high + ((QUARTER[0] - high) - 2.0 * z + tail.fma(-2.0, QUARTER[1]));
    size.greater(0.5).choose(far, z + tail).copysign(x)
}

pub(super) fn acos<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let size = x.abs();
    let (z, tail) = asin_parts(size);
    let (far, back) = (size.greater(0.5), x.less(0.0));
    let sign = far.choose(back.choose(-2.0, 2.0), back.choose(1.0, -1.0));
    let near = sign * z;
    let from = far.choose(back.choose(HALF[0], 0.0), QUARTER[0]);
    let from_low = far.choose(back.choose(HALF[1], 0.0), QUARTER[1]);
    let sum = from + near;
    sum + ((from - sum) + near + sign.fma(tail, from_low))
}
