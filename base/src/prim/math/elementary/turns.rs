//! Sines, cosines and tangents of `f64`.
//!
//! An angle becomes quarter turns as for `f32`, for all sizes by one way: 32 exponents at a time have a row of 212 digits of their power of two over π/2,
//! modulo 4 (Payne and Hanek, 1983). The closest that a number comes to a multiple of π/2 is 2^-61, and sums without loss keep 53 digits behind that.
//! The polynomials interpolate at Chebyshev's points (in 300 bits, then rounded).

use super::Arithmetic;
use super::number::{Bits, Float};
use std::f64::consts;

/// A sum, and what does not fit into it.
pub(super) fn plus_rest<'a, A: Arithmetic>(x: Float<'a, A>, y: Float<'a, A>) -> (Float<'a, A>, Float<'a, A>) {
    let sum = x + y;
    let part = sum - x;
    (sum, (x - (sum - part)) + (y - part))
}

/// Without whole quarter turns of four or more.
fn without_turns<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    x - ((x + 2.7021597764222976e16) - 2.7021597764222976e16)
}

/// The quarter turns in an angle, as the last bits, and the angle that is left, in two parts.
fn turn<A: Arithmetic>(x: Float<'_, A>) -> (Bits<'_, A>, Float<'_, A>, Float<'_, A>) {
    let size = x.abs();
    let power = size.less(1.0).choose(1.0, size).bits() >> 52;
    let row = ((power - 1023) >> 5) & 31;
    let [a, b, c, d] = x.row(row);
    let scale = ((power.constant(1023 + 52) - (row << 5)) << 52).float();
    let scaled = x * size.less(4294967296.0).choose(1.0, scale);
    let (whole, second, third) = (scaled * a, scaled * b, scaled * c);
    let (lost, second_lost) = (scaled.fma(a, -whole), scaled.fma(b, -second));
    let sum = whole - 4.0 * (0.25 * whole).round();
    let (sum, l0) = plus_rest(sum, without_turns(lost));
    let (sum, l1) = plus_rest(sum, without_turns(second));
    let shifted = sum + 6755399441055744.0;
    let (sum, l2) = plus_rest(sum - (shifted - 6755399441055744.0), third);
    let (sum, l3) = plus_rest(sum, second_lost);
    let (sum, m0) = plus_rest(sum, l0);
    let (sum, m1) = plus_rest(sum, l1);
    let (sum, m2) = plus_rest(sum, l2);
    let (sum, m3) = plus_rest(sum, l3);
    let rest = m0 + m1 + m2 + m3 + scaled.fma(d, scaled.fma(c, -third));
    let y = sum * consts::FRAC_PI_2;
    let low = sum.fma(consts::FRAC_PI_2, -y) + sum.fma(6.123233995736766e-17, rest * consts::FRAC_PI_2);
    (shifted.bits(), y, low)
}

/// The sine of a small angle in two parts, and what the result lacks.
pub(super) fn sine<'a, A: Arithmetic>(r: Float<'a, A>, low: Float<'a, A>) -> (Float<'a, A>, Float<'a, A>) {
    let u = r * r;
    let g = u.polynomial(&[
        -7.586636882825159e-13,
        1.6058530596645953e-10,
        -2.50521062259944e-08,
        2.755731921932058e-06,
        -0.0001984126984126504,
        0.008333333333333331,
        -0.16666666666666666,
    ]);
    let tail = (r * u).fma(g, (-0.5 * u).fma(low, low));
    let y = r + tail;
    (y, (r - y) + tail)
}

/// The cosine likewise.
pub(super) fn cosine<'a, A: Arithmetic>(r: Float<'a, A>, low: Float<'a, A>) -> (Float<'a, A>, Float<'a, A>) {
    let u = r * r;
    let halved = 0.5 * u;
    let part = 1.0 - halved;
    let g = u.polynomial(&[
        -1.138254464534925e-11,
        2.087614504941318e-09,
        -2.755731726587808e-07,
        2.48015872987544e-05,
        -0.0013888888888887389,
        0.041666666666666664,
    ]);
    let tail = (1.0 - part) - halved + (u * u).fma(g, -r * low);
    let y = part + tail;
    (y, (part - y) + tail)
}

pub(super) fn sin<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let (quarter, r, low) = turn(x);
    let y = quarter.is_odd().choose(cosine(r, low).0, sine(r, low).0);
    x.abs().less(7.450580596923828e-09).choose(x, y.negated_by(quarter))
}

pub(super) fn cos<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let (quarter, r, low) = turn(x);
    let y = quarter.is_odd().choose(sine(r, low).0, cosine(r, low).0);
    y.negated_by(quarter + 1)
}

pub(super) fn tan<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let (quarter, r, low) = turn(x);
    let ((s, s_low), (c, c_low), odd) = (sine(r, low), cosine(r, low), quarter.is_odd());
    let (over, over_low) = (odd.choose(-c, s), odd.choose(-c_low, s_low));
    let (under, under_low) = (odd.choose(s, c), odd.choose(s_low, c_low));
    let part = 1.0 / under;
    let near = over * part;
    let y = near + part * ((-near).fma(under, over) + (-near).fma(under_low, over_low));
    x.abs().less(3.725290298461914e-09).choose(x, y)
}
