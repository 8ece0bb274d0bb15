//! NumPy's `.npy` files. The header is npyz's business; elements are read in both byte orders and both array
//! orders, and written little-endian in row-major order.

use super::{ArrayData, ArrayValue, Value, shape_len};
use crate::prim::{PrimType, PrimValue};
use npyz::{DType, Endianness, NpyHeader, Order, TypeChar, WriterBuilder};
use std::io;

/// Longest header accepted: real ones have some hundred bytes.
const MAX_HEADER: usize = 1 << 16;

/// The value of a whole file. The error is a message for the user.
pub fn read_npy(bytes: &[u8]) -> Result<Value, String> {
    let (value, length) = read_prefix(bytes)?;
    if length < bytes.len() {
        return Err(format!("{} bytes follow the array", bytes.len() - length));
    }
    Ok(value)
}

/// The value at the start of `bytes`, and how many bytes it takes.
pub(super) fn read_prefix(bytes: &[u8]) -> Result<(Value, usize), String> {
    check_header(bytes)?;
    let mut rest = bytes;
    let header =
        NpyHeader::from_reader(&mut rest).map_err(|e| format!("not a .npy file that can be read: {e}"))?;
    let (t, endianness) = element_type(&header.dtype())?;
    let shape: Option<Vec<i64>> = header.shape().iter().map(|n| i64::try_from(*n).ok()).collect();
    let shape = shape.ok_or("the array is too large")?;
    let total =
        shape_len(&shape).and_then(|n| n.checked_mul(t.bytes() as usize)).ok_or("the array is too large")?;
    let elements = rest.get(..total).ok_or_else(|| {
        format!("the file is truncated: {total} bytes of elements expected, {} found", rest.len())
    })?;
    let width = t.bytes() as usize;
    let mut swapped;
    let mut elements = elements;
    if endianness == Endianness::Big && width > 1 {
        swapped = elements.to_vec();
        swapped.chunks_exact_mut(width).for_each(<[u8]>::reverse);
        elements = &swapped;
    }
    let reordered;
    if header.order() == Order::Fortran && shape.len() > 1 {
        reordered = row_major(elements, &shape, width);
        elements = &reordered;
    }
    let data = ArrayData::from_bytes(t, elements).ok_or("a bool is neither 0 nor 1")?;
    let length = bytes.len() - rest.len() + total;
    let value = if shape.is_empty() {
        Value::Prim(data.get(0).ok_or("the file is truncated")?)
    } else {
        ArrayValue::new(shape, data).map_err(|e| e.to_string())?.into()
    };
    Ok((value, length))
}

/// Refuses headers that npyz would recurse deeply on, allocate much for, or overflow on.
fn check_header(bytes: &[u8]) -> Result<(), String> {
    if !bytes.starts_with(b"\x93NUMPY") {
        return Err("not a .npy file".to_owned());
    }
    let (length, start) = match bytes {
        [_, _, _, _, _, _, 1, _, a, b, ..] => (usize::from(u16::from_le_bytes([*a, *b])), 10),
        [_, _, _, _, _, _, 2 | 3, _, a, b, c, d, ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, 12),
        [_, _, _, _, _, _, version, _, ..] => {
            return Err(format!("unknown version {version} of the .npy format"));
        }
        _ => return Err("the .npy header is truncated".to_owned()),
    };
    let header = bytes[start..].get(..length).ok_or("the .npy header is truncated")?;
    let brackets = header.iter().filter(|b| matches!(b, b'(' | b'[' | b'{')).count();
    if length > MAX_HEADER || brackets > 16 {
        return Err("the .npy header is not of a plain array".to_owned());
    }
    // Whatever numbers there are, sizes among them, multiply to something small.
    let mut product: i64 = 1;
    for number in header.split(|b| !b.is_ascii_digit()).filter(|digits| !digits.is_empty()) {
        let number = std::str::from_utf8(number).ok().and_then(|digits| digits.parse::<i64>().ok());
        let next = number.and_then(|n| product.checked_mul(n.max(1))).filter(|n| *n < 1 << 60);
        product = next.ok_or("the array is too large")?;
    }
    Ok(())
}

