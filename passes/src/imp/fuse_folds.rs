//! Fusion of maps into reductions: the elements of an array are computed and written in the iterations of a long reduction that comes by the same
//! places, before it or behind it.
//!
//! ```text
//! for i < n par {
//!   let y = mul.f32(xs[i], xs[i])
//!   ys[i] := y
//! }
//! for c < chunks par {
//!   let start = mul.i64(c, chunk)
//!   let count = min.i64(sub.i64(n, start), chunk)
//!   var acc : f32 = 0
//!   for k < count fold {
//!     let j = add.i64(start, k)
//!     let s = add.f32(acc, ys[j])
//!     acc := s
//!   }
//!   partial[c] := acc
//! }
//! ```
//! becomes
//! ```text
//! for c < chunks par {
//!   let start = mul.i64(c, chunk)
//!   let count = min.i64(sub.i64(n, start), chunk)
//!   var acc : f32 = 0
//!   for k < count fold {
//!     let j = add.i64(start, k)
//!     let y = mul.f32(xs[j], xs[j])
//!     ys[j] := y
//!     let s = add.f32(acc, y)
//!     acc := s
//!   }
//!   partial[c] := acc
//! }
//! ```
//! A map behind the reduction goes to the end of its iterations, and what it needs (its block, views, sums of indices) in front of the reduction.
//!
//! [`Refusal`] says when two loops stay apart. What both compute from the same operands is computed once, and a read of the cell that the iteration has
//! written or read is the value itself.
//!
//! Done for reductions that `split-folds` gives lanes and that are cut for threads, so where arrays may be longer than caches, and for maps that run in
//! vectors too: lanes do both. Not inside of parallel loops.
//!
//! Requires and ensures I1–I10. Cost: linear in the size of the program, and for each pair of a map and a reduction of one body, at
//! most 256 statements apart, a question to the prover for each pair of views.

mod legal;
mod reduction;
mod share;

use super::copy::replace;
use super::fuse_loops::access::Places;
use super::fuse_loops::facts::{LoopFacts, Walk};
use fun_base::name::Var;
use imp::ir::{Exp, LoopKind, Program, Space, Statement, StatementKind};
use imp::visit::for_each_statement;
use legal::Stays;
pub(super) use legal::needed;
use reduction::Reduction;
use std::collections::BTreeSet;

/// Why a map and a reduction are not one loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    /// One is no map that runs in vectors and cannot stop the program, or the other no long reduction that gets lanes.
    Kinds,
    /// They have another number of iterations.
    Spaces,
    /// No element is touched by both.
    NothingShared,
    /// An iteration of one touches a cell that another of the other one writes.
    Cells,
    /// What stands between them touches what the map writes, writes or assigns what it reads, or could not be told from that.
    Between,
    /// What the map needs is made between them, and cannot be made earlier.
    Needed,
}

/// Statements further apart are not looked at together: time would grow with the square of a program's length.
const FAR: usize = 256;

/// Fuses maps and reductions of a program.
pub fn run(mut program: Program) -> Program {
    for procedure in &mut program.procedures {
        let mut on_stack = BTreeSet::new();
        for_each_statement(&procedure.body, &mut |statement| {
            if let StatementKind::Alloc { var, space: Space::Stack, .. } = &statement.kind {
                on_stack.insert(*var);
            }
        });
        let mut fusion = Fusion { places: Places::of(procedure), facts: LoopFacts::of(procedure), on_stack };
        fusion.statements(&mut procedure.body);
    }
    program
}

struct Fusion {
    places: Places,
    facts: LoopFacts,
    /// Blocks in the stack frame.
    on_stack: BTreeSet<Var>,
}

/// A loop that computes elements.
struct Map<'s> {
    counter: Var,
    bound: &'s Exp,
    body: &'s [Statement],
}

impl Walk for Fusion {
    fn facts(&mut self) -> &mut LoopFacts {
        &mut self.facts
    }

    fn take(&mut self, statement: Statement, before: &mut Vec<Statement>) {
        before.push(statement);
        while self.fuse_last(before) {}
    }
}

