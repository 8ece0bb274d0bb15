//! Rectangular arrays: a shape and the elements in row-major order, stored by type.

use crate::prim::{PrimType, PrimValue};
use half::f16;
use std::fmt;

/// An array. The number of elements is the product of the shape; making one checks that, changing the public fields
/// must keep it.
#[derive(Clone, Debug)]
pub struct ArrayValue {
    /// Size of each dimension, outermost first; not negative.
    pub shape: Vec<i64>,
    /// The elements, row-major.
    pub data: ArrayData,
}

/// The elements of an array.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "each variant holds elements of the primitive type of its name")]
pub enum ArrayData {
    I8(Vec<i8>),
    I16(Vec<i16>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    F16(Vec<f16>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    Bool(Vec<bool>),
    /// How many.
    Unit(usize),
}

/// Why an array cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SizeError {
    /// A dimension is negative.
    Negative(i64),
    /// More elements than can be counted or than memory holds.
    TooLarge,
    /// The number of elements is not the product of the shape.
    Mismatch {
        /// The product of the shape.
        expected: usize,
        /// The elements given.
        given: usize,
    },
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SizeError::Negative(n) => write!(f, "array of negative size {n}"),
            SizeError::TooLarge => f.write_str("array too large for memory"),
            SizeError::Mismatch { expected, given } => {
                write!(f, "array shape asks for {expected} elements, but {given} are given")
            }
        }
    }
}

impl std::error::Error for SizeError {}

/// The number of elements of an array of this shape; `None` where a dimension is negative or the product of the
/// dimensions other than zero is beyond `isize::MAX`.
///
/// A zero does not excuse the others, so that the product of any part of an accepted shape is safe as well.
pub fn shape_len(shape: &[i64]) -> Option<usize> {
    let mut product: usize = 1;
    for n in shape {
        let n = usize::try_from(*n).ok()?;
        product = product.checked_mul(n.max(1)).filter(|p| isize::try_from(*p).is_ok())?;
    }
    Some(if shape.contains(&0) { 0 } else { product })
}

/// As [`shape_len`], with the reason for a refusal.
fn checked_len(shape: &[i64]) -> Result<usize, SizeError> {
    match shape.iter().find(|n| **n < 0) {
        Some(n) => Err(SizeError::Negative(*n)),
        None => shape_len(shape).ok_or(SizeError::TooLarge),
    }
}

/// Runs `$body` with `$v` bound to the vector, `$count` with the number of units.
macro_rules! each {
    ($data:expr, $v:ident => $body:expr, $count:ident => $unit:expr) => {
        match $data {
            ArrayData::I8($v) => $body,
            ArrayData::I16($v) => $body,
            ArrayData::I32($v) => $body,
            ArrayData::I64($v) => $body,
            ArrayData::U8($v) => $body,
            ArrayData::U16($v) => $body,
            ArrayData::U32($v) => $body,
            ArrayData::U64($v) => $body,
            ArrayData::F16($v) => $body,
            ArrayData::F32($v) => $body,
            ArrayData::F64($v) => $body,
            ArrayData::Bool($v) => $body,
            ArrayData::Unit($count) => $unit,
        }
    };
}

/// Elements from `$make`, an expression for a vector of the type.
macro_rules! build {
    ($t:expr, $vector:expr, $unit:expr) => {
        match $t {
            PrimType::I8 => ArrayData::I8($vector),
            PrimType::I16 => ArrayData::I16($vector),
            PrimType::I32 => ArrayData::I32($vector),
            PrimType::I64 => ArrayData::I64($vector),
            PrimType::U8 => ArrayData::U8($vector),
            PrimType::U16 => ArrayData::U16($vector),
            PrimType::U32 => ArrayData::U32($vector),
            PrimType::U64 => ArrayData::U64($vector),
            PrimType::F16 => ArrayData::F16($vector),
            PrimType::F32 => ArrayData::F32($vector),
            PrimType::F64 => ArrayData::F64($vector),
            PrimType::Bool => ArrayData::Bool($vector),
            PrimType::Unit => ArrayData::Unit($unit),
        }
    };
}

