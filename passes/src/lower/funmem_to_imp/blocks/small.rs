//! Many short reductions or scans at once: as many rows as there are threads for share a block, and each value is a thread's.
//!
//! ```text
//! let shared = 256 / size            rows of a block
//! for block < … block {
//!   for t < 256 thread { lanes[t] := value block * shared * size + t of all, or the neutral element }
//!   for s < as many steps as a row takes seq {
//!     for t < 256 thread { in each row: lanes[left] := op(lanes[left], lanes[left + shl(1, s)]), if there are both }
//!   }
//!   for t < 256 thread { if t < shared { result[block * shared + t] := lanes[t * size] } }
//! }
//! ```
//! So neighbouring threads read neighbouring cells of rows that lie along memory, where a thread for each row would read with the step of a row. Which values are
//! combined in which order depends on the size of a row alone.

use super::super::kernel::Operator;
use super::super::scanned::Scanned;
use super::super::{Array, Lowerer, atom_exp};
use super::segments::long_and_few;
use super::{Blocks, Cells, Fold, I64};
use crate::thresholds::Threshold;
use fun::ir::Atom;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use imp::build::{bin, convert, rounded_up, un};
use imp::ir::{Exp, LoopKind, Space, StatementKind};

/// Short rows that share blocks.
struct Rows<'a> {
    /// The counters around.
    outer: &'a [(Var, Atom)],
    bounds: Vec<Exp>,
    /// How many rows there are.
    count: Exp,
    /// Values of one.
    size: Exp,
    /// The same as an i32: indices in a block are few, and devices divide i64 slowly.
    narrow: Var,
    /// How many share a block.
    shared: Var,
    /// Values of a block that has all its rows.
    whole: Var,
    /// Values of all rows.
    all: Var,
    /// How many steps combine a row.
    steps: Var,
}

/// What a block does whose lanes have its values.
type InBlock<'f> = &'f mut dyn FnMut(&mut Lowerer, &Rows, Var, &Cells);

impl Rows<'_> {
    /// The number of a thread's row in its block (`Quot`), or of its value in the row (`Rem`).
    fn of_thread(&self, op: BinOp, t: Var) -> Exp {
        let t = convert(PrimType::I32, I64, t);
        // said here, so that no kernel asks whether it divides by zero
        let some = bin(BinOp::Max, PrimType::I32, self.narrow, Exp::Const(PrimValue::I32(1)));
        convert(I64, PrimType::I32, bin(op, PrimType::I32, t, some))
    }
}

