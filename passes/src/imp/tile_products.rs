//! Nests like matrix products are cut into tiles whose sums stay in registers.
//!
//! ```text
//! for i < n par {
//!   for j < p simd {
//!     var sum : f32 = 0
//!     for k < m fold {
//!       let x = a[i, k]
//!       let y = b[k, j]
//!       let z = mul.f32(x, y)
//!       let s = add.f32(sum, z)
//!       sum := s
//!     }
//!     c[i, j] := sum
//!   }
//! }
//! ```
//! becomes, where n, m and p are large enough,
//! ```text
//! for s < strips par { for k < m seq { for c < 32 simd { packed[s, k, c] := b[k, j] } } }    (twice: for whole strips without the `min` below)
//! for g < groups par {
//!   for s < strips seq {
//!     for t < tiles seq {
//!       alloc sums_mem : f32[12][32] in stack
//!       for r < 12 unroll { for c < 32 simd { sums[r, c] := 0 } }
//!       for k < m seq {
//!         for r < 12 unroll {
//!           let x = a[i, k]
//!           for c < 32 simd {
//!             let old = sums[r, c]
//!             let y = packed[s, k, c]
//!             sums[r, c] := fma.f32(x, y, old)
//!           }
//!         }
//!       }
//!       for r < 12 seq { for c < 32 seq { if … { c[i, j] := sums[r, c] } } }
//!       free sums_mem
//!     }
//!     for t < half seq { the same with 6 in place of 12 }
//!   }
//! }
//! ```
//! with `i = min(12 (3 g + t) + r, n - 1)` and `j = min(32 s + c, p - 1)` where they are read: tiles at the edges compute the last row or column
//! again and write it once. A group has three tiles; the last one has what is left, and where that is an odd number of halves, rounded up, half a
//! tile behind the others: so at most five rows are computed again. What depends on the column but not on the row is packed, so that tiles read it in order. Of a batch of products, where
//! the loop over rows is itself in a parallel loop, all are tiled if they are large; loops over strips and groups run in order then.
//!
//! Legal for two loops whose iterations are independent (I6) around a `fold` (I10), or a `seq` loop that combines as one does, of straight-line code that can't fail: each cell is
//! read by iterations of other rows or columns or by its own before it writes, so reads may come before all writes. Each sum has its own
//! order of elements, as before; a product that is only added is not rounded before, in a `fold` (docs/backends.md). Done where every element that is
//! read depends on the row or on the column and not on both, with at least one of each: else tiles read no less.
//!
//! Requires and ensures I1–I10. Cost: linear in the size of the program.

pub(super) mod nest;
pub(super) mod straight;

use super::copy::{declared_in, fresh, mentions, replace, write_to};
use super::spread_lanes::few;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::build::{Builder, add, bin, mul, read, sub};
use imp::ir::{Exp, LoopKind, Program, Space, Statement, StatementKind};
use imp::visit::names_after;
use nest::Nest;
use straight::straightened;

/// Sizes of tiles.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    /// Rows of half a tile.
    half: i64,
    /// Bytes of a row of sums: two vectors of 64 bytes, four of 32.
    row_bytes: i64,
    /// Tiles of a group, which shares what it reads of its rows in the second cache.
    tiles: i64,
    /// Rows, columns and inner iterations below which tiles do not pay.
    least: [i64; 3],
    /// Whether sums of 8 bytes by sequential loops are in tiles, too.
    long_sums_in_order: bool,
}

/// What machines want: 12 by 32 sums of f32 take 24 of 32 vector registers of 64 bytes. Where registers are shorter or fewer, backends take part of a
/// tile at once: half of the rows, and some of the columns.
const USUAL: Sizes =
    Sizes { half: 6, row_bytes: 128, tiles: 3, least: [12, 16, 16], long_sums_in_order: true };
/// What C compilers want: GCC makes no vectors of a product and a sum in loops over 16 numbers, which it writes out before.
const FOR_C: Sizes = Sizes { long_sums_in_order: false, ..USUAL };
/// What small test programs come to.
const SMALL: Sizes = Sizes { half: 2, row_bytes: 16, tiles: 2, least: [1, 1, 1], long_sums_in_order: true };

/// Tiles the products of a program.
pub fn run(program: Program) -> Program {
    tile(program, USUAL)
}

/// The same where a C compiler comes next.
pub fn run_for_c(program: Program) -> Program {
    tile(program, FOR_C)
}

/// The same with tiles that small inputs fill.
pub fn run_small(program: Program) -> Program {
    tile(program, SMALL)
}

