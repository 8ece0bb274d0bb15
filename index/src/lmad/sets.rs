//! LMADs as sets of addresses: which are reached, whether twice, and how to give each of many threads its own.

use super::{ConcreteLmad, Lmad, LmadDim};
use crate::poly::Poly;
use fun_base::name::Var;
use std::collections::BTreeSet;

/// How memory of one thread becomes memory of all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expansion {
    /// Thread `thread` has the `size` cells from `thread * size`: neighbouring cells of a thread stay neighbours.
    Blocked {
        /// Number of the thread, from 0.
        thread: Poly,
        /// Cells per thread.
        size: Poly,
    },
    /// Cell `c` of thread `thread` is at `c * threads + thread`: the same cell of neighbouring threads are neighbours.
    Interleaved {
        /// Number of the thread, from 0.
        thread: Poly,
        /// How many threads there are.
        threads: Poly,
    },
    /// Groups of `width` threads blocked, interleaved within: thread `group * width + lane`.
    Mixed {
        /// Number of the group, from 0.
        group: Poly,
        /// Number within the group, `0 ≤ lane < width`.
        lane: Poly,
        /// Threads of a group.
        width: Poly,
        /// Cells per thread.
        size: Poly,
    },
}

impl Lmad {
    /// Where an array lies after its block was expanded. (The paper's GPU form forgets to scale the old offset.)
    pub fn expand(&self, expansion: &Expansion) -> Lmad {
        let (scale, start) = match expansion {
            Expansion::Blocked { thread, size } => (Poly::constant(1), thread.mul(size)),
            Expansion::Interleaved { thread, threads } => (threads.clone(), thread.clone()),
            Expansion::Mixed { group, lane, width, size } => {
                (width.clone(), group.mul(size).mul(width).add(lane))
            }
        };
        let dims =
            self.dims.iter().map(|dim| LmadDim { size: dim.size.clone(), stride: dim.stride.mul(&scale) });
        Lmad { offset: self.offset.mul(&scale).add(&start), dims: dims.collect() }
    }

    /// An LMAD with the same set of addresses: no dimension of size 1 or stride 0, strides that are known to be negative made
    /// positive, dimensions sorted by stride, greatest last. Not for use as an index function. Variables for which `nonneg`
    /// answers true are known not to be negative.
    pub fn normalise(&self, nonneg: &dyn Fn(Var) -> bool) -> Lmad {
        let mut result = self.clone();
        for dim in 0..self.rank() {
            if sign(&self.dims[dim].stride, nonneg) == Some(Sign::Negative) {
                result = result.reverse(dim);
            }
        }
        result.dims.retain(|LmadDim { size, stride }| {
            // A dimension that may be empty makes the whole set empty then, so it stays even with stride 0.
            let still = stride.as_constant() == Some(0) && size.as_constant().is_some_and(|n| n > 0);
            !still && size.as_constant() != Some(1)
        });
        // Constants by value, then by degree; ties by the terms, so that the order is fixed.
        result.dims.sort_by_key(|dim| {
            let degree = dim.stride.terms().map(|(monomial, _)| monomial.len()).max();
            (degree, dim.stride.as_constant(), dim.stride.clone())
        });
        result
    }

    /// The least and the greatest address, for sizes of at least 1, if the signs of all strides are known.
    pub fn span(&self, nonneg: &dyn Fn(Var) -> bool) -> Option<(Poly, Poly)> {
        let (mut low, mut high) = (self.offset.clone(), self.offset.clone());
        for LmadDim { size, stride } in &self.dims {
            let reach = size.sub(&Poly::constant(1)).mul(stride);
            match sign(stride, nonneg)? {
                Sign::Negative => low = low.add(&reach),
                Sign::NonNegative => high = high.add(&reach),
            }
        }
        Some((low, high))
    }

    /// Whether the addresses are all those of an interval, each reached once: exact for constants, otherwise true only where
    /// each stride is textually the extent of the dimensions inside.
    pub fn contiguous(&self) -> Option<bool> {
        if let Some(concrete) = self.as_concrete() {
            let Some((low, high)) = concrete.span() else { return Some(true) };
            let length = i128::from(high) - i128::from(low) + 1;
            return if length == i128::from(concrete.len()) { self.injective() } else { Some(false) };
        }
        (nested_extents(&self.dims)?.1 == Some(1)).then_some(true)
    }

    /// Whether no two indices share an address: what a place to write to needs. Exact for constants of a reasonable size;
    /// for symbols true only where strides nest textually.
    pub fn injective(&self) -> Option<bool> {
        if self.is_empty() {
            return Some(true);
        }
        if let Some(concrete) = self.as_concrete() {
            return concrete.injective();
        }
        let repeats = |dim: &LmadDim| {
            dim.stride.as_constant() == Some(0) && dim.size.as_constant().is_some_and(|n| n > 1)
        };
        if self.dims.iter().any(repeats) && self.dims.iter().all(|dim| dim.size.as_constant().is_some()) {
            return Some(false);
        }
        nested_extents(&self.dims).map(|_| true)
    }
}

