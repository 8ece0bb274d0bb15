//! Number literals: decimal, hexadecimal and binary integers, decimal and hexadecimal floats, with `_` between digits and
//! an optional type suffix.

use super::problem::Code;
use crate::syntax::Literal;
use fun_base::prim::{PrimType, PrimValue, eval_conv};

/// A number as it was written.
#[derive(Debug, PartialEq)]
pub(super) enum Number {
    /// A decimal integer without suffix.
    Nat(i128),
    /// Any other number.
    Literal(Literal),
}

/// Reads the number at the start of `text` (a digit); gives its length too. After a dot only a plain integer is meant: `t.0.1`.
pub(super) fn scan(text: &str, after_dot: bool) -> (usize, Result<Number, (Code, String)>) {
    let bytes = text.as_bytes();
    let digits = |from: usize, radix: u32| {
        bytes[from.min(bytes.len())..]
            .iter()
            .take_while(|b| **b == b'_' || (**b as char).is_digit(radix))
            .count()
    };
    let starts = |at: usize, radix: u32| bytes.get(at).is_some_and(|b| (*b as char).is_digit(radix));
    if after_dot {
        let end = digits(0, 10);
        return finish(text, end, &text[..end], 10, false);
    }
    let radix = match (bytes[0], bytes.get(1)) {
        (b'0', Some(b'x' | b'X')) => 16,
        (b'0', Some(b'b' | b'B')) => 2,
        _ => 10,
    };
    if radix != 10 {
        if !starts(2, radix) {
            let what = if radix == 16 { "0x needs a hexadecimal digit" } else { "0b needs a digit 0 or 1" };
            return (2, Err((Code::BadNumber, format!("{what} after it"))));
        }
        let mut end = 2 + digits(2, radix);
        if radix == 16 && bytes.get(end) == Some(&b'.') && starts(end + 1, 16) {
            let fraction_end = end + 1 + digits(end + 1, 16);
            if let Some(exponent_end) = exponent(bytes, fraction_end, b'p') {
                end = exponent_end;
                return finish(text, end, &text[..end], 16, true);
            }
        }
        return finish(text, end, &text[2..end], radix, false);
    }
    let mut end = digits(0, 10);
    let mut float = false;
    if bytes.get(end) == Some(&b'.') && starts(end + 1, 10) {
        end += 1 + digits(end + 1, 10);
        float = true;
    }
    if let Some(exponent_end) = exponent(bytes, end, b'e') {
        end = exponent_end;
        float = true;
    }
    finish(text, end, &text[..end], 10, float)
}

/// The end of the exponent that starts at `at` with this letter, if there is one.
fn exponent(bytes: &[u8], at: usize, letter: u8) -> Option<usize> {
    if bytes.get(at)?.to_ascii_lowercase() != letter {
        return None;
    }
    let from = if matches!(bytes.get(at + 1), Some(b'+' | b'-')) { at + 2 } else { at + 1 };
    // underscores belong to the exponents of hexadecimal floats only
    let digit = |b: &&u8| b.is_ascii_digit() || letter == b'p' && **b == b'_';
    let digits = bytes[from.min(bytes.len())..].iter().take_while(digit).count();
    (digits > 0).then_some(from + digits)
}

/// Reads the suffix after `end` and makes the literal of the digits.
fn finish(
    text: &str,
    end: usize,
    body: &str,
    radix: u32,
    float: bool,
) -> (usize, Result<Number, (Code, String)>) {
    let word: usize = text.as_bytes()[end..].iter().take_while(|b| super::lexer::is_name_part(**b)).count();
    let suffix = &text[end..end + word];
    let clean: String = body.chars().filter(|c| *c != '_').collect();
    let number = match PrimType::from_name(suffix).filter(|t| t.is_number()) {
        None if !suffix.is_empty() => Err((
            Code::BadNumber,
            format!(
                "`{suffix}` is not the suffix of a number; known are i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64"
            ),
        )),
        None if float => {
            float_value(&clean, radix).map(|v| Number::Literal(Literal::Float(clean.clone(), v)))
        }
        None => int_value(&clean, radix)
            .map(|v| if radix == 10 { Number::Nat(v) } else { Number::Literal(Literal::Int(v)) }),
        Some(t) if t.is_float() && (float || radix == 10) => float_prim(&clean, radix, t).map(prim),
        Some(t) if t.is_float() || float => {
            Err((Code::BadNumber, format!("a literal written like this cannot have the type {suffix}")))
        }
        Some(t) => int_value(&clean, radix).and_then(|v| int_prim(v, t, radix, &text[..end])).map(prim),
    };
    (end + word, number)
}

