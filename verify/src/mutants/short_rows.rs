//! Bugs in the versions of nests for short rows.

use super::lowered::each;
use fun_base::prim::{BinOp, PrimType};
use imp::build::bin;
use imp::ir::{Exp, LoopKind, Program, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::BTreeSet;

/// A loop over all cells of a nest leaves out the last one.
pub(super) fn last_cell_lost(mut program: Program) -> Program {
    let mut counts = BTreeSet::new();
    for procedure in &program.procedures {
        for_each_statement(&procedure.body, &mut |statement| {
            if let StatementKind::Let { var, value: Exp::Bin(BinOp::Mul, ..), .. } = &statement.kind
                && var.text.as_str() == "count"
            {
                counts.insert(*var);
            }
        });
    }
    each(&mut program, &mut |kind| {
        if let StatementKind::For { bound, .. } = kind
            && matches!(bound, Exp::Var(count) if counts.contains(count))
        {
            *bound = bin(BinOp::Sub, PrimType::I64, bound.clone(), Exp::i64(1));
        }
    });
    program
}

/// A short row that runs in order ends before its last element.
pub(super) fn short_row_ends_early(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::If { condition: Exp::Bin(BinOp::Lt, PrimType::I64, few, _), then, .. } = kind {
            shorten(then, few);
        }
    });
    program
}

fn shorten(list: &mut [Statement], few: &Exp) {
    for statement in list {
        if let StatementKind::For { bound, kind: LoopKind::Seq, .. } = &mut statement.kind
            && bound == few
        {
            *bound = bin(BinOp::Sub, PrimType::I64, bound.clone(), Exp::i64(1));
        }
        statement.kind.for_each_body_mut(&mut |body| shorten(body, few));
    }
}
