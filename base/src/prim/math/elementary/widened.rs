//! Functions of `f32`, computed in `f64`. Those that come from `exp` and `log`: where the result is nearly the argument, digits would
//! cancel out, and the first terms of its series are the result. Sines and angles are within 0.55 units in the last place of the exact ones.
//!
//! An angle becomes a number of quarter turns, whose nearest whole number says which of sine and cosine is meant and with which sign, and a rest of
//! at most half of one, where polynomials of least relative error do. Numbers from 2^46 on are whole multiples of powers of two, so that
//! whole turns can be left out of these powers' quarter turns beforehand (Payne and Hanek, 1983): four intervals of exponents, each with
//! 106 digits of its power over π/2 modulo 4.

use super::Arithmetic;
use super::arcs::quotient;
use super::exponential::exp_f64 as exp;
use super::logarithm::log_f64 as log;
use super::number::{Bits, Float};
use super::pi::{at_integers, at_quarters, reduced};
use super::power::signed;
use std::f64::consts;

pub(super) fn exp2<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    exp(x * consts::LN_2)
}

pub(super) fn exp10<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    exp(x * consts::LN_10)
}

pub(super) fn log2<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    log(x) * consts::LOG2_E
}

pub(super) fn log10<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    log(x) * consts::LOG10_E
}

pub(super) fn expm1<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let near = (0.5 * x).fma(x, x).copysign(x);
    x.abs().less(3.0517578125e-05).choose(near, exp(x) - 1.0)
}

pub(super) fn log1p<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let near = (-0.5 * x).fma(x, x);
    x.abs().less(3.0517578125e-05).choose(near, log(1.0 + x))
}

pub(super) fn sinh<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let grown = exp(x);
    x.abs().less(0.0001220703125).choose(x, 0.5 * (grown - 1.0 / grown))
}

pub(super) fn cosh<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let grown = exp(x);
    0.5 * (grown + 1.0 / grown)
}

pub(super) fn asinh<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let size = x.abs();
    let y = log(size + size.fma(size, 1.0).sqrt());
    size.less(0.0001220703125).choose(x, y.copysign(x))
}

pub(super) fn acosh<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let y = log(x + ((x - 1.0) * (x + 1.0)).sqrt());
    x.less(1.0).choose(f64::NAN, y)
}

pub(super) fn atanh<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    x.abs().less(0.0001220703125).choose(x, 0.5 * log((1.0 + x) / (1.0 - x)))
}

pub(super) fn cbrt<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let size = x.abs();
    let y = exp(log(size) / 3.0).copysign(x);
    (x.equal(0.0) | size.equal(f64::INFINITY)).choose(x, y)
}

pub(super) fn hypot<'a, A: Arithmetic>(x: Float<'a, A>, y: Float<'a, A>) -> Float<'a, A> {
    let far = x.abs().equal(f64::INFINITY) | y.abs().equal(f64::INFINITY);
    far.choose(f64::INFINITY, x.fma(x, y * y).sqrt())
}

pub(super) fn pow<'a, A: Arithmetic>(x: Float<'a, A>, y: Float<'a, A>) -> Float<'a, A> {
    signed(x, y, exp(y * log(x.abs())))
}

/// From a size on: a power of two to multiply by, and the quarter turns in what that leaves, as a sum of two.
const INTERVALS: [(f64, f64, [f64; 2]); 5] = [
    (0.0, 1.0, [consts::FRAC_2_PI, -3.935735335036497e-17]),
    (70368744177664.0, 1.1920928955078125e-07, [1.7154408717951741, 5.0952627203288616e-17]),
    (2.9514790517935283e20, 2.842170943040401e-14, [0.5103339862352891, -1.872372276745148e-17]),
    (1.2379400392853803e27, 6.776263578034403e-21, [3.879802618097212, 1.9466068211693256e-16]),
    (5.192296858534828e33, 1.6155871338926322e-27, [3.640295608785631, 7.173066132004923e-17]),
];

