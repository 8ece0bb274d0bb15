//! Bodies, and the statements that need no control flow.

use super::maker::{Maker, Place};
use crate::ir::{Binder, Body, Combine, Exp, Lambda, Statement, atom_poly, slices};
use fun::ir::{Atom, Dim, Exp as FunExp, Fun, Type};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;

type FunBinder = fun::ir::Binder<Fun>;

impl Maker {
    /// The statements of a body with what `end` appends to them, and what it makes of the results.
    pub(super) fn body<T>(
        &mut self,
        body: fun::ir::Body,
        end: impl FnOnce(&mut Maker, Vec<Atom>) -> T,
    ) -> (Vec<Statement>, T) {
        let around = self.blocks.enter(&body);
        let outer = std::mem::take(&mut self.out);
        let loc = self.loc;
        for (k, statement) in body.statements.into_iter().enumerate() {
            self.loc = statement.loc;
            self.blocks.statement(k);
            self.statement(statement.pattern, statement.exp);
        }
        self.loc = loc;
        self.blocks.end_of_body();
        let result = end(self, body.results);
        self.blocks.leave(around);
        (std::mem::replace(&mut self.out, outer), result)
    }

    /// Appends the statement with what it needs before it.
    fn statement(&mut self, pattern: Vec<FunBinder>, exp: FunExp) {
        match exp {
            FunExp::Atom(atom) => match atom.as_var().and_then(|var| self.place(var)) {
                Some(place) => self.derived(pattern, place, Exp::Atom(atom)),
                None => self.scalar(pattern, Exp::Atom(atom)),
            },
            FunExp::Bin(op, ty, left, right) => self.scalar(pattern, Exp::Bin(op, ty, left, right)),
            FunExp::Un(op, ty, operand) => self.scalar(pattern, Exp::Un(op, ty, operand)),
            FunExp::Fma(ty, operands) => self.scalar(pattern, Exp::Fma(ty, operands)),
            FunExp::Convert { to, from, value } => self.scalar(pattern, Exp::Convert { to, from, value }),
            FunExp::Index { array, indices } => self.scalar(pattern, Exp::Index { array, indices }),
            FunExp::Trace { text, args, pause } => self.scalar(pattern, Exp::Trace { text, args, pause }),
            FunExp::Assert { condition, message, args } => {
                self.scalar(pattern, Exp::Assert { condition, message, args });
            }
            FunExp::Slice { array, dims } => {
                let place = self.array_place(array);
                let injective = place.injective && dims.iter().all(Dim::keeps_apart);
                let lmad = place.lmad.slice(&slices(&dims));
                self.derived(pattern, Place { lmad, injective, ..place }, Exp::Slice { array, dims });
            }
            FunExp::Permute { perm, array } => {
                let place = self.array_place(array);
                let lmad = place.lmad.permute(&perm);
                self.derived(pattern, Place { lmad, ..place }, Exp::Permute { perm, array });
            }
            FunExp::Reverse { dim, array } => {
                let place = self.array_place(array);
                let lmad = place.lmad.reverse(dim);
                self.derived(pattern, Place { lmad, ..place }, Exp::Reverse { dim, array });
            }
            FunExp::Reshape { shape, array } => self.reshape(pattern, shape, array),
            FunExp::Update { array, dims, value } => self.update(pattern, array, dims, value),
            FunExp::Iota { count, start, step, elem } => {
                self.fresh(pattern, Exp::Iota { count, start, step, elem });
            }
            FunExp::Replicate { shape, value } => self.fresh(pattern, Exp::Replicate { shape, value }),
            FunExp::Scratch { shape, elem } => self.fresh(pattern, Exp::Scratch { shape, elem }),
            FunExp::ArrayLiteral { row, elems } => self.fresh(pattern, Exp::ArrayLiteral { row, elems }),
            FunExp::Concat { size, arrays } => self.concat(pattern, size, arrays),
            FunExp::Copy(array) => self.fresh(pattern, Exp::Copy(array)),
            FunExp::If { condition, then, otherwise } => self.branches(pattern, condition, then, otherwise),
            FunExp::Loop { params, form, body } => self.repeat(pattern, params, form, body),
            FunExp::Call { function, args } => self.call(pattern, function, args),
            FunExp::Kernel { space, combine, body } => self.kernel(pattern, space, combine, body),
            FunExp::Map { .. }
            | FunExp::Reduce { .. }
            | FunExp::Scan { .. }
            | FunExp::Hist { .. }
            | FunExp::Scatter { .. }
            | FunExp::Derive { .. } => unreachable!("invariant: the program was asked for in kernel form"),
            FunExp::Op(op) => match op {},
        }
    }

