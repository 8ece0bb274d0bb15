//! Folds and histograms that are split and nests that are tiled, wrongly.

use super::lowered::{each, lists};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use imp::build::{bin, un};
use imp::ir::{Exp, LoopKind, Program, Statement, StatementKind, WindowDim};

/// The loop over what does not fill the lanes is forgotten.
pub(super) fn rest_of_lanes_lost(mut program: Program) -> Program {
    lists(&mut program, &mut |statements| {
        let is_rest = |statement: &Statement| matches!(&statement.kind, StatementKind::For { var, bound: Exp::Bin(BinOp::Sub, ..), .. } if var.text.as_str() == "t");
        statements.retain(|statement| !is_rest(statement));
    });
    program
}

/// Lanes of any operator start with 0.
pub(super) fn lanes_start_with_zero(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::For { kind: LoopKind::Simd, body, .. } = kind else { return };
        if !body.iter().all(|statement| matches!(statement.kind, StatementKind::Write { .. })) {
            return;
        }
        for statement in body {
            if let StatementKind::Write { value: Exp::Const(value), .. } = &mut statement.kind {
                *value = value.prim_type().zero();
            }
        }
    });
    program
}

/// Of the last two lanes the first is combined with itself.
pub(super) fn lanes_share_first(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::Let { var, value: Exp::Read { indices, .. }, .. } = kind else { return };
        if var.text.as_str() == "last" {
            *indices = vec![Exp::i64(0)];
        }
    });
    program
}

/// What was counted before the counters began again is forgotten.
pub(super) fn counts_of_last_part(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Write { view, value, .. } = kind
            && view.text.as_str() == "lanes"
            && let Exp::Bin(_, _, _, counted) = value
            && matches!(**counted, Exp::Convert { .. })
        {
            *value = (**counted).clone();
        }
    });
    program
}

/// Whether a view is a part of a histogram.
fn is_part(view: &Var) -> bool {
    ["even", "odd"].contains(&view.text.as_str())
}

/// Parts of histograms by any operator start with 0.
pub(super) fn parts_start_with_zero(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Write { view, value: Exp::Const(value), .. } = kind
            && is_part(view)
        {
            *value = value.prim_type().zero();
        }
    });
    program
}

/// What the first part counted is added once for each part.
pub(super) fn first_part_for_all(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::Assign { value: Exp::Bin(_, _, _, part), .. } = kind else { return };
        if let Exp::Read { view, indices } = &mut **part
            && view.text.as_str() == "parts"
        {
            indices[0] = Exp::i64(0);
        }
    });
    program
}

/// Parts begin an element too early, but for the first.
pub(super) fn parts_overlap(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::For { kind: LoopKind::Par, body, .. } = kind else { return };
        if !body
            .iter()
            .any(|statement| matches!(&statement.kind, StatementKind::Window { var, .. } if is_part(var)))
        {
            return;
        }
        for statement in body {
            if let StatementKind::Let { var, value, .. } = &mut statement.kind
                && var.text.as_str() == "start"
            {
                let early = bin(BinOp::Sub, PrimType::I64, value.clone(), Exp::i64(1));
                *value = bin(BinOp::Max, PrimType::I64, early, Exp::i64(0));
            }
        }
    });
    program
}

/// All threads count in the first part.
pub(super) fn parts_in_one_place(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Window { var, dims, .. } = kind
            && is_part(var)
        {
            dims[0] = WindowDim::Fix(Exp::i64(0));
        }
    });
    program
}

/// Tiles at the edge write beyond it.
pub(super) fn edge_not_guarded(mut program: Program) -> Program {
    lists(&mut program, &mut |statements| {
        let mut done = Vec::with_capacity(statements.len());
        for statement in std::mem::take(statements) {
            match statement.kind {
                StatementKind::If { condition: Exp::Bin(BinOp::And, _, left, right), then, otherwise }
                    if is_below(&left) && is_below(&right) && otherwise.is_empty() =>
                {
                    done.extend(then);
                }
                kind => done.push(Statement { kind, loc: statement.loc }),
            }
        }
        *statements = done;
    });
    program
}

fn is_below(exp: &Exp) -> bool {
    matches!(exp, Exp::Bin(BinOp::Lt, PrimType::I64, ..))
}

/// Tiles at the edge read beyond it.
pub(super) fn edge_not_clamped(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::Let { var, value, .. } = kind else { return };
        if let Exp::Bin(BinOp::Min, PrimType::I64, index, last) = value
            && matches!(**last, Exp::Bin(BinOp::Sub, ..))
            && ["i", "j"].contains(&var.text.as_str())
        {
            *value = (**index).clone();
        }
    });
    program
}

