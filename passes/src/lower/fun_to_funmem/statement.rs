//! Bodies, and the statements that need no control flow.

use super::context::{Context, Place, meet};
use fun::ir::{Atom, Dim, Exp as FunExp, Fun, Type};
use fun_base::name::Var;
use fun_index::lmad::Lmad;
use funmem::ir::{Binder, Combine, Exp, Lambda, Statement, atom_poly, slices};

type FunBinder = fun::ir::Binder<Fun>;

impl Context {
    /// The statements of a body, which are not appended to those at hand, and its results.
    pub(super) fn body(&mut self, body: fun::ir::Body) -> (Vec<Statement>, Vec<Atom>) {
        let outer = std::mem::take(&mut self.out);
        let loc = self.loc;
        for statement in body.statements {
            self.loc = statement.loc;
            self.statement(statement.pattern, statement.exp);
        }
        self.loc = loc;
        (std::mem::replace(&mut self.out, outer), body.results)
    }

    /// Appends the statement with what it needs before it.
    fn statement(&mut self, pattern: Vec<FunBinder>, exp: FunExp) {
        match exp {
            FunExp::Atom(atom) => self.alias(pattern, atom),
            FunExp::Bin(op, ty, left, right) => self.scalar(pattern, Exp::Bin(op, ty, left, right)),
            FunExp::Un(op, ty, operand) => self.scalar(pattern, Exp::Un(op, ty, operand)),
            FunExp::Fma(ty, operands) => self.scalar(pattern, Exp::Fma(ty, operands)),
            FunExp::Convert { to, from, value } => self.scalar(pattern, Exp::Convert { to, from, value }),
            FunExp::Index { array, indices } => self.scalar(pattern, Exp::Index { array, indices }),
            // Nobody watches below FUN.
            FunExp::Trace { .. } => {}
            FunExp::Assert { condition, message, args } => {
                self.scalar(pattern, Exp::Assert { condition, message, args })
            }
            FunExp::Slice { array, dims } => {
                let place = self.array_place(array);
                let injective = place.injective && dims.iter().all(Dim::keeps_apart);
                let lmad = place.lmad.slice(&slices(&dims));
                self.derived(pattern, Place { mem: place.mem, lmad, injective }, Exp::Slice { array, dims });
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
            FunExp::Update { array, dims, value } => {
                let array = self.writable(array);
                let overlaps = |value: Var| {
                    let mem = self.place(value)?.mem;
                    meet(&self.roots_of(mem), &self.roots_of(self.array_place(array).mem)).then_some(value)
                };
                let value = match value.as_var().and_then(overlaps) {
                    Some(value) => Atom::Var(self.copy(value)),
                    None => value,
                };
                let place = self.array_place(array);
                self.derived(pattern, place, Exp::Update { array, dims, value });
            }
            FunExp::Iota { count, start, step, elem } => {
                self.fresh(pattern, Exp::Iota { count, start, step, elem });
            }
            FunExp::Replicate { shape, value } => self.fresh(pattern, Exp::Replicate { shape, value }),
            FunExp::Scratch { shape, elem } => self.fresh(pattern, Exp::Scratch { shape, elem }),
            FunExp::ArrayLiteral { row, elems } => self.fresh(pattern, Exp::ArrayLiteral { row, elems }),
            FunExp::Concat { size, arrays } => self.fresh(pattern, Exp::Concat { size, arrays }),
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
            | FunExp::Derive { .. } => unreachable!("invariant F8: SOACs are kernels by now"),
            FunExp::Op(op) => match op {},
        }
    }

    /// A binder that needs no memory.
    fn scalar_binder(&mut self, binder: FunBinder) -> Binder {
        self.bind_prim(binder.var, binder.ty.elem())
    }

    fn scalar(&mut self, pattern: Vec<FunBinder>, exp: Exp) {
        let pattern = pattern.into_iter().map(|binder| self.scalar_binder(binder)).collect();
        self.emit(pattern, exp);
    }

    fn alias(&mut self, pattern: Vec<FunBinder>, atom: Atom) {
        match atom.as_var().and_then(|var| self.place(var)) {
            Some(place) => self.derived(pattern, place, Exp::Atom(atom)),
            None => self.scalar(pattern, Exp::Atom(atom)),
        }
    }

    /// A statement whose result lies at a place that exists already.
    pub(super) fn derived(&mut self, pattern: Vec<FunBinder>, place: Place, exp: Exp) {
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

    /// A statement whose array results lie in new blocks.
    fn fresh(&mut self, pattern: Vec<FunBinder>, exp: Exp) {
        let pattern = self.fresh_binders(pattern);
        self.emit(pattern, exp);
    }

    /// Allocates a block for each array of a pattern.
    fn fresh_binders(&mut self, pattern: Vec<FunBinder>) -> Vec<Binder> {
        let mut binders = Vec::with_capacity(pattern.len());
        for binder in pattern {
            let binder = match binder.ty {
                Type::Prim(prim) => self.bind_prim(binder.var, prim),
                Type::Array { shape, elem } => {
                    let place = self.alloc(binder.var, &shape, elem);
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
                let copy = self.copy(array);
                let place = self.array_place(copy);
                let lmad = place
                    .lmad
                    .reshape(&sizes)
                    .unwrap_or_else(|| Lmad::row_major(place.lmad.offset.clone(), &sizes));
                (copy, place, lmad)
            }
        };
        self.derived(pattern, Place { lmad, ..place }, Exp::Reshape { shape, array });
    }

    fn kernel(
        &mut self,
        pattern: Vec<FunBinder>,
        space: Vec<(Var, Atom)>,
        combine: fun::ir::Combine,
        body: fun::ir::Body,
    ) {
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
        for (var, _) in &space {
            self.bind_prim(*var, fun_base::prim::PrimType::I64);
        }
        if let Combine::Scan { epilogue, .. } = &mut combine {
            *epilogue = then.map(|epilogue| Box::new(self.lambda(*epilogue)));
        }
        let (statements, results) = self.body(body);
        let body = funmem::ir::Body { statements, results };
        self.emit(binders, Exp::Kernel { space, combine, body });
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
        let bind = |binder: FunBinder| self.scalar_binder(binder);
        let params = lambda.params.into_iter().map(bind).collect();
        let (statements, results) = self.body(lambda.body);
        Lambda { params, results: lambda.results, body: funmem::ir::Body { statements, results } }
    }
}
