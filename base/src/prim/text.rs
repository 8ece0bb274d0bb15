//! Names of types and operators, and scalar values as literals that read back to the same bits.
//!
//!     literal ::= INT int-type | DECIMAL float-type | `true` | `false` | `()`
//!               | float-type `.inf` | float-type `.nan` [`:` HEX]     with `-` before where negative
//!
//! `f32.nan` is the quiet NaN that arithmetic gives; any other NaN carries its whole representation, sign included.

use super::{BinOp, PrimType, PrimValue, UnOp, math};
use half::f16;
use std::fmt;
use std::str::FromStr;

impl PrimType {
    /// How the type is written.
    pub fn name(self) -> &'static str {
        match self {
            PrimType::I8 => "i8",
            PrimType::I16 => "i16",
            PrimType::I32 => "i32",
            PrimType::I64 => "i64",
            PrimType::U8 => "u8",
            PrimType::U16 => "u16",
            PrimType::U32 => "u32",
            PrimType::U64 => "u64",
            PrimType::F16 => "f16",
            PrimType::F32 => "f32",
            PrimType::F64 => "f64",
            PrimType::Bool => "bool",
            PrimType::Unit => "unit",
        }
    }

    /// The type that is written `name`.
    pub fn from_name(name: &str) -> Option<PrimType> {
        let named = PrimType::NUMERIC_AND_BOOL.into_iter().find(|t| t.name() == name);
        named.or((name == "unit").then_some(PrimType::Unit))
    }

    /// The number type that a literal ends in, with what comes before.
    pub fn split_suffix(literal: &str) -> Option<(&str, PrimType)> {
        let types = PrimType::NUMERIC_AND_BOOL.into_iter().filter(|t| t.is_number());
        types.into_iter().find_map(|t| Some((literal.strip_suffix(t.name())?, t)))
    }
}

impl fmt::Display for PrimType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No primitive type has the name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownType;

impl fmt::Display for UnknownType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a primitive type")
    }
}

impl std::error::Error for UnknownType {}

impl FromStr for PrimType {
    type Err = UnknownType;
    fn from_str(name: &str) -> Result<PrimType, UnknownType> {
        PrimType::from_name(name).ok_or(UnknownType)
    }
}

impl BinOp {
    /// How the operator is written in the intermediate languages.
    pub fn name(self) -> &'static str {
        match self {
            BinOp::Add => "add",
            BinOp::Sub => "sub",
            BinOp::Mul => "mul",
            BinOp::Div => "div",
            BinOp::Mod => "mod",
            BinOp::Quot => "quot",
            BinOp::Rem => "rem",
            BinOp::Pow => "pow",
            BinOp::Min => "min",
            BinOp::Max => "max",
            BinOp::And => "and",
            BinOp::Or => "or",
            BinOp::Xor => "xor",
            BinOp::Shl => "shl",
            BinOp::Shr => "shr",
            BinOp::ShrLogical => "lshr",
            BinOp::MulHi => "mulhi",
            BinOp::Atan2 => "atan2",
            BinOp::Hypot => "hypot",
            BinOp::CopySign => "copysign",
            BinOp::NextAfter => "nextafter",
            BinOp::Ldexp => "ldexp",
            BinOp::Eq => "eq",
            BinOp::Ne => "ne",
            BinOp::Lt => "lt",
            BinOp::Le => "le",
            BinOp::Gt => "gt",
            BinOp::Ge => "ge",
        }
    }

    /// The operator that is written `name`.
    pub fn from_name(name: &str) -> Option<BinOp> {
        BinOp::ALL.into_iter().find(|op| op.name() == name)
    }
}

