//! Nests like matrix products become kernels whose blocks of threads read tiles of both operands into memory that they share; each thread keeps the
//! sums of several rows and columns in registers.
//!
//! ```text
//! for i < n par { for j < p simd { var sum : f32 = 0  for k < m fold { … a[i, k] … b[k, j] … }  c[i, j] := sum } }
//! ```
//! becomes, where n, m and p are large enough,
//! ```text
//! for block < blocks block {
//!   alloc left_mem : f32[2][16][132] in shared      alloc next_left_mem : f32[256][8] in register
//!   alloc right_mem : f32[2][16][128] in shared     alloc next_right_mem : f32[256][8] in register
//!   alloc sums_mem : f32[256][8][8] in register
//!   for t < 256 thread {
//!     for r < 8 unroll { for c < 8 unroll { sums[t, r, c] := 0 } }
//!     if 0 < m { for e < 8 unroll { left[0, …] := a[i, k] }  for e < 8 unroll { right[0, …] := b[k, j] } }
//!   }
//!   for tile < tiles seq {
//!     for t < 256 thread {
//!       if tile + 1 < tiles { for e < 8 unroll { next_left[t, e] := a[i, k] }  for e < 8 unroll { next_right[t, e] := b[k, j] } }
//!       if deep == 16 { for part < 2 seq { for q < 8 unroll { … } } } else {
//!         for q < deep seq {
//!           for r < 8 unroll { for c < 8 unroll {
//!             sums[t, r, c] := fma.f32(left[half, q, down], right[half, q, across], sums[t, r, c])
//!           } }
//!         }
//!       }
//!       if tile + 1 < tiles { for e < 8 unroll { left[other, …] := next_left[t, e] }  for e < 8 unroll { right[other, …] := next_right[t, e] } }
//!     }
//!   }
//!   for t < 256 thread { for r < 8 unroll { for c < 8 unroll { if … { c[i, j] := sums[t, r, c] } } } }
//! }
//! ```
//! with `ty = t / 16`, `tx = t % 16`, `down = r / 4 * 64 + ty * 4 + r % 4`, `across` so from `c` and `tx`, `half = tile % 2` and `other = 1 - half`. So a thread has asked for the
//! next tile before it computes with the present one, and one barrier for each tile is enough: between two, threads read one half of the shared
//! memory and write the other (`tiles.rs`). Tiles at the edges read the last row, column or inner index again, and write and count only what there
//! is. Of a batch of products each has as many blocks (`batch.rs`). Where these are too few for a device, there is a second version with blocks of 8
//! by 8 threads, so that four times as many have a tile.
//!
//! Legal where `tile_products` is (`tile_products/nest.rs`), and where every element that depends on the row has a name of its own. Each sum has
//! its own order of elements, as before; a product that is only added is not rounded before (docs/backends.md).
//!
//! Requires I1–I9; ensures I1–I9, I11 and I13. Cost: linear in the size of the program.

mod batch;
mod count;
mod tiles;

use super::copy::{fresh, replace};
use super::tile_products::nest::{Nest, Packed};
use crate::thresholds::{Threshold, Thresholds};
use batch::Batch;
use fun_base::name::{Symbol, Var};
use fun_base::prim::{BinOp, PrimType};
use fun_base::source::Loc;
use fun_index::lmad::Lmad;
use imp::build::{Builder, add, bin, mul, read};
use imp::ir::{Exp, LoopKind, Program, Statement, StatementKind};
use imp::visit::{for_each_statement, names_after};
use std::collections::BTreeMap;
use tiles::{At, HALVES, Own, Side};

/// Sizes of tiles.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    /// Rows and columns of threads in a block.
    threads: i64,
    /// The same where there would be too few blocks.
    few_threads: i64,
    /// Rows and columns of sums of a thread, where these have at most 4 bytes; half as many where they have more.
    sums: i64,
    /// Inner indices of a tile; fewer where its block has no room for so many.
    depth: i64,
    /// Inner indices that are written out one after the other.
    unrolled: i64,
    /// Rows, columns and inner iterations below which tiles do not pay, when nobody says others.
    least: [i64; 3],
    /// Blocks below which these are made smaller, when nobody says another number.
    blocks: i64,
}

