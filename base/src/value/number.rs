//! Scalars of the text format: numbers with or without suffix, in decimal, hexadecimal or binary, with underscores.

use super::ValueType;
use crate::prim::{PrimType, PrimValue, eval_conv, parse_number};

/// Reads one word as a scalar; `want` is the type that is expected, if any. Without suffix and without expectation,
/// whole numbers are i32 and others f64. The error is a message for the user.
pub(super) fn parse_scalar(word: &[u8], want: Option<PrimType>) -> Result<PrimValue, String> {
    if let Some(value) = want.and_then(|t| parse_plain_int(word, t).or_else(|| parse_plain_float(word, t))) {
        return Ok(value);
    }
    let text =
        std::str::from_utf8(word).map_err(|_| format!("expected a value, found `{}`", shorten(word)))?;
    let value = match text {
        "true" => PrimValue::Bool(true),
        "false" => PrimValue::Bool(false),
        "()" => PrimValue::Unit,
        _ => parse_word(text, want)?,
    };
    match want {
        Some(t) if t != value.prim_type() => Err(format!(
            "expected {}, found `{}` of type {}",
            ValueType::scalar(t),
            shorten(word),
            value.prim_type()
        )),
        _ => Ok(value),
    }
}

/// The most common case, quickly: few decimal digits with the expected integer suffix or none.
fn parse_plain_int(word: &[u8], t: PrimType) -> Option<PrimValue> {
    if !t.is_int() {
        return None;
    }
    let (negative, digits) = word.strip_prefix(b"-").map_or((false, word), |rest| (true, rest));
    let end = digits.iter().position(|b| !b.is_ascii_digit()).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    if !(1..=18).contains(&end) || !(suffix.is_empty() || suffix == t.name().as_bytes()) {
        return None;
    }
    let magnitude = digits.iter().fold(0i64, |n, digit| n * 10 + i64::from(digit - b'0'));
    of_int(t, (if negative { -magnitude } else { magnitude }).into())
}

/// The same for decimal fractions.
fn parse_plain_float(word: &[u8], t: PrimType) -> Option<PrimValue> {
    if !t.is_float() {
        return None;
    }
    let body = word.strip_suffix(t.name().as_bytes()).unwrap_or(word);
    let plain = |b: &u8| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'-' | b'+');
    // What is not a number, or overflows, is left to the general case to explain.
    if body.iter().all(plain) { parse_number(t, std::str::from_utf8(body).ok()?) } else { None }
}

fn of_int(t: PrimType, n: i128) -> Option<PrimValue> {
    match t {
        PrimType::I8 => n.try_into().ok().map(PrimValue::I8),
        PrimType::I16 => n.try_into().ok().map(PrimValue::I16),
        PrimType::I32 => n.try_into().ok().map(PrimValue::I32),
        PrimType::I64 => n.try_into().ok().map(PrimValue::I64),
        PrimType::U8 => n.try_into().ok().map(PrimValue::U8),
        PrimType::U16 => n.try_into().ok().map(PrimValue::U16),
        PrimType::U32 => n.try_into().ok().map(PrimValue::U32),
        PrimType::U64 => n.try_into().ok().map(PrimValue::U64),
        PrimType::F16 | PrimType::F32 | PrimType::F64 | PrimType::Bool | PrimType::Unit => None,
    }
}

