//! Wrong tiles of stencils: threads that do not wait for them, rims that are too narrow, and iterations that there are not.

use super::lowered::each;
use fun_base::prim::{BinOp, PrimType};
use imp::ir::{Exp, LoopKind, Program, Statement, StatementKind};

/// Calls `f` on what the blocks with tiles of a kernel do.
fn each_block(program: &mut Program, f: &mut dyn FnMut(&mut Vec<Statement>)) {
    each(program, &mut |kind| {
        if let StatementKind::For { kind: LoopKind::Block, body, .. } = kind
            && body.iter().any(is_tile)
        {
            f(body);
        }
    });
}

fn is_tile(statement: &Statement) -> bool {
    matches!(&statement.kind, StatementKind::View { var, .. } if var.text.as_str() == "tile")
}

fn threads(statement: &mut Statement) -> Option<&mut Vec<Statement>> {
    match &mut statement.kind {
        StatementKind::For { kind: LoopKind::Thread, body, .. } => Some(body),
        _ => None,
    }
}

/// The threads of a block use a tile before all of them have read it.
pub(super) fn rim_not_awaited(mut program: Program) -> Program {
    each_block(&mut program, &mut |body| {
        let loops = |statement: &Statement| {
            matches!(statement.kind, StatementKind::For { kind: LoopKind::Thread, .. })
        };
        let Some(first) = body.iter().position(loops) else { return };
        if body.get(first + 1).is_none_or(|second| !loops(second)) {
            return;
        }
        let StatementKind::For { var: second, body: uses, .. } = body.remove(first + 1).kind else { return };
        if let StatementKind::For { var, body, .. } = &mut body[first].kind {
            for mut statement in uses {
                statement.kind.rename(&mut |used| if used == second { *var } else { used });
                body.push(statement);
            }
        }
    });
    program
}

/// A tile lacks the last cells of its rim.
pub(super) fn rim_too_narrow(mut program: Program) -> Program {
    each_block(&mut program, &mut |body| {
        for fills in body.iter_mut().filter_map(threads) {
            shorten(fills);
        }
    });
    program
}

/// Loops that are written out have an iteration less.
fn shorten(list: &mut [Statement]) {
    for statement in list {
        match &mut statement.kind {
            StatementKind::For { kind: LoopKind::Unroll, bound: Exp::Const(count), .. } => {
                if let Some(fewer) = count.as_i64().map(|count| count - 1) {
                    *count = fun_base::prim::PrimValue::I64(fewer);
                }
            }
            StatementKind::If { then, otherwise, .. } => {
                shorten(then);
                shorten(otherwise);
            }
            _ => {}
        }
    }
}

/// Tiles at the edges write beyond them.
pub(super) fn stencil_ends_written(mut program: Program) -> Program {
    each_block(&mut program, &mut |body| {
        for statement in body.iter_mut().filter_map(threads).flatten() {
            // where a tile is not full
            let statement = match &mut statement.kind {
                StatementKind::If { otherwise, .. } if !otherwise.is_empty() => &mut otherwise[0],
                _ => statement,
            };
            let StatementKind::For { kind: LoopKind::Seq, body, .. } = &mut statement.kind else { continue };
            if let Some(Statement { kind: StatementKind::If { condition, .. }, .. }) = body.last_mut() {
                let kept = match condition {
                    Exp::Bin(BinOp::And, PrimType::Bool, row, _) => Some((**row).clone()),
                    _ => None,
                };
                *condition = kept.unwrap_or(Exp::Const(fun_base::prim::PrimValue::Bool(true)));
            }
        }
    });
    program
}

/// The blocks of a nest read a tile that begins where what they compute does, and not where its rim does.
pub(super) fn rim_at_the_start(mut program: Program) -> Program {
    each_block(&mut program, &mut |body| {
        for fills in body.iter_mut() {
            if let StatementKind::Let { var, value: Exp::Bin(BinOp::Add, _, _, low), .. } = &mut fills.kind
                && var.text.as_str() == "first"
            {
                **low = Exp::i64(0);
            }
        }
    });
    program
}
