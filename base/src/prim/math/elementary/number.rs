//! Values of an [`Arithmetic`] with operators, so that functions read as formulas.

use super::Arithmetic;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Shl, Shr, Sub};

/// A float.
pub(super) struct Float<'a, A: Arithmetic> {
    pub(super) on: &'a A,
    pub(super) is: A::Float,
}

/// A representation.
pub(super) struct Bits<'a, A: Arithmetic> {
    on: &'a A,
    is: A::Bits,
}

/// The result of a comparison.
pub(super) struct Mask<'a, A: Arithmetic> {
    on: &'a A,
    is: A::Mask,
}

macro_rules! copied {
    ($($name:ident)*) => {
        $(impl<A: Arithmetic> Copy for $name<'_, A> {}
        impl<A: Arithmetic> Clone for $name<'_, A> {
            fn clone(&self) -> Self {
                *self
            }
        })*
    };
}

copied!(Float Bits Mask);

/// A float, or a constant.
pub(super) trait Operand<A: Arithmetic> {
    fn on(self, on: &A) -> A::Float;
}

impl<A: Arithmetic> Operand<A> for Float<'_, A> {
    fn on(self, _: &A) -> A::Float {
        self.is
    }
}

impl<A: Arithmetic> Operand<A> for f64 {
    fn on(self, on: &A) -> A::Float {
        on.float(self)
    }
}

impl<'a, A: Arithmetic> Float<'a, A> {
    fn with(self, is: A::Float) -> Float<'a, A> {
        Float { on: self.on, is }
    }

    fn mask(self, is: A::Mask) -> Mask<'a, A> {
        Mask { on: self.on, is }
    }

    /// A constant of the same arithmetic.
    pub(super) fn constant(self, x: f64) -> Float<'a, A> {
        self.with(self.on.float(x))
    }

    /// `self * y + z`, rounded once.
    pub(super) fn fma(self, y: impl Operand<A>, z: impl Operand<A>) -> Float<'a, A> {
        let (y, z) = (y.on(self.on), z.on(self.on));
        self.with(self.on.fma(self.is, y, z))
    }

    /// Horner's scheme: `coefficients[0] self^n + … + coefficients[n]`.
    pub(super) fn polynomial(self, coefficients: &[f64]) -> Float<'a, A> {
        let first = self.constant(coefficients[0]);
        coefficients[1..].iter().fold(first, |sum, coefficient| sum.fma(self, *coefficient))
    }

    pub(super) fn abs(self) -> Float<'a, A> {
        self.with(self.on.abs(self.is))
    }

    pub(super) fn sqrt(self) -> Float<'a, A> {
        self.with(self.on.sqrt(self.is))
    }

    pub(super) fn trunc(self) -> Float<'a, A> {
        self.with(self.on.trunc(self.is))
    }

    pub(super) fn round(self) -> Float<'a, A> {
        self.with(self.on.round(self.is))
    }

    pub(super) fn copysign(self, y: Float<'a, A>) -> Float<'a, A> {
        self.with(self.on.copysign(self.is, y.is))
    }

    /// Whether the sign bit is set.
    pub(super) fn is_signed(self) -> Mask<'a, A> {
        self.constant(1.0).copysign(self).less(0.0)
    }

    pub(super) fn less(self, y: impl Operand<A>) -> Mask<'a, A> {
        self.mask(self.on.less(self.is, y.on(self.on)))
    }

    pub(super) fn greater(self, y: impl Operand<A>) -> Mask<'a, A> {
        self.mask(self.on.less(y.on(self.on), self.is))
    }

    pub(super) fn equal(self, y: impl Operand<A>) -> Mask<'a, A> {
        self.mask(self.on.equal(self.is, y.on(self.on)))
    }

    /// The nearest of the numbers from `least` to `most`; NaN of NaN.
    pub(super) fn between(self, least: f64, most: f64) -> Float<'a, A> {
        let y = self.greater(most).choose(self.constant(most), self);
        y.less(least).choose(y.constant(least), y)
    }

    pub(super) fn bits(self) -> Bits<'a, A> {
        Bits { on: self.on, is: self.on.bits_of(self.is) }
    }

    /// The negation where the last bit but one is set; of `f64`.
    pub(super) fn negated_by(self, quarter: Bits<'a, A>) -> Float<'a, A> {
        (self.bits() ^ ((quarter >> 1) << 63)).float()
    }

    /// A row of the table, by its number.
    pub(super) fn row(self, number: Bits<'a, A>) -> [Float<'a, A>; 4] {
        self.on.row(number.is).map(|number| self.with(number))
    }
}