/// The quarter turns in an angle, as the last bits, and the rest.
fn turn<A: Arithmetic>(x: Float<'_, A>) -> (Bits<'_, A>, Float<'_, A>) {
    let size = x.abs();
    let [(_, scale, [high, low]), larger @ ..] = INTERVALS;
    let mut chosen = [scale, high, low].map(|number| x.constant(number));
    for (from, scale, [high, low]) in larger {
        let below = size.less(from);
        let this = [scale, high, low];
        chosen = std::array::from_fn(|k| below.choose(chosen[k], this[k]));
    }
    let [scale, high, low] = chosen;
    let part = x * scale;
    let turns = part * high;
    let rest = part.fma(low, part.fma(high, -turns));
    let shifted = turns + 6755399441055744.0;
    (shifted.bits(), turns - (shifted - 6755399441055744.0) + rest)
}

fn sine_of_turn<A: Arithmetic>(r: Float<'_, A>) -> Float<'_, A> {
    let g = (r * r).polynomial(&[
        0.00015819417703694723,
        -0.004681260232060442,
        0.07969258178938962,
        -0.6459640961001579,
        1.5707963267877356,
    ]);
    g * r
}

fn cosine_of_turn<A: Arithmetic>(r: Float<'_, A>) -> Float<'_, A> {
    (r * r).polynomial(&[
        0.0009033565472304612,
        -0.020859933145572666,
        0.25366918219733553,
        -1.2337005395473843,
        0.9999999999438213,
    ])
}

pub(super) fn sin<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let (quarter, r) = turn(x);
    let y = quarter.is_odd().choose(cosine_of_turn(r), sine_of_turn(r));
    x.abs().less(0.0001220703125).choose(x, y.negated_by(quarter))
}

pub(super) fn cos<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let (quarter, r) = turn(x);
    let y = quarter.is_odd().choose(sine_of_turn(r), cosine_of_turn(r));
    y.negated_by(quarter + 1)
}

pub(super) fn tan<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let (quarter, r) = turn(x);
    let (s, c, odd) = (sine_of_turn(r), cosine_of_turn(r), quarter.is_odd());
    let y = odd.choose(-c, s) / odd.choose(s, c);
    x.abs().less(0.0001220703125).choose(x, y)
}

/// The angle of a point, where one coordinate over the other is in [0, 1].
pub(super) fn angle<'a, A: Arithmetic>(y: Float<'a, A>, x: Float<'a, A>) -> Float<'a, A> {
    let (t, steep) = quotient(y.abs(), x.abs());
    let g = (t * t).polynomial(&[
        -0.0017539292805834174,
        0.01072694003932711,
        -0.030804589368133236,
        0.05755209388633775,
        -0.08377314945369353,
        0.10942030477485125,
        -0.14261933064539611,
        0.1999826603681742,
        -0.333332836414966,
        0.999999997630637,
    ]);
    let part = g * t;
    let quarter = x.constant(consts::FRAC_PI_2);
    let first = steep.choose(quarter - part, part);
    let half = quarter - quarter.copysign(x);
    x.constant(1.0).copysign(x).fma(first, half).copysign(y)
}

pub(super) fn atan<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    angle(x, x.constant(1.0))
}

pub(super) fn asin<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    angle(x, ((1.0 - x) * (1.0 + x)).sqrt())
}

pub(super) fn acos<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    angle(((1.0 - x) * (1.0 + x)).sqrt(), x)
}

/// The quarter turns in so many half turns, and the rest.
fn half_turn<A: Arithmetic>(x: Float<'_, A>) -> (Bits<'_, A>, Float<'_, A>) {
    let (quarter, r) = reduced(x);
    (quarter, 2.0 * r)
}

pub(super) fn sinpi<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let (quarter, r) = half_turn(x);
    let y = quarter.is_odd().choose(cosine_of_turn(r), sine_of_turn(r));
    at_integers(x, quarter, r, y.negated_by(quarter))
}

