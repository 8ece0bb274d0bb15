//! Powers and roots of `f64`. A power is `e` to a product with a logarithm in two parts; the cube root is a step of Newton's from `exp` and `log`.

use super::Arithmetic;
use super::exponential::{SHIFT, exp_f64, exp_of_rest, rest, shifted};
use super::logarithm::{LN_2, ends, log_f64, near, split};
use super::number::Float;

/// The power of numbers, from that of the size of the first. Squares are products, so that passes may make these of them.
pub(super) fn signed<'a, A: Arithmetic>(
    x: Float<'a, A>,
    y: Float<'a, A>,
    positive: Float<'a, A>,
) -> Float<'a, A> {
    let half = 0.5 * y;
    let whole = y.trunc().equal(y);
    let odd = whole & !half.trunc().equal(half);
    let none = x.less(0.0) & x.greater(f64::NEG_INFINITY) & !whole;
    let power = (odd & x.is_signed()).choose(-positive, positive);
    let power = none.choose(f64::NAN, power);
    let unit = y.equal(0.0) | x.equal(1.0) | (x.equal(-1.0) & y.abs().equal(f64::INFINITY));
    y.equal(2.0).choose(x * x, unit.choose(1.0, power))
}

pub(super) fn pow<'a, A: Arithmetic>(x: Float<'a, A>, y: Float<'a, A>) -> Float<'a, A> {
    let size = x.abs();
    let (n, f) = split(size);
    let (near, low) = near(f, f.constant(0.0));
    let high = n * LN_2[0];
    let sum = high + near;
    let sum_low = (high - sum) + near + n.fma(LN_2[1], low);
    let log = ends(size, sum);
    let product = y * log;
    let product_low = product.abs().less(1000.0).choose(y.fma(log, -product) + y * sum_low, 0.0);
    let to = product.between(-746.0, 710.0);
    let shifted = shifted(to);
    let (r, rest) = rest(to, shifted - SHIFT);
    let more = rest + product_low;
    let exponent = r + more;
    signed(x, y, exp_of_rest(exponent, (r - exponent) + more, shifted))
}

pub(super) fn cbrt<A: Arithmetic>(x: Float<'_, A>) -> Float<'_, A> {
    let size = x.abs();
    let tiny = size.less(1.1830521861667747e-271);
    let scaled = tiny.choose(size * 4.149515568880993e180, size);
    let near = exp_f64(log_f64(scaled) * 0.3333333333333333);
    let square = near * near;
    let rest = square.fma(near, -scaled) + near.fma(near, -square) * near;
    let y = near - rest / (3.0 * square);
    let usual = size.greater(0.0) & size.less(f64::INFINITY);
    usual.choose(tiny.choose(y * 6.223015277861142e-61, y).copysign(x), x)
}

pub(super) fn hypot<'a, A: Arithmetic>(x: Float<'a, A>, y: Float<'a, A>) -> Float<'a, A> {
    let (wide, high) = (x.abs(), y.abs());
    let wider = wide.greater(high);
    let (most, least) = (wider.choose(wide, high), wider.choose(high, wide));
    let (large, tiny) = (most.greater(3.273390607896142e150), most.less(3.8725919148493183e-121));
    let scale = large.choose(2.409919865102884e-181, tiny.choose(4.149515568880993e180, 1.0));
    let back = large.choose(4.149515568880993e180, tiny.choose(2.409919865102884e-181, 1.0));
    let (a, b) = (most * scale, least * scale);
    let far = wide.equal(f64::INFINITY) | high.equal(f64::INFINITY);
    far.choose(f64::INFINITY, a.fma(a, b * b).sqrt() * back)
}
