//! The return sweep of branches and loops.
//!
//! A loop goes back through its iterations: each takes the values that its parameters had from the tape, runs again, and hands
//! the adjoints of its results on to those of its parameters. Parameters whose sizes change from iteration to iteration cannot
//! lie on a tape, which is an array: then each iteration runs all those before it again.

use super::Reverse;
use super::adjoint::Adjoint;
use super::aliases;
use super::elements::Collected;
use super::tape::{Count, Tape};
use crate::ir::{Atom, Binder, BinderType, Body, Exp, LoopForm, LoopParam, Statement, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};

const I64: Type = Type::Prim(PrimType::I64);

impl Reverse<'_, '_> {
    pub(super) fn back_if(
        &mut self,
        condition: Atom,
        then: &Body,
        otherwise: &Body,
        adjoints: &[Option<Adjoint>],
    ) {
        let mut free = self.free_active(then, &[]);
        for var in self.free_active(otherwise, &[]) {
            if !free.contains(&var) {
                free.push(var);
            }
        }
        self.back_choice(condition, free, [then, otherwise], |this, branch| {
            let (_, body) = this.again(&[], branch);
            this.sweep(&body, adjoints.to_vec());
        });
    }

    /// A choice between two ways of adding to the adjoints of these variables.
    pub(super) fn back_choice<W>(
        &mut self,
        condition: Atom,
        targets: Vec<Var>,
        ways: [W; 2],
        mut build: impl FnMut(&mut Self, W),
    ) {
        let mut free: Vec<Var> = Vec::new();
        for var in targets {
            for var in std::iter::once(var).chain(self.wholes(var)) {
                if !free.contains(&var) {
                    free.push(var);
                }
            }
        }
        let before = self.adjoints.clone();
        let (mut branches, mut collected) = (Vec::new(), Vec::new());
        let nothing: Collected = self.collected.keys().map(|array| (*array, Vec::new())).collect();
        let collected_before = std::mem::replace(&mut self.collected, nothing.clone());
        for way in ways {
            let outer = self.b.take();
            build(self, way);
            let statements = self.b.replace(outer);
            let here = std::mem::replace(&mut self.collected, nothing.clone());
            for (array, parts) in here {
                collected.extend(parts.into_iter().map(|part| (branches.len(), array, part)));
            }
            branches.push((statements, std::mem::replace(&mut self.adjoints, before.clone())));
        }
        let atom = |adjoint: Option<&Adjoint>| adjoint.map(|adjoint| adjoint.atom);
        let same =
            |var: &Var| branches.iter().all(|(_, after)| atom(after.get(var)) == atom(before.get(var)));
        free.retain(|var| !same(var));
        self.collected = collected_before;
        if free.is_empty() && collected.is_empty() {
            return;
        }
        let mut types: Vec<Type> = free.iter().map(|var| self.type_of((*var).into())).collect();
        let mut owned = vec![true; free.len()];
        let mut bodies = Vec::new();
        for (branch, (statements, after)) in branches.into_iter().enumerate() {
            let outer = self.b.replace(statements);
            let mut results = Vec::new();
            for ((var, ty), owned) in free.iter().zip(&types).zip(&mut owned) {
                let adjoint = after.get(var).copied().unwrap_or_else(|| self.zero(ty));
                *owned &= adjoint.owned;
                results.push(adjoint.atom);
            }
            for (of, _, (at, value)) in &collected {
                let zero = Atom::Const(self.type_of(*value).elem().zero());
                results.extend(if *of == branch { [*at, *value] } else { [Atom::i64(-1), zero] });
            }
            bodies.push(Body { statements: self.b.replace(outer), results });
        }
        let (otherwise, then) = (bodies.pop(), bodies.pop());
        if let (Some(then), Some(otherwise)) = (&then, &otherwise) {
            // One array that goes to a variable in one branch and to another one in the other is nobody's own.
            let (then, otherwise) = (aliases::of_results(then), aliases::of_results(otherwise));
            // (what is collected is scalars)
            for (k, one) in then.iter().enumerate().take(free.len()) {
                for (l, other) in otherwise.iter().enumerate().take(free.len()) {
                    if k != l && !one.is_disjoint(other) {
                        (owned[k], owned[l]) = (false, false);
                    }
                }
            }
        }
        if let (Some(then), Some(otherwise)) = (then, otherwise) {
            for (_, _, (_, value)) in &collected {
                types.extend([I64, self.type_of(*value)]);
            }
            let atoms = self.b.emit("adj", &types, Exp::If { condition, then, otherwise });
            for ((_, array, _), part) in collected.iter().zip(atoms[free.len()..].chunks_exact(2)) {
                self.collected.entry(*array).or_default().push((part[0], part[1]));
            }
            for ((var, atom), owned) in free.iter().zip(atoms).zip(owned) {
                self.adjoints.insert(*var, Adjoint { atom, owned });
            }
        }
    }

