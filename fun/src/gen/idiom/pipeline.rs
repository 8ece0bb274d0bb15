//! Maps, and what reads their results: what fusion has rules for.

use super::super::scope::{Entry, I64, Roots};
use super::super::{Form, Maker};

use crate::ir::{Atom, Combine, Dim, Exp, LoopForm, LoopParam, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};

impl Maker {
    /// A map, perhaps a change of what it reads, views of its result, and another map, a reduction, or a read of an element.
    pub(super) fn made_then_read(&mut self) {
        let Some(mut source) = self.a_matrix() else { return };
        if self.cells(&source.ty).is_none_or(|cells| cells > 64) {
            return;
        }
        let changes = self.rng.chance(30);
        if changes {
            let var = self.fresh("y", source.ty.clone(), Exp::Copy(source.var));
            source = Entry { var, roots: self.scope.roots_of(Atom::Var(var)), ..source };
        }
        let mut made = self.elementwise(&source);
        if self.rng.chance(30) {
            made = self.elementwise(&made);
        }
        if changes {
            self.change_first(&source);
        }
        if made.ty.rank() > 1 && self.rng.chance(30) {
            made = self.turned(&made);
        }
        for _ in 0..self.rng.below(3) {
            made = self.derived(&made).unwrap_or(made);
        }
        match self.rng.below(5) {
            0 | 4 => _ = self.element_of(made.var, &made.ty),
            1 if made.ty.rank() == 1 && made.ty.elem().is_int() => self.sum_of(&made),
            _ => _ = self.elementwise(&made),
        }
    }

    /// An array with its dimensions in the opposite order.
    fn turned(&mut self, entry: &Entry) -> Entry {
        let perm: Vec<usize> = (0..entry.ty.rank()).rev().collect();
        let shape = entry.ty.shape().iter().rev().copied().collect();
        let ty = Type::Array { shape, elem: entry.ty.elem() };
        let var = self.view("p", ty.clone(), Exp::Permute { perm, array: entry.var }, entry.var);
        Entry { var, ty, roots: self.scope.roots_of(Atom::Var(var)) }
    }

    /// A loop that makes an array of the one before, element by element, from elsewhere in it.
    pub(super) fn array_by_iterations(&mut self) {
        let shape: Vec<Atom> =
            (0..1 + self.rng.below(2)).map(|_| Atom::i64(1 + self.rng.below(3) as i64)).collect();
        let dim = self.rng.below(shape.len());
        let ty = Type::Array { shape, elem: self.prim() };
        let init = Atom::Var(self.fresh_array(&ty));
        let param = self.binder("a", ty.clone());
        let counter = self.names.fresh("i");
        let mut scope = self.shared_scope();
        scope.add(param.var, ty.clone(), Roots::from([param.var]));
        scope.add(counter, I64, Roots::new());
        let old = param.var;
        let (body, _) = self.body(scope, |m| {
            let back = m.view("b", ty.clone(), Exp::Reverse { dim, array: old }, old);
            let roots = m.scope.roots_of(Atom::Var(back));
            let next = m.elementwise(&Entry { var: back, ty: ty.clone(), roots });
            m.element_of(old, &ty);
            vec![Atom::Var(next.var)]
        });
        let bound = Atom::i64(self.rng.below(4) as i64);
        let form = LoopForm::For { var: counter, ty: PrimType::I64, bound };
        let roots = self.scope.roots_of(init);
        let result = self.binder("r", ty.clone());
        self.scope.add(result.var, ty, roots);
        let params = vec![LoopParam { binder: param, init }];
        self.push(vec![result], Exp::Loop { params, form, body });
    }

    /// A map over all elements of an array, each of which becomes another number.
    fn elementwise(&mut self, entry: &Entry) -> Entry {
        let (shape, elem) = (entry.ty.shape().to_vec(), entry.ty.elem());
        let var = match self.form {
            Form::Soac => self.map_nest(entry.var, &entry.ty),
            Form::Kernel => {
                let rank = shape.len();
                let (space, body) = self.kernel_body(&shape, |m| {
                    let counters = m.scope.counters.iter().rev().take(rank).rev();
                    let indices = counters.map(|(counter, _)| Atom::Var(*counter)).collect();
                    let read = Exp::Index { array: entry.var, indices };
                    let element = m.fresh("e", Type::Prim(elem), read);
                    vec![m.changed(Atom::Var(element), elem)]
                });
                self.fresh("m", entry.ty.clone(), Exp::Kernel { space, combine: Combine::Map, body })
            }
        };
        Entry { var, ty: entry.ty.clone(), roots: self.scope.roots_of(Atom::Var(var)) }
    }

