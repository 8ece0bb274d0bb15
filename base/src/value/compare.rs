//! Comparison of results: bit for bit, or within a tolerance on floats, telling the first difference.

use super::{ArrayData, ArrayValue, Value, ValueType};
use crate::prim::PrimValue;
use std::fmt;

/// The first difference between two values.
#[derive(Clone, PartialEq, Debug)]
pub enum Difference {
    /// The types differ.
    Type(ValueType, ValueType),
    /// The sizes differ.
    Shape(Vec<i64>, Vec<i64>),
    /// An element (of a scalar: at no index) differs.
    Element {
        /// Where, one index per dimension.
        index: Vec<i64>,
        /// The element of the value compared.
        left: PrimValue,
        /// The element of the value compared with.
        right: PrimValue,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Type(left, right) => write!(f, "type {left} instead of {right}"),
            Difference::Shape(left, right) => write!(f, "shape {left:?} instead of {right:?}"),
            Difference::Element { index, left, right } if index.is_empty() => {
                write!(f, "{left} instead of {right}")
            }
            Difference::Element { index, left, right } => write!(f, "{left} instead of {right} at {index:?}"),
        }
    }
}

/// Equal bits, or both NaN.
fn same_prim(x: PrimValue, y: PrimValue) -> bool {
    x == y || (x.prim_type() == y.prim_type() && is_nan(x) && is_nan(y))
}

fn is_nan(x: PrimValue) -> bool {
    x.as_f64().is_some_and(f64::is_nan)
}

/// Floats: as [`Value::close`] says; others: equal.
fn close_prim(x: PrimValue, y: PrimValue, tolerance: f64) -> bool {
    match (x.as_f64(), y.as_f64()) {
        (Some(a), Some(b)) if x.prim_type() == y.prim_type() => {
            let finite = a.is_finite() && b.is_finite();
            a == b
                || (a.is_nan() && b.is_nan())
                || (finite && (a - b).abs() <= tolerance * a.abs().max(b.abs()).max(1.0))
        }
        _ => x == y,
    }
}

/// Whether all elements have the same bits: the common case of large arrays, quickly.
fn equal_elements(a: &ArrayData, b: &ArrayData) -> bool {
    match (a, b) {
        (ArrayData::I8(a), ArrayData::I8(b)) => a == b,
        (ArrayData::I16(a), ArrayData::I16(b)) => a == b,
        (ArrayData::I32(a), ArrayData::I32(b)) => a == b,
        (ArrayData::I64(a), ArrayData::I64(b)) => a == b,
        (ArrayData::U8(a), ArrayData::U8(b)) => a == b,
        (ArrayData::U16(a), ArrayData::U16(b)) => a == b,
        (ArrayData::U32(a), ArrayData::U32(b)) => a == b,
        (ArrayData::U64(a), ArrayData::U64(b)) => a == b,
        (ArrayData::Bool(a), ArrayData::Bool(b)) => a == b,
        // zeros of different sign are equal as numbers, but not in every comparison
        (ArrayData::F32(a), ArrayData::F32(b)) => same_bits(a, b, |x| x.to_bits()),
        (ArrayData::F64(a), ArrayData::F64(b)) => same_bits(a, b, |x| x.to_bits()),
        _ => false,
    }
}

fn same_bits<T: Copy, B: PartialEq>(a: &[T], b: &[T], bits: impl Fn(T) -> B) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| bits(*x) == bits(*y))
}

impl ArrayValue {
    /// The index of an element by its row-major position.
    pub fn index_of(&self, flat: usize) -> Vec<i64> {
        let mut rest = flat as i64;
        let mut index = vec![0; self.rank()];
        for (i, n) in index.iter_mut().zip(&self.shape).rev() {
            *i = rest % n.max(&1);
            rest /= n.max(&1);
        }
        index
    }
}

impl Value {
    /// Whether both have the same type, shape and bits; NaNs are all the same.
    pub fn same(&self, other: &Value) -> bool {
        self.first_difference(other, same_prim).is_ok()
    }

    /// Compares with an expected value. Floats may differ by `tolerance` times the larger magnitude, or by
    /// `tolerance` where both are below 1; NaN equals NaN, infinities equal themselves and `0.0` equals `-0.0`.
    /// Everything else must be equal. The error is the first difference in row-major order.
    pub fn close(&self, other: &Value, tolerance: f64) -> Result<(), Difference> {
        self.first_difference(other, |x, y| close_prim(x, y, tolerance))
    }

    /// Compares bit for bit as [`Value::same`], telling the first difference.
    pub fn same_or(&self, other: &Value) -> Result<(), Difference> {
        self.first_difference(other, same_prim)
    }

    fn first_difference(
        &self,
        other: &Value,
        agree: impl Fn(PrimValue, PrimValue) -> bool,
    ) -> Result<(), Difference> {
        let types = (self.value_type(), other.value_type());
        if types.0 != types.1 {
            return Err(Difference::Type(types.0, types.1));
        }
        if self.shape() != other.shape() {
            return Err(Difference::Shape(self.shape().to_vec(), other.shape().to_vec()));
        }
        match (self, other) {
            (Value::Prim(x), Value::Prim(y)) => {
                if agree(*x, *y) {
                    return Ok(());
                }
                Err(Difference::Element { index: Vec::new(), left: *x, right: *y })
            }
            (Value::Array(a), Value::Array(b)) => {
                if equal_elements(&a.data, &b.data) {
                    return Ok(());
                }
                match a.iter().zip(b.iter()).enumerate().find(|(_, (x, y))| !agree(*x, *y)) {
                    None => Ok(()),
                    Some((i, (left, right))) => {
                        Err(Difference::Element { index: a.index_of(i), left, right })
                    }
                }
            }
            // An array has rank at least 1, but one made by hand may have rank 0.
            _ => Err(Difference::Type(types.0, types.1)),
        }
    }
}
