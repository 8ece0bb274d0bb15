//! Helpers on floats, and conversions from them. `f16` is held as its bits, computed as `float` and rounded.

use crate::types::{c_type, short};
use fun_base::prim::{BinOp, PrimType, UnOp};

/// The function of an elementary operator on `f32` or `f64`: C's, or a helper.
pub(crate) fn unary_function(op: UnOp, ty: PrimType) -> Option<String> {
    let of_c = |name: &str| Some(if ty == PrimType::F32 { format!("{name}f") } else { name.to_owned() });
    match op {
        UnOp::Abs => of_c("fabs"),
        UnOp::Sqrt => of_c("sqrt"),
        UnOp::Cbrt => of_c("cbrt"),
        UnOp::Exp => Some(format!("exp_{}", short(ty))),
        UnOp::Exp2 => of_c("exp2"),
        UnOp::Exp10 => of_c("exp10"),
        UnOp::Expm1 => of_c("expm1"),
        UnOp::Log => Some(format!("log_{}", short(ty))),
        UnOp::Log2 => of_c("log2"),
        UnOp::Log10 => of_c("log10"),
        UnOp::Log1p => of_c("log1p"),
        UnOp::Sin => of_c("sin"),
        UnOp::Cos => of_c("cos"),
        UnOp::Tan => of_c("tan"),
        UnOp::Asin => of_c("asin"),
        UnOp::Acos => of_c("acos"),
        UnOp::Atan => of_c("atan"),
        UnOp::Sinh => of_c("sinh"),
        UnOp::Cosh => of_c("cosh"),
        UnOp::Tanh => Some(format!("tanh_{}", short(ty))),
        UnOp::Asinh => of_c("asinh"),
        UnOp::Acosh => of_c("acosh"),
        UnOp::Atanh => of_c("atanh"),
        UnOp::Erf => of_c("erf"),
        UnOp::Erfc => of_c("erfc"),
        UnOp::Gamma => of_c("tgamma"),
        UnOp::Lgamma => of_c("lgamma"),
        UnOp::Floor => of_c("floor"),
        UnOp::Ceil => of_c("ceil"),
        UnOp::Trunc => of_c("trunc"),
        // ties to even: nothing changes the rounding mode
        UnOp::Round => of_c("rint"),
        UnOp::Sgn => Some(format!("sgn_{}", short(ty))),
        UnOp::Rsqrt => Some(format!("rsqrt_{}", short(ty))),
        UnOp::Sinpi => Some(format!("sinpi_{}", short(ty))),
        UnOp::Cospi => Some(format!("cospi_{}", short(ty))),
        UnOp::Tanpi => Some(format!("tanpi_{}", short(ty))),
        UnOp::Asinpi => Some(format!("asinpi_{}", short(ty))),
        UnOp::Acospi => Some(format!("acospi_{}", short(ty))),
        UnOp::Atanpi => Some(format!("atanpi_{}", short(ty))),
        UnOp::Neg | UnOp::Not | UnOp::Popc | UnOp::Clz | UnOp::Ctz | UnOp::FromBits => None,
        UnOp::IsNan | UnOp::IsInf | UnOp::SignBit | UnOp::ToBits => None,
    }
}

/// The function of an operator on two `f32` or `f64` that is no operator of C.
pub(crate) fn binary_function(op: BinOp, ty: PrimType) -> Option<String> {
    let of_c = |name: &str| Some(if ty == PrimType::F32 { format!("{name}f") } else { name.to_owned() });
    match op {
        BinOp::Mod => of_c("fmod"),
        BinOp::Pow => of_c("pow"),
        BinOp::Atan2 => of_c("atan2"),
        BinOp::Hypot => of_c("hypot"),
        BinOp::CopySign => of_c("copysign"),
        BinOp::NextAfter => of_c("nextafter"),
        BinOp::Min => Some(format!("min_{}", short(ty))),
        BinOp::Max => Some(format!("max_{}", short(ty))),
        BinOp::Ldexp => Some(format!("ldexp_{}", short(ty))),
        BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div => None,
        BinOp::Quot | BinOp::Rem | BinOp::And | BinOp::Or | BinOp::Xor => None,
        BinOp::Shl | BinOp::Shr | BinOp::ShrLogical | BinOp::MulHi => None,
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => None,
    }
}

