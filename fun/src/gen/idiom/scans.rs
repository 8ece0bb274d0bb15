//! Scans that few threads do in several ways: of many values by threads that need memory, and of rows of two.

use super::super::Maker;
use crate::ir::{Atom, Combine, Exp, Type};
use fun_base::prim::{BinOp, PrimType};

impl Maker {
    /// One of these. Inside of another kernel it would be a thread's, and nothing special.
    pub(super) fn scans(&mut self) {
        if !self.scope.counters.is_empty() {
            return;
        }
        if self.rng.chance(50) { self.scan_with_memory() } else { self.scan_of_pairs() }
    }

    /// A scan of many values, each an element of an array that is made for it.
    fn scan_with_memory(&mut self) {
        let elem = self.any_int();
        let number = Type::Prim(elem);
        let width = Atom::i64(9 + self.rng.below(12) as i64);
        let (op, neutral) = self.row_operator_of(elem);
        let (space, body) = self.kernel_body(&[width], |m| {
            let Some((counter, _)) = m.scope.counters.last().copied() else { return Vec::new() };
            let own = match elem {
                PrimType::I64 => Atom::Var(counter),
                _ => {
                    let own = Exp::Convert { to: elem, from: PrimType::I64, value: counter.into() };
                    Atom::Var(m.fresh("c", number.clone(), own))
                }
            };
            let elems = vec![own, m.scalar(elem), m.scalar(elem)];
            let ty = Type::Array { shape: vec![Atom::i64(3)], elem };
            let array = m.fresh("l", ty, Exp::ArrayLiteral { row: number.clone(), elems });
            // nobody knows which without running it, so the array stays
            let which = Exp::Bin(BinOp::Rem, PrimType::I64, counter.into(), Atom::i64(3));
            let which = Atom::Var(m.fresh("z", Type::Prim(PrimType::I64), which));
            vec![Atom::Var(m.fresh("e", number.clone(), Exp::Index { array, indices: vec![which] }))]
        });
        let combine = Combine::Scan { op, neutral, epilogue: None };
        self.fresh("k", Type::array_of(&[width], &number), Exp::Kernel { space, combine, body });
    }

    /// A scan of each of some rows of two values, whose elements differ.
    fn scan_of_pairs(&mut self) {
        let rows = 2 + self.rng.below(3) as i64;
        let matrix = self.numbered_of(&[rows, 2]);
        let elem = matrix.ty.elem();
        let (op, neutral) = self.row_operator_of(elem);
        let (space, body) = self.kernel_body(matrix.ty.shape(), |m| {
            let from = m.scope.counters.len() - 2;
            let indices = m.scope.counters[from..].iter().map(|(counter, _)| Atom::Var(*counter)).collect();
            let element = Exp::Index { array: matrix.var, indices };
            vec![Atom::Var(m.fresh("e", Type::Prim(elem), element))]
        });
        let combine = Combine::Scan { op, neutral, epilogue: None };
        self.fresh("k", matrix.ty.clone(), Exp::Kernel { space, combine, body });
    }
}
