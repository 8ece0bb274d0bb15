//! Loops that write an element of an array after each that they read.

use super::super::Maker;
use super::super::scope::{I64, Roots};
use crate::ir::{Atom, Dim, Exp, LoopForm, Type};
use fun_base::prim::PrimType;

impl Maker {
    /// A loop whose iterations make the next element, or the one after it, of the present one; sometimes the matrix has several rows, and
    /// the element above counts, too.
    pub(super) fn recurrence(&mut self) {
        let size = 3 + self.rng.below(3) as i64;
        let distance = if self.rng.chance(80) { 1 } else { 2 };
        let rows = self.rng.chance(50);
        let shape = if rows { vec![Atom::i64(2), Atom::i64(size)] } else { vec![Atom::i64(size)] };
        let ty = Type::Array { shape, elem: self.prim() };
        let elem = Type::Prim(ty.elem());
        let inits = self.inits(std::slice::from_ref(&ty), &[true]);
        let counter = self.names.fresh("i");
        let bound = Atom::i64(size - distance);
        let param = self.binder("a", ty.clone());
        let array = param.var;
        let mut scope = self.loop_scope(std::slice::from_ref(&param), &[true]);
        scope.add(counter, I64, Roots::new());
        let (body, inner) = self.body(scope, |m| {
            let here = Atom::Var(counter);
            let mut next = here;
            for _ in 0..distance {
                next = m.successor(next);
            }
            let place = |row: i64, column| if rows { vec![Atom::i64(row), column] } else { vec![column] };
            let read =
                |m: &mut Maker, indices| Atom::Var(m.fresh("e", elem.clone(), Exp::Index { array, indices }));
            let old = read(m, place(1, here));
            let other = if rows { read(m, place(0, next)) } else { m.value(&elem) };
            let value = m.combined(ty.elem(), other, old);
            m.scope.consume(&m.scope.roots_of(Atom::Var(array)));
            let dims = place(1, next).into_iter().map(Dim::Fix).collect();
            vec![Atom::Var(m.fresh("u", ty.clone(), Exp::Update { array, dims, value }))]
        });
        let form = LoopForm::For { var: counter, ty: PrimType::I64, bound };
        self.finish_loop(vec![param], &[true], inits, form, body, &inner);
    }
}