/// The text of the helper of this name, if it is one of these.
pub(super) fn text(name: &str) -> Option<String> {
    if let Some(text) = fixed(name) {
        return Some(text.to_owned());
    }
    if let Some((to, from)) = name.split_once("_of_") {
        let ty = |name| PrimType::NUMERIC_AND_BOOL.into_iter().find(|ty| short(*ty) == name);
        return to_integer(ty(to)?, ty(from)?);
    }
    let (operator, suffix) = name.rsplit_once('_')?;
    let (ty, end) = match suffix {
        "f32" => (PrimType::F32, "f"),
        "f64" => (PrimType::F64, ""),
        _ => return None,
    };
    let text = match operator {
        // the number where one operand is NaN; -0 is below 0
        "min" => {
            "FUN_HELPER $T min_$t($T x, $T y) {\n    \
             return (x < y) | (y != y) | ((x == y) & (signbit(x) != 0)) ? x : y;\n}\n\n"
        }
        "max" => {
            "FUN_HELPER $T max_$t($T x, $T y) {\n    \
             return (x > y) | (y != y) | ((x == y) & (signbit(x) == 0)) ? x : y;\n}\n\n"
        }
        // the same of hosts, one at a time: one instruction where numbers differ, as they mostly do, rather than a branch that data decide
        "min_alone" => {
            "FUN_HELPER $T min_alone_$t($T x, $T y) {\n    \
             if (__builtin_expect(islessgreater(x, y), 1)) {\n        return x < y ? x : y;\n    }\n    \
             return (y != y) | ((x == y) & (signbit(x) != 0)) ? x : y;\n}\n\n"
        }
        "max_alone" => {
            "FUN_HELPER $T max_alone_$t($T x, $T y) {\n    \
             if (__builtin_expect(islessgreater(x, y), 1)) {\n        return x > y ? x : y;\n    }\n    \
             return (y != y) | ((x == y) & (signbit(x) == 0)) ? x : y;\n}\n\n"
        }
        // the same in vectors: of two numbers that are equal only those of -0 and 0 have different bits
        "min_in_vectors" => return Some(extreme_in_vectors(ty, "<", "|")),
        "max_in_vectors" => return Some(extreme_in_vectors(ty, ">", "&")),
        // the same with a number whose sign is known (`bounded.rs`)
        "at_most" => "FUN_HELPER $T at_most_$t($T x, $T most) {\n    return x < most ? x : most;\n}\n\n",
        "at_least" => "FUN_HELPER $T at_least_$t($T x, $T least) {\n    return x > least ? x : least;\n}\n\n",
        "sgn" => {
            "FUN_HELPER $T sgn_$t($T x) {\n    \
             return x > 0 ? ($T)1 : x < 0 ? -($T)1 : x != x ? x : ($T)0;\n}\n\n"
        }
        "rsqrt" => "FUN_HELPER $T rsqrt_$t($T x) {\n    return 1 / sqrt$e(x);\n}\n\n",
        "ldexp" => "FUN_HELPER $T ldexp_$t($T x, $T y) {\n    return ldexp$e(x, i32_of_$t(y));\n}\n\n",
        _ => return None,
    };
    Some(text.replace("$T", c_type(ty)).replace("$t", short(ty)).replace("$e", end))
}

/// The lesser or greater of two numbers without branches, by a comparison and what bits of equal numbers combine to.
fn extreme_in_vectors(ty: PrimType, compare: &str, combine: &str) -> String {
    let (name, c, t) = (if compare == "<" { "min" } else { "max" }, c_type(ty), short(ty));
    format!(
        "FUN_HELPER {c} {name}_in_vectors_{t}({c} x, {c} y) {{\n    \
         const {c} one = x {compare} y ? x : y, other = y {compare} x ? y : x;\n    \
         const {c} number = {t}_of_bits({t}_bits(one) {combine} {t}_bits(other));\n    \
         return y != y ? x : x != x ? y : number;\n}}\n\n"
    )
}

/// To the nearest number of an integer type, of NaN and infinities 0; an unsigned integer of a negative number has the bits of the
/// signed one.
fn to_integer(to: PrimType, from: PrimType) -> Option<String> {
    if !to.is_int() || !matches!(from, PrimType::F32 | PrimType::F64) {
        return None;
    }
    let end = if from == PrimType::F32 { "f" } else { "" };
    let bits = to.bits();
    // without branches, so that loops run in vectors; C leaves undefined what is converted and does not fit
    let narrow = bits <= 16 || bits == 32 && from == PrimType::F64;
    let text = if narrow {
        // the type of the operand has both ends exactly, so that what does not fit is one of them
        let low = -2f64.powi(bits as i32 - 1);
        let high = if to.is_signed() { -low - 1.0 } else { -2.0 * low - 1.0 };
        let wide = if to == PrimType::U32 { "int64_t" } else { "int32_t" };
        format!(
            "FUN_HELPER $T $n_of_$m($F x) {{\n    \
             const $F finite = fabs{end}(x) < ($F)INFINITY ? x : 0;\n    \
             const $F low = finite < {low:?}{end} ? {low:?}{end} : finite;\n    \
             return ($T)({wide})(low > {high:?}{end} ? {high:?}{end} : low);\n}}\n\n"
        )
    } else if to.is_signed() {
        let bound = 2f64.powi(bits as i32 - 1);
        format!(
            "FUN_HELPER $T $n_of_$m($F x) {{\n    \
             const bool fits = fabs{end}(x) < {bound:?}{end};\n    \
             const $T inside = ($T)(fits ? x : 0), beyond = x > 0 ? INT{bits}_MAX : INT{bits}_MIN;\n    \
             return fits ? inside : fabs{end}(x) < ($F)INFINITY ? beyond : 0;\n}}\n\n"
        )
    } else {
        let bound = 2f64.powi(bits as i32);
        format!(
            "FUN_HELPER $T $n_of_$m($F x) {{\n    \
             const bool fits = (x >= 0) & (x < {bound:?}{end});\n    \
             const $T inside = ($T)(fits ? x : 0);\n    \
             const bool beyond = (x > 0) & (x < ($F)INFINITY);\n    \
             return fits ? inside : beyond ? UINT{bits}_MAX : ($T)i{bits}_of_$m(x);\n}}\n\n"
        )
    };
    let text = text.replace("$T", c_type(to)).replace("$F", c_type(from));
    Some(text.replace("$n", short(to)).replace("$m", short(from)))
}

