//! Nests whose iterations read an array near their own place become kernels whose blocks of threads read a tile of it, with a rim, into memory that they
//! share.
//!
//! ```text
//! for i < n par { for j < m simd { … a[i - 1, j] … a[i, j] … a[i + 1, j + 1] …  b[i, j] := x } }
//! ```
//! becomes, where there are iterations enough,
//! ```text
//! for block < blocks block {
//!   let row = mul.i64(quot.i64(block, across), 32)   let column = mul.i64(rem.i64(block, across), 32)
//!   alloc tile_mem : f32[34][33] in shared
//!   for t < 256 thread {
//!     for e < 5 unroll {
//!       let down = add.i64(quot.i64(t, 32), mul.i64(e, 8))
//!       if lt.i64(down, 34) { tile[down, rem.i64(t, 32)] := a[… row - 1 + down …, … column + rem.i64(t, 32) …] }
//!     }
//!     … and so the cells of the tile that are right of these
//!   }
//!   for t < 256 thread {
//!     for r < 4 seq {
//!       let i = add.i64(row, add.i64(mul.i64(quot.i64(t, 32), 4), r))   let j = add.i64(column, rem.i64(t, 32))
//!       if and.bool(lt.i64(i, n), lt.i64(j, m)) { … tile[i - 1 - (row - 1), j - column] …  b[i, j] := x }
//!     }
//!   }
//! }
//! ```
//! Both are there twice: where the tile lies within the array nothing is brought there, and where all iterations are there, and little is done in each, a
//! thread's four are written out.
//! A cell of the tile is that of the array at its place, or at the nearest place that there is: an iteration reads what is within the array, so
//! which branch it takes, and how it clamps indices, does not matter. Where indices are taken modulo a size, the tile goes on at the other end. Cells
//! are copied, as nobody need have written those that no iteration reads. The last two loops of a nest have tiles, or the only one; of what is around
//! them each iteration has blocks of its own, and other indices are the same for all of a tile (`nest.rs`). How far indices are from the counters is
//! found from sums with constants, counters of loops with constant bounds, minima with the last index and maxima with 0 (`distance.rs`).
//!
//! Legal where the array is in another block than all that the nest writes (`different_blocks.rs`). It pays where a thread reads several rows and at least
//! five cells: what fewer read comes from a device's cache.
//!
//! Requires I1–I9; ensures I1–I9 and I11. Cost: linear in the size of the program, but for `different_blocks.rs` in procedures that have such nests.

mod emit;
mod nest;

use super::copy::fresh;
use super::different_blocks;
use crate::thresholds::{Threshold, Thresholds};
use emit::Tiling;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_base::source::Loc;
use imp::build::Builder;
use imp::ir::{Exp, LoopKind, Procedure, Program, Statement, StatementKind};
use imp::visit::{for_each_statement, names_after};
use nest::{Nest, Views};
use std::collections::{BTreeMap, BTreeSet};

/// Sizes of tiles, and what they pay for.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    /// Threads of a block along the last loop, where two have tiles; all of them are a row where one has.
    columns: i64,
    /// Threads along the other loop.
    rows: i64,
    /// Iterations of a thread where two loops have tiles, and where one has.
    each: [i64; 2],
    /// Reads of an array in several rows from which on it has a tile.
    reads: i64,
    /// The same where all are in one row.
    reads_of_row: i64,
    /// Bytes of a block's tiles in all.
    shared_bytes: i64,
    /// Iterations below which tiles do not pay, when nobody says another number.
    least: i64,
    /// Whether loops must fill a tile.
    full: bool,
}

/// What devices want: threads in step read a row.
const USUAL: Sizes = Sizes {
    columns: 32,
    rows: 8,
    each: [4, 4],
    reads: 5,
    reads_of_row: 16,
    shared_bytes: (32 << 10) - 1,
    least: Threshold::StencilCells.usual(),
    full: true,
};
/// What small test programs come to.
const SMALL: Sizes = Sizes {
    columns: 2,
    rows: 2,
    each: [2, 1],
    reads: 2,
    reads_of_row: 2,
    shared_bytes: USUAL.shared_bytes,
    least: 1,
    full: false,
};

impl Sizes {
    fn threads(&self) -> i64 {
        self.columns * self.rows
    }

    /// Threads along each of so many loops.
    fn along(&self, axes: usize) -> Vec<i64> {
        if axes == 2 { vec![self.rows, self.columns] } else { vec![self.threads()] }
    }

    /// Iterations of a thread.
    fn rounds(&self, axes: usize) -> i64 {
        self.each[if axes == 2 { 0 } else { 1 }]
    }

