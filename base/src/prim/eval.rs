//! Evaluation of scalar operators and conversions; the meaning is documented on the operators.

use super::{BinOp, PrimType, PrimValue, UnOp, math};
use half::f16;
use std::fmt;

/// Why an operator has no result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EvalError {
    /// A division, modulo, quotient or remainder by the integer 0.
    DivisionByZero,
    /// An integer power with a negative exponent.
    NegativeExponent,
    /// The operator is not defined on operands of these types: not a checked program.
    Type,
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EvalError::DivisionByZero => "division by zero",
            EvalError::NegativeExponent => "negative exponent",
            EvalError::Type => "operator is not defined on these operands",
        })
    }
}

impl std::error::Error for EvalError {}

/// The operators on one integer type, giving that type or `bool`.
macro_rules! int_bin {
    ($name:ident, $variant:ident, $t:ty, $unsigned:ty, $wide:ty) => {
        fn $name(op: BinOp, x: $t, y: $t) -> Result<PrimValue, EvalError> {
            let shift = u32::try_from(y as $unsigned).ok().filter(|n| *n < <$t>::BITS);
            let nonzero = || if y == 0 { Err(EvalError::DivisionByZero) } else { Ok(y) };
            Ok(PrimValue::$variant(match op {
                BinOp::Add => x.wrapping_add(y),
                BinOp::Sub => x.wrapping_sub(y),
                BinOp::Mul => x.wrapping_mul(y),
                BinOp::Div => {
                    let (q, r) = (x.wrapping_div(nonzero()?), x.wrapping_rem(y));
                    if r != 0 && is_negative(r.into()) != is_negative(y.into()) {
                        q.wrapping_sub(1)
                    } else {
                        q
                    }
                }
                BinOp::Mod => {
                    let r = x.wrapping_rem(nonzero()?);
                    if r != 0 && is_negative(r.into()) != is_negative(y.into()) {
                        r.wrapping_add(y)
                    } else {
                        r
                    }
                }
                BinOp::Quot => x.wrapping_div(nonzero()?),
                BinOp::Rem => x.wrapping_rem(nonzero()?),
                BinOp::Pow if is_negative(y.into()) => return Err(EvalError::NegativeExponent),
                BinOp::Pow => {
                    let (mut result, mut base, mut rest): ($t, $t, $t) = (1, x, y);
                    while rest != 0 {
                        if rest & 1 == 1 {
                            result = result.wrapping_mul(base);
                        }
                        base = base.wrapping_mul(base);
                        rest >>= 1;
                    }
                    result
                }
                BinOp::Min => x.min(y),
                BinOp::Max => x.max(y),
                BinOp::And => x & y,
                BinOp::Or => x | y,
                BinOp::Xor => x ^ y,
                BinOp::Shl => shift.map_or(0, |n| x << n),
                // A shift by all bits but one leaves the sign; one more leaves 0 or -1.
                BinOp::Shr => shift.map_or_else(|| (x >> (<$t>::BITS - 1)) >> 1, |n| x >> n),
                BinOp::ShrLogical => shift.map_or(0, |n| ((x as $unsigned) >> n) as $t),
                BinOp::MulHi => (((x as $wide) * (y as $wide)) >> <$t>::BITS) as $t,
                BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => {
                    return Ok(compare(op, x, y));
                }
                BinOp::Atan2 | BinOp::Hypot | BinOp::CopySign | BinOp::NextAfter | BinOp::Ldexp => {
                    return Err(EvalError::Type);
                }
            }))
        }
    };
}

fn is_negative(x: i128) -> bool {
    x < 0
}

int_bin!(i8_bin, I8, i8, u8, i16);
int_bin!(i16_bin, I16, i16, u16, i32);
int_bin!(i32_bin, I32, i32, u32, i64);
int_bin!(i64_bin, I64, i64, u64, i128);
int_bin!(u8_bin, U8, u8, u8, u16);
int_bin!(u16_bin, U16, u16, u16, u32);
int_bin!(u32_bin, U32, u32, u32, u64);
int_bin!(u64_bin, U64, u64, u64, u128);

/// A comparison; other operators never come here.
fn compare<T: PartialOrd>(op: BinOp, x: T, y: T) -> PrimValue {
    PrimValue::Bool(match op {
        BinOp::Ne => x != y,
        BinOp::Lt => x < y,
        BinOp::Le => x <= y,
        BinOp::Gt => x > y,
        BinOp::Ge => x >= y,
        _ => x == y,
    })
}

/// Operators on one float type.
macro_rules! float_bin {
    ($name:ident, $variant:ident, $t:ident) => {
        fn $name(op: BinOp, x: $t, y: $t) -> Result<PrimValue, EvalError> {
            Ok(PrimValue::$variant(match op {
                BinOp::Add => x + y,
                BinOp::Sub => x - y,
                BinOp::Mul => x * y,
                BinOp::Div => x / y,
                BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => {
                    return Ok(compare(op, x, y));
                }
                _ => math::$t::binary(op).ok_or(EvalError::Type)?(x, y),
            }))
        }
    };
}

