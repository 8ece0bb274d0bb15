//! Changes of layout that cost nothing: each gives the LMAD of the array that the operation derives.
//!
//! The laws are stated on addresses: for `r = l.op(…)`, `r(i) = l(j)` where `j` is what the operation does to the index `i`.
//! Where arrays are built in place of a part of another (`b` becomes `y[slice]`, or `x = op b` where `x` has its place
//! already), the LMAD of `b` is the slice of the LMAD of `y`, or `op` undone on that of `x`: [`Lmad::unpermute`],
//! [`Lmad::reverse`] (its own inverse), [`Lmad::reshape`] back to the old sizes.

use super::{Lmad, LmadDim};
use crate::poly::Poly;

/// What a slice keeps of one dimension.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Slice {
    /// One index; the dimension disappears.
    Fix(Poly),
    /// `count` indices from `offset` in steps of `stride`, of any sign.
    Range {
        /// First index.
        offset: Poly,
        /// How many.
        count: Poly,
        /// Step.
        stride: Poly,
    },
    /// The dimension becomes several: the indices that an LMAD gives.
    Flat(Lmad),
}

impl Lmad {
    /// Dimension `k` of the result is dimension `perm[k]`.
    pub fn permute(&self, perm: &[usize]) -> Lmad {
        Lmad { offset: self.offset.clone(), dims: perm.iter().map(|k| self.dims[*k].clone()).collect() }
    }

    /// Undoes [`Lmad::permute`].
    pub fn unpermute(&self, perm: &[usize]) -> Lmad {
        let mut inverse = vec![0; perm.len()];
        for (k, from) in perm.iter().enumerate() {
            inverse[*from] = k;
        }
        self.permute(&inverse)
    }

    /// Index `i` of the dimension becomes `size - 1 - i`.
    ///
    /// The offset moves even where the size may be zero (nothing is addressed then), so that substituting a size commutes
    /// with the operation.
    pub fn reverse(&self, dim: usize) -> Lmad {
        let mut result = self.clone();
        let LmadDim { size, stride } = &self.dims[dim];
        result.offset = self.offset.add(&size.sub(&Poly::constant(1)).mul(stride));
        result.dims[dim].stride = stride.scale(-1);
        result
    }

    /// The dimension at index `index`, without it.
    pub fn fix(&self, dim: usize, index: &Poly) -> Lmad {
        let mut result = self.clone();
        let LmadDim { stride, .. } = result.dims.remove(dim);
        result.offset = self.offset.add(&stride.mul(index));
        result
    }

    /// A slice of each dimension (paper equations 2 and 3, with steps and LMADs of indices).
    pub fn slice(&self, slices: &[Slice]) -> Lmad {
        let mut result = Lmad { offset: self.offset.clone(), dims: Vec::with_capacity(self.rank()) };
        for (dim, slice) in self.dims.iter().zip(slices) {
            let start = match slice {
                Slice::Fix(index) => index,
                Slice::Range { offset, count, stride } => {
                    result.dims.push(LmadDim { size: count.clone(), stride: dim.stride.mul(stride) });
                    offset
                }
                Slice::Flat(part) => {
                    let step = |inner: &LmadDim| LmadDim {
                        size: inner.size.clone(),
                        stride: inner.stride.mul(&dim.stride),
                    };
                    result.dims.extend(part.dims.iter().map(step));
                    &part.offset
                }
            };
            result.offset = result.offset.add(&dim.stride.mul(start));
        }
        result
    }

    /// The dimension, whose size is the product of the two, as two dimensions.
    pub fn split(&self, dim: usize, outer: &Poly, inner: &Poly) -> Lmad {
        let mut result = self.clone();
        let stride = result.dims[dim].stride.clone();
        result.dims[dim] = LmadDim { size: inner.clone(), stride: stride.clone() };
        result.dims.insert(dim, LmadDim { size: outer.clone(), stride: inner.mul(&stride) });
        result
    }

    /// A dimension of size 1 before dimension `dim`.
    pub fn insert_unit(&self, dim: usize) -> Lmad {
        self.broadcast(dim, &Poly::constant(1))
    }

    /// A new dimension before dimension `dim` along which nothing moves. Never a place to write to, unless of size 1.
    pub fn broadcast(&self, dim: usize, size: &Poly) -> Lmad {
        let mut result = self.clone();
        result.dims.insert(dim, LmadDim { size: size.clone(), stride: Poly::constant(0) });
        result
    }

    /// Without the dimension, if that is known to have size 1.
    pub fn drop_unit(&self, dim: usize) -> Option<Lmad> {
        (self.dims[dim].size.as_constant() == Some(1)).then(|| self.fix(dim, &Poly::constant(0)))
    }

    /// Other sizes, same strides: where sizes are equal at run time but not in text.
    pub fn coerce(&self, sizes: &[Poly]) -> Lmad {
        let pairs = self.dims.iter().zip(sizes);
        let dims = pairs.map(|(dim, size)| LmadDim { size: size.clone(), stride: dim.stride.clone() });
        Lmad { offset: self.offset.clone(), dims: dims.collect() }
    }
}
