//! Sweeps over a matrix in place become kernels: the tiles of an anti-diagonal are blocks of threads, of which each has a row of its tile and is a cell
//! behind the thread above it.
//!
//! ```text
//! for i < n seq { for j < m seq { a[i + 1, j + 1] := max(a[i, j + 1], a[i + 1, j]) } }
//! ```
//! becomes, where the matrix has enough rows and columns,
//! ```text
//! let high = quot.i64(add.i64(n, 31), 32)
//! let last = sub.i64(quot.i64(add.i64(m, 31), 32), 1)
//! for d < add.i64(high, last) seq {
//!   let top = max.i64(sub.i64(d, last), 0)
//!   for b < sub.i64(min.i64(add.i64(d, 1), high), top) block {
//!     let row = mul.i64(add.i64(top, b), 32)
//!     let column = mul.i64(sub.i64(d, add.i64(top, b)), 32)
//!     for s < 63 seq {
//!       for t < 32 thread {
//!         let u = sub.i64(s, t)
//!         if 0 <= u and u < 32 and row + t < n and column + u < m { … i = row + t, j = column + u … }
//!       }
//!     }
//!   }
//! }
//! ```
//! Legal as tiles are for hosts (`tile_sweeps.rs`): what an iteration reads of others is written above it and to its left, so by an earlier
//! anti-diagonal of its tile or an earlier one of tiles, or below it and to its right, so by a later one. A single thread, which is what a loop in order
//! comes to on a device, would take a cell after the other.
//!
//! Requires I1–I9; ensures I1–I9 and I11. Cost: linear in the size of the program; a sweep is there twice.

use super::copy::{fresh, replace};
use super::fuse_loops::access::Places;
use super::numbers::Numbers;
use super::sweeps::Sweep;
use super::tile_sweeps::{each_tile, pays};
use fun_base::prim::{BinOp, PrimType};
use imp::build::{Builder, add, bin, sub};
use imp::ir::{Exp, LoopKind, Program, Statement, StatementKind};
use imp::visit::names_after;

/// The side of tiles, and how many rows and columns a matrix has that pays.
#[derive(Clone, Copy)]
struct Sizes {
    side: i64,
    least: i64,
}

/// The threads of a block are in one group, which waits for itself at no cost.
const USUAL: Sizes = Sizes { side: 32, least: 64 };
/// What small test programs come to.
const SMALL: Sizes = Sizes { side: 2, least: 1 };

const I64: PrimType = PrimType::I64;

/// Makes kernels of the sweeps of a program.
pub fn run(program: Program) -> Program {
    convert(program, USUAL)
}

/// The same with tiles that small inputs fill.
pub fn run_small(program: Program) -> Program {
    convert(program, SMALL)
}

fn convert(mut program: Program, sizes: Sizes) -> Program {
    let mut builder = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        let (places, numbers) = (Places::of(procedure), Numbers::of(procedure));
        let mut sweeps = Sweeps { places, numbers, sizes, b: &mut builder };
        sweeps.statements(&mut procedure.body);
    }
    program
}

struct Sweeps<'b> {
    places: Places,
    numbers: Numbers,
    sizes: Sizes,
    b: &'b mut Builder,
}

impl Sweeps<'_> {
    fn statements(&mut self, list: &mut [Statement]) {
        for statement in list {
            if matches!(&statement.kind, StatementKind::For { kind, .. } if kind.is_parallel()) {
                continue;
            }
            let sweep = Sweep::of(statement, &self.places, &self.numbers, None);
            if let Some(sweep) = sweep.filter(pays) {
                let sizes = self.sizes;
                self.b.loc = statement.loc;
                let (then, ()) = self.b.nested(|b| kernels(b, &sweep, sizes));
                let is_least = |size: &Exp| bin(BinOp::Le, I64, Exp::i64(sizes.least), size.clone());
                let condition = both(is_least(sweep.rows), is_least(sweep.columns));
                let kind = StatementKind::If { condition, then, otherwise: vec![statement.clone()] };
                *statement = Statement { kind, loc: statement.loc };
                continue;
            }
            statement.kind.for_each_body_mut(&mut |body| self.statements(body));
        }
    }
}

fn both(x: Exp, y: Exp) -> Exp {
    bin(BinOp::And, PrimType::Bool, x, y)
}

/// A kernel for each anti-diagonal of tiles.
fn kernels(b: &mut Builder, sweep: &Sweep<'_>, Sizes { side, .. }: Sizes) {
    let less = |x: Exp, y: Exp| bin(BinOp::Lt, I64, x, y);
    each_tile(b, sweep, [Exp::i64(side), Exp::i64(side)], ("block", LoopKind::Block), |b, row, column| {
        b.for_("step", Exp::i64(2 * side - 1), LoopKind::Seq, |b, step| {
            b.for_("t", Exp::i64(side), LoopKind::Thread, |b, t| {
                let u = b.let_("u", I64, sub(step, t));
                let i = b.let_(sweep.i.text, I64, add(row, t));
                let j = b.let_(sweep.j.text, I64, add(column, u));
                let in_tile = both(bin(BinOp::Le, I64, Exp::i64(0), u), less(u.into(), Exp::i64(side)));
                let in_matrix =
                    both(less(i.into(), sweep.rows.clone()), less(j.into(), sweep.columns.clone()));
                b.when(both(in_tile, in_matrix), |b| {
                    let iteration = [sweep.prelude, sweep.body].concat();
                    let mut iteration = fresh(&iteration, &mut b.names);
                    replace(&mut iteration, sweep.i, i);
                    replace(&mut iteration, sweep.j, j);
                    b.push_all(iteration);
                });
            });
        });
    });
}
