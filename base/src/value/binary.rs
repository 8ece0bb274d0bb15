//! Futhark's binary format: `b`, a version byte (2), the rank in a byte, a type name in four bytes, the sizes as
//! u64, then the elements in row-major order; all little-endian.

use super::reader::Problem;
use super::{ArrayData, ArrayValue, Value, shape_len};
use crate::prim::{PrimType, PrimValue};
use std::io::{self, Write};

const VERSION: u8 = 2;

/// The value at the start of `bytes`, which begin with `b`, and how many bytes it takes.
pub(super) fn read(bytes: &[u8]) -> Result<(Value, usize), Problem> {
    let truncated = || (bytes.len(), "the binary value is truncated".to_owned());
    let [b'b', version, rank, type_name @ ..] = bytes else {
        return Err(truncated());
    };
    if *version != VERSION {
        return Err((1, format!("expected version {VERSION} of the binary format, found {version}")));
    }
    let name = type_name.get(..4).ok_or_else(truncated)?;
    let t = PrimType::NUMERIC_AND_BOOL.into_iter().find(|t| type_code(*t).as_bytes() == name);
    let t = t.ok_or_else(|| (3, format!("unknown element type {:?}", String::from_utf8_lossy(name))))?;
    let mut at = 7;
    let mut shape = Vec::new();
    for _ in 0..*rank {
        let size = bytes.get(at..).and_then(|rest| rest.first_chunk()).ok_or_else(truncated)?;
        let size = u64::from_le_bytes(*size);
        shape.push(i64::try_from(size).map_err(|_| (at, format!("the size {size} is too large")))?);
        at += 8;
    }
    let total = shape_len(&shape).and_then(|n| n.checked_mul(t.bytes() as usize));
    let total = total.ok_or_else(|| (7, "the sizes are too large".to_owned()))?;
    let elements = bytes[at..].get(..total).ok_or_else(|| {
        let message = format!(
            "the binary value is truncated: {total} bytes of elements expected, {} found",
            bytes.len() - at
        );
        (bytes.len(), message)
    })?;
    let data =
        ArrayData::from_bytes(t, elements).ok_or_else(|| (at, "a bool is neither 0 nor 1".to_owned()))?;
    let value = if shape.is_empty() {
        data.get(0).map(Value::Prim).ok_or_else(truncated)?
    } else {
        ArrayValue::new(shape, data).map(Value::from).map_err(|e| (at, e.to_string()))?
    };
    Ok((value, at + total))
}

/// The name of a type in four characters, padded in front.
fn type_code(t: PrimType) -> String {
    format!("{:>4}", t.name())
}

/// Writes a value. Unit, and arrays of more than 255 dimensions, are not in the format: an error of kind
/// `InvalidInput`.
pub fn write_binary(value: &Value, out: &mut impl Write) -> io::Result<()> {
    let invalid = |message: &str| io::Error::new(io::ErrorKind::InvalidInput, message.to_owned());
    let t = value.value_type();
    if t.elem == PrimType::Unit {
        return Err(invalid("the binary format has no unit"));
    }
    let rank = u8::try_from(t.rank).map_err(|_| invalid("the binary format has at most 255 dimensions"))?;
    out.write_all(&[b'b', VERSION, rank])?;
    out.write_all(type_code(t.elem).as_bytes())?;
    for n in value.shape() {
        out.write_all(&n.to_le_bytes())?;
    }
    match value {
        Value::Prim(x) => out.write_all(&prim_bytes(*x)),
        Value::Array(a) => out.write_all(&a.data.to_bytes()),
    }
}

fn prim_bytes(x: PrimValue) -> Vec<u8> {
    x.bits().to_le_bytes()[..x.prim_type().bytes() as usize].to_vec()
}
