//! Arrays as a caller may have them: by columns, backwards, with gaps between the elements. Arguments are laid out so for entry points
//! that take arrays anywhere.

use super::{ArrayData, ArrayValue};

/// A place for an array in a block, all of it in elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scattered {
    /// Where the first element lies.
    pub offset: i64,
    /// From one element to the next in each dimension, outermost first.
    pub strides: Vec<i64>,
    /// The length of the block.
    pub cells: i64,
}

impl Scattered {
    /// The place of an array of this shape, which is that of an array that exists.
    pub fn place(shape: &[i64]) -> Scattered {
        if shape.contains(&0) {
            return Scattered { offset: 0, strides: vec![-1; shape.len()], cells: 0 };
        }
        let mut place = Scattered { offset: 1, strides: Vec::with_capacity(shape.len()), cells: 0 };
        // the outermost dimension moves fastest; every second one backwards
        let mut step = 2;
        for (dim, size) in shape.iter().enumerate() {
            if dim % 2 == 0 {
                place.offset += (size - 1) * step;
                place.strides.push(-step);
            } else {
                place.strides.push(step);
            }
            step *= size;
        }
        place.cells = step + 1;
        place
    }

    /// Where the elements of an array of this shape lie, in row-major order.
    pub fn addresses(&self, shape: &[i64]) -> Vec<i64> {
        let mut addresses = vec![self.offset];
        if shape.contains(&0) {
            return Vec::new();
        }
        for (size, stride) in shape.iter().zip(&self.strides) {
            addresses = addresses.iter().flat_map(|at| (0..*size).map(move |i| at + i * stride)).collect();
        }
        addresses
    }
}

impl ArrayValue {
    /// The elements at the array's [`Scattered::place`], with zeros between them.
    pub fn scattered(&self) -> (Scattered, ArrayData) {
        let place = Scattered::place(&self.shape);
        let mut found = vec![None; place.cells as usize];
        for (flat, at) in place.addresses(&self.shape).into_iter().enumerate() {
            found[at as usize] = self.get(flat);
        }
        let zero = self.elem_type().zero();
        let data = ArrayData::from_prims(self.elem_type(), found.into_iter().map(|x| x.unwrap_or(zero)));
        (place, data.expect("invariant: elements have the type of the array"))
    }
}