fn tile(mut program: Program, sizes: Sizes) -> Program {
    let mut builder = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        statements(&mut procedure.body, sizes, &mut Vec::new(), &mut builder);
    }
    program
}

/// `small` are numbers of columns and inner iterations that branches around say are too few.
fn statements(list: &mut Vec<Statement>, sizes: Sizes, small: &mut Vec<Exp>, b: &mut Builder) {
    let mut done = Vec::with_capacity(list.len());
    for mut statement in std::mem::take(list) {
        b.loc = statement.loc;
        let tiled = tiled_copy(&statement, sizes, b);
        let Some((bounds, tiled)) =
            tiled.filter(|(bounds, _)| !bounds[1..].iter().any(|bound| small.contains(bound)))
        else {
            let known = small.len();
            if let StatementKind::If { condition, then, otherwise } = &mut statement.kind {
                few(condition, sizes.least[2], small);
                statements(then, sizes, small, b);
                small.truncate(known);
                statements(otherwise, sizes, small, b);
            } else {
                statement.kind.for_each_body_mut(&mut |body| statements(body, sizes, small, b));
            }
            done.push(statement);
            continue;
        };
        let outer = b.begin();
        let large = b.let_("large", PrimType::Bool, are_large(&bounds, sizes));
        let condition = large.into();
        b.push(StatementKind::If { condition, then: tiled, otherwise: vec![statement] });
        done.extend(b.end(outer));
    }
    *list = done;
}

/// A loop that is shared among threads with its nest in tiles, if it is one or has one inside, and rows, columns and inner iterations of the nest.
fn tiled_copy(statement: &Statement, sizes: Sizes, b: &mut Builder) -> Option<([Exp; 3], Vec<Statement>)> {
    if !matches!(statement.kind, StatementKind::For { kind: LoopKind::Par, .. }) {
        return None;
    }
    let bounds = bounds(std::slice::from_ref(statement), sizes, true)?;
    let inside = declared_in(std::slice::from_ref(statement));
    let outside = |bound: &Exp| !matches!(bound, Exp::Var(var) if inside.contains(var));
    if !bounds.iter().all(outside) || !could_be_large(&bounds, sizes) {
        return None;
    }
    let mut copy = fresh(std::slice::from_ref(statement), &mut b.names);
    tile_first(&mut copy, sizes, b);
    Some((bounds, copy))
}

/// Rows, columns and inner iterations of the nest that the first loop of a list is or has inside. Sums in order are those of an outermost loop alone: of many small products such tiles took
/// up to 1.45 times as long as lanes.
fn bounds(list: &[Statement], sizes: Sizes, outermost: bool) -> Option<[Exp; 3]> {
    let first = list.iter().find(|statement| matches!(statement.kind, StatementKind::For { .. }))?;
    let (_, straight) = straightened(first);
    if let Some(nest) = Nest::of(&straight) {
        let tiled = !nest.in_order || outermost && (sizes.long_sums_in_order || !nest.has_long_sums());
        return tiled.then_some([nest.n, nest.p, nest.m]);
    }
    match &first.kind {
        StatementKind::For { kind: LoopKind::Par | LoopKind::Simd, body, .. } => bounds(body, sizes, false),
        _ => None,
    }
}

/// Tiles that nest.
fn tile_first(list: &mut Vec<Statement>, sizes: Sizes, b: &mut Builder) {
    let Some(at) = list.iter().position(|statement| matches!(statement.kind, StatementKind::For { .. }))
    else {
        return;
    };
    let (views, straight) = straightened(&list[at]);
    if let Some(nest) = Nest::of(&straight) {
        let outer = b.begin();
        Tiling::new(&nest, sizes).tiled(b);
        let tiled = b.end(outer);
        list.splice(at..=at, views.into_iter().chain(tiled));
    } else if let StatementKind::For { body, .. } = &mut list[at].kind {
        tile_first(body, sizes, b);
    }
}

/// Whether there are rows, columns and inner iterations enough.
fn are_large(bounds: &[Exp; 3], sizes: Sizes) -> Exp {
    let [n, p, m] = std::array::from_fn(|at| at_least(&bounds[at], sizes.least[at]));
    let both = |x, y| bin(BinOp::And, PrimType::Bool, x, y);
    both(both(n, p), m)
}

/// Whether no constant says that there are not.
fn could_be_large(bounds: &[Exp; 3], sizes: Sizes) -> bool {
    let small = |(bound, least): (&Exp, &i64)| matches!(bound, Exp::Const(value) if value.as_i64().is_some_and(|value| value < *least));
    !bounds.iter().zip(&sizes.least).any(small)
}

