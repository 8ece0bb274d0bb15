//! Logarithms: of a power of two and of a rest near 1. That of the rest of `f64` is twice the inverse hyperbolic tangent of `s = f / (2 + f)`.
//!
//! `log` adds the square of the rest apart from the polynomial, since it has more digits than a product keeps. The others have the first two terms of the series
//! in two parts, a number and what it lacks, and the rest as a polynomial in `s^2` that interpolates at Chebyshev's points, as the polynomials of the
//! hyperbolic functions and of arcs do (in 300 bits, then rounded).

use super::Arithmetic;
use super::number::{Bits, Float, Mask};
use std::f64::consts;

/// `y`, but for the arguments that have no finite logarithm.
pub(super) fn ends<'a, A: Arithmetic>(x: Float<'a, A>, y: Float<'a, A>) -> Float<'a, A> {
    let other = x.equal(0.0).choose(f64::NEG_INFINITY, f64::NAN);
    let y = x.less(f64::INFINITY).choose(y, f64::INFINITY);
    x.greater(0.0).choose(y, other)
}

/// What differs between the widths where an argument is taken apart.
struct Shape {
    least_normal: f64,
    /// Makes numbers below that normal.
    scale: f64,
    /// From the representation of the root of a half to that of 1.
    offset: u64,
    bias: u64,
    mantissa: u32,
}

const SINGLE: Shape = Shape {
    least_normal: f32::MIN_POSITIVE as f64,
    scale: 8_388_608.0,
    offset: 0x3f80_0000 - 0x3f35_04f3,
    bias: 127,
    mantissa: 23,
};

const DOUBLE: Shape = Shape {
    least_normal: f64::MIN_POSITIVE,
    scale: LARGE,
    offset: 0x3ff0_0000_0000_0000 - 0x3fe6_a09e_667f_3bcd,
    bias: 1023,
    mantissa: 52,
};

/// Whether `x` is below the normal numbers, and so was scaled; the power of two in it, with the bias; and the rest, less 1.
fn parts<'a, A: Arithmetic>(x: Float<'a, A>, shape: &Shape) -> (Mask<'a, A>, Bits<'a, A>, Float<'a, A>) {
    let tiny = x.less(shape.least_normal);
    let (power, f) = power_and_rest(tiny.choose(x * shape.scale, x), shape);
    (tiny, power, f)
}

/// The same of a normal number.
fn power_and_rest<'a, A: Arithmetic>(x: Float<'a, A>, shape: &Shape) -> (Bits<'a, A>, Float<'a, A>) {
    let bits = x.bits();
    let power = (bits + shape.offset) >> shape.mantissa;
    let f = (bits - ((power - shape.bias) << shape.mantissa)).float() - 1.0;
    (power, f)
}

pub(super) fn log_f32<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let (tiny, power, f) = parts(x, &SINGLE);
    let n = power.number() - tiny.choose(150.0, 127.0);
    let g = f.polynomial(&[
        0.06746567,
        -0.11675588,
        0.118881606,
        -0.124056,
        0.14219554,
        -0.16667995,
        0.20002119,
        -0.2500001,
        0.33333313,
    ]);
    let square = f * f;
    let part = square.fma(-0.5, square * f * g);
    let part = n.fma(-0.00021219444, part);
    ends(x, n.fma(0.6933594, part + f))
}

/// A power that stands in the last bits of a float of the size of 2^52.
fn number<A: Arithmetic>(power: Bits<'_, A>) -> Float<'_, A> {
    (power + 0x4330_0000_0000_0000).float()
}

const LARGE: f64 = 4_503_599_627_370_496.0;

/// The power of two in a number, and the rest less 1.
pub(super) fn split<A: Arithmetic>(x: Float<'_, A>) -> (Float<'_, A>, Float<'_, A>) {
    let (tiny, power, f) = parts(x, &DOUBLE);
    (number(power) - tiny.choose(LARGE + 1075.0, LARGE + 1023.0), f)
}

pub(super) fn log_f64<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let (n, f) = split(x);
    let s = f / (2.0 + f);
    let z = s * s;
    let g = z.polynomial(&[
        0.14617733633798716,
        0.15331608219759893,
        0.18182892879772783,
        0.2222221107749412,
        0.2857142862637075,
        0.39999999999898506,
        0.666666666666667,
    ]);
    let halved = 0.5 * f * f;
    let part = n.fma(1.9082149292705877e-10, s * z.fma(g, halved));
    ends(x, n.fma(0.6931471803691238, f - (halved - part)))
}

