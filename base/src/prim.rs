//! Primitive types, values and scalar operators: one table for the source language, the three
//! intermediate languages, their interpreters and the backends.
//!
//! Integer arithmetic wraps at the width of its type. Floats follow IEEE 754; `f16` computes by rounding
//! the exact result of the `f32` operation (which double rounding does not disturb for + - * / and sqrt).
//! Operators are named by what they mean, the operand type decides the rest: `div` on `i32` floors and on
//! `f32` is IEEE division; `shr` on signed integers keeps the sign and on unsigned ones does not.
//!
//! Conversions ([`eval_conv`]) are total: integers wrap, and widen by the signedness of the source; floats
//! become integers by truncating to zero, NaN and infinities giving 0, other numbers out of range the nearest
//! representable one, and unsigned integers of negative numbers the bits of the signed integer of the width;
//! anything becomes a float by rounding to nearest, ties to even; `true` is 1; a number is `true` iff it is not 0
//! (NaN is `true`).
//!
//! The functions of [`math`] are the meaning of the float operators, for interpreters and compiled code alike.

mod eval;
pub mod math;
#[cfg(test)]
mod tests;
mod text;

pub use eval::{EvalError, eval_bin, eval_conv, eval_fma, eval_un};
pub(crate) use text::{canonical_nan, parse_number};

/// A primitive type. Signedness is part of the type, so operators need no signed variants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum PrimType {
    /// 8-bit two's complement.
    I8,
    /// 16-bit two's complement.
    I16,
    /// 32-bit two's complement.
    I32,
    /// 64-bit two's complement; the type of sizes and indices.
    I64,
    /// 8-bit unsigned.
    U8,
    /// 16-bit unsigned.
    U16,
    /// 32-bit unsigned.
    U32,
    /// 64-bit unsigned.
    U64,
    /// IEEE binary16.
    F16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// `true` and `false`; one byte in memory.
    Bool,
    /// The type with one value, `()`; no bytes in memory.
    Unit,
}

/// A value of a primitive type.
///
/// Equality and hashing are by representation: NaNs with equal bits are equal, `0.0` and `-0.0` differ.
/// For the language's own equality use `eval_bin(BinOp::Eq, ..)`.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "each variant holds a value of the primitive type of its name")]
pub enum PrimValue {
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    F16(half::f16),
    F32(f32),
    F64(f64),
    Bool(bool),
    Unit,
}

/// An operator on two operands of one type. Comparisons give `bool`; all others the operand type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum BinOp {
    /// Sum; wraps. Numbers.
    Add,
    /// Difference; wraps. Numbers.
    Sub,
    /// Product; wraps. Numbers.
    Mul,
    /// Quotient; integers round to minus infinity and fail on a zero divisor. Numbers.
    Div,
    /// Remainder with the sign of the divisor (floats: Futhark's `%`, the remainder with the sign of the
    /// dividend, as C's fmod); integers fail on a zero divisor. Numbers.
    Mod,
    /// Quotient rounded to zero; fails on a zero divisor. Integers.
    Quot,
    /// Remainder with the sign of the dividend; fails on a zero divisor. Integers.
    Rem,
    /// Power; integers fail on a negative exponent, and wrap. Numbers.
    Pow,
    /// The smaller; floats: the number where one operand is NaN. Numbers, bool (as false < true).
    Min,
    /// The larger; floats: the number where one operand is NaN. Numbers, bool.
    Max,
    /// Bitwise and. Integers, bool.
    And,
    /// Bitwise or. Integers, bool.
    Or,
    /// Bitwise exclusive or. Integers, bool.
    Xor,
    /// Shift left; counts outside `0..width` (as unsigned) give 0. Integers.
    Shl,
    /// Shift right, keeping the sign of signed types; counts outside `0..width` give 0, or -1 for a negative
    /// signed value. Integers.
    Shr,
    /// Logical shift right whatever the signedness; counts outside `0..width` give 0. Integers.
    ShrLogical,
    /// The high half of the double-width product. Integers.
    MulHi,
    /// `atan2 y x`. Floats.
    Atan2,
    /// `hypot x y`. Floats.
    Hypot,
    /// The first operand with the sign of the second. Floats.
    CopySign,
    /// The next float after the first in the direction of the second. Floats.
    NextAfter,
    /// `x * 2^y`; the second operand, also a float, is truncated to an integer. Floats.
    Ldexp,
    /// Equal; IEEE on floats. All types.
    Eq,
    /// Not equal. All types.
    Ne,
    /// Less. All types but unit (bool: false < true).
    Lt,
    /// Less or equal. All types but unit.
    Le,
    /// Greater. All types but unit.
    Gt,
    /// Greater or equal. All types but unit.
    Ge,
}

