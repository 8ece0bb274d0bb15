//! Histograms that are sorted in vain.

use super::lowered::each;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use imp::build::bin;
use imp::ir::{Exp, Program, StatementKind};

/// The highest bits of keys are left out of a sort.
pub(super) fn last_round_left_out(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::For { var, bound, .. } = kind
            && var.text.as_str() == "round"
        {
            *bound = bin(BinOp::Sub, PrimType::I64, bound.clone(), Exp::i64(1));
        }
    });
    program
}

/// What a cell has in all includes what lies in the cells before it.
pub(super) fn cells_run_on(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { var, ty: PrimType::Bool, value } = kind
            && var.text.as_str() == "first"
        {
            *value = Exp::Const(PrimValue::Bool(false));
        }
    });
    program
}
