//! Seeded bugs of sweeps over matrices in place.

use super::lowered::each;
use fun_base::prim::BinOp;
use imp::ir::{Exp, LoopKind, Program, Statement, StatementKind};

/// The row above those that a sweep writes is not computed either.
pub(super) fn live_row_dropped(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::For { bound: Exp::Select(written, ..), .. } = kind
            && let Exp::Bin(BinOp::And, _, from, _) = &mut **written
            && let Exp::Bin(BinOp::Le, _, row, _) = &mut **from
            && let Exp::Const(value) = **row
        {
            **row = Exp::i64(value.as_i64().unwrap_or(0) - 1);
        }
    });
    program
}

/// Tiles of a sweep run at once with those of the next anti-diagonal.
pub(super) fn diagonals_at_once(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::For { var, kind, .. } = kind
            && var.text.as_str() == "d"
        {
            *kind = LoopKind::Par;
        }
    });
    program
}

/// Every tile of a sweep has the columns of the first.
pub(super) fn tile_columns_alike(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { var, value, .. } = kind
            && var.text.as_str() == "column"
        {
            *value = Exp::i64(0);
        }
    });
    program
}

/// The steps of groups of rows.
fn each_step(program: &mut Program, f: &mut dyn FnMut(&mut Vec<Statement>)) {
    each(program, &mut |kind| {
        if let StatementKind::For { var, body, .. } = kind
            && var.text.as_str() == "t"
            && body.iter().any(|statement| declares(statement, "next"))
        {
            f(body);
        }
    });
}

fn declares(statement: &Statement, text: &str) -> bool {
    statement.kind.declares().is_some_and(|var| var.text.as_str() == text)
}

/// All rows of a group are at the same column.
pub(super) fn rows_not_behind(mut program: Program) -> Program {
    each_step(&mut program, &mut |body| {
        for statement in body {
            if let StatementKind::Let { var, value: value @ Exp::Bin(..), .. } = &mut statement.kind
                && var.text.as_str() == "j"
                && let Exp::Bin(BinOp::Add, _, t, _) = value
            {
                *value = (**t).clone();
            }
        }
    });
    program
}

/// What a row of a group computed in the step before stays what it was before the first.
pub(super) fn last_stays(mut program: Program) -> Program {
    each_step(&mut program, &mut |body| {
        body.retain(|statement| {
            !matches!(&statement.kind, StatementKind::Assign { var, .. } if var.text.as_str() == "last")
        });
    });
    program
}

/// The columns that rows of a group have left when the first row ends are forgotten.
pub(super) fn last_corner_forgotten(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::For { var, body, .. } = kind else { return };
        if var.text.as_str() == "g"
            && body.iter().any(|statement| declares(statement, "from"))
            && matches!(body.last().map(|last| &last.kind), Some(StatementKind::For { .. }))
        {
            body.pop();
        }
    });
    program
}

/// The first row, for which there are branches, runs as those in the middle, which have none.
pub(super) fn first_row_as_others(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { var, value, .. } = kind
            && var.text.as_str() == "top"
            && let Exp::Bin(BinOp::Min, ..) = value
        {
            *value = Exp::i64(0);
        }
    });
    program
}
