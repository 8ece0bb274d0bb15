//! Types and constants in C.

use fun_base::prim::{PrimType, PrimValue};

/// The C type of scalars. `f16` is held as its bits; unit as a zero.
pub(crate) fn c_type(ty: PrimType) -> &'static str {
    match ty {
        PrimType::I8 => "int8_t",
        PrimType::I16 => "int16_t",
        PrimType::I32 => "int32_t",
        PrimType::I64 => "int64_t",
        PrimType::U8 | PrimType::Unit => "uint8_t",
        PrimType::U16 | PrimType::F16 => "uint16_t",
        PrimType::U32 => "uint32_t",
        PrimType::U64 => "uint64_t",
        PrimType::F32 => "float",
        PrimType::F64 => "double",
        PrimType::Bool => "bool",
    }
}

/// What the names of helpers call the type.
pub(crate) fn short(ty: PrimType) -> &'static str {
    match ty {
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

/// A constant, and whether it needs parentheses as an operand.
pub(crate) fn constant(value: PrimValue) -> (String, bool) {
    match value {
        PrimValue::I8(x) => signed(x.into()),
        PrimValue::I16(x) => signed(x.into()),
        PrimValue::I32(x) => signed(x.into()),
        PrimValue::I64(x) => signed(x),
        PrimValue::U8(x) => (x.to_string(), false),
        PrimValue::U16(x) => (x.to_string(), false),
        PrimValue::U32(x) => (format!("{x}u"), false),
        PrimValue::U64(x) => (format!("UINT64_C({x})"), false),
        PrimValue::F16(x) => (format!("{:#06x} /* {x:?} */", x.to_bits()), true),
        PrimValue::F32(x) => float(f64::from(x), &format!("{x:?}f"), "(float)", &|| {
            let canonical = x.to_bits() & 0x7fff_ffff == 0x7fc0_0000;
            (!canonical).then(|| format!("f32_of_bits({:#x}u)", x.to_bits()))
        }),
        PrimValue::F64(x) => float(x, &format!("{x:?}"), "(double)", &|| {
            let canonical = x.to_bits() & 0x7fff_ffff_ffff_ffff == 0x7ff8_0000_0000_0000;
            (!canonical).then(|| format!("f64_of_bits(UINT64_C({:#x}))", x.to_bits()))
        }),
        PrimValue::Bool(x) => (x.to_string(), false),
        PrimValue::Unit => ("0".to_owned(), false),
    }
}

/// The type is that of the context, or wider: where that matters, operands are arguments of helpers.
fn signed(x: i64) -> (String, bool) {
    match x {
        i64::MIN => ("INT64_MIN".to_owned(), false),
        _ if x == i64::from(i32::MIN) => ("INT32_MIN".to_owned(), false),
        _ if i32::try_from(x).is_ok() => (x.to_string(), x < 0),
        _ => (format!("INT64_C({x})"), false),
    }
}

/// `text` is the shortest decimal that reads back to the same number. `odd_nan` gives a NaN that C's macro does not.
fn float(x: f64, text: &str, cast: &str, odd_nan: &dyn Fn() -> Option<String>) -> (String, bool) {
    let sign = if x.is_sign_negative() { "-" } else { "" };
    if x.is_nan() {
        return match odd_nan() {
            Some(text) => (text, false),
            None => (format!("{sign}{cast}NAN"), true),
        };
    }
    if x.is_infinite() {
        return (format!("{sign}{cast}INFINITY"), true);
    }
    (text.to_owned(), x.is_sign_negative())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_read_back() {
        let text = |value| constant(value).0;
        assert_eq!(text(PrimValue::I64(i64::MIN)), "INT64_MIN");
        assert_eq!(text(PrimValue::I64(1 << 40)), "INT64_C(1099511627776)");
        assert_eq!(text(PrimValue::I32(-5)), "-5");
        assert_eq!(text(PrimValue::U64(5)), "UINT64_C(5)");
        assert_eq!(text(PrimValue::F32(0.1)), "0.1f");
        assert_eq!(text(PrimValue::F32(1e20)), "1e20f");
        assert_eq!(text(PrimValue::F64(-0.0)), "-0.0");
        assert_eq!(text(PrimValue::F64(f64::NEG_INFINITY)), "-(double)INFINITY");
        assert_eq!(text(PrimValue::F32(f32::from_bits(0x7fc0_0001))), "f32_of_bits(0x7fc00001u)");
    }
}
