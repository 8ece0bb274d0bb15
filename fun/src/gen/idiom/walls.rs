//! Maps over an array with loops at each place, others at the ends than in the middle: nests that lanes take there (`split-nests`).

use super::super::Maker;
use crate::ir::{Atom, Combine, Exp, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};

/// The most rounds of a loop in the middle, each of which reads the next of the neighbours.
const NEIGHBOURS: usize = 3;

impl Maker {
    /// Such a map: at the ends a loop over the element itself, in the middle one over its neighbours.
    pub(super) fn walls(&mut self) {
        let size = self.any_size();
        let ty = Type::Array { shape: vec![size], elem: self.prim() };
        let (array, elem) = (self.fresh_array(&ty), ty.elem());
        let (space, body) = self.kernel_body(&[size], |m| {
            let at = m.scope.counters.last().map_or(Atom::i64(0), |(counter, _)| Atom::Var(*counter));
            let exactly = m.rng.chance(50);
            let (before, behind) = if exactly { (BinOp::Eq, BinOp::Eq) } else { (BinOp::Le, BinOp::Ge) };
            let begin = m.test(before, at, Atom::i64(0));
            let last = m.number(BinOp::Sub, size, Atom::i64(1));
            let end = m.test(behind, at, last);
            let wall = Exp::Bin(BinOp::Or, PrimType::Bool, begin, end);
            let condition = Atom::Var(m.fresh("wall", Type::Prim(PrimType::Bool), wall));
            let (then, _) = m.body(m.shared_scope(), |m| {
                let own = m.element(array, elem, at);
                let bound = Atom::i64(2 + m.rng.below(2) as i64);
                vec![m.fold(elem, own, bound, &mut |m, old, _| m.combined(elem, own, old))]
            });
            let (otherwise, _) = m.body(m.shared_scope(), |m| {
                let left = m.number(BinOp::Sub, at, Atom::i64(1));
                let first = m.element(array, elem, left);
                let bound = Atom::i64(2 + m.rng.below(NEIGHBOURS - 1) as i64);
                vec![m.fold(elem, first, bound, &mut |m, old, counter| {
                    let next = m.number(BinOp::Add, left, counter);
                    let next = m.element(array, elem, next);
                    m.combined(elem, old, next)
                })]
            });
            vec![Atom::Var(m.fresh("x", Type::Prim(elem), Exp::If { condition, then, otherwise }))]
        });
        self.fresh("m", ty, Exp::Kernel { space, combine: Combine::Map, body });
    }

    fn element(&mut self, array: Var, elem: PrimType, at: Atom) -> Atom {
        Atom::Var(self.fresh("e", Type::Prim(elem), Exp::Index { array, indices: vec![at] }))
    }
}
