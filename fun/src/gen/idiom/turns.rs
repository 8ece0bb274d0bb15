//! Loops over arrays that take turns by way of a branch: an iteration makes a new one, and takes it or keeps the old one.

use super::super::scope::{I64, Roots};
use super::super::{Form, Maker};
use crate::ir::{Atom, Combine, Dim, Exp, LoopForm, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};

impl Maker {
    /// Such a loop, sometimes one for each point of a map.
    pub(super) fn turns(&mut self) {
        let size =
            if self.rng.chance(70) { Atom::i64(1 + self.rng.below(4) as i64) } else { self.any_size() };
        let ty = Type::Array { shape: vec![size], elem: self.prim() };
        if self.form != Form::Kernel || !self.scope.counters.is_empty() || self.rng.chance(40) {
            self.loop_of_turns(&ty);
            return;
        }
        let (rows, gives_row) = (self.some_size(4), self.rng.chance(60));
        let (space, body) = self.kernel_body(&[rows], |m| {
            let last = m.loop_of_turns(&ty);
            vec![if gives_row { Atom::Var(last) } else { m.element_of(last, &ty) }]
        });
        let point = if gives_row { ty } else { Type::Prim(ty.elem()) };
        let ty = Type::array_of(&[rows], &point);
        self.fresh("rows", ty, Exp::Kernel { space, combine: Combine::Map, body });
    }

    /// The loop; gives its last value. Sometimes the value before is carried along as well.
    fn loop_of_turns(&mut self, ty: &Type) -> Var {
        let two = self.rng.chance(25);
        let params: Vec<_> = (0..1 + usize::from(two)).map(|_| self.binder("a", ty.clone())).collect();
        let in_place = vec![false; params.len()];
        let inits: Vec<Atom> = params
            .iter()
            .map(|_| if self.rng.chance(70) { Atom::Var(self.lasting_array(ty)) } else { self.value(ty) })
            .collect();
        let old = params[0].var;
        let counter = self.names.fresh("i");
        let bound = Atom::i64(2 + self.rng.below(4) as i64);
        let mut scope = self.loop_scope(&params, &in_place);
        scope.add(counter, I64, Roots::new());
        let (body, inner) = self.body(scope, |m| {
            let made = m.rng.chance(70).then(|| m.next_of_turns(old, ty));
            let condition = m.taken(counter, old, ty);
            let arms = if m.rng.chance(50) { [true, false] } else { [false, true] };
            let [then, otherwise] = arms.map(|takes| {
                let scope = m.shared_scope();
                m.body(scope, |m| {
                    let given = match made {
                        _ if !takes => old,
                        Some(made) => made,
                        None => m.next_of_turns(old, ty),
                    };
                    vec![Atom::Var(given)]
                })
                .0
            });
            let binder = m.binder("x", ty.clone());
            let next = binder.var;
            m.push(vec![binder], Exp::If { condition, then, otherwise });
            let mut roots = m.scope.roots_of(Atom::Var(old));
            roots.extend(made.iter().flat_map(|made| m.scope.roots_of(Atom::Var(*made))));
            m.scope.add(next, ty.clone(), roots);
            let mut results = vec![Atom::Var(next)];
            results.extend(two.then_some(Atom::Var(old)));
            results
        });
        let form = LoopForm::For { var: counter, ty: PrimType::I64, bound };
        let before = self.scope.entries.len();
        self.finish_loop(params, &in_place, inits, form, body, &inner);
        self.scope.entries[before].var
    }

    /// A new array, which depends on the old one: often on its element at another place.
    fn next_of_turns(&mut self, old: Var, ty: &Type) -> Var {
        let made = if self.rng.chance(60) {
            let back = self.view("b", ty.clone(), Exp::Reverse { dim: 0, array: old }, old);
            self.fresh("y", ty.clone(), Exp::Copy(back))
        } else {
            self.fresh_array(ty)
        };
        if !self.scope.is_positive(ty.shape()[0]) {
            return made;
        }
        let elem = ty.elem();
        let (first, second) = (self.element_of(old, ty), self.value(&Type::Prim(elem)));
        let value = self.combined(elem, first, second);
        let roots = self.scope.roots_of(Atom::Var(made));
        self.scope.consume(&roots);
        let dims = vec![Dim::Fix(Atom::i64(0))];
        self.fresh("u", ty.clone(), Exp::Update { array: made, dims, value })
    }

    /// Whether an iteration takes what it has made: by its number, by an element of the old array, or by chance.
    fn taken(&mut self, counter: Var, old: Var, ty: &Type) -> Atom {
        let bool = Type::Prim(PrimType::Bool);
        match self.rng.below(4) {
            0 | 1 => {
                let rest = Exp::Bin(BinOp::Rem, PrimType::I64, Atom::Var(counter), Atom::i64(2));
                let rest = Atom::Var(self.fresh("z", I64, rest));
                let which = Atom::i64(self.rng.below(2) as i64);
                Atom::Var(self.fresh("t", bool, Exp::Bin(BinOp::Eq, PrimType::I64, rest, which)))
            }
            2 if BinOp::Lt.result_type(ty.elem()).is_some() => {
                let (element, other) = (self.element_of(old, ty), self.scalar(ty.elem()));
                Atom::Var(self.fresh("t", bool, Exp::Bin(BinOp::Lt, ty.elem(), element, other)))
            }
            _ => self.scalar(PrimType::Bool),
        }
    }
}
