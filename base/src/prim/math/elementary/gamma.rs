//! The gamma function and the logarithm of its size, of `f64`.
//!
//! Both come from Stirling's series for the logarithm of a number from 8 on, in two parts: smaller ones are 8 more there, and what that multiplies the
//! result by, a polynomial, is divided by. For negative numbers Euler's reflection gives them, by a sine of half turns. All of it is within 2^-57 of the exact logarithms of sums,
//! so that only where the logarithm itself is small, near its roots, digits are lost: there polynomials are in its place, at 1 and 2 and, for results that
//! stay in `f64`, at the negative ones (`table.rs`), each beside an integer. Beyond -16 no number is that near to a root.
//!
//! The polynomials interpolate at Chebyshev's points (in 250 bits, then rounded): Stirling's series to 3e-19, sines and cosines to 4e-20, those at the roots to 1e-17 of the result.

use super::Arithmetic;
use super::exponential::{exp_of_pair, scaled};
use super::logarithm::parts_of_pair;
use super::number::{Bits, Float, Mask};
use super::pi::{PI, angle, reduced};
use super::table::FIRST_ROOT;
use super::turns::plus_rest;

/// A number in two parts.
type Pair<'a, A> = (Float<'a, A>, Float<'a, A>);

fn product<'a, A: Arithmetic>(x: Pair<'a, A>, y: Pair<'a, A>) -> Pair<'a, A> {
    let high = x.0 * y.0;
    (high, x.0.fma(y.0, -high) + x.0.fma(y.1, x.1 * y.0))
}

fn plus<A: Arithmetic>(x: Pair<'_, A>, more: f64) -> Pair<'_, A> {
    let (sum, rest) = plus_rest(x.0, x.0.constant(more));
    (sum, rest + x.1)
}

fn choose<'a, A: Arithmetic>(holds: Mask<'a, A>, x: Pair<'a, A>, y: Pair<'a, A>) -> Pair<'a, A> {
    (holds.choose(x.0, y.0), holds.choose(x.1, y.1))
}

/// The sine and the cosine of a small angle to 2^-60, where those of `turns.rs` stop at 2^-55: polynomials behind two terms of each series in two parts.
fn sine_and_cosine<'a, A: Arithmetic>(r: Pair<'a, A>) -> [Pair<'a, A>; 2] {
    let square = product(r, r);
    let cube = product(square, r);
    let fourth = product(square, square);
    let tail = square.0
        * square.0.polynomial(&[
            -7.595306678125121e-13,
            1.6058684329175855e-10,
            -2.505210723603745e-08,
            2.755731922232443e-06,
            -0.00019841269841268963,
            0.008333333333333333,
        ]);
    let third = -0.16666666666666666 + tail;
    let third_low = (-0.16666666666666666 - third) + tail - 9.25185853854297e-18;
    let part = product(cube, (third, third_low));
    let sine = r.0 + part.0;
    let sine_low = (r.0 - sine) + part.0 + (part.1 + r.1);
    let tail = square.0
        * square.0.polynomial(&[
            4.7506581205663246e-14,
            -1.1470545781861682e-11,
            2.0876756348991543e-09,
            -2.755731922306237e-07,
            2.4801587301586814e-05,
            -0.001388888888888889,
        ]);
    let fourth = product(fourth, (0.041666666666666664 + tail, r.0.constant(2.3129646346357427e-18)));
    let near = 1.0 - 0.5 * square.0;
    let near_low = (1.0 - near) - 0.5 * square.0 - 0.5 * square.1;
    let cosine = near + fourth.0;
    let cosine_low = (near - cosine) + fourth.0 + (fourth.1 + near_low);
    [(sine, sine_low), (cosine, cosine_low)]
}

/// What both functions are made of.
struct Parts<'a, A: Arithmetic> {
    /// The logarithm for the number from 8 on that stands for the size.
    log: Pair<'a, A>,
    /// What the function of that number, or 1 over it for negative arguments, is to be multiplied by, without its sign.
    factor: Pair<'a, A>,
    /// Whether the argument is below zero, and whether it is an integer.
    negative: Mask<'a, A>,
    whole: Mask<'a, A>,
    quarter: Bits<'a, A>,
    /// The sine of so many half turns, but for its sign by quarters.
    sine: Float<'a, A>,
}

/// Stirling's series, for a number from 8 on: `(z - 1/2) (log z - 1) + (log 2π - 1) / 2 + …`.
fn stirling<'a, A: Arithmetic>(z: Pair<'a, A>) -> Pair<'a, A> {
    let over = 1.0 / z.0;
    let w = over * over;
    let series = over
        * w.polynomial(&[
            0.005234055496184279,
            -0.0018979467969431503,
            0.0008415961800400491,
            -0.0005952375362703528,
            0.0007936507929069187,
            -0.0027777777777776166,
            0.08333333333333333,
        ]);
    let (log, log_low) = parts_of_pair(z.0, z.1, z.0.constant(0.0));
    let less = log - 1.0;
    let less_low = (log - less) - 1.0 + log_low;
    let (most, most_low) = product((z.0 - 0.5, z.1), (less, less_low));
    let sum = most + 0.4189385332046727;
    let low = (most - sum) + 0.4189385332046727 + (most_low + (1.6728209650585413e-17 + series));
    let y = sum + low;
    (y, (sum - y) + low)
}

