//! Dead statements.

use super::super::operator_may_fail;
use fun::ir::{Atom, Binder, BinderType, Body, Exp, Fun, LoopForm, Program};
use fun::visit::{Walk, for_each_body_mut, walk_exp};
use fun_base::name::Var;
use std::collections::BTreeSet;

/// The program without statements that nobody needs.
pub(in crate::fun) fn drop_dead(mut program: Program) -> Program {
    for function in &mut program.functions {
        let mut live = Live::default();
        for result in &function.results {
            result.binder.ty.for_each_var(&mut |var| live.add(var));
        }
        live.body(&mut function.body);
    }
    program
}

/// The variables used in what is kept so far, from the end of a function to its beginning.
#[derive(Default)]
struct Live {
    used: BTreeSet<Var>,
}

impl Live {
    fn add(&mut self, var: Var) {
        self.used.insert(var);
    }

    fn is_used(&self, binder: &Binder) -> bool {
        self.used.contains(&binder.var)
    }

    fn body(&mut self, body: &mut Body) {
        body.results.iter().filter_map(|atom| atom.as_var()).for_each(|var| self.add(var));
        let statements = std::mem::take(&mut body.statements);
        for mut statement in statements.into_iter().rev() {
            if !statement.pattern.iter().any(|binder| self.is_used(binder)) && !may_stop(&statement.exp) {
                continue;
            }
            for_each_body_mut(&mut statement.exp, &mut |inner| self.body(inner));
            // The uses of bodies are counted; what remains is the statement's own.
            OwnUses(self).statement(&statement);
            body.statements.push(statement);
        }
        body.statements.reverse();
    }
}

/// The uses of a statement outside its bodies: operands, and sizes in types.
struct OwnUses<'a>(&'a mut Live);

impl Walk<Fun> for OwnUses<'_> {
    fn atom(&mut self, atom: &Atom) {
        if let Some(var) = atom.as_var() {
            self.0.add(var);
        }
    }

    fn body(&mut self, _: &Body) {}
}

/// Whether an expression must stay though nobody uses its results: it may stop the program, or never end.
///
/// A call may assert; a while loop may not end. Arrays that are too large also stop the program, but not making them is no
/// failure.
pub(in crate::fun) fn may_stop(exp: &Exp) -> bool {
    struct Effect(bool);
    impl Walk<Fun> for Effect {
        fn exp(&mut self, exp: &Exp) {
            self.0 |= match exp {
                Exp::Assert { .. } | Exp::Call { .. } | Exp::Loop { form: LoopForm::While(_), .. } => true,
                Exp::Bin(op, t, _, right) => operator_may_fail(*op, *t, *right),
                _ => false,
            };
            walk_exp(self, exp);
        }
    }
    let mut effect = Effect(false);
    effect.exp(exp);
    effect.0
}