impl<'a, A: Arithmetic> Bits<'a, A> {
    fn with(self, is: A::Bits) -> Bits<'a, A> {
        Bits { on: self.on, is }
    }

    /// A constant of the same arithmetic.
    pub(super) fn constant(self, n: u64) -> Bits<'a, A> {
        self.with(self.on.bits(n))
    }

    pub(super) fn float(self) -> Float<'a, A> {
        Float { on: self.on, is: self.on.float_of(self.is) }
    }

    /// A small integer as a float.
    pub(super) fn number(self) -> Float<'a, A> {
        Float { on: self.on, is: self.on.float_of_small(self.is) }
    }

    pub(super) fn is_odd(self) -> Mask<'a, A> {
        Mask { on: self.on, is: self.on.is_odd(self.is) }
    }
}

impl<'a, A: Arithmetic> Mask<'a, A> {
    /// The first where it holds, else the second; one of them is no constant.
    pub(super) fn choose(self, x: impl Operand<A>, y: impl Operand<A>) -> Float<'a, A> {
        let (x, y) = (x.on(self.on), y.on(self.on));
        Float { on: self.on, is: self.on.choose(self.is, x, y) }
    }
}

macro_rules! of_floats {
    ($($name:ident $function:ident)*) => {
        $(impl<'a, A: Arithmetic, R: Operand<A>> $name<R> for Float<'a, A> {
            type Output = Float<'a, A>;

            fn $function(self, y: R) -> Float<'a, A> {
                self.with(self.on.$function(self.is, y.on(self.on)))
            }
        }

        impl<'a, A: Arithmetic> $name<Float<'a, A>> for f64 {
            type Output = Float<'a, A>;

            fn $function(self, y: Float<'a, A>) -> Float<'a, A> {
                y.with(y.on.$function(y.on.float(self), y.is))
            }
        })*
    };
}

of_floats!(Add add Sub sub Mul mul Div div);

impl<'a, A: Arithmetic> Neg for Float<'a, A> {
    type Output = Float<'a, A>;

    fn neg(self) -> Float<'a, A> {
        self.with(self.on.neg(self.is))
    }
}

macro_rules! of_bits {
    ($($name:ident $method:ident $function:ident)*) => {
        $(impl<'a, A: Arithmetic> $name for Bits<'a, A> {
            type Output = Bits<'a, A>;

            fn $method(self, n: Bits<'a, A>) -> Bits<'a, A> {
                self.with(self.on.$function(self.is, n.is))
            }
        }

        impl<'a, A: Arithmetic> $name<u64> for Bits<'a, A> {
            type Output = Bits<'a, A>;

            fn $method(self, n: u64) -> Bits<'a, A> {
                self.with(self.on.$function(self.is, self.on.bits(n)))
            }
        })*
    };
}

of_bits!(Add add add_bits Sub sub sub_bits BitAnd bitand and_bits BitXor bitxor xor_bits);

impl<'a, A: Arithmetic> Shl<u32> for Bits<'a, A> {
    type Output = Bits<'a, A>;

    fn shl(self, by: u32) -> Bits<'a, A> {
        self.with(self.on.shift_left(self.is, by))
    }
}

impl<'a, A: Arithmetic> Shr<u32> for Bits<'a, A> {
    type Output = Bits<'a, A>;

    fn shr(self, by: u32) -> Bits<'a, A> {
        self.with(self.on.shift_right(self.is, by))
    }
}

impl<'a, A: Arithmetic> BitAnd for Mask<'a, A> {
    type Output = Mask<'a, A>;

    fn bitand(self, other: Mask<'a, A>) -> Mask<'a, A> {
        Mask { on: self.on, is: self.on.both(self.is, other.is) }
    }
}

impl<'a, A: Arithmetic> BitOr for Mask<'a, A> {
    type Output = Mask<'a, A>;

    fn bitor(self, other: Mask<'a, A>) -> Mask<'a, A> {
        Mask { on: self.on, is: self.on.either(self.is, other.is) }
    }
}

impl<'a, A: Arithmetic> Not for Mask<'a, A> {
    type Output = Mask<'a, A>;

    fn not(self) -> Mask<'a, A> {
        Mask { on: self.on, is: self.on.not(self.is) }
    }
}
