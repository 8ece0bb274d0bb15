//! Wrong histograms of devices: tables of threads in shared memory, and sums of floats by integers.

use super::lowered::each;
use fun_base::prim::{BinOp, PrimType};
use imp::build::bin;
use imp::ir::{Exp, Program, StatementKind};

/// The values of a batch all stand for the first of them.
pub(super) fn batch_alike(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        kind.for_each_exp_mut(&mut |exp| {
            if let Exp::Read { view, indices } = exp
                && view.text.as_str() == "found"
                && let Some(index) = indices.first_mut()
            {
                *index = Exp::i64(0);
            }
        });
    });
    program
}

/// A thread's table has what another thread's has, which begins beside it.
pub(super) fn own_tables_shared(mut program: Program) -> Program {
    let first = |text: &str, indices: &mut Vec<Exp>| {
        if let ("own", [_, thread]) = (text, indices.as_mut_slice()) {
            *thread = Exp::i64(0);
        }
    };
    each(&mut program, &mut |kind| {
        if let StatementKind::Write { view, indices, .. } = kind {
            first(view.text.as_str(), indices);
        }
        kind.for_each_exp_mut(&mut |exp| {
            if let Exp::Read { view, indices } = exp {
                first(view.text.as_str(), indices);
            }
        });
    });
    program
}

/// Nothing is carried to the quotient of the next counter.
pub(super) fn quotient_not_carried(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Assign { var, value: Exp::Bin(BinOp::Add, _, _, more) } = kind
            && var.text.as_str() == "quot"
            && let Exp::Select(_, _, step) = &**more
        {
            *more = step.clone();
        }
    });
    program
}

/// Values are added to a cell as if all had the exponent of the greatest.
pub(super) fn exponents_alike(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { var, value, .. } = kind
            && var.text.as_str() == "beyond"
            && let Exp::Bin(BinOp::Sub, _, _, digits) = value
        {
            *value = bin(BinOp::Sub, PrimType::I64, Exp::i64(0), (**digits).clone());
        }
    });
    program
}