pub(super) fn cospi<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let (quarter, r) = half_turn(x);
    let y = quarter.is_odd().choose(sine_of_turn(r), cosine_of_turn(r));
    y.negated_by(quarter + 1) + 0.0
}

pub(super) fn tanpi<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let (quarter, r) = half_turn(x);
    let (s, c, odd) = (sine_of_turn(r), cosine_of_turn(r), quarter.is_odd());
    at_quarters(x, quarter, r, odd.choose(-c, s) / odd.choose(s, c))
}

pub(super) fn asinpi<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    asin(x) * consts::FRAC_1_PI
}

pub(super) fn acospi<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    acos(x) * consts::FRAC_1_PI
}

pub(super) fn atanpi<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    atan(x) * consts::FRAC_1_PI
}

/// What `erf` of a number up to 3/4 has beside that number.
fn erf_series<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    x * (x * x).polynomial(&[
        -1.1670695835841978e-05,
        0.00011770666147871012,
        -0.000853506666612136,
        0.005223632235499854,
        -0.026866121555512844,
        0.11283791327312258,
        -0.3761263889399989,
        0.12837916709510916,
    ])
}

/// The complement of a larger one, as that of `f64` (`error.rs`), to 2e-11; beyond 10.5 results are below all `f32`.
fn complement<A: Arithmetic>(size: Float<'_, A>) -> Float<'_, A> {
    let x = size.greater(10.5).choose(10.5, size);
    let y = ((x - 2.5) / (x + 2.5)).polynomial(&[
        -8.748817924755658e-05,
        -8.102003196725743e-05,
        0.0006199162667189003,
        0.0004888673269892484,
        -0.0043793351636070565,
        0.0009324478232266934,
        0.03276059705453793,
        -0.10296710306157994,
        0.157629932529153,
        -0.09902453809586188,
        -0.12235676325494416,
        1.2648381843592398,
    ]);
    exp(-x * x) * y / x.fma(2.0, 1.0)
}

pub(super) fn erf<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let size = x.abs();
    let far = (1.0 - complement(size)).copysign(x);
    size.less(0.75).choose(x + erf_series(x), far)
}

pub(super) fn erfc<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let size = x.abs();
    let y = complement(size);
    let far = x.less(0.0).choose(2.0 - y, y);
    size.less(0.75).choose(1.0 - (x + erf_series(x)), far)
}

/// As that of `f64` (`gamma.rs`), but for the second parts. `lgamma` needs these near its negative roots.
pub(super) fn gamma<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let size = x.abs();
    let (negative, small) = (x.less(0.0), size.less(8.0));
    let z = small.choose(size + 8.0, size);
    let over = 1.0 / z;
    let series = over
        * (over * over).polynomial(&[
            -0.0005701470164647203,
            0.0007934093294071784,
            -0.0027777770275731234,
            0.08333333333296741,
        ]);
    let exponent = (z - 0.5).fma(log(z) - 1.0, series + 0.4189385332046727);
    let exponent = negative.choose(-exponent, exponent);
    let seventh = size + 7.0;
    let ends = size * seventh;
    let all = negative.choose(seventh, ends) * (ends + 6.0) * (ends + 10.0) * (ends + 12.0);
    let all = small.choose(all, 1.0);
    let (quarter, r) = half_turn(x);
    let odd = quarter.is_odd();
    let sine = odd.choose(cosine_of_turn(r), sine_of_turn(r));
    let under = negative.choose(sine.abs() * small.choose(1.0, size), all);
    let factor = negative.choose(consts::PI * all, 1.0) / under;
    let y = exp(exponent) * factor;
    let y = negative.choose(y.copysign(sine.negated_by(quarter)), y);
    let none = negative & ((r.equal(0.0) & !odd) | x.equal(f64::NEG_INFINITY));
    // zeros have signs
    x.equal(0.0).choose(1.0 / x, none.choose(f64::NAN, y))
}
