//! Wrong flags: blocks that say too much or too early, or do not listen.

use super::kernels::is_called;
use super::lowered::each;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use imp::ir::{COMPLETE, Exp, LoopKind, Program, StatementKind};

/// Every flag says that its block has all that others may want.
pub(super) fn state_too_early(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Publish { value, .. } = kind {
            *value = Exp::Const(PrimValue::I32(COMPLETE));
        }
    });
    program
}

/// Flags are set before the threads write what they stand for.
pub(super) fn before_values(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        kind.for_each_body_mut(&mut |body| {
            for later in 1..body.len() {
                let (value, flag) = (&body[later - 1].kind, &body[later].kind);
                if is_threads(value) && matches!(flag, StatementKind::Publish { .. }) {
                    body.swap(later - 1, later);
                }
            }
        });
    });
    program
}

fn is_threads(kind: &StatementKind) -> bool {
    matches!(kind, StatementKind::For { kind: LoopKind::Thread, .. })
}

/// Nobody waits, and it looks as if no flag were complete.
pub(super) fn not_awaited(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Await { var, .. } = kind {
            *kind = StatementKind::Let { var: *var, ty: PrimType::I64, value: Exp::i64(-1) };
        }
    });
    program
}

/// What lies between the last block that has all and the one that looks back is left out.
pub(super) fn groups_skipped(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::For { bound, kind: LoopKind::Seq, .. } = kind
            && let Exp::Bin(BinOp::Sub, PrimType::I64, group, next) = bound
            && is_called(group, "group")
            && is_called(next, "next")
        {
            *bound = Exp::i64(0);
        }
    });
    program
}