    pub(super) fn back_loop(
        &mut self,
        statement: &Statement,
        params: &[LoopParam],
        form: &LoopForm,
        body: &Body,
        adjoints: Vec<Option<Adjoint>>,
        forward: &mut Vec<Statement>,
    ) {
        let mut binders: Vec<Binder> = params.iter().map(|param| param.binder.clone()).collect();
        let mut targets = self.free_active(body, &binders);
        for (param, adjoint) in params.iter().zip(&adjoints) {
            if self.active.contains(&param.binder.var) {
                self.adjoints.extend(adjoint.map(|adjoint| (param.binder.var, adjoint)));
                targets.push(param.binder.var);
            }
        }
        let Count { count, counter } = self.count(statement, form, forward);
        binders.push(counter.clone());
        let mut sizes: Vec<(Var, Atom)> = Vec::new();
        for param in params {
            param.binder.ty.for_each_var(&mut |var| {
                let at = params.iter().position(|other| other.binder.var == var);
                if let Some(at) = at.filter(|_| sizes.iter().all(|(other, _)| *other != var)) {
                    sizes.push((var, statement.pattern[at].var.into()));
                }
            });
        }
        let variant = !sizes.is_empty();
        let mut tape = Tape::new(self.b, &binders[..params.len()], count);
        self.accumulate(&targets, &sizes, count, |this, i| {
            let last = this.b.sub(count, Atom::i64(1));
            let at = this.b.sub(last, i);
            let (mut again, again_body) = this.again(&binders, body);
            if variant {
                this.recompute(params, &counter, body, at, &again[..params.len()]);
            } else {
                for (param, array) in again.iter().zip(&tape.params) {
                    let exp = this.element_exp(array.var, &param.ty, at);
                    this.b.bind(vec![param.clone()], exp);
                }
            }
            if let Some(counter) = again.pop() {
                let number = this.b.convert(counter.ty.elem(), PrimType::I64, at);
                this.b.bind(vec![counter], Exp::Atom(number));
            }
            let seeds = params.iter().map(|param| this.adjoints.remove(&param.binder.var)).collect();
            this.sweep(&again_body, seeds);
            for (param, again) in params.iter().zip(&again) {
                if let Some(adjoint) = this.adjoints.remove(&again.var) {
                    this.adjoints.insert(param.binder.var, adjoint);
                }
            }
            sizes.iter().filter_map(|(var, _)| renamed(*var, params, &again)).collect()
        });
        let mut statements = self.b.take();
        if let Some(Statement { exp: Exp::Loop { body: back, .. }, .. }) = statements.last_mut() {
            super::dead::prune(back);
            tape.keep_what_is_read(self, body, back);
        }
        self.b.replace(statements);
        tape.record(self, statement.pattern.first().map(|binder| binder.var), &counter, forward);
        for param in params {
            if let Some(adjoint) = self.adjoints.remove(&param.binder.var) {
                self.contribute(param.init, adjoint);
            }
        }
    }