    fn scalar(&mut self, pattern: Vec<FunBinder>, exp: Exp) {
        let pattern =
            pattern.into_iter().map(|binder| self.bind_prim(binder.var, binder.ty.elem())).collect();
        self.emit(pattern, exp);
    }

    /// A statement whose result lies at a place that exists already.
    fn derived(&mut self, pattern: Vec<FunBinder>, place: Place, exp: Exp) {
        let pattern = pattern.into_iter().map(|binder| self.binder_at(binder, place.clone())).collect();
        self.emit(pattern, exp);
    }

    /// The binder at a place. Its sizes are those of the binder: they may be other names of the same numbers.
    pub(super) fn binder_at(&mut self, binder: FunBinder, place: Place) -> Binder {
        match binder.ty {
            Type::Prim(prim) => self.bind_prim(binder.var, prim),
            Type::Array { shape, elem } => {
                let sizes: Vec<_> = shape.iter().map(|atom| atom_poly(*atom)).collect();
                let lmad = place.lmad.coerce(&sizes);
                self.bind_array(binder.var, &shape, elem, Place { lmad, ..place })
            }
        }
    }

    /// A statement whose array results lie in new places.
    fn fresh(&mut self, pattern: Vec<FunBinder>, exp: Exp) {
        let pattern = self.fresh_binders(pattern);
        self.emit(pattern, exp);
    }

    /// Chooses a place for each array of a pattern.
    fn fresh_binders(&mut self, pattern: Vec<FunBinder>) -> Vec<Binder> {
        let mut binders = Vec::with_capacity(pattern.len());
        for binder in pattern {
            let binder = match binder.ty {
                Type::Prim(prim) => self.bind_prim(binder.var, prim),
                Type::Array { shape, elem } => {
                    let place = match self.chosen.remove(&binder.var) {
                        Some(place) => place,
                        None => self.fresh_place(&shape, elem),
                    };
                    self.blocks.pin(&place.roots);
                    self.bind_array(binder.var, &shape, elem, place)
                }
            };
            binders.push(binder);
        }
        binders
    }

    fn reshape(&mut self, pattern: Vec<FunBinder>, shape: Vec<Atom>, array: Var) {
        let sizes: Vec<_> = shape.iter().map(|atom| atom_poly(*atom)).collect();
        let place = self.array_place(array);
        let (array, place, lmad) = match place.lmad.reshape(&sizes) {
            Some(lmad) => (array, place, lmad),
            None => {
                let copy = self.copy_row_major(array);
                let place = self.array_place(copy);
                let lmad = place.lmad.reshape(&sizes);
                let lmad = lmad.unwrap_or_else(|| Lmad::row_major(place.lmad.offset.clone(), &sizes));
                (copy, place, lmad)
            }
        };
        self.derived(pattern, Place { lmad, ..place }, Exp::Reshape { shape, array });
    }

    /// The value may be put into its place before the update, which then has nothing to do.
    fn update(&mut self, pattern: Vec<FunBinder>, array: Var, dims: Vec<Dim>, value: Atom) {
        let array = self.writable(array);
        let place = self.array_place(array);
        let mut value = value;
        if let Some(var) = value.as_var().filter(|var| self.place(*var).is_some())
            && self.rng.chance(30)
        {
            let ty = self.type_of(var);
            let part = Place { lmad: place.lmad.slice(&slices(&dims)), ..place.clone() };
            let there = self.names.fresh_like(var);
            let binder = self.binder_at(FunBinder { var: there, ty }, part);
            self.emit(vec![binder], Exp::Copy(var));
            value = Atom::Var(there);
        }
        self.derived(pattern, place, Exp::Update { array, dims, value });
    }

    /// The parts may be put into their places before, so that nothing is left to do.
    fn concat(&mut self, pattern: Vec<FunBinder>, size: Atom, arrays: Vec<Var>) {
        let pattern = self.fresh_binders(pattern);
        let mut parts = Vec::with_capacity(arrays.len());
        let mut start = Poly::constant(0);
        for array in arrays {
            let ty = self.type_of(array);
            let count = atom_poly(ty.shape()[0]);
            let place = pattern.first().and_then(|binder| self.place(binder.var));
            match place {
                Some(place) if self.rng.chance(20) => {
                    let mut lmad = place.lmad.clone();
                    let step = lmad.dims[0].stride.clone();
                    lmad.offset = lmad.offset.add(&step.mul(&start));
                    lmad.dims[0].size = count.clone();
                    let there = self.names.fresh_like(array);
                    let binder = self.binder_at(FunBinder { var: there, ty }, Place { lmad, ..place });
                    self.emit(vec![binder], Exp::Copy(array));
                    parts.push(there);
                }
                _ => parts.push(array),
            }
            start = start.add(&count);
        }
        self.emit(pattern, Exp::Concat { size, arrays: parts });
    }

