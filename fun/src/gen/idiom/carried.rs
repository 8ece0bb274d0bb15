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
        let matrix = self.rng.chance(25).then(|| self.computed_size(3));
        let ty = Type::Array { shape: [size].into_iter().chain(matrix).collect(), elem };
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

    /// A map over some of these arrays, sometimes over one of them from the end, and sometimes of many steps; of matrices, a map of maps.
    fn mapped_elements(&mut self, arrays: &[Var], ty: &Type) -> Var {
        let mut arrays: Vec<Var> = arrays.iter().copied().filter(|_| self.rng.chance(70)).collect();
        if let Some(last) = arrays.last_mut()
            && self.rng.chance(15)
        {
            *last = self.view("b", ty.clone(), Exp::Reverse { dim: 0, array: *last }, *last);
        }
        let row = ty.peel(1);
        let more = if row.rank() == 0 && self.rng.chance(20) { 9 } else { 0 };
        let params: Vec<_> = arrays.iter().map(|_| (row.clone(), Roots::new())).collect();
        let lambda = self.lambda(&params, std::slice::from_ref(&row), |m, own| {
            if row.rank() > 0 {
                return vec![m.mapped_elements(own, &row).into()];
            }
            let first = m.scalar(row.elem());
            let all = own.iter().fold(first, |sum, element| m.combined(row.elem(), sum, (*element).into()));
            let steps = (0..more).fold(all, |sum, _| {
                let other = m.scalar(row.elem());
                m.combined(row.elem(), sum, other)
            });
            vec![steps]
        });
        self.fresh("y", ty.clone(), Exp::Map { width: ty.shape()[0], lambda, arrays })
    }
}
