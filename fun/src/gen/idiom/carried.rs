//! Loops whose iterations are maps over what they carry along: each element goes through all of them by itself, but where one reads another.

use super::super::Maker;
use super::super::scope::{I64, Roots};
use crate::ir::{Atom, Exp, LoopForm, Type};
use fun_base::name::Var;
use fun_base::prim::PrimType;

impl Maker {
    /// Such a loop, of one or two arrays and sometimes a scalar.
    pub(super) fn carried_elements(&mut self) {
        let size = if self.rng.chance(70) { self.computed_size(4) } else { self.any_size() };
        let elem = self.prim();
        let ty = Type::Array { shape: vec![size], elem };
        let count = 1 + self.rng.below(2);
        let mut params: Vec<_> = (0..count).map(|_| self.binder("a", ty.clone())).collect();
        let scalar = self.rng.chance(40).then(|| self.binder("s", Type::Prim(elem)));
        params.extend(scalar.clone());
        let inits: Vec<Atom> = params.iter().map(|param| self.value(&param.ty)).collect();
        let in_place = vec![false; params.len()];
        let counter = self.names.fresh("i");
        let bound =
            if self.rng.chance(70) { Atom::i64(2 + self.rng.below(3) as i64) } else { self.any_size() };
        let mut scope = self.loop_scope(&params, &in_place);
        scope.add(counter, I64, Roots::new());
        let carried: Vec<Var> = params[..count].iter().map(|param| param.var).collect();
        let (body, inner) = self.body(scope, |m| {
            let next_scalar = scalar.map(|scalar| {
                let other = m.scalar(elem);
                m.combined(elem, scalar.var.into(), other)
            });
            let mut arrays = carried.clone();
            if m.rng.chance(30) {
                let between = m.mapped_elements(&arrays, &ty);
                arrays.push(between);
            }
            let mut results: Vec<Atom> =
                carried.iter().map(|_| Atom::Var(m.mapped_elements(&arrays, &ty))).collect();
            if m.rng.chance(30) {
                results.reverse();
            }
            results.extend(next_scalar);
            results
        });
        let form = LoopForm::For { var: counter, ty: PrimType::I64, bound };
        self.finish_loop(params, &in_place, inits, form, body, &inner);
    }

    /// A map over some of these arrays, sometimes over one of them from the end.
    fn mapped_elements(&mut self, arrays: &[Var], ty: &Type) -> Var {
        let mut arrays: Vec<Var> = arrays.iter().copied().filter(|_| self.rng.chance(70)).collect();
        if let Some(last) = arrays.last_mut()
            && self.rng.chance(15)
        {
            *last = self.view("b", ty.clone(), Exp::Reverse { dim: 0, array: *last }, *last);
        }
        let elem = ty.elem();
        let params: Vec<_> = arrays.iter().map(|_| (Type::Prim(elem), Roots::new())).collect();
        let lambda = self.lambda(&params, &[Type::Prim(elem)], |m, own| {
            let first = m.scalar(elem);
            vec![own.iter().fold(first, |sum, element| m.combined(elem, sum, (*element).into()))]
        });
        self.fresh("y", ty.clone(), Exp::Map { width: ty.shape()[0], lambda, arrays })
    }
}
