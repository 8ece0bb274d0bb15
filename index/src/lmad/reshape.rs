//! Reshapes that need no copy: NumPy's rule, with sizes that may be symbolic.

use super::{Lmad, LmadDim};
use crate::poly::Poly;

impl Lmad {
    /// Dimensions `dim` and `dim + 1` as one, where their strides allow it.
    pub fn merge(&self, dim: usize) -> Option<Lmad> {
        let (outer, inner) = (&self.dims[dim], &self.dims[dim + 1]);
        let merged = match merge_dims(outer, inner) {
            None if self.is_empty() => {
                LmadDim { size: outer.size.mul(&inner.size), stride: inner.stride.clone() }
            }
            merged => merged?,
        };
        let mut result = self.clone();
        result.dims.remove(dim);
        result.dims[dim] = merged;
        Some(result)
    }

    /// The same elements in row-major order under other sizes of equal product (which is a precondition: it need not be
    /// provable). `None` when it takes more than one LMAD, or when that cannot be told from the text of the sizes.
    ///
    /// Old and new sizes are cut into runs of equal products; each old run must merge into one dimension, which is then
    /// split into the new ones. One run may have products that are equal for no visible reason: then they are equal because
    /// all others are.
    pub fn reshape(&self, sizes: &[Poly]) -> Option<Lmad> {
        if self.is_empty() || sizes.iter().any(|size| size.as_constant() == Some(0)) {
            return Some(Lmad::row_major(self.offset.clone(), sizes));
        }
        // Dimensions of size 1 hinder nothing, whatever their stride.
        let old: Vec<&LmadDim> = self.dims.iter().filter(|dim| dim.size.as_constant() != Some(1)).collect();
        let new: Vec<Poly> = sizes.iter().filter(|size| size.as_constant() != Some(1)).cloned().collect();
        let sizes_of = |dims: &[&LmadDim]| dims.iter().map(|dim| dim.size.clone()).collect::<Vec<_>>();
        let split = split_runs(&old, &new, &cut(&sizes_of(&old), &new))?;
        // Put the dimensions of size 1 back; any stride will do, that of the dimension inside is row-major's.
        let mut split = split.into_iter().rev();
        let mut dims: Vec<LmadDim> = Vec::with_capacity(sizes.len());
        for size in sizes.iter().rev() {
            let unit = || {
                let inner = dims.last().map(|dim| dim.size.mul(&dim.stride));
                inner.unwrap_or_else(|| Poly::constant(1))
            };
            let stride = if size.as_constant() == Some(1) { unit() } else { split.next()? };
            dims.push(LmadDim { size: size.clone(), stride });
        }
        dims.reverse();
        Some(Lmad { offset: self.offset.clone(), dims })
    }
}

/// Outer and inner dimension as one.
fn merge_dims(outer: &LmadDim, inner: &LmadDim) -> Option<LmadDim> {
    let stride = if inner.size.as_constant() == Some(1) {
        &outer.stride
    } else if outer.size.as_constant() == Some(1)
        || [outer, inner].iter().any(|dim| dim.size.as_constant() == Some(0))
        || outer.stride == inner.size.mul(&inner.stride)
    {
        &inner.stride
    } else {
        return None;
    };
    Some(LmadDim { size: outer.size.mul(&inner.size), stride: stride.clone() })
}

/// How many of the old and of the new dimensions make up a run.
type Run = (usize, usize);

/// Cuts both lists into runs of provably equal product, as fine as possible: from the front as far as that goes, then from the
/// back; what is left between them is one more run. (A coarser cut never merges where a finer one doesn't.)
fn cut(old: &[Poly], new: &[Poly]) -> Vec<Run> {
    let mut runs = matched_runs(old, new);
    let (i, j) = runs.iter().fold((0, 0), |(i, j), run| (i + run.0, j + run.1));
    let reversed = |list: &[Poly]| list.iter().rev().cloned().collect::<Vec<_>>();
    let back = matched_runs(&reversed(&old[i..]), &reversed(&new[j..]));
    let (from_old, from_new) = back.iter().fold((0, 0), |(i, j), run| (i + run.0, j + run.1));
    let middle = (old.len() - i - from_old, new.len() - j - from_new);
    if middle != (0, 0) {
        runs.push(middle);
    }
    runs.extend(back.into_iter().rev());
    runs
}

/// The runs of provably equal product from the front, as far as they go.
fn matched_runs(old: &[Poly], new: &[Poly]) -> Vec<Run> {
    let mut runs = Vec::new();
    let (mut from_old, mut from_new) = (0, 0);
    while from_old < old.len() && from_new < new.len() {
        // The shortest run: the products of prefixes of both that agree.
        let product_upto = |list: &[Poly], from: usize| {
            let mut product = Poly::constant(1);
            let products = list[from..].iter().map(move |size| {
                product = product.mul(size);
                product.clone()
            });
            products.collect::<Vec<_>>()
        };
        let (lefts, rights) = (product_upto(old, from_old), product_upto(new, from_new));
        let found = lefts.iter().enumerate().find_map(|(i, left)| {
            let j = rights.iter().position(|right| left == right)?;
            Some((i + 1, j + 1))
        });
        let Some(run) = found else { break };
        runs.push(run);
        (from_old, from_new) = (from_old + run.0, from_new + run.1);
    }
    runs
}

/// The strides of the new dimensions, if every run merges.
fn split_runs(old: &[&LmadDim], new: &[Poly], runs: &[Run]) -> Option<Vec<Poly>> {
    let mut strides = Vec::with_capacity(new.len());
    let (mut i, mut j) = (0, 0);
    for (olds, news) in runs {
        let (run, sizes) = (&old[i..i + olds], &new[j..j + news]);
        (i, j) = (i + olds, j + news);
        let mut dims = run.iter().rev();
        // Without an old dimension the new sizes are 1 at run time: any stride will do.
        let mut merged = dims
            .next()
            .map_or(LmadDim { size: Poly::constant(1), stride: Poly::constant(1) }, |dim| (*dim).clone());
        for outer in dims {
            merged = merge_dims(outer, &merged)?;
        }
        let mut stride = merged.stride;
        let mut inner_first = Vec::with_capacity(sizes.len());
        for size in sizes.iter().rev() {
            inner_first.push(stride.clone());
            stride = stride.mul(size);
        }
        strides.extend(inner_first.into_iter().rev());
    }
    Some(strides)
}