/// An operator on one operand, giving the operand type unless said otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the elementary functions are named as in mathematics and C")]
pub enum UnOp {
    /// Negation; wraps. Numbers.
    Neg,
    /// Bitwise complement; logical on bool. Integers, bool.
    Not,
    /// Absolute value; wraps at the minimum. Numbers.
    Abs,
    /// -1, 0 or 1 (floats: NaN stays). Numbers.
    Sgn,
    /// Number of one bits, as i32. Integers.
    Popc,
    /// Number of leading zero bits, as i32. Integers.
    Clz,
    /// Number of trailing zero bits (the width, for 0), as i32. Integers.
    Ctz,
    Sqrt,
    Cbrt,
    Rsqrt,
    Exp,
    Exp2,
    Exp10,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    /// `sin (pi * x)`.
    Sinpi,
    Cospi,
    Tanpi,
    /// `asin x / pi`.
    Asinpi,
    Acospi,
    Atanpi,
    Erf,
    Erfc,
    Gamma,
    Lgamma,
    Floor,
    Ceil,
    Trunc,
    /// To the nearest integer, ties to even.
    Round,
    /// Gives bool. Floats.
    IsNan,
    /// Gives bool. Floats.
    IsInf,
    /// Gives bool: the sign bit is set. Floats.
    SignBit,
    /// The representation as the unsigned integer of the same width. Floats.
    ToBits,
    /// The float with this representation. Unsigned integers of 16, 32 and 64 bits.
    FromBits,
}

impl PrimType {
    /// Every primitive type but unit.
    pub const NUMERIC_AND_BOOL: [PrimType; 12] = [
        PrimType::I8,
        PrimType::I16,
        PrimType::I32,
        PrimType::I64,
        PrimType::U8,
        PrimType::U16,
        PrimType::U32,
        PrimType::U64,
        PrimType::F16,
        PrimType::F32,
        PrimType::F64,
        PrimType::Bool,
    ];

    /// Signed or unsigned integer.
    pub fn is_int(self) -> bool {
        self.is_signed() || self.is_unsigned()
    }
    /// Signed integer.
    pub fn is_signed(self) -> bool {
        matches!(self, PrimType::I8 | PrimType::I16 | PrimType::I32 | PrimType::I64)
    }
    /// Unsigned integer.
    pub fn is_unsigned(self) -> bool {
        matches!(self, PrimType::U8 | PrimType::U16 | PrimType::U32 | PrimType::U64)
    }
    /// Floating point.
    pub fn is_float(self) -> bool {
        matches!(self, PrimType::F16 | PrimType::F32 | PrimType::F64)
    }
    /// Integer or float.
    pub fn is_number(self) -> bool {
        self.is_int() || self.is_float()
    }
    /// Bytes that one value takes in memory.
    pub fn bytes(self) -> u32 {
        match self {
            PrimType::Unit => 0,
            PrimType::I8 | PrimType::U8 | PrimType::Bool => 1,
            PrimType::I16 | PrimType::U16 | PrimType::F16 => 2,
            PrimType::I32 | PrimType::U32 | PrimType::F32 => 4,
            PrimType::I64 | PrimType::U64 | PrimType::F64 => 8,
        }
    }
    /// Width of an integer or float type in bits.
    pub fn bits(self) -> u32 {
        self.bytes() * 8
    }
    /// The unsigned integer of the same width as a number type; itself otherwise.
    pub fn unsigned_of_width(self) -> PrimType {
        match self {
            PrimType::I8 | PrimType::U8 => PrimType::U8,
            PrimType::I16 | PrimType::U16 | PrimType::F16 => PrimType::U16,
            PrimType::I32 | PrimType::U32 | PrimType::F32 => PrimType::U32,
            PrimType::I64 | PrimType::U64 | PrimType::F64 => PrimType::U64,
            PrimType::Bool | PrimType::Unit => self,
        }
    }
    /// The signed integer of the same width as an integer type; itself otherwise.
    pub fn signed_of_width(self) -> PrimType {
        match self {
            PrimType::U8 => PrimType::I8,
            PrimType::U16 => PrimType::I16,
            PrimType::U32 => PrimType::I32,
            PrimType::U64 => PrimType::I64,
            _ => self,
        }
    }
    /// The zero, `false` or `()` of the type.
    pub fn zero(self) -> PrimValue {
        self.of_i64(0)
    }
    /// `n` converted to the type (wrapping; bool: `n != 0`).
    pub fn of_i64(self, n: i64) -> PrimValue {
        match self {
            PrimType::I8 => PrimValue::I8(n as i8),
            PrimType::I16 => PrimValue::I16(n as i16),
            PrimType::I32 => PrimValue::I32(n as i32),
            PrimType::I64 => PrimValue::I64(n),
            PrimType::U8 => PrimValue::U8(n as u8),
            PrimType::U16 => PrimValue::U16(n as u16),
            PrimType::U32 => PrimValue::U32(n as u32),
            PrimType::U64 => PrimValue::U64(n as u64),
            PrimType::F16 => PrimValue::F16(half::f16::from_f64(n as f64)),
            PrimType::F32 => PrimValue::F32(n as f32),
            PrimType::F64 => PrimValue::F64(n as f64),
            PrimType::Bool => PrimValue::Bool(n != 0),
            PrimType::Unit => PrimValue::Unit,
        }
    }
}

