//! The modules of the primitive types: `i32.max`, `f64.sqrt`, `i64.i32`, `f32.sum`, …
//!
//! What is an operator of the machine is an intrinsic; the rest is written in the source language and checked like the
//! prelude, once per type when it is first used.

use super::Infer;
use crate::typed::{Exp, ExpKind, Instance, Intrinsic};
use crate::types::Type;
use fun_base::name::Symbol;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use fun_base::source::Span;

const UNARY: [(&str, UnOp); 48] = [
    ("neg", UnOp::Neg),
    ("not", UnOp::Not),
    ("abs", UnOp::Abs),
    ("sgn", UnOp::Sgn),
    ("popc", UnOp::Popc),
    ("clz", UnOp::Clz),
    ("ctz", UnOp::Ctz),
    ("sqrt", UnOp::Sqrt),
    ("cbrt", UnOp::Cbrt),
    ("rsqrt", UnOp::Rsqrt),
    ("exp", UnOp::Exp),
    ("exp2", UnOp::Exp2),
    ("exp10", UnOp::Exp10),
    ("expm1", UnOp::Expm1),
    ("log", UnOp::Log),
    ("log2", UnOp::Log2),
    ("log10", UnOp::Log10),
    ("log1p", UnOp::Log1p),
    ("sin", UnOp::Sin),
    ("cos", UnOp::Cos),
    ("tan", UnOp::Tan),
    ("asin", UnOp::Asin),
    ("acos", UnOp::Acos),
    ("atan", UnOp::Atan),
    ("sinh", UnOp::Sinh),
    ("cosh", UnOp::Cosh),
    ("tanh", UnOp::Tanh),
    ("asinh", UnOp::Asinh),
    ("acosh", UnOp::Acosh),
    ("atanh", UnOp::Atanh),
    ("sinpi", UnOp::Sinpi),
    ("cospi", UnOp::Cospi),
    ("tanpi", UnOp::Tanpi),
    ("asinpi", UnOp::Asinpi),
    ("acospi", UnOp::Acospi),
    ("atanpi", UnOp::Atanpi),
    ("erf", UnOp::Erf),
    ("erfc", UnOp::Erfc),
    ("gamma", UnOp::Gamma),
    ("lgamma", UnOp::Lgamma),
    ("floor", UnOp::Floor),
    ("ceil", UnOp::Ceil),
    ("trunc", UnOp::Trunc),
    ("round", UnOp::Round),
    ("isnan", UnOp::IsNan),
    ("isinf", UnOp::IsInf),
    ("signbit", UnOp::SignBit),
    ("to_bits", UnOp::ToBits),
];

const BINARY: [(&str, BinOp); 9] = [
    ("min", BinOp::Min),
    ("max", BinOp::Max),
    ("mul_hi", BinOp::MulHi),
    ("atan2", BinOp::Atan2),
    ("hypot", BinOp::Hypot),
    ("copysign", BinOp::CopySign),
    ("nextafter", BinOp::NextAfter),
    ("!=", BinOp::Ne),
    ("ldexp_whole", BinOp::Ldexp),
];

const CONSTANTS: [&str; 8] = ["highest", "lowest", "inf", "nan", "pi", "e", "epsilon", "num_bits"];

const CONVERSIONS: [&str; 3] = ["to_i32", "to_i64", "to_f64"];

/// Members written in the source language, with `T` for the type and `U` for the unsigned type of its width: name,
/// whether integers, floats have it, parameters and body.
const SOURCE: [(&str, bool, bool, &str); 15] = [
    ("sum", true, true, "[n] (xs: [n]T): T = reduce (T.+) (T.i32 0) xs"),
    ("product", true, true, "[n] (xs: [n]T): T = reduce (T.*) (T.i32 1) xs"),
    ("maximum", true, true, "[n] (xs: [n]T): T = reduce T.max T.lowest xs"),
    ("minimum", true, true, "[n] (xs: [n]T): T = reduce T.min T.highest xs"),
    ("get_bit", true, false, "(bit: i32) (x: T): i32 = i32.T ((x >> T.i32 bit) & 1)"),
    ("get_bit", false, true, "(bit: i32) (x: T): i32 = U.get_bit bit (T.to_bits x)"),
    (
        "set_bit",
        true,
        false,
        "(bit: i32) (x: T) (b: i32): T = (x & !(1 << T.i32 bit)) | (T.i32 b << T.i32 bit)",
    ),
    ("set_bit", false, true, "(bit: i32) (x: T) (b: i32): T = T.from_bits (U.set_bit bit (T.to_bits x) b)"),
    ("mad_hi", true, false, "(a: T) (b: T) (c: T): T = T.mul_hi a b + c"),
    ("mad", false, true, "(a: T) (b: T) (c: T): T = a * b + c"),
    ("lerp", false, true, "(a: T) (b: T) (t: T): T = a + (b - a) * t"),
    ("recip", false, true, "(x: T): T = 1 / x"),
    ("from_fraction", false, true, "(a: i64) (b: i64): T = T.i64 a / T.i64 b"),
    ("atan2pi", false, true, "(y: T) (x: T): T = T.atan2 y x / T.pi"),
    ("ldexp", false, true, "(x: T) (n: i32): T = T.ldexp_whole x (T.i32 n)"),
];

