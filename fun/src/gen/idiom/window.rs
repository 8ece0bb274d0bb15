//! Loops over windows that move: each iteration has all rows but some of the one before, and new ones.

use super::super::Maker;
use super::super::scope::{I64, Roots};
use crate::ir::{Atom, Dim, Exp, LoopForm, Type};
use fun_base::name::Var;
use fun_base::prim::PrimType;

impl Maker {
    /// A loop that drops rows of its array at one end and adds as many at the other; sometimes these are those that were dropped.
    pub(super) fn moving_window(&mut self) {
        let size = 2 + self.rng.below(3) as i64;
        let mut shape = vec![Atom::i64(size)];
        if self.rng.chance(40) {
            shape.push(Atom::i64(1 + self.rng.below(2) as i64));
        }
        let ty = Type::Array { shape, elem: self.prim() };
        let init = Atom::Var(self.lasting_array(&ty));
        let counter = self.names.fresh("i");
        let bound = self.some_size(4);
        let param = self.binder("a", ty.clone());
        let old = param.var;
        let mut scope = self.loop_scope(std::slice::from_ref(&param), &[false]);
        scope.add(counter, I64, Roots::new());
        scope.counters.push((counter, bound));
        let (body, inner) = self.body(scope, |m| {
            let dropped = 1 + m.rng.below(size as usize - 1) as i64;
            let to_front = m.rng.chance(50);
            let kept = m.rows_from(old, &ty, if to_front { dropped } else { 0 }, size - dropped);
            let new = if m.rng.chance(25) {
                m.rows_from(old, &ty, if to_front { 0 } else { size - dropped }, dropped)
            } else {
                let elem = m.element_of(old, &ty);
                let rows = Type::array_of(&[Atom::i64(dropped)], &ty.peel(1));
                let made = m.fresh_array(&rows);
                m.with_element(made, &rows, elem)
            };
            let arrays = if to_front { vec![kept, new] } else { vec![new, kept] };
            vec![Atom::Var(m.fresh("a", ty.clone(), Exp::Concat { size: Atom::i64(size), arrays }))]
        });
        let form = LoopForm::For { var: counter, ty: PrimType::I64, bound };
        self.finish_loop(vec![param], &[false], vec![init], form, body, &inner);
    }

    /// So many rows of an array.
    fn rows_from(&mut self, array: Var, ty: &Type, first: i64, count: i64) -> Var {
        let range = |offset, count| Dim::Range { offset, count, stride: Atom::i64(1) };
        let mut dims = vec![range(Atom::i64(first), Atom::i64(count))];
        dims.extend(ty.shape()[1..].iter().map(|size| range(Atom::i64(0), *size)));
        let rows = Type::array_of(&[Atom::i64(count)], &ty.peel(1));
        self.view("s", rows, Exp::Slice { array, dims }, array)
    }
}