fn element_type(dtype: &DType) -> Result<(PrimType, Endianness), String> {
    let unknown = || format!("arrays of {} have no counterpart here", dtype.descr());
    let DType::Plain(t) = dtype else {
        return Err(unknown());
    };
    let elem = match (t.type_char(), t.size_field()) {
        (TypeChar::Bool, 1) => PrimType::Bool,
        (TypeChar::Int, 1) => PrimType::I8,
        (TypeChar::Int, 2) => PrimType::I16,
        (TypeChar::Int, 4) => PrimType::I32,
        (TypeChar::Int, 8) => PrimType::I64,
        (TypeChar::Uint, 1) => PrimType::U8,
        (TypeChar::Uint, 2) => PrimType::U16,
        (TypeChar::Uint, 4) => PrimType::U32,
        (TypeChar::Uint, 8) => PrimType::U64,
        (TypeChar::Float, 2) => PrimType::F16,
        (TypeChar::Float, 4) => PrimType::F32,
        (TypeChar::Float, 8) => PrimType::F64,
        _ => return Err(unknown()),
    };
    Ok((elem, t.endianness()))
}

/// Elements given first dimension fastest, in row-major order.
fn row_major(elements: &[u8], shape: &[i64], width: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(elements.len());
    let mut index = vec![0i64; shape.len()];
    let mut strides = Vec::new();
    let mut stride = width;
    for n in shape {
        strides.push(stride);
        stride = stride.saturating_mul(*n as usize);
    }
    let mut at = 0;
    while out.len() < elements.len() {
        out.extend_from_slice(&elements[at..at + width]);
        for d in (0..shape.len()).rev() {
            index[d] += 1;
            at += strides[d];
            if index[d] < shape[d] {
                break;
            }
            at -= strides[d] * shape[d] as usize;
            index[d] = 0;
        }
    }
    out
}

/// Writes a value as a file of its own. Unit is not in the format: an error of kind `InvalidInput`.
pub fn write_npy(value: &Value, out: &mut impl io::Write) -> io::Result<()> {
    let shape: Vec<u64> = value.shape().iter().map(|n| n.unsigned_abs()).collect();
    macro_rules! write {
        ($elements:expr) => {{
            let options = npyz::WriteOptions::new().default_dtype().shape(&shape).writer(out);
            let mut writer = options.begin_nd()?;
            writer.extend($elements)?;
            writer.finish()
        }};
    }
    let invalid = || io::Error::new(io::ErrorKind::InvalidInput, "the .npy format has no unit");
    match value {
        Value::Prim(x) => match *x {
            PrimValue::I8(x) => write!([x]),
            PrimValue::I16(x) => write!([x]),
            PrimValue::I32(x) => write!([x]),
            PrimValue::I64(x) => write!([x]),
            PrimValue::U8(x) => write!([x]),
            PrimValue::U16(x) => write!([x]),
            PrimValue::U32(x) => write!([x]),
            PrimValue::U64(x) => write!([x]),
            PrimValue::F16(x) => write!([x]),
            PrimValue::F32(x) => write!([x]),
            PrimValue::F64(x) => write!([x]),
            PrimValue::Bool(x) => write!([x]),
            PrimValue::Unit => Err(invalid()),
        },
        Value::Array(a) => match &a.data {
            ArrayData::I8(v) => write!(v.iter().copied()),
            ArrayData::I16(v) => write!(v.iter().copied()),
            ArrayData::I32(v) => write!(v.iter().copied()),
            ArrayData::I64(v) => write!(v.iter().copied()),
            ArrayData::U8(v) => write!(v.iter().copied()),
            ArrayData::U16(v) => write!(v.iter().copied()),
            ArrayData::U32(v) => write!(v.iter().copied()),
            ArrayData::U64(v) => write!(v.iter().copied()),
            ArrayData::F16(v) => write!(v.iter().copied()),
            ArrayData::F32(v) => write!(v.iter().copied()),
            ArrayData::F64(v) => write!(v.iter().copied()),
            ArrayData::Bool(v) => write!(v.iter().copied()),
            ArrayData::Unit(_) => Err(invalid()),
        },
    }
}