/// The names of a module's members, for suggestions.
pub(crate) fn member_names(t: PrimType) -> Vec<&'static str> {
    let unary = UNARY.iter().filter(|(_, op)| op.result_type(t).is_some()).map(|(name, _)| *name);
    let binary = BINARY.iter().filter(|(name, op)| op.result_type(t).is_some() && *name != "ldexp_whole");
    let symbols = super::operators::SYMBOLS.iter().filter(|(_, op)| op.result_type(t).is_some());
    let mut names: Vec<&str> =
        unary.chain(binary.map(|(name, _)| *name)).chain(symbols.map(|(name, _)| *name)).collect();
    names.extend(PrimType::NUMERIC_AND_BOOL.map(PrimType::name));
    names.extend(CONSTANTS.iter().filter(|name| constant(t, name).is_some()));
    names.extend(CONVERSIONS.iter().filter(|_| t.is_number()));
    names.extend(
        SOURCE.iter().filter(|(_, int, float, _)| *int && t.is_int() || *float && t.is_float()).map(|m| m.0),
    );
    if t.is_float() {
        names.extend(["from_bits", "fma"]);
    }
    names
}

/// The constants.
fn constant(t: PrimType, name: &str) -> Option<PrimValue> {
    let bits = t.bits();
    let float = |x: f64| match t {
        PrimType::F16 => Some(PrimValue::F16(fun_base::prim::math::f16_from_f64(x))),
        PrimType::F32 => Some(PrimValue::F32(x as f32)),
        PrimType::F64 => Some(PrimValue::F64(x)),
        _ => None,
    };
    let int = |x: i128| t.is_int().then(|| PrimValue::from_bits(t, x as u64));
    match name {
        "num_bits" if t.is_number() => Some(PrimValue::I32(bits as i32)),
        "highest" if t.is_signed() => int((1 << (bits - 1)) - 1),
        "highest" if t.is_unsigned() => int((1 << bits) - 1),
        "lowest" if t.is_signed() => int(-(1 << (bits - 1))),
        "lowest" if t.is_unsigned() => int(0),
        "highest" | "inf" => float(f64::INFINITY),
        "lowest" => float(f64::NEG_INFINITY),
        "nan" => float(f64::NAN),
        "pi" => float(std::f64::consts::PI),
        "e" => float(std::f64::consts::E),
        "epsilon" => match t {
            PrimType::F16 => float(f64::from(half_epsilon())),
            PrimType::F32 => float(f64::from(f32::EPSILON)),
            PrimType::F64 => float(f64::EPSILON),
            _ => None,
        },
        _ => None,
    }
}

/// The distance from 1 to the next `f16`.
fn half_epsilon() -> f32 {
    2f32.powi(-10)
}

impl Infer<'_> {
    /// `t.name`.
    pub(crate) fn member(&mut self, t: PrimType, name: Symbol, span: Span) -> Option<Exp> {
        let text = name.as_str();
        let prim = Type::Prim;
        let intrinsic = |intrinsic, params: &[PrimType], result: PrimType| {
            let ty = params.iter().rev().fold(prim(result), |result, p| Type::arrow(prim(*p), result));
            Some(Exp { kind: ExpKind::Intrinsic(intrinsic, Instance::default()), ty, span })
        };
        if let Some(value) = constant(t, text) {
            return Some(Exp { kind: ExpKind::Const(value), ty: prim(value.prim_type()), span });
        }
        if let Some(from) = PrimType::from_name(text)
            && from != PrimType::Unit
        {
            return intrinsic(Intrinsic::Convert(t, from), &[from], t);
        }
        let target = match text {
            "to_i32" => Some(PrimType::I32),
            "to_i64" => Some(PrimType::I64),
            "to_f64" => Some(PrimType::F64),
            _ => None,
        };
        if let (Some(to), true) = (target, t.is_number()) {
            return intrinsic(Intrinsic::Convert(to, t), &[t], to);
        }
        if text == "from_bits" && t.is_float() {
            let from = t.unsigned_of_width();
            return intrinsic(Intrinsic::Un(UnOp::FromBits, from), &[from], t);
        }
        if text == "fma" && t.is_float() {
            return intrinsic(Intrinsic::Fma(t), &[t, t, t], t);
        }
        if let Some((_, op)) = UNARY.iter().find(|(known, _)| *known == text)
            && let Some(result) = op.result_type(t)
        {
            return intrinsic(Intrinsic::Un(*op, t), &[t], result);
        }
        if let Some((_, op)) =
            super::operators::SYMBOLS.iter().chain(&BINARY).find(|(known, _)| *known == text)
            && let Some(result) = op.result_type(t)
        {
            return intrinsic(Intrinsic::Bin(*op, t), &[t, t], result);
        }
        let here = |m: &&(&str, bool, bool, &str)| m.0 == text && (m.1 && t.is_int() || m.2 && t.is_float());
        let (_, _, _, source) = SOURCE.iter().find(here)?;
        let mut definition = format!("def {text} ");
        let mut word = String::new();
        for c in source.chars().chain(['\n']) {
            if c.is_alphanumeric() || c == '_' {
                word.push(c);
                continue;
            }
            definition.push_str(match word.as_str() {
                "T" => t.name(),
                "U" => t.unsigned_of_width().name(),
                other => other,
            });
            word.clear();
            definition.push(c);
        }
        let def = self.member_definition(&format!("{t}.{text}"), &definition)?;
        Some(self.definition(def, span))
    }
}
