//! Results of maps that need no map: arrays that it hands on element by element, and the same scalar everywhere.
//!
//! ```text
//! let (ys: [n]f32) (zs: [n]i64) (cs: [n]f32) = map n \(x: f32) (z: i64) : f32, i64, f32 { … in (y, z, 1.0f32) } xs zs0
//! ```
//! becomes
//! ```text
//! let (cs: [n]f32) = replicate [n] 1.0f32
//! let (ys: [n]f32) = map n \(x: f32) (z: i64) : f32 { … in (y) } xs zs0
//! ```
//! and `zs0` stands for `zs`. Updates of one field of records in an array have this form: `map (\p -> p with cost = c) ps`.
//!
//! The result of a map is an array of its own, and what stands for it is not, so neither may be consumed anywhere, nor what may share cells with
//! one of them ([`Kept`]).

use super::Simplify;
use super::dead::may_stop;
use fun::ir::{Atom, Binder, Combine, Exp, Fun, Function, Lambda, Program, Statement, Type};
use fun::visit::names::subst_type;
use fun::visit::{Walk, walk_exp, walk_statement};
use fun_base::name::Var;
use fun_base::source::Loc;
use std::collections::{BTreeMap, BTreeSet};

/// Which arrays are never consumed, nor any that may share cells with them: those that belong together have one representative.
#[derive(Default)]
pub(super) struct Kept {
    parent: BTreeMap<Var, Var>,
    consumed: BTreeSet<Var>,
}

impl Kept {
    /// Looks at a program.
    pub(super) fn of(program: &Program) -> Kept {
        let mut kept = Kept::default();
        program.functions.iter().for_each(|function| kept.function(function));
        let consumed = std::mem::take(&mut kept.consumed);
        kept.consumed = consumed.into_iter().map(|var| kept.find(var)).collect();
        kept
    }

    fn find(&self, mut var: Var) -> Var {
        while let Some(parent) = self.parent.get(&var) {
            var = *parent;
        }
        var
    }

    /// These may share cells.
    fn share(&mut self, x: Var, y: Var) {
        let (x, y) = (self.find(x), self.find(y));
        if x != y {
            self.parent.insert(x, y);
        }
    }

    fn share_atoms(&mut self, pattern: &[Binder], atoms: &[Atom]) {
        for (binder, atom) in pattern.iter().zip(atoms) {
            if let Some(var) = atom.as_var() {
                self.share(binder.var, var);
            }
        }
    }

    fn consume(&mut self, atom: Atom) {
        self.consumed.extend(atom.as_var());
    }

    /// Whether one of these may stand for the other.
    pub(super) fn both(&self, x: Var, y: Var) -> bool {
        [x, y].iter().all(|var| !self.consumed.contains(&self.find(*var)))
    }

    fn function(&mut self, function: &Function) {
        for (result, atom) in function.results.iter().zip(&function.body.results) {
            if result.unique {
                self.consume(*atom);
            }
        }
        self.body(&function.body);
    }

    /// Elements of arrays are what the parameters are; operators have several for each.
    fn elements(&mut self, lambda: &Lambda, arrays: &[Var]) {
        for (param, array) in lambda.params.iter().zip(arrays.iter().cycle()) {
            self.share(param.var, *array);
        }
    }
}

impl Walk<Fun> for Kept {
    fn statement(&mut self, statement: &Statement) {
        let pattern = statement.pattern.as_slice();
        match &statement.exp {
            Exp::Atom(atom) => self.share_atoms(pattern, &[*atom]),
            Exp::Slice { array, .. }
            | Exp::Permute { array, .. }
            | Exp::Reshape { array, .. }
            | Exp::Reverse { array, .. } => self.share_atoms(pattern, &[Atom::Var(*array)]),
            Exp::Update { array, .. } => self.consume(Atom::Var(*array)),
            Exp::Hist { dests, .. }
            | Exp::Scatter { dests, .. }
            | Exp::Kernel { combine: Combine::Hist { dests, .. } | Combine::Scatter { dests }, .. } => {
                dests.iter().for_each(|dest| self.consume(Atom::Var(*dest)));
            }
            Exp::If { then, otherwise, .. } => {
                self.share_atoms(pattern, &then.results);
                self.share_atoms(pattern, &otherwise.results);
            }
            Exp::Loop { params, body, .. } => {
                let binders: Vec<Binder> = params.iter().map(|param| param.binder.clone()).collect();
                let inits: Vec<Atom> = params.iter().map(|param| param.init).collect();
                self.share_atoms(&binders, &inits);
                self.share_atoms(&binders, &body.results);
                self.share_atoms(pattern, &body.results);
                self.share_atoms(pattern, &inits);
            }
            // what happens behind these is not looked at
            Exp::Call { args, .. } | Exp::Derive { args, .. } => {
                args.iter().for_each(|arg| self.consume(*arg));
                pattern.iter().for_each(|binder| self.consume(Atom::Var(binder.var)));
            }
            _ => {}
        }
        walk_statement(self, statement);
    }

