//! Wrong loops for functions that end in calls of themselves.

use super::rewrite::body_and_inner;
use fun::ir::{Atom, BinderType, Exp, LoopForm, Program};
use fun::visit::names::{Subst, subst_body};
use std::collections::BTreeSet;

/// An array parameter is taken to be passed on as it is in the calls of a function by itself.
pub(super) fn changing_argument_is_passed_on(mut program: Program) -> Program {
    for function in &mut program.functions {
        let Some(at) = function.params.iter().position(|param| param.binder.ty.rank() > 0 && !param.unique)
        else {
            continue;
        };
        let (name, own) = (function.name, Atom::Var(function.params[at].binder.var));
        body_and_inner(&mut function.body, &mut |body| {
            for statement in &mut body.statements {
                if let Exp::Call { function, args } = &mut statement.exp
                    && *function == name
                {
                    args[at] = own;
                }
            }
        });
    }
    program
}

/// What comes after a loop of unknown length sees the first values of its parameters that the loop does not change in place.
pub(super) fn end_sees_first_parameters(mut program: Program) -> Program {
    for function in &mut program.functions {
        let mut first = Subst::new();
        for statement in &function.body.statements {
            let Exp::Loop { params, form: LoopForm::While(go), .. } = &statement.exp else { continue };
            let sizes: BTreeSet<_> =
                params.iter().flat_map(|param| param.binder.ty.erased().shape().to_vec()).collect();
            for (binder, param) in statement.pattern.iter().zip(params) {
                let is_scalar = binder.ty.rank() == 0 && !sizes.contains(&Atom::Var(param.binder.var));
                if is_scalar && param.binder.var != *go {
                    first.insert(binder.var, param.init);
                }
            }
        }
        function.body = subst_body(&first, &function.body);
    }
    program
}