impl PrimValue {
    /// The type of the value.
    pub fn prim_type(self) -> PrimType {
        match self {
            PrimValue::I8(_) => PrimType::I8,
            PrimValue::I16(_) => PrimType::I16,
            PrimValue::I32(_) => PrimType::I32,
            PrimValue::I64(_) => PrimType::I64,
            PrimValue::U8(_) => PrimType::U8,
            PrimValue::U16(_) => PrimType::U16,
            PrimValue::U32(_) => PrimType::U32,
            PrimValue::U64(_) => PrimType::U64,
            PrimValue::F16(_) => PrimType::F16,
            PrimValue::F32(_) => PrimType::F32,
            PrimValue::F64(_) => PrimType::F64,
            PrimValue::Bool(_) => PrimType::Bool,
            PrimValue::Unit => PrimType::Unit,
        }
    }

    /// The representation, zero-extended to 64 bits.
    pub fn bits(self) -> u64 {
        match self {
            PrimValue::I8(x) => x as u8 as u64,
            PrimValue::I16(x) => x as u16 as u64,
            PrimValue::I32(x) => x as u32 as u64,
            PrimValue::I64(x) => x as u64,
            PrimValue::U8(x) => x as u64,
            PrimValue::U16(x) => x as u64,
            PrimValue::U32(x) => x as u64,
            PrimValue::U64(x) => x,
            PrimValue::F16(x) => x.to_bits() as u64,
            PrimValue::F32(x) => x.to_bits() as u64,
            PrimValue::F64(x) => x.to_bits(),
            PrimValue::Bool(x) => x as u64,
            PrimValue::Unit => 0,
        }
    }

    /// The value of type `t` whose representation is the low bits of `bits`.
    pub fn from_bits(t: PrimType, bits: u64) -> PrimValue {
        match t {
            PrimType::I8 => PrimValue::I8(bits as i8),
            PrimType::I16 => PrimValue::I16(bits as i16),
            PrimType::I32 => PrimValue::I32(bits as i32),
            PrimType::I64 => PrimValue::I64(bits as i64),
            PrimType::U8 => PrimValue::U8(bits as u8),
            PrimType::U16 => PrimValue::U16(bits as u16),
            PrimType::U32 => PrimValue::U32(bits as u32),
            PrimType::U64 => PrimValue::U64(bits),
            PrimType::F16 => PrimValue::F16(half::f16::from_bits(bits as u16)),
            PrimType::F32 => PrimValue::F32(f32::from_bits(bits as u32)),
            PrimType::F64 => PrimValue::F64(f64::from_bits(bits)),
            PrimType::Bool => PrimValue::Bool(bits & 1 != 0),
            PrimType::Unit => PrimValue::Unit,
        }
    }

