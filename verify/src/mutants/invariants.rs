//! What is the same in all iterations is computed before them, wrongly.

use super::rewrite::bodies;
use fun::ir::{Exp, Program};
use fun::visit::names::{Subst, subst_exp};

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
