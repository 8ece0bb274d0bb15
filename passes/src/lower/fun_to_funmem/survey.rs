//! What memory introduction wants to know before it starts: how loop parameters are carried.
//!
//! - A parameter keeps its place when the body's result is the parameter itself, changed by updates, scatters and histograms at
//!   most. It needs no block of its own and no copy.
//! - A parameter has an offset when the body's result is some of the rows of an array: it need not be copied to the start of a block.

use fun::ir::{Atom, Body, Combine, Dim, Exp, Lambda, LoopParam, Program, Type};
use fun_base::name::Var;
use std::collections::{BTreeMap, BTreeSet};

/// How the loop parameters of a program are carried.
pub(super) fn survey(program: &Program) -> Survey {
    let mut survey = Survey::default();
    for function in &program.functions {
        for param in function.params.iter().chain(&function.results) {
            survey.bind(param.binder.var, &param.binder.ty);
        }
        survey.body(&function.body);
    }
    survey
}

#[derive(Default)]
pub(super) struct Survey {
    /// Types of the variables bound so far.
    types: BTreeMap<Var, Type>,
    /// The variable whose place a variable shares, where that is another one.
    origins: BTreeMap<Var, Var>,
    /// Arrays that begin behind the first row of another.
    behind: BTreeSet<Var>,
    /// Loop parameters that stay where their initial values lie.
    pub(super) in_place: BTreeSet<Var>,
    /// Loop parameters that begin anywhere in their block.
    pub(super) has_offset: BTreeSet<Var>,
}

impl Survey {
    fn bind(&mut self, var: Var, ty: &Type) {
        self.types.insert(var, ty.clone());
    }

    fn lambda(&mut self, lambda: &Lambda) {
        for param in &lambda.params {
            self.bind(param.var, &param.ty);
        }
        self.body(&lambda.body);
    }

    fn origin(&self, var: Var) -> Var {
        self.origins.get(&var).copied().unwrap_or(var)
    }

    fn origin_of(&self, atom: Option<&Atom>) -> Option<Var> {
        atom.and_then(|atom| atom.as_var()).map(|var| self.origin(var))
    }

    fn body(&mut self, body: &Body) {
        for statement in &body.statements {
            for binder in &statement.pattern {
                self.bind(binder.var, &binder.ty);
            }
            let origins = self.exp(&statement.exp);
            let behind = self.behind(&statement.exp);
            let begins = statement.pattern.iter().zip(behind).filter(|(_, behind)| *behind);
            self.behind.extend(begins.map(|(binder, _)| binder.var));
            for (binder, origin) in statement.pattern.iter().zip(origins) {
                if let Some(origin) = origin {
                    self.origins.insert(binder.var, origin);
                }
            }
        }
    }

    /// Which results begin behind the first row of another array, as far as any do.
    fn behind(&self, exp: &Exp) -> Vec<bool> {
        let begins = |atom: &Atom| self.origin_of(Some(atom)).is_some_and(|var| self.behind.contains(&var));
        match exp {
            Exp::Slice { array, dims } => {
                let inner = self.types.get(array).map_or(&[][..], |ty| ty.shape()).iter().skip(1);
                let mut dims = dims.iter();
                let rows = match dims.next() {
                    Some(Dim::Range { offset, stride, .. }) if *stride == Atom::i64(1) => {
                        *offset != Atom::i64(0) || begins(&Atom::Var(*array))
                    }
                    _ => false,
                };
                let whole = |(dim, size): (&Dim, &Atom)| {
                    *dim == Dim::Range { offset: Atom::i64(0), count: *size, stride: Atom::i64(1) }
                };
                vec![rows && dims.zip(inner).all(whole)]
            }
            Exp::If { then, otherwise, .. } => {
                then.results.iter().zip(&otherwise.results).map(|(a, b)| begins(a) || begins(b)).collect()
            }
            Exp::Loop { params, .. } => {
                params.iter().map(|param| self.has_offset.contains(&param.binder.var)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The origins of the results, as far as there are any.
    fn exp(&mut self, exp: &Exp) -> Vec<Option<Var>> {
        match exp {
            Exp::Atom(atom) => vec![self.origin_of(Some(atom))],
            Exp::Update { array, .. } => vec![Some(self.origin(*array))],
            Exp::If { then, otherwise, .. } => {
                self.body(then);
                self.body(otherwise);
                let results = then.results.iter().zip(&otherwise.results);
                results
                    .map(|(a, b)| {
                        self.origin_of(Some(a)).filter(|origin| self.origin_of(Some(b)) == Some(*origin))
                    })
                    .collect()
            }
            Exp::Loop { params, body, form: _ } => {
                for param in params {
                    self.bind(param.binder.var, &param.binder.ty);
                }
                self.body(body);
                let stays = |(k, param): (usize, &LoopParam)| {
                    let init = param.init.as_var()?;
                    let same_type = self.types.get(&init) == Some(&param.binder.ty);
                    let returned = self.origin_of(body.results.get(k)) == Some(param.binder.var);
                    let array = matches!(param.binder.ty, Type::Array { .. });
                    (array && same_type && returned).then(|| (param.binder.var, self.origin(init)))
                };
                let stay: Vec<Option<(Var, Var)>> = params.iter().enumerate().map(stays).collect();
                self.in_place.extend(stay.iter().flatten().map(|(param, _)| *param));
                let moves = params.iter().zip(&stay).zip(&body.results).filter(|((_, stay), result)| {
                    let origin = self.origin_of(Some(*result));
                    stay.is_none() && origin.is_some_and(|origin| self.behind.contains(&origin))
                });
                let moves: Vec<Var> = moves.map(|((param, _), _)| param.binder.var).collect();
                self.has_offset.extend(moves);
                stay.into_iter().map(|pair| pair.map(|(_, origin)| origin)).collect()
            }
            Exp::Kernel { combine, body, space: _ } => {
                self.body(body);
                let in_place =
                    |this: &Survey, dests: &[Var]| dests.iter().map(|v| Some(this.origin(*v))).collect();
                match combine {
                    Combine::Map => Vec::new(),
                    Combine::Reduce { op, .. } => {
                        self.lambda(op);
                        Vec::new()
                    }
                    Combine::Scan { op, epilogue, neutral: _ } => {
                        [op].into_iter().chain(epilogue.as_deref()).for_each(|lambda| self.lambda(lambda));
                        Vec::new()
                    }
                    Combine::Hist { op, dests, .. } => {
                        self.lambda(op);
                        in_place(self, dests)
                    }
                    Combine::Scatter { dests } => in_place(self, dests),
                }
            }
            Exp::Bin(..)
            | Exp::Un(..)
            | Exp::Fma(..)
            | Exp::Convert { .. }
            | Exp::Index { .. }
            | Exp::Slice { .. }
            | Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::Scratch { .. }
            | Exp::ArrayLiteral { .. }
            | Exp::Concat { .. }
            | Exp::Copy(_)
            | Exp::Permute { .. }
            | Exp::Reshape { .. }
            | Exp::Reverse { .. }
            | Exp::Call { .. }
            | Exp::Assert { .. }
            | Exp::Trace { .. } => Vec::new(),
            Exp::Map { .. }
            | Exp::Reduce { .. }
            | Exp::Scan { .. }
            | Exp::Hist { .. }
            | Exp::Scatter { .. }
            | Exp::Derive { .. } => {
                unreachable!("invariant F8: SOACs are kernels by now")
            }
            Exp::Op(op) => match *op {},
        }
    }
}