impl ConcreteLmad {
    /// As [`Lmad::injective`]; `None` only where the search for two equal addresses gets long.
    pub fn injective(&self) -> Option<bool> {
        if self.is_empty() {
            return Some(true);
        }
        // Two indices share an address iff some difference d ≠ 0 with |d_k| < size_k has Σ d_k · stride_k = 0.
        let mut dims: Vec<(i128, i128)> = Vec::with_capacity(self.dims.len());
        for (size, stride) in self.dims.iter().filter(|(size, _)| *size > 1) {
            dims.push((i128::from(*size) - 1, i128::from(*stride).abs()));
        }
        dims.sort_by_key(|(_, stride)| std::cmp::Reverse(*stride));
        let mut reaches = vec![0i128; dims.len() + 1];
        for k in (0..dims.len()).rev() {
            reaches[k] = reaches[k + 1].checked_add(dims[k].0.checked_mul(dims[k].1)?)?;
        }
        let mut budget = 100_000u32;
        // The first nonzero d_k may be taken positive.
        for k in 0..dims.len() {
            let (most, stride) = dims[k];
            if stride == 0 {
                return Some(false);
            }
            for d in 1..=most.min(reaches[k + 1] / stride) {
                if cancels(-d * stride, &dims[k + 1..], &reaches[k + 1..], &mut budget)? {
                    return Some(false);
                }
            }
        }
        Some(true)
    }
}

/// Whether some Σ d_k · stride_k with |d_k| ≤ most_k is `target`; `None` when the budget is spent.
fn cancels(target: i128, dims: &[(i128, i128)], reaches: &[i128], budget: &mut u32) -> Option<bool> {
    *budget = budget.checked_sub(1)?;
    if target.abs() > reaches[0] {
        return Some(false);
    }
    let Some(((most, stride), inner)) = dims.split_first() else { return Some(target == 0) };
    if *stride == 0 {
        return cancels(target, inner, &reaches[1..], budget);
    }
    // Only d with |target - d · stride| within reach of the dimensions inside.
    let low = (target - reaches[1]).div_euclid(*stride).max(-most);
    let high = ((target + reaches[1]).div_euclid(*stride) + 1).min(*most);
    for d in low..=high {
        if cancels(target - d * stride, inner, &reaches[1..], budget)? {
            return Some(true);
        }
    }
    Some(false)
}

/// What is known of the sign of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sign {
    Negative,
    NonNegative,
}

/// The sign of a polynomial, where its coefficients and the variables that are known not to be negative tell.
fn sign(poly: &Poly, nonneg: &dyn Fn(Var) -> bool) -> Option<Sign> {
    let known = |monomial: &[Var]| monomial.iter().all(|var| nonneg(*var));
    if poly.terms().all(|(monomial, coefficient)| coefficient >= 0 && known(monomial)) {
        return Some(Sign::NonNegative);
    }
    // Perhaps zero: then the dimension doesn't move, and is as well treated as negative.
    poly.terms().all(|(monomial, c)| c <= 0 && known(monomial)).then_some(Sign::Negative)
}

/// Orders the dimensions so that each stride is, up to sign, a positive multiple of the whole extent of those inside it: then
/// no two indices share an address. Gives the extent (a bound on the addresses spanned) and the product of the multiples where
/// these are constants, 1 meaning that nothing is left out. The innermost stride must be a nonzero constant.
fn nested_extents(dims: &[LmadDim]) -> Option<(Poly, Option<i64>)> {
    let mut rest: BTreeSet<usize> =
        (0..dims.len()).filter(|k| dims[*k].size.as_constant() != Some(1)).collect();
    let mut extent = Poly::constant(1);
    let mut gaps = Some(1i64);
    while !rest.is_empty() {
        let mut found = None;
        for k in &rest {
            for sign in [1, -1] {
                if let Some(multiple) = constant_quotient(&dims[*k].stride.scale(sign), &extent) {
                    let better = found.is_none_or(|(_, best)| multiple < best);
                    if multiple > 0 && better {
                        found = Some((*k, multiple));
                    }
                }
            }
        }
        let (k, multiple) = found?;
        rest.remove(&k);
        gaps = gaps.and_then(|gaps| gaps.checked_mul(multiple));
        extent = extent.scale(multiple).mul(&dims[k].size);
    }
    Some((extent, gaps))
}

/// `c` where `poly = c * divisor`.
fn constant_quotient(poly: &Poly, divisor: &Poly) -> Option<i64> {
    let (monomial, below) = divisor.terms().next()?;
    let above = poly.terms().find(|(other, _)| *other == monomial).map(|(_, c)| c)?;
    let quotient = above.checked_div(below)?;
    (divisor.scale(quotient) == *poly).then_some(quotient)
}
