//! The operators that the functions are made of, and their instances on numbers.

use super::TABLE;

/// Operators on floats of one width and on integers of as many bits, each rounding once.
pub trait Arithmetic {
    /// Floats.
    type Float: Copy;
    /// Their representations, as integers modulo 2 to the width.
    type Bits: Copy;
    /// Results of comparisons.
    type Mask: Copy;

    /// The float nearest to `x`.
    fn float(&self, x: f64) -> Self::Float;
    /// An integer.
    fn bits(&self, n: u64) -> Self::Bits;
    /// `x + y`.
    fn add(&self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `x - y`.
    fn sub(&self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `x * y`.
    fn mul(&self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `x / y`.
    fn div(&self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `x * y + z`.
    fn fma(&self, x: Self::Float, y: Self::Float, z: Self::Float) -> Self::Float;
    /// `-x`.
    fn neg(&self, x: Self::Float) -> Self::Float;
    /// `|x|`.
    fn abs(&self, x: Self::Float) -> Self::Float;
    /// The square root.
    fn sqrt(&self, x: Self::Float) -> Self::Float;
    /// Rounded to zero.
    fn trunc(&self, x: Self::Float) -> Self::Float;
    /// Rounded to the nearest integer, ties to even.
    fn round(&self, x: Self::Float) -> Self::Float;
    /// `x` with the sign of `y`.
    fn copysign(&self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `x < y`; no for NaN.
    fn less(&self, x: Self::Float, y: Self::Float) -> Self::Mask;
    /// `x == y`; no for NaN.
    fn equal(&self, x: Self::Float, y: Self::Float) -> Self::Mask;
    /// Both hold.
    fn both(&self, x: Self::Mask, y: Self::Mask) -> Self::Mask;
    /// One holds.
    fn either(&self, x: Self::Mask, y: Self::Mask) -> Self::Mask;
    /// It does not hold.
    fn not(&self, x: Self::Mask) -> Self::Mask;
    /// `x` where the comparison holds, else `y`.
    fn choose(&self, holds: Self::Mask, x: Self::Float, y: Self::Float) -> Self::Float;
    /// The representation.
    fn bits_of(&self, x: Self::Float) -> Self::Bits;
    /// The float of a representation.
    fn float_of(&self, n: Self::Bits) -> Self::Float;
    /// `m + n`.
    fn add_bits(&self, m: Self::Bits, n: Self::Bits) -> Self::Bits;
    /// `m - n`.
    fn sub_bits(&self, m: Self::Bits, n: Self::Bits) -> Self::Bits;
    /// The bits that both have.
    fn and_bits(&self, m: Self::Bits, n: Self::Bits) -> Self::Bits;
    /// The bits that one has.
    fn xor_bits(&self, m: Self::Bits, n: Self::Bits) -> Self::Bits;
    /// Whether the last bit is set.
    fn is_odd(&self, n: Self::Bits) -> Self::Mask;
    /// Shifted to the left.
    fn shift_left(&self, n: Self::Bits, by: u32) -> Self::Bits;
    /// Shifted to the right, zeros coming in.
    fn shift_right(&self, n: Self::Bits, by: u32) -> Self::Bits;
    /// A small integer that is not negative, as a float.
    fn float_of_small(&self, n: Self::Bits) -> Self::Float;
    /// A row of [`TABLE`], by its number.
    fn row(&self, number: Self::Bits) -> [Self::Float; 4];
}

/// Arithmetic on numbers of a width.
macro_rules! numbers {
    ($name:ident, $float:ident, $bits:ident) => {
        pub(in crate::prim::math) struct $name;

        impl Arithmetic for $name {
            type Float = $float;
            type Bits = $bits;
            type Mask = bool;

            fn float(&self, x: f64) -> $float {
                x as $float
            }
            fn bits(&self, n: u64) -> $bits {
                n as $bits
            }
            fn add(&self, x: $float, y: $float) -> $float {
                x + y
            }
            fn sub(&self, x: $float, y: $float) -> $float {
                x - y
            }
            fn mul(&self, x: $float, y: $float) -> $float {
                x * y
            }
            fn div(&self, x: $float, y: $float) -> $float {
                x / y
            }
            fn fma(&self, x: $float, y: $float, z: $float) -> $float {
                x.mul_add(y, z)
            }
            fn neg(&self, x: $float) -> $float {
                -x
            }
            fn abs(&self, x: $float) -> $float {
                x.abs()
            }
            fn sqrt(&self, x: $float) -> $float {
                x.sqrt()
            }
            fn trunc(&self, x: $float) -> $float {
                x.trunc()
            }
            fn round(&self, x: $float) -> $float {
                x.round_ties_even()
            }
            fn copysign(&self, x: $float, y: $float) -> $float {
                x.copysign(y)
            }
            fn less(&self, x: $float, y: $float) -> bool {
                x < y
            }
            fn equal(&self, x: $float, y: $float) -> bool {
                x == y
            }
            fn both(&self, x: bool, y: bool) -> bool {
                x & y
            }
            fn either(&self, x: bool, y: bool) -> bool {
                x | y
            }
            fn not(&self, x: bool) -> bool {
                !x
            }
            fn choose(&self, holds: bool, x: $float, y: $float) -> $float {
                if holds { x } else { y }
            }
            fn bits_of(&self, x: $float) -> $bits {
                x.to_bits()
            }
            fn float_of(&self, n: $bits) -> $float {
                $float::from_bits(n)
            }
            fn add_bits(&self, m: $bits, n: $bits) -> $bits {
                m.wrapping_add(n)
            }
            fn sub_bits(&self, m: $bits, n: $bits) -> $bits {
                m.wrapping_sub(n)
            }
            fn and_bits(&self, m: $bits, n: $bits) -> $bits {
                m & n
            }
            fn xor_bits(&self, m: $bits, n: $bits) -> $bits {
                m ^ n
            }
            fn is_odd(&self, n: $bits) -> bool {
                n & 1 == 1
            }
            fn shift_left(&self, n: $bits, by: u32) -> $bits {
                n << by
            }
            fn shift_right(&self, n: $bits, by: u32) -> $bits {
                n >> by
            }
            fn float_of_small(&self, n: $bits) -> $float {
                n as $float
            }
            fn row(&self, number: $bits) -> [$float; 4] {
                TABLE[number as usize % TABLE.len()].map(|number| number as $float)
            }
        }
    };
}

numbers!(Single, f32, u32);
numbers!(Double, f64, u64);