float_bin!(f32_bin, F32, f32);
float_bin!(f64_bin, F64, f64);

fn f16_bin(op: BinOp, x: f16, y: f16) -> Result<PrimValue, EvalError> {
    match op {
        BinOp::NextAfter => Ok(PrimValue::F16(math::f16_nextafter(x, y))),
        _ => Ok(match f32_bin(op, x.to_f32(), y.to_f32())? {
            PrimValue::F32(z) => PrimValue::F16(math::f16_from_f32(z)),
            other => other,
        }),
    }
}

fn bool_bin(op: BinOp, x: bool, y: bool) -> Result<PrimValue, EvalError> {
    match op {
        BinOp::And | BinOp::Min => Ok(PrimValue::Bool(x & y)),
        BinOp::Or | BinOp::Max => Ok(PrimValue::Bool(x | y)),
        BinOp::Xor => Ok(PrimValue::Bool(x ^ y)),
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => Ok(compare(op, x, y)),
        _ => Err(EvalError::Type),
    }
}

/// The result of a binary operator. Fails on zero divisors and negative exponents of integers, and where the
/// operands' types differ or are not the operator's.
pub fn eval_bin(op: BinOp, x: PrimValue, y: PrimValue) -> Result<PrimValue, EvalError> {
    use PrimValue::*;
    match (x, y) {
        (I8(x), I8(y)) => i8_bin(op, x, y),
        (I16(x), I16(y)) => i16_bin(op, x, y),
        (I32(x), I32(y)) => i32_bin(op, x, y),
        (I64(x), I64(y)) => i64_bin(op, x, y),
        (U8(x), U8(y)) => u8_bin(op, x, y),
        (U16(x), U16(y)) => u16_bin(op, x, y),
        (U32(x), U32(y)) => u32_bin(op, x, y),
        (U64(x), U64(y)) => u64_bin(op, x, y),
        (F16(x), F16(y)) => f16_bin(op, x, y),
        (F32(x), F32(y)) => f32_bin(op, x, y),
        (F64(x), F64(y)) => f64_bin(op, x, y),
        (Bool(x), Bool(y)) => bool_bin(op, x, y),
        (Unit, Unit) => match op {
            BinOp::Eq => Ok(Bool(true)),
            BinOp::Ne => Ok(Bool(false)),
            _ => Err(EvalError::Type),
        },
        _ => Err(EvalError::Type),
    }
}

/// The operators on one signed or unsigned integer type.
macro_rules! int_un {
    ($op:ident, $x:ident, $variant:ident) => {
        match $op {
            UnOp::Neg => Ok(PrimValue::$variant($x.wrapping_neg())),
            UnOp::Not => Ok(PrimValue::$variant(!$x)),
            UnOp::Popc => Ok(PrimValue::I32($x.count_ones() as i32)),
            UnOp::Clz => Ok(PrimValue::I32($x.leading_zeros() as i32)),
            UnOp::Ctz => Ok(PrimValue::I32($x.trailing_zeros() as i32)),
            _ => Err(EvalError::Type),
        }
    };
}

macro_rules! signed_un {
    ($op:ident, $x:ident, $variant:ident) => {
        match $op {
            UnOp::Abs => Ok(PrimValue::$variant($x.wrapping_abs())),
            UnOp::Sgn => Ok(PrimValue::$variant($x.signum())),
            _ => int_un!($op, $x, $variant),
        }
    };
}

macro_rules! unsigned_un {
    ($op:ident, $x:ident, $variant:ident, $from_bits:expr) => {
        match $op {
            UnOp::Abs => Ok(PrimValue::$variant($x)),
            UnOp::Sgn => Ok(PrimValue::$variant($x.min(1))),
            UnOp::FromBits => $from_bits,
            _ => int_un!($op, $x, $variant),
        }
    };
}

/// The operators on one float type, `$same` computing those that give the same type.
macro_rules! float_un {
    ($op:ident, $x:ident, $bits:ident, $same:expr) => {
        match $op {
            UnOp::IsNan => Ok(PrimValue::Bool($x.is_nan())),
            UnOp::IsInf => Ok(PrimValue::Bool($x.is_infinite())),
            UnOp::SignBit => Ok(PrimValue::Bool($x.is_sign_negative())),
            UnOp::ToBits => Ok(PrimValue::$bits($x.to_bits())),
            _ => $same,
        }
    };
}