impl Lowerer {
    /// Reductions of short rows: by blocks that they share, or by threads.
    pub(super) fn reduce_small(
        &mut self,
        sizes: Blocks,
        outer: &[(Var, Atom)],
        fold: &Fold,
        dests: &[Array],
        by_threads: &mut dyn FnMut(&mut Lowerer),
    ) {
        let width = sizes.threads;
        let mut by_blocks = |this: &mut Lowerer, rows: &Rows, block: Var, lanes: &Cells| {
            this.combine_rows(width, rows, fold, lanes);
            this.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| {
                let before = bin(BinOp::Mul, I64, block, rows.shared);
                let row = this.b.let_("row", I64, bin(BinOp::Add, I64, before, t));
                let own = bin(BinOp::Lt, I64, t, rows.shared);
                let inside = bin(BinOp::Lt, I64, row, rows.count.clone());
                this.when(bin(BinOp::And, PrimType::Bool, own, inside), |this| {
                    let indices = this.position(row, outer, &rows.bounds);
                    let values = this.cells_at(lanes, bin(BinOp::Mul, I64, t, rows.size.clone()));
                    this.write_values(dests, &indices, &values);
                });
            });
        };
        // many rows fill a device with a thread each, which combines its row without waiting for others
        self.if_small(sizes, outer, fold, Some(sizes.shared_many), (width, &mut by_blocks), by_threads);
    }

    /// Scans of short rows, likewise.
    pub(super) fn scan_small(
        &mut self,
        sizes: Blocks,
        outer: &[(Var, Atom)],
        fold: &Fold,
        scanned: &Scanned,
        by_threads: &mut dyn FnMut(&mut Lowerer),
    ) {
        let width = sizes.threads;
        let mut by_blocks = |this: &mut Lowerer, rows: &Rows, block: Var, lanes: &Cells| {
            let place = |t: Var| rows.of_thread(BinOp::Rem, t);
            this.scan_lanes(width, (rows.steps.into(), &place), fold.op, lanes);
            let odd = bin(BinOp::And, I64, rows.steps, Exp::i64(1));
            let last = this.b.let_("last", I64, bin(BinOp::Mul, I64, odd, Exp::i64(width)));
            let values = this.values_of(rows, block);
            this.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| {
                this.if_value(rows, values, t, |this, mut indices, index| {
                    indices.push(Atom::Var(index));
                    let values = this.cells_at(lanes, bin(BinOp::Add, I64, last, t));
                    this.store_scanned(scanned, &indices, &values);
                });
            });
        };
        self.if_small(sizes, outer, fold, None, (2 * width, &mut by_blocks), by_threads);
    }

    /// Blocks with so many lanes where rows share blocks, while they are fewer than a number if there is one, and threads otherwise.
    fn if_small(
        &mut self,
        sizes: Blocks,
        outer: &[(Var, Atom)],
        fold: &Fold,
        most: Option<i64>,
        (lanes, by_blocks): (i64, InBlock<'_>),
        by_threads: &mut dyn FnMut(&mut Lowerer),
    ) {
        // threads are as many as values, too many for each to have memory of its own
        if fold.allocates() || self.votes_for_columns(outer, fold) >= 0 {
            return by_threads(self);
        }
        let size = atom_exp(self.atom(fold.last.1));
        let bounds: Vec<Exp> = outer.iter().map(|(_, bound)| self.exp(*bound)).collect();
        let (function, loc) = (self.function, self.b.loc);
        let of_size = (Threshold::SharedValues, sizes.shared, &size);
        let pays = match most {
            Some(most) => {
                let count = self.count(&bounds, "rows");
                let of_count = (Threshold::SharedSegments, most, &count);
                let [least, most] = self.thresholds.ask(function, loc, [of_size, of_count]);
                long_and_few((size.clone(), least), (count, most))
            }
            None => {
                let [least] = self.thresholds.ask(function, loc, [of_size]);
                bin(BinOp::Ge, I64, size.clone(), least)
            }
        };
        let (then, ()) = self.written(|this| {
            let rows = this.rows(sizes.threads, outer, size.clone());
            let blocks = rounded_up(rows.count.clone(), rows.shared);
            let blocks = this.b.let_("blocks", I64, blocks);
            this.in_loop("block", blocks.into(), LoopKind::Block, |this, block| {
                let (memory, lanes) = this.cells("lanes", fold.op.lambda, lanes, Space::Shared);
                this.fill_lanes(sizes.threads, (&rows, block), fold, &lanes);
                by_blocks(this, &rows, block, &lanes);
                memory.into_iter().for_each(|block| this.b.push(StatementKind::Free(block)));
            });
        });
        let (otherwise, ()) = self.written(by_threads);
        let fits = bin(BinOp::Le, I64, size, Exp::i64(sizes.threads));
        let condition = bin(BinOp::And, PrimType::Bool, fits, pays);
        self.b.push(StatementKind::If { condition, then, otherwise });
    }

    fn rows<'a>(&mut self, width: i64, outer: &'a [(Var, Atom)], size: Exp) -> Rows<'a> {
        let bounds: Vec<Exp> = outer.iter().map(|(_, bound)| self.exp(*bound)).collect();
        let count = self.count(&bounds, "rows");
        // empty rows have results too
        let some = self.b.let_("some", I64, bin(BinOp::Max, I64, size.clone(), Exp::i64(1)));
        let shared = self.b.let_("shared", I64, bin(BinOp::Quot, I64, Exp::i64(width), some));
        let whole = self.b.let_("whole", I64, bin(BinOp::Mul, I64, shared, size.clone()));
        let all = self.b.let_("all", I64, bin(BinOp::Mul, I64, count.clone(), size.clone()));
        let zeros = un(UnOp::Clz, I64, bin(BinOp::Sub, I64, some, Exp::i64(1)));
        let zeros = convert(I64, PrimType::I32, zeros);
        let steps = self.b.let_("steps", I64, bin(BinOp::Sub, I64, Exp::i64(64), zeros));
        let narrow = self.b.let_("narrow", PrimType::I32, convert(PrimType::I32, I64, size.clone()));
        Rows { outer, bounds, count, size, narrow, shared, whole, all, steps }
    }

    /// The number of a block's first row, and how many values it has.
    fn values_of(&mut self, rows: &Rows, block: Var) -> (Var, Var) {
        let first = self.b.let_("first", I64, bin(BinOp::Mul, I64, block, rows.shared));
        let start = bin(BinOp::Mul, I64, block, rows.whole);
        let left = bin(BinOp::Sub, I64, rows.all, start);
        (first, self.b.let_("own", I64, bin(BinOp::Min, I64, left, rows.whole)))
    }

    /// What a thread does that has a value: `f` gets the indices of its row, and that in the row.
    fn if_value(
        &mut self,
        rows: &Rows,
        (first, own): (Var, Var),
        t: Var,
        f: impl FnOnce(&mut Lowerer, Vec<Atom>, Var),
    ) {
        self.when(bin(BinOp::Lt, I64, t, own), |this| {
            let row = bin(BinOp::Add, I64, first, rows.of_thread(BinOp::Quot, t));
            let row = this.b.let_("row", I64, row);
            let indices = this.position(row, rows.outer, &rows.bounds);
            let index = this.b.let_("index", I64, rows.of_thread(BinOp::Rem, t));
            f(this, indices, index);
        });
    }

    /// Each value of a block goes to the lane of its thread, and neutral elements to the others.
    fn fill_lanes(&mut self, width: i64, (rows, block): (&Rows, Var), fold: &Fold, lanes: &Cells) {
        let values = self.values_of(rows, block);
        self.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| {
            let accumulators = this.fresh_accumulators(fold.op);
            this.if_value(rows, values, t, |this, _, index| {
                this.scanned_value(fold, index.into(), &accumulators);
            });
            this.write_lanes(lanes, t.into(), &accumulators);
        });
    }

    /// Scans lanes in so many steps, of which there are two for each thread: a step reads those that the step before wrote. `place` is how many lanes lie before
    /// that of a thread.
    fn scan_lanes(
        &mut self,
        width: i64,
        (steps, place): (Exp, &dyn Fn(Var) -> Exp),
        op: &Operator,
        lanes: &Cells,
    ) {
        self.in_loop("s", steps, LoopKind::Seq, |this, s| {
            let apart = this.b.let_("apart", I64, bin(BinOp::Shl, I64, Exp::i64(1), s));
            let odd = bin(BinOp::And, I64, s, Exp::i64(1));
            let from = this.b.let_("from", I64, bin(BinOp::Mul, I64, odd, Exp::i64(width)));
            let into = this.b.let_("into", I64, bin(BinOp::Sub, I64, Exp::i64(width), from));
            this.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| {
                let at = this.b.let_("at", I64, bin(BinOp::Add, I64, from, t));
                let to = this.b.let_("to", I64, bin(BinOp::Add, I64, into, t));
                let right = this.cells_at(lanes, at.into());
                let (then, ()) = this.written(|this| {
                    let left = this.cells_at(lanes, bin(BinOp::Sub, I64, at, apart));
                    this.write_combined(lanes, to.into(), op, (&left, &right));
                });
                let (otherwise, ()) = this.written(|this| this.write_atoms(lanes, &to.into(), &right));
                let condition = bin(BinOp::Ge, I64, place(t), apart);
                this.b.push(StatementKind::If { condition, then, otherwise });
            });
        });
    }

    /// Combines the lanes of each row into its first, in order.
    fn combine_rows(&mut self, width: i64, rows: &Rows, fold: &Fold, lanes: &Cells) {
        self.in_loop("s", rows.steps.into(), LoopKind::Seq, |this, s| {
            let apart = this.b.let_("apart", I64, bin(BinOp::Shl, I64, Exp::i64(1), s));
            this.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| {
                let place = this.b.let_("place", I64, rows.of_thread(BinOp::Rem, t));
                let twice = bin(BinOp::Mul, I64, apart, Exp::i64(2));
                let left = this.b.let_("left", I64, bin(BinOp::Mul, I64, place, twice));
                let right = this.b.let_("right", I64, bin(BinOp::Add, I64, left, apart));
                let in_row = bin(BinOp::Lt, I64, right, rows.size.clone());
                let in_rows = bin(BinOp::Lt, I64, t, rows.whole);
                this.when(bin(BinOp::And, PrimType::Bool, in_row, in_rows), |this| {
                    let first = this.b.let_("first", I64, bin(BinOp::Sub, I64, t, place));
                    let (left, right) =
                        (bin(BinOp::Add, I64, first, left), bin(BinOp::Add, I64, first, right));
                    let (old, new) = (this.cells_at(lanes, left.clone()), this.cells_at(lanes, right));
                    this.write_combined(lanes, left, fold.op, (&old, &new));
                });
            });
        });
    }
}
