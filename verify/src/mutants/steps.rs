//! Seeded bugs of loops that take two steps at a time.

use super::lowered::each;
use fun_base::prim::BinOp;
use imp::ir::{Exp, Program, StatementKind};

/// Where the number of steps is odd, the last one is forgotten.
pub(super) fn last_step_lost(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { var, value, .. } = kind
            && var.text.as_str() == "left"
        {
            *value = Exp::i64(0);
        }
    });
    program
}

/// Both steps of a pair are the first one.
pub(super) fn same_step_twice(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::For { var: pair, body, .. } = kind else { return };
        if pair.text.as_str() != "pair" {
            return;
        }
        if let Some(second) = body.get_mut(1)
            && let StatementKind::Let { value: Exp::Bin(BinOp::Add, _, first, _), .. } = &mut second.kind
        {
            let first = (**first).clone();
            if let StatementKind::Let { value, .. } = &mut second.kind {
                *value = first;
            }
        }
    });
    program
}

/// In each pair the row that the second step's own row comes from is left as it was: the first iteration of the first step is forgotten.
pub(super) fn first_row_forgotten(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::For { var: pair, body, .. } = kind else { return };
        if pair.text.as_str() == "pair" {
            body.retain(|statement| !matches!(statement.kind, StatementKind::Write { .. }));
        }
    });
    program
}
