//! Nests brought into the form that can be tiled: views that are the same in all iterations stand before the nest, and what is computed before a
//! fold that does not use it comes behind the fold.
//!
//! Legal in loops whose iterations are independent (I6): a view is a name alone, and a fold writes nothing.

use crate::imp::copy::can_fail;
use crate::imp::copy::mentions;
use fun_base::name::Var;
use imp::ir::{LoopKind, Statement, StatementKind};
use std::collections::BTreeSet;

/// The views to stand before a nest, and the nest.
pub(in crate::imp) fn straightened(statement: &Statement) -> (Vec<Statement>, Statement) {
    let (mut views, mut nest) = (Vec::new(), statement.clone());
    lift(&mut nest, &mut BTreeSet::new(), &mut views);
    (views, nest)
}

/// Takes views out of a loop, and of the loop that is all of its body; `inside` are the variables that loops around declare.
fn lift(statement: &mut Statement, inside: &mut BTreeSet<Var>, views: &mut Vec<Statement>) {
    let StatementKind::For { var, kind: LoopKind::Par | LoopKind::Simd, body, .. } = &mut statement.kind
    else {
        return;
    };
    inside.insert(*var);
    let at = body.iter().position(is_loop).unwrap_or(body.len());
    let behind = body.split_off(at);
    lift_views(body, inside, views);
    body.extend(behind);
    match body.as_mut_slice() {
        [only] if is_loop(only) => lift(only, inside, views),
        _ => {
            for statement in body.iter_mut() {
                if let StatementKind::For { var, kind: LoopKind::Fold | LoopKind::Seq, body, .. } =
                    &mut statement.kind
                {
                    inside.insert(*var);
                    lift_views(body, inside, views);
                }
            }
            sink(body);
        }
    }
}

/// Takes out the views that use nothing that the loops around or the statements before declare.
fn lift_views(body: &mut Vec<Statement>, inside: &mut BTreeSet<Var>, views: &mut Vec<Statement>) {
    for statement in std::mem::take(body) {
        let mut fixed = true;
        statement.kind.for_each_use(&mut |used| fixed &= !inside.contains(&used));
        if fixed && matches!(statement.kind, StatementKind::View { .. }) {
            views.push(statement);
        } else {
            inside.extend(statement.kind.declares());
            body.push(statement);
        }
    }
}

fn is_loop(statement: &Statement) -> bool {
    matches!(statement.kind, StatementKind::For { .. })
}

/// Puts what the fold does not need behind it.
fn sink(body: &mut Vec<Statement>) {
    let Some(at) = body.iter().position(is_loop) else { return };
    let behind = body.split_off(at + 1);
    let (mut needed, mut sunk) = (body.split_off(at), Vec::new());
    while let Some(statement) = body.pop() {
        match &statement.kind {
            StatementKind::Let { var, value, .. } if !can_fail(value) && !mentions(&needed, *var) => {
                sunk.insert(0, statement);
            }
            _ => needed.insert(0, statement),
        }
    }
    *body = needed;
    body.extend(sunk);
    body.extend(behind);
}