/// The result of a unary operator. Fails only where the operator is not defined on the operand's type.
pub fn eval_un(op: UnOp, x: PrimValue) -> Result<PrimValue, EvalError> {
    match x {
        PrimValue::I8(x) => signed_un!(op, x, I8),
        PrimValue::I16(x) => signed_un!(op, x, I16),
        PrimValue::I32(x) => signed_un!(op, x, I32),
        PrimValue::I64(x) => signed_un!(op, x, I64),
        PrimValue::U8(x) => unsigned_un!(op, x, U8, Err(EvalError::Type)),
        PrimValue::U16(x) => unsigned_un!(op, x, U16, Ok(PrimValue::F16(f16::from_bits(x)))),
        PrimValue::U32(x) => unsigned_un!(op, x, U32, Ok(PrimValue::F32(f32::from_bits(x)))),
        PrimValue::U64(x) => unsigned_un!(op, x, U64, Ok(PrimValue::F64(f64::from_bits(x)))),
        PrimValue::F16(x) => float_un!(op, x, U16, {
            let f = math::f32::unary(op).ok_or(EvalError::Type)?;
            Ok(PrimValue::F16(math::f16_from_f32(f(x.to_f32()))))
        }),
        PrimValue::F32(x) => {
            float_un!(op, x, U32, math::f32::unary(op).map(|f| PrimValue::F32(f(x))).ok_or(EvalError::Type))
        }
        PrimValue::F64(x) => {
            float_un!(op, x, U64, math::f64::unary(op).map(|f| PrimValue::F64(f(x))).ok_or(EvalError::Type))
        }
        PrimValue::Bool(x) => {
            if op == UnOp::Not {
                Ok(PrimValue::Bool(!x))
            } else {
                Err(EvalError::Type)
            }
        }
        PrimValue::Unit => Err(EvalError::Type),
    }
}

/// `a * b + c` on floats of one type, rounded once.
pub fn eval_fma(a: PrimValue, b: PrimValue, c: PrimValue) -> Result<PrimValue, EvalError> {
    match (a, b, c) {
        (PrimValue::F16(a), PrimValue::F16(b), PrimValue::F16(c)) => {
            Ok(PrimValue::F16(math::f16_fma(a, b, c)))
        }
        (PrimValue::F32(a), PrimValue::F32(b), PrimValue::F32(c)) => Ok(PrimValue::F32(a.mul_add(b, c))),
        (PrimValue::F64(a), PrimValue::F64(b), PrimValue::F64(c)) => Ok(PrimValue::F64(a.mul_add(b, c))),
        _ => Err(EvalError::Type),
    }
}

/// To any type but unit, by Rust's `as`.
macro_rules! conv {
    ($to:ident, $x:expr, $f16:expr) => {
        match $to {
            PrimType::I8 => PrimValue::I8($x as i8),
            PrimType::I16 => PrimValue::I16($x as i16),
            PrimType::I32 => PrimValue::I32($x as i32),
            PrimType::I64 => PrimValue::I64($x as i64),
            PrimType::U8 => PrimValue::U8($x as u8),
            PrimType::U16 => PrimValue::U16($x as u16),
            PrimType::U32 => PrimValue::U32($x as u32),
            PrimType::U64 => PrimValue::U64($x as u64),
            PrimType::F16 => PrimValue::F16($f16),
            PrimType::F32 => PrimValue::F32($x as f32),
            PrimType::F64 => PrimValue::F64($x as f64),
            PrimType::Bool => PrimValue::Bool($x as f64 != 0.0),
            PrimType::Unit => PrimValue::Unit,
        }
    };
}

/// The value converted to a type, as the module says. Unit converts only to and from itself in checked programs;
/// here it becomes the zero of any type, and any value becomes `()`.
pub fn eval_conv(to: PrimType, v: PrimValue) -> PrimValue {
    match v {
        PrimValue::I8(x) => conv!(to, x, math::f16_from_f64(x.into())),
        PrimValue::I16(x) => conv!(to, x, math::f16_from_f64(x.into())),
        PrimValue::I32(x) => conv!(to, x, math::f16_from_f64(x.into())),
        // 64-bit integers that f64 does not hold exactly are infinite in f16.
        PrimValue::I64(x) => conv!(to, x, math::f16_from_f64(x as f64)),
        PrimValue::U8(x) => conv!(to, x, math::f16_from_f64(x.into())),
        PrimValue::U16(x) => conv!(to, x, math::f16_from_f64(x.into())),
        PrimValue::U32(x) => conv!(to, x, math::f16_from_f64(x.into())),
        PrimValue::U64(x) => conv!(to, x, math::f16_from_f64(x as f64)),
        PrimValue::F16(x) if to == PrimType::F16 => PrimValue::F16(x),
        PrimValue::F16(_) | PrimValue::F32(_) | PrimValue::F64(_)
            if to.is_int() && v.as_f64().is_some_and(f64::is_infinite) =>
        {
            to.zero()
        }
        PrimValue::F16(_) | PrimValue::F32(_) | PrimValue::F64(_)
            if to.is_unsigned() && v.as_f64().is_some_and(|x| x < 0.0) =>
        {
            PrimValue::from_bits(to, eval_conv(to.signed_of_width(), v).bits())
        }
        PrimValue::F16(x) => conv!(to, x.to_f32(), x),
        PrimValue::F32(x) => conv!(to, x, math::f16_from_f32(x)),
        PrimValue::F64(x) => conv!(to, x, math::f16_from_f64(x)),
        PrimValue::Bool(x) => to.of_i64(x.into()),
        PrimValue::Unit => to.zero(),
    }
}