    /// The values of the parameters before iteration `at`, from the start.
    fn recompute(
        &mut self,
        params: &[LoopParam],
        counter: &Binder,
        body: &Body,
        at: Atom,
        pattern: &[Binder],
    ) {
        let mut binders: Vec<Binder> = params.iter().map(|param| param.binder.clone()).collect();
        binders.push(counter.clone());
        let (mut again, body) = self.again(&binders, body);
        let Some(counter) = again.pop() else { return };
        let mut inits = Vec::new();
        for param in params {
            let init = Adjoint { atom: param.init, owned: false };
            inits.push(self.own(init).atom);
        }
        let ty = counter.ty.elem();
        let bound = self.b.convert(ty, PrimType::I64, at);
        let params = again.into_iter().zip(inits).map(|(binder, init)| LoopParam { binder, init }).collect();
        let form = LoopForm::For { var: counter.var, ty, bound };
        self.b.bind(pattern.to_vec(), Exp::Loop { params, form, body });
    }

    /// How often a loop runs, known before it from here on, and what counts its iterations. A `while` loop runs once more to tell;
    /// after that it is a counted loop.
    fn count(&mut self, statement: &Statement, form: &LoopForm, forward: &mut Vec<Statement>) -> Count {
        let place = super::tape::position(forward, statement.pattern.first().map(|binder| binder.var));
        let outer = self.b.take();
        let result = match form {
            LoopForm::For { var, ty, bound } => {
                let count = self.b.convert(PrimType::I64, *ty, *bound);
                let is_size = count.as_var().is_some_and(|var| self.sizes_of_args.contains(&var));
                let count =
                    if is_size { count } else { self.b.bin(BinOp::Max, PrimType::I64, count, Atom::i64(0)) };
                Count { count, counter: Binder { var: *var, ty: Type::Prim(*ty) } }
            }
            LoopForm::While(_) => {
                let counter = self.b.binder("i", I64);
                let count = match place.map(|at| forward[at].exp.clone()) {
                    Some(exp) => self.count_while(exp, &statement.pattern),
                    None => Atom::i64(0),
                };
                if let Some(Exp::Loop { form, .. }) = place.map(|at| &mut forward[at].exp) {
                    *form = LoopForm::For { var: counter.var, ty: PrimType::I64, bound: count };
                }
                Count { count, counter }
            }
        };
        let statements = self.b.replace(outer);
        let place = place.unwrap_or(forward.len());
        forward.splice(place..place, statements);
        result
    }

    /// Runs a copy of a `while` loop to count its iterations.
    fn count_while(&mut self, exp: Exp, pattern: &[Binder]) -> Atom {
        let Exp::Loop { params, form: LoopForm::While(condition), body } = exp else { return Atom::i64(0) };
        let binders: Vec<Binder> = params.iter().map(|param| param.binder.clone()).collect();
        let condition_at = binders.iter().position(|binder| binder.var == condition).unwrap_or(0);
        let (again, mut body) = self.before(&binders, &body);
        let mut results: Vec<Binder> = Vec::new();
        let mut renaming = crate::visit::names::Subst::new();
        for binder in pattern {
            let fresh = self.b.names().fresh_like(binder.var);
            renaming.insert(binder.var, fresh.into());
            results.push(Binder { var: fresh, ty: binder.ty.clone() });
        }
        for binder in &mut results {
            binder.ty = crate::visit::names::subst_type(&renaming, &binder.ty);
        }
        let mut all = Vec::new();
        for (binder, param) in again.iter().zip(&params) {
            let init = Adjoint { atom: param.init, owned: false };
            all.push(LoopParam { binder: binder.clone(), init: self.own(init).atom });
        }
        let counter = self.b.binder("n", I64);
        let next = self.b.binder("n", I64);
        let one = Exp::Bin(BinOp::Add, PrimType::I64, counter.var.into(), Atom::i64(1));
        body.results.push(next.var.into());
        body.statements.push(Statement { pattern: vec![next], exp: one, loc: None });
        all.push(LoopParam { binder: counter, init: Atom::i64(0) });
        let count = self.b.binder("count", I64);
        let atom = count.var.into();
        results.push(count);
        let form = LoopForm::While(again[condition_at].var);
        self.b.bind(results, Exp::Loop { params: all, form, body });
        atom
    }
}

/// The variable that stands for a parameter in a copy.
fn renamed(var: Var, params: &[LoopParam], again: &[Binder]) -> Option<Atom> {
    let at = params.iter().position(|param| param.binder.var == var)?;
    Some(again.get(at)?.var.into())
}