    /// The value of an integer as i128; `None` for other types.
    pub fn as_int(self) -> Option<i128> {
        match self {
            PrimValue::I8(x) => Some(x.into()),
            PrimValue::I16(x) => Some(x.into()),
            PrimValue::I32(x) => Some(x.into()),
            PrimValue::I64(x) => Some(x.into()),
            PrimValue::U8(x) => Some(x.into()),
            PrimValue::U16(x) => Some(x.into()),
            PrimValue::U32(x) => Some(x.into()),
            PrimValue::U64(x) => Some(x.into()),
            PrimValue::F16(_) | PrimValue::F32(_) | PrimValue::F64(_) => None,
            PrimValue::Bool(_) | PrimValue::Unit => None,
        }
    }

    /// The value of an `i64`; `None` for other types.
    pub fn as_i64(self) -> Option<i64> {
        if let PrimValue::I64(x) = self { Some(x) } else { None }
    }

    /// The value of a `bool`; `None` for other types.
    pub fn as_bool(self) -> Option<bool> {
        if let PrimValue::Bool(x) = self { Some(x) } else { None }
    }

    /// The value of a float, widened; `None` for other types.
    pub fn as_f64(self) -> Option<f64> {
        match self {
            PrimValue::F16(x) => Some(x.to_f64()),
            PrimValue::F32(x) => Some(x.into()),
            PrimValue::F64(x) => Some(x),
            _ => None,
        }
    }
}

impl PartialEq for PrimValue {
    fn eq(&self, other: &PrimValue) -> bool {
        self.prim_type() == other.prim_type() && self.bits() == other.bits()
    }
}
impl Eq for PrimValue {}
impl std::hash::Hash for PrimValue {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.prim_type().hash(state);
        self.bits().hash(state);
    }
}
impl PartialOrd for PrimValue {
    fn partial_cmp(&self, other: &PrimValue) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
/// A total order by type, then representation: for maps, not for the language's `<`.
impl Ord for PrimValue {
    fn cmp(&self, other: &PrimValue) -> std::cmp::Ordering {
        (self.prim_type(), self.bits()).cmp(&(other.prim_type(), other.bits()))
    }
}

impl BinOp {
    /// Every operator.
    pub const ALL: [BinOp; 28] = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::Div,
        BinOp::Mod,
        BinOp::Quot,
        BinOp::Rem,
        BinOp::Pow,
        BinOp::Min,
        BinOp::Max,
        BinOp::And,
        BinOp::Or,
        BinOp::Xor,
        BinOp::Shl,
        BinOp::Shr,
        BinOp::ShrLogical,
        BinOp::MulHi,
        BinOp::Atan2,
        BinOp::Hypot,
        BinOp::CopySign,
        BinOp::NextAfter,
        BinOp::Ldexp,
        BinOp::Eq,
        BinOp::Ne,
        BinOp::Lt,
        BinOp::Le,
        BinOp::Gt,
        BinOp::Ge,
    ];

    /// The type of the result on operands of type `t`; `None` where the operator is not defined on `t`.
    pub fn result_type(self, t: PrimType) -> Option<PrimType> {
        let number = t.is_number().then_some(t);
        let int = t.is_int().then_some(t);
        let float = t.is_float().then_some(t);
        match self {
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Mod | BinOp::Pow => number,
            BinOp::Quot | BinOp::Rem | BinOp::Shl | BinOp::Shr | BinOp::ShrLogical | BinOp::MulHi => int,
            BinOp::Min | BinOp::Max => (t != PrimType::Unit).then_some(t),
            BinOp::And | BinOp::Or | BinOp::Xor => (t.is_int() || t == PrimType::Bool).then_some(t),
            BinOp::Atan2 | BinOp::Hypot | BinOp::CopySign | BinOp::NextAfter | BinOp::Ldexp => float,
            BinOp::Eq | BinOp::Ne => Some(PrimType::Bool),
            BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => (t != PrimType::Unit).then_some(PrimType::Bool),
        }
    }

