//! Adjoints and adding to them.

use super::super::{forward, partial};
use super::Reverse;
use crate::build::Builder;
use crate::ir::{Atom, Dim, Exp, FlatDim, Lambda, Type};
use crate::types::dims_shape;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};

/// How much the results change with a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Adjoint {
    pub(super) atom: Atom,
    /// Whether nothing else refers to the cells of the array, so that it may be consumed.
    pub(super) owned: bool,
}

impl Adjoint {
    pub(super) fn owned(atom: impl Into<Atom>) -> Adjoint {
        Adjoint { atom: atom.into(), owned: true }
    }

    /// The array.
    pub(super) fn array(self) -> Var {
        self.atom.as_var().expect("invariant: arrays are variables")
    }
}

impl Reverse<'_, '_> {
    pub(super) fn zero(&mut self, ty: &Type) -> Adjoint {
        Adjoint::owned(forward::zero(self.b, ty))
    }

    /// The adjoint of a variable, which is then without one.
    pub(super) fn take_or_zero(&mut self, var: Var, ty: &Type) -> Adjoint {
        match self.adjoints.remove(&var) {
            Some(adjoint) => adjoint,
            None => self.zero(ty),
        }
    }

    /// An adjoint that may be consumed.
    pub(super) fn own(&mut self, adjoint: Adjoint) -> Adjoint {
        match adjoint.atom {
            Atom::Var(var) if !adjoint.owned && self.type_of(adjoint.atom).rank() > 0 => {
                Adjoint::owned(self.copy(var))
            }
            atom => Adjoint::owned(atom),
        }
    }

    /// The array under a type that differs at most in how sizes are named.
    pub(super) fn conform(&mut self, adjoint: Adjoint, ty: &Type) -> Adjoint {
        if ty.rank() == 0 || self.type_of(adjoint.atom) == *ty {
            return adjoint;
        }
        let exp = Exp::Reshape { shape: ty.shape().to_vec(), array: adjoint.array() };
        Adjoint { atom: self.b.one("adj", exp), owned: adjoint.owned }
    }

    /// Adds to the adjoint of an operand.
    pub(super) fn contribute(&mut self, atom: Atom, value: Adjoint) {
        let Some(var) = atom.as_var().filter(|var| self.active.contains(var)) else { return };
        let ty = self.type_of(atom);
        let value = self.conform(value, &ty);
        if self.collected.contains_key(&var) {
            return self.collect(var, &Builder::row_dims(&ty, &[]), value.atom);
        }
        let sum = match self.adjoints.remove(&var) {
            None => value,
            Some(old) => Adjoint::owned(self.sum(&ty, old.atom, value.atom)),
        };
        self.adjoints.insert(var, sum);
    }

    /// The sum of two values of a type.
    pub(super) fn sum(&mut self, ty: &Type, x: Atom, y: Atom) -> Atom {
        match (ty, x, y) {
            (Type::Array { .. }, Atom::Var(x), Atom::Var(y)) => {
                let exp = sum_arrays(self.b, ty, x, y);
                self.b.one("sum", exp)
            }
            _ => partial::add(self.b, ty.elem(), x, y),
        }
    }

    /// Adds to a part of the adjoint of an array.
    pub(super) fn contribute_at(&mut self, array: Var, dims: &[Dim], value: Adjoint) {
        if !self.active.contains(&array) {
            return;
        }
        let (array, dims) = self.place_of(array, dims);
        if self.collected.contains_key(&array) {
            return self.collect(array, &dims, value.atom);
        }
        let ty = self.type_of(array.into());
        let adjoint = self.take_or_zero(array, &ty);
        let adjoint = self.own(adjoint).array();
        let updated = self.add_at(adjoint, &dims, value.atom);
        self.adjoints.insert(array, Adjoint::owned(updated));
    }

    /// Adds to a part of an array, which is consumed. Dimensions that may read one cell several times are gone through in order.
    fn add_at(&mut self, array: Var, dims: &[Dim], value: Atom) -> Var {
        let Some(at) = dims.iter().position(may_repeat) else {
            let old = self.read(array, dims);
            let ty = self.type_of(value);
            let sum = self.sum(&ty, old, value);
            return self.b.array("adj", Exp::Update { array, dims: dims.to_vec(), value: sum });
        };
        let (offset, FlatDim { count, stride }, rest) = match &dims[at] {
            Dim::Fix(_) => return array,
            Dim::Range { offset, count, stride } => {
                (*offset, FlatDim { count: *count, stride: *stride }, [].as_slice())
            }
            Dim::Flat { offset, dims } => match dims.split_first() {
                Some((first, rest)) => (*offset, *first, rest),
                None => return array,
            },
        };
        let outer = dims_shape(&dims[..at]).len();
        let (array_ty, value_ty) = (self.type_of(array.into()), self.type_of(value));
        let param = self.b.binder("adj", array_ty.clone());
        let i = self.b.binder("i", Type::Prim(PrimType::I64)).var;
        let saved = self.b.take();
        let step = self.b.mul(i.into(), stride);
        let index = self.b.add(offset, step);
        let mut inner = dims.to_vec();
        inner[at] = match *rest {
            [] => Dim::Fix(index),
            [FlatDim { count, stride }] => Dim::Range { offset: index, count, stride },
            _ => Dim::Flat { offset: index, dims: rest.to_vec() },
        };
        let part: Vec<Dim> = value_ty
            .shape()
            .iter()
            .enumerate()
            .map(|(k, size)| if k == outer { Dim::Fix(i.into()) } else { Self::whole(*size) })
            .collect();
        let value = match value.as_var() {
            Some(value) => self.read(value, &part),
            None => value,
        };
        let result = self.add_at(param.var, &inner, value);
        let statements = self.b.replace(saved);
        let body = crate::ir::Body { statements, results: vec![result.into()] };
        let params = vec![crate::ir::LoopParam { binder: param, init: array.into() }];
        let form = crate::ir::LoopForm::For { var: i, ty: PrimType::I64, bound: count };
        let results = self.b.emit("adj", &[array_ty], Exp::Loop { params, form, body });
        results[0].as_var().expect("invariant: emitted results are variables")
    }

