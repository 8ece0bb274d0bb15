//! Which arrays from outside of a body its arrays may share cells with, as F5 sees it (`check/consume.rs`).

use crate::ir::{Atom, Body, Exp};
use fun_base::name::Var;
use std::collections::{BTreeMap, BTreeSet};

/// Variables that an array may share cells with.
type Sources = BTreeSet<Var>;

/// For each result of a body the arrays from outside that it may share cells with.
pub(super) fn of_results(body: &Body) -> Vec<Sources> {
    results(body, &mut BTreeMap::new())
}

fn results(body: &Body, known: &mut BTreeMap<Var, Sources>) -> Vec<Sources> {
    for statement in &body.statements {
        let all: Vec<Sources> = match &statement.exp {
            Exp::Atom(atom) => vec![of(known, *atom)],
            Exp::Update { array, .. }
            | Exp::Slice { array, .. }
            | Exp::Permute { array, .. }
            | Exp::Reshape { array, .. }
            | Exp::Reverse { array, .. } => vec![of(known, (*array).into())],
            Exp::Hist { dests, .. } | Exp::Scatter { dests, .. } => {
                dests.iter().map(|dest| of(known, (*dest).into())).collect()
            }
            Exp::If { then, otherwise, .. } => either(results(then, known), results(otherwise, known)),
            Exp::Loop { params, body, .. } => {
                let mut all: Vec<Sources> = params.iter().map(|param| of(known, param.init)).collect();
                // what goes from parameter to parameter comes along in later iterations
                loop {
                    known.extend(params.iter().map(|param| param.binder.var).zip(all.iter().cloned()));
                    let next = either(all.clone(), results(body, known));
                    if next == all {
                        break all;
                    }
                    all = next;
                }
            }
            Exp::Call { args, .. } => {
                let all: Sources = args.iter().flat_map(|arg| of(known, *arg)).collect();
                vec![all; statement.pattern.len()]
            }
            _ => vec![Sources::new(); statement.pattern.len()],
        };
        known.extend(statement.pattern.iter().map(|binder| binder.var).zip(all));
    }
    body.results.iter().map(|result| of(known, *result)).collect()
}

fn of(known: &BTreeMap<Var, Sources>, atom: Atom) -> Sources {
    let Atom::Var(var) = atom else { return Sources::new() };
    known.get(&var).cloned().unwrap_or_else(|| Sources::from([var]))
}

fn either(one: Vec<Sources>, other: Vec<Sources>) -> Vec<Sources> {
    one.into_iter().zip(other).map(|(one, other)| one.into_iter().chain(other).collect()).collect()
}
