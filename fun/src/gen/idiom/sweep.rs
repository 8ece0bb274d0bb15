//! Sweeps: loops in loops that go over a matrix in place, each element made of neighbours, as dynamic programming and relaxation do.

use super::super::Maker;
use super::super::scope::{I64, Roots};
use crate::ir::{Atom, Combine, Dim, Exp, LoopForm, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};

/// Which elements are read of a window whose element in the second row and column is written: all of earlier iterations, those around, some a
/// column further in the row before, others.
const BEFORE: [(i64, i64); 3] = [(0, 0), (0, 1), (1, 0)];
const AROUND: [(i64, i64); 4] = [(0, 1), (1, 0), (2, 1), (1, 2)];
const BEHIND: [(i64, i64); 4] = [(1, 0), (0, 2), (2, 0), (0, 1)];
const ANY: [(i64, i64); 4] = [(0, 2), (1, 1), (0, 0), (2, 0)];

impl Maker {
    /// A matrix all of whose elements, but for those at the edges, are made anew, row by row, of elements around them.
    pub(super) fn sweep(&mut self) {
        // what is read, and how many rows and columns lie behind those that are written
        let (reads, edge): (&[(i64, i64)], i64) = match self.rng.below(8) {
            0..4 => (&BEFORE, 0),
            4..6 => (&AROUND, 1),
            6 => (&BEHIND, 1),
            _ => (&ANY, 1),
        };
        let [rows, columns] = [0; 2].map(|_| self.some_size(4));
        let shape = [rows, columns].map(|size| {
            let whole = Exp::Bin(BinOp::Add, PrimType::I64, size, Atom::i64(1 + edge));
            self.size("w", 5 + edge, whole)
        });
        let shape = shape.to_vec();
        let ty = Type::Array { shape, elem: self.prim() };
        let elem = Type::Prim(ty.elem());
        let inits = self.inits(std::slice::from_ref(&ty), &[true]);
        let skipped = self.rng.chance(20);
        // sometimes the first row and column have other neighbours
        let edged = self.rng.chance(30);
        // sometimes fewer rows, or none, as is found out behind the matrix
        let rows = match self.rng.below(4) {
            0 => {
                let any = self.scalar(PrimType::I64);
                Atom::Var(self.fresh("z", I64, Exp::Bin(BinOp::Min, PrimType::I64, rows, any)))
            }
            _ => rows,
        };
        let (outer_param, outer_counter) = (self.binder("a", ty.clone()), self.names.fresh("i"));
        let mut scope = self.loop_scope(std::slice::from_ref(&outer_param), &[true]);
        scope.add(outer_counter, I64, Roots::new());
        let (body, inner) = self.body(scope, |m| {
            m.scope.consume(&m.scope.roots_of(Atom::Var(outer_param.var)));
            let (param, counter) = (m.binder("a", ty.clone()), m.names.fresh("j"));
            let array = param.var;
            let mut scope = m.loop_scope(std::slice::from_ref(&param), &[true]);
            scope.add(counter, I64, Roots::new());
            let (body, inner) = m.body(scope, |m| {
                let numbers = |m: &mut Maker, counter, count: i64| {
                    let mut numbers = vec![Atom::Var(counter)];
                    for k in 0..count {
                        let next = m.successor(numbers[k as usize]);
                        numbers.push(next);
                    }
                    numbers
                };
                let down = numbers(m, outer_counter, 1 + edge);
                let right = numbers(m, counter, 1 + edge);
                let mut value = None;
                for (row, column) in reads.iter().skip(usize::from(skipped)) {
                    let indices = vec![down[*row as usize], right[*column as usize]];
                    let read = if edged && (*row == 0 || *column == 0) {
                        let counter = if *row == 0 { outer_counter } else { counter };
                        m.unless_first(counter, ty.elem(), &|m| {
                            m.fresh("e", elem.clone(), Exp::Index { array, indices: indices.clone() })
                        })
                    } else {
                        Atom::Var(m.fresh("e", elem.clone(), Exp::Index { array, indices }))
                    };
                    value = Some(match value {
                        None => read,
                        Some(value) => m.combined(ty.elem(), read, value),
                    });
                }
                let Some(value) = value else { return vec![Atom::Var(array)] };
                m.scope.consume(&m.scope.roots_of(Atom::Var(array)));
                let dims = vec![Dim::Fix(down[1]), Dim::Fix(right[1])];
                vec![Atom::Var(m.fresh("u", ty.clone(), Exp::Update { array, dims, value }))]
            });
            let form = LoopForm::For { var: counter, ty: PrimType::I64, bound: columns };
            let init = vec![Atom::Var(outer_param.var)];
            m.finish_loop(vec![param], &[true], init, form, body, &inner);
            m.scope.entries.last().map(|swept| Atom::Var(swept.var)).into_iter().collect()
        });
        let form = LoopForm::For { var: outer_counter, ty: PrimType::I64, bound: rows };
        self.finish_loop(vec![outer_param], &[true], inits, form, body, &inner);
    }

    /// Some matrices, each swept over by an iteration, of which an element is left.
    pub(super) fn swept_matrices(&mut self) {
        let size = self.some_size(3);
        let mut elem = None;
        let (space, body) = self.kernel_body(&[size], |m| {
            m.sweep();
            let swept = m.scope.entries.last().map(|entry| (entry.var, entry.ty.clone()));
            elem = swept.as_ref().map(|(_, ty)| ty.elem());
            swept.iter().map(|(array, ty)| m.element_of(*array, ty)).collect()
        });
        if let Some(elem) = elem {
            let ty = Type::Array { shape: vec![size], elem };
            self.fresh("m", ty, Exp::Kernel { space, combine: Combine::Map, body });
        }
    }

    /// What is read, but some number where the counter is 0.
    fn unless_first(&mut self, counter: Var, elem: PrimType, read: &dyn Fn(&mut Maker) -> Var) -> Atom {
        let tests =
            [(BinOp::Eq, 0), (BinOp::Le, 0), (BinOp::Lt, 1), (BinOp::Ne, 0), (BinOp::Gt, 0), (BinOp::Ge, 1)];
        let (op, with) = *self.rng.pick(&tests).unwrap_or(&tests[0]);
        let asked = Exp::Bin(op, PrimType::I64, Atom::Var(counter), Atom::i64(with));
        let condition = Atom::Var(self.fresh("t", Type::Prim(PrimType::Bool), asked));
        let (first, _) = self.body(self.shared_scope(), |m| vec![m.scalar(elem)]);
        let (other, _) = self.body(self.shared_scope(), |m| vec![Atom::Var(read(m))]);
        let is_first = matches!(op, BinOp::Eq | BinOp::Le | BinOp::Lt);
        let (then, otherwise) = if is_first { (first, other) } else { (other, first) };
        Atom::Var(self.fresh("x", Type::Prim(elem), Exp::If { condition, then, otherwise }))
    }
}
