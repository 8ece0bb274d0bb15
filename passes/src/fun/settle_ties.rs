//! Reductions to the first or the last of the least elements commute: of equal ones their place decides.
//!
//! ```text
//! let (least: f32) (place: i64) = kernel (i < n) reduce \(d: f32) (j: i64) (e: f32) (k: i64): f32, i64 {
//!   let (less: bool) = lt.f32 e d
//!   let (v: f32) (w: i64) = if less { in (e, k) } else { in (d, j) }
//!   in (v, w)
//! } (f32.inf, -1i64) { let (x: f32) = index xs[i] in (x, i) }
//! ```
//! becomes the same with `reduce_comm` and
//! ```text
//!   let (same: bool) = eq.f32 e d   let (before: bool) = lt.i64 k j   let (tie: bool) = and.bool same before
//!   let (less: bool) = or.bool less tie
//! ```
//! Of elements in order the second one always has the later place, so nothing changes where they are combined in order. Reductions that are declared to commute run in lanes (`lower/funmem_to_imp/lanes.rs`), and
//! a device reads their elements one beside the other.
//!
//! What is neutral is combined as an element is, so its place must be a constant: where the first one wins, at most that of the first element, as no element that equals it is taken; where the last one
//! does, below all (`-1`), as any is. Floats are compared so that what is no number is never taken: where it would be, order matters.
//!
//! Done outside of kernels, where there is one reduction for all threads: of many, each in order, ties cost more than they bring.
//!
//! Requires and ensures F1–F9. Cost: linear in the size of the program.

use fun::ir::{Atom, Binder, Body, Combine, Exp, Lambda, Program, Statement, Type};
use fun::visit::for_each_body_mut;
use fun::visit::names::name_source;
use fun_base::name::{NameSource, Var};
use fun_base::prim::{BinOp, PrimType};

/// Settles the ties of a program.
pub fn run(mut program: Program) -> Program {
    let mut names = name_source(&program);
    for function in &mut program.functions {
        in_body(&mut function.body, &mut names);
    }
    program
}

fn in_body(body: &mut Body, names: &mut NameSource) {
    for statement in &mut body.statements {
        let Exp::Kernel { space, combine, body } = &mut statement.exp else {
            for_each_body_mut(&mut statement.exp, &mut |body| in_body(body, names));
            continue;
        };
        let Combine::Reduce { op, neutral, commutative } = combine else { continue };
        let [(counter, _)] = &space[..] else { continue };
        if !*commutative && settle(op, neutral, *counter, &body.results, names).is_some() {
            *commutative = true;
        }
    }
}

/// Which of equal elements is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wins {
    First,
    Last,
}

/// Lets the place decide between equal elements, if the operator takes one of two whole elements by a comparison and `counter` is one of the `results` that are combined.
fn settle(
    op: &mut Lambda,
    neutral: &[Atom],
    counter: Var,
    results: &[Atom],
    names: &mut NameSource,
) -> Option<()> {
    let place = results.iter().position(|result| *result == Atom::Var(counter))?;
    let vars: Vec<Var> = op.params.iter().map(|param| param.var).collect();
    let (old, new) = vars.split_at(results.len());
    let [compared, chosen] = &op.body.statements[..] else { return None };
    let ([condition], Exp::Bin(relation, ty, left, right)) = (&compared.pattern[..], &compared.exp) else {
        return None;
    };
    let Exp::If { condition: decides, then, otherwise } = &chosen.exp else { return None };
    let are_chosen = op
        .body
        .results
        .iter()
        .map(|result| result.as_var())
        .eq(chosen.pattern.iter().map(|binder| Some(binder.var)));
    if *decides != Atom::Var(condition.var) || !are_chosen {
        return None;
    }
    let gives = |arm: &Body, whole: &[Var]| {
        arm.statements.is_empty()
            && arm.results.iter().map(|result| result.as_var()).eq(whole.iter().map(|var| Some(*var)))
    };
    let takes_new = gives(then, new) && gives(otherwise, old);
    if !(takes_new || gives(then, old) && gives(otherwise, new)) {
        return None;
    }
    let (left, right) = (left.as_var()?, right.as_var()?);
    let value = new.iter().position(|var| *var == left || *var == right)?;
    if value == place
        || [left, right] != [new[value], old[value]] && [left, right] != [old[value], new[value]]
    {
        return None;
    }
    let strict = match relation {
        BinOp::Lt | BinOp::Gt => true,
        BinOp::Le | BinOp::Ge => false,
        _ => return None,
    };
    // the comparison says that the new one is taken, or that the old one stays
    if ty.is_float() && !takes_new {
        return None;
    }
    let wins = if strict == takes_new { Wins::First } else { Wins::Last };
    // no element that equals the neutral one comes before it, or all that do come behind it
    let below = if wins == Wins::First { 1 } else { 0 };
    neutral[place].as_const()?.as_i64().filter(|place| *place < below)?;
    let loc = compared.loc;
    let mut added = Vec::new();
    let mut truth = |text: &str, exp: Exp| {
        let binder = Binder { var: names.fresh(text), ty: Type::Prim(PrimType::Bool) };
        let var = binder.var;
        added.push(Statement { pattern: vec![binder], exp, loc });
        Atom::Var(var)
    };
    let (old, new) = ([old[value], old[place]].map(Atom::Var), [new[value], new[place]].map(Atom::Var));
    let says_less = matches!(relation, BinOp::Lt | BinOp::Le) == (left == vars[results.len() + value]);
    let better = if says_less == takes_new { BinOp::Lt } else { BinOp::Gt };
    let is_better = truth("better", Exp::Bin(better, *ty, new[0], old[0]));
    let same = truth("same", Exp::Bin(BinOp::Eq, *ty, new[0], old[0]));
    let order = if wins == Wins::First { BinOp::Lt } else { BinOp::Gt };
    let before = truth("before", Exp::Bin(order, PrimType::I64, new[1], old[1]));
    let tie = truth("tie", Exp::Bin(BinOp::And, PrimType::Bool, same, before));
    let taken = truth("taken", Exp::Bin(BinOp::Or, PrimType::Bool, is_better, tie));
    let (then, otherwise) = if takes_new { (then, otherwise) } else { (otherwise, then) };
    let exp = Exp::If { condition: taken, then: then.clone(), otherwise: otherwise.clone() };
    added.push(Statement { pattern: chosen.pattern.clone(), exp, loc: chosen.loc });
    op.body.statements = added;
    Some(())
}