impl fmt::Display for BinOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl UnOp {
    /// How the operator is written in the intermediate languages.
    pub fn name(self) -> &'static str {
        match self {
            UnOp::Neg => "neg",
            UnOp::Not => "not",
            UnOp::Abs => "abs",
            UnOp::Sgn => "sgn",
            UnOp::Popc => "popc",
            UnOp::Clz => "clz",
            UnOp::Ctz => "ctz",
            UnOp::Sqrt => "sqrt",
            UnOp::Cbrt => "cbrt",
            UnOp::Rsqrt => "rsqrt",
            UnOp::Exp => "exp",
            UnOp::Exp2 => "exp2",
            UnOp::Exp10 => "exp10",
            UnOp::Expm1 => "expm1",
            UnOp::Log => "log",
            UnOp::Log2 => "log2",
            UnOp::Log10 => "log10",
            UnOp::Log1p => "log1p",
            UnOp::Sin => "sin",
            UnOp::Cos => "cos",
            UnOp::Tan => "tan",
            UnOp::Asin => "asin",
            UnOp::Acos => "acos",
            UnOp::Atan => "atan",
            UnOp::Sinh => "sinh",
            UnOp::Cosh => "cosh",
            UnOp::Tanh => "tanh",
            UnOp::Asinh => "asinh",
            UnOp::Acosh => "acosh",
            UnOp::Atanh => "atanh",
            UnOp::Sinpi => "sinpi",
            UnOp::Cospi => "cospi",
            UnOp::Tanpi => "tanpi",
            UnOp::Asinpi => "asinpi",
            UnOp::Acospi => "acospi",
            UnOp::Atanpi => "atanpi",
            UnOp::Erf => "erf",
            UnOp::Erfc => "erfc",
            UnOp::Gamma => "gamma",
            UnOp::Lgamma => "lgamma",
            UnOp::Floor => "floor",
            UnOp::Ceil => "ceil",
            UnOp::Trunc => "trunc",
            UnOp::Round => "round",
            UnOp::IsNan => "isnan",
            UnOp::IsInf => "isinf",
            UnOp::SignBit => "signbit",
            UnOp::ToBits => "tobits",
            UnOp::FromBits => "frombits",
        }
    }

    /// The operator that is written `name`.
    pub fn from_name(name: &str) -> Option<UnOp> {
        UnOp::ALL.into_iter().find(|op| op.name() == name)
    }
}

impl fmt::Display for UnOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The NaN that prints without its representation.
pub(crate) fn canonical_nan(t: PrimType) -> PrimValue {
    match t {
        PrimType::F16 => PrimValue::F16(f16::from_bits(0x7e00)),
        PrimType::F32 => PrimValue::F32(f32::from_bits(0x7fc0_0000)),
        _ => PrimValue::F64(f64::from_bits(0x7ff8_0000_0000_0000)),
    }
}

/// The fewest decimal digits that read back as the same `f16`.
fn shortest_f16(x: f16) -> f64 {
    let wide = x.to_f64();
    let reads_back =
        |digits: &usize| format!("{wide:.digits$e}").parse().ok().filter(|y| math::f16_from_f64(*y) == x);
    (0..5).find_map(|digits| reads_back(&digits)).unwrap_or(wide)
}

/// A finite or infinite float, or a NaN with its bits, without suffix where finite.
macro_rules! float_text {
    ($f:ident, $x:expr, $shortest:expr, $t:literal, $nan:expr) => {{
        let x = $x;
        if x.is_nan() {
            let bits = PrimValue::from(x).bits();
            if bits == $nan { write!($f, "{}.nan", $t) } else { write!($f, "{}.nan:0x{bits:x}", $t) }
        } else if x.is_infinite() {
            write!($f, "{}{}.inf", if x.is_sign_negative() { "-" } else { "" }, $t)
        } else {
            write!($f, "{:?}{}", $shortest, $t)
        }
    }};
}

