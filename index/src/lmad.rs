//! LMADs (linear memory access descriptors): `offset + {(size : stride) …}`, the index functions of FUNMEM and IMP.
//!
//! All indices are 0-based and everything counts elements, not bytes:
//! `L(i_1, …, i_q) = offset + Σ i_k · stride_k` for `0 ≤ i_k < size_k` (paper equation 1, with its base corrected).

mod concrete;
mod layout;
mod reshape;
mod sets;
#[cfg(test)]
mod tests;

pub use concrete::{Addresses, ConcreteLmad};
pub use layout::Slice;
pub use sets::Expansion;

use crate::poly::Poly;
use fun_base::name::Var;
use std::fmt;

/// One dimension of an LMAD.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct LmadDim {
    /// Number of indices.
    pub size: Poly,
    /// Distance in memory between neighbouring indices; may be negative, or zero for a broadcast.
    pub stride: Poly,
}

/// An LMAD. Without dimensions it is the place of one scalar.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Lmad {
    /// The address of index (0, …, 0).
    pub offset: Poly,
    /// Outermost first.
    pub dims: Vec<LmadDim>,
}

impl Lmad {
    /// Row-major order from `offset` (the paper's R for offset 0): the last stride is 1.
    pub fn row_major(offset: Poly, shape: &[Poly]) -> Lmad {
        let mut dims = Vec::with_capacity(shape.len());
        let mut stride = Poly::constant(1);
        for size in shape.iter().rev() {
            dims.push(LmadDim { size: size.clone(), stride: stride.clone() });
            stride = stride.mul(size);
        }
        dims.reverse();
        Lmad { offset, dims }
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    /// The address of an index (equation 1).
    pub fn apply(&self, indices: &[Poly]) -> Poly {
        let steps = self.dims.iter().zip(indices).map(|(dim, index)| dim.stride.mul(index));
        steps.fold(self.offset.clone(), |sum, step| sum.add(&step))
    }

    /// The sizes, outermost first.
    pub fn sizes(&self) -> Vec<Poly> {
        self.dims.iter().map(|dim| dim.size.clone()).collect()
    }

    /// Whether some dimension is known to have no index, so that the LMAD has no address.
    pub fn is_empty(&self) -> bool {
        self.dims.iter().any(|dim| dim.size.as_constant() == Some(0))
    }

    /// Whether both map every index to the same address: equal sizes, offset and strides, where the strides of dimensions of
    /// size 1 don't count, and only the sizes count when there is no index at all.
    pub fn equivalent(&self, other: &Lmad) -> bool {
        let same_sizes =
            self.rank() == other.rank() && self.dims.iter().zip(&other.dims).all(|(a, b)| a.size == b.size);
        let same_strides = || {
            let mut pairs = self.dims.iter().zip(&other.dims);
            pairs.all(|(a, b)| a.stride == b.stride || a.size.as_constant() == Some(1))
        };
        same_sizes && (self.is_empty() || (self.offset == other.offset && same_strides()))
    }

    /// Every variable replaced.
    pub fn subst(&self, f: &mut dyn FnMut(Var) -> Poly) -> Lmad {
        let offset = self.offset.subst(f);
        let dims =
            self.dims.iter().map(|dim| LmadDim { size: dim.size.subst(f), stride: dim.stride.subst(f) });
        Lmad { offset, dims: dims.collect() }
    }

    /// Calls `f` on each occurrence of a variable.
    pub fn for_each_var(&self, f: &mut dyn FnMut(Var)) {
        self.offset.for_each_var(f);
        for dim in &self.dims {
            dim.size.for_each_var(f);
            dim.stride.for_each_var(f);
        }
    }
}

/// `off_1 + {(n_2 : m_3)(m_3 : 1)}`.
impl fmt::Display for Lmad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} + {{", self.offset)?;
        for dim in &self.dims {
            write!(f, "({} : {})", dim.size, dim.stride)?;
        }
        f.write_str("}")
    }
}
