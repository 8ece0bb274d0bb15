//! Loops whose steps read a matrix at each point and in the row or column of the step, as eliminations do.

use super::super::Maker;
use super::super::scope::{I64, Roots};
use crate::ir::{Atom, Combine, Exp, LoopForm, Type};
use fun_base::prim::{BinOp, PrimType};

impl Maker {
    /// A loop that makes each element of a square matrix another one from itself and those in the row and the column of the iteration.
    pub(super) fn elimination(&mut self) {
        let (size, elem) = (self.any_size(), self.prim());
        let ty = Type::Array { shape: vec![size, size], elem };
        if self.cells(&ty).is_none_or(|cells| cells > 16) {
            return;
        }
        let init = self.value(&ty);
        let param = self.binder("a", ty.clone());
        let (array, counter) = (param.var, self.names.fresh("k"));
        let mut scope = self.loop_scope(std::slice::from_ref(&param), &[false]);
        scope.add(counter, I64, Roots::new());
        let (body, inner) = self.body(scope, |m| {
            let (space, body) = m.kernel_body(&[size, size], |m| {
                let counters = m.scope.counters.iter().rev().take(2).map(|(counter, _)| Atom::Var(*counter));
                let [j, i] = counters.collect::<Vec<_>>()[..] else { return Vec::new() };
                let k = Atom::Var(counter);
                let read = |m: &mut Maker, indices: [Atom; 2]| {
                    let element = Exp::Index { array, indices: indices.to_vec() };
                    Atom::Var(m.fresh("e", Type::Prim(elem), element))
                };
                let own = read(m, [i, j]);
                let others: &[[Atom; 2]] = match m.rng.below(6) {
                    // steps of which each element depends on itself alone
                    4 | 5 => &[[i, j]],
                    0 => &[[k, j]],
                    1 => &[[i, k]],
                    2 => &[[k, j], [i, k]],
                    _ => &[[k, j], [i, k], [k, k]],
                };
                let op = match (others, elem) {
                    (_, PrimType::Bool) => BinOp::Xor,
                    ([other], _) if *other == [i, j] => BinOp::Add,
                    _ => BinOp::Sub,
                };
                let sum = others.iter().fold(own, |sum, other| {
                    let other = read(m, *other);
                    Atom::Var(m.fresh(op.name(), Type::Prim(elem), Exp::Bin(op, elem, sum, other)))
                });
                vec![sum]
            });
            vec![Atom::Var(m.fresh("m", ty.clone(), Exp::Kernel { space, combine: Combine::Map, body }))]
        });
        let form = LoopForm::For { var: counter, ty: PrimType::I64, bound: size };
        self.finish_loop(vec![param], &[false], vec![init], form, body, &inner);
    }
}
