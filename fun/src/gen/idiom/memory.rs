//! Statements that belong together: what passes on memory have rules for.

use super::super::Maker;
use super::super::scope::{Entry, I64, Roots};
use crate::ir::{Atom, Combine, Dim, Exp, LoopForm, LoopParam, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use std::collections::BTreeSet;

impl Maker {
    /// Two rows of an array.
    pub(super) fn rows_of_one(&mut self) {
        let ty =
            Type::array_of(&[Atom::i64(2)], &Type::Array { shape: vec![self.any_size()], elem: self.prim() });
        let array = self.fresh_array(&ty);
        for index in 0..2 {
            let whole = Dim::Range { offset: Atom::i64(0), count: ty.shape()[1], stride: Atom::i64(1) };
            let dims = vec![Dim::Fix(Atom::i64(index)), whole];
            self.view("s", ty.peel(1), Exp::Slice { array, dims }, array);
        }
    }

    /// Arrays that are made to be part of another: of a concatenation, or of one that is perhaps read in between.
    pub(super) fn built_for_one_place(&mut self) {
        let row = if self.rng.chance(60) {
            Type::Array { shape: vec![self.any_size()], elem: self.prim() }
        } else {
            Type::Prim(self.prim())
        };
        if self.rng.chance(50) {
            let counts = [1 + self.rng.below(2), 1 + self.rng.below(2)].map(|n| Atom::i64(n as i64));
            let arrays = counts.map(|count| self.fresh_array(&Type::array_of(&[count], &row)));
            let total = counts.iter().filter_map(|count| count.as_const()?.as_i64()).sum();
            let size = Atom::i64(total);
            self.fresh("a", Type::array_of(&[size], &row), Exp::Concat { size, arrays: arrays.to_vec() });
            return;
        }
        let ty = Type::array_of(&[Atom::i64(3)], &row);
        let array = self.lasting_array(&ty);
        let part = Type::array_of(&[Atom::i64(2)], &row);
        let part = if self.may_nest() && self.rng.chance(50) {
            self.array_of_branches(&part, array)
        } else {
            self.fresh_array(&part)
        };
        let at = Atom::i64(self.rng.below(2) as i64);
        if self.rng.chance(60) {
            self.element_of(array, &ty);
        }
        let roots = self.scope.roots_of(Atom::Var(array));
        self.scope.consume(&roots);
        let rows = Dim::Range { offset: at, count: Atom::i64(2), stride: Atom::i64(1) };
        let whole = |size: &Atom| Dim::Range { offset: Atom::i64(0), count: *size, stride: Atom::i64(1) };
        let dims = [rows].into_iter().chain(row.shape().iter().map(whole)).collect();
        self.fresh("u", ty, Exp::Update { array, dims, value: Atom::Var(part) });
    }

    /// A new array; often one that a loop fills, whose elements nothing but the array gives: no pass computes it away.
    pub(in super::super) fn lasting_array(&mut self, ty: &Type) -> Var {
        if self.may_nest() && self.rng.chance(50) { self.filled_array(ty) } else { self.fresh_array(ty) }
    }

    /// An array with this as one of its elements, if it surely has any.
    pub(super) fn with_element(&mut self, array: Var, ty: &Type, value: Atom) -> Var {
        if !ty.shape().iter().all(|size| self.scope.is_positive(*size)) {
            return array;
        }
        let dims = self.indices(ty.shape()).into_iter().map(Dim::Fix).collect();
        let roots = self.scope.roots_of(Atom::Var(array));
        self.scope.consume(&roots);
        self.fresh("u", ty.clone(), Exp::Update { array, dims, value })
    }

    /// An array that is made in the arms of a branch, from other rows among them, or one of those made before it.
    fn array_of_branches(&mut self, ty: &Type, rows: Var) -> Var {
        let condition = self.scalar(PrimType::Bool);
        let chosen = self.rng.chance(30);
        let count = if chosen { 2 } else { self.rng.below(3) };
        let before: Vec<Var> = (0..count).map(|_| self.fresh_array(ty)).collect();
        let mut given = BTreeSet::new();
        let [then, otherwise] = [0, 1].map(|arm| {
            let scope = self.shared_scope();
            self.body(scope, |m| {
                let var = match if chosen { 0 } else { m.rng.below(5) } {
                    0 | 1 if arm < before.len() => {
                        given.insert(before[arm]);
                        before[arm]
                    }
                    2 => {
                        let whole = |size: &Atom| Dim::Range {
                            offset: Atom::i64(0),
                            count: *size,
                            stride: Atom::i64(1),
                        };
                        let dims = ty.shape().iter().map(whole).collect();
                        let part = m.view("s", ty.clone(), Exp::Slice { array: rows, dims }, rows);
                        let back = m.view("b", ty.clone(), Exp::Reverse { dim: 0, array: part }, part);
                        m.fresh("y", ty.clone(), Exp::Copy(back))
                    }
                    3 if m.may_nest() => m.array_of_branches(ty, rows),
                    _ => m.fresh_array(ty),
                };
                vec![Atom::Var(var)]
            })
            .0
        });
        let binder = self.binder("x", ty.clone());
        let var = binder.var;
        self.push(vec![binder], Exp::If { condition, then, otherwise });
        if given.is_empty() {
            self.scope.add_fresh(var, ty.clone());
        } else {
            let roots = given.iter().flat_map(|array| self.scope.roots_of(Atom::Var(*array))).collect();
            self.scope.add(var, ty.clone(), roots);
        }
        var
    }

    /// A loop that reads an array from outside, and then makes one of the same size.
    pub(super) fn array_of_iteration(&mut self) {
        let ty = self.array_type();
        let elem = Type::Prim(ty.elem());
        let outer = self.lasting_array(&ty);
        let init = self.value(&elem);
        let bound = if self.rng.chance(60) { ty.shape()[0] } else { self.some_size(4) };
        self.fold(ty.elem(), init, bound, &mut |m, old, _| {
            let read = m.element_of(outer, &ty);
            let made = m.lasting_array(&ty);
            let made = m.with_element(made, &ty, old);
            let new = m.element_of(made, &ty);
            m.combined(ty.elem(), read, new)
        });
    }

    /// A matrix that is read several times, column by column: arrays of which memory is better laid out in another order.
    pub(super) fn read_by_columns(&mut self) {
        let shape: Vec<Atom> = (0..2).map(|_| Atom::i64(1 + self.rng.below(3) as i64)).collect();
        let ty = Type::Array { shape, elem: self.prim() };
        let elem = ty.elem();
        let matrix = self.lasting_array(&ty);
        let roots = self.scope.roots_of(Atom::Var(matrix));
        let entry = Entry { var: matrix, ty: ty.clone(), roots };
        let view = self.derived(&entry).filter(|view| view.ty.rank() == 2).unwrap_or(entry);
        let (rows, columns) = (view.ty.shape()[0], view.ty.shape()[1]);
        let init = self.scalar(elem);
        self.fold(elem, init, Atom::i64(2), &mut |m, old, _| {
            m.fold(elem, old, columns, &mut |m, old, column| {
                m.fold(elem, old, rows, &mut |m, old, row| {
                    let read = Exp::Index { array: view.var, indices: vec![row, column] };
                    let element = Atom::Var(m.fresh("e", Type::Prim(elem), read));
                    m.combined(elem, old, element)
                })
            })
        });
    }

    /// A map that does nothing but read an array in another order of its dimensions.
    pub(super) fn rearranged(&mut self) {
        let Entry { var: array, ty, .. } = self.numbered();
        let mut from: Vec<usize> = (0..ty.rank()).collect();
        for k in 1..from.len() {
            from.swap(k, self.rng.below(k + 1));
        }
        let shape: Vec<Atom> = from.iter().map(|dim| ty.shape()[*dim]).collect();
        let elem = ty.elem();
        let (space, body) = self.kernel_body(&shape, |m| {
            let own = &m.scope.counters[m.scope.counters.len() - from.len()..];
            let mut indices: Vec<(usize, Atom)> =
                from.iter().zip(own).map(|(dim, (counter, _))| (*dim, Atom::Var(*counter))).collect();
            indices.sort_by_key(|(dim, _)| *dim);
            let indices = indices.into_iter().map(|(_, counter)| counter).collect();
            vec![Atom::Var(m.fresh("e", Type::Prim(elem), Exp::Index { array, indices }))]
        });
        self.fresh("m", Type::Array { shape, elem }, Exp::Kernel { space, combine: Combine::Map, body });
    }

    /// One of two numbers, by which both count.
    pub(super) fn combined(&mut self, elem: PrimType, x: Atom, y: Atom) -> Atom {
        let op = match elem {
            PrimType::Bool => BinOp::And,
            _ if self.rng.chance(50) && elem.is_int() => BinOp::Sub,
            _ => BinOp::Max,
        };
        Atom::Var(self.fresh("x", Type::Prim(elem), Exp::Bin(op, elem, x, y)))
    }

    /// A loop that makes a number of the one before and the counter, so many times.
    pub(in crate::r#gen) fn fold(
        &mut self,
        elem: PrimType,
        init: Atom,
        bound: Atom,
        step: &mut dyn FnMut(&mut Maker, Atom, Atom) -> Atom,
    ) -> Atom {
        let counter = self.names.fresh("i");
        let param = self.binder("a", Type::Prim(elem));
        let mut scope = self.shared_scope();
        scope.add(param.var, param.ty.clone(), Roots::new());
        scope.add(counter, I64, Roots::new());
        scope.counters.push((counter, bound));
        let old = Atom::Var(param.var);
        let (body, _) = self.body(scope, |m| vec![step(m, old, Atom::Var(counter))]);
        let form = LoopForm::For { var: counter, ty: PrimType::I64, bound };
        let params = vec![LoopParam { binder: param, init }];
        Atom::Var(self.fresh("z", Type::Prim(elem), Exp::Loop { params, form, body }))
    }
}