    fn map_nest(&mut self, array: Var, ty: &Type) -> Var {
        let row = ty.peel(1);
        let roots = if row.rank() > 0 { self.scope.roots_of(Atom::Var(array)) } else { Roots::new() };
        let lambda =
            self.lambda(&[(row.clone(), roots)], std::slice::from_ref(&row), |m, params| match row {
                Type::Prim(elem) => vec![m.changed(Atom::Var(params[0]), elem)],
                Type::Array { .. } => vec![Atom::Var(m.map_nest(params[0], &row))],
            });
        self.fresh("m", ty.clone(), Exp::Map { width: ty.shape()[0], lambda, arrays: vec![array] })
    }

    /// Another number than this; what it is computed from may be anything.
    fn changed(&mut self, element: Atom, elem: PrimType) -> Atom {
        let ops: &[BinOp] = match elem {
            PrimType::Bool => &[BinOp::Xor, BinOp::And],
            _ => &[BinOp::Add, BinOp::Sub, BinOp::Mul],
        };
        if self.rng.chance(10) {
            self.statement();
        }
        if self.rng.chance(18) {
            // Now and then this stops the program, if the element is ever computed.
            let limit = Atom::Const(elem.of_i64(self.rng.below(3) as i64));
            let bool_type = Type::Prim(PrimType::Bool);
            let test = self.fresh("t", bool_type, Exp::Bin(BinOp::Ne, elem, element, limit));
            let (condition, message) = (Atom::Var(test), "such an element".to_owned());
            self.push(Vec::new(), Exp::Assert { condition, message, args: Vec::new() });
        }
        let tests = [BinOp::Lt, BinOp::Le, BinOp::Gt, BinOp::Ge, BinOp::Eq, BinOp::Ne];
        let test = self.rng.pick(&tests).filter(|test| test.result_type(elem).is_some()).copied();
        match test.filter(|_| self.rng.chance(15)) {
            Some(test) => {
                let limit = self.constant(elem);
                let asked = Exp::Bin(test, elem, element, limit);
                let condition = Atom::Var(self.fresh("t", Type::Prim(PrimType::Bool), asked));
                let (then, _) = self.body(self.shared_scope(), |m| vec![m.computed(element, elem, ops)]);
                let (otherwise, _) = self.body(self.shared_scope(), |m| vec![m.computed(element, elem, ops)]);
                Atom::Var(self.fresh("x", Type::Prim(elem), Exp::If { condition, then, otherwise }))
            }
            None => self.computed(element, elem, ops),
        }
    }

    /// What a few of these operators make of a number.
    fn computed(&mut self, element: Atom, elem: PrimType, ops: &[BinOp]) -> Atom {
        let mut result = element;
        for _ in 0..1 + self.rng.below(3) {
            let op = *self.rng.pick(ops).unwrap_or(&BinOp::Xor);
            let other = self.scalar(elem);
            let (left, right) = if self.rng.chance(50) { (result, other) } else { (other, result) };
            result = Atom::Var(self.fresh(op.name(), Type::Prim(elem), Exp::Bin(op, elem, left, right)));
        }
        result
    }

    /// Another first row of an array, which is consumed.
    fn change_first(&mut self, entry: &Entry) {
        let row = entry.ty.peel(1);
        let value = self.value(&row);
        if self.all_positive(&entry.ty.shape()[..1]).is_some() {
            return;
        }
        self.scope.consume(&entry.roots);
        let whole = |size: &Atom| Dim::Range { offset: Atom::i64(0), count: *size, stride: Atom::i64(1) };
        let dims = [Dim::Fix(Atom::i64(0))].into_iter().chain(row.shape().iter().map(whole)).collect();
        self.fresh("u", entry.ty.clone(), Exp::Update { array: entry.var, dims, value });
    }

