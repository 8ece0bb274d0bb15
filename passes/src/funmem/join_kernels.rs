//! Horizontal fusion: two maps over one space that read the same array become one, which reads it once.
//!
//! ```text
//! let (a_mem: mem) = alloc [n] f32
//! let (as: [n]f32 @ a_mem -> …) = kernel (i < n) { let (x: f32) = index xs[i] … in (a) }
//! let (b_mem: mem) = alloc [n] f32
//! let (bs: [n]f32 @ b_mem -> …) = kernel (j < n) { let (y: f32) = index xs[j] … in (b) }
//! ```
//! becomes
//! ```text
//! let (a_mem: mem) = alloc [n] f32
//! let (b_mem: mem) = alloc [n] f32
//! let (as: [n]f32 @ a_mem -> …) (bs: [n]f32 @ b_mem -> …) = kernel (i < n) {
//!   let (x: f32) = index xs[i] … let (y: f32) = index xs[i] … in (a, b)
//! }
//! ```
//! The algebra: `(map f xs, map g xs) = unzip (map (\x -> (f x, g x)) xs)`. What both compute of an element, compilers of scalar code find.
//!
//! [`Refusal`] says when two maps stay apart. The first moves to the second; blocks are new ones at this stage, each of one array, so what
//! stands between may be anything that neither uses the first map's results nor writes what it reads: scalars, views, allocations, assertions. A
//! map here cannot stop the program, so assertions may come before it. Done after checks are removed, as most maps have some before, and before blocks
//! are shared.
//!
//! Requires and ensures M1–M9. Cost: linear in the program for each map of a body that reads what another reads.

use crate::fun::operator_may_fail;
use fun::ir::{Atom, BinderType, Combine};
use fun::visit::names::{Subst, free_in_statement, subst_body};
use fun::visit::{Walk, for_each_body_mut, walk_exp, walk_statement};
use fun_base::name::Var;
use funmem::ir::{Binder, Body, Exp, Mem, MemOp, MemType, Program, Statement};
use std::collections::BTreeSet;

/// The most statements of two maps together, those in branches included.
const LARGEST: usize = 120;

/// Why two maps are not joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// One of the statements is no map to scalars.
    NoMap,
    /// One of them writes a block that was there before.
    OldBlock,
    /// Their spaces differ.
    Spaces,
    /// No array is read by both.
    NothingShared,
    /// One of them does more than to compute with scalars, or may stop the program.
    NotSimple,
    /// They would be too large together.
    Large,
    /// Their results are parts of one concatenation: each may be made in its part, by itself.
    Parts,
    /// What stands between them uses the results of the first, or may write what it reads; or the second one uses them.
    Between,
}

/// Joins the maps of a program.
pub fn run(mut program: Program) -> Program {
    for function in &mut program.functions {
        body(&mut function.body);
    }
    program
}

fn body(within: &mut Body) {
    for statement in &mut within.statements {
        for_each_body_mut(&mut statement.exp, &mut body);
    }
    let alloc = |statement: &Statement| matches!(statement.exp, Exp::Op(MemOp::Alloc { .. }));
    let allocs = within.statements.iter().filter(|statement| alloc(statement));
    let new: BTreeSet<Var> = allocs.flat_map(|alloc| &alloc.pattern).map(|binder| binder.var).collect();
    let parts: Vec<BTreeSet<Var>> = within
        .statements
        .iter()
        .filter_map(|statement| match &statement.exp {
            Exp::Concat { arrays, .. } => Some(arrays.iter().copied().collect()),
            _ => None,
        })
        .collect();
    let mut first = 0;
    while first < within.statements.len() {
        if !is_map(&within.statements[first]) {
            first += 1;
            continue;
        }
        let partner = (first + 1..within.statements.len())
            .take_while(|at| is_passed(&within.statements[*at]) || is_map(&within.statements[*at]))
            .find(|at| is_map(&within.statements[*at]));
        match partner {
            Some(second) if may_join(&within.statements[first..=second], &new, &parts).is_ok() => {
                let earlier = within.statements.remove(first);
                join(earlier, &mut within.statements[second - 1]);
            }
            _ => first += 1,
        }
    }
}

fn is_map(statement: &Statement) -> bool {
    matches!(statement.exp, Exp::Kernel { combine: Combine::Map, .. })
}

