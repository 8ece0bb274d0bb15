//! Rotated arrays, written as the prelude does, and a map that reads them.

use super::super::Maker;
use super::super::scope::{Entry, Roots};
use crate::ir::{Atom, Dim, Exp, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};

impl Maker {
    /// A map over two rotations of an array, the second maybe of its rows or of the first one.
    pub(super) fn rotations(&mut self) {
        let Some(entry) = self.a_matrix() else { return };
        let first = self.rotated(entry.var, &entry.ty);
        let second = match self.rng.below(3) {
            0 => self.rotated(first, &entry.ty),
            1 if entry.ty.rank() > 1 => {
                let row = entry.ty.peel(1);
                let lambda =
                    self.lambda(&[(row.clone(), Roots::new())], std::slice::from_ref(&row), |m, params| {
                        vec![m.rotated(params[0], &row).into()]
                    });
                let exp = Exp::Map { width: entry.ty.shape()[0], lambda, arrays: vec![entry.var] };
                self.fresh("m", entry.ty.clone(), exp)
            }
            _ => self.rotated(entry.var, &entry.ty),
        };
        self.together(&entry, first, second);
    }

    /// `xs[k:] ++ xs[:k]`, where `k` is a constant modulo the size.
    fn rotated(&mut self, array: Var, ty: &Type) -> Var {
        let size = ty.shape()[0];
        let int = Type::Prim(PrimType::I64);
        let by = Atom::i64(self.rng.below(7) as i64 - 3);
        let scalar = |m: &mut Maker, op, x, y| -> Atom {
            let binder = m.binder("x", int.clone());
            let var = binder.var;
            m.push(vec![binder], Exp::Bin(op, PrimType::I64, x, y));
            var.into()
        };
        let most = scalar(self, BinOp::Max, size, Atom::i64(1));
        let offset = scalar(self, BinOp::Mod, by, most);
        let rest = scalar(self, BinOp::Sub, size, offset);
        let part = |m: &mut Maker, from, count| {
            let whole = |size: &Atom| Dim::Range { offset: Atom::i64(0), count: *size, stride: Atom::i64(1) };
            let own = Dim::Range { offset: from, count, stride: Atom::i64(1) };
            let dims = [own].into_iter().chain(ty.shape()[1..].iter().map(whole)).collect();
            let shape = [count].into_iter().chain(ty.shape()[1..].iter().copied()).collect();
            let binder = m.binder("part", Type::Array { shape, elem: ty.elem() });
            let var = binder.var;
            m.push(vec![binder], Exp::Slice { array, dims });
            var
        };
        let arrays = vec![part(self, offset, rest), part(self, Atom::i64(0), offset)];
        self.fresh("turned", ty.clone(), Exp::Concat { size, arrays })
    }

    /// The extreme or sum of the elements of two arrays at the same place.
    fn together(&mut self, entry: &Entry, first: Var, second: Var) {
        let op = self.simple_operator(entry.ty.elem()).0;
        let both = self.pointwise(&entry.ty, op);
        let exp = Exp::Map { width: entry.ty.shape()[0], lambda: both, arrays: vec![first, second] };
        self.fresh("m", entry.ty.clone(), exp);
    }

    /// An operator on the elements of two arrays of this type, as a function of their rows.
    fn pointwise(&mut self, ty: &Type, op: BinOp) -> crate::ir::Lambda {
        let row = ty.peel(1);
        self.lambda(
            &[(row.clone(), Roots::new()), (row.clone(), Roots::new())],
            std::slice::from_ref(&row),
            |m, params| {
                let exp = match &row {
                    Type::Prim(elem) => Exp::Bin(op, *elem, params[0].into(), params[1].into()),
                    Type::Array { shape, .. } => {
                        let lambda = m.pointwise(&row, op);
                        Exp::Map { width: shape[0], lambda, arrays: params.to_vec() }
                    }
                };
                vec![m.fresh("z", row.clone(), exp).into()]
            },
        )
    }
}
