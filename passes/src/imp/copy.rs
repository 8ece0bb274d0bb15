//! Copies of statements, for rewrites that run the same at two places.

use fun_base::name::{NameSource, Var};
use fun_base::prim::BinOp;
use imp::ir::{Exp, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// The statements with fresh names for all that they declare.
pub(super) fn fresh(body: &[Statement], names: &mut NameSource) -> Vec<Statement> {
    let mut renamed: BTreeMap<Var, Var> = BTreeMap::new();
    for_each_declared(body, &mut |var| _ = renamed.insert(var, names.fresh_like(var)));
    let mut copied = body.to_vec();
    for statement in &mut copied {
        statement.kind.rename(&mut |var| renamed.get(&var).copied().unwrap_or(var));
    }
    copied
}

/// The variables that statements declare, and the counters of their loops.
pub(super) fn declared_in(body: &[Statement]) -> BTreeSet<Var> {
    let mut declared = BTreeSet::new();
    for_each_declared(body, &mut |var| _ = declared.insert(var));
    declared
}

fn for_each_declared(body: &[Statement], f: &mut dyn FnMut(Var)) {
    for_each_statement(body, &mut |statement| {
        let counter = if let StatementKind::For { var, .. } = &statement.kind { Some(*var) } else { None };
        statement.kind.declares().into_iter().chain(counter).for_each(&mut *f);
    });
}

/// How many statements these are, with those inside.
pub(super) fn count(body: &[Statement]) -> usize {
    let mut count = 0;
    for_each_statement(body, &mut |_| count += 1);
    count
}

/// Whether statements use a variable.
pub(super) fn mentions(body: &[Statement], var: Var) -> bool {
    let mut found = false;
    for_each_statement(body, &mut |statement| {
        statement.kind.for_each_use(&mut |used| found |= used == var);
    });
    found
}

/// Whether a body writes arrays.
pub(super) fn writes(body: &[Statement]) -> bool {
    let mut found = false;
    for_each_statement(body, &mut |statement| {
        found |= matches!(statement.kind, StatementKind::Write { .. } | StatementKind::Accumulate { .. });
    });
    found
}

/// Whether there are loops in statements.
pub(super) fn has_loops(body: &[Statement]) -> bool {
    let mut found = false;
    for_each_statement(body, &mut |statement| {
        found |= matches!(statement.kind, StatementKind::For { .. } | StatementKind::While { .. });
    });
    found
}

/// An expression and all that it is made of.
pub(super) fn for_each_part(exp: &Exp, f: &mut dyn FnMut(&Exp)) {
    f(exp);
    exp.for_each_child(&mut |child| for_each_part(child, f));
}

/// The number, if it is a constant.
pub(super) fn constant(exp: &Exp) -> Option<i64> {
    if let Exp::Const(value) = exp { value.as_i64() } else { None }
}

/// Puts another variable in place of one that the statements do not declare.
pub(super) fn replace(body: &mut [Statement], var: Var, by: Var) {
    for statement in body {
        statement.kind.rename(&mut |other| if other == var { by } else { other });
    }
}

/// Puts a variable in place of an expression.
pub(super) fn replace_exp(exp: &mut Exp, old: &Exp, by: Var) {
    if exp == old {
        *exp = Exp::Var(by);
    } else {
        exp.for_each_child_mut(&mut |child| replace_exp(child, old, by));
    }
}

/// Assignments of an accumulator write a cell.
pub(super) fn write_to(body: &mut [Statement], accumulator: Var, view: Var, cell: &[Exp]) {
    for statement in body {
        if let StatementKind::Assign { var, value } = &statement.kind
            && *var == accumulator
        {
            let value = value.clone();
            statement.kind = StatementKind::Write { view, indices: cell.to_vec(), value };
        }
    }
}

/// Whether an expression does not depend on what changes: it reads no memory and none of these variables.
pub(super) fn is_fixed(exp: &Exp, changing: &BTreeSet<Var>) -> bool {
    let mut fixed = !exp.reads();
    exp.for_each_var(&mut |var| fixed &= !changing.contains(&var));
    fixed
}

/// Whether evaluating the expression can stop the program.
pub(super) fn can_fail(exp: &Exp) -> bool {
    let own = match exp {
        Exp::Bin(op, ty, _, divisor) if op.can_fail(*ty) => {
            let positive = |exp: &Exp| matches!(exp, Exp::Const(value) if value.as_int() > Some(0));
            let at_least = matches!(&**divisor, Exp::Bin(BinOp::Max, _, _, least) if positive(least));
            !at_least && !positive(divisor)
        }
        _ => false,
    };
    let mut found = own;
    exp.for_each_child(&mut |child| found |= can_fail(child));
    found
}
