//! Maps in which several things are done with each row, one after the other: reductions, scans and maps, in a loop or not.

use super::super::scope::{I64, Roots};
use super::super::value::row_dims;
use super::super::{Form, Maker};
use crate::ir::{Atom, Combine, Dim, Exp, Lambda, LoopForm, LoopParam, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};

impl Maker {
    /// A map of rows whose length is known when the program runs. In other maps a row is a thread's, so there it would be nothing special.
    pub(super) fn row_bodies(&mut self) {
        if self.form != Form::Kernel || !self.scope.counters.is_empty() {
            return;
        }
        let numbered = self.ahead(50);
        let rows = if numbered { Atom::i64(2 + self.rng.below(2) as i64) } else { self.some_size(3) };
        let known = if numbered { self.scope.of_type(&I64) } else { Vec::new() };
        let any = self.rng.pick(&known).map(|var| Atom::Var(*var));
        let any = any.unwrap_or_else(|| self.scalar(PrimType::I64));
        let (size, elem) = (self.open_size(any), if numbered { PrimType::I64 } else { self.prim() });
        let ty = Type::Array { shape: vec![rows, size], elem };
        let matrix = if numbered { self.first_columns(rows, size, &ty) } else { self.value(&ty).as_var() };
        let Some(matrix) = matrix else { return };
        let row = ty.peel(1);
        let gives_row = self.rng.chance(60);
        let (space, body) = self.kernel_body(&[rows], |m| {
            let Some((counter, _)) = m.scope.counters.last().copied() else { return Vec::new() };
            let dims = row_dims(Atom::Var(counter), &[size]);
            let first = m.view("r", row.clone(), Exp::Slice { array: matrix, dims }, matrix);
            let last = if m.rng.chance(60) {
                m.loop_of_row(first, &row, if numbered { 2 } else { 1 })
            } else {
                m.steps_of_row(first, &row)
            };
            vec![Atom::Var(if gives_row { last } else { m.sum_of_row(last, &row) })]
        });
        let ty = if gives_row { ty } else { Type::array_of(&[rows], &Type::Prim(elem)) };
        self.fresh("rows", ty, Exp::Kernel { space, combine: Combine::Map, body });
    }

    /// So many columns of a matrix whose cells all differ: in rows of equal ones, and of truth values, hardly anything that goes wrong shows.
    fn first_columns(&mut self, rows: Atom, size: Atom, ty: &Type) -> Option<Var> {
        let sizes = [self.scope.size_max(rows)?, self.scope.size_max(size)?];
        let whole = self.numbered_of(&sizes).var;
        let part = |count| Dim::Range { offset: Atom::i64(0), count, stride: Atom::i64(1) };
        let dims = vec![part(rows), part(size)];
        Some(self.view("s", ty.clone(), Exp::Slice { array: whole, dims }, whole))
    }

    /// A small number, which is no constant where this one is none.
    fn open_size(&mut self, any: Atom) -> Atom {
        let most = 2 + self.rng.below(4) as i64;
        let most = most.min(self.scale.array_size);
        let low = Exp::Bin(BinOp::Max, PrimType::I64, any, Atom::i64(1));
        let low = Atom::Var(self.fresh("z", I64, low));
        self.size("n", most, Exp::Bin(BinOp::Min, PrimType::I64, low, Atom::i64(most)))
    }

    /// The steps in a loop of so many iterations or one or two more, which carries a scalar of the row too.
    fn loop_of_row(&mut self, first: Var, row: &Type, least: i64) -> Var {
        let elem = Type::Prim(row.elem());
        let counter = self.names.fresh("i");
        let array = self.binder("a", row.clone());
        let scalar = self.binder("s", elem.clone());
        let init = self.value(&elem);
        let mut scope = self.shared_scope();
        scope.add(counter, I64, Roots::new());
        scope.add(array.var, row.clone(), Roots::from([array.var]));
        scope.add(scalar.var, elem.clone(), Roots::new());
        let (old, bound) = (array.var, Atom::i64(least + self.rng.below(3) as i64));
        let kept = Atom::Var(scalar.var);
        let (body, _) = self.body(scope, |m| {
            let next = m.steps_of_row(old, row);
            let sum = m.sum_of_row(next, row);
            let sum = m.combined(row.elem(), sum.into(), kept);
            vec![Atom::Var(next), sum]
        });
        let inits = [Atom::Var(first), init];
        let params = [array, scalar].into_iter().zip(inits);
        let params = params.map(|(binder, init)| LoopParam { binder, init }).collect();
        let form = LoopForm::For { var: counter, ty: PrimType::I64, bound };
        let pattern = [self.binder("r", row.clone()), self.binder("s", elem.clone())];
        let results = [pattern[0].var, pattern[1].var];
        self.push(pattern.into(), Exp::Loop { params, form, body });
        let roots = self.scope.roots_of(Atom::Var(first));
        self.scope.add(results[0], row.clone(), roots);
        self.scope.add_fresh(results[1], elem);
        self.map_of_row(results[0], row, Some(results[1]))
    }

