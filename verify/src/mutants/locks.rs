//! Wrong locks of histograms: none, and different ones for a cell.

use super::lowered::each;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use imp::build::bin;
use imp::ir::{Exp, LoopKind, Program, Statement, StatementKind};

/// What stands under locks is done without.
pub(super) fn forgotten(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Lock { body, .. } = kind {
            let condition = Exp::Const(PrimValue::Bool(true));
            *kind = StatementKind::If { condition, then: std::mem::take(body), otherwise: Vec::new() };
        }
    });
    program
}

/// A thread takes the lock of the cell that has its number, if that is before the one that it combines.
pub(super) fn of_thread(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::For { var, kind: LoopKind::Thread, body, .. } = kind {
            take(body, *var);
        }
    });
    program
}

fn take(list: &mut [Statement], thread: Var) {
    for statement in list {
        if let StatementKind::Lock { indices, .. } = &mut statement.kind {
            for index in indices {
                *index = bin(BinOp::Min, PrimType::I64, thread, index.clone());
            }
        }
        statement.kind.for_each_body_mut(&mut |body| take(body, thread));
    }
}
