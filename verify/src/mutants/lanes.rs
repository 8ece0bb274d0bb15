//! Seeded bugs of iterations that run side by side in lanes.

use super::lowered::each;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use fun_index::poly::Poly;
use imp::build::bin;
use imp::ir::{Exp, LoopKind, Program, Space, Statement, StatementKind};
use imp::visit::{for_each_statement, names_after};
use std::collections::BTreeSet;

/// What a lane keeps goes to the cell of the first one.
pub(super) fn lanes_in_one_cell(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::For { var, kind: LoopKind::Simd, body, .. } = kind else { return };
        if var.text.as_str() != "l" {
            return;
        }
        for statement in body {
            if let StatementKind::Write { indices, .. } = &mut statement.kind
                && *indices == [Exp::Var(*var)]
            {
                *indices = vec![Exp::i64(0)];
            }
        }
    });
    program
}

/// The last round has all lanes.
pub(super) fn lanes_beyond_the_end(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { var, value, .. } = kind
            && var.text.as_str() == "width"
            && let Exp::Bin(BinOp::Min, _, lanes, _) = value
        {
            *value = (**lanes).clone();
        }
    });
    program
}

/// Every round has the iterations of the first.
pub(super) fn rounds_alike(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { var, value, .. } = kind
            && var.text.as_str() == "first"
        {
            *value = Exp::i64(0);
        }
    });
    program
}

/// Where all columns are lanes, rows end before the last one.
pub(super) fn last_column_lost(mut program: Program) -> Program {
    let mut widths = BTreeSet::new();
    each(&mut program, &mut |kind| {
        if let StatementKind::Alloc { shape, space: Space::Default, .. } = kind
            && let [Exp::Var(width)] = shape[..]
            && width.text.as_str() == "width"
        {
            widths.insert(width);
        }
    });
    each(&mut program, &mut |kind| {
        let StatementKind::For { kind: LoopKind::Seq, body, .. } = kind else { return };
        for statement in body {
            if let StatementKind::For { bound, kind: LoopKind::Simd, .. } = &mut statement.kind
                && matches!(bound, Exp::Var(width) if widths.contains(width))
            {
                *bound = bin(BinOp::Sub, PrimType::I64, bound.clone(), Exp::i64(1));
            }
        }
    });
    program
}

/// A lane that is done with a `while` loop goes on with it.
pub(super) fn done_lanes_go_on(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Assign { value, .. } = kind
            && let Exp::Select(condition, new, _) = value
            && matches!(&**condition, Exp::Var(go) if go.text.as_str() == "go")
        {
            *value = (**new).clone();
        }
    });
    program
}

/// Lanes stop when the last of them is done.
pub(super) fn last_lane_decides(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Assign { var, value } = kind
            && var.text.as_str() == "going"
            && let Exp::Bin(BinOp::Or | BinOp::Add, _, _, own) = value
        {
            *value = (**own).clone();
        }
    });
    program
}

/// All lanes have the block of the first one.
pub(super) fn lanes_in_one_block(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::For { var, kind: LoopKind::Simd, body, .. } = kind else { return };
        if var.text.as_str() != "l" {
            return;
        }
        for statement in body {
            if let StatementKind::View { lmad, .. } = &mut statement.kind {
                let first = &mut |other| if other == *var { Poly::constant(0) } else { Poly::var(other) };
                lmad.offset = lmad.offset.subst(first);
            }
        }
    });
    program
}

/// Rows that iterations change in a block of their own stay in the array as they were.
pub(super) fn rows_not_copied_back(mut program: Program) -> Program {
    let whole = |kind: &StatementKind| matches!(kind, StatementKind::Copy { dest, source } if is_row(*dest, "cells") && is_row(*source, "row"));
    drop_copies(&mut program, &whole);
    program
}

/// Rows that iterations change in a block of their own are not copied there first.
pub(super) fn rows_not_copied_in(mut program: Program) -> Program {
    let whole = |kind: &StatementKind| matches!(kind, StatementKind::Copy { dest, source } if is_row(*dest, "row") && is_row(*source, "cells"));
    drop_copies(&mut program, &whole);
    program
}

/// All lanes begin with the row of the first.
pub(super) fn rows_of_first_lane(mut program: Program) -> Program {
    let mut read = BTreeSet::new();
    each(&mut program, &mut |kind| {
        if let StatementKind::Copy { source, .. } = kind {
            read.insert(*source);
        }
    });
    each(&mut program, &mut |kind| {
        if let StatementKind::View { var, lmad, .. } = kind
            && is_row(*var, "cells")
            && read.contains(var)
            && let Some(lanes) = lmad.dims.last_mut()
        {
            lanes.stride = Poly::constant(0);
        }
    });
    program
}