/// Whether the first and the last of these statements may be joined, where these blocks are new in their body, and these arrays are parts of one.
fn may_join(statements: &[Statement], new: &BTreeSet<Var>, parts: &[BTreeSet<Var>]) -> Result<(), Refusal> {
    let [first, between @ .., second] = statements else { return Err(Refusal::NoMap) };
    let (here, there) = (points(first).ok_or(Refusal::NoMap)?, points(second).ok_or(Refusal::NoMap)?);
    let is_new = |binder: &Binder| block(binder).is_some_and(|block| new.contains(&block));
    if !first.pattern.iter().chain(&second.pattern).all(is_new) {
        return Err(Refusal::OldBlock);
    }
    if !here.0.eq(&there.0) {
        return Err(Refusal::Spaces);
    }
    let gives = |statement: &Statement, parts: &BTreeSet<Var>| {
        statement.pattern.iter().any(|binder| parts.contains(&binder.var))
    };
    if parts.iter().any(|parts| gives(first, parts) && gives(second, parts)) {
        return Err(Refusal::Parts);
    }
    let (here, there) = (Simple::of(here.1), Simple::of(there.1));
    if !here.simple || !there.simple {
        return Err(Refusal::NotSimple);
    }
    if here.reads.is_disjoint(&there.reads) {
        return Err(Refusal::NothingShared);
    }
    if here.statements + there.statements > LARGEST {
        return Err(Refusal::Large);
    }
    let own = |binder: &Binder| [Some(binder.var), block(binder)];
    let results: BTreeSet<Var> = first.pattern.iter().flat_map(own).flatten().collect();
    let mut behind = between.iter().chain([second]);
    if !behind.all(|statement| free_in_statement(statement).is_disjoint(&results)) {
        return Err(Refusal::Between);
    }
    Ok(())
}

/// The bounds and the body of a map to scalars.
fn points(statement: &Statement) -> Option<(Vec<Atom>, &Body)> {
    let Exp::Kernel { space, combine: Combine::Map, body } = &statement.exp else { return None };
    let scalars = statement.pattern.iter().all(|binder| binder.ty.erased().rank() == space.len());
    scalars.then(|| (space.iter().map(|(_, bound)| *bound).collect(), body))
}

/// Whether a map may pass this statement.
fn is_passed(statement: &Statement) -> bool {
    matches!(
        statement.exp,
        Exp::Atom(_)
            | Exp::Bin(..)
            | Exp::Un(..)
            | Exp::Fma(..)
            | Exp::Convert { .. }
            | Exp::Index { .. }
            | Exp::Slice { .. }
            | Exp::Permute { .. }
            | Exp::Reshape { .. }
            | Exp::Reverse { .. }
            | Exp::Assert { .. }
            | Exp::Op(MemOp::Alloc { .. })
    )
}

/// The block of an array.
fn block(binder: &Binder) -> Option<Var> {
    if let MemType::Array { mem, .. } = &binder.ty { Some(*mem) } else { None }
}

/// What a body does.
struct Simple {
    simple: bool,
    reads: BTreeSet<Var>,
    statements: usize,
}

impl Simple {
    fn of(body: &Body) -> Simple {
        let mut simple = Simple { simple: true, reads: BTreeSet::new(), statements: 0 };
        Walk::<Mem>::body(&mut simple, body);
        simple
    }
}

impl Walk<Mem> for Simple {
    fn statement(&mut self, statement: &Statement) {
        self.statements += 1;
        walk_statement(self, statement);
    }

    fn exp(&mut self, exp: &Exp) {
        match exp {
            Exp::Index { array, .. } => _ = self.reads.insert(*array),
            Exp::Bin(op, ty, _, right) => self.simple &= !operator_may_fail(*op, *ty, *right),
            Exp::Atom(_) | Exp::Un(..) | Exp::Fma(..) | Exp::Convert { .. } | Exp::If { .. } => {}
            _ => self.simple = false,
        }
        walk_exp(self, exp);
    }
}

/// Puts the first map into the second.
fn join(first: Statement, second: &mut Statement) {
    let Exp::Kernel { space: before, body: earlier, .. } = first.exp else { return };
    let Exp::Kernel { space, body, .. } = &mut second.exp else { return };
    let counters = before.iter().zip(space.iter());
    let subst: Subst = counters.map(|((old, _), (new, _))| (*old, Atom::Var(*new))).collect();
    let mut joined = subst_body(&subst, &earlier);
    joined.statements.append(&mut body.statements);
    joined.results.append(&mut body.results);
    *body = joined;
    second.pattern.splice(0..0, first.pattern);
}
