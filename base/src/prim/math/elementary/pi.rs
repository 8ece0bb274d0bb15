//! Functions of multiples of π and their inverses, of `f64`: whole quarter turns are left out exactly, before anything is rounded.

use super::Arithmetic;
use super::arcs::{arc_series, asin_parts};
use super::number::{Bits, Float};
use super::turns::{cosine, sine};
use std::f64::consts;

/// π, and what that lacks.
pub(super) const PI: [f64; 2] = [consts::PI, 1.2246467991473532e-16];
/// 1/π likewise.
const OVER_PI: [f64; 2] = [consts::FRAC_1_PI, -1.9678676675182486e-17];

/// The quarter turns in so many half turns, as the last bits, and the half turns that are left, at most a quarter.
pub(super) fn reduced<A: Arithmetic>(x: Float<'_, A>) -> (Bits<'_, A>, Float<'_, A>) {
    let turn = x - 2.0 * (0.5 * x).round();
    let shifted = turn.fma(2.0, 6755399441055744.0);
    (shifted.bits(), (shifted - 6755399441055744.0).fma(-0.5, turn))
}

/// So many half turns as an angle in two parts.
pub(super) fn angle<A: Arithmetic>(r: Float<'_, A>) -> (Float<'_, A>, Float<'_, A>) {
    let y = r * PI[0];
    (y, r.fma(PI[0], -y) + r * PI[1])
}

pub(super) fn sinpi<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let (quarter, r) = reduced(x);
    let (y, low) = angle(r);
    let y = quarter.is_odd().choose(cosine(y, low).0, sine(y, low).0);
    at_integers(x, quarter, r, y.negated_by(quarter))
}

/// A sine, but for that of whole half turns, which is a zero with the sign of the argument.
pub(super) fn at_integers<'a, A: Arithmetic>(
    x: Float<'a, A>,
    quarter: Bits<'a, A>,
    r: Float<'a, A>,
    sine: Float<'a, A>,
) -> Float<'a, A> {
    (r.equal(0.0) & !quarter.is_odd()).choose(x.constant(0.0).copysign(x), sine)
}

pub(super) fn cospi<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let (quarter, r) = reduced(x);
    let (y, low) = angle(r);
    let y = quarter.is_odd().choose(sine(y, low).0, cosine(y, low).0);
    // zeros are positive
    y.negated_by(quarter + 1) + 0.0
}

pub(super) fn tanpi<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let (quarter, r) = reduced(x);
    let (y, low) = angle(r);
    let ((s, s_low), (c, c_low), odd) = (sine(y, low), cosine(y, low), quarter.is_odd());
    let (over, over_low) = (odd.choose(-c, s), odd.choose(-c_low, s_low));
    let (under, under_low) = (odd.choose(s, c), odd.choose(s_low, c_low));
    let part = 1.0 / under;
    let near = over * part;
    let y = near + part * ((-near).fma(under, over) + (-near).fma(under_low, over_low));
    at_quarters(x, quarter, r, y)
}

/// A tangent, but for that of whole quarter turns: the sine over the cosine, of which zeros are positive.
pub(super) fn at_quarters<'a, A: Arithmetic>(
    x: Float<'a, A>,
    quarter: Bits<'a, A>,
    r: Float<'a, A>,
    tangent: Float<'a, A>,
) -> Float<'a, A> {
    let end = quarter.is_odd().choose(f64::INFINITY, x.constant(0.0).copysign(x));
    r.equal(0.0).choose(end.negated_by(quarter), tangent)
}

/// A sum over π, in two parts.
fn over_pi<'a, A: Arithmetic>(x: Float<'a, A>, rest: Float<'a, A>) -> (Float<'a, A>, Float<'a, A>) {
    let sum = x + rest;
    let lost = (x - sum) + rest;
    let y = sum * OVER_PI[0];
    (y, sum.fma(OVER_PI[0], -y) + sum.fma(OVER_PI[1], lost * OVER_PI[0]))
}

/// A number and a smaller one in two parts, added.
fn sum<'a, A: Arithmetic>(from: Float<'a, A>, near: Float<'a, A>, low: Float<'a, A>) -> Float<'a, A> {
    let sum = from + near;
    sum + ((from - sum) + near + low)
}

pub(super) fn asinpi<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let size = x.abs();
    let (z, tail) = asin_parts(size);
    let (y, low) = over_pi(z, tail);
    let far = sum(x.constant(0.5), -2.0 * y, -2.0 * low);
    size.greater(0.5).choose(far, y + low).copysign(x)
}

pub(super) fn acospi<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let size = x.abs();
    let (z, tail) = asin_parts(size);
    let (y, low) = over_pi(z, tail);
    let (far, back) = (size.greater(0.5), x.less(0.0));
    let sign = far.choose(back.choose(-2.0, 2.0), back.choose(1.0, -1.0));
    let from = far.choose(back.choose(1.0, 0.0), 0.5);
    sum(from, sign * y, sign * low)
}

pub(super) fn atanpi<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let size = x.abs();
    let steep = size.greater(1.0);
    let over = 1.0 / size;
    let t = steep.choose(over, size);
    let u = t * t;
    // what the reciprocal lacks, by the derivative of the arc to a few digits
    let lost = (-over).fma(size, 1.0) * over * (1.0 - 0.5 * u);
    let lost = (steep & size.less(1.157920892373162e77)).choose(lost, 0.0);
    let (y, low) = over_pi(t, (t * u).fma(arc_series(u), lost));
    steep.choose(sum(x.constant(0.5), -y, -low), y + low).copysign(x)
}
