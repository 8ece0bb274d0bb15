//! Wrong blocks of threads for iterations that have parallel loops in loops of their own.

use super::lowered::{each, lists};
use fun_base::prim::{BinOp, PrimType};
use imp::build::bin;
use imp::ir::{Exp, LoopKind, Program, Statement, StatementKind};

fn is_named(var: fun_base::name::Var, text: &str) -> bool {
    var.text.as_str() == text
}

/// The counter and body of the loop over the threads that share an iteration.
fn threads(statement: &mut Statement) -> Option<(fun_base::name::Var, &mut Vec<Statement>)> {
    match &mut statement.kind {
        StatementKind::For { var, kind: LoopKind::Thread, body, .. } if is_named(*var, "l") => {
            Some((*var, body))
        }
        _ => None,
    }
}

/// The arrays of iterations begin a cell after one another.
pub(super) fn iterations_overlap(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { var, value, .. } = kind
            && is_named(*var, "iteration_cells")
        {
            *value = Exp::i64(1);
        }
    });
    program
}

/// Threads do what comes next without waiting for one another.
pub(super) fn iteration_not_awaited(mut program: Program) -> Program {
    lists(&mut program, &mut |list| {
        let mut done: Vec<Statement> = Vec::with_capacity(list.len());
        for mut statement in std::mem::take(list) {
            let joined = match (done.last_mut().and_then(threads), threads(&mut statement)) {
                (Some((first, before)), Some((second, behind))) => {
                    for mut statement in std::mem::take(behind) {
                        statement.kind.rename(&mut |used| if used == second { first } else { used });
                        before.push(statement);
                    }
                    true
                }
                _ => false,
            };
            if !joined {
                done.push(statement);
            }
        }
        *list = done;
    });
    program
}

/// Threads have as many points as are full rounds.
pub(super) fn last_points_forgotten(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { var, value, .. } = kind
            && is_named(*var, "share")
            && let Exp::Bin(BinOp::Quot, ty, left, threads) = value
        {
            let fewer = bin(BinOp::Sub, PrimType::I64, (**left).clone(), (**threads).clone());
            *value = Exp::Bin(BinOp::Quot, *ty, Box::new(fewer), threads.clone());
        }
    });
    program
}

/// What the first thread finds out the others never get to know.
pub(super) fn first_not_told(mut program: Program) -> Program {
    lists(&mut program, &mut |list| {
        list.retain_mut(|statement| {
            let tells = |inner: &Statement| {
                matches!(&inner.kind, StatementKind::Write { value: Exp::Read { view, .. }, .. } if is_named(*view, "told"))
            };
            !threads(statement).is_some_and(|(_, body)| body.iter().any(tells))
        });
    });
    program
}
