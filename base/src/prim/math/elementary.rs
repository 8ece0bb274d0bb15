//! Elementary functions of our own, without branches or tables, so that they run in vectors: `exp`, `log` and `tanh`.
//!
//! Each is written once over [`Arithmetic`]: the instances here compute on numbers, that of machine code emits instructions, and the C
//! backend has the same steps as text. So all of them give the same bits. At most 2 units in the last place from the exact results
//! (`docs/backends.md` has the figures).
//!
//! Each takes its argument apart into a power of two and a rest on a small interval, where a polynomial of least relative error (found by
//! Remez's exchange in 300 bits) does. `log` adds the square of the rest apart from the polynomial, since it has more digits than a
//! product keeps; `tanh` is a polynomial up to 0.55 and comes from `exp` beyond.

/// What the functions are made of: operators on floats of one width and on integers of as many bits, each rounding once.
pub trait Arithmetic {
    /// Floats.
    type Float: Copy;
    /// Their representations, as integers modulo 2 to the width.
    type Bits: Copy;
    /// Results of comparisons.
    type Mask: Copy;

    /// The float nearest to `x`.
    fn float(&mut self, x: f64) -> Self::Float;
    /// An integer.
    fn bits(&mut self, n: u64) -> Self::Bits;
    /// `x + y`.
    fn add(&mut self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `x - y`.
    fn sub(&mut self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `x * y`.
    fn mul(&mut self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `x / y`.
    fn div(&mut self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `x * y + z`.
    fn fma(&mut self, x: Self::Float, y: Self::Float, z: Self::Float) -> Self::Float;
    /// `|x|`.
    fn abs(&mut self, x: Self::Float) -> Self::Float;
    /// `x` with the sign of `y`.
    fn copysign(&mut self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `x < y`; no for NaN.
    fn less(&mut self, x: Self::Float, y: Self::Float) -> Self::Mask;
    /// `x == y`; no for NaN.
    fn equal(&mut self, x: Self::Float, y: Self::Float) -> Self::Mask;
    /// `x` where the comparison holds, else `y`.
    fn choose(&mut self, holds: Self::Mask, x: Self::Float, y: Self::Float) -> Self::Float;
    /// The representation.
    fn bits_of(&mut self, x: Self::Float) -> Self::Bits;
    /// The float of a representation.
    fn float_of(&mut self, n: Self::Bits) -> Self::Float;
    /// `m + n`.
    fn add_bits(&mut self, m: Self::Bits, n: Self::Bits) -> Self::Bits;
    /// `m - n`.
    fn sub_bits(&mut self, m: Self::Bits, n: Self::Bits) -> Self::Bits;
    /// Shifted to the left.
    fn shift_left(&mut self, n: Self::Bits, by: u32) -> Self::Bits;
    /// Shifted to the right, zeros coming in.
    fn shift_right(&mut self, n: Self::Bits, by: u32) -> Self::Bits;
    /// A small integer that is not negative, as a float.
    fn float_of_small(&mut self, n: Self::Bits) -> Self::Float;
}

/// Horner's scheme: `coefficients[0] x^n + … + coefficients[n]`.
fn polynomial<A: Arithmetic>(a: &mut A, x: A::Float, coefficients: &[f64]) -> A::Float {
    let mut sum = a.float(coefficients[0]);
    for coefficient in &coefficients[1..] {
        let coefficient = a.float(*coefficient);
        sum = a.fma(sum, x, coefficient);
    }
    sum
}

/// What differs between the widths in `exp`.
struct ExpShape {
    least: f64,
    most: f64,
    log2_e: f64,
    /// Adding this rounds to an integer, which then stands in the last bits, twice the bias added.
    shift: f64,
    /// Minus the last and the first digits of `log 2`.
    ln2_low: f64,
    ln2_high: f64,
    coefficients: &'static [f64],
    mantissa: u32,
}

const EXP_F32: ExpShape = ExpShape {
    least: -104.0,
    most: 89.0,
    log2_e: std::f32::consts::LOG2_E as f64,
    shift: 12_582_912.0 + 254.0,
    ln2_low: -0.0017409305,
    ln2_high: -0.69140625,
    coefficients: &[0.0013926268, 0.008363247, 0.041666552, 0.16666576, 0.5, 1.0, 1.0],
    mantissa: 23,
};

const EXP_F64: ExpShape = ExpShape {
    least: -746.0,
    most: 710.0,
    log2_e: std::f64::consts::LOG2_E,
    shift: 6_755_399_441_055_744.0 + 2046.0,
    ln2_low: -4.7493250390316726e-7,
    ln2_high: -0.6931467056274414,
    coefficients: &[
        2.5100494788905042e-8,
        2.76202305675069e-7,
        2.7557268229963227e-6,
        2.4801520996825697e-5,
        0.00019841269863201828,
        0.0013888888917406447,
        0.008333333333330032,
        0.04166666666662374,
        0.16666666666666669,
        0.5,
        1.0,
        1.0,
    ],
    mantissa: 52,
};

fn exp<A: Arithmetic>(a: &mut A, x: A::Float, shape: &ExpShape) -> A::Float {
    let (least, most) = (a.float(shape.least), a.float(shape.most));
    let above = a.less(most, x);
    let y = a.choose(above, most, x);
    let below = a.less(y, least);
    let y = a.choose(below, least, y);
    let (log2_e, shift) = (a.float(shape.log2_e), a.float(shape.shift));
    let shifted = a.fma(y, log2_e, shift);
    let n = a.sub(shifted, shift);
    let (low, high) = (a.float(shape.ln2_low), a.float(shape.ln2_high));
    let r = a.fma(n, high, y);
    let r = a.fma(n, low, r);
    let part = polynomial(a, r, shape.coefficients);
    // in two factors, since the power of two alone may be too small or large; what is above their exponents is shifted out
    let k = a.bits_of(shifted);
    let half = a.shift_right(k, 1);
    let rest = a.sub_bits(k, half);
    let first = a.shift_left(half, shape.mantissa);
    let first = a.float_of(first);
    let second = a.shift_left(rest, shape.mantissa);
    let second = a.float_of(second);
    let part = a.mul(part, first);
    a.mul(part, second)
}

/// `e^x` of `f32`.
pub fn exp_f32<A: Arithmetic>(a: &mut A, x: A::Float) -> A::Float {
    exp(a, x, &EXP_F32)
}

/// `e^x` of `f64`.
pub fn exp_f64<A: Arithmetic>(a: &mut A, x: A::Float) -> A::Float {
    exp(a, x, &EXP_F64)
}

/// `y`, but for the arguments that have no finite logarithm.
fn log_ends<A: Arithmetic>(a: &mut A, x: A::Float, y: A::Float) -> A::Float {
    let (zero, infinity) = (a.float(0.0), a.float(f64::INFINITY));
    let (minus, nan) = (a.float(f64::NEG_INFINITY), a.float(f64::NAN));
    let (positive, is_zero, finite) = (a.less(zero, x), a.equal(x, zero), a.less(x, infinity));
    let other = a.choose(is_zero, minus, nan);
    let y = a.choose(finite, y, infinity);
    a.choose(positive, y, other)
}

/// What differs between the widths where `log` takes its argument apart.
struct LogShape {
    least_normal: f64,
    /// Makes numbers below that normal.
    scale: f64,
    /// From the representation of the root of a half to that of 1.
    offset: u64,
    bias: u64,
    mantissa: u32,
}

const LOG_F32: LogShape = LogShape {
    least_normal: f32::MIN_POSITIVE as f64,
    scale: 8_388_608.0,
    offset: 0x3f80_0000 - 0x3f35_04f3,
    bias: 127,
    mantissa: 23,
};

const LOG_F64: LogShape = LogShape {
    least_normal: f64::MIN_POSITIVE,
    scale: 4_503_599_627_370_496.0,
    offset: 0x3ff0_0000_0000_0000 - 0x3fe6_a09e_667f_3bcd,
    bias: 1023,
    mantissa: 52,
};

/// Whether `x` is below the normal numbers, and so was scaled; the power of two in it, with the bias; and the rest, less 1.
fn log_parts<A: Arithmetic>(a: &mut A, x: A::Float, shape: &LogShape) -> (A::Mask, A::Bits, A::Float) {
    let least_normal = a.float(shape.least_normal);
    let tiny = a.less(x, least_normal);
    let scale = a.float(shape.scale);
    let scaled = a.mul(x, scale);
    let normal = a.choose(tiny, scaled, x);
    let bits = a.bits_of(normal);
    let (offset, bias) = (a.bits(shape.offset), a.bits(shape.bias));
    let power = a.add_bits(bits, offset);
    let power = a.shift_right(power, shape.mantissa);
    let exponent = a.sub_bits(power, bias);
    let exponent = a.shift_left(exponent, shape.mantissa);
    let f = a.sub_bits(bits, exponent);
    let (f, one) = (a.float_of(f), a.float(1.0));
    (tiny, power, a.sub(f, one))
}

/// The natural logarithm of `f32`.
pub fn log_f32<A: Arithmetic>(a: &mut A, x: A::Float) -> A::Float {
    let (tiny, power, f) = log_parts(a, x, &LOG_F32);
    let n = a.float_of_small(power);
    let (more, less) = (a.float(150.0), a.float(127.0));
    let subtrahend = a.choose(tiny, more, less);
    let n = a.sub(n, subtrahend);
    let g = polynomial(
        a,
        f,
        &[
            0.06746567,
            -0.11675588,
            0.118881606,
            -0.124056,
            0.14219554,
            -0.16667995,
            0.20002119,
            -0.2500001,
            0.33333313,
        ],
    );
    let square = a.mul(f, f);
    let cubic = a.mul(square, f);
    let cubic = a.mul(cubic, g);
    let minus_half = a.float(-0.5);
    let part = a.fma(square, minus_half, cubic);
    let (low, high) = (a.float(-0.00021219444), a.float(0.6933594));
    let part = a.fma(n, low, part);
    let part = a.add(part, f);
    let y = a.fma(n, high, part);
    log_ends(a, x, y)
}

/// The natural logarithm of `f64`.
pub fn log_f64<A: Arithmetic>(a: &mut A, x: A::Float) -> A::Float {
    let (tiny, power, f) = log_parts(a, x, &LOG_F64);
    // the power stands in the last bits of a float of this size
    let large = a.bits(0x4330_0000_0000_0000);
    let n = a.add_bits(large, power);
    let n = a.float_of(n);
    let (more, less) = (a.float(LOG_F64.scale + 1075.0), a.float(LOG_F64.scale + 1023.0));
    let subtrahend = a.choose(tiny, more, less);
    let n = a.sub(n, subtrahend);
    let two = a.float(2.0);
    let sum = a.add(two, f);
    let s = a.div(f, sum);
    let z = a.mul(s, s);
    let g = polynomial(
        a,
        z,
        &[
            0.14617733633798716,
            0.15331608219759893,
            0.18182892879772783,
            0.2222221107749412,
            0.2857142862637075,
            0.39999999999898506,
            0.666666666666667,
        ],
    );
    let half = a.float(0.5);
    let half = a.mul(half, f);
    let half = a.mul(half, f);
    let inner = a.fma(z, g, half);
    let inner = a.mul(s, inner);
    let (low, high) = (a.float(1.9082149292705877e-10), a.float(0.6931471803691238));
    let part = a.fma(n, low, inner);
    let part = a.sub(half, part);
    let part = a.sub(f, part);
    let y = a.fma(n, high, part);
    log_ends(a, x, y)
}

fn tanh<A: Arithmetic>(a: &mut A, x: A::Float, shape: &ExpShape, coefficients: &[f64]) -> A::Float {
    let size = a.abs(x);
    let z = a.mul(x, x);
    let g = polynomial(a, z, coefficients);
    let cube = a.mul(size, z);
    let near = a.fma(cube, g, size);
    let (one, two, limit) = (a.float(1.0), a.float(2.0), a.float(0.55));
    let twice = a.mul(two, size);
    let power = exp(a, twice, shape);
    let power = a.add(power, one);
    let quotient = a.div(two, power);
    let far = a.sub(one, quotient);
    let is_near = a.less(size, limit);
    let y = a.choose(is_near, near, far);
    a.copysign(y, x)
}

/// The hyperbolic tangent of `f32`.
pub fn tanh_f32<A: Arithmetic>(a: &mut A, x: A::Float) -> A::Float {
    let coefficients = [0.0025306176, -0.008529535, 0.021819297, -0.053964794, 0.13333325, -0.33333334];
    tanh(a, x, &EXP_F32, &coefficients)
}

/// The hyperbolic tangent of `f64`.
pub fn tanh_f64<A: Arithmetic>(a: &mut A, x: A::Float) -> A::Float {
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
    tanh(a, x, &EXP_F64, &coefficients)
}

/// Arithmetic on numbers of a width.
macro_rules! numbers {
    ($name:ident, $float:ident, $bits:ident) => {
        pub(super) struct $name;

        impl Arithmetic for $name {
            type Float = $float;
            type Bits = $bits;
            type Mask = bool;

            fn float(&mut self, x: f64) -> $float {
                x as $float
            }
            fn bits(&mut self, n: u64) -> $bits {
                n as $bits
            }
            fn add(&mut self, x: $float, y: $float) -> $float {
                x + y
            }
            fn sub(&mut self, x: $float, y: $float) -> $float {
                x - y
            }
            fn mul(&mut self, x: $float, y: $float) -> $float {
                x * y
            }
            fn div(&mut self, x: $float, y: $float) -> $float {
                x / y
            }
            fn fma(&mut self, x: $float, y: $float, z: $float) -> $float {
                x.mul_add(y, z)
            }
            fn abs(&mut self, x: $float) -> $float {
                x.abs()
            }
            fn copysign(&mut self, x: $float, y: $float) -> $float {
                x.copysign(y)
            }
            fn less(&mut self, x: $float, y: $float) -> bool {
                x < y
            }
            fn equal(&mut self, x: $float, y: $float) -> bool {
                x == y
            }
            fn choose(&mut self, holds: bool, x: $float, y: $float) -> $float {
                if holds { x } else { y }
            }
            fn bits_of(&mut self, x: $float) -> $bits {
                x.to_bits()
            }
            fn float_of(&mut self, n: $bits) -> $float {
                $float::from_bits(n)
            }
            fn add_bits(&mut self, m: $bits, n: $bits) -> $bits {
                m.wrapping_add(n)
            }
            fn sub_bits(&mut self, m: $bits, n: $bits) -> $bits {
                m.wrapping_sub(n)
            }
            fn shift_left(&mut self, n: $bits, by: u32) -> $bits {
                n << by
            }
            fn shift_right(&mut self, n: $bits, by: u32) -> $bits {
                n >> by
            }
            fn float_of_small(&mut self, n: $bits) -> $float {
                n as $float
            }
        }
    };
}

numbers!(Single, f32, u32);
numbers!(Double, f64, u64);
