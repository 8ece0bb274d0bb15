//! Helpers on integers and bools.

use crate::types::{c_type, short};
use fun_base::prim::PrimType;

/// The text of the helper of this name, if it is one of these.
pub(super) fn text(name: &str) -> Option<String> {
    let (operator, suffix) = name.rsplit_once('_')?;
    let ty = PrimType::NUMERIC_AND_BOOL.into_iter().find(|ty| short(*ty) == suffix)?;
    let body = match ty {
        _ if ty.is_int() => integer(operator, ty)?,
        PrimType::Bool => comparison(operator)?,
        _ => return None,
    };
    let result = match operator {
        "lt" | "le" | "gt" | "ge" | "eq" | "ne" => "bool",
        "popc" | "clz" | "ctz" => "int32_t",
        _ => "$T",
    };
    let one_operand = matches!(operator, "neg" | "not" | "abs" | "sgn" | "popc" | "clz" | "ctz");
    let parameters = if one_operand { "$T x" } else { "$T x, $T y" };
    let text = format!("FUN_HELPER {result} {name}({parameters}) {{\n{body}}}\n\n");
    let unsigned = ty.unsigned_of_width();
    // narrow types are promoted to int, whose products may overflow
    let work = if ty.bits() > 32 { "uint64_t" } else { "uint32_t" };
    let text = text.replace("$T", c_type(ty)).replace("$t", short(ty)).replace("$U", c_type(unsigned));
    Some(text.replace("$W", work).replace("$BITS", &ty.bits().to_string()))
}

fn comparison(operator: &str) -> Option<String> {
    let symbol = match operator {
        "lt" => "<",
        "le" => "<=",
        "gt" => ">",
        "ge" => ">=",
        "eq" => "==",
        "ne" => "!=",
        _ => return None,
    };
    Some(format!("    return x {symbol} y;\n"))
}

fn integer(operator: &str, ty: PrimType) -> Option<String> {
    let signed = ty.is_signed();
    let text = match operator {
        "add" => "    return ($T)(($W)x + ($W)y);\n",
        "sub" => "    return ($T)(($W)x - ($W)y);\n",
        "mul" => "    return ($T)(($W)x * ($W)y);\n",
        "neg" => "    return ($T)(0 - ($W)x);\n",
        "not" => "    return ($T)~x;\n",
        "abs" if signed => "    return x < 0 ? ($T)(0 - ($W)x) : x;\n",
        "sgn" if signed => "    return (x > 0) - (x < 0);\n",
        "sgn" => "    return x != 0;\n",
        // the divisor is not 0; the one quotient that overflows has divisor -1
        "quot" if signed => "    return y == -1 ? ($T)(0 - ($W)x) : ($T)(x / y);\n",
        "rem" if signed => "    return y == -1 ? 0 : ($T)(x % y);\n",
        "div" if signed => {
            "    if (y == -1) {\n        return ($T)(0 - ($W)x);\n    }\n    \
             const $T quotient = ($T)(x / y), rest = ($T)(x % y);\n    \
             return ($T)(quotient - ((rest != 0) & ((rest ^ y) < 0)));\n"
        }
        "mod" if signed => {
            // (signs are guessed wrongly half of the time)
            "    const $T rest = y == -1 ? 0 : ($T)(x % y);\n    \
             return ($T)(rest + (y & -($T)((rest != 0) & ((rest ^ y) < 0))));\n"
        }
        // by a constant above 0: ⌊x / y⌋ = ~⌊~x / y⌋, so that negative numbers need no correction
        "div_positive" if signed => {
            "    const $T sign = ($T)(x >> ($BITS - 1));\n    \
             return ($T)((($U)(x ^ sign) / ($U)y) ^ ($U)sign);\n"
        }
        "mod_positive" if signed => {
            "    const $T sign = ($T)(x >> ($BITS - 1));\n    \
             return ($T)(((($U)(x ^ sign) % ($U)y) ^ ($U)sign) + (($U)y & ($U)sign));\n"
        }
        // the exponent is not negative
        "pow" => {
            "    $W result = 1, base = ($W)x;\n    for ($U rest = ($U)y; rest != 0; rest >>= 1) {\n        \
             if (rest & 1) {\n            result *= base;\n        }\n        base *= base;\n    }\n    \
             return ($T)result;\n"
        }
        "min" => "    return x < y ? x : y;\n",
        "max" => "    return x > y ? x : y;\n",
        "shl" => "    return ($U)y < $BITS ? ($T)(($W)x << ($U)y) : 0;\n",
        "shr" if signed => "    return ($T)(x >> (($U)y < $BITS ? ($U)y : $BITS - 1));\n",
        "shr" | "lshr" => "    return ($U)y < $BITS ? ($T)(($U)x >> ($U)y) : 0;\n",
        "mul_hi" => match ty {
            PrimType::I64 => "    return (int64_t)(((__int128)x * y) >> 64);\n",
            PrimType::U64 => "    return (uint64_t)(((unsigned __int128)x * y) >> 64);\n",
            _ if signed => "    return ($T)(((int64_t)x * y) >> $BITS);\n",
            _ => "    return ($T)(((uint64_t)x * y) >> $BITS);\n",
        },
        "popc" => "    return __builtin_popcountll(($U)x);\n",
        "clz" => "    return x == 0 ? $BITS : __builtin_clzll(($U)x) - (64 - $BITS);\n",
        "ctz" => "    return x == 0 ? $BITS : __builtin_ctzll(($U)x);\n",
        _ => return comparison(operator),
    };
    Some(text.to_owned())
}
