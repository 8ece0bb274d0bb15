//! Bodies of loops that can run in vector lanes.

use crate::ir::{Exp, Statement, StatementKind};
use crate::visit::for_each_statement;
use fun_base::prim::BinOp;

/// Whether statements neither loop, call, allocate nor stop the run: then they can run in vector lanes. What is allocated in one
/// iteration may be where that of the next is, so lanes need memory of their own.
pub fn is_plain(body: &[Statement]) -> bool {
    let mut plain = true;
    for_each_statement(body, &mut |statement| {
        plain &= match &statement.kind {
            StatementKind::Let { .. }
            | StatementKind::Declare { .. }
            | StatementKind::Assign { .. }
            | StatementKind::View { .. }
            | StatementKind::Window { .. }
            | StatementKind::Write { .. }
            | StatementKind::Accumulate { .. }
            | StatementKind::If { .. } => true,
            StatementKind::Alloc { .. }
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
        statement.kind.for_each_exp(&mut |exp| plain &= !can_fail(exp));
    });
    plain
}

/// Whether evaluating an expression can stop the run.
pub fn can_fail(exp: &Exp) -> bool {
    let own = match exp {
        Exp::Bin(op, ty, _, y) if op.can_fail(*ty) => match **y {
            Exp::Const(n) => n.as_int().is_none_or(|n| n == 0 || *op == BinOp::Pow && n < 0),
            _ => true,
        },
        _ => false,
    };
    let mut found = own;
    exp.for_each_child(&mut |child| found |= can_fail(child));
    found
}
