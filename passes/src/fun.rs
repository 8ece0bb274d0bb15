//! Passes from FUN to FUN.

pub mod ad;
pub mod copy_maps;
pub mod cse;
pub mod dead_stores;
pub mod early_reads;
pub mod element_operators;
pub mod fuse;
pub mod inline;
pub mod merge_rows;
pub mod save_slices;
pub mod simplify;
pub mod soac_to_kernel;
pub mod tail_calls;

use fun::ir::{Atom, Binder, Exp, Lambda, Rep};
use fun_base::prim::{BinOp, PrimType};

/// Whether the operator may stop the program with this right operand: a constant divisor or exponent is looked at.
pub(crate) fn operator_may_fail(op: BinOp, t: PrimType, right: Atom) -> bool {
    if !op.can_fail(t) {
        return false;
    }
    match (op, right.as_const().and_then(|value| value.as_int())) {
        (_, None) => true,
        (BinOp::Pow, Some(exponent)) => exponent < 0,
        (_, Some(divisor)) => divisor == 0,
    }
}

/// Whether the operands can change places without any change of the result, NaN payloads included.
pub(crate) fn commutes(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Eq | BinOp::Ne | BinOp::MulHi | BinOp::Add | BinOp::Mul
    )
}

/// The operator of each result, where each combines its own two parameters by one.
pub(crate) fn single_operators<R: Rep>(op: &Lambda<R>) -> Option<Vec<BinOp>> {
    let (left, right) = op.params.split_at(op.params.len() / 2);
    let single = |((result, left), right): ((&Atom, &Binder<R>), &Binder<R>)| {
        let mut made =
            op.body.statements.iter().filter(|statement| {
                statement.pattern.iter().any(|binder| Some(binder.var) == result.as_var())
            });
        match &made.next()?.exp {
            Exp::Bin(op, _, Atom::Var(x), Atom::Var(y))
                if (*x, *y) == (left.var, right.var) || (*x, *y) == (right.var, left.var) =>
            {
                Some(*op)
            }
            _ => None,
        }
    };
    op.body.results.iter().zip(left).zip(right).map(single).collect()
}