    /// All of a dimension.
    pub(super) fn whole(size: Atom) -> Dim {
        Dim::Range { offset: Atom::i64(0), count: size, stride: Atom::i64(1) }
    }

    /// Part of an array: a scalar or a slice.
    pub(super) fn read(&mut self, array: Var, dims: &[Dim]) -> Atom {
        let fixed: Option<Vec<Atom>> =
            dims.iter().map(|dim| if let Dim::Fix(index) = dim { Some(*index) } else { None }).collect();
        match fixed {
            Some(indices) => self.b.index(array, &indices),
            None => self.b.slice(array, dims.to_vec()).into(),
        }
    }

    /// The sum of an array over its outermost dimensions.
    pub(super) fn sum_outer(&mut self, array: Var, outer: usize) -> Atom {
        let ty = self.type_of(array.into());
        let inner = ty.peel(outer);
        let mut size = Atom::i64(1);
        for dim in &ty.shape()[..outer] {
            size = self.b.mul(size, *dim);
        }
        let mut array = array;
        if outer > 1 {
            let shape = std::iter::once(size).chain(inner.shape().iter().copied()).collect();
            array = self.b.array("flat", Exp::Reshape { shape, array });
        }
        if inner.rank() > 0 {
            let perm = (1..=inner.rank()).chain([0]).collect();
            array = self.b.array("last", Exp::Permute { perm, array });
        }
        let exp = sum_rows(self.b, &inner, size, array);
        self.b.one("sum", exp)
    }
}

/// Whether a dimension may read one cell several times.
pub(super) fn may_repeat(dim: &Dim) -> bool {
    match dim {
        Dim::Fix(_) => false,
        Dim::Range { stride, .. } => {
            stride.as_const().and_then(PrimValue::as_i64).is_none_or(|stride| stride == 0)
        }
        Dim::Flat { .. } => true,
    }
}

/// The operator that adds scalars.
pub(super) fn plus(b: &mut Builder<'_>, elem: PrimType) -> Lambda {
    let prim = Type::Prim(elem);
    b.lambda(&[prim.clone(), prim.clone()], &[prim], |b, x| vec![partial::add(b, elem, x[0], x[1])])
}

/// The sum of two arrays of this type.
fn sum_arrays(b: &mut Builder<'_>, ty: &Type, x: Var, y: Var) -> Exp {
    let row = ty.peel(1);
    let lambda = if row.rank() == 0 {
        plus(b, row.elem())
    } else {
        b.lambda(&[row.clone(), row.clone()], std::slice::from_ref(&row), |b, rows| {
            match (rows[0], rows[1]) {
                (Atom::Var(x), Atom::Var(y)) => {
                    let exp = sum_arrays(b, &row, x, y);
                    vec![b.one("sum", exp)]
                }
                (x, _) => vec![x],
            }
        })
    };
    Exp::Map { width: ty.shape()[0], lambda, arrays: vec![x, y] }
}

/// Sums over the last dimension, of this size, of an array whose other dimensions are those of `ty`.
fn sum_rows(b: &mut Builder<'_>, ty: &Type, size: Atom, array: Var) -> Exp {
    let elem = ty.elem();
    if ty.rank() == 0 {
        let (op, neutral) = (plus(b, elem), vec![Atom::Const(elem.zero())]);
        return Exp::Reduce { width: size, op, neutral, arrays: vec![array], commutative: true };
    }
    let row = ty.peel(1);
    let shape: Vec<Atom> = row.shape().iter().copied().chain([size]).collect();
    let param = Type::array_of(&shape, &Type::Prim(elem));
    let lambda = b.lambda(&[param], std::slice::from_ref(&row), |b, rows| match rows[0] {
        Atom::Var(array) => {
            let exp = sum_rows(b, &row, size, array);
            vec![b.one("sum", exp)]
        }
        constant => vec![constant],
    });
    Exp::Map { width: ty.shape()[0], lambda, arrays: vec![array] }
}

/// `0 <= index < size`.
pub(super) fn within(b: &mut Builder<'_>, index: Atom, size: Atom) -> Atom {
    let from = b.bin(BinOp::Le, PrimType::I64, Atom::i64(0), index);
    let upto = b.bin(BinOp::Lt, PrimType::I64, index, size);
    b.bin(BinOp::And, PrimType::Bool, from, upto)
}
