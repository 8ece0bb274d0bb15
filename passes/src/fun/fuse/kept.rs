//! Which arrays stay between maps or scans and what reads them, and why: for users who ask.

use super::reads::Reads;
use super::{Facts, Fusion, Refusal, carried_by, consuming_params, epilogues};
use fun::ir::{Atom, Body, Program, Statement};
use fun::visit::names::free_in_statement;
use fun::visit::{for_each_body_mut, walk_program};
use fun_base::name::{Symbol, Var};
use fun_base::source::Loc;
use std::collections::BTreeSet;
use std::fmt;

/// An array that a map or a scan makes and fusion left.
pub struct Kept {
    /// The function that it is in.
    pub function: Symbol,
    /// The first result of the map or scan.
    pub array: Var,
    /// The place of the map or scan.
    pub loc: Option<Loc>,
    /// The places of the statements of its body that read it.
    pub read_at: Vec<Loc>,
    /// Why.
    pub refusal: Refusal,
}

/// What is kept in a program that has been fused, inner bodies first. Results of the body that they stand in are left out: they are made
/// whatever reads them.
pub fn kept(mut program: Program) -> Vec<Kept> {
    let mut facts = Facts::new(consuming_params(&program));
    walk_program(&mut facts, &program);
    let mut all = Vec::new();
    for function in &mut program.functions {
        in_body(&mut function.body, &[], (&facts, function.name), &mut all);
    }
    all
}

fn in_body(body: &mut Body, carried: &[Var], (facts, function): (&Facts, Symbol), all: &mut Vec<Kept>) {
    for statement in &mut body.statements {
        let carried = carried_by(&statement.exp);
        for_each_body_mut(&mut statement.exp, &mut |inner| in_body(inner, &carried, (facts, function), all));
    }
    let reads = Reads::of_body(body, &facts.types);
    let results: BTreeSet<Atom> = body.results.iter().copied().collect();
    let fusion = Fusion::new(body, carried, facts);
    for (at, producer) in &reads.producers {
        let [Statement { pattern, loc, .. }] = fusion.statements[*at].as_slice() else { continue };
        let Err(refusal) = fusion.may_fuse(*at, producer) else { continue };
        if pattern.iter().any(|binder| results.contains(&Atom::Var(binder.var))) {
            continue;
        }
        let consumers = producer.by_consumer().into_keys();
        let places = consumers.flat_map(|at| &fusion.statements[at]).filter_map(|statement| statement.loc);
        let read_at: BTreeSet<Loc> = places.collect();
        all.extend(pattern.first().map(|array| Kept {
            function,
            array: array.var,
            loc: *loc,
            read_at: read_at.into_iter().collect(),
            refusal,
        }));
    }
    let statements = || fusion.statements.iter().flatten();
    for (at, scan) in statements().enumerate().filter(|(_, statement)| epilogues::is_scan(statement)) {
        let sums: BTreeSet<Var> = scan.pattern.iter().map(|binder| binder.var).collect();
        let behind = statements().enumerate().skip(at + 1);
        let readers = behind.filter(|(_, reader)| !free_in_statement(reader).is_disjoint(&sums));
        let readers: Vec<(usize, Option<Loc>)> = readers.map(|(map, reader)| (map, reader.loc)).collect();
        let refusal = readers.iter().find_map(|(map, _)| fusion.may_follow(at, *map).err());
        let (Some(refusal), Some(array)) = (refusal, scan.pattern.first()) else { continue };
        if sums.iter().any(|sum| results.contains(&Atom::Var(*sum))) {
            continue;
        }
        let read_at: BTreeSet<Loc> = readers.iter().filter_map(|(_, loc)| *loc).collect();
        let (array, read_at) = (array.var, read_at.into_iter().collect());
        all.push(Kept { function, array, loc: scan.loc, read_at, refusal });
    }
    // (what is around counts the statements inside)
    body.statements = fusion.statements.into_iter().flatten().collect();
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::NotOneConsumer => {
                "several statements read it, or none, and each would compute its elements again, at a cost"
            }
            Refusal::NotRead => "it is used otherwise than by reading elements or rows",
            Refusal::NotElementwise => {
                "it is read in another shape, and its elements depend on where they are"
            }
            Refusal::Repeated => "elements would be computed more than once, at a cost",
            Refusal::Consumed => {
                "an array that it reads may be changed in place before its elements would be computed"
            }
            Refusal::Stops => "it may stop the program, and would do so later or not at all",
            Refusal::Sequential => "what reads it runs in order, and its elements take long to compute",
            Refusal::Large => "what reads it would become too large",
            Refusal::NoMap => {
                "what reads it is no map over the same points, or reads it elsewhere than at its own"
            }
            Refusal::NoSteps => "what reads it is made of more than scalar operators and reads of elements",
            Refusal::Between => {
                "what reads it needs what is made after it, and another statement between uses it"
            }
        })
    }
}
