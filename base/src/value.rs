//! Values as programs take and give them: scalars and rectangular arrays of scalars, with their types, comparison
//! and file formats.

mod array;
pub mod binary;
mod compare;
pub mod npy;
mod number;
mod pretty;
mod reader;
mod scattered;
#[cfg(test)]
mod tests;
mod text;

pub use array::{ArrayData, ArrayValue, SizeError, shape_len};
pub use compare::Difference;
pub use reader::{ValueError, ValueReader};
pub use scattered::Scattered;
pub use text::write_text;

use crate::prim::{PrimType, PrimValue};
use std::fmt;
use std::sync::Arc;

/// A scalar or an array. Cloning is cheap.
#[derive(Clone, Debug)]
pub enum Value {
    /// A scalar.
    Prim(PrimValue),
    /// An array of rank 1 or more.
    Array(Arc<ArrayValue>),
}

/// The type of a value, without sizes. Printed as `[][]f32`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ValueType {
    /// The type of the elements.
    pub elem: PrimType,
    /// How many dimensions; 0 for a scalar.
    pub rank: usize,
}

impl ValueType {
    /// The type of scalars of `elem`.
    pub fn scalar(elem: PrimType) -> ValueType {
        ValueType { elem, rank: 0 }
    }

    /// The type of arrays of `elem` of a rank.
    pub fn array(elem: PrimType, rank: usize) -> ValueType {
        ValueType { elem, rank }
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for _ in 0..self.rank {
            f.write_str("[]")?;
        }
        write!(f, "{}", self.elem)
    }
}

impl Value {
    /// The type, without sizes.
    pub fn value_type(&self) -> ValueType {
        match self {
            Value::Prim(x) => ValueType::scalar(x.prim_type()),
            Value::Array(a) => ValueType::array(a.elem_type(), a.rank()),
        }
    }

    /// The sizes; empty for a scalar.
    pub fn shape(&self) -> &[i64] {
        match self {
            Value::Prim(_) => &[],
            Value::Array(a) => &a.shape,
        }
    }

    /// The scalar, if it is one.
    pub fn as_prim(&self) -> Option<PrimValue> {
        match self {
            Value::Prim(x) => Some(*x),
            Value::Array(_) => None,
        }
    }

    /// The array, if it is one.
    pub fn as_array(&self) -> Option<&Arc<ArrayValue>> {
        match self {
            Value::Prim(_) => None,
            Value::Array(a) => Some(a),
        }
    }
}

impl From<PrimValue> for Value {
    fn from(x: PrimValue) -> Value {
        Value::Prim(x)
    }
}

impl From<ArrayValue> for Value {
    fn from(a: ArrayValue) -> Value {
        Value::Array(Arc::new(a))
    }
}
