//! Horizontal fusion: two maps, or two reductions, over one space that read the same array become one, which reads it once.
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
//! The algebra: `(map f xs, map g xs) = unzip (map (\x -> (f x, g x)) xs)`, and for reductions to scalars, whose operators and neutral elements
//! become those of pairs, `(reduce + 0 xs, reduce max z xs) = reduce (\(a, b) (c, d) -> (a + c, max b d)) (0, z) (zip xs xs)`. What both compute
//! of an element, compilers of scalar code find.
//!
//! [`Refusal`] says when two of them stay apart. The first moves to the second; blocks are new ones at this stage, each of one array, so what
//! stands between may be anything that neither uses the first one's results nor writes what it reads: scalars, views, allocations, assertions,
//! other maps and reductions to new blocks. What is joined cannot stop the program, so assertions may come before it. Done after checks are
//! removed, as most maps have some before, and before blocks are shared.
//!
//! Requires and ensures M1–M9. Cost: linear in the program for each map or reduction of a body that reads what another reads.

use crate::fun::join_reductions::join;
use crate::fun::operator_may_fail;
use fun::ir::{Atom, BinderType};
use fun::visit::names::free_in_statement;
use fun::visit::{Walk, for_each_body_mut, walk_exp, walk_statement};
use fun_base::name::Var;
use funmem::ir::{Binder, Body, Combine, Exp, Mem, MemOp, MemType, Program, Statement};
use std::collections::BTreeSet;

/// The most statements of two of them together, those in branches included.
const LARGEST: usize = 120;

/// Why two kernels are not joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// They are neither both maps to scalars nor both reductions to scalars.
    Kinds,
    /// One of them writes a block that was there before.
    OldBlock,
    /// Their spaces differ.
    Spaces,
    /// No array is read by both.
    NothingShared,
    /// One of them does more than to compute with scalars, or may stop the program.
    NotSimple,
    /// The operator of one reduction has a branch, which would keep that of the other from running in vectors.
    Branches,
    /// They would be too large together.
    Large,
    /// Their results are parts of one concatenation: each may be made in its part, by itself.
    Parts,
    /// What stands between them uses the results of the first, or may write what it reads; or the second one uses them.
    Between,
}

/// Joins the maps and the reductions of a program.
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
        let Some(kind) = Kind::of(&within.statements[first]) else {
            first += 1;
            continue;
        };
        let partner = (first + 1..within.statements.len())
            .take_while(|at| is_passed(&within.statements[*at], &new))
            .find(|at| Kind::of(&within.statements[*at]) == Some(kind));
        match partner {
            Some(second) if may_join(&within.statements[first..=second], &new, &parts).is_ok() => {
                let earlier = within.statements.remove(first);
                join(earlier, &mut within.statements[second - 1]);
            }
            _ => first += 1,
        }
    }
}

/// What may be joined with its like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Map,
    Reduce,
}

impl Kind {
    fn of(statement: &Statement) -> Option<Kind> {
        let Exp::Kernel { space, combine, .. } = &statement.exp else { return None };
        match combine {
            Combine::Map => Some(Kind::Map),
            Combine::Reduce { .. } if space.len() == 1 => Some(Kind::Reduce),
            _ => None,
        }
    }
}

/// Whether the first and the last of these statements may be joined, where these blocks are new in their body, and these arrays are parts of one.
fn may_join(statements: &[Statement], new: &BTreeSet<Var>, parts: &[BTreeSet<Var>]) -> Result<(), Refusal> {
    let [first, between @ .., second] = statements else { return Err(Refusal::Kinds) };
    let (here, there) = (points(first).ok_or(Refusal::Kinds)?, points(second).ok_or(Refusal::Kinds)?);
    if !writes_new(first, new) || !writes_new(second, new) {
        return Err(Refusal::OldBlock);
    }
    if !here.bounds.eq(&there.bounds) {
        return Err(Refusal::Spaces);
    }
    let gives = |statement: &Statement, parts: &BTreeSet<Var>| {
        statement.pattern.iter().any(|binder| parts.contains(&binder.var))
    };
    if parts.iter().any(|parts| gives(first, parts) && gives(second, parts)) {
        return Err(Refusal::Parts);
    }
    let (here, there) = (Simple::of(here), Simple::of(there));
    if !here.simple || !there.simple {
        return Err(Refusal::NotSimple);
    }
    if here.reads.is_disjoint(&there.reads) {
        return Err(Refusal::NothingShared);
    }
    if here.branches != there.branches {
        return Err(Refusal::Branches);
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

/// What is computed at each point.
struct Points<'k> {
    /// The bounds of the space.
    bounds: Vec<Atom>,
    /// The body.
    body: &'k Body,
    /// The body of an operator.
    operator: Option<&'k Body>,
}

/// The points of a map to scalars or of a reduction.
fn points(statement: &Statement) -> Option<Points<'_>> {
    let Exp::Kernel { space, combine, body } = &statement.exp else { return None };
    let (left, operator) = match combine {
        Combine::Map => (space.len(), None),
        Combine::Reduce { op, .. } => (space.len() - 1, Some(&op.body)),
        Combine::Scan { .. } | Combine::Hist { .. } | Combine::Scatter { .. } => return None,
    };
    let scalars = statement.pattern.iter().all(|binder| binder.ty.erased().rank() == left);
    scalars.then(|| Points { bounds: space.iter().map(|(_, bound)| *bound).collect(), body, operator })
}

/// Whether the arrays that a statement makes are in these blocks.
fn writes_new(statement: &Statement, new: &BTreeSet<Var>) -> bool {
    let scalar = |binder: &Binder| binder.ty.erased().rank() == 0;
    let is_new = |binder: &Binder| block(binder).is_some_and(|block| new.contains(&block));
    statement.pattern.iter().all(|binder| scalar(binder) || is_new(binder))
}

/// Whether what is joined may pass this statement, where these blocks are new.
fn is_passed(statement: &Statement, new: &BTreeSet<Var>) -> bool {
    if let Exp::Kernel { combine: Combine::Map | Combine::Reduce { .. }, .. } = statement.exp {
        return writes_new(statement, new);
    }
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

/// What the bodies do.
struct Simple {
    simple: bool,
    reads: BTreeSet<Var>,
    /// Whether an operator has branches.
    branches: bool,
    statements: usize,
}

impl Simple {
    fn of(points: Points<'_>) -> Simple {
        let mut simple = Simple { simple: true, reads: BTreeSet::new(), branches: false, statements: 0 };
        Walk::<Mem>::body(&mut simple, points.body);
        if let Some(operator) = points.operator {
            Walk::<Mem>::body(&mut simple, operator);
            let branch = |statement: &Statement| matches!(statement.exp, Exp::If { .. });
            simple.branches = operator.statements.iter().any(branch);
        }
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
