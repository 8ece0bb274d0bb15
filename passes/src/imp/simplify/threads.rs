//! How many threads loops have is asked for once in a procedure, and not in its loops, where that would be a call of the runtime each time.

use crate::imp::copy::replace_exp;
use fun_base::name::{NameSource, Var};
use fun_base::prim::PrimType;
use imp::ir::{Exp, Procedure, Statement, StatementKind};

/// Asks before all else, where loops do.
pub(super) fn ask_once(procedure: &mut Procedure, names: &mut NameSource) {
    if procedure.body.iter().any(|statement| asks(statement, false)) {
        let var = names.fresh("threads");
        procedure.body.iter_mut().for_each(|statement| replace(statement, var));
        let kind = StatementKind::Let { var, ty: PrimType::I64, value: Exp::Threads };
        procedure.body.insert(0, Statement { kind, loc: None });
    }
}

/// Whether a statement asks in a loop; `inside`: it stands in one.
fn asks(statement: &Statement, inside: bool) -> bool {
    let mut found = false;
    let repeats = matches!(statement.kind, StatementKind::While { .. });
    if inside || repeats {
        statement.kind.for_each_exp(&mut |exp| found |= mentions(exp));
    }
    let inside = inside || repeats || matches!(statement.kind, StatementKind::For { .. });
    statement.kind.for_each_body(&mut |body| found |= body.iter().any(|inner| asks(inner, inside)));
    found
}

fn mentions(exp: &Exp) -> bool {
    let mut found = *exp == Exp::Threads;
    exp.for_each_child(&mut |child| found |= mentions(child));
    found
}

fn replace(statement: &mut Statement, var: Var) {
    statement.kind.for_each_exp_mut(&mut |exp| replace_exp(exp, &Exp::Threads, var));
    statement.kind.for_each_body_mut(&mut |body| body.iter_mut().for_each(|inner| replace(inner, var)));
}
