//! Nests like matrix products become kernels whose blocks of threads read tiles of both operands into memory that they share; each thread keeps the
//! sums of several rows and columns in registers.
//!
//! ```text
//! for i < n par { for j < p simd { var sum : f32 = 0  for k < m fold { … a[i, k] … b[k, j] … }  c[i, j] := sum } }
//! ```
//! becomes, where n, m and p are large enough,
//! ```text
//! for block < blocks block {
//!   alloc left_mem : f32[16][129] in shared
//!   alloc right_mem : f32[16][129] in shared
//!   alloc sums_mem : f32[256][8][8] in register
//!   for t < 256 thread { for r < 8 unroll { for c < 8 unroll { sums[t, r, c] := 0 } } }
//!   for tile < tiles seq {
//!     for t < 256 thread { for e < 8 unroll { left[…] := a[i, k]  right[…] := b[k, j] } }
//!     for t < 256 thread {
//!       for q < deep seq {
//!         for r < 8 unroll { for c < 8 unroll { sums[t, r, c] := fma.f32(left[q, r * 16 + ty], right[q, c * 16 + tx], sums[t, r, c]) } }
//!       }
//!     }
//!   }
//!   for t < 256 thread { for r < 8 unroll { for c < 8 unroll { if … { c[i, j] := sums[t, r, c] } } } }
//! }
//! ```
//! with `ty = t / 16` and `tx = t % 16`. Tiles at the edges read the last row, column or inner index again, and write and count only what there is.
//! Neighbouring threads read neighbouring cells: along the rows of an operand, or along its columns where it lies in memory by columns. A tile's
//! rows have one cell more than they need, so that threads that write one column use different banks. Of a batch of products each has as many
//! blocks (`batch.rs`).
//!
//! Legal where `tile_products` is (`tile_products/nest.rs`), and where every element that depends on the row has a name of its own. Each sum has
//! its own order of elements, as before; a product that is only added is not rounded before (docs/backends.md).
//!
//! Requires I1–I9; ensures I1–I9, I11 and I13. Cost: linear in the size of the program.

mod batch;

use super::copy::{fresh, replace, write_to};
use super::tile_products::nest::{Nest, Packed};
use crate::thresholds::{Threshold, Thresholds};
use batch::Batch;
use fun_base::name::{Symbol, Var};
use fun_base::prim::{BinOp, PrimType};
use fun_base::source::Loc;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::build::{Builder, add, bin, mul, read};
use imp::ir::{Exp, LoopKind, Program, Space, Statement, StatementKind};
use imp::visit::{for_each_statement, names_after};
use std::collections::BTreeMap;

/// Sizes of tiles.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    /// Rows and columns of threads in a block.
    threads: i64,
    /// Rows and columns of sums of a thread, where these have at most 4 bytes; half as many where they have more.
    sums: i64,
    /// Inner indices of a tile.
    depth: i64,
    /// Rows, columns and inner iterations below which tiles do not pay, when nobody says others.
    least: [i64; 3],
}

/// What devices want: 64 sums of a thread in registers, and two tiles of 8 KiB.
const USUAL: Sizes = Sizes { threads: 16, sums: 8, depth: 16, least: USUAL_LEAST };
/// From which sizes on they want tiles.
const USUAL_LEAST: [i64; 3] =
    [Threshold::ProductRows.usual(), Threshold::ProductColumns.usual(), Threshold::ProductDepth.usual()];
/// What small test programs come to.
const SMALL: Sizes = Sizes { threads: 2, sums: 2, depth: 2, least: [1, 1, 1] };

/// The thresholds of rows, columns and inner iterations.
const ASKED: [Threshold; 3] = [Threshold::ProductRows, Threshold::ProductColumns, Threshold::ProductDepth];

/// Who asks for thresholds.
struct Asker<'t> {
    thresholds: &'t Thresholds,
    function: Symbol,
}

impl Asker<'_> {
    /// Whether a nest is large.
    fn is_large(&self, nest: &Nest<'_>, [rows, columns, depth]: [i64; 3], loc: Option<Loc>) -> Exp {
        let [first, second, third] = ASKED;
        let Nest { n, p, m, .. } = nest;
        let asked = [(first, rows, n), (second, columns, p), (third, depth, m)];
        let [rows, columns, depth] = self.thresholds.ask(self.function, loc, asked);
        let at_least = |x: &Exp, least: Exp| bin(BinOp::Ge, I64, x.clone(), least);
        let both = |x, y| bin(BinOp::And, PrimType::Bool, x, y);
        both(both(at_least(n, rows), at_least(p, columns)), at_least(m, depth))
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
        batch.for_each_view(&mut |var, lmad| _ = views.insert(var, lmad.clone()));
        let outer = b.begin();
        b.loc = statement.loc;
        let large = asker.is_large(&nest, sizes.least, statement.loc);
        Tiling::new(batch, &nest, sizes, views).emit(b, large, statement.clone());
        done.extend(b.end(outer));
    }
    *list = done;
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
}

/// Which operand a tile is of.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Row,
    Column,
}