fn fixed(name: &str) -> Option<&'static str> {
    Some(match name {
        "f32_bits" => {
            "FUN_HELPER uint32_t f32_bits(float x) {\n    uint32_t bits;\n    \
             memcpy(&bits, &x, sizeof bits);\n    return bits;\n}\n\n"
        }
        "f64_bits" => {
            "FUN_HELPER uint64_t f64_bits(double x) {\n    uint64_t bits;\n    \
             memcpy(&bits, &x, sizeof bits);\n    return bits;\n}\n\n"
        }
        "f32_of_bits" => {
            "FUN_HELPER float f32_of_bits(uint32_t bits) {\n    float x;\n    \
             memcpy(&x, &bits, sizeof x);\n    return x;\n}\n\n"
        }
        "f64_of_bits" => {
            "FUN_HELPER double f64_of_bits(uint64_t bits) {\n    double x;\n    \
             memcpy(&x, &bits, sizeof x);\n    return x;\n}\n\n"
        }
        "f32_of_f16" => {
            "FUN_HELPER float f32_of_f16(uint16_t x) {\n    \
             const uint32_t sign = (uint32_t)(x & 0x8000) << 16, size = (uint32_t)(x & 0x7fff) << 13;\n    \
             if (size >= 0x0f800000) {\n        return f32_of_bits(sign | 0x70000000 | size);\n    }\n    \
             /* the exponent has another bias; exact, also below the normal numbers */\n    \
             return f32_of_bits(sign | f32_bits(f32_of_bits(size) * 0x1p112f));\n}\n\n"
        }
        "f16_of_f32" => {
            "FUN_HELPER uint16_t f16_of_f32(float x) {\n    \
             const uint32_t sign = f32_bits(x) >> 16 & 0x8000, size = f32_bits(x) & 0x7fffffff;\n    \
             if (size > 0x7f800000) {\n        return (uint16_t)(sign | 0x7e00 | (size >> 13 & 0x3ff));\n    }\n    \
             if (size >= 0x477ff000) {\n        return (uint16_t)(sign | 0x7c00);\n    }\n    \
             if (size < 0x38800000) {\n        /* the last bit of numbers near 0.5 is that of the smallest ones */\n        \
             return (uint16_t)(sign | (f32_bits(f32_of_bits(size) + 0.5f) - 0x3f000000));\n    }\n    \
             return (uint16_t)(sign | ((size + 0xfff + (size >> 13 & 1) - 0x38000000) >> 13));\n}\n\n"
        }
        "f16_of_f64" => {
            "FUN_HELPER uint16_t f16_of_f64(double x) {\n    const float near = (float)x;\n    \
             const double wide = near;\n    if (wide == x || x != x) {\n        return f16_of_f32(near);\n    }\n    \
             /* rounded to odd, so that the second rounding sees on which side of a tie x is */\n    \
             const uint32_t bits = f32_bits(near) - (fabs(wide) > fabs(x));\n    \
             return f16_of_f32(f32_of_bits(bits | 1));\n}\n\n"
        }
        "fma_f16" => {
            "FUN_HELPER uint16_t fma_f16(uint16_t x, uint16_t y, uint16_t z) {\n    \
             /* the product is exact; the sum is rounded to odd for the second rounding */\n    \
             const double product = (double)f32_of_f16(x) * (double)f32_of_f16(y), c = f32_of_f16(z);\n    \
             const double sum = product + c, shifted = sum - product;\n    \
             const double error = (product - (sum - shifted)) + (c - shifted);\n    \
             const uint64_t bits = f64_bits(sum);\n    \
             if (error != 0 && isfinite(sum) && (bits & 1) == 0) {\n        \
             return f16_of_f64(f64_of_bits((error > 0) == (sum > 0) ? bits + 1 : bits - 1));\n    }\n    \
             return f16_of_f64(sum);\n}\n\n"
        }
        "nextafter_f16" => {
            "FUN_HELPER uint16_t nextafter_f16(uint16_t x, uint16_t y) {\n    \
             const float a = f32_of_f16(x), b = f32_of_f16(y);\n    \
             if (a != a || b != b) {\n        return 0x7e00;\n    }\n    if (a == b) {\n        return y;\n    }\n    \
             if (a == 0) {\n        return (uint16_t)((y & 0x8000) | 1);\n    }\n    \
             return (uint16_t)((a < b) == ((x & 0x8000) == 0) ? x + 1 : x - 1);\n}\n\n"
        }
        _ => return None,
    })
}