/// What devices want: 64 sums of a thread in registers, and four tiles of 8 KiB. (Rows of 16 inner indices are read at once; eight would be half of what a device gets.)
const USUAL: Sizes = Sizes {
    threads: 16,
    few_threads: 8,
    sums: 8,
    depth: 16,
    unrolled: 8,
    least: USUAL_LEAST,
    blocks: Threshold::ProductBlocks.usual(),
};
/// From which sizes on they want tiles.
const USUAL_LEAST: [i64; 3] =
    [Threshold::ProductRows.usual(), Threshold::ProductColumns.usual(), Threshold::ProductDepth.usual()];
/// What small test programs come to.
const SMALL: Sizes =
    Sizes { threads: 2, few_threads: 1, sums: 2, depth: 2, unrolled: 1, least: [1, 1, 1], blocks: 4 };

/// Bytes that the tiles of a block take at most, of the 48 KiB that each device has for one.
const SHARED_BYTES: i64 = 40 << 10;

/// The thresholds of rows, columns and inner iterations, and of blocks.
const ASKED: [Threshold; 4] =
    [Threshold::ProductRows, Threshold::ProductColumns, Threshold::ProductDepth, Threshold::ProductBlocks];

/// Who asks for thresholds.
struct Asker<'t> {
    thresholds: &'t Thresholds,
    function: Symbol,
}

impl Asker<'_> {
    /// Whether a nest is large.
    fn is_large(&self, nest: &Nest<'_>, [rows, columns, depth]: [i64; 3], loc: Option<Loc>) -> Exp {
        let [first, second, third, _] = ASKED;
        let Nest { n, p, m, .. } = nest;
        let asked = [(first, rows, n), (second, columns, p), (third, depth, m)];
        let [rows, columns, depth] = self.thresholds.ask(self.function, loc, asked);
        let at_least = |x: &Exp, least: Exp| bin(BinOp::Ge, I64, x.clone(), least);
        let both = |x, y| bin(BinOp::And, PrimType::Bool, x, y);
        both(both(at_least(n, rows), at_least(p, columns)), at_least(m, depth))
    }

    /// Whether so many blocks fill a device.
    fn are_many(&self, blocks: Exp, least: i64, loc: Option<Loc>) -> Exp {
        let [least] = self.thresholds.ask(self.function, loc, [(Threshold::ProductBlocks, least, &blocks)]);
        bin(BinOp::Ge, I64, blocks, least)
    }
}

const I64: PrimType = PrimType::I64;

/// Tiles the products of a program for a device.
pub fn run(program: Program, thresholds: &Thresholds) -> Program {
    tile(program, USUAL, thresholds)
}

/// The same with tiles that small inputs fill.
pub fn run_small(program: Program, thresholds: &Thresholds) -> Program {
    tile(program, SMALL, thresholds)
}

fn tile(mut program: Program, sizes: Sizes, thresholds: &Thresholds) -> Program {
    let mut builder = Builder::new(names_after(&program));
    let mut views = BTreeMap::new();
    for procedure in &program.procedures {
        for_each_statement(&procedure.body, &mut |statement| {
            if let StatementKind::View { var, lmad, .. } = &statement.kind {
                views.insert(*var, lmad.clone());
            }
        });
    }
    for procedure in &mut program.procedures {
        thresholds.enter(procedure.name, &ASKED);
        let asker = Asker { thresholds, function: procedure.name };
        statements(&mut procedure.body, sizes, &asker, &mut views, &mut builder);
    }
    program
}

