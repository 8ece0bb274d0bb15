//! What may stand in a `lock` (I15): statements that end by themselves and cannot fail, so that whoever has the lock gives it back.

use crate::ir::{Exp, ImpType, Statement, StatementKind};
use crate::visit::for_each_statement;

/// Whether statements may stand in a lock.
#[must_use]
pub fn fits(body: &[Statement]) -> bool {
    let mut fits = true;
    for_each_statement(body, &mut |statement| {
        fits &= match &statement.kind {
            StatementKind::Let { .. }
            | StatementKind::Declare { ty: ImpType::Prim(_), .. }
            | StatementKind::Assign { .. }
            | StatementKind::View { .. }
            | StatementKind::Window { .. }
            | StatementKind::Write { .. }
            | StatementKind::Accumulate { .. }
            | StatementKind::If { .. } => true,
            StatementKind::Declare { ty: ImpType::Mem(_), .. }
            | StatementKind::Alloc { .. }
            | StatementKind::Share(_)
            | StatementKind::Free(_)
            | StatementKind::Atomic { .. }
            | StatementKind::Lock { .. }
            | StatementKind::Ordered { .. }
            | StatementKind::Shuffle { .. }
            | StatementKind::Copy { .. }
            | StatementKind::For { .. }
            | StatementKind::While { .. }
            | StatementKind::Assert { .. }
            | StatementKind::Call { .. } => false,
        };
        statement.kind.for_each_exp(&mut |exp| fits &= !may_fail(exp));
    });
    fits
}

/// Whether an operator may fail: a divisor that is not a positive constant may be zero.
#[must_use]
pub fn may_fail(exp: &Exp) -> bool {
    let mut fails = match exp {
        Exp::Bin(op, ty, _, right) if op.can_fail(*ty) => {
            !matches!(&**right, Exp::Const(value) if value.as_int() > Some(0))
        }
        _ => false,
    };
    exp.for_each_child(&mut |child| fails |= may_fail(child));
    fails
}