    fn kernel(
        &mut self,
        pattern: Vec<FunBinder>,
        space: Vec<(Var, Atom)>,
        combine: fun::ir::Combine,
        body: fun::ir::Body,
    ) {
        let is_map = matches!(combine, fun::ir::Combine::Map);
        // (an epilogue sees the counters)
        let mut then = None;
        let (binders, mut combine) = match combine {
            fun::ir::Combine::Map => (self.fresh_binders(pattern), Combine::Map),
            fun::ir::Combine::Reduce { op, neutral, commutative } => {
                let op = self.lambda(op);
                (self.fresh_binders(pattern), Combine::Reduce { op, neutral, commutative })
            }
            fun::ir::Combine::Scan { op, neutral, epilogue } => {
                then = epilogue;
                let op = self.lambda(op);
                (self.fresh_binders(pattern), Combine::Scan { op, neutral, epilogue: None })
            }
            fun::ir::Combine::Hist { op, neutral, dests } => {
                let op = self.lambda(op);
                let (binders, dests) = self.in_place(pattern, dests);
                (binders, Combine::Hist { op, neutral, dests })
            }
            fun::ir::Combine::Scatter { dests } => {
                let (binders, dests) = self.in_place(pattern, dests);
                (binders, Combine::Scatter { dests })
            }
        };
        let start = self.now() + 1;
        for (var, _) in &space {
            self.bind_prim(*var, PrimType::I64);
        }
        if let Combine::Scan { epilogue, .. } = &mut combine {
            *epilogue = then.map(|epilogue| Box::new(self.lambda(*epilogue)));
        }
        if is_map {
            self.choose_rows(&binders, &space, &body);
        }
        self.blocks.enter_kernel(&space, start);
        let (statements, results) = self.body(body, |_, results| results);
        let allocs = self.blocks.leave_kernel();
        self.out.extend(allocs);
        self.emit(binders, Exp::Kernel { space, combine, body: Body { statements, results } });
    }

    /// Some results of the body are made in the row of the kernel's result that they become.
    fn choose_rows(&mut self, binders: &[Binder], space: &[(Var, Atom)], body: &fun::ir::Body) {
        for (binder, result) in binders.iter().zip(&body.results) {
            let made = result.as_var().filter(|var| makes(body, *var));
            let (Some(var), Some(place)) = (made, self.place(binder.var)) else { continue };
            if self.chosen.contains_key(&var) || !self.rng.chance(40) {
                continue;
            }
            let mut lmad = place.lmad.clone();
            for (counter, _) in space {
                lmad = lmad.fix(0, &Poly::var(*counter));
            }
            self.chosen.insert(var, Place { lmad, ..place });
        }
    }

    /// The results of a kernel that changes its destinations.
    fn in_place(&mut self, pattern: Vec<FunBinder>, dests: Vec<Var>) -> (Vec<Binder>, Vec<Var>) {
        let mut binders = Vec::with_capacity(dests.len());
        let mut writable = Vec::with_capacity(dests.len());
        for (binder, dest) in pattern.into_iter().zip(dests) {
            let dest = self.writable(dest);
            let place = self.array_place(dest);
            binders.push(self.binder_at(binder, place));
            writable.push(dest);
        }
        (binders, writable)
    }

    fn lambda(&mut self, lambda: fun::ir::Lambda) -> Lambda {
        let bind = |binder: FunBinder| self.bind_prim(binder.var, binder.ty.elem());
        let params = lambda.params.into_iter().map(bind).collect();
        let (statements, results) = self.body(lambda.body, |_, results| results);
        Lambda { params, results: lambda.results, body: Body { statements, results } }
    }
}

/// Whether a statement of the body itself makes the array anew.
pub(super) fn makes(body: &fun::ir::Body, array: Var) -> bool {
    let statement = body
        .statements
        .iter()
        .find(|statement| statement.pattern.iter().any(|binder| binder.var == array && binder.ty.rank() > 0));
    match statement.map(|statement| &statement.exp) {
        Some(
            FunExp::Iota { .. }
            | FunExp::Replicate { .. }
            | FunExp::ArrayLiteral { .. }
            | FunExp::Concat { .. }
            | FunExp::Copy(_),
        ) => true,
        Some(FunExp::Kernel { combine, .. }) => match combine {
            fun::ir::Combine::Map | fun::ir::Combine::Reduce { .. } | fun::ir::Combine::Scan { .. } => true,
            fun::ir::Combine::Hist { .. } | fun::ir::Combine::Scatter { .. } => false,
        },
        Some(_) | None => false,
    }
}
