//! Hyperbolic functions and their inverses.
//!
//! `tanh` is a polynomial up to 0.55 and comes from `exp` beyond. With `n` powers of two in `e^x` and a rest `r`, the others are sums of those of `r`
//! with the half sum and the half difference of `2^n` and `2^-n`, which is exact near 0. The inverse ones are logarithms of sums in two parts.

use super::Arithmetic;
use super::exponential::{self, SHIFT, Shape, rest, shifted};
use super::logarithm::{of_pair, plus_one};
use super::number::Float;

fn tanh<'a, A: Arithmetic>(x: Float<'a, A>, shape: &Shape, coefficients: &[f64]) -> Float<'a, A> {
    let size = x.abs();
    let z = x * x;
    let near = (size * z).fma(z.polynomial(coefficients), size);
    let far = 1.0 - 2.0 / (exponential::exp(2.0 * size, shape) + 1.0);
    size.less(0.55).choose(near, far).copysign(x)
}

pub(super) fn tanh_f32<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let coefficients = [0.0025306176, -0.008529535, 0.021819297, -0.053964794, 0.13333325, -0.33333334];
    tanh(x, &exponential::SINGLE, &coefficients)
}

pub(super) fn tanh_f64<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let coefficients = [
        -2.0637291330059363e-5,
        8.516539023143239e-5,
        -0.0002346683540525763,
        0.0005889480239025664,
        -0.0014556644071289525,
        0.0035921107220548403,
        -0.008863234425670379,
        0.02186948849496518,
        -0.05396825396746475,
        0.13333333333332742,
        -0.3333333333333333,
    ];
    tanh(x, &exponential::DOUBLE, &coefficients)
}

/// What `sinh` and `cosh` are made of.
struct Parts<'a, A: Arithmetic> {
    /// The rest.
    r: Float<'a, A>,
    /// Half the sum and half the difference of the powers, halved.
    more: Float<'a, A>,
    less: Float<'a, A>,
    /// What `sinh` and `cosh` of the rest have beside it and 1, and what it lacks.
    odd: Float<'a, A>,
    even: Float<'a, A>,
}

fn parts<A: Arithmetic>(size: Float<'_, A>) -> Parts<'_, A> {
    let to = size.greater(710.5).choose(710.5, size);
    let shifted = shifted(to);
    let n = shifted - SHIFT;
    let (r, rest) = rest(to, n);
    let u = r * r;
    let odd = u.polynomial(&[
        1.6087177234380782e-10,
        2.5052069594795685e-08,
        2.7557319248633827e-06,
        0.00019841269841262761,
        0.008333333333333333,
        0.16666666666666666,
    ]);
    let even = u.polynomial(&[
        2.091192320685759e-09,
        2.755728151175639e-07,
        2.4801587318092064e-05,
        0.001388888888888636,
        0.041666666666666664,
        0.5,
    ]);
    let k = shifted.bits();
    let grown = ((k - 1025) << 52).float();
    let shrunk = n.greater(60.0).choose(0.0, ((k.constant(3067) - k) << 52).float());
    let even = u.fma(even, r * rest);
    let odd = (r * u).fma(odd, rest);
    Parts { r, more: grown + shrunk, less: grown - shrunk, odd, even }
}

pub(super) fn sinh<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let size = x.abs();
    let Parts { r, more, less, odd, even } = parts(size);
    let part = more * r;
    let sum = less + part;
    let tail = less.fma(even, more * odd);
    let y = 2.0 * (sum + ((less - sum) + part + tail));
    size.less(3.725290298461914e-09).choose(x, x.equal(x).choose(y.copysign(x), x))
}

pub(super) fn cosh<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let Parts { r, more, less, odd, even } = parts(x.abs());
    let part = less * r;
    let sum = more + part;
    let tail = more.fma(even, less * odd);
    2.0 * (sum + ((more - sum) + part + tail))
}

pub(super) fn asinh<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let size = x.abs();
    let square = size * size;
    let part = square / (1.0 + (1.0 + square).sqrt());
    let sum = size + part;
    let (near, rest) = plus_one(sum, (size - sum) + part);
    let y = from_pair(size, near, rest);
    let usual = size.greater(3.725290298461914e-09) & size.less(f64::INFINITY);
    usual.choose(y.copysign(x), x)
}

/// The logarithm of a sum in two parts; of a large number, that of its double.
fn from_pair<'a, A: Arithmetic>(size: Float<'a, A>, near: Float<'a, A>, rest: Float<'a, A>) -> Float<'a, A> {
    let far = size.greater(268435456.0);
    of_pair(far.choose(size, near), far.choose(0.0, rest), far.choose(1.0, 0.0))
}

pub(super) fn acosh<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let part = x - 1.0;
    let root = part.fma(part, 2.0 * part).sqrt();
    let sum = root + part;
    let (near, rest) = plus_one(sum, (root - sum) + part);
    let y = from_pair(x, near, rest);
    let y = x.less(f64::INFINITY).choose(y, x);
    (x.greater(1.0) | x.equal(1.0)).choose(y, f64::NAN)
}

pub(super) fn atanh<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let size = x.abs();
    let under = 1.0 - size;
    let under_low = (1.0 - under) - size;
    let twice = 2.0 * size;
    let part = twice / under;
    let rest = ((-part).fma(under, twice) - part * under_low) / under;
    let (sum, rest) = plus_one(part, rest);
    let y = (0.5 * of_pair(sum, rest, x.constant(0.0))).copysign(x);
    let end = size.equal(1.0).choose(x.constant(f64::INFINITY).copysign(x), f64::NAN);
    size.less(3.725290298461914e-09).choose(x, size.less(1.0).choose(y, end))
}
