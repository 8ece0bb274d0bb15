//! Wrong exchanges of the threads of a block: from the other side, without waiting for what groups have in all, and without the last group.

use super::kernels::writes;
use super::lowered::each;
use imp::ir::{Direction, Exp, LoopKind, Program, Statement, StatementKind};

/// Threads get what the one on the other side has.
pub(super) fn wrong_way(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Shuffle { direction, .. } = kind {
            *direction = match direction {
                Direction::Down => Direction::Up,
                Direction::Up => Direction::Down,
            };
        }
    });
    program
}

/// What groups have in all is used without a barrier behind the thread loop that writes it.
pub(super) fn not_awaited(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        kind.for_each_body_mut(&mut |body| {
            let uses = (1..body.len()).find(|at| tells(&body[at - 1]) && is_threads(&body[*at]));
            let Some(uses) = uses else { return };
            let StatementKind::For { var: second, body: mut later, .. } = body.remove(uses).kind else {
                return;
            };
            if let StatementKind::For { var: first, body: earlier, .. } = &mut body[uses - 1].kind {
                later.iter_mut().for_each(|statement| {
                    statement.kind.rename(&mut |var| if var == second { *first } else { var });
                });
                earlier.append(&mut later);
            }
        });
    });
    program
}

fn is_threads(statement: &Statement) -> bool {
    matches!(statement.kind, StatementKind::For { kind: LoopKind::Thread, .. })
}

fn tells(statement: &Statement) -> bool {
    is_threads(statement) && writes(std::slice::from_ref(statement), "all")
}

/// The last group of a block is left out.
pub(super) fn last_group_forgotten(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::For { var, bound, kind: LoopKind::Seq, .. } = kind
            && var.text.as_str() == "g"
            && let Exp::Const(groups) = bound
            && let Some(groups) = groups.as_i64()
        {
            *bound = Exp::i64(groups - 1);
        }
    });
    program
}
