//! Removal of checks: assertions that the prover shows to hold.
//!
//! ```text
//! kernel (i < m) {
//!   let (k: i64) = mul.i64 2i64 i
//!   let (x: bool) = lt.i64 k n          where m = n / 2
//!   let = assert x "…"
//!   …
//! ```
//! loses the assertion. It costs time where it stands, and stands in the way: what may stop the program keeps other assertions from moving
//! up, and so arrays from being made in their place.
//!
//! What else is decided by what is known is said: a number that a selection gives (the step of a slice, or 1 if that is 0), and the sign of
//! a number. Sizes of slices then are polynomials.
//!
//! `fuse` does the same for functions where assertions stand between what it could fuse.
//! Requires and ensures F1–F9, or M1–M9. The condition itself stays for `simplify-imp` to drop. Cost: one question to the prover for each
//! comparison in a condition; each has a limit.

use super::facts::PointFacts;
use crate::evidence::PassEvidence;
use fun::ir::{Atom, Binder, BinderType, Body, Exp, Function, Rep, Statement};
use fun_index::certificate::{Certificate, Decision};

/// Removes the assertions of a program that always hold, with a certificate for each.
pub fn run(mut program: funmem::ir::Program, given: &mut PassEvidence) -> funmem::ir::Program {
    for function in &mut program.functions {
        in_function(function, given);
    }
    program
}

/// Removes those of a function.
pub fn in_function<R: Rep>(function: &mut Function<R>, given: &mut PassEvidence) {
    let mut facts = PointFacts::<R>::with_findings(given.findings(function.name));
    for param in &function.params {
        facts.bind(&param.binder);
    }
    body(&mut function.body, &mut facts, &mut given.certificates);
}

fn body<R: Rep>(within: &mut Body<R>, facts: &mut PointFacts<R>, certificates: &mut Vec<Certificate>) {
    let start = facts.mark();
    within.statements.retain_mut(|statement| {
        inner_bodies(statement, facts, certificates);
        if let [Binder { var: at, ty }] = &statement.pattern[..]
            && ty.has_constants()
            && let Some((value, evidence)) = facts.value(&statement.exp)
        {
            let decision = Decision::KnownScalar;
            certificates.push(Certificate { decision, at: *at, loc: statement.loc, evidence });
            statement.exp = Exp::Atom(value);
        }
        let shown = match &statement.exp {
            Exp::Assert { condition: Atom::Var(condition), .. } => {
                facts.shows(Atom::Var(*condition)).map(|evidence| (*condition, evidence))
            }
            _ => None,
        };
        let holds = shown.is_some();
        certificates.extend(shown.map(|(at, evidence)| Certificate {
            decision: Decision::RemovedBoundsCheck,
            at,
            loc: statement.loc,
            evidence,
        }));
        // What is gone is no reason for anything else.
        if !holds {
            facts.statement(statement);
        }
        !holds
    });
    facts.reset(start);
}

fn inner_bodies<R: Rep>(
    statement: &mut Statement<R>,
    facts: &mut PointFacts<R>,
    certificates: &mut Vec<Certificate>,
) {
    let mark = facts.mark();
    match &mut statement.exp {
        Exp::If { condition, then, otherwise } => {
            for (arm, taken) in [(then, true), (otherwise, false)] {
                facts.branch(*condition, taken);
                body(arm, facts, certificates);
                facts.reset(mark);
            }
        }
        Exp::Loop { params, form, body: inner } => {
            facts.enter_loop(params, form, inner);
            body(inner, facts, certificates);
        }
        Exp::Kernel { space, combine, body: inner } => {
            space.iter().for_each(|(counter, bound)| facts.counter(*counter, *bound));
            body(inner, facts, certificates);
            facts.reset(mark);
            if let Some(operator) = combine.lambda_mut() {
                body(&mut operator.body, facts, certificates);
            }
        }
        _ => {}
    }
    facts.reset(mark);
}
