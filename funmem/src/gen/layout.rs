//! Random layouts.

use super::maker::Maker;
use crate::ir::atom_poly;
use fun::ir::Atom;
use fun_base::rng::Rng;
use fun_index::lmad::{Lmad, LmadDim};
use fun_index::poly::Poly;

/// A layout, and the factors of the number of elements that it needs from offset 0 on.
pub(super) struct Layout {
    pub(super) factors: Vec<Atom>,
    pub(super) lmad: Lmad,
}

impl Maker {
    /// An injective layout of a shape.
    pub(super) fn layout(&mut self, shape: &[Atom]) -> Layout {
        if self.rng.chance(30) {
            let sizes: Vec<Poly> = shape.iter().map(|size| atom_poly(*size)).collect();
            return Layout { factors: shape.to_vec(), lmad: Lmad::row_major(Poly::constant(0), &sizes) };
        }
        scattered(&mut self.rng, shape)
    }
}

/// Any order of dimensions, gaps, any signs, in the first or second half.
fn scattered(rng: &mut Rng, shape: &[Atom]) -> Layout {
    let mut order: Vec<usize> = (0..shape.len()).collect();
    for k in (1..order.len()).rev() {
        order.swap(k, rng.below(k + 1));
    }
    let mut factors = Vec::new();
    let mut extent = Poly::constant(1);
    let sizes: Vec<Poly> = shape.iter().map(|size| atom_poly(*size)).collect();
    let mut lmad = Lmad::row_major(Poly::constant(0), &sizes);
    for k in order {
        if rng.chance(25) {
            factors.push(Atom::i64(2));
            extent = extent.scale(2);
        }
        lmad.dims[k] = LmadDim { size: sizes[k].clone(), stride: extent.clone() };
        factors.push(shape[k]);
        // A dimension without indices does not make the others coincide, nor its own: behind an assertion that fails, it has some.
        extent = match sizes[k].as_constant() {
            Some(0) => extent.scale(4),
            _ => extent.mul(&sizes[k]),
        };
    }
    if rng.chance(30) {
        factors.push(Atom::i64(2));
        lmad.offset = extent;
    }
    for k in 0..shape.len() {
        if rng.chance(25) {
            lmad = lmad.reverse(k);
        }
    }
    Layout { factors, lmad }
}