    fn exp(&mut self, exp: &Exp) {
        match exp {
            Exp::Map { lambda, arrays, .. } => self.elements(lambda, arrays),
            Exp::Reduce { op, arrays, .. } | Exp::Scan { op, arrays, .. } => self.elements(op, arrays),
            Exp::Hist { op, values, .. } => self.elements(op, values),
            _ => {}
        }
        walk_exp(self, exp);
    }
}

/// The variables that a lambda binds outside of its inner bodies.
fn bound(lambda: &Lambda) -> BTreeSet<Var> {
    let inside = lambda.body.statements.iter().flat_map(|statement| &statement.pattern);
    lambda.params.iter().chain(inside).map(|binder| binder.var).collect()
}

/// What a result of a map is.
enum Simple {
    /// An input.
    Input(Var),
    /// A scalar everywhere.
    Everywhere(Atom),
}

impl Simplify<'_> {
    /// A map with only those results that need it; what the others are is added or stands for them. A map that may stop the program has results.
    pub(super) fn map_results(
        &mut self,
        pattern: Vec<Binder>,
        exp: Exp,
        loc: Option<Loc>,
        out: &mut Vec<Statement>,
    ) -> (Vec<Binder>, Exp) {
        let Exp::Map { width, lambda, arrays } = &exp else { return (pattern, exp) };
        let bound = bound(lambda);
        let found = pattern.iter().zip(lambda.body.results.iter().zip(&lambda.results));
        let found: Vec<Option<Simple>> = found
            .map(|(binder, (atom, ty))| {
                let param = lambda.params.iter().position(|param| Atom::Var(param.var) == *atom);
                if let Some(array) = param.and_then(|param| arrays.get(param)) {
                    let other = self.types.get(array).map(|ty| subst_type(&self.subst, ty));
                    let same = other.as_ref() == Some(&binder.ty) && self.kept.both(binder.var, *array);
                    return same.then_some(Simple::Input(*array));
                }
                let outside = atom.as_var().is_none_or(|var| !bound.contains(&var));
                (outside && matches!(ty, Type::Prim(_))).then_some(Simple::Everywhere(*atom))
            })
            .collect();
        if found.iter().all(Option::is_none) || found.iter().all(Option::is_some) && may_stop(&exp) {
            return (pattern, exp);
        }
        let (width, arrays) = (*width, arrays.clone());
        let mut needed = Vec::with_capacity(pattern.len());
        let mut lambda = lambda.clone();
        let types = std::mem::take(&mut lambda.results);
        let results = std::mem::take(&mut lambda.body.results).into_iter().zip(types);
        for ((binder, found), (atom, ty)) in pattern.into_iter().zip(found).zip(results) {
            match found {
                Some(Simple::Input(array)) => self.stand_for(&[binder], &[Atom::Var(array)]),
                Some(Simple::Everywhere(value)) => {
                    let exp = Exp::Replicate { shape: vec![width], value };
                    self.define(std::slice::from_ref(&binder), &exp);
                    out.push(Statement { pattern: vec![binder], exp, loc });
                }
                None => {
                    needed.push(binder);
                    lambda.body.results.push(atom);
                    lambda.results.push(ty);
                }
            }
        }
        (needed, Exp::Map { width, lambda, arrays })
    }
}
