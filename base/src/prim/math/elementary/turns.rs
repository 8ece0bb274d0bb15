//! Sines, cosines and tangents of `f64`.
//!
//! An angle becomes quarter turns as for `f32`, for all sizes by one way: 32 exponents at a time have a row of 212 digits of their power of two over π/2,
//! modulo 4 (Payne and Hanek, 1983). The closest that a number comes to a multiple of π/2 is 2^-61, and sums without loss keep 53 digits behind that.
//! The polynomials interpolate at Chebyshev's points (in 300 bits, then rounded).

use super::Arithmetic;
use super::number::{Bits, Float};
use std::f64::consts;

/// By intervals of 32 exponents, of which the first has all smaller ones as well: the quarter turns in their powers of two, as sums of four.
pub const DIGITS: [[f64; 4]; 32] = [
    [consts::FRAC_2_PI, -3.935735335036497e-17, -2.1442872565786008e-33, 1.6107127853188224e-49],
    [6.071279262233557e-07, -3.753409705196855e-23, -2.0449516835962303e-39, 1.5360954144657349e-55],
    [3.5945876176131812, -3.336147522203458e-18, 1.0315437602164529e-35, 4.306272197405741e-53],
    [0.25516699311764457, -9.36186138372574e-18, 3.037601497088504e-34, 1.6649882085948175e-50],
    [2.4589404657725566, 1.902862374554492e-16, 7.943670113727457e-34, -9.792057595080952e-51],
    [3.304139000866917, -1.697739865799513e-16, 1.131327423904788e-32, 1.894702145990818e-49],
    [2.1615230897960065, -1.458965661502665e-18, 2.064837204056875e-35, 4.802784311998969e-52],
    [0.222719186238673, -1.0985305063720653e-18, -6.910477386648076e-35, -2.854143147119819e-51],
    [1.0868338299299798, -6.319397527895104e-17, -3.4663783396110916e-33, 6.717213192402182e-50],
    [3.7356888917919506, 5.750955176364514e-17, -3.3458416083380146e-33, -8.901775197407201e-50],
    [2.2769110288619956, 5.452124952958832e-18, 3.4898625801554135e-34, -1.4826204159983032e-50],
    [0.8639831777135734, 8.516308978595715e-18, 3.4536789077520334e-34, 9.013522177802167e-51],
    [0.5739536651173076, -1.6333559716483129e-18, -1.3141620787425568e-35, 7.54920658791704e-52],
    [1.0981721807899654, -6.838045041885782e-17, 6.032765443603716e-33, -1.523223325569975e-49],
    [1.8699004097383776, -2.037551045434952e-17, -1.4816113664111103e-33, -2.167365204840324e-50],
    [2.6033314783447827, -1.8151147748909463e-16, 4.658894604455246e-34, -6.978478387789307e-51],
    [0.13817327742097626, 8.336288509620007e-18, -7.556280024900576e-34, -3.3082894698994527e-50],
    [3.704228317778879, 1.5644865632603153e-16, -5.4706884026794896e-33, 1.8701766787598604e-49],
    [1.7773806615658858, 4.9933733414515704e-17, -1.3708534795812787e-34, 6.720492564154779e-51],
    [1.9683239220443185, -1.0813823527523065e-16, -1.3994037715995673e-33, 2.53911781373743e-50],
    [1.1148009424101677, -8.628767586366264e-17, 7.1168993944818695e-34, -1.736257299189734e-50],
    [1.2016492952297737, -5.72690591774807e-17, -1.5976448628475897e-36, -7.611655322793144e-53],
    [0.2733266278105606, 2.7730482257704672e-17, 1.9180230340425182e-34, -3.153401271553768e-51],
    [3.5723220108861824, -2.9471345905626284e-17, -1.404102577168542e-33, -6.434527339793814e-50],
    [3.537109248421533, -1.4585675154277286e-17, 3.782840913093369e-34, 1.6230452874524144e-51],
    [0.3496245711440647, 2.2586730733294758e-17, -5.8794498209894165e-34, 1.0590972840203129e-50],
    [2.9417832867828295, -1.2731753806188816e-16, 5.287997749518421e-33, -3.645388983884229e-51],
    [0.6516412988784628, 3.4515027125614034e-17, -1.8462608304170818e-33, -1.1562890755676662e-50],
    [3.405959277574409, -1.5328501929539886e-16, 6.710152229637368e-33, 2.5416011205581858e-49],
    [0.6898720833450739, 2.6345823973926916e-17, -6.750206618785752e-34, -3.3080983484544423e-50],
    [0.390478724146884, -9.406369952899676e-18, -5.73157772598984e-35, 3.159827663624833e-51],
    [1.9946722580313452, -1.743551833835402e-17, -1.0182966412702044e-34, -5.396998900592147e-51],
];

/// A sum, and what does not fit into it.
fn plus_rest<'a, A: Arithmetic>(x: Float<'a, A>, y: Float<'a, A>) -> (Float<'a, A>, Float<'a, A>) {
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
    let [a, b, c, d] = x.digits(row);
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
fn sine<'a, A: Arithmetic>(r: Float<'a, A>, low: Float<'a, A>) -> (Float<'a, A>, Float<'a, A>) {
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
fn cosine<'a, A: Arithmetic>(r: Float<'a, A>, low: Float<'a, A>) -> (Float<'a, A>, Float<'a, A>) {
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
