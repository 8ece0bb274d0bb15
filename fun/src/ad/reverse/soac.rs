//! The return sweep of `map`, of minima and maxima, of histograms that are sums, and of `scatter`.

use super::Reverse;
use super::adjoint::{Adjoint, within};
use crate::ir::{Atom, Binder, Body, Exp, Lambda, LoopForm, LoopParam, Statement, Type};
use crate::visit::names::{Subst, subst_type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use std::collections::BTreeSet;

const I64: Type = Type::Prim(PrimType::I64);

impl Reverse<'_, '_> {
    pub(super) fn back_map(
        &mut self,
        width: Atom,
        lambda: &Lambda,
        arrays: &[Var],
        adjoints: &[Option<Adjoint>],
    ) {
        let free = self.free_active(&lambda.body, &lambda.params);
        let own = self.to_collect(lambda, &free);
        let is_shared =
            |this: &Self, var: Var| this.type_of(var.into()).rank() > 0 && !this.is_collected(var);
        if own.is_empty() && free.iter().any(|var| is_shared(self, *var))
            || self.collected.is_empty() && self.adds_to_elements(&lambda.params, &lambda.body, arrays)
        {
            return self.back_map_that_adds(width, lambda, arrays, adjoints, &free);
        }
        let parts = self.parts_alone(arrays);
        let (mut params, body) = self.again(&lambda.params, &lambda.body);
        let mut inputs = arrays.to_vec();
        let mut outer_adjoints = std::mem::take(&mut self.adjoints);
        let outer = self.b.take();
        let mut seeds = Vec::new();
        for (adjoint, ty) in adjoints.iter().zip(&lambda.results) {
            seeds.push(adjoint.map(|adjoint| {
                let param = self.b.binder("adj", ty.clone());
                let atom = Atom::Var(param.var);
                params.push(param);
                inputs.push(adjoint.array());
                Adjoint { atom, owned: false }
            }));
        }
        let was_parallel = std::mem::replace(&mut self.is_parallel, true);
        let outer_collected = std::mem::take(&mut self.collected);
        self.collected = outer_collected.keys().chain(&own).map(|array| (*array, Vec::new())).collect();
        self.sweep(&body, seeds);
        let collected = std::mem::replace(&mut self.collected, outer_collected);
        self.is_parallel = was_parallel;
        // For each result what its sums belong to.
        let mut targets: Vec<Atom> = Vec::new();
        let mut results: Vec<(Atom, Type)> = Vec::new();
        let elements: Vec<Binder> = params[..arrays.len()].to_vec();
        for (array, element) in arrays.iter().zip(&elements) {
            let Some(part) = self.adjoints.remove(&element.var) else { continue };
            let mut atom = self.conform(part, &element.ty).atom;
            // What the adjoint is so far is added here rather than by another map.
            let mut so_far = || match parts.get(array) {
                Some(part) => Some(part.so_far),
                None => outer_adjoints.remove(array).map(Adjoint::array),
            };
            if !targets.contains(&Atom::Var(*array))
                && let Some(so_far) = so_far()
            {
                let param = self.b.binder("adj", element.ty.clone());
                atom = self.sum(&element.ty, param.var.into(), atom);
                params.push(param);
                inputs.push(so_far);
            }
            targets.push((*array).into());
            results.push((atom, element.ty.clone()));
        }
        for var in &free {
            if let Some(part) = self.adjoints.remove(var) {
                targets.push((*var).into());
                results.push((part.atom, self.type_of((*var).into())));
            }
        }
        self.adjoints = outer_adjoints;
        let mut places: Vec<Var> = Vec::new();
        for (array, parts) in collected {
            for (at, value) in self.together(parts) {
                results.extend([at, value].map(|atom| (atom, self.type_of(atom))));
                places.push(array);
            }
        }
        let (results, types): (Vec<Atom>, Vec<Type>) = results.into_iter().unzip();
        let body = Body { statements: self.b.replace(outer), results };
        if types.is_empty() {
            return;
        }
        let lambda = Lambda { params, results: types, body };
        let sums = self.b.many("adj", Exp::Map { width, lambda, arrays: inputs });
        let collected = sums[targets.len()..].to_vec();
        let mut seen = BTreeSet::new();
        for (target, sum) in targets.into_iter().zip(sums) {
            let (Atom::Var(target), Atom::Var(sum)) = (target, sum) else { continue };
            let first = seen.insert(target);
            if let Some(part) = parts.get(&target) {
                let ty = self.type_of(target.into());
                let sum = self.conform(Adjoint::owned(sum), &ty);
                if first {
                    self.put_part(part, sum.atom);
                } else {
                    self.contribute_at(part.whole, &part.dims, sum);
                }
            } else if self.type_of(target.into()).rank() > 0 {
                self.contribute(target.into(), Adjoint::owned(sum));
            } else {
                let sum = self.sum_outer(sum, 1);
                self.contribute(target.into(), Adjoint::owned(sum));
            }
        }
        // Last, as parts of these arrays' adjoints have been put where they were before.
        for (array, part) in places.into_iter().zip(collected.chunks_exact(2)) {
            if own.contains(&array) {
                self.add_collected(array, part[0], part[1]);
            } else {
                self.collected.entry(array).or_default().push((part[0], part[1]));
            }
        }
    }

    /// Of a map that adds to the adjoints of the arrays that the function reads as it likes: in chunks where these are long enough.
    fn back_map_that_adds(
        &mut self,
        width: Atom,
        lambda: &Lambda,
        arrays: &[Var],
        adjoints: &[Option<Adjoint>],
        free: &[Var],
    ) {
        let Some(chunks) = self.chunks_of(width, lambda, arrays, free) else {
            return self.back_map_in_order(width, lambda, arrays, adjoints, free);
        };
        let targets = free.iter().chain(arrays.iter().filter(|array| self.active.contains(array)));
        let targets = targets.copied().collect();
        self.choices += 1;
        self.back_choice(chunks.several, targets, [true, false], |this, in_chunks| {
            if in_chunks {
                this.back_map_in_chunks((width, &chunks), lambda, arrays, adjoints, free);
            } else {
                this.back_map_in_order(width, lambda, arrays, adjoints, free);
            }
        });
        self.choices -= 1;
    }

    /// As one loop over all iterations, which adds to the adjoints in place.
    fn back_map_in_order(
        &mut self,
        width: Atom,
        lambda: &Lambda,
        arrays: &[Var],
        adjoints: &[Option<Adjoint>],
        free: &[Var],
    ) {
        let mut targets = free.to_vec();
        for array in arrays {
            if self.active.contains(array) && !targets.contains(array) {
                targets.push(*array);
            }
        }
        // (what belongs to a part of an array may be added to any element of it)
        let no_parts = self.carried(&targets).1.is_empty();
        self.accumulate(&targets, &[], width, |this, i| {
            let mut elements = Vec::new();
            this.sweep_iteration(i, lambda, arrays, adjoints, |this, param, array| {
                let alone = no_parts
                    && param.ty.rank() == 0
                    && arrays.iter().filter(|other| **other == array).count() == 1
                    && !free.contains(&array);
                let Some(adjoint) = this.adjoints.get(&array).copied().filter(|_| alone) else {
                    return false;
                };
                // Nothing else adds to this element: its adjoint is taken out, and put back below.
                let exp = this.element_exp(array, &param.ty, i);
                this.b.bind(vec![param.clone()], exp);
                let exp = this.element_exp(adjoint.array(), &param.ty, i);
                let atom = this.b.emit("adj", std::slice::from_ref(&param.ty), exp)[0];
                this.adjoints.insert(param.var, Adjoint { atom, owned: false });
                elements.push((param.var, array, atom));
                true
            });
            for (param, array, before) in elements {
                let Some(element) = this.adjoints.remove(&param) else { continue };
                if element.atom != before
                    && let Some(whole) = this.adjoints.remove(&array)
                {
                    let whole = this.b.update(whole.array(), &[i], element.atom);
                    this.adjoints.insert(array, Adjoint::owned(whole));
                }
            }
            Vec::new()
        });
    }

    /// Iteration `i` of a map, again, and its return sweep. `apart` binds the elements of arrays whose adjoints are not the arrays' to add to, and
    /// says so; all others are read in the sweep.
    pub(super) fn sweep_iteration(
        &mut self,
        i: Atom,
        lambda: &Lambda,
        arrays: &[Var],
        adjoints: &[Option<Adjoint>],
        mut apart: impl FnMut(&mut Self, &Binder, Var) -> bool,
    ) {
        let (params, body) = self.again(&lambda.params, &lambda.body);
        let mut statements = Vec::new();
        for (param, array) in params.into_iter().zip(arrays) {
            if !apart(self, &param, *array) {
                let exp = self.element_exp(*array, &param.ty, i);
                statements.push(Statement { pattern: vec![param], exp, loc: None });
            }
        }
        statements.extend(body.statements);
        let mut seeds = Vec::new();
        for (adjoint, ty) in adjoints.iter().zip(&lambda.results) {
            seeds.push(adjoint.map(|adjoint| {
                let exp = self.element_exp(adjoint.array(), ty, i);
                Adjoint { atom: self.b.emit("adj", std::slice::from_ref(ty), exp)[0], owned: false }
            }));
        }
        self.sweep(&Body { statements, results: body.results }, seeds);
    }

    /// The element at `i`, of this type.
    pub(super) fn element_exp(&self, array: Var, ty: &Type, i: Atom) -> Exp {
        if ty.rank() == 0 {
            return Exp::Index { array, indices: vec![i] };
        }
        let shape: Vec<Atom> = std::iter::once(Atom::i64(0)).chain(ty.shape().iter().copied()).collect();
        let of_rows = Type::array_of(&shape, &Type::Prim(ty.elem()));
        Exp::Slice { array, dims: crate::build::Builder::row_dims(&of_rows, &[i]) }
    }

    /// A loop of so many iterations that carries the adjoints of these variables; `build` adds to them. Their types may mention
    /// sizes that change from iteration to iteration: these have a first value, and `build` gives the next ones.
    pub(super) fn accumulate(
        &mut self,
        targets: &[Var],
        sizes: &[(Var, Atom)],
        count: Atom,
        build: impl FnOnce(&mut Self, Atom) -> Vec<Atom>,
    ) {
        let (targets, handed_over) = self.carried(targets);
        let types: Vec<Type> = targets.iter().map(|var| self.type_of((*var).into())).collect();
        let mut params: Vec<LoopParam> = Vec::new();
        let mut carried = Subst::new();
        for (var, init) in sizes {
            let binder = self.b.binder("size", I64);
            carried.insert(*var, binder.var.into());
            params.push(LoopParam { binder, init: *init });
        }
        let first: Subst = sizes.iter().copied().collect();
        for (var, ty) in targets.iter().zip(&types) {
            let first = subst_type(&first, ty);
            let adjoint = self.take_or_zero(*var, &first);
            let adjoint = self.conform(adjoint, &first);
            let init = self.own(adjoint).atom;
            params.push(LoopParam { binder: self.b.binder("adj", subst_type(&carried, ty)), init });
        }
        let i = self.b.binder("i", I64).var;
        let outer_adjoints = std::mem::take(&mut self.adjoints);
        let outer = self.b.take();
        for (var, param) in targets.iter().zip(&params[sizes.len()..]) {
            self.adjoints.insert(*var, Adjoint::owned(param.binder.var));
        }
        let repeats = std::mem::replace(&mut self.repeats, true);
        let mut results = build(self, i.into());
        self.repeats = repeats;
        self.hand_over(&handed_over);
        let next: Subst = sizes.iter().map(|(var, _)| *var).zip(results.iter().copied()).collect();
        for (var, ty) in targets.iter().zip(&types) {
            let ty = subst_type(&next, ty);
            let adjoint = self.take_or_zero(*var, &ty);
            let adjoint = self.conform(adjoint, &ty);
            results.push(self.own(adjoint).atom);
        }
        self.adjoints = outer_adjoints;
        let body = Body { statements: self.b.replace(outer), results };
        let mut pattern: Vec<Binder> = Vec::new();
        let mut last = Subst::new();
        for (var, _) in sizes {
            let binder = self.b.binder("size", I64);
            last.insert(*var, binder.var.into());
            pattern.push(binder);
        }
        for (var, ty) in targets.iter().zip(&types) {
            let binder = self.b.binder("adj", subst_type(&last, ty));
            self.adjoints.insert(*var, Adjoint::owned(binder.var));
            pattern.push(binder);
        }
        let form = LoopForm::For { var: i, ty: PrimType::I64, bound: count };
        self.b.bind(pattern, Exp::Loop { params, form, body });
    }

    /// A minimum or maximum: what changes it is the first of its operands that it is, of which the neutral element comes first.
    pub(super) fn back_extreme(&mut self, width: Atom, neutral: Atom, array: Var, result: Atom, y: Atom) {
        let elem = self.type_of(result).elem();
        let (prim, zero) = (Type::Prim(elem), Atom::Const(elem.zero()));
        let is_neutral = self.b.bin(BinOp::Eq, elem, neutral, result);
        if self.active.contains(&array) {
            let (start, step, index) = (Atom::i64(0), Atom::i64(1), PrimType::I64);
            let numbers = self.b.array("i", Exp::Iota { count: width, start, step, elem: index });
            let lambda = self.b.lambda(&[I64, prim.clone()], &[I64], |b, x| {
                let is_result = b.bin(BinOp::Eq, elem, x[1], result);
                b.if_(is_result, &[I64], |_| vec![x[0]], |_| vec![width])
            });
            let places = self.b.array("at", Exp::Map { width, lambda, arrays: vec![numbers, array] });
            let op = self.b.lambda(&[I64, I64], &[I64], |b, x| vec![b.bin(BinOp::Min, index, x[0], x[1])]);
            let (neutral, arrays) = (vec![width], vec![places]);
            let first = self.b.one("at", Exp::Reduce { width, op, neutral, arrays, commutative: true });
            let at = self.b.if_(is_neutral, &[I64], |_| vec![width], |_| vec![first])[0];
            let lambda = self.b.lambda(&[I64], std::slice::from_ref(&prim), |b, x| {
                let is_there = b.bin(BinOp::Eq, index, x[0], at);
                b.if_(is_there, std::slice::from_ref(&prim), |_| vec![y], |_| vec![zero])
            });
            let change = self.b.one("adj", Exp::Map { width, lambda, arrays: vec![numbers] });
            self.contribute(array.into(), Adjoint::owned(change));
        }
        if self.is_active(neutral) {
            let change = self.b.if_(is_neutral, &[prim], |_| vec![y], |_| vec![zero])[0];
            self.contribute(neutral, Adjoint::owned(change));
        }
    }

    /// A histogram that adds: the destination goes in as it is, a value where its index says.
    pub(super) fn back_hist(&mut self, width: Atom, dest: Var, indices: Var, values: Var, y: Adjoint) {
        if self.active.contains(&values) {
            let parts = self.gather(width, indices, y.array(), None);
            self.contribute(values.into(), Adjoint::owned(parts));
        }
        self.contribute(dest.into(), y);
    }

    /// The rows of an array at these indices; zeros for those outside, and where `last` says that another one came later.
    fn gather(&mut self, width: Atom, indices: Var, array: Var, last: Option<Var>) -> Atom {
        let ty = self.type_of(array.into());
        let (size, row) = (ty.shape()[0], ty.peel(1));
        let zero = self.zero(&row).atom;
        let exp = Exp::Iota { count: width, start: Atom::i64(0), step: Atom::i64(1), elem: PrimType::I64 };
        let numbers = self.b.array("i", exp);
        let lambda = self.b.lambda(&[I64, I64], std::slice::from_ref(&row), |b, x| {
            let inside = within(b, x[1], size);
            let types = [row.clone()];
            b.if_(
                inside,
                &types,
                |b| {
                    let read = |b: &mut crate::build::Builder<'_>| vec![b.element(array, &[x[1]])];
                    let Some(last) = last else { return read(b) };
                    let writer = b.index(last, &[x[1]]);
                    let mine = b.bin(BinOp::Eq, PrimType::I64, writer, x[0]);
                    b.if_(mine, &types, read, |_| vec![zero])
                },
                |_| vec![zero],
            )
        });
        self.b.one("adj", Exp::Map { width, lambda, arrays: vec![numbers, indices] })
    }

    /// The last write to a cell wins; what was there before does not matter.
    pub(super) fn back_scatter(
        &mut self,
        width: Atom,
        dests: &[Var],
        indices: Var,
        values: &[Var],
        adjoints: Vec<Option<Adjoint>>,
    ) {
        let mut last = None;
        for ((dest, values), y) in dests.iter().zip(values).zip(adjoints) {
            let Some(y) = y else { continue };
            if self.active.contains(values) {
                let writers = *last.get_or_insert_with(|| {
                    let size = self.type_of((*dest).into()).shape()[0];
                    let none = Exp::Replicate { shape: vec![size], value: Atom::i64(-1) };
                    let none = self.b.array("last", none);
                    let (start, step, elem) = (Atom::i64(0), Atom::i64(1), PrimType::I64);
                    let numbers = self.b.array("i", Exp::Iota { count: width, start, step, elem });
                    let exp = Exp::Scatter { width, dests: vec![none], indices, values: vec![numbers] };
                    self.b.array("last", exp)
                });
                let parts = self.gather(width, indices, y.array(), Some(writers));
                self.contribute((*values).into(), Adjoint::owned(parts));
            }
            if self.active.contains(dest) {
                let ty = self.type_of((*values).into());
                let zeros = self.zero(&ty).array();
                let y = self.own(y).array();
                let exp = Exp::Scatter { width, dests: vec![y], indices, values: vec![zeros] };
                let rest = self.b.array("adj", exp);
                self.contribute((*dest).into(), Adjoint::owned(rest));
            }
        }
    }
}