    /// One to three things in a row.
    fn steps_of_row(&mut self, mut array: Var, row: &Type) -> Var {
        for _ in 0..1 + self.rng.below(3) {
            array = match self.rng.below(4) {
                0 => {
                    let sum = self.sum_of_row(array, row);
                    self.map_of_row(array, row, Some(sum))
                }
                1 => {
                    let (op, neutral) = self.row_operator_of(row.elem());
                    let (space, body) = self.elements(array, row);
                    let combine = Combine::Scan { op, neutral, epilogue: None };
                    self.fresh("k", row.clone(), Exp::Kernel { space, combine, body })
                }
                _ => self.map_of_row(array, row, None),
            };
        }
        array
    }

    /// An operator on scalars.
    pub(super) fn row_operator_of(&mut self, elem: PrimType) -> (Lambda, Vec<Atom>) {
        let (op, neutral) = self.simple_operator(elem);
        let lambda = self.scalar_lambda(&[elem], |m, left, right| {
            let exp = Exp::Bin(op, elem, Atom::Var(left[0]), Atom::Var(right[0]));
            vec![Atom::Var(m.fresh("z", Type::Prim(elem), exp))]
        });
        (lambda, vec![Atom::Const(neutral)])
    }

    /// The elements of a row.
    fn elements(&mut self, array: Var, row: &Type) -> (Vec<(Var, Atom)>, crate::ir::Body) {
        let elem = Type::Prim(row.elem());
        self.kernel_body(row.shape(), |m| {
            let index = m.scope.counters.last().map(|(counter, _)| Atom::Var(*counter));
            let exp = Exp::Index { array, indices: index.into_iter().collect() };
            vec![Atom::Var(m.fresh("e", elem, exp))]
        })
    }

    /// What a row has in all.
    fn sum_of_row(&mut self, array: Var, row: &Type) -> Var {
        let (op, neutral) = self.row_operator_of(row.elem());
        let (space, body) = self.elements(array, row);
        let combine = Combine::Reduce { op, neutral, commutative: self.rng.chance(50) };
        self.fresh("sum", Type::Prim(row.elem()), Exp::Kernel { space, combine, body })
    }

    /// Each element with the one at the other end, or with a scalar of the row.
    fn map_of_row(&mut self, array: Var, row: &Type, scalar: Option<Var>) -> Var {
        let elem = row.elem();
        let size = row.shape()[0];
        let (space, body) = self.kernel_body(&[size], |m| {
            let Some((counter, _)) = m.scope.counters.last().copied() else { return Vec::new() };
            let read = |m: &mut Maker, index| {
                let exp = Exp::Index { array, indices: vec![index] };
                Atom::Var(m.fresh("e", Type::Prim(elem), exp))
            };
            let own = read(m, Atom::Var(counter));
            let other = match scalar {
                Some(scalar) => Atom::Var(scalar),
                None => {
                    let sub = |m: &mut Maker, x, y| {
                        Atom::Var(m.fresh("sub", I64, Exp::Bin(BinOp::Sub, PrimType::I64, x, y)))
                    };
                    let last = sub(m, size, Atom::i64(1));
                    let index = sub(m, last, Atom::Var(counter));
                    read(m, index)
                }
            };
            vec![m.combined(elem, own, other)]
        });
        self.fresh("m", row.clone(), Exp::Kernel { space, combine: Combine::Map, body })
    }
}