fn parts<A: Arithmetic>(x: Float<'_, A>) -> Parts<'_, A> {
    let (zero, one) = (x.constant(0.0), x.constant(1.0));
    let size = x.abs();
    let (negative, small) = (x.less(0.0), size.less(8.0));
    let eighth = size + 8.0;
    let log = stirling(choose(small, (eighth, size - (eighth - 8.0)), (size, zero)));
    // the product of eight factors, of which two at a time have the same sum; without the first for negative numbers
    let seventh = size + 7.0;
    let seventh = (seventh, size - (seventh - 7.0));
    let ends = product((size, zero), seventh);
    let middle = product(product(plus(ends, 6.0), plus(ends, 10.0)), plus(ends, 12.0));
    let all = product(choose(negative, seventh, ends), middle);
    let all = choose(small, all, (one, zero));
    let (quarter, r) = reduced(x);
    let odd = quarter.is_odd();
    let [sine, cosine] = sine_and_cosine(angle(r));
    let sine = choose(odd, cosine, sine);
    let sign = one.copysign(sine.0);
    let under = product((sign * sine.0, sign * sine.1), (small.choose(one, size), zero));
    let under = choose(negative, under, all);
    let over = choose(negative, product((x.constant(PI[0]), x.constant(PI[1])), all), (one, zero));
    let factor = over.0 / under.0;
    let low = ((-factor).fma(under.0, over.0) + (-factor).fma(under.1, over.1)) / under.0;
    Parts { log, factor: (factor, low), negative, whole: r.equal(0.0) & !odd, quarter, sine: sine.0 }
}

pub(super) fn gamma<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let Parts { log, factor, negative, whole, quarter, sine } = parts(x);
    let size = x.abs();
    let (exponent, low) = choose(negative, (-log.0, -log.1), log);
    let (e, e_low, power) = exp_of_pair(exponent, low);
    let (y, low) = product((e, e_low), factor);
    let y = scaled(y + low, power, 52);
    let y = size.greater(200.0).choose(negative.choose(0.0, f64::INFINITY), y);
    let y = negative.choose(y.copysign(sine.negated_by(quarter)), y);
    let none = negative & (whole | x.equal(f64::NEG_INFINITY));
    let y = none.choose(f64::NAN, y);
    size.less(8.673617379884035e-19).choose(1.0 / x, y)
}

/// Coefficients of the logarithm over the distance from its roots 1 and 2, for distances up to 1/8.
const ROOTS: [[f64; 2]; 13] = [
    [0.07469700099272845, 4.423708488750972e-06],
    [-0.08041350696663344, -9.543759105071787e-06],
    [0.08328951079131205, 2.050625668213815e-05],
    [-0.0908854164402146, -4.492419563553019e-05],
    [0.10010006319355383, 9.945752175477962e-05],
    [-0.11133491174218756, -0.0002231547776092392],
    [0.1255096667580774, 0.0005096695247021263],
    [-0.1440498938186396, -0.001192753911615913],
    [0.16955717700281855, 0.002890510330741603],
    [-0.2073855510344432, -0.007385551028674156],
    [0.27058080842778154, 0.020580808427784546],
    [-0.4006856343865282, -0.06735230105319809],
    [0.8224670334241132, 0.3224670334241132],
];

/// The logarithm near its roots 1 and 2, and whether the number is there.
fn at_roots<A: Arithmetic>(x: Float<'_, A>) -> (Float<'_, A>, Mask<'_, A>) {
    let first = x.less(1.5);
    let d = first.choose(x - 1.0, x - 2.0);
    let of = |[one, two]: [f64; 2]| first.choose(one, two);
    let [head, rest @ ..] = ROOTS;
    let g = rest.into_iter().fold(of(head), |sum, coefficients| sum.fma(d, of(coefficients)));
    // both derivatives lack the same
    let tail = (d * d).fma(g, d * 4.942915152430645e-18);
    (d.fma(of([-0.5772156649015329, 0.42278433509846713]), tail), d.abs().less(0.125))
}

pub(super) fn lgamma<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let size = x.abs();
    // below, it is the logarithm of the size, negated: a power of two makes products exact
    let tiny = size.less(4.909093465297727e-91);
    let Parts { log, factor, negative, whole, .. } = parts(tiny.choose(x * 1.725436586697641e69, x));
    let (log, low) = choose(negative, (-log.0, -log.1), log);
    let (more, more_low) = parts_of_pair(factor.0, factor.1, x.constant(0.0));
    let (sum, rest) = plus_rest(log, more);
    let y = sum + (rest + low + more_low);
    let y = tiny.choose(y + 159.42385152878742, y);
    let (near, is_near) = at_roots(x);
    let y = is_near.choose(near, y);
    let y = (whole & !x.greater(0.0)).choose(f64::INFINITY, y);
    // NaN stays
    size.less(MOST).choose(y, size + f64::INFINITY)
}

/// From here on the logarithm is infinite.
const MOST: f64 = 2.5599833278516387e305;

/// The same, near the negative roots as exactly as elsewhere.
pub(super) fn lgamma_by_rows<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let size = x.abs();
    let whole = size.round();
    let beyond = size.greater(whole).choose(1.0, 0.0);
    let root = (((whole.fma(2.0, beyond) + 6755399441055744.0).bits()) - 4) & 31;
    let first = root + (root << 1) + FIRST_ROOT as u64;
    let [high, low, scale, c0] = x.row(first);
    let [c1, c2, c3, c4] = x.row(first + 1);
    let [c5, c6, c7, c8] = x.row(first + 2);
    let from_high = x - high;
    let distance = from_high - low;
    let (v, v_low) = (distance * scale, ((from_high - distance) - low) * scale);
    let tail = [c7, c6, c5, c4, c3, c2, c1].into_iter().fold(c8, |sum, more| sum.fma(v, more));
    let near = v * c0;
    let near = near + (v.fma(c0, -near) + (v * v).fma(tail, v_low * c0));
    let is_near = x.less(-2.4375) & x.greater(-16.5) & v.abs().less(0.03125);
    is_near.choose(near, lgamma(x))
}