/// A literal as [`PrimValue`] displays it, or a number in any notation.
fn parse_word(text: &str, want: Option<PrimType>) -> Result<PrimValue, String> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let unreadable = || format!("expected a value, found `{}`", shorten(text.as_bytes()));
    if !unsigned.starts_with(|c: char| c.is_ascii_digit()) {
        // f32.nan, -f64.inf
        return PrimValue::parse(text).ok_or_else(unreadable);
    }
    let radix = match unsigned.get(..2) {
        Some("0x" | "0X") => 16,
        Some("0b" | "0B") => 2,
        _ => 10,
    };
    let hex_float = radix == 16 && unsigned.contains(['p', 'P']);
    let suffix_start = if radix == 16 && !hex_float {
        text.find(['i', 'u'])
    } else if hex_float {
        text.find(['p', 'P']).and_then(|p| text[p..].find('f').map(|at| p + at))
    } else {
        text.find(['i', 'u', 'f'])
    };
    let (body, suffix) = text.split_at(suffix_start.unwrap_or(text.len()));
    let suffix = match suffix {
        "" => None,
        name => Some(PrimType::from_name(name).filter(|t| t.is_number()).ok_or_else(unreadable)?),
    };
    let fractional = hex_float || (radix == 10 && body.contains(['.', 'e', 'E']));
    let natural = if fractional { PrimType::F64 } else { PrimType::I32 };
    let t = suffix.or(want.filter(|t| t.is_number())).unwrap_or(natural);
    if fractional && t.is_int() {
        return Err(format!("expected {t}, found the fractional number `{}`", shorten(text.as_bytes())));
    }
    let body = if body.contains('_') { body.replace('_', "") } else { body.to_owned() };
    if radix == 10 && !fractional && !body.trim_start_matches('-').bytes().all(|b| b.is_ascii_digit()) {
        return Err(unreadable());
    }
    let value = if hex_float {
        let exact = parse_hex_float(&body).ok_or_else(unreadable)?;
        Some(eval_conv(t, PrimValue::F64(exact))).filter(|x| x.as_f64().is_some_and(f64::is_finite))
    } else if radix == 10 {
        parse_number(t, &body)
    } else {
        let digits = body.trim_start_matches('-').get(2..).unwrap_or_default();
        if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
            return Err(unreadable());
        }
        let magnitude = i128::from_str_radix(digits, radix).ok();
        let n = magnitude.map(|n| if body.starts_with('-') { -n } else { n });
        // As a float, a hexadecimal integer counts by its value.
        n.and_then(|n| if t.is_float() { parse_number(t, &n.to_string()) } else { of_int(t, n) })
    };
    // What says its type is cut down to it.
    let value = value.or_else(|| if suffix.is_some() { wrapped(t, &body, radix, fractional) } else { None });
    if value.is_none() && fractional && !hex_float && body.parse::<f64>().is_err() {
        return Err(unreadable());
    }
    value.ok_or_else(|| format!("`{}` does not fit {t}", shorten(text.as_bytes())))
}

/// An integer that is too large for its type, by its lowest bits; a float that is too large, as infinity.
fn wrapped(t: PrimType, body: &str, radix: u32, fractional: bool) -> Option<PrimValue> {
    if t.is_float() {
        let value =
            if radix == 10 { body.parse().ok()? } else { parse_hex_float(body).filter(|_| fractional)? };
        return Some(eval_conv(t, PrimValue::F64(value)));
    }
    let (negative, digits) = body.strip_prefix('-').map_or((false, body), |rest| (true, rest));
    let digits = if radix == 10 { digits } else { digits.get(2..)? };
    let magnitude = i128::from_str_radix(digits, radix).ok()?;
    Some(PrimValue::from_bits(t, (if negative { -magnitude } else { magnitude }) as u64))
}

/// `0x1.8p-3`. `None` where it is malformed or has more digits than a f64 holds exactly.
fn parse_hex_float(text: &str) -> Option<f64> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (mantissa, exponent) = text.get(2..)?.split_once(['p', 'P'])?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let mantissa = u64::from_str_radix(&digits, 16).ok()?;
    let exponent =
        exponent.parse::<i32>().ok()?.checked_sub(i32::try_from(fraction.len()).ok()?.checked_mul(4)?)?;
    if mantissa != 0 && mantissa.ilog2() - mantissa.trailing_zeros() > 52 {
        return None;
    }
    let magnitude = libm::ldexp(mantissa as f64, exponent);
    Some(if negative { -magnitude } else { magnitude })
}

/// At most the first 30 bytes of a word, for messages.
pub(super) fn shorten(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(&word[..word.len().min(30)]).into_owned();
    if word.len() > 30 { text + "..." } else { text }
}
