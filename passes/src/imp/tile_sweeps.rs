//! Sweeps over a matrix in place run in tiles, those of an anti-diagonal in parallel.
//!
//! ```text
//! for i < n seq { for j < m seq { a[i + 1, j + 1] := max(a[i, j + 1], a[i + 1, j]) } }
//! ```
//! becomes, with tiles of 64 rows and as many columns as leave two tiles side by side for each thread, 128 at least, where the matrix has some of them each
//! way and there are several threads (one thread does not gain),
//! ```text
//! let across = mul.i64(threads, 2)
//! let columns = max.i64(quot.i64(add.i64(m, across - 1), across), 128)
//! let high = quot.i64(add.i64(n, 63), 64)
//! let last = sub.i64(quot.i64(add.i64(m, columns - 1), columns), 1)
//! for d < add.i64(high, last) seq {
//!   let top = max.i64(sub.i64(d, last), 0)
//!   for b < sub.i64(min.i64(add.i64(d, 1), high), top) par {
//!     let row = mul.i64(add.i64(top, b), 64)
//!     let column = mul.i64(sub.i64(d, add.i64(top, b)), columns)
//!     for t < min.i64(64, sub.i64(n, row)) seq { for u < min.i64(columns, sub.i64(m, column)) seq { … i = row + t, j = column + u … } }
//!   }
//! }
//! ```
//! This is legal where each iteration reads only cells that iterations above it and to its left write, or below it and to its right (so that they
//! still have the value from before): all distances point one way in both dimensions, and tiles of an anti-diagonal touch
//! nothing of each other. (Wavefronts: Lamport, The Parallel Execution of DO Loops, 1974; tiles: Wolf and Lam, 1991.) It is done where an iteration
//! reads what earlier ones write both in another row and in another column: otherwise rows or columns could run at once as they are.
//!
//! Requires and ensures I1–I10. Cost: linear in the size of the program; a sweep is there twice.

use super::copy::{fresh, replace};
use super::fuse_loops::access::Places;
use super::numbers::Numbers;
use super::sweeps::Sweep;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::build::{Builder, add, bin, rounded_up, sub};
use imp::ir::{Exp, LoopKind, Program, Statement, StatementKind};
use imp::visit::names_after;

/// Sides of tiles, and which matrices have some.
#[derive(Clone, Copy)]
struct Sizes {
    /// Rows of a tile.
    rows: i64,
    /// The fewest columns: a tile has more where that leaves [`TILES`] for each thread.
    columns: i64,
    /// Rows and columns of a matrix that pay.
    least: i64,
}

/// A tile takes five microseconds or more. Four rows at a time begin anew with each (`jam_sweeps.rs`), so it has few rows and many columns.
const USUAL: Sizes = Sizes { rows: 64, columns: 128, least: 256 };
/// What small test programs come to.
const SMALL: Sizes = Sizes { rows: 2, columns: 2, least: 1 };
/// Tiles side by side for each thread.
const TILES: i64 = 2;

/// Tiles the sweeps of a program.
pub fn run(program: Program) -> Program {
    tile(program, USUAL)
}

/// The same with tiles that small inputs fill.
pub fn run_small(program: Program) -> Program {
    tile(program, SMALL)
}

fn tile(mut program: Program, sizes: Sizes) -> Program {
    let mut builder = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        let (places, numbers) = (Places::of(procedure), Numbers::of(procedure));
        let mut tiling = Tiling { places, numbers, sizes, b: &mut builder };
        tiling.statements(&mut procedure.body, false);
    }
    program
}

struct Tiling<'b> {
    places: Places,
    numbers: Numbers,
    sizes: Sizes,
    b: &'b mut Builder,
}