fn reserved<T>(n: usize) -> Result<Vec<T>, SizeError> {
    let mut v = Vec::new();
    v.try_reserve_exact(n).map_err(|_| SizeError::TooLarge)?;
    Ok(v)
}

fn filled<T: Clone>(n: usize, x: T) -> Result<Vec<T>, SizeError> {
    let mut v = reserved(n)?;
    v.resize(n, x);
    Ok(v)
}

/// Pairs a vector with a scalar of its type: what [`ArrayData::push`] and [`ArrayData::set`] do for each type.
macro_rules! with_prim {
    ($data:expr, $x:expr, ($v:ident, $y:ident) => $body:expr, $count:ident => $unit:expr, $mismatch:expr) => {
        match ($data, $x) {
            (ArrayData::I8($v), PrimValue::I8($y)) => $body,
            (ArrayData::I16($v), PrimValue::I16($y)) => $body,
            (ArrayData::I32($v), PrimValue::I32($y)) => $body,
            (ArrayData::I64($v), PrimValue::I64($y)) => $body,
            (ArrayData::U8($v), PrimValue::U8($y)) => $body,
            (ArrayData::U16($v), PrimValue::U16($y)) => $body,
            (ArrayData::U32($v), PrimValue::U32($y)) => $body,
            (ArrayData::U64($v), PrimValue::U64($y)) => $body,
            (ArrayData::F16($v), PrimValue::F16($y)) => $body,
            (ArrayData::F32($v), PrimValue::F32($y)) => $body,
            (ArrayData::F64($v), PrimValue::F64($y)) => $body,
            (ArrayData::Bool($v), PrimValue::Bool($y)) => $body,
            (ArrayData::Unit($count), PrimValue::Unit) => $unit,
            _ => $mismatch,
        }
    };
}

impl ArrayData {
    /// No elements yet.
    pub fn new(t: PrimType) -> ArrayData {
        build!(t, Vec::new(), 0)
    }

    /// No elements yet, but room for `n`; refuses what memory cannot hold.
    pub fn with_capacity(t: PrimType, n: usize) -> Result<ArrayData, SizeError> {
        Ok(build!(t, reserved(n)?, 0))
    }

    /// `n` zeros.
    pub fn zeroed(t: PrimType, n: usize) -> Result<ArrayData, SizeError> {
        ArrayData::filled(t.zero(), n)
    }

    /// `n` times `x`.
    pub fn filled(x: PrimValue, n: usize) -> Result<ArrayData, SizeError> {
        Ok(match x {
            PrimValue::I8(x) => ArrayData::I8(filled(n, x)?),
            PrimValue::I16(x) => ArrayData::I16(filled(n, x)?),
            PrimValue::I32(x) => ArrayData::I32(filled(n, x)?),
            PrimValue::I64(x) => ArrayData::I64(filled(n, x)?),
            PrimValue::U8(x) => ArrayData::U8(filled(n, x)?),
            PrimValue::U16(x) => ArrayData::U16(filled(n, x)?),
            PrimValue::U32(x) => ArrayData::U32(filled(n, x)?),
            PrimValue::U64(x) => ArrayData::U64(filled(n, x)?),
            PrimValue::F16(x) => ArrayData::F16(filled(n, x)?),
            PrimValue::F32(x) => ArrayData::F32(filled(n, x)?),
            PrimValue::F64(x) => ArrayData::F64(filled(n, x)?),
            PrimValue::Bool(x) => ArrayData::Bool(filled(n, x)?),
            PrimValue::Unit => ArrayData::Unit(n),
        })
    }

