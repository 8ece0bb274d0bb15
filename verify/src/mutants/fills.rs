//! Dead stores: an array that a loop overwrites need not be filled before. Each mutant forgets a condition.

use super::rewrite::{Site, exps, number};
use fun::ir::{Atom, Dim, Exp, LoopForm, LoopParam, Program};

/// The loop may read what it overwrites.
pub(super) fn reads_of_fill_forgotten(program: Program) -> Program {
    without_fills(program, |_, param, form, first| {
        let LoopForm::For { var, bound, .. } = form else { return false };
        *first == Dim::Fix(Atom::Var(*var)) && param.binder.ty.shape().first() == Some(bound)
    })
}

/// The loop may write fewer rows than there are.
pub(super) fn rows_not_counted(program: Program) -> Program {
    without_fills(program, |site, param, form, first| {
        let LoopForm::For { var, bound, .. } = form else { return false };
        let fewer = number(*bound).zip(param.binder.ty.shape().first().and_then(|size| number(*size)));
        *first == Dim::Fix(Atom::Var(*var))
            && fewer.is_none_or(|(bound, size)| bound < size)
            && site.uses(param.binder.var) == 1
    })
}

/// Whether the rows that an update of a parameter writes, by the first of its dimensions, are taken to be all.
type All = fn(&Site, &LoopParam, &LoopForm, &Dim) -> bool;

fn without_fills(program: Program, all: All) -> Program {
    exps(program, |site, exp| {
        let Exp::Loop { params, form, body } = exp else { return None };
        let mut params = params.clone();
        let mut changed = false;
        for param in &mut params {
            let filled = matches!(site.definition(param.init), Some(Exp::Replicate { .. }));
            let overwritten = body.statements.iter().any(|statement| {
                let Exp::Update { array, dims, .. } = &statement.exp else { return false };
                *array == param.binder.var && dims.first().is_some_and(|first| all(site, param, form, first))
            });
            if let Atom::Var(init) = param.init
                && filled
                && overwritten
                && site.uses(init) == 1
            {
                let ty = site.ty(init);
                let room = Exp::Scratch { shape: ty.shape().to_vec(), elem: ty.elem() };
                param.init = Atom::Var(site.emit(ty, room));
                changed = true;
            }
        }
        changed.then(|| Exp::Loop { params, form: form.clone(), body: body.clone() })
    })
}