fn prim(value: PrimValue) -> Number {
    Number::Literal(Literal::Prim(value))
}

fn int_value(digits: &str, radix: u32) -> Result<i128, (Code, String)> {
    i128::from_str_radix(digits, radix)
        .map_err(|_| (Code::NumberOutOfRange, "this number is too large for any type".into()))
}

/// Hexadecimal and binary literals may fill all bits; of decimal ones the magnitude of the least value still passes, since
/// the sign is an operator of its own.
fn int_prim(value: i128, t: PrimType, radix: u32, text: &str) -> Result<PrimValue, (Code, String)> {
    let bits = t.bits();
    let limit: i128 = if radix != 10 || t.is_unsigned() { (1 << bits) - 1 } else { 1 << (bits - 1) };
    if value > limit {
        return Err((Code::NumberOutOfRange, format!("{text} does not fit the type {t}")));
    }
    Ok(t.of_i64(value as u64 as i64))
}

fn float_value(text: &str, radix: u32) -> Result<f64, (Code, String)> {
    if radix == 16 {
        Ok(hex_float(text))
    } else {
        text.parse().map_err(|_| (Code::BadNumber, "this is not a number".into()))
    }
}

/// The float of type `t`: decimal literals of f32 are rounded once, from the digits.
fn float_prim(text: &str, radix: u32, t: PrimType) -> Result<PrimValue, (Code, String)> {
    let value = float_value(text, radix)?;
    Ok(match t {
        PrimType::F32 if radix != 16 => PrimValue::F32(text.parse().unwrap_or(value as f32)),
        _ => eval_conv(t, PrimValue::F64(value)),
    })
}

/// `0xH.HpE`. Digits beyond the precision of an f64 only mark that something is left over, which rounds correctly.
fn hex_float(text: &str) -> f64 {
    let (mantissa, exponent) = text[2..].split_once(['p', 'P']).unwrap_or((&text[2..], "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    // exponents beyond these bounds give 0 or infinity whatever the digits
    let mut exponent: i64 =
        exponent.parse::<i64>().unwrap_or(if exponent.starts_with('-') { -1 << 40 } else { 1 << 40 });
    let mut value: u128 = 0;
    for (i, c) in whole.chars().chain(fraction.chars()).enumerate() {
        let digit = c.to_digit(16).map_or(0, u128::from);
        if value >> 120 == 0 {
            value = value << 4 | digit;
        } else {
            value |= u128::from(digit != 0);
            exponent += 4;
        }
        if i >= whole.len() {
            exponent -= 4;
        }
    }
    scale(value, exponent)
}

/// `value * 2^exponent` rounded once, to even.
fn scale(value: u128, exponent: i64) -> f64 {
    if value == 0 {
        return 0.0;
    }
    let width = 128 - i64::from(value.leading_zeros());
    let top = exponent + width;
    if top > 1024 {
        return f64::INFINITY;
    }
    if top < -1080 {
        return 0.0;
    }
    // bits that the result can hold: 53, fewer for subnormal numbers
    let precision = if top - 53 < -1074 { top + 1074 } else { 53 };
    let drop = width - precision;
    if drop <= 0 {
        return value as f64 * 2f64.powi((exponent / 2) as i32) * 2f64.powi((exponent - exponent / 2) as i32);
    }
    let (kept, rest) = if drop >= 128 { (0, value) } else { (value >> drop, value & ((1u128 << drop) - 1)) };
    let half = if drop > 128 { u128::MAX } else { 1u128 << (drop - 1) };
    let up = rest > half || (rest == half && kept & 1 == 1);
    let rounded = kept + u128::from(up);
    let shift = exponent + drop;
    rounded as f64 * 2f64.powi((shift / 2) as i32) * 2f64.powi((shift - shift / 2) as i32)
}
