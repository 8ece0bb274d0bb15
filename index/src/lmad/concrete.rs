//! LMADs of known numbers: what interpreters compute with.

use super::{Lmad, LmadDim};
use crate::poly::Poly;
use fun_base::name::Var;

/// An LMAD whose offset, sizes and strides are numbers.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct ConcreteLmad {
    /// The address of index (0, …, 0).
    pub offset: i64,
    /// Size and stride of each dimension, outermost first.
    pub dims: Vec<(i64, i64)>,
}

impl Lmad {
    /// The LMAD where `f` gives the values of the variables; `None` if one is missing.
    pub fn eval(&self, f: &mut dyn FnMut(Var) -> Option<i64>) -> Option<ConcreteLmad> {
        let offset = self.offset.eval(f)?;
        let dims = self.dims.iter().map(|dim| Some((dim.size.eval(f)?, dim.stride.eval(f)?)));
        Some(ConcreteLmad { offset, dims: dims.collect::<Option<_>>()? })
    }

    /// Its numbers, if all are constant.
    pub fn as_concrete(&self) -> Option<ConcreteLmad> {
        self.eval(&mut |_| None)
    }
}

impl ConcreteLmad {
    /// Row-major order from an offset.
    pub fn row_major(offset: i64, shape: &[i64]) -> ConcreteLmad {
        let mut stride = 1i64;
        let mut dims = Vec::with_capacity(shape.len());
        for size in shape.iter().rev() {
            dims.push((*size, stride));
            stride = stride.wrapping_mul(*size);
        }
        dims.reverse();
        ConcreteLmad { offset, dims }
    }

    /// The same as constant polynomials.
    pub fn symbolic(&self) -> Lmad {
        let dim = |(size, stride): &(i64, i64)| LmadDim {
            size: Poly::constant(*size),
            stride: Poly::constant(*stride),
        };
        Lmad { offset: Poly::constant(self.offset), dims: self.dims.iter().map(dim).collect() }
    }

    /// The sizes, outermost first.
    pub fn sizes(&self) -> impl Iterator<Item = i64> {
        self.dims.iter().map(|(size, _)| *size)
    }

    /// Whether there is no index at all.
    pub fn is_empty(&self) -> bool {
        self.sizes().any(|size| size <= 0)
    }

    /// How many indices there are (saturating).
    pub fn len(&self) -> u64 {
        if self.is_empty() { 0 } else { self.sizes().fold(1, |n, size| n.saturating_mul(size as u64)) }
    }

    /// The address of an index (paper equation 1).
    pub fn apply(&self, indices: &[i64]) -> i64 {
        let steps = self.dims.iter().zip(indices).map(|((_, stride), index)| stride.wrapping_mul(*index));
        steps.fold(self.offset, i64::wrapping_add)
    }

    /// The outermost dimension at an index, without it (paper equation 3).
    pub fn fix_outer(&self, index: i64) -> ConcreteLmad {
        let offset = self.offset.wrapping_add(self.dims[0].1.wrapping_mul(index));
        ConcreteLmad { offset, dims: self.dims[1..].to_vec() }
    }

    /// The addresses of all indices, in row-major order of the indices.
    pub fn addresses(&self) -> Addresses {
        let next = (!self.is_empty()).then_some(self.offset);
        Addresses { dims: self.dims.clone(), index: vec![0; self.dims.len()], next }
    }

    /// The least and the greatest address; `None` if there is none, or one is not an i64.
    pub fn span(&self) -> Option<(i64, i64)> {
        if self.is_empty() {
            return None;
        }
        let (mut low, mut high) = (i128::from(self.offset), i128::from(self.offset));
        for (size, stride) in &self.dims {
            let reach = (i128::from(*size) - 1) * i128::from(*stride);
            low += reach.min(0);
            high += reach.max(0);
        }
        Some((i64::try_from(low).ok()?, i64::try_from(high).ok()?))
    }
}

/// The addresses of an LMAD in row-major order of its indices.
#[derive(Clone, Debug)]
pub struct Addresses {
    dims: Vec<(i64, i64)>,
    index: Vec<i64>,
    next: Option<i64>,
}

impl Iterator for Addresses {
    type Item = i64;

    fn next(&mut self) -> Option<i64> {
        let address = self.next?;
        let mut following = address;
        for k in (0..self.dims.len()).rev() {
            let (size, stride) = self.dims[k];
            if self.index[k] + 1 < size {
                self.index[k] += 1;
                self.next = Some(following.wrapping_add(stride));
                return Some(address);
            }
            following = following.wrapping_sub(stride.wrapping_mul(self.index[k]));
            self.index[k] = 0;
        }
        self.next = None;
        Some(address)
    }
}