fn statements(
    list: &mut Vec<Statement>,
    sizes: Sizes,
    asker: &Asker<'_>,
    views: &mut BTreeMap<Var, Lmad>,
    b: &mut Builder,
) {
    let mut done = Vec::with_capacity(list.len());
    for mut statement in std::mem::take(list) {
        let batch = Batch::of(&statement, &mut b.names);
        let found = batch.as_ref().and_then(|batch| Some((batch, batch.nest()?)));
        let Some((batch, nest)) = found else {
            statement.kind.for_each_body_mut(&mut |body| statements(body, sizes, asker, views, b));
            done.push(statement);
            continue;
        };
        let outer = b.begin();
        b.loc = statement.loc;
        let large = asker.is_large(&nest, sizes.least, statement.loc);
        let blocks = blocks_of(b, batch, &nest, &sizes);
        let tiled = versions(&statement, sizes, asker, blocks, views, b);
        let made = b.end(outer);
        let Some(then) = tiled else {
            done.push(statement);
            continue;
        };
        done.extend(made);
        let outer = b.begin();
        let large = b.let_("large", PrimType::Bool, large);
        b.push(StatementKind::If { condition: large.into(), then, otherwise: vec![statement] });
        done.extend(b.end(outer));
    }
    *list = done;
}

/// How many blocks of the larger kind a batch has: a constant, or a name for it.
fn blocks_of(b: &mut Builder, batch: &Batch, nest: &Nest<'_>, sizes: &Sizes) -> Exp {
    let side = sizes.threads * sums_of(nest, sizes);
    let constant = |exp: &Exp| if let Exp::Const(value) = exp { value.as_i64() } else { None };
    if let (Some(n), Some(p), true) = (constant(&nest.n), constant(&nest.p), batch.is_single()) {
        let parts = |size: i64| size.max(0).div_euclid(side) + i64::from(size.max(0) % side > 0);
        return Exp::i64(parts(n).saturating_mul(parts(p)));
    }
    let down = Tiling::parts(b, "down", &nest.n, side);
    let across = Tiling::parts(b, "across", &nest.p, side);
    let each = b.let_("blocks", I64, mul(down, across));
    batch.blocks(b, each).into()
}

/// The nest in tiles, those of fewer threads where these would be few blocks; nothing if tiles do not fit.
fn versions(
    statement: &Statement,
    sizes: Sizes,
    asker: &Asker<'_>,
    blocks: Exp,
    views: &mut BTreeMap<Var, Lmad>,
    b: &mut Builder,
) -> Option<Vec<Statement>> {
    let many = version(statement, sizes, views, b)?;
    let sizes = Sizes { threads: sizes.few_threads, ..sizes };
    let Some(few) = version(statement, sizes, views, b) else { return Some(many) };
    let condition = asker.are_many(blocks, sizes.blocks, statement.loc);
    Some(b.nested(|b| b.push(StatementKind::If { condition, then: many, otherwise: few })).0)
}

/// The nest in tiles of these sizes, if they fit.
fn version(
    statement: &Statement,
    sizes: Sizes,
    views: &mut BTreeMap<Var, Lmad>,
    b: &mut Builder,
) -> Option<Vec<Statement>> {
    let batch = Batch::of(statement, &mut b.names)?;
    batch.for_each_view(&mut |var, lmad| _ = views.insert(var, lmad.clone()));
    let nest = batch.nest()?;
    let tiling = Tiling::new(&batch, &nest, sizes, views)?;
    let (made, ()) = b.nested(|b| tiling.tiled(b));
    Some(made)
}

/// Rows and columns of sums of a thread.
fn sums_of(nest: &Nest<'_>, sizes: &Sizes) -> i64 {
    let rows = nest.rows.as_deref().unwrap_or_default();
    let read = rows.iter().chain(&nest.packed).map(|packed| packed.elem.bytes());
    let widest = nest.accumulators.iter().map(|sum| sum.ty.bytes()).chain(read).max().unwrap_or(1);
    let several = nest.accumulators.len() > 1 || rows.len() > 1 || nest.packed.len() > 1;
    if widest > 4 || several { (sizes.sums / 2).max(1) } else { sizes.sums }
}