/// The logarithm of `1 + f + rest`, where the sum is near 1, in two parts.
pub(super) fn near<'a, A: Arithmetic>(f: Float<'a, A>, rest: Float<'a, A>) -> (Float<'a, A>, Float<'a, A>) {
    let sum = 2.0 + f;
    let over = 1.0 / sum;
    let lost = (2.0 - sum) + f + rest;
    let s = f * over;
    let s_low = over * ((-s).fma(sum, f) + (-s).fma(lost, rest));
    let z = s * s;
    let z_low = s.fma(s, -z) + 2.0 * s * s_low;
    let cube = z * s;
    let cube_low = z.fma(s, -cube) + z.fma(s_low, z_low * s);
    let g = z.polynomial(&[
        0.11735818855512968,
        0.11705021567538627,
        0.13334850282547114,
        0.1538459412012637,
        0.18181818343316125,
        0.2222222222162076,
        0.28571428571429425,
        0.4,
    ]);
    let tail = z * g;
    let third = 0.6666666666666666 + tail;
    let third_low = (0.6666666666666666 - third) + tail + 3.700743415417188e-17;
    let part = cube * third;
    let part_low = cube.fma(third, -part) + cube.fma(third_low, cube_low * third);
    let high = 2.0 * s;
    let y = high + part;
    (y, (high - y) + part + s_low.fma(2.0, part_low))
}

/// The logarithm of 2, in two parts of which the first has few digits.
pub(super) const LN_2: [f64; 2] = [0.6931471805592082, 7.371002565167799e-13];

/// The logarithm of a sum from 2^-53 on, `more` powers of two added.
pub(super) fn of_pair<'a, A: Arithmetic>(
    x: Float<'a, A>,
    rest: Float<'a, A>,
    more: Float<'a, A>,
) -> Float<'a, A> {
    let (y, low) = parts_of_pair(x, rest, more);
    y + low
}

/// The same in two parts.
pub(super) fn parts_of_pair<'a, A: Arithmetic>(
    x: Float<'a, A>,
    rest: Float<'a, A>,
    more: Float<'a, A>,
) -> (Float<'a, A>, Float<'a, A>) {
    let (power, f) = power_and_rest(x, &DOUBLE);
    let n = number(power) - (LARGE + 1023.0) + more;
    let scaled =
        x.greater(1.6069380442589903e60).choose(0.0, rest * ((power.constant(2046) - power) << 52).float());
    let sum = f + scaled;
    let (near, low) = near(sum, (f - sum) + scaled);
    let high = n * LN_2[0];
    let y = high + near;
    (y, (high - y) + near + n.fma(LN_2[1], low))
}

pub(super) fn log2<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let (n, f) = split(x);
    let (near, low) = near(f, f.constant(0.0));
    let part = near * consts::LOG2_E;
    let rest = near.fma(consts::LOG2_E, -part) + near.fma(2.0355273740931033e-17, low * consts::LOG2_E);
    let y = n + part;
    ends(x, y + ((n - y) + part + rest))
}

pub(super) fn log10<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let (n, f) = split(x);
    let (near, low) = near(f, f.constant(0.0));
    let part = near * consts::LOG10_E;
    let rest = near.fma(consts::LOG10_E, -part) + near.fma(1.098319650216765e-17, low * consts::LOG10_E);
    let high = n * 0.30102999566361177;
    let y = high + part;
    ends(x, y + ((high - y) + part + n.fma(3.694239077158931e-13, rest)))
}

/// `1 + x`, and what that lacks beside what `x` does.
pub(super) fn plus_one<'a, A: Arithmetic>(
    x: Float<'a, A>,
    rest: Float<'a, A>,
) -> (Float<'a, A>, Float<'a, A>) {
    let sum = 1.0 + x;
    let part = sum - 1.0;
    (sum, rest + ((1.0 - (sum - part)) + (x - part)))
}

pub(super) fn log1p<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let zero = x.constant(0.0);
    let (sum, rest) = plus_one(x, zero);
    let y = of_pair(sum, rest, zero);
    let other = x.less(-1.0).choose(f64::NAN, x.equal(-1.0).choose(f64::NEG_INFINITY, x));
    let usual = x.greater(-1.0) & !x.abs().less(5.551115123125783e-17) & x.less(f64::INFINITY);
    usual.choose(y, other)
}
