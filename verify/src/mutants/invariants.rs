//! What is the same in all iterations, or for all elements that go through them, wrongly: computed before them, or believed of them.

use super::rewrite::bodies;
use fun::ir::{Atom, Exp, LoopParam, Program};
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

/// The elements that go through the iterations by themselves begin with zero.
pub(super) fn elements_begin_with_zero(program: Program) -> Program {
    of_elements(program, |params, _| {
        for param in params.iter_mut().filter(|param| is_element(param)) {
            param.init = Atom::Const(param.binder.ty.elem().zero());
        }
    })
}

/// A number that iterations carry along stays for an element what it was at the start.
pub(super) fn number_stays(program: Program) -> Program {
    of_elements(program, |params, results| {
        for (param, result) in params.iter().zip(results) {
            if !is_element(param) {
                *result = param.binder.var.into();
            }
        }
    })
}

/// Whether a parameter of a loop begins with the element of an array that goes through all iterations.
fn is_element(param: &LoopParam) -> bool {
    param.init.as_var().is_some_and(|var| var.text.as_str() == "first")
}

/// Changes the loops that one element goes through.
fn of_elements(mut program: Program, f: impl Fn(&mut [LoopParam], &mut [Atom])) -> Program {
    bodies(&mut program, &mut |body| {
        for statement in &mut body.statements {
            if let Exp::Loop { params, body: inner, .. } = &mut statement.exp
                && params.iter().any(is_element)
            {
                f(params, &mut inner.results);
            }
        }
    });
    program
}
