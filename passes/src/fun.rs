//! Passes from FUN to FUN.

pub mod ad;
pub mod copy_maps;
pub mod cse;
pub mod dead_stores;
pub mod early_reads;
pub mod element_operators;
pub mod fuse;
pub mod hoist_invariants;
pub mod inline;
pub mod interchange_loops;
pub mod join_reductions;
pub mod map_loops;
pub mod merge_rows;
pub mod part_histograms;
pub mod part_scans;
pub mod save_slices;
pub mod settle_ties;
pub mod simplify;
pub mod soac_to_kernel;
pub mod sort_histograms;
pub mod tail_calls;
pub mod unpack_operators;
pub mod unroll_folds;

use fun::build::Builder;
use fun::ir::{Atom, Lambda, Rep, Statement};
use fun::visit::component_operators;
use fun::visit::names::{free_in_statement, rename_body};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use std::collections::BTreeMap;

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
    component_operators(op).into_iter().collect()
}

/// Whether an operator gives the same whichever operand comes first, whatever else is known of it.
pub(crate) fn is_commutative<R: Rep>(op: &Lambda<R>) -> bool {
    let commutes = |op: &BinOp| {
        let ordered = matches!(op, BinOp::Min | BinOp::Max | BinOp::And | BinOp::Or | BinOp::Xor);
        ordered || matches!(op, BinOp::Add | BinOp::Mul)
    };
    single_operators(op).is_some_and(|ops| ops.iter().all(commutes))
}

/// These statements, in order, each with whether it depends on the first and on the second of two things, where `by` says so of the variables around them.
pub(crate) fn dependent<'s, R: Rep>(
    statements: impl Iterator<Item = &'s Statement<R>>,
    mut by: BTreeMap<Var, (bool, bool)>,
) -> impl Iterator<Item = (&'s Statement<R>, (bool, bool))> {
    statements.map(move |statement| {
        let used = free_in_statement(statement);
        let on = used.iter().filter_map(|var| by.get(var));
        let on = on.fold((false, false), |(x, y), (first, second)| (x || *first, y || *second));
        by.extend(statement.pattern.iter().map(|binder| (binder.var, on)));
        (statement, on)
    })
}

/// What an operator makes of these values.
pub(crate) fn applied(b: &mut Builder<'_>, op: &Lambda, values: impl Iterator<Item = Atom>) -> Vec<Atom> {
    let subst = op.params.iter().map(|param| param.var).zip(values).collect();
    let body = rename_body(b.names(), subst, &op.body);
    body.statements.into_iter().for_each(|statement| b.push(statement));
    body.results
}