    /// The elements in order; `None` where one is not of type `t`.
    pub fn from_prims(t: PrimType, elements: impl IntoIterator<Item = PrimValue>) -> Option<ArrayData> {
        let mut data = ArrayData::new(t);
        elements.into_iter().try_for_each(|x| data.push(x))?;
        Some(data)
    }

    /// The type of the elements.
    pub fn elem_type(&self) -> PrimType {
        match self {
            ArrayData::I8(_) => PrimType::I8,
            ArrayData::I16(_) => PrimType::I16,
            ArrayData::I32(_) => PrimType::I32,
            ArrayData::I64(_) => PrimType::I64,
            ArrayData::U8(_) => PrimType::U8,
            ArrayData::U16(_) => PrimType::U16,
            ArrayData::U32(_) => PrimType::U32,
            ArrayData::U64(_) => PrimType::U64,
            ArrayData::F16(_) => PrimType::F16,
            ArrayData::F32(_) => PrimType::F32,
            ArrayData::F64(_) => PrimType::F64,
            ArrayData::Bool(_) => PrimType::Bool,
            ArrayData::Unit(_) => PrimType::Unit,
        }
    }

    /// How many elements.
    pub fn len(&self) -> usize {
        each!(self, v => v.len(), n => *n)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Element `i`; `None` out of bounds.
    pub fn get(&self, i: usize) -> Option<PrimValue> {
        each!(self, v => v.get(i).map(|x| (*x).into()), n => (i < *n).then_some(PrimValue::Unit))
    }

    /// Replaces element `i`; `None`, changing nothing, out of bounds or where `x` is of another type.
    #[must_use]
    pub fn set(&mut self, i: usize, x: PrimValue) -> Option<()> {
        with_prim!(self, x, (v, y) => { *v.get_mut(i)? = y; Some(()) }, n => (i < *n).then_some(()), None)
    }

    /// Appends an element; `None`, changing nothing, where it is of another type.
    #[must_use]
    pub fn push(&mut self, x: PrimValue) -> Option<()> {
        with_prim!(self, x, (v, y) => { v.push(y); Some(()) }, n => { *n += 1; Some(()) }, None)
    }

    /// The elements in order.
    pub fn iter(&self) -> impl Iterator<Item = PrimValue> + '_ {
        (0..self.len()).map_while(|i| self.get(i))
    }

    /// The representation in memory: elements one after the other, little-endian; nothing for unit.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            ArrayData::U8(v) => v.clone(),
            ArrayData::Bool(v) => v.iter().map(|x| u8::from(*x)).collect(),
            ArrayData::I8(v) => v.iter().map(|x| *x as u8).collect(),
            ArrayData::I16(v) => le_bytes(v, |x| x.to_le_bytes()),
            ArrayData::I32(v) => le_bytes(v, |x| x.to_le_bytes()),
            ArrayData::I64(v) => le_bytes(v, |x| x.to_le_bytes()),
            ArrayData::U16(v) => le_bytes(v, |x| x.to_le_bytes()),
            ArrayData::U32(v) => le_bytes(v, |x| x.to_le_bytes()),
            ArrayData::U64(v) => le_bytes(v, |x| x.to_le_bytes()),
            ArrayData::F16(v) => le_bytes(v, |x| x.to_le_bytes()),
            ArrayData::F32(v) => le_bytes(v, |x| x.to_le_bytes()),
            ArrayData::F64(v) => le_bytes(v, |x| x.to_le_bytes()),
            ArrayData::Unit(_) => Vec::new(),
        }
    }

    /// The elements that [`ArrayData::to_bytes`] gives `bytes` for. `None` where the bytes are no whole number of
    /// elements, a bool is neither 0 nor 1, or the type is unit.
    pub fn from_bytes(t: PrimType, bytes: &[u8]) -> Option<ArrayData> {
        Some(match t {
            PrimType::U8 => ArrayData::U8(bytes.to_vec()),
            PrimType::I8 => ArrayData::I8(bytes.iter().map(|x| *x as i8).collect()),
            PrimType::Bool => {
                if bytes.iter().any(|x| *x > 1) {
                    return None;
                }
                ArrayData::Bool(bytes.iter().map(|x| *x != 0).collect())
            }
            PrimType::I16 => ArrayData::I16(of_le_bytes(bytes, i16::from_le_bytes)?),
            PrimType::I32 => ArrayData::I32(of_le_bytes(bytes, i32::from_le_bytes)?),
            PrimType::I64 => ArrayData::I64(of_le_bytes(bytes, i64::from_le_bytes)?),
            PrimType::U16 => ArrayData::U16(of_le_bytes(bytes, u16::from_le_bytes)?),
            PrimType::U32 => ArrayData::U32(of_le_bytes(bytes, u32::from_le_bytes)?),
            PrimType::U64 => ArrayData::U64(of_le_bytes(bytes, u64::from_le_bytes)?),
            PrimType::F16 => ArrayData::F16(of_le_bytes(bytes, f16::from_le_bytes)?),
            PrimType::F32 => ArrayData::F32(of_le_bytes(bytes, f32::from_le_bytes)?),
            PrimType::F64 => ArrayData::F64(of_le_bytes(bytes, f64::from_le_bytes)?),
            PrimType::Unit => return None,
        })
    }
}