impl fmt::Display for PrimValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            PrimValue::I8(x) => write!(f, "{x}i8"),
            PrimValue::I16(x) => write!(f, "{x}i16"),
            PrimValue::I32(x) => write!(f, "{x}i32"),
            PrimValue::I64(x) => write!(f, "{x}i64"),
            PrimValue::U8(x) => write!(f, "{x}u8"),
            PrimValue::U16(x) => write!(f, "{x}u16"),
            PrimValue::U32(x) => write!(f, "{x}u32"),
            PrimValue::U64(x) => write!(f, "{x}u64"),
            PrimValue::F16(x) => float_text!(f, x, shortest_f16(x), "f16", 0x7e00),
            PrimValue::F32(x) => float_text!(f, x, x, "f32", 0x7fc0_0000),
            PrimValue::F64(x) => float_text!(f, x, x, "f64", 0x7ff8_0000_0000_0000),
            PrimValue::Bool(x) => write!(f, "{x}"),
            PrimValue::Unit => f.write_str("()"),
        }
    }
}

macro_rules! from_prim {
    ($($variant:ident $t:ty),*) => {
        $(impl From<$t> for PrimValue {
            fn from(x: $t) -> PrimValue {
                PrimValue::$variant(x)
            }
        })*
    };
}

from_prim!(I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64);
from_prim!(F16 f16, F32 f32, F64 f64, Bool bool);

impl From<()> for PrimValue {
    fn from((): ()) -> PrimValue {
        PrimValue::Unit
    }
}

impl PrimValue {
    /// Reads a literal as `Display` prints it. `None` where it is not one, or does not fit its type.
    pub fn parse(text: &str) -> Option<PrimValue> {
        match text {
            "true" => return Some(PrimValue::Bool(true)),
            "false" => return Some(PrimValue::Bool(false)),
            "()" => return Some(PrimValue::Unit),
            _ => {}
        }
        let (negative, unsigned) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        if let Some((t, name)) = unsigned.split_once('.')
            && let Some(t) = PrimType::from_name(t).filter(|t| t.is_float())
        {
            return parse_special(t, negative, name);
        }
        let (number, t) = PrimType::split_suffix(text)?;
        parse_number(t, number)
    }
}

/// `inf`, `nan` or `nan:0x...`, of a type.
fn parse_special(t: PrimType, negative: bool, name: &str) -> Option<PrimValue> {
    let sign = if negative { -1.0 } else { 1.0 };
    if name == "inf" {
        return Some(super::eval_conv(t, PrimValue::F64(sign * f64::INFINITY)));
    }
    if negative {
        return None;
    }
    if name == "nan" {
        return Some(canonical_nan(t));
    }
    let bits = name.strip_prefix("nan:0x")?;
    if !bits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let value = PrimValue::from_bits(t, u64::from_str_radix(bits, 16).ok()?);
    // Bits above the type's width are lost by from_bits, so compare with what was written.
    let is_nan = value.as_f64().is_some_and(f64::is_nan);
    (is_nan && u64::from_str_radix(bits, 16).ok()? == value.bits()).then_some(value)
}

/// A decimal number of a type, without suffix: an integer that fits, or a float that rounds to a finite one.
pub(crate) fn parse_number(t: PrimType, text: &str) -> Option<PrimValue> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let finite = |value: PrimValue| value.as_f64().is_some_and(f64::is_finite).then_some(value);
    match t {
        PrimType::I8 => text.parse().ok().map(PrimValue::I8),
        PrimType::I16 => text.parse().ok().map(PrimValue::I16),
        PrimType::I32 => text.parse().ok().map(PrimValue::I32),
        PrimType::I64 => text.parse().ok().map(PrimValue::I64),
        PrimType::U8 => text.parse().ok().map(PrimValue::U8),
        PrimType::U16 => text.parse().ok().map(PrimValue::U16),
        PrimType::U32 => text.parse().ok().map(PrimValue::U32),
        PrimType::U64 => text.parse().ok().map(PrimValue::U64),
        PrimType::F16 => text.parse().ok().and_then(|x| finite(PrimValue::F16(math::f16_from_f64(x)))),
        PrimType::F32 => text.parse().ok().and_then(|x| finite(PrimValue::F32(x))),
        PrimType::F64 => text.parse().ok().and_then(|x| finite(PrimValue::F64(x))),
        PrimType::Bool | PrimType::Unit => None,
    }
}