/// A nest to be tiled.
struct Tiling<'n> {
    /// With what is around it.
    batch: &'n Batch,
    nest: &'n Nest<'n>,
    /// The elements that depend on the row.
    rows: &'n [Packed],
    views: &'n BTreeMap<Var, Lmad>,
    /// Rows and columns of threads.
    threads: i64,
    /// Rows and columns of sums of a thread.
    sums: i64,
    depth: i64,
    unrolled: i64,
}

/// The last index below a size that is at most this one.
fn inside(index: Exp, size: &Exp) -> Exp {
    bin(BinOp::Min, I64, index, bin(BinOp::Sub, I64, size.clone(), Exp::i64(1)))
}

fn quot(x: impl Into<Exp>, y: impl Into<Exp>) -> Exp {
    bin(BinOp::Quot, I64, x, y)
}

fn rem(x: impl Into<Exp>, y: impl Into<Exp>) -> Exp {
    bin(BinOp::Rem, I64, x, y)
}

impl<'n> Tiling<'n> {
    /// The tiling of a nest, if its tiles fit into the memory that a block has.
    fn new(
        batch: &'n Batch,
        nest: &'n Nest<'n>,
        sizes: Sizes,
        views: &'n BTreeMap<Var, Lmad>,
    ) -> Option<Tiling<'n>> {
        let rows = nest.rows.as_deref().unwrap_or_default();
        let (sums, threads) = (sums_of(nest, &sizes), sizes.threads);
        let Sizes { depth, unrolled, .. } = sizes;
        let mut tiling = Tiling { batch, nest, rows, views, threads, sums, depth, unrolled };
        while tiling.shared_bytes() > SHARED_BYTES {
            tiling.depth /= 2;
            // threads have an equal number of elements
            (tiling.depth > 0 && tiling.side() * tiling.depth % tiling.width() == 0).then_some(())?;
        }
        Some(tiling)
    }

    /// Rows or columns of a tile.
    fn side(&self) -> i64 {
        self.threads * self.sums
    }

    /// Threads of a block.
    fn width(&self) -> i64 {
        self.threads * self.threads
    }

    /// How many tiles there are along a size.
    fn parts(b: &mut Builder, name: &str, whole: &Exp, part: i64) -> Var {
        b.let_(name, I64, quot(add(whole.clone(), Exp::i64(part - 1)), Exp::i64(part)))
    }

    fn tiled(&self, b: &mut Builder) {
        let Nest { n, p, m, .. } = self.nest;
        self.batch.before(b);
        let down = Self::parts(b, "down", n, self.side());
        let across = Self::parts(b, "across", p, self.side());
        let tiles = Self::parts(b, "tiles", m, self.depth);
        let each = b.let_("blocks", I64, mul(down, across));
        let blocks = self.batch.blocks(b, each);
        b.for_("block", blocks, LoopKind::Block, |b, block| {
            let block = self.batch.enter(b, block, each);
            // there are no blocks where there are no columns
            let some = bin(BinOp::Max, I64, across, Exp::i64(1));
            let row = b.let_("row", I64, mul(quot(block, some.clone()), Exp::i64(self.side())));
            let column = b.let_("column", I64, mul(rem(block, some), Exp::i64(self.side())));
            let own = self.own(b);
            b.for_("t", Exp::i64(self.width()), LoopKind::Thread, |b, t| {
                self.each_of(b, t, |b, cell| {
                    for (sum, view) in self.nest.accumulators.iter().zip(&own.sums) {
                        b.write(*view, cell.to_vec(), sum.first.clone());
                    }
                });
                b.when(bin(BinOp::Lt, I64, Exp::i64(0), m.clone()), |b| {
                    let start = b.let_("start", I64, Exp::i64(0));
                    self.fill(b, t, At { row, column, start }, &own);
                });
            });
            b.for_("tile", tiles, LoopKind::Seq, |b, tile| self.tile(b, (row, column, tile), &own));
            self.write(b, (row, column), &own);
            own.free(b);
        });
    }

    /// Each thread combines what is in the tiles into its sums, and reads its part of the next tiles.
    fn tile(&self, b: &mut Builder, (row, column, tile): (Var, Var, Var), own: &Own<'_>) {
        let m = &self.nest.m;
        let start = b.let_("start", I64, mul(tile, Exp::i64(self.depth)));
        let left = bin(BinOp::Sub, I64, m.clone(), start);
        let deep = b.let_("deep", I64, bin(BinOp::Min, I64, left, Exp::i64(self.depth)));
        let next = b.let_("next", I64, add(start, Exp::i64(self.depth)));
        let more = b.let_("more", PrimType::Bool, bin(BinOp::Lt, I64, next, m.clone()));
        let half = b.let_("half", I64, rem(tile, Exp::i64(HALVES)));
        let other = b.let_("other", I64, bin(BinOp::Sub, I64, Exp::i64(1), half));
        b.for_("t", Exp::i64(self.width()), LoopKind::Thread, |b, t| {
            b.when(more, |b| {
                let at = At { row, column, start: next };
                let whole = self.is_whole(at);
                let (then, ()) = b.nested(|b| self.ask(b, t, at, true, own));
                let (otherwise, ()) = b.nested(|b| self.ask(b, t, at, false, own));
                b.push(StatementKind::If { condition: whole, then, otherwise });
            });
            self.count(b, t, At { row, column, start }, (half, deep), own);
            b.when(more, |b| self.store(b, t, other, own));
        });
    }

    /// Whether no tile that begins there reaches beyond an edge.
    fn is_whole(&self, at: At) -> Exp {
        let Nest { n, p, m, .. } = self.nest;
        let edges = [(at.row, self.side(), n), (at.column, self.side(), p), (at.start, self.depth, m)];
        let fits = |(first, length, size): (Var, i64, &Exp)| {
            bin(BinOp::Le, I64, add(first, Exp::i64(length)), size.clone())
        };
        let [rows, columns, deep] = edges.map(fits);
        let both = |x, y| bin(BinOp::And, PrimType::Bool, x, y);
        both(both(rows, columns), deep)
    }

    /// What a thread does for each of its sums: `f` gets the indices of the cell that the sum is in.
    fn each_of(&self, b: &mut Builder, t: Var, f: impl FnOnce(&mut Builder, &[Exp; 3])) {
        b.for_("r", Exp::i64(self.sums), LoopKind::Unroll, |b, r| {
            b.for_("c", Exp::i64(self.sums), LoopKind::Unroll, |b, c| {
                f(b, &[t.into(), r.into(), c.into()]);
            });
        });
    }

    /// The row and column of a thread in its block.
    fn place(&self, b: &mut Builder, t: Var) -> (Var, Var) {
        let ty = b.let_("ty", I64, quot(t, Exp::i64(self.threads)));
        (ty, b.let_("tx", I64, rem(t, Exp::i64(self.threads))))
    }

    /// Each thread does what follows the fold, for those of its sums that there are.
    fn write(&self, b: &mut Builder, (row, column): (Var, Var), own: &Own<'_>) {
        let Nest { n, p, accumulators, .. } = self.nest;
        b.for_("t", Exp::i64(self.width()), LoopKind::Thread, |b, t| {
            let (ty, tx) = self.place(b, t);
            self.each_of(b, t, |b, cell| {
                let [_, r, c] = cell.clone();
                let i = b.let_(self.nest.i.text, I64, add(row, self.apart(Side::Row, r, ty)));
                let j = b.let_(self.nest.j.text, I64, add(column, self.apart(Side::Column, c, tx)));
                let below = |x: Var, size: &Exp| bin(BinOp::Lt, I64, x, size.clone());
                let there_is = bin(BinOp::And, PrimType::Bool, below(i, n), below(j, p));
                b.when(there_is, |b| {
                    let mut rest = fresh(self.nest.rest, &mut b.names);
                    for (sum, view) in accumulators.iter().zip(&own.sums) {
                        let value = b.let_("sum", sum.ty, read(*view, cell.to_vec()));
                        replace(&mut rest, sum.var, value);
                    }
                    replace(&mut rest, self.nest.i, i);
                    replace(&mut rest, self.nest.j, j);
                    b.push_all(rest);
                });
            });
        });
    }
}
