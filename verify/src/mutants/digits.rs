//! Seeded bugs of loops whose counters are taken apart: rows and columns, flipped bits.

use super::lowered::each;
use fun_base::prim::{BinOp, PrimValue};
use imp::ir::{Exp, Program, StatementKind};

/// Rows are counted without the last one, if it is not full.
pub(super) fn last_row_lost(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { var, value: Exp::Bin(BinOp::Div, _, up, _), .. } = kind
            && var.text.as_str() == "rows"
            && let Exp::Bin(BinOp::Add, _, count, _) = &mut **up
        {
            **up = (**count).clone();
        }
    });
    program
}

/// The last row of a window is left out.
pub(super) fn window_cut(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::For { var, bound: Exp::Const(PrimValue::I64(rows)), .. } = kind
            && var.text.as_str() == "q"
        {
            *rows -= 1;
        }
    });
    program
}

/// Each block is taken for one of neighbours.
pub(super) fn aligned_anyway(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { var, value, .. } = kind
            && var.text.as_str() == "aligned"
        {
            *value = Exp::Const(PrimValue::Bool(true));
        }
    });
    program
}

/// The iterations that fill no block are left out.
pub(super) fn rest_lost(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { var, value, .. } = kind
            && var.text.as_str() == "unblocked"
        {
            *value = Exp::i64(0);
        }
    });
    program
}

/// Whether the cells of a block are there is asked for its first one alone.
pub(super) fn first_cell_asked(mut program: Program) -> Program {
    fn in_exp(exp: &mut Exp) {
        if let Exp::Bin(BinOp::Lt, _, last, _) = exp
            && let Exp::Bin(BinOp::Add, _, place, _) = &**last
            && matches!(&**place, Exp::Var(var) if var.text.as_str() == "flipped")
        {
            **last = (**place).clone();
        }
        exp.for_each_child_mut(&mut in_exp);
    }
    each(&mut program, &mut |kind| kind.for_each_exp_mut(&mut in_exp));
    program
}