/// What all lanes write of rows that lie apart is that of the first.
pub(super) fn rows_apart_alike(mut program: Program) -> Program {
    let mut written = BTreeSet::new();
    each(&mut program, &mut |kind| {
        if let StatementKind::For { var: lane, kind: LoopKind::Simd, body, .. } = kind {
            for_each_statement(body, &mut |inner| {
                if let StatementKind::Write { view, indices, .. } = &inner.kind
                    && indices.len() > 1
                    && indices.last() == Some(&Exp::Var(*lane))
                {
                    written.insert(*view);
                }
            });
        }
    });
    each(&mut program, &mut |kind| {
        if let StatementKind::View { var, lmad, .. } = kind
            && written.contains(var)
            && let Some(lanes) = lmad.dims.last_mut()
            && lanes.stride != Poly::constant(1)
        {
            lanes.stride = Poly::constant(0);
        }
    });
    program
}

fn is_row(view: Var, name: &str) -> bool {
    view.text.as_str() == name
}

fn drop_copies(program: &mut Program, which: &dyn Fn(&StatementKind) -> bool) {
    fn drop_in(body: &mut Vec<Statement>, which: &dyn Fn(&StatementKind) -> bool) {
        body.retain(|statement| !which(&statement.kind));
        body.iter_mut()
            .for_each(|statement| statement.kind.for_each_body_mut(&mut |inner| drop_in(inner, which)));
    }
    program.procedures.iter_mut().for_each(|procedure| drop_in(&mut procedure.body, which));
}

/// Lanes of what is combined together start with 0, whatever the neutral element.
pub(super) fn joint_lanes_start_with_zero(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Write { view, value: Exp::Const(value), .. } = kind
            && view.text.as_str() == "lanes"
        {
            *value = value.prim_type().zero();
        }
    });
    program
}

/// Where two lanes are combined, only the first of the values is the other lane's.
pub(super) fn lane_values_mixed(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::For { kind: LoopKind::Simd, body, .. } = kind else { return };
        let of_other = body.iter_mut().filter_map(|statement| match &mut statement.kind {
            StatementKind::Let { var, value: Exp::Read { indices, .. }, .. }
                if var.text.as_str() == "lane" =>
            {
                Some(indices)
            }
            _ => None,
        });
        for indices in of_other.skip(1) {
            if let [Exp::Bin(BinOp::Add, _, own, _)] = indices.as_slice() {
                *indices = vec![(**own).clone()];
            }
        }
    });
    program
}

/// Reductions take their values from the last to the first, as if every operator did commute.
pub(super) fn reduced_backwards(mut program: Program) -> Program {
    let mut names = names_after(&program);
    each(&mut program, &mut |kind| {
        let StatementKind::For { var, ty, bound, kind: LoopKind::Fold, body } = kind else { return };
        let counter = std::mem::replace(var, names.fresh_like(*var));
        let last = bin(BinOp::Sub, *ty, bound.clone(), Exp::Const(ty.of_i64(1)));
        let value = bin(BinOp::Sub, *ty, last, *var);
        let kind = StatementKind::Let { var: counter, ty: *ty, value };
        body.insert(0, Statement { kind, loc: None });
    });
    program
}

/// That an assertion does not hold in a lane goes unnoticed.
pub(super) fn failure_forgotten(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Assign { var, value } = kind
            && var.text.as_str() == "failed"
            && matches!(value, Exp::Bin(BinOp::Or, ..))
        {
            *value = Exp::Var(*var);
        }
    });
    program
}

/// A lane that is done reads what it would read next.
pub(super) fn done_lanes_read(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::If { condition, .. } = kind
            && let Exp::Bin(BinOp::Ne, _, cell, _) = condition
            && matches!(&**cell, Exp::Read { view, .. } if view.text.as_str() == "goes_on")
        {
            *condition = Exp::Const(PrimValue::Bool(true));
        }
    });
    program
}

/// The last few lanes that go on with a `while` loop do not finish it.
pub(super) fn last_lanes_forgotten(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::If { condition, .. } = kind
            && let Exp::Bin(BinOp::Ne, _, going, _) = condition
            && matches!(&**going, Exp::Var(going) if going.text.as_str() == "going")
        {
            *condition = Exp::Const(PrimValue::Bool(false));
        }
    });
    program
}