    /// Iterations of a block along each of so many loops: a thread's are behind one another in the first of these.
    fn tile(&self, axes: usize) -> Vec<i64> {
        let mut tile = self.along(axes);
        tile[0] *= self.rounds(axes);
        tile
    }
}

/// Tiles the stencils of a program for a device.
pub fn run(program: Program, thresholds: &Thresholds) -> Program {
    tile(program, USUAL, thresholds)
}

/// The same with tiles that small inputs fill.
pub fn run_small(program: Program, thresholds: &Thresholds) -> Program {
    tile(program, SMALL, thresholds)
}

fn tile(mut program: Program, sizes: Sizes, thresholds: &Thresholds) -> Program {
    let mut b = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        thresholds.enter(procedure.name, &[Threshold::StencilCells]);
        let found = Found::of(procedure, &sizes);
        if !found.known.is_empty() {
            let function = procedure.name;
            found.statements(&mut procedure.body, &mut b, &|cells, loc| {
                let [least] = thresholds.ask(function, loc, [(Threshold::StencilCells, sizes.least, cells)]);
                least
            });
        }
    }
    program
}

/// What is known of a procedure.
struct Found {
    sizes: Sizes,
    views: Views,
    /// What is known of blocks at loops that may be such nests.
    known: BTreeMap<Var, different_blocks::Known>,
}

/// What a size is compared with: who asks says how many iterations there are, and where.
type Ask<'a> = &'a dyn Fn(&Exp, Option<Loc>) -> Exp;

impl Found {
    fn of(procedure: &Procedure, sizes: &Sizes) -> Found {
        let mut views = Views::new();
        let mut assigned = BTreeSet::new();
        for_each_statement(&procedure.body, &mut |statement| match &statement.kind {
            StatementKind::View { var, elem, lmad, .. } => _ = views.insert(*var, (*elem, lmad.clone())),
            StatementKind::Declare { var, .. } => _ = assigned.insert(*var),
            _ => {}
        });
        // sizes that are not the same any more where the array is read
        views.retain(|_, (_, lmad)| {
            let mut fixed = true;
            lmad.dims
                .iter()
                .for_each(|dim| dim.size.for_each_var(&mut |var| fixed &= !assigned.contains(&var)));
            fixed
        });
        let mut counters = BTreeSet::new();
        for_each_statement(&procedure.body, &mut |statement| {
            if let StatementKind::For { var, kind: LoopKind::Par, .. } = &statement.kind
                && let Some(nest) = Nest::of(statement)
                && nest.may_pay(&views, sizes)
            {
                counters.insert(*var);
            }
        });
        let known = match counters.is_empty() {
            true => BTreeMap::new(),
            false => different_blocks::at_loops(procedure, &counters),
        };
        Found { sizes: *sizes, views, known }
    }

    fn statements(&self, list: &mut Vec<Statement>, b: &mut Builder, ask: Ask) {
        let mut done = Vec::with_capacity(list.len());
        for mut statement in std::mem::take(list) {
            let outer = b.begin();
            b.loc = statement.loc;
            let tiled = self.tiled(&statement, b, ask);
            let new = b.end(outer);
            match tiled {
                Some(()) => done.extend(new),
                None => {
                    if !matches!(&statement.kind, StatementKind::For { kind, .. } if kind.is_parallel()) {
                        statement.kind.for_each_body_mut(&mut |body| self.statements(body, b, ask));
                    }
                    done.push(statement);
                }
            }
        }
        *list = done;
    }

    /// Adds a nest with tiles, where it is large; adds nothing that stays where there are none.
    fn tiled(&self, statement: &Statement, b: &mut Builder, ask: Ask) -> Option<()> {
        let StatementKind::For { var, .. } = &statement.kind else { return None };
        let known = self.known.get(var)?;
        if Nest::of(statement)?.groups(&self.views, known, &self.sizes).is_empty() {
            return None;
        }
        let copy = fresh(std::slice::from_ref(statement), &mut b.names);
        let nest = Nest::of(copy.first()?)?;
        let groups = nest.groups(&self.views, known, &self.sizes);
        let tiling = Tiling { nest: &nest, groups: &groups, sizes: &self.sizes };
        let (then, ()) = b.nested(|b| tiling.emit(b));
        let large = tiling.is_large(b, &|cells| ask(cells, statement.loc));
        let large = b.let_("large", PrimType::Bool, large);
        b.push(StatementKind::If { condition: large.into(), then, otherwise: vec![statement.clone()] });
        Some(())
    }
}