    /// The sum of integers.
    fn sum_of(&mut self, entry: &Entry) {
        let (width, elem) = (entry.ty.shape()[0], entry.ty.elem());
        let number = Type::Prim(elem);
        let params = [(number.clone(), Roots::new()), (number.clone(), Roots::new())];
        let op = self.lambda(&params, std::slice::from_ref(&number), |m, vars| {
            let sum = Exp::Bin(BinOp::Add, elem, Atom::Var(vars[0]), Atom::Var(vars[1]));
            vec![Atom::Var(m.fresh("add", number.clone(), sum))]
        });
        let neutral = vec![Atom::Const(elem.zero())];
        let exp = match self.form {
            Form::Soac => Exp::Reduce { width, op, neutral, arrays: vec![entry.var], commutative: false },
            Form::Kernel => {
                let (space, body) = self.kernel_body(&[width], |m| {
                    let counter = m.scope.counters.last().map(|(counter, _)| Atom::Var(*counter));
                    let read = Exp::Index { array: entry.var, indices: counter.into_iter().collect() };
                    vec![Atom::Var(m.fresh("e", Type::Prim(elem), read))]
                });
                let combine = Combine::Reduce { op, neutral, commutative: false };
                Exp::Kernel { space, combine, body }
            }
        };
        self.fresh("sum", number, exp);
    }

    /// All products of rows of a matrix with rows of the same: `r[i, j]` is the sum over `k` of `a[i, k] * a[j, k]`, or another such
    /// combination; for each of several matrices, where the array has three dimensions.
    pub(super) fn product_of_rows(&mut self) {
        // (tiles of few columns are several where there are more than the sizes of other arrays go to)
        let matrix = if self.ahead(50) {
            let sizes = [2 + self.rng.below(2) as i64, 3 + self.rng.below(4) as i64];
            self.numbered_of(&sizes)
        } else {
            let Some(matrix) = self.a_matrix() else { return };
            matrix
        };
        let ([batch @ .., rows, columns], elem) = (matrix.ty.shape(), matrix.ty.elem()) else { return };
        let (batch, rows, columns, number) = (batch.to_vec(), *rows, *columns, Type::Prim(elem));
        if !elem.is_int() || self.cells(&matrix.ty).is_none_or(|cells| cells > 36) {
            return;
        }
        let combined = *self.rng.pick(&[BinOp::Add, BinOp::Xor]).unwrap_or(&BinOp::Add);
        let params = [(number.clone(), Roots::new()), (number.clone(), Roots::new())];
        let op = self.lambda(&params, std::slice::from_ref(&number), |m, vars| {
            let exp = Exp::Bin(combined, elem, Atom::Var(vars[0]), Atom::Var(vars[1]));
            vec![Atom::Var(m.fresh(combined.name(), number.clone(), exp))]
        });
        let whole: Vec<Atom> = batch.iter().copied().chain([rows, rows, columns]).collect();
        let (space, body) = self.kernel_body(&whole, |m| {
            let from = m.scope.counters.len() - whole.len();
            let counters: Vec<Atom> =
                m.scope.counters[from..].iter().map(|(counter, _)| Atom::Var(*counter)).collect();
            let [around @ .., i, j, k] = &counters[..] else { return Vec::new() };
            let read = |m: &mut Maker, row: &Atom| {
                let indices = around.iter().chain([row, k]).copied().collect();
                let element = Exp::Index { array: matrix.var, indices };
                Atom::Var(m.fresh("e", Type::Prim(elem), element))
            };
            let (x, y) = (read(m, i), read(m, j));
            vec![Atom::Var(m.fresh("p", Type::Prim(elem), Exp::Bin(BinOp::Mul, elem, x, y)))]
        });
        let combine = Combine::Reduce { op, neutral: vec![Atom::Const(elem.zero())], commutative: false };
        let ty = Type::Array { shape: batch.into_iter().chain([rows, rows]).collect(), elem };
        self.fresh("m", ty, Exp::Kernel { space, combine, body });
    }
}
