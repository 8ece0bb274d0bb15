//! Reductions of the columns of a matrix.

use super::super::Maker;
use crate::ir::{Atom, Combine, Exp, Type};
use fun_base::prim::BinOp;

impl Maker {
    /// A map over the columns of a matrix, in which what is computed of their elements is reduced.
    pub(super) fn columns(&mut self) {
        let (rows, columns, elem) = (self.some_size(4), Atom::i64(2 + self.rng.below(4) as i64), self.prim());
        let Some(matrix) = self.value(&Type::Array { shape: vec![rows, columns], elem }).as_var() else {
            return;
        };
        let scalar = Type::Prim(elem);
        let (space, body) = self.kernel_body(&[columns], |m| {
            let Some((column, _)) = m.scope.counters.last().copied() else { return Vec::new() };
            let (op, neutral) = m.row_operator_of(elem);
            let (space, body) = m.kernel_body(&[rows], |m| {
                let Some((row, _)) = m.scope.counters.last().copied() else { return Vec::new() };
                let indices = vec![Atom::Var(row), Atom::Var(column)];
                let element = Atom::Var(m.fresh("e", scalar.clone(), Exp::Index { array: matrix, indices }));
                let squared = elem.is_number() && m.rng.chance(50);
                vec![match squared {
                    true => {
                        Atom::Var(m.fresh("z", scalar.clone(), Exp::Bin(BinOp::Mul, elem, element, element)))
                    }
                    false => element,
                }]
            });
            let combine = Combine::Reduce { op, neutral, commutative: m.rng.chance(50) };
            vec![Atom::Var(m.fresh("sum", scalar.clone(), Exp::Kernel { space, combine, body }))]
        });
        let ty = Type::Array { shape: vec![columns], elem };
        self.fresh("columns", ty, Exp::Kernel { space, combine: Combine::Map, body });
    }
}
