//! Wrong regions that blocks come to one after the other: what is told too early, handed on too late or not at all.

use super::lowered::each;
use imp::ir::{LoopKind, Program, Statement, StatementKind};

/// A block is told what lies up to its own end.
pub(super) fn own_part_too(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Ordered { body, .. } = kind {
            let is_write = |statement: &Statement| matches!(statement.kind, StatementKind::Write { .. });
            body.sort_by_key(is_write);
        }
    });
    program
}

/// Regions come before the threads write what these read.
pub(super) fn before_values(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        kind.for_each_body_mut(&mut |body| {
            let is_region = |statement: &Statement| matches!(statement.kind, StatementKind::Ordered { .. });
            let Some(mut at) = body.iter().position(is_region) else { return };
            while at > 0 && is_threads(&body[at - 1].kind) {
                body.swap(at - 1, at);
                at -= 1;
            }
        });
    });
    program
}

/// What lies before is never handed on.
pub(super) fn not_handed_on(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Ordered { body, .. } = kind {
            body.retain(|statement| !matches!(statement.kind, StatementKind::Assign { .. }));
        }
    });
    program
}

/// Words hold what the last kernel left there.
pub(super) fn words_not_zero(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        kind.for_each_body_mut(&mut |body| zero_nothing(body));
    });
    program.procedures.iter_mut().for_each(|procedure| zero_nothing(&mut procedure.body));
    program
}

/// The loop before a `chain` loop with a region makes its words zero.
fn zero_nothing(list: &mut [Statement]) {
    for later in (1..list.len()).rev() {
        if let StatementKind::For { kind: LoopKind::Chain, .. } = &list[later].kind
            && let StatementKind::For { body, .. } = &mut list[later - 1].kind
        {
            body.clear();
        }
    }
}

fn is_threads(kind: &StatementKind) -> bool {
    matches!(kind, StatementKind::For { kind: LoopKind::Thread, .. })
}