impl Tiling<'_> {
    fn statements(&mut self, list: &mut [Statement], in_parallel: bool) {
        for statement in list {
            let sweep = Sweep::of(statement, &self.places, &self.numbers, None);
            // parallel loops in parallel ones run in order
            if let Some(sweep) = sweep.filter(|sweep| !in_parallel && pays(sweep)) {
                let outer = self.b.begin();
                self.b.loc = statement.loc;
                self.tiles(&sweep);
                let then = self.b.end(outer);
                let is_least =
                    |size: &Exp| bin(BinOp::Le, PrimType::I64, Exp::i64(self.sizes.least), size.clone());
                let condition =
                    bin(BinOp::And, PrimType::Bool, is_least(sweep.rows), is_least(sweep.columns));
                let several = bin(BinOp::Lt, PrimType::I64, Exp::i64(1), Exp::Threads);
                let condition = bin(BinOp::And, PrimType::Bool, condition, several);
                let kind = StatementKind::If { condition, then, otherwise: vec![statement.clone()] };
                *statement = Statement { kind, loc: statement.loc };
                continue;
            }
            let is_parallel =
                matches!(&statement.kind, StatementKind::For { kind, .. } if kind.is_parallel());
            statement.kind.for_each_body_mut(&mut |body| self.statements(body, in_parallel || is_parallel));
        }
    }

    fn tiles(&mut self, sweep: &Sweep<'_>) {
        let rows = Exp::i64(self.sizes.rows);
        let across = bin(BinOp::Mul, I64, Exp::Threads, Exp::i64(TILES));
        let across = self.b.let_("across", I64, across);
        let few = rounded_up(sweep.columns.clone(), across);
        let columns = bin(BinOp::Max, I64, few, Exp::i64(self.sizes.columns));
        let columns: Exp = self.b.let_("columns", I64, columns).into();
        let side = [rows.clone(), columns.clone()];
        each_tile(self.b, sweep, side, ("b", LoopKind::Par), |b, row, column| {
            let part = |side: &Exp, size: &Exp, from: Var| {
                bin(BinOp::Min, I64, side.clone(), sub(size.clone(), from))
            };
            let height = b.let_("height", I64, part(&rows, sweep.rows, row));
            let width = b.let_("width", I64, part(&columns, sweep.columns, column));
            b.for_("t", height, LoopKind::Seq, |b, t| {
                let i = b.let_("i", I64, add(row, t));
                let mut rest = sweep.prelude.to_vec();
                rest.push(Statement {
                    kind: StatementKind::For {
                        var: sweep.j,
                        ty: I64,
                        bound: width.into(),
                        kind: LoopKind::Seq,
                        body: sweep.body.to_vec(),
                    },
                    loc: b.loc,
                });
                let mut rest = fresh(&rest, &mut b.names);
                replace(&mut rest, sweep.i, i);
                if let Some(StatementKind::For { var: u, body, .. }) =
                    rest.last_mut().map(|statement| &mut statement.kind)
                {
                    let (before, j) = b.nested(|b| b.let_("j", I64, add(column, *u)));
                    replace(body, *u, j);
                    body.splice(0..0, before);
                }
                b.push_all(rest);
            });
        });
    }
}

/// A loop over the anti-diagonals of tiles with so many rows and columns, and in it one of that name and kind over the tiles of one; `f` gets the first row and
/// column of a tile.
pub(super) fn each_tile(
    b: &mut Builder,
    sweep: &Sweep<'_>,
    [rows, columns]: [Exp; 2],
    (name, kind): (&str, LoopKind),
    f: impl FnOnce(&mut Builder, Var, Var),
) {
    let high = b.let_("high", I64, rounded_up(sweep.rows.clone(), rows.clone()));
    let last = sub(rounded_up(sweep.columns.clone(), columns.clone()), Exp::i64(1));
    let last = b.let_("last", I64, last);
    b.for_("d", add(high, last), LoopKind::Seq, |b, d| {
        let top = b.let_("top", I64, bin(BinOp::Max, I64, sub(d, last), Exp::i64(0)));
        let end = b.let_("end", I64, bin(BinOp::Min, I64, add(d, Exp::i64(1)), high));
        let count = b.let_("count", I64, sub(end, top));
        b.for_(name, count, kind, |b, tile| {
            let down = b.let_("down", I64, add(top, tile));
            let row = b.let_("row", I64, bin(BinOp::Mul, I64, down, rows));
            let column = b.let_("column", I64, bin(BinOp::Mul, I64, sub(d, down), columns));
            f(b, row, column);
        });
    });
}

/// Whether all distances point one way in both dimensions, and some to other rows and some to other columns.
pub(super) fn pays(sweep: &Sweep<'_>) -> bool {
    let forward = |[down, right]: [i64; 2]| down >= 0 && right >= 0;
    let backward = |[down, right]: [i64; 2]| down <= 0 && right <= 0;
    let aligned = sweep.distances().all(|distance| forward(distance) || backward(distance));
    aligned && [0, 1].iter().all(|k| sweep.distances().any(|distance| distance[*k] > 0))
}

const I64: PrimType = PrimType::I64;