impl Fusion {
    /// Fuses the last statement with one before it, if it can be.
    fn fuse_last(&self, done: &mut Vec<Statement>) -> bool {
        let Some(last) = done.len().checked_sub(1) else { return false };
        if let Some(map) = Map::of(&done[last]) {
            let blocks = self.blocks(map.body);
            for at in (last.saturating_sub(FAR)..last).rev() {
                let (around, statements) = done.split_at(at);
                if reduction::looks_like(&statements[0])
                    && self.touch(&statements[..1], &blocks)
                    && let Ok(needed) = self.behind(statements, around)
                {
                    self.move_up(done, at, &needed);
                    return true;
                }
            }
        } else if reduction::looks_like(&done[last])
            && let Some(at) = self.map_before(done)
        {
            let map = done.remove(at);
            self.put_in(map, &mut done[last - 1], true);
            return true;
        }
        false
    }

    /// The last map before the reduction that these statements end in which can run in its iterations.
    fn map_before(&self, statements: &[Statement]) -> Option<usize> {
        let (last, around) = statements.split_last()?;
        let blocks = self.blocks(std::slice::from_ref(last));
        (around.len().saturating_sub(FAR)..around.len()).rev().find(|at| {
            Map::of(&around[*at])
                .is_some_and(|map| self.touch(map.body, &blocks) && self.before(statements, *at).is_ok())
        })
    }

    /// Whether the map at a place can run in the iterations of the reduction that these statements end in.
    fn before(&self, statements: &[Statement], at: usize) -> Result<(), Refusal> {
        let map = Map::of(&statements[at]).ok_or(Refusal::Kinds)?;
        let (last, around) = statements.split_last().ok_or(Refusal::Kinds)?;
        let reduction = Reduction::of(last, around, map.bound)?;
        self.fits(&map, &reduction)?;
        let moved = Stays::of(&statements[at]);
        match statements[at + 1..statements.len() - 1].iter().all(|between| self.stays(&moved, between)) {
            true => Ok(()),
            false => Err(Refusal::Between),
        }
    }

    /// Whether the last of these statements, a map, can run in the iterations of the reduction that is the first; which of those between go in front
    /// of it then.
    fn behind(&self, statements: &[Statement], around: &[Statement]) -> Result<Vec<usize>, Refusal> {
        let [first, between @ .., last] = statements else { return Err(Refusal::Kinds) };
        let map = Map::of(last).ok_or(Refusal::Kinds)?;
        let reduction = Reduction::of(first, around, map.bound)?;
        self.fits(&map, &reduction)?;
        let needed = needed(last, between).ok_or(Refusal::Needed)?;
        let mut moved = Stays::of(last);
        needed.iter().for_each(|at| moved.add(&between[*at]));
        let allocates = needed.iter().any(|at| matches!(between[*at].kind, StatementKind::Alloc { .. }));
        for (at, statement) in between.iter().enumerate() {
            if !needed.contains(&at) && !self.stays(&moved, statement) {
                return Err(Refusal::Between);
            }
            if allocates && !needed.contains(&at) && !self.lets_allocate(statement) {
                return Err(Refusal::Needed);
            }
        }
        Ok(needed)
    }

    /// Puts a map at the end of the iterations of the reduction before it, and what it needs in front of that.
    fn move_up(&self, done: &mut Vec<Statement>, at: usize, needed: &[usize]) {
        let Some(map) = done.pop() else { return };
        for (count, between) in needed.iter().enumerate() {
            let statement = done.remove(at + 1 + between);
            done.insert(at + count, statement);
        }
        self.put_in(map, &mut done[at + needed.len()], false);
    }

    /// Puts the iterations of a map into those of a reduction, at their beginning or end.
    fn put_in(&self, map: Statement, reduction: &mut Statement, first: bool) {
        let StatementKind::For { var, body: mut moved, .. } = map.kind else { return };
        let Some((index, body)) = reduction::iterations(reduction) else { return };
        replace(&mut moved, var, index);
        // behind what declares the index
        let at = if first { 1 } else { body.len() };
        body.splice(at..at, moved);
        self.share(body);
    }

    /// Whether two views have no cell in common.
    fn apart(&self, x: Var, y: Var) -> bool {
        self.places.in_different_blocks(x, y)
            || self.places.in_one_block(x, y).is_some_and(|(x, y)| self.facts.disjoint(x, y))
    }
}

impl Map<'_> {
    /// A parallel loop that computes with scalars and writes cells, straight on, and cannot stop the program.
    fn of(statement: &Statement) -> Option<Map<'_>> {
        let StatementKind::For { var, bound, kind: LoopKind::Par, body, .. } = &statement.kind else {
            return None;
        };
        legal::is_straight(body).then_some(Map { counter: *var, bound, body })
    }
}