/// The last strip of columns is packed as if it were whole.
pub(super) fn strips_all_whole(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::If { condition, .. } = kind
            && let Exp::Bin(BinOp::Le, PrimType::I64, end, _) = condition
            && matches!(&**end, Exp::Bin(BinOp::Add, _, column, _)
                if matches!(&**column, Exp::Var(var) if var.text.as_str() == "column"))
        {
            *condition = Exp::Const(PrimValue::Bool(true));
        }
    });
    program
}

/// Every row of a tile reads what the first one does.
pub(super) fn rows_of_tile_alike(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::For { var, kind: LoopKind::Unroll, body, .. } = kind else { return };
        for statement in body {
            if let StatementKind::Let { value: Exp::Bin(BinOp::Min, PrimType::I64, index, _), .. } =
                &mut statement.kind
                && let Exp::Bin(BinOp::Add, _, _, row) = &mut **index
                && **row == Exp::Var(*var)
            {
                **row = Exp::i64(0);
            }
        }
    });
    program
}

/// The middle of a loop with a rim begins an iteration too early.
pub(super) fn middle_begins_early(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { var, value, .. } = kind
            && var.text.as_str() == "first"
        {
            let early = bin(BinOp::Sub, PrimType::I64, value.clone(), Exp::i64(1));
            *value = bin(BinOp::Max, PrimType::I64, early, Exp::i64(0));
        }
    });
    program
}

/// Lanes of which some are in the middle run as if all were.
pub(super) fn some_lanes_in_middle(mut program: Program) -> Program {
    fn weaken(exp: &mut Exp) {
        if let Exp::Bin(op @ BinOp::Eq, PrimType::I64, inner, _) = exp
            && matches!(**inner, Exp::Var(inner) if inner.text.as_str() == "inner")
        {
            *op = BinOp::Le;
        }
        exp.for_each_child_mut(&mut weaken);
    }
    each(&mut program, &mut |kind| {
        if let StatementKind::If { condition, .. } = kind {
            weaken(condition);
        }
    });
    program
}

/// The iterations behind the middle of a loop with a rim are those before it.
pub(super) fn rim_behind_forgotten(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { value: value @ Exp::Select(..), .. } = kind
            && let Exp::Select(_, before, behind) = value
            && matches!(**behind, Exp::Bin(BinOp::Add, ..))
        {
            *behind = before.clone();
        }
        if let StatementKind::Let { value: value @ Exp::Bin(BinOp::Add, ..), .. } = kind
            && let Exp::Bin(_, _, from, t) = &*value
            && matches!(**from, Exp::Var(from) if from.text.as_str() == "last")
        {
            *value = (**t).clone();
        }
    });
    program
}

/// What decides for one arm in all iterations decides for it where it does not.
pub(super) fn decided_otherwise(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { var, value, .. } = kind
            && var.text.as_str() == "decided"
        {
            *value = un(UnOp::Not, PrimType::Bool, value.clone());
        }
    });
    program
}

/// The last iteration that is written out has the counter of the one before it.
pub(super) fn last_written_out_again(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::For { kind: LoopKind::Par | LoopKind::Simd, body, .. } = kind else { return };
        let counter = |statement: &Statement| match &statement.kind {
            StatementKind::Let { var, value: Exp::Const(value), .. } => Some((var.text, value.as_i64()?)),
            _ => None,
        };
        let last = body.iter().filter_map(counter).max_by_key(|(_, k)| *k).filter(|(_, k)| *k > 0);
        for statement in body {
            if last.is_some()
                && counter(statement) == last
                && let StatementKind::Let { value, .. } = &mut statement.kind
                && let Some((_, k)) = last
            {
                *value = Exp::i64(k - 1);
            }
        }
    });
    program
}

/// What is chosen between the two ways of a branch.
fn each_choice(program: &mut Program, f: &mut dyn FnMut(Var, &mut Exp, &mut Exp)) {
    each(program, &mut |kind| {
        if let StatementKind::Assign { var, value: Exp::Select(condition, then, otherwise) } = kind
            && matches!(&**condition, Exp::Var(holds) if holds.text.as_str() == "holds")
        {
            f(*var, then, otherwise);
        }
    });
}