    /// The comparison of operands of type `t` that holds where this one does not; `None` for other operators, and for the order of floats, which
    /// NaN is not part of.
    pub fn negated(self, t: PrimType) -> Option<BinOp> {
        Some(match self {
            BinOp::Eq => BinOp::Ne,
            BinOp::Ne => BinOp::Eq,
            _ if t.is_float() => return None,
            BinOp::Lt => BinOp::Ge,
            BinOp::Le => BinOp::Gt,
            BinOp::Gt => BinOp::Le,
            BinOp::Ge => BinOp::Lt,
            _ => return None,
        })
    }

    /// Whether evaluation can fail (zero divisor, negative exponent) on operands of type `t`.
    pub fn can_fail(self, t: PrimType) -> bool {
        t.is_int() && matches!(self, BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem | BinOp::Pow)
    }
}

impl UnOp {
    /// Every operator.
    pub const ALL: [UnOp; 49] = [
        UnOp::Neg,
        UnOp::Not,
        UnOp::Abs,
        UnOp::Sgn,
        UnOp::Popc,
        UnOp::Clz,
        UnOp::Ctz,
        UnOp::Sqrt,
        UnOp::Cbrt,
        UnOp::Rsqrt,
        UnOp::Exp,
        UnOp::Exp2,
        UnOp::Exp10,
        UnOp::Expm1,
        UnOp::Log,
        UnOp::Log2,
        UnOp::Log10,
        UnOp::Log1p,
        UnOp::Sin,
        UnOp::Cos,
        UnOp::Tan,
        UnOp::Asin,
        UnOp::Acos,
        UnOp::Atan,
        UnOp::Sinh,
        UnOp::Cosh,
        UnOp::Tanh,
        UnOp::Asinh,
        UnOp::Acosh,
        UnOp::Atanh,
        UnOp::Sinpi,
        UnOp::Cospi,
        UnOp::Tanpi,
        UnOp::Asinpi,
        UnOp::Acospi,
        UnOp::Atanpi,
        UnOp::Erf,
        UnOp::Erfc,
        UnOp::Gamma,
        UnOp::Lgamma,
        UnOp::Floor,
        UnOp::Ceil,
        UnOp::Trunc,
        UnOp::Round,
        UnOp::IsNan,
        UnOp::IsInf,
        UnOp::SignBit,
        UnOp::ToBits,
        UnOp::FromBits,
    ];

    /// The type of the result on an operand of type `t`; `None` where the operator is not defined on `t`.
    ///
    /// `FromBits` on u16, u32, u64 gives f16, f32, f64.
    pub fn result_type(self, t: PrimType) -> Option<PrimType> {
        match self {
            UnOp::Neg | UnOp::Abs | UnOp::Sgn => t.is_number().then_some(t),
            UnOp::Not => (t.is_int() || t == PrimType::Bool).then_some(t),
            UnOp::Popc | UnOp::Clz | UnOp::Ctz => t.is_int().then_some(PrimType::I32),
            UnOp::IsNan | UnOp::IsInf | UnOp::SignBit => t.is_float().then_some(PrimType::Bool),
            UnOp::ToBits => t.is_float().then(|| t.unsigned_of_width()),
            UnOp::FromBits => match t {
                PrimType::U16 => Some(PrimType::F16),
                PrimType::U32 => Some(PrimType::F32),
                PrimType::U64 => Some(PrimType::F64),
                _ => None,
            },
            UnOp::Sqrt
            | UnOp::Cbrt
            | UnOp::Rsqrt
            | UnOp::Exp
            | UnOp::Exp2
            | UnOp::Exp10
            | UnOp::Expm1
            | UnOp::Log
            | UnOp::Log2
            | UnOp::Log10
            | UnOp::Log1p
            | UnOp::Sin
            | UnOp::Cos
            | UnOp::Tan
            | UnOp::Asin
            | UnOp::Acos
            | UnOp::Atan
            | UnOp::Sinh
            | UnOp::Cosh
            | UnOp::Tanh
            | UnOp::Asinh
            | UnOp::Acosh
            | UnOp::Atanh
            | UnOp::Sinpi
            | UnOp::Cospi
            | UnOp::Tanpi
            | UnOp::Asinpi
            | UnOp::Acospi
            | UnOp::Atanpi
            | UnOp::Erf
            | UnOp::Erfc
            | UnOp::Gamma
            | UnOp::Lgamma
            | UnOp::Floor
            | UnOp::Ceil
            | UnOp::Trunc
            | UnOp::Round => t.is_float().then_some(t),
        }
    }
}
