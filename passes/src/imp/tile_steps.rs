//! Steps over arrays that take turns, where each row of a step needs a few rows of the step before, are computed several at a time, a row of each in
//! turn, so that rows are still in the cache when the next step reads them.
//!
//! ```text
//! for t < steps seq {
//!   view old : f32 @ p -> …   view new : f32 @ q -> …
//!   for i < rows par { for j < columns simd { new[i, j] := add.f32(old[i - 1, j], old[i + 1, j]) } }
//!   var rest : mem = p   p := q   q := rest
//! }
//! ```
//! becomes, with eight steps in a round and `reach = 1` (how far the rows are that a row needs),
//! ```text
//! let pieces = …                                                          of so many rows, 16 at least: one for one thread
//! for round < add.i64(1, quot.i64(sub.i64(steps, 1), 8)) seq {
//!   let first = mul.i64(round, 8)
//!   let count = min.i64(8, sub.i64(steps, first))
//!   for phase < 2 seq {
//!     for c < sub.i64(pieces, phase) par {
//!       for wave < waves seq {
//!         var p' : mem = p   var q' : mem = q
//!         for s < count seq {
//!           let i = sub.i64(add.i64(start, wave), mul.i64(reach, s))
//!           if and.bool(le.i64(low, i), lt.i64(i, high)) { let t = add.i64(first, s)   … row i of the step, from p' to q' … }
//!           var rest' : mem = p'   p' := q'   q' := rest'
//!         }
//!       }
//!     }
//!   }
//!   for s < count seq { var rest : mem = p   p := q   q := rest }
//! }
//! ```
//! The first phase computes of each piece what needs nothing of others: a row less at each end with each step (trapezoids), but at the ends of the array. The second one
//! computes the rest, a row more to each side of a place between two pieces with each step. (Frigo and Strumpen, Cache Oblivious Stencil Computations,
//! 2005; Wonnacott, Using Time Skewing to Eliminate Idle Time due to Memory Bandwidth and Network Limitations, 2000.)
//!
//! Legal where what a step reads is what the step before wrote, in another block than it writes itself, rows at most `reach` from its own, and else only what no step
//! writes; where a row is written by its own iteration alone, as all of these arrays lie in the same way, without overlapping rows; and where nothing can fail. Let
//! `(s, i)` be row `i` of step `s`. Then all that must keep their order are `(s, i)` and `(s + 1, k)` with `|i - k| <= reach`: the second reads what the first wrote, or
//! may write where the first reads. In a piece the first has the lower wave, or the same one and comes before; what different pieces of a phase touch lies apart, as they
//! have `2 * reach` rows for each step of a round.
//!
//! Requires and ensures I1–I10. Cost: linear in the size of the program, but for `different_blocks.rs` in procedures that have such loops; a step is there twice.

mod emit;
mod steps;

use super::different_blocks;
use emit::Tiling;
use fun_base::name::Var;
use imp::build::Builder;
use imp::ir::{LoopKind, Program, Statement, StatementKind};
use imp::visit::{for_each_statement, names_after};
use std::collections::{BTreeMap, BTreeSet};
use steps::{Setting, Steps};

/// How steps are put together.
#[derive(Clone, Copy)]
struct Sizes {
    /// How many rows the steps of a round move in all: so many steps where the reach is one.
    moved: i64,
    /// Pieces for each thread; the least that there may be when this is zero.
    pieces: i64,
    /// How many rows and columns pay.
    least: [i64; 2],
}

/// Sixteen rows of an array of 4,096 columns or less are in a second-level cache.
const USUAL: Sizes = Sizes { moved: 8, pieces: 2, least: [32, 64] };
/// What small test programs come to.
const SMALL: Sizes = Sizes { moved: 2, pieces: 0, least: [1, 1] };

impl Sizes {
    /// How many steps a round has; none where rows are needed from too far.
    fn together(&self, reach: i64) -> Option<i64> {
        let steps = self.moved / reach;
        (steps > 1).then_some(steps)
    }
}

/// Tiles the steps of a program.
pub fn run(program: Program) -> Program {
    tile(program, USUAL)
}

/// The same with pieces that small inputs fill.
pub fn run_small(program: Program) -> Program {
    tile(program, SMALL)
}

fn tile(mut program: Program, sizes: Sizes) -> Program {
    let mut b = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        let mut counters = BTreeSet::new();
        for_each_statement(&procedure.body, &mut |statement| {
            counters.extend(Steps::of(statement).map(|steps| steps.row));
        });
        if counters.is_empty() {
            continue;
        }
        let known = different_blocks::at_loops(procedure, &counters);
        let setting = Setting::of(procedure);
        statements(&mut procedure.body, &known, &setting, sizes, &mut b);
    }
    program
}

fn statements(
    list: &mut Vec<Statement>,
    known: &BTreeMap<Var, different_blocks::Known>,
    setting: &Setting,
    sizes: Sizes,
    b: &mut Builder,
) {
    let mut done = Vec::with_capacity(list.len());
    for mut statement in std::mem::take(list) {
        let outer = b.begin();
        b.loc = statement.loc;
        let tiled = Steps::of(&statement).and_then(|steps| {
            let stencil = steps.stencil(setting, known.get(&steps.row)?)?;
            let together = sizes.together(stencil.reach)?;
            Tiling { steps: &steps, stencil, together, sizes }.emit(&statement, b);
            Some(())
        });
        let new = b.end(outer);
        if tiled.is_some() {
            done.extend(new);
            continue;
        }
        // parallel loops in parallel ones run in order
        if !matches!(&statement.kind, StatementKind::For { kind, .. } if *kind != LoopKind::Seq) {
            statement.kind.for_each_body_mut(&mut |body| statements(body, known, setting, sizes, b));
        }
        done.push(statement);
    }
    *list = done;
}
