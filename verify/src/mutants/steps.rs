//! Seeded bugs of loops that take several steps at a time.

use super::lowered::each;
use fun_base::prim::BinOp;
use imp::ir::{Exp, Program, Statement, StatementKind};

/// Steps that are left when all rounds are over are forgotten.
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

/// The second step of each round is the first one.
pub(super) fn same_step_twice(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::For { var: round, body, .. } = kind else { return };
        if round.text.as_str() != "round" {
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

/// In each round the rows that later steps start from are as they were: the loops over them are forgotten.
pub(super) fn early_rows_forgotten(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::For { var: round, body, .. } = kind else { return };
        if round.text.as_str() == "round"
            && let Some(last) =
                body.iter().rposition(|statement| matches!(statement.kind, StatementKind::For { .. }))
        {
            let behind = body.split_off(last);
            body.retain(|statement| !matches!(statement.kind, StatementKind::For { .. }));
            body.extend(behind);
        }
    });
    program
}

/// In each round the row that the second step's own row comes from is left as it was: the first iteration of the first step is forgotten.
pub(super) fn first_row_forgotten(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::For { var: round, body, .. } = kind else { return };
        if round.text.as_str() == "round" {
            body.retain(|statement| !matches!(statement.kind, StatementKind::Write { .. }));
        }
    });
    program
}

/// All steps of a wave compute the same row, before those next to it are there.
pub(super) fn steps_side_by_side(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::For { var: wave, body, .. } = kind else { return };
        if wave.text.as_str() != "wave" {
            return;
        }
        for_each_let(body, &mut |var, value| {
            if let ("i", Exp::Bin(BinOp::Sub, _, at, _)) = (var, &*value)
                && matches!(&**at, Exp::Var(at) if at.text.as_str() == "at")
            {
                *value = (**at).clone();
            }
        });
    });
    program
}

/// In the first phase pieces compute all of their rows in each step, also those that need rows of others.
pub(super) fn pieces_not_shrunk(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::For { var: phase, body, .. } = kind else { return };
        if phase.text.as_str() != "phase" {
            return;
        }
        for_each_let(body, &mut |var, value| {
            if let ("down" | "up", Exp::Select(_, inwards, _)) = (var, value) {
                **inwards = Exp::i64(0);
            }
        });
    });
    program
}

/// What lies between pieces is not computed.
pub(super) fn second_phase_forgotten(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::For { var, bound, .. } = kind
            && var.text.as_str() == "phase"
        {
            *bound = Exp::i64(1);
        }
    });
    program
}

/// Every strip of elements has those of the first.
pub(super) fn strips_alike(program: Program) -> Program {
    in_strips(program, "start", |_| Exp::i64(0))
}

/// The last strip of elements is taken to be whole.
pub(super) fn last_strip_whole(program: Program) -> Program {
    in_strips(program, "count", |value| match value {
        Exp::Bin(BinOp::Min, _, each, _) => (**each).clone(),
        other => other.clone(),
    })
}

/// Of the strips of elements, something else is computed for one of their numbers.
fn in_strips(mut program: Program, name: &str, f: impl Fn(&Exp) -> Exp) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::For { var: strip, body, .. } = kind else { return };
        if strip.text.as_str() == "strip" {
            for_each_let(body, &mut |var, value| {
                if var == name {
                    *value = f(value);
                }
            });
        }
    });
    program
}

fn for_each_let(body: &mut [Statement], f: &mut dyn FnMut(&str, &mut Exp)) {
    for statement in body {
        if let StatementKind::Let { var, value, .. } = &mut statement.kind {
            f(var.text.as_str(), value);
        }
        statement.kind.for_each_body_mut(&mut |body| for_each_let(body, f));
    }
}
