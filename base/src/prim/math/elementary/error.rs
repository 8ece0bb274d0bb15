//! The error function and its complement, of `f64`.
//!
//! Up to 3/4 they come from a polynomial for `erf x / x` in `x^2` (10 coefficients, error 2e-17). Beyond, the complement is `e^(-x^2)`, whose exponent and value are
//! in two parts, times a function that falls slowly: `(1 + 2x) e^(x^2) erfc x` as a polynomial in `(x - 5/2) / (x + 5/2)` (22 coefficients, error 5e-18
//! up to 28, from where the result is zero), divided. The polynomials interpolate at Chebyshev's points (in 250 bits, then rounded).

use super::Arithmetic;
use super::exponential::{exp_of_pair, scaled};
use super::number::Float;

/// Where the polynomial for small arguments ends.
const NEAR: f64 = 0.75;

/// What `erf` of a small number has beside that number.
fn series<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    x * (x * x).polynomial(&[
        1.1744139870163019e-08,
        -1.601458642830477e-07,
        1.6439340260552755e-06,
        -1.4924750398741759e-05,
        0.00012055310875465496,
        -0.0008548326692036116,
        0.00522397762258367,
        -0.026866170645005898,
        0.11283791670954912,
        -0.37612638903183754,
        0.1283791670955126,
    ])
}

/// The complement of a size that is not small.
fn complement<A: Arithmetic>(size: Float<'_, A>) -> Float<'_, A> {
    let x = size.greater(28.0).choose(28.0, size);
    let t = (x - 2.5) / (x + 2.5);
    let tail = t * t.polynomial(&[
        5.9484869547042274e-08,
        -2.0985811325531287e-07,
        -3.967057537936261e-08,
        6.644081070571677e-07,
        5.208379251528716e-07,
        -1.660253916372674e-06,
        -4.192916403501467e-06,
        2.630965284829222e-06,
        2.268795500456596e-05,
        6.262493363314787e-06,
        -0.00011351965183271711,
        -8.847895631647266e-05,
        0.0006321239815594616,
        0.0004918658075951992,
        -0.00438207831281649,
        0.0009318928166687003,
        0.03276089326752137,
        -0.10296705603853315,
        0.1576299190232401,
        -0.09902453957360237,
        -0.12235676308240442,
    ]);
    let over = 1.2648381843668615 + tail;
    let over_low = (1.2648381843668615 - over) + tail + 2.2041398545194943e-17;
    let under = x.fma(2.0, 1.0);
    let under_low = x.fma(2.0, 1.0 - under);
    let y = over / under;
    let low = ((-y).fma(under, over) + (-y).fma(under_low, over_low)) / under;
    let square = x * x;
    let (e, e_low, power) = exp_of_pair(-square, x.fma(-x, square));
    let part = e * y;
    scaled(part + (e.fma(y, -part) + e.fma(low, e_low * y)), power, 52)
}

pub(super) fn erf<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let size = x.abs();
    let far = (1.0 - complement(size)).copysign(x);
    size.less(NEAR).choose(x + series(x), far)
}

pub(super) fn erfc<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let size = x.abs();
    let y = complement(size);
    let far = x.less(0.0).choose(2.0 - y, y);
    let part = 1.0 - x;
    let near = part + ((1.0 - part) - x - series(x));
    size.less(NEAR).choose(near, far)
}
