//! What is the same in all iterations, wrongly: computed before them, or believed of them.

use super::rewrite::bodies;
use fun::ir::{Exp, Program};
use fun::visit::names::{Subst, subst_exp};
use std::collections::BTreeSet;

/// A sum of an array that a loop carries is one of what the array was at the start.
pub(super) fn carried_as_first(mut program: Program) -> Program {
    bodies(&mut program, &mut |body| {
        for statement in &mut body.statements {
            let Exp::Loop { params, body: inner, .. } = &mut statement.exp else { continue };
            let arrays = params.iter().filter(|param| param.binder.ty.rank() > 0);
            let firsts: Subst = arrays.map(|param| (param.binder.var, param.init)).collect();
            for statement in &mut inner.statements {
                let is_number = statement.pattern.iter().all(|binder| binder.ty.rank() == 0);
                if is_number && matches!(statement.exp, Exp::Kernel { .. }) {
                    statement.exp = subst_exp(&firsts, &statement.exp);
                }
            }
        }
    });
    program
}

/// What holds of the number that a loop begins with is believed of those that come after: a check that asks about a number that a loop carries is dropped.
pub(super) fn steps_believed(mut program: Program) -> Program {
    bodies(&mut program, &mut |body| {
        for statement in &mut body.statements {
            let Exp::Loop { params, body: inner, .. } = &mut statement.exp else { continue };
            let carried: BTreeSet<_> = params.iter().map(|param| Some(param.binder.var)).collect();
            inner.statements.retain(|statement| match &statement.exp {
                Exp::Assert { args, .. } => !args.iter().any(|arg| carried.contains(&arg.as_var())),
                _ => true,
            });
        }
    });
    program
}
