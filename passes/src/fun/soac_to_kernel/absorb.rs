//! Maps into the reduce or scan that alone reads their results, written as a kernel at once, since a SOAC has no place for the
//! map's function. Not into histograms: the map may read what the histogram writes.

use super::{Loc, all_scalar, element, element_body};
use fun::ir::{Atom, Binder, Body, Combine, Exp, Lambda, Statement};
use fun_base::name::{NameSource, Var};
use std::collections::BTreeMap;

/// Whether the expression may absorb a map. Bodies without such ones are not copied: those of nested branches would be once at each level.
pub(super) fn may_absorb(exp: &Exp) -> bool {
    matches!(exp, Exp::Reduce { .. } | Exp::Scan { .. })
}

/// The body with absorbed maps gone and their consumers in kernel form (whose bodies are still to be treated).
pub(super) fn absorb_maps(body: &Body, uses: &BTreeMap<Var, usize>, names: &mut NameSource) -> Body {
    let mut statements: Vec<Option<Statement>> = Vec::with_capacity(body.statements.len());
    // the producing map of each variable that is used once, as long as nothing since could have consumed an array
    let mut producers: BTreeMap<Var, usize> = BTreeMap::new();
    for statement in &body.statements {
        let absorbed = consumer(statement).and_then(|consumer| {
            let at = consumer.arrays.iter().find_map(|array| producers.get(array).copied())?;
            let map = statements[at].as_ref()?;
            let all_here = map.pattern.iter().all(|binder| {
                let here = consumer.arrays.iter().filter(|array| **array == binder.var).count();
                uses.get(&binder.var).copied().unwrap_or(0) == here && here <= 1
            });
            let Exp::Map { lambda, arrays, .. } = &map.exp else { return None };
            all_here.then(|| (at, fused(&consumer, map, lambda, arrays, names, statement.loc)))
        });
        let statement = match absorbed {
            Some((at, exp)) => {
                statements[at] = None;
                Statement { pattern: statement.pattern.clone(), exp, loc: statement.loc }
            }
            None => statement.clone(),
        };
        if may_consume(&statement.exp) {
            producers.clear();
        }
        if let Exp::Map { .. } = &statement.exp {
            for binder in &statement.pattern {
                producers.insert(binder.var, statements.len());
            }
        }
        statements.push(Some(statement));
    }
    Body { statements: statements.into_iter().flatten().collect(), results: body.results.clone() }
}

/// A SOAC that can absorb a map: its operator is scalar.
struct Consumer<'a> {
    width: Atom,
    op: &'a Lambda,
    arrays: Vec<Var>,
    combine: Combine,
}

fn consumer(statement: &Statement) -> Option<Consumer<'_>> {
    let (width, op, arrays, combine) = match &statement.exp {
        Exp::Reduce { width, op, neutral, arrays, commutative } => {
            let combine =
                Combine::Reduce { op: op.clone(), neutral: neutral.clone(), commutative: *commutative };
            (*width, op, arrays.clone(), combine)
        }
        Exp::Scan { width, op, neutral, arrays } => {
            let combine = Combine::Scan { op: op.clone(), neutral: neutral.clone(), epilogue: None };
            (*width, op, arrays.clone(), combine)
        }
        _ => return None,
    };
    all_scalar(op).then_some(Consumer { width, op, arrays, combine })
}

/// The kernel that computes the map's results at each point and combines them.
fn fused(
    consumer: &Consumer<'_>,
    map: &Statement,
    lambda: &Lambda,
    arrays: &[Var],
    names: &mut NameSource,
    loc: Loc,
) -> Exp {
    let i = names.fresh("i");
    let mut body = element_body(i, lambda.clone(), arrays, map.loc);
    let produced = std::mem::take(&mut body.results);
    for (array, ty) in consumer.arrays.iter().zip(&consumer.op.results) {
        if let Some(at) = map.pattern.iter().position(|binder| binder.var == *array) {
            body.results.push(produced[at]);
            continue;
        }
        let var = names.fresh("element");
        body.statements.push(element(Binder { var, ty: ty.clone() }, *array, i.into(), loc));
        body.results.push(var.into());
    }
    Exp::Kernel { space: vec![(i, consumer.width)], combine: consumer.combine.clone(), body }
}

/// Whether evaluating the expression may consume an array, so that a map before it must stay before it.
fn may_consume(exp: &Exp) -> bool {
    matches!(
        exp,
        Exp::Update { .. }
            | Exp::Hist { .. }
            | Exp::Scatter { .. }
            | Exp::Loop { .. }
            | Exp::Call { .. }
            | Exp::If { .. }
            | Exp::Kernel { combine: Combine::Hist { .. } | Combine::Scatter { .. }, .. }
    )
}
