//! Which arrays are consumed. Where the source writes the type of a loop's parameter, it says so with a `*`; and where the source
//! takes the results of one expression for possibly the same array, those that are consumed are copied.

use fun::ir::{Atom, Body, Exp, Fun, Program, Statement};
use fun::visit::{Walk, walk_program, walk_statement};
use fun_base::name::Var;
use std::collections::{BTreeMap, BTreeSet};

/// Whether a body consumes a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Consumed {
    Yes,
    No,
    /// Under another name, perhaps.
    Maybe,
}

/// What a body consumes.
#[derive(Default)]
pub(super) struct Consumption {
    consumed: BTreeSet<Var>,
    /// Other names of arrays that have just one.
    same: BTreeMap<Var, Var>,
    /// Whether there are expressions that give one of several arrays, or consume what is not seen here.
    unclear: bool,
}

impl Walk<Fun> for Consumption {
    fn statement(&mut self, statement: &Statement) {
        let result = statement.pattern.first().map(|binder| binder.var);
        match (&statement.exp, result) {
            (Exp::Update { array, .. }, _) => {
                self.consumed.insert(*array);
            }
            (Exp::Hist { dests, .. } | Exp::Scatter { dests, .. }, _) => self.consumed.extend(dests),
            (
                Exp::Atom(Atom::Var(array))
                | Exp::Slice { array, .. }
                | Exp::Permute { array, .. }
                | Exp::Reshape { array, .. }
                | Exp::Reverse { array, .. },
                Some(result),
            ) => {
                self.same.insert(result, *array);
            }
            (Exp::If { .. } | Exp::Loop { .. } | Exp::Call { .. } | Exp::Derive { .. }, _) => {
                self.unclear |= statement.pattern.iter().any(|binder| binder.ty.rank() > 0);
                self.unclear |= matches!(statement.exp, Exp::Call { .. });
            }
            _ => {}
        }
        walk_statement(self, statement);
    }
}

impl Consumption {
    pub(super) fn of_body(body: &Body) -> Consumption {
        let mut found = Consumption::default();
        Walk::<Fun>::body(&mut found, body);
        found
    }

    /// Whether a variable from outside the body is consumed in it.
    pub(super) fn of(&self, var: Var) -> Consumed {
        let root = |mut var: Var| {
            while let Some(other) = self.same.get(&var) {
                var = *other;
            }
            var
        };
        match () {
            () if self.consumed.iter().any(|consumed| root(*consumed) == var) => Consumed::Yes,
            () if self.unclear => Consumed::Maybe,
            () => Consumed::No,
        }
    }
}

/// All arrays of a program that are consumed, or may be: under a name of their own or under another.
pub(super) fn consumed_in(program: &Program) -> BTreeSet<Var> {
    let mut found = Everywhere { program, consumed: BTreeSet::new() };
    for function in &program.functions {
        let results = function.results.iter().zip(&function.body.results);
        let alone = results.filter(|(result, _)| result.unique).filter_map(|(_, atom)| atom.as_var());
        found.consumed.extend(alone);
    }
    loop {
        let before = found.consumed.len();
        walk_program(&mut found, program);
        if found.consumed.len() == before {
            return found.consumed;
        }
    }
}

struct Everywhere<'p> {
    program: &'p Program,
    consumed: BTreeSet<Var>,
}

impl Everywhere<'_> {
    /// Where the first is consumed, the second is.
    fn follows(&mut self, result: Var, source: &Atom) {
        if let (true, Atom::Var(source)) = (self.consumed.contains(&result), source) {
            self.consumed.insert(*source);
        }
    }
}

impl Walk<Fun> for Everywhere<'_> {
    fn statement(&mut self, statement: &Statement) {
        walk_statement(self, statement);
        let pattern = || statement.pattern.iter().map(|binder| binder.var);
        match &statement.exp {
            Exp::Update { array, .. } => {
                self.consumed.insert(*array);
            }
            Exp::Hist { dests, .. } | Exp::Scatter { dests, .. } => self.consumed.extend(dests),
            Exp::Atom(atom) => pattern().for_each(|result| self.follows(result, atom)),
            Exp::Slice { array, .. }
            | Exp::Permute { array, .. }
            | Exp::Reshape { array, .. }
            | Exp::Reverse { array, .. } => {
                pattern().for_each(|result| self.follows(result, &Atom::Var(*array)));
            }
            Exp::If { then, otherwise, .. } => {
                for (k, result) in pattern().enumerate() {
                    self.follows(result, &then.results[k]);
                    self.follows(result, &otherwise.results[k]);
                }
            }
            Exp::Loop { params, body, .. } => {
                for (k, result) in pattern().enumerate() {
                    for var in [result, params[k].binder.var] {
                        self.follows(var, &params[k].init);
                        self.follows(var, &body.results[k]);
                    }
                }
            }
            Exp::Call { function, args } => {
                let callee = self.program.functions.iter().find(|other| other.name == *function);
                for (param, arg) in callee.iter().flat_map(|callee| &callee.params).zip(args) {
                    if param.unique {
                        self.consumed.extend(arg.as_var());
                    }
                }
                pattern().for_each(|result| args.iter().for_each(|arg| self.follows(result, arg)));
            }
            Exp::Derive { args, .. } => {
                pattern().for_each(|result| args.iter().for_each(|arg| self.follows(result, arg)));
            }
            _ => {}
        }
    }
}