/// What a block has of its own: views of tiles, and of the sums of its threads.
struct Own {
    left: Vec<Var>,
    right: Vec<Var>,
    sums: Vec<Var>,
    memory: Vec<Var>,
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
    fn new(batch: &'n Batch, nest: &'n Nest<'n>, sizes: Sizes, views: &'n BTreeMap<Var, Lmad>) -> Tiling<'n> {
        let rows = nest.rows.as_deref().unwrap_or_default();
        let read = rows.iter().chain(&nest.packed).map(|packed| packed.elem.bytes());
        let widest = nest.accumulators.iter().map(|sum| sum.ty.bytes()).chain(read).max().unwrap_or(1);
        let several = nest.accumulators.len() > 1 || rows.len() > 1 || nest.packed.len() > 1;
        let sums = if widest > 4 || several { (sizes.sums / 2).max(1) } else { sizes.sums };
        Tiling { batch, nest, rows, views, threads: sizes.threads, sums, depth: sizes.depth }
    }

    /// Rows or columns of a tile.
    fn side(&self) -> i64 {
        self.threads * self.sums
    }

    /// Threads of a block.
    fn width(&self) -> i64 {
        self.threads * self.threads
    }

    /// The tiled nest where it is large, else as it was.
    fn emit(&self, b: &mut Builder, large: Exp, otherwise: Statement) {
        let large = b.let_("large", PrimType::Bool, large);
        let (then, ()) = b.nested(|b| self.tiled(b));
        b.push(StatementKind::If { condition: large.into(), then, otherwise: vec![otherwise] });
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
            self.each_sum(b, |b, cell| {
                for (sum, view) in self.nest.accumulators.iter().zip(&own.sums) {
                    b.write(*view, cell.to_vec(), sum.first.clone());
                }
            });
            b.for_("tile", tiles, LoopKind::Seq, |b, tile| {
                let start = b.let_("start", I64, mul(tile, Exp::i64(self.depth)));
                self.fill(b, (row, column, start), &own);
                self.count(b, (row, column, start), &own);
            });
            self.write(b, (row, column), &own);
            own.memory.iter().for_each(|memory| b.push(StatementKind::Free(*memory)));
        });
    }

    /// What a block has of its own.
    fn own(&self, b: &mut Builder) -> Own {
        let mut memory = Vec::new();
        let mut view = |b: &mut Builder, name: &str, elem: PrimType, shape: &[i64], space: Space| {
            let sizes = shape.iter().map(|size| Exp::i64(*size)).collect();
            let block = b.alloc(format!("{name}_mem").as_str(), elem, sizes, space);
            memory.push(block);
            let sizes: Vec<Poly> = shape.iter().map(|size| Poly::constant(*size)).collect();
            b.view(name, elem, block, Lmad::row_major(Poly::constant(0), &sizes))
        };
        let tile = [self.depth, self.side() + 1];
        let cells = [self.width(), self.sums, self.sums];
        let mut tiles = |b: &mut Builder, name: &str, of: &[Packed]| -> Vec<Var> {
            of.iter().map(|packed| view(b, name, packed.elem, &tile, Space::Shared)).collect()
        };
        let left = tiles(b, "left", self.rows);
        let right = tiles(b, "right", &self.nest.packed);
        let sums = self.nest.accumulators.iter();
        let sums = sums.map(|sum| view(b, "sums", sum.ty, &cells, Space::Register)).collect();
        Own { left, right, sums, memory }
    }

    /// What each thread does for each of its sums: `f` gets the indices of the cell that the sum is in.
    fn each_sum(&self, b: &mut Builder, f: impl FnOnce(&mut Builder, &[Exp; 3])) {
        b.for_("t", Exp::i64(self.width()), LoopKind::Thread, |b, t| self.each_of(b, t, f));
    }

    fn each_of(&self, b: &mut Builder, t: Var, f: impl FnOnce(&mut Builder, &[Exp; 3])) {
        b.for_("r", Exp::i64(self.sums), LoopKind::Unroll, |b, r| {
            b.for_("c", Exp::i64(self.sums), LoopKind::Unroll, |b, c| {
                f(b, &[t.into(), r.into(), c.into()]);
            });
        });
    }

    /// All threads read the tiles of both operands.
    fn fill(&self, b: &mut Builder, at: (Var, Var, Var), own: &Own) {
        b.for_("t", Exp::i64(self.width()), LoopKind::Thread, |b, t| {
            let rows = self.rows.iter().zip(&own.left).map(|(packed, view)| (Side::Row, packed, *view));
            let columns = self.nest.packed.iter().zip(&own.right);
            let columns = columns.map(|(packed, view)| (Side::Column, packed, *view));
            for (side, packed, view) in rows.chain(columns) {
                self.fill_tile(b, (at, t), (side, packed), view);
            }
        });
    }

    fn fill_tile(
        &self,
        b: &mut Builder,
        ((row, column, start), t): ((Var, Var, Var), Var),
        (side, packed): (Side, &Packed),
        view: Var,
    ) {
        let Nest { i, j, k, n, p, m, .. } = self.nest;
        let (counter, size, first) = if side == Side::Row { (*i, n, row) } else { (*j, p, column) };
        let along = self.runs_along(side, packed, counter);
        let cells = self.side() * self.depth / self.width();
        b.for_("e", Exp::i64(cells), LoopKind::Unroll, |b, e| {
            let cell = b.let_("cell", I64, add(mul(e, Exp::i64(self.width())), t));
            let length = if along { self.side() } else { self.depth };
            let outer = b.let_("outer", I64, quot(cell, Exp::i64(length)));
            let inner = b.let_("inner", I64, rem(cell, Exp::i64(length)));
            let (own, depth) = if along { (inner, outer) } else { (outer, inner) };
            let x = b.let_(counter.text, I64, inside(add(first, own), size));
            let y = b.let_(k.text, I64, inside(add(start, depth), m));
            let value = self.nest.value(b, packed, &[(counter, x), (*k, y)]);
            b.write(view, vec![depth.into(), own.into()], value);
        });
    }

    /// Whether neighbouring cells of what is read are those of neighbouring rows (columns), and not of neighbouring inner indices.
    fn runs_along(&self, side: Side, packed: &Packed, counter: Var) -> bool {
        let stride = |var: Var| {
            let Exp::Read { view, indices } = &packed.value else { return None };
            let lmad = self.views.get(view)?;
            let mut strides = indices.iter().zip(&lmad.dims).filter(|(index, _)| **index == Exp::Var(var));
            strides.next().and_then(|(_, dim)| dim.stride.as_constant())
        };
        match (stride(counter), stride(self.nest.k)) {
            (Some(1), _) => true,
            (_, Some(1)) => false,
            _ => side == Side::Column,
        }
    }

    /// Each thread combines what is in the tiles into its sums.
    fn count(&self, b: &mut Builder, (row, column, start): (Var, Var, Var), own: &Own) {
        let Nest { j, n, p, m, accumulators, .. } = self.nest;
        let left = bin(BinOp::Sub, I64, m.clone(), start);
        let count = b.let_("deep", I64, bin(BinOp::Min, I64, left, Exp::i64(self.depth)));
        b.for_("t", Exp::i64(self.width()), LoopKind::Thread, |b, t| {
            let (ty, tx) = self.place(b, t);
            b.for_("q", count, LoopKind::Seq, |b, q| {
                let k = b.let_(self.nest.k.text, I64, add(start, q));
                b.for_("r", Exp::i64(self.sums), LoopKind::Unroll, |b, r| {
                    let down = b.let_("down", I64, add(mul(r, Exp::i64(self.threads)), ty));
                    let i = b.let_(self.nest.i.text, I64, inside(add(row, down), n));
                    let c = b.names.fresh("c");
                    let across = b.names.fresh("across");
                    let of = |views: &[Var], at: Var| -> Vec<Exp> {
                        views.iter().map(|view| read(*view, vec![q.into(), at.into()])).collect()
                    };
                    let (lefts, rights) = (of(&own.left, down), of(&own.right, across));
                    let split = self.nest.split(&mut b.names, (i, k), (&rights, &lefts));
                    b.push_all(split.of_row);
                    let outer = b.begin();
                    let value = add(mul(c, Exp::i64(self.threads)), tx);
                    b.push(StatementKind::Let { var: across, ty: I64, value });
                    let column = b.let_(j.text, I64, inside(add(column, across), p));
                    let mut body = split.of_column;
                    replace(&mut body, *j, column);
                    for (sum, view) in accumulators.iter().zip(&own.sums) {
                        let cell = vec![t.into(), r.into(), c.into()];
                        let old = b.let_("old", sum.ty, read(*view, cell.clone()));
                        write_to(&mut body, sum.var, *view, &cell);
                        replace(&mut body, sum.var, old);
                    }
                    b.push_all(body);
                    let (body, bound) = (b.end(outer), Exp::i64(self.sums));
                    b.push(StatementKind::For { var: c, ty: I64, bound, kind: LoopKind::Unroll, body });
                });
            });
        });
    }

    /// The row and column of a thread in its block.
    fn place(&self, b: &mut Builder, t: Var) -> (Var, Var) {
        let ty = b.let_("ty", I64, quot(t, Exp::i64(self.threads)));
        (ty, b.let_("tx", I64, rem(t, Exp::i64(self.threads))))
    }

    /// Each thread does what follows the fold, for those of its sums that there are.
    fn write(&self, b: &mut Builder, (row, column): (Var, Var), own: &Own) {
        let Nest { n, p, accumulators, .. } = self.nest;
        b.for_("t", Exp::i64(self.width()), LoopKind::Thread, |b, t| {
            let (ty, tx) = self.place(b, t);
            self.each_of(b, t, |b, cell| {
                let [_, r, c] = cell.clone();
                let i = b.let_(self.nest.i.text, I64, add(row, add(mul(r, Exp::i64(self.threads)), ty)));
                let j = b.let_(self.nest.j.text, I64, add(column, add(mul(c, Exp::i64(self.threads)), tx)));
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
