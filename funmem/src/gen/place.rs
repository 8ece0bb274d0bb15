//! Blocks and random layouts.

use super::{Known, Maker};
use crate::ir::{Binder, Exp, MemOp, MemType, Space, atom_poly};
use fun::ir::Atom;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::lmad::{Lmad, LmadDim};
use fun_index::poly::Poly;

/// Row-major from offset 0.
pub(super) fn row_major(shape: &[Atom]) -> Lmad {
    let sizes: Vec<Poly> = shape.iter().map(|atom| atom_poly(*atom)).collect();
    Lmad::row_major(Poly::constant(0), &sizes)
}

impl Maker {
    /// A block with room for the product of the factors.
    pub(super) fn alloc(&mut self, text: &str, shape: Vec<Atom>, elem: PrimType) -> Var {
        let mem = self.names.fresh(text);
        let op = MemOp::Alloc { space: Space::Default, shape, elem };
        self.emit(vec![Binder { var: mem, ty: MemType::Mem(Space::Default) }], Exp::Op(op));
        mem
    }

    /// The factors of a block's size and an injective LMAD in it: any order of dimensions, gaps, any signs, any half.
    fn layout(&mut self, shape: &[Atom]) -> (Vec<Atom>, Lmad) {
        let mut order: Vec<usize> = (0..shape.len()).collect();
        for k in (1..order.len()).rev() {
            order.swap(k, self.rng.below(k + 1));
        }
        let mut factors = Vec::new();
        let mut extent = Poly::constant(1);
        let mut lmad = row_major(shape);
        for k in order {
            if self.rng.chance(25) {
                factors.push(Atom::i64(2));
                extent = extent.scale(2);
            }
            lmad.dims[k] = LmadDim { size: atom_poly(shape[k]), stride: extent.clone() };
            factors.push(shape[k]);
            extent = extent.mul(&atom_poly(shape[k]));
        }
        if self.rng.chance(30) {
            factors.push(Atom::i64(2));
            lmad.offset = extent;
        }
        for k in 0..shape.len() {
            if self.rng.chance(25) {
                lmad = lmad.reverse(k);
            }
        }
        (factors, lmad)
    }

    /// A statement whose result is a new array somewhere.
    pub(super) fn fresh(&mut self, shape: &[Atom], elem: PrimType, exp: Exp) -> Known {
        let (factors, lmad) = self.layout(shape);
        let mem = self.alloc("m", factors, elem);
        self.fresh_at(shape, elem, mem, lmad, exp)
    }

    /// A statement whose result is a new array here.
    pub(super) fn fresh_at(
        &mut self,
        shape: &[Atom],
        elem: PrimType,
        mem: Var,
        lmad: Lmad,
        exp: Exp,
    ) -> Known {
        let group = self.group();
        self.bound(Known { var: mem, shape: shape.to_vec(), elem, mem, lmad, group, owned: true }, exp)
    }

    /// A statement whose result is an array like this one under another name.
    pub(super) fn bound(&mut self, mut known: Known, exp: Exp) -> Known {
        known.var = self.names.fresh("b");
        let (shape, lmad) = (known.shape.clone(), known.lmad.clone());
        let ty = MemType::Array { shape, elem: known.elem, mem: known.mem, lmad };
        self.emit(vec![Binder { var: known.var, ty }], exp);
        self.arrays.push(known.clone());
        known
    }
}