/// A nest to be tiled.
struct Tiling<'n> {
    nest: &'n Nest<'n>,
    sizes: Sizes,
    /// Sums in a row of a tile.
    columns: i64,
}

const I64: PrimType = PrimType::I64;

fn min(x: impl Into<Exp>, y: impl Into<Exp>) -> Exp {
    bin(BinOp::Min, I64, x, y)
}

fn at_least(x: &Exp, least: i64) -> Exp {
    bin(BinOp::Ge, I64, x.clone(), Exp::i64(least))
}

/// How often `part` fits into `whole`, rounded up; both are positive.
fn parts(b: &mut Builder, name: &str, whole: Exp, part: i64) -> Var {
    b.let_(name, I64, bin(BinOp::Quot, I64, add(whole, Exp::i64(part - 1)), Exp::i64(part)))
}

/// A size as a polynomial.
fn poly(size: &Exp) -> Poly {
    match size {
        Exp::Var(var) => Poly::var(*var),
        Exp::Const(value) => Poly::constant(value.as_i64().unwrap_or(0)),
        _ => unreachable!("invariant: bounds of a nest are variables and constants"),
    }
}

impl<'n> Tiling<'n> {
    fn new(nest: &'n Nest<'n>, sizes: Sizes) -> Tiling<'n> {
        let widest = nest.accumulators.iter().map(|accumulator| i64::from(accumulator.ty.bytes())).max();
        Tiling { nest, sizes, columns: sizes.row_bytes / widest.unwrap_or(1) }
    }

    fn tiled(&self, b: &mut Builder) {
        let Nest { n, p, m, .. } = self.nest;
        let strips = parts(b, "strips", p.clone(), self.columns);
        let shape = [Poly::var(strips), poly(m), Poly::constant(self.columns)];
        let mut packs = Vec::new();
        let mut blocks = Vec::new();
        for packed in &self.nest.packed {
            let room = vec![strips.into(), m.clone(), Exp::i64(self.columns)];
            let block = b.alloc("packed_mem", packed.elem, room, Space::Default);
            let place = Lmad::row_major(Poly::constant(0), &shape);
            packs.push(b.view("packed", packed.elem, block, place));
            blocks.push(block);
        }
        b.for_("s", strips, self.nest.kind, |b, s| {
            let column = b.let_("column", I64, mul(s, Exp::i64(self.columns)));
            let end = add(column, Exp::i64(self.columns));
            let condition = bin(BinOp::Le, I64, end, p.clone());
            let (then, ()) = b.nested(|b| self.pack(b, &packs, (s, column), |j| j));
            let last = sub(p.clone(), Exp::i64(1));
            let (otherwise, ()) = b.nested(|b| self.pack(b, &packs, (s, column), |j| min(j, last.clone())));
            b.push(StatementKind::If { condition, then, otherwise });
        });
        let Sizes { half, tiles, .. } = self.sizes;
        let halves = parts(b, "halves", n.clone(), half);
        let groups = parts(b, "groups", halves.into(), 2 * tiles);
        b.for_("g", groups, self.nest.kind, |b, g| {
            let first = b.let_("first", I64, mul(g, Exp::i64(2 * tiles)));
            let count = b.let_("count", I64, min(sub(halves, first), Exp::i64(2 * tiles)));
            let whole = b.let_("whole", I64, bin(BinOp::Shr, I64, count, Exp::i64(1)));
            // none or one; backends see how much that is of a group
            let left = b.let_("left", I64, sub(count, mul(whole, Exp::i64(2))));
            b.for_("s", strips, LoopKind::Seq, |b, s| {
                let column = b.let_("column", I64, mul(s, Exp::i64(self.columns)));
                b.for_("t", whole, LoopKind::Seq, |b, t| {
                    let at = add(first, mul(t, Exp::i64(2)));
                    let row = b.let_("row", I64, mul(at, Exp::i64(half)));
                    self.one_tile(b, (row, 2 * half), (column, s), &packs);
                });
                b.for_("t", left, LoopKind::Seq, |b, t| {
                    let at = add(first, add(mul(whole, Exp::i64(2)), t));
                    let row = b.let_("row", I64, mul(at, Exp::i64(half)));
                    self.one_tile(b, (row, half), (column, s), &packs);
                });
            });
        });
        blocks.iter().for_each(|block| b.push(StatementKind::Free(*block)));
    }

    /// Packs a strip; `at` says for a column of it which one it is.
    fn pack(&self, b: &mut Builder, packs: &[Var], (s, column): (Var, Var), at: impl Fn(Exp) -> Exp) {
        b.for_("k", self.nest.m.clone(), LoopKind::Seq, |b, k| {
            b.for_("c", Exp::i64(self.columns), LoopKind::Simd, |b, c| {
                let j = b.let_("j", I64, at(add(column, c)));
                for (packed, pack) in self.nest.packed.iter().zip(packs) {
                    let value = self.nest.value(b, packed, &[(self.nest.k, k), (self.nest.j, j)]);
                    b.write(*pack, vec![s.into(), k.into(), c.into()], value);
                }
            });
        });
    }

    /// So many rows from one on, and a strip, which begins at a column.
    fn one_tile(&self, b: &mut Builder, (row, count): (Var, i64), (column, s): (Var, Var), packs: &[Var]) {
        let Nest { n, p, m, accumulators, .. } = self.nest;
        let (rows, columns) = (Exp::i64(count), Exp::i64(self.columns));
        let mut views = Vec::new();
        let mut blocks = Vec::new();
        for accumulator in accumulators {
            let block =
                b.alloc("sums_mem", accumulator.ty, vec![rows.clone(), columns.clone()], Space::Stack);
            let shape = [Poly::constant(count), Poly::constant(self.columns)];
            views.push(b.view("sums", accumulator.ty, block, Lmad::row_major(Poly::constant(0), &shape)));
            blocks.push(block);
        }
        b.for_("r", rows.clone(), LoopKind::Unroll, |b, r| {
            b.for_("c", columns.clone(), LoopKind::Simd, |b, c| {
                for (accumulator, view) in accumulators.iter().zip(&views) {
                    b.write(*view, vec![r.into(), c.into()], accumulator.first.clone());
                }
            });
        });
        b.for_("k", m.clone(), LoopKind::Seq, |b, k| {
            b.for_("r", rows.clone(), LoopKind::Unroll, |b, r| {
                let i = b.let_("i", I64, min(add(row, r), sub(n.clone(), Exp::i64(1))));
                let c = b.names.fresh("c");
                let reads = packs.iter().map(|pack| read(*pack, vec![s.into(), k.into(), c.into()]));
                let reads: Vec<Exp> = reads.collect();
                let split = self.nest.split(&mut b.names, (i, k), (&reads, &[]));
                split.of_row.into_iter().for_each(|statement| b.push(statement.kind));
                let outer = b.begin();
                let mut body = split.of_column;
                if mentions(&body, self.nest.j) {
                    let last = sub(p.clone(), Exp::i64(1));
                    let j = b.let_("j", I64, min(add(column, c), last));
                    replace(&mut body, self.nest.j, j);
                }
                for (accumulator, view) in accumulators.iter().zip(&views) {
                    let cell = vec![r.into(), c.into()];
                    let old = b.let_("old", accumulator.ty, read(*view, cell.clone()));
                    write_to(&mut body, accumulator.var, *view, &cell);
                    replace(&mut body, accumulator.var, old);
                }
                body.into_iter().for_each(|statement| b.push(statement.kind));
                let (body, bound) = (b.end(outer), columns.clone());
                b.push(StatementKind::For { var: c, ty: I64, bound, kind: LoopKind::Simd, body });
            });
        });
        b.for_("r", rows, LoopKind::Seq, |b, r| {
            let i = b.let_("i", I64, add(row, r));
            b.for_("c", columns, LoopKind::Seq, |b, c| {
                let j = b.let_("j", I64, add(column, c));
                let inside = |x: Var, size: &Exp| bin(BinOp::Lt, I64, x, size.clone());
                let inside = bin(BinOp::And, PrimType::Bool, inside(i, n), inside(j, p));
                b.when(inside, |b| {
                    let mut rest = fresh(self.nest.rest, &mut b.names);
                    for (accumulator, view) in accumulators.iter().zip(&views) {
                        let sum = b.let_("sum", accumulator.ty, read(*view, vec![r.into(), c.into()]));
                        replace(&mut rest, accumulator.var, sum);
                    }
                    replace(&mut rest, self.nest.i, i);
                    replace(&mut rest, self.nest.j, j);
                    rest.into_iter().for_each(|statement| b.push(statement.kind));
                });
            });
        });
        blocks.iter().for_each(|block| b.push(StatementKind::Free(*block)));
    }
}