fn le_bytes<T: Copy, const N: usize>(v: &[T], bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    let mut out = vec![0; v.len() * N];
    for (to, x) in out.as_chunks_mut::<N>().0.iter_mut().zip(v) {
        *to = bytes(*x);
    }
    out
}

fn of_le_bytes<T, const N: usize>(bytes: &[u8], of: impl Fn([u8; N]) -> T) -> Option<Vec<T>> {
    let (chunks, rest) = bytes.as_chunks::<N>();
    rest.is_empty().then(|| chunks.iter().map(|chunk| of(*chunk)).collect())
}

impl ArrayValue {
    /// The array of these elements.
    pub fn new(shape: Vec<i64>, data: ArrayData) -> Result<ArrayValue, SizeError> {
        let expected = checked_len(&shape)?;
        match data.len() {
            given if given == expected => Ok(ArrayValue { shape, data }),
            given => Err(SizeError::Mismatch { expected, given }),
        }
    }

    /// An array of zeros.
    pub fn zeroed(t: PrimType, shape: Vec<i64>) -> Result<ArrayValue, SizeError> {
        ArrayValue::filled(t.zero(), shape)
    }

    /// An array of `x` everywhere.
    pub fn filled(x: PrimValue, shape: Vec<i64>) -> Result<ArrayValue, SizeError> {
        let data = ArrayData::filled(x, checked_len(&shape)?)?;
        Ok(ArrayValue { shape, data })
    }

    /// The one-dimensional array of these elements.
    pub fn vector(data: ArrayData) -> ArrayValue {
        ArrayValue { shape: vec![data.len() as i64], data }
    }

    /// The one-dimensional array of these elements; `None` where one is not of type `t`.
    pub fn from_prims(t: PrimType, elements: impl IntoIterator<Item = PrimValue>) -> Option<ArrayValue> {
        ArrayData::from_prims(t, elements).map(ArrayValue::vector)
    }

    /// The type of the elements.
    pub fn elem_type(&self) -> PrimType {
        self.data.elem_type()
    }

    /// How many dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// How many elements in all.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// Element at a row-major position; `None` out of bounds.
    pub fn get(&self, flat: usize) -> Option<PrimValue> {
        self.data.get(flat)
    }

    /// Replaces the element at a row-major position; as [`ArrayData::set`].
    #[must_use]
    pub fn set(&mut self, flat: usize, x: PrimValue) -> Option<()> {
        self.data.set(flat, x)
    }

    /// The elements in row-major order.
    pub fn iter(&self) -> impl Iterator<Item = PrimValue> + '_ {
        self.data.iter()
    }
}