/// A choice takes the other way of the branch.
pub(super) fn other_way_chosen(mut program: Program) -> Program {
    each_choice(&mut program, &mut |_, then, otherwise| std::mem::swap(then, otherwise));
    program
}

/// What one way does not assign is assigned what the other way says.
pub(super) fn assigned_both_ways(mut program: Program) -> Program {
    each_choice(&mut program, &mut |var, then, otherwise| {
        if *then == Exp::Var(var) {
            *then = otherwise.clone();
        } else if *otherwise == Exp::Var(var) {
            *otherwise = then.clone();
        }
    });
    program
}

/// The vector that overlaps the one before ends before the last element.
pub(super) fn last_vector_early(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { var, value: value @ Exp::Bin(BinOp::Sub, PrimType::I64, ..), .. } = kind
            && var.text.as_str() == "last"
        {
            *value = bin(BinOp::Sub, PrimType::I64, value.clone(), Exp::i64(1));
        }
    });
    program
}

/// Takes out the assignments to what carries a cell from iteration to iteration, inside of loops or before them.
fn without_assignments(mut program: Program, inside: bool) -> Program {
    fn go(body: &mut Vec<Statement>, inside: bool, in_loop: bool) {
        let carries = |statement: &Statement| matches!(&statement.kind, StatementKind::Assign { var, .. } if var.text.as_str() == "cell");
        body.retain(|statement| in_loop != inside || !carries(statement));
        for statement in body {
            let is_loop = matches!(statement.kind, StatementKind::For { kind: LoopKind::Seq, .. });
            let is_branch = matches!(statement.kind, StatementKind::If { .. });
            statement.kind.for_each_body_mut(&mut |body| go(body, inside, is_loop || in_loop && !is_branch));
        }
    }
    program.procedures.iter_mut().for_each(|procedure| go(&mut procedure.body, inside, false));
    program
}

/// What is carried from iteration to iteration stays what it was in the first.
pub(super) fn carried_cell_stays(program: Program) -> Program {
    without_assignments(program, true)
}

/// What is carried from iteration to iteration begins with zero.
pub(super) fn carried_cell_begins_with_zero(program: Program) -> Program {
    without_assignments(program, false)
}

/// What runs in order so that threads can take what is inside.
fn each_in_order(program: &mut Program, f: &mut dyn FnMut(&mut StatementKind)) {
    each(program, &mut |kind| {
        if let StatementKind::If { condition: Exp::Bin(BinOp::And, _, _, few), then, .. } = kind
            && matches!(&**few, Exp::Var(few) if few.text.as_str() == "few")
        {
            then.iter_mut().for_each(|statement| f(&mut statement.kind));
        }
    });
}

/// Of few iterations whose loops threads share only the first one runs.
pub(super) fn few_are_one(mut program: Program) -> Program {
    each_in_order(&mut program, &mut |kind| {
        if let StatementKind::For { bound, .. } = kind {
            *bound = bin(BinOp::Min, PrimType::I64, bound.clone(), Exp::i64(1));
        }
    });
    program
}

/// What is behind the last whole part of a reduction that threads share is left out.
pub(super) fn shared_rest_lost(mut program: Program) -> Program {
    each_in_order(&mut program, &mut |kind| {
        kind.for_each_body_mut(&mut |body| {
            for statement in body {
                if let StatementKind::Let { var, value: Exp::Bin(BinOp::Quot, _, rounded, _), .. } =
                    &mut statement.kind
                    && var.text.as_str() == "chunk"
                    && let Exp::Bin(BinOp::Add, _, size, _) = &**rounded
                {
                    *rounded = size.clone();
                }
            }
        });
    });
    program
}

/// Each part of a reduction that threads share begins with what came before all of them.
pub(super) fn shared_sum_again(mut program: Program) -> Program {
    each_in_order(&mut program, &mut |kind| {
        kind.for_each_body_mut(&mut |body| {
            let mut begun = None;
            for statement in body {
                match &mut statement.kind {
                    StatementKind::Declare { var, ty: imp::ir::ImpType::Prim(_), value: Some(_) } => {
                        begun = Some(*var)
                    }
                    StatementKind::For { kind: LoopKind::Par, body, .. } => {
                        for statement in body {
                            if let (Some(begun), StatementKind::Declare { var, value: Some(value), .. }) =
                                (begun, &mut statement.kind)
                                && var.text.as_str() == "acc"
                            {
                                *value = Exp::Var(begun);
                            }
                        }
                    }
                    _ => {}
                }
            }
        });
    });
    program
}
