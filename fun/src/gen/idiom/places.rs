//! Loops that go from place to place of an array: searches by halving, and places that move on where an element says so. Mostly all places are within
//! bounds, which `remove-checks` shows by induction; the others stop the program.

use super::super::Maker;
use super::super::scope::{I64, Roots};
use crate::ir::{Atom, Binder, Exp, LoopForm, LoopParam, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};

const BOOL: Type = Type::Prim(PrimType::Bool);

impl Maker {
    /// Such a loop.
    pub(super) fn places(&mut self) {
        let size = self.any_size();
        let array = self.fresh_array(&Type::Array { shape: vec![size], elem: PrimType::I64 });
        let key = self.scalar(PrimType::I64);
        match self.rng.below(10) {
            0..5 => self.search(array, size, key),
            5..8 => self.walk(array, size, key),
            _ => self.leap(array, size),
        }
    }

    fn step(&mut self) -> Atom {
        Atom::i64(if self.rng.chance(85) { 1 } else { 2 })
    }

    fn search(&mut self, array: Var, size: Atom, key: Atom) {
        let high = match self.rng.below(8) {
            0 => self.number(BinOp::Add, size, Atom::i64(1)),
            1..4 => self.number(BinOp::Sub, size, Atom::i64(1)),
            _ => size,
        };
        let step = self.step();
        let goes = self.test(BinOp::Lt, Atom::i64(0), high);
        let params: Vec<LoopParam> = [("go", BOOL, goes), ("lo", I64, Atom::i64(0)), ("hi", I64, high)]
            .map(|(name, ty, init)| LoopParam { binder: self.binder(name, ty), init })
            .into();
        let [go, lo, hi] = [0, 1, 2].map(|at: usize| Atom::Var(params[at].binder.var));
        let (body, _) = self.body(self.scope_with(&params), |m| {
            let sum = m.number(BinOp::Add, lo, hi);
            let middle = m.number(BinOp::Div, sum, Atom::i64(2));
            let elem = m.place(array, size, middle);
            let condition = m.test(BinOp::Le, elem, key);
            let scope = m.shared_scope();
            let (then, _) = m.body(scope.clone(), |m| vec![m.number(BinOp::Add, middle, step), hi]);
            let (otherwise, _) = m.body(scope, |_| vec![lo, middle]);
            let next = [m.binder("lo", I64), m.binder("hi", I64)];
            let [lo, hi] = m.bound_to(next, Exp::If { condition, then, otherwise });
            vec![m.test(BinOp::Lt, lo, hi), lo, hi]
        });
        let form = LoopForm::While(go.as_var().unwrap_or(array));
        let found = [self.binder("go", BOOL), self.binder("lo", I64), self.binder("hi", I64)];
        let [_, place, _] = self.bound_to(found, Exp::Loop { params, form, body });
        // (an element of which the place is the first or the last one)
        let room = self.number(BinOp::Add, size, Atom::i64(1));
        self.assert_in_bounds(place, Atom::i64(1), room);
    }

    fn walk(&mut self, array: Var, size: Atom, key: Atom) {
        let first = Atom::i64(i64::from(self.rng.chance(15)));
        let step = self.step();
        let init = self.scalar(PrimType::I64);
        let params: Vec<LoopParam> = [("k", first), ("a", init)]
            .map(|(name, init)| LoopParam { binder: self.binder(name, I64), init })
            .into();
        let [place, sum] = [0, 1].map(|at: usize| Atom::Var(params[at].binder.var));
        let (body, _) = self.body(self.scope_with(&params), |m| {
            let elem = m.place(array, size, place);
            let condition = m.test(BinOp::Le, elem, key);
            let scope = m.shared_scope();
            let (then, _) = m.body(scope.clone(), |m| vec![m.number(BinOp::Add, place, step)]);
            let (otherwise, _) = m.body(scope, |_| vec![place]);
            let next = m.binder("k", I64);
            let [next] = m.bound_to([next], Exp::If { condition, then, otherwise });
            vec![next, m.number(BinOp::Add, sum, elem)]
        });
        let form = LoopForm::For { var: self.names.fresh("i"), ty: PrimType::I64, bound: size };
        let results = [self.binder("k", I64), self.binder("a", I64)];
        self.bound_to(results, Exp::Loop { params, form, body });
    }

    /// A walk in i32 to places that soon are none, of which some wrap.
    fn leap(&mut self, array: Var, size: Atom) {
        const I32: Type = Type::Prim(PrimType::I32);
        let [step, factor] = [1 << 16, 1 << 14].map(|most: i32| if self.rng.chance(60) { most } else { 1 });
        let init = self.scalar(PrimType::I64);
        let first = Atom::Const(PrimType::I32.of_i64(0));
        let params: Vec<LoopParam> = [("k", I32, first), ("a", I64, init)]
            .map(|(name, ty, init)| LoopParam { binder: self.binder(name, ty), init })
            .into();
        let [count, sum] = [0, 1].map(|at: usize| Atom::Var(params[at].binder.var));
        let (body, _) = self.body(self.scope_with(&params), |m| {
            let [step, factor] =
                [step, factor].map(|number| Atom::Const(PrimType::I32.of_i64(number.into())));
            let far = m.fresh("j", I32, Exp::Bin(BinOp::Mul, PrimType::I32, count, factor));
            let wide = Exp::Convert { to: PrimType::I64, from: PrimType::I32, value: far.into() };
            let place = Atom::Var(m.fresh("j", I64, wide));
            let condition = m.test(BinOp::Lt, place, size);
            let scope = m.shared_scope();
            let (then, _) = m.body(scope.clone(), |m| {
                let elem = m.place(array, size, place);
                vec![m.number(BinOp::Add, sum, elem)]
            });
            let (otherwise, _) = m.body(scope, |_| vec![sum]);
            let next = m.binder("a", I64);
            let [sum] = m.bound_to([next], Exp::If { condition, then, otherwise });
            let next = m.fresh("k", I32, Exp::Bin(BinOp::Add, PrimType::I32, count, step));
            vec![next.into(), sum]
        });
        let bound = Atom::i64(1 + self.rng.below(4) as i64);
        let form = LoopForm::For { var: self.names.fresh("i"), ty: PrimType::I64, bound };
        let results = [self.binder("k", I32), self.binder("a", I64)];
        self.bound_to(results, Exp::Loop { params, form, body });
    }

    /// The element at a place, if there is one.
    fn place(&mut self, array: Var, size: Atom, at: Atom) -> Atom {
        self.assert_in_bounds(at, Atom::i64(1), size);
        Atom::Var(self.fresh("e", I64, Exp::Index { array, indices: vec![at] }))
    }

    fn scope_with(&self, params: &[LoopParam]) -> super::super::scope::Scope {
        let mut scope = self.shared_scope();
        for LoopParam { binder, .. } in params {
            scope.add(binder.var, binder.ty.clone(), Roots::new());
        }
        scope
    }

    /// Adds a statement with several fresh scalars for results.
    fn bound_to<const N: usize>(&mut self, results: [Binder; N], exp: Exp) -> [Atom; N] {
        self.push(results.to_vec(), exp);
        results.map(|binder| {
            self.scope.add_fresh(binder.var, binder.ty);
            Atom::Var(binder.var)
        })
    }
}
