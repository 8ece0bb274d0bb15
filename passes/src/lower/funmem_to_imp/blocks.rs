//! Reductions, scans, histograms and scatters by blocks of threads, for a device: the threads of a block combine what each of them has by way of memory that
//! they share.
//!
//! ```text
//! for block < blocks block {
//!   for t < 256 thread {
//!     var acc = neutral
//!     for k < count fold { acc := op(acc, value at the k-th index of this thread) }
//!     own[t] := acc
//!   }
//!   … what each group of 32 threads has is combined, and is in all[0 … 7] (`groups.rs`)
//!   for t < 256 thread { if t == 0 { partial[block] := all[0], combined with the others in order } }
//! }
//! ```
//! A second kernel, of one block, does the same with the partial results. A thread has neighbouring indices where the operator is not
//! commutative: so whatever is combined lies next to each other. Where it is, a thread has every n-th, and neighbouring threads read
//! neighbouring cells. Which values are combined in which order depends on the size of the reduction alone.

mod chain;
pub(super) mod distinct;
mod exact;
mod groups;
mod hist;
mod locks;
mod parts;
mod pieces;
mod private;
mod rows;
mod scan;
mod scatter;
mod segments;
mod shared_tables;
mod small;
mod values;

pub(crate) use exact::exact_sums;
pub(super) use hist::{atomics, has_neutral};
pub(crate) use parts::SORTS_HISTOGRAM;

use super::kernel::{Accumulators, Operator};
use super::{Lowerer, atom_exp};
use crate::fun::is_commutative;
use crate::thresholds::Threshold;
use fun::ir::Atom;
use fun::visit::for_each_body;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::{Binder, Body, Exp as FunExp, Lambda, MemOp, MemType};
use imp::build::{bin, read, select};
use imp::ir::{Exp, LoopKind, Space, StatementKind};
use shared_tables::SharedTables;

const I64: PrimType = PrimType::I64;

/// How many threads work together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocks {
    /// Threads of a block.
    threads: i64,
    /// Threads of a group, who exchange values at once.
    grouped: i64,
    /// Blocks at most.
    most: i64,
    /// Blocks at most where each thread has memory of its own.
    few: i64,
    /// Of several reductions each is a block's from so many values on …
    long: i64,
    /// … while they are fewer than that.
    many: i64,
    /// The same two for reductions down columns, where neighbouring threads have neighbouring columns.
    column_long: i64,
    column_many: i64,
    /// Of several reductions or scans as many as there are threads for share a block from so many values on …
    shared: i64,
    /// … reductions while they are fewer than that.
    shared_many: i64,
    /// Of several reductions each has pieces for many threads from so many values on …
    longest: i64,
    /// … while they are fewer than that.
    fewest: i64,
    /// Values of a piece, at least, where a reduction has so many.
    piece: i64,
    /// Cells of a histogram that a block has of its own, at most.
    local: i64,
    /// Tables of a histogram in shared memory.
    shared_tables: SharedTables,
    /// Cells of a histogram from which on sums of floats are those of integers.
    exact_cells: i64,
    /// Tables of a histogram, at most.
    tables_most: i64,
    /// Bytes of all tables of a histogram, at most, if four cells for each value are not more.
    tables_bytes: i64,
    /// Tables of a histogram, from which on threads have them although the cells could have locks.
    tables: i64,
    /// A histogram that has tables alone is by sorting from so many values of each on …
    sorted_values: i64,
    /// … while there are no more tables than this.
    sorted_tables: i64,
    /// Values that a thread has of a tile of a scan, at most; an odd number, so that neighbours find theirs in different banks.
    own: i64,
    /// The same where each row is a block's.
    row_own: i64,
    /// Of several scans, each is that of many blocks from so many tiles on …
    tiles: i64,
    /// … while they are fewer than that.
    rows: i64,
    /// A row's whole body is a block's from so many values on …
    row_values: i64,
    /// … where there are so many rows …
    row_count: i64,
    /// … or rows have fewer values than that.
    short_rows: i64,
    /// Bytes of shared memory for the arrays of a row.
    row_bytes: i64,
}

/// What devices want.
pub(super) const USUAL: Blocks = Blocks {
    threads: 256,
    grouped: 32,
    most: 1024,
    few: 32,
    long: Threshold::SegmentValues.usual(),
    many: Threshold::Segments.usual(),
    column_long: 512,
    column_many: 32_768,
    shared: Threshold::SharedValues.usual(),
    shared_many: Threshold::SharedSegments.usual(),
    longest: Threshold::PieceValues.usual(),
    fewest: Threshold::PieceSegments.usual(),
    piece: 4,
    local: 4096,
    shared_tables: shared_tables::USUAL,
    // on an H200, ten million values took 465 microseconds by tables and 1,455 so with 250 cells, 758 and 468 with 1,000
    exact_cells: 768,
    tables_most: 65_536,
    tables_bytes: 1 << 28,
    tables: Threshold::HistogramTables.usual(),
    sorted_values: Threshold::SortedValues.usual(),
    sorted_tables: 4096,
    // with 4 bytes each, what the least device by OpenCL has for a block, 32 KiB; six such blocks fill a multiprocessor of compute capability 9.0
    own: 27,
    row_own: 7,
    tiles: Threshold::ScanTiles.usual(),
    rows: Threshold::ScanRows.usual(),
    row_values: Threshold::RowValues.usual(),
    row_count: Threshold::Rows.usual(),
    short_rows: Threshold::ShortRows.usual(),
    // with which the threads of a multiprocessor of compute capability 8.0 still fill it: eight blocks, 164 KiB
    row_bytes: 16 << 10,
};
/// What small inputs fill: several blocks of two groups, and a last one that is not full. Two rows of two values share a block.
pub(super) const SMALL: Blocks = Blocks {
    threads: 4,
    grouped: 2,
    most: 2,
    few: 2,
    long: 2,
    many: 8,
    column_long: 2,
    column_many: 8,
    shared: 2,
    shared_many: 8,
    longest: 4,
    fewest: 4,
    piece: 1,
    local: 2,
    shared_tables: shared_tables::SMALL,
    exact_cells: 7,
    tables_most: 8,
    tables_bytes: 0,
    tables: 5,
    sorted_values: 4,
    sorted_tables: 1,
    own: 1,
    row_own: 1,
    tiles: 2,
    rows: 3,
    row_values: 2,
    row_count: 2,
    short_rows: 3,
    row_bytes: 96,
};

/// The thresholds that are asked for.
pub(super) const ASKED: [Threshold; 13] = [
    Threshold::RowValues,
    Threshold::Rows,
    Threshold::ShortRows,
    Threshold::PieceValues,
    Threshold::PieceSegments,
    Threshold::SegmentValues,
    Threshold::Segments,
    Threshold::SharedValues,
    Threshold::SharedSegments,
    Threshold::ScanTiles,
    Threshold::ScanRows,
    Threshold::HistogramTables,
    Threshold::SortedValues,
];

/// Memory that a block may share, of the 48 KiB that all devices have: some is for what stops threads.
const SHARED_BYTES: i64 = 40 << 10;

/// Bytes of an element of a scan, at most, for which a block has room: three tiles and a value for each of 256 threads.
pub(crate) const SCANNED_BYTES: i64 = SHARED_BYTES / (4 * 256);

/// What is combined.
pub(super) struct Fold<'a> {
    pub(super) op: &'a Operator<'a>,
    pub(super) commutative: bool,
    /// The counter of the values, and how many there are.
    pub(super) last: (Var, Atom),
    /// The value.
    pub(super) body: &'a Body,
}

impl Fold<'_> {
    /// Whether values may be combined in any order.
    fn strided(&self) -> bool {
        self.commutative || is_commutative(self.op.lambda)
    }

    /// Whether a thread needs memory of its own.
    fn allocates(&self) -> bool {
        allocates(self.body) || allocates(&self.op.lambda.body)
    }
}

/// A view for each result, and the type of its cells.
pub(super) type Cells = Vec<(Var, PrimType)>;

/// What each of some threads has of some values.
pub(super) struct Share {
    /// How many values there are.
    count: Exp,
    /// Whether a thread has every n-th value, and not neighbouring ones.
    strided: bool,
    /// The number of threads.
    threads: Exp,
    /// How many values each thread has at least.
    rounds: Var,
    /// How many values there are beyond those.
    rest: Var,
    /// How many values a thread has at most.
    chunk: Var,
}

impl Lowerer {
    /// The blocks that may work on so many values, if they pay and the threads of a block can share what the operator combines.
    pub(super) fn in_blocks(&self, op: &Lambda, bound: Atom) -> Option<Blocks> {
        self.sharing(op).filter(|blocks| !blocks.never_full(&atom_exp(self.atom(bound))))
    }

    /// The blocks whose threads can share what the operator combines.
    pub(super) fn sharing(&self, op: &Lambda) -> Option<Blocks> {
        let blocks = self.blocks?;
        let values = types(op);
        // a unit takes no memory; where values are exchanged by way of memory, each thread has two places there
        let bytes: i64 = values.iter().map(|ty| 2 * i64::from(ty.bytes())).sum();
        let fits = !values.contains(&PrimType::Unit) && bytes * blocks.threads <= SHARED_BYTES;
        fits.then_some(blocks)
    }

    /// A reduction to scalars.
    pub(super) fn reduce_in_blocks(&mut self, sizes: Blocks, pattern: &[Binder], fold: &Fold) {
        let (var, bound) = fold.last;
        let size = atom_exp(self.atom(bound));
        let blocks = self.blocks_for(sizes, &size, sizes.most);
        let blocks = self.blocks_with_memory(sizes, fold, blocks);
        let (mut memory, partial) = self.cells("partial", fold.op.lambda, sizes.most, Space::Default);
        let share = self.share(sizes, size, blocks.into(), fold.strided());
        self.in_loop("block", blocks.into(), LoopKind::Block, |this, block| {
            let mut value = |this: &mut Lowerer, index: Exp, accumulators: &Accumulators| {
                let counter = this.bind(var);
                this.b.push(StatementKind::Let { var: counter, ty: I64, value: index });
                this.step(accumulators, fold.op, fold.body);
            };
            let start = bin(BinOp::Mul, I64, block, Exp::i64(sizes.threads));
            this.reduce_block(sizes, start, &share, fold.op, &mut value, &mut |this, results| {
                this.write_atoms(&partial, &block.into(), results);
            });
        });
        let (more, total) = self.cells("total", fold.op.lambda, 1, Space::Default);
        memory.extend(more);
        let share = self.share(sizes, blocks.into(), Exp::i64(1), fold.strided());
        self.in_loop("block", Exp::i64(1), LoopKind::Block, |this, block| {
            let mut value = |this: &mut Lowerer, index: Exp, accumulators: &Accumulators| {
                let index = this.b.let_("part", I64, index);
                let parts = this.cells_at(&partial, index.into());
                this.combine(accumulators, fold.op, &parts);
            };
            this.reduce_block(sizes, Exp::i64(0), &share, fold.op, &mut value, &mut |this, results| {
                this.write_atoms(&total, &block.into(), results);
            });
        });
        for (binder, (view, ty)) in pattern.iter().zip(&total) {
            let var = self.bind(binder.var);
            self.b.push(StatementKind::Let { var, ty: *ty, value: read(*view, vec![Exp::i64(0)]) });
        }
        memory.into_iter().for_each(|block| self.b.push(StatementKind::Free(block)));
    }

    /// As many blocks as fill their threads, but one at least.
    fn blocks_for(&mut self, sizes: Blocks, size: &Exp, most: i64) -> Var {
        let rounded = bin(BinOp::Add, I64, size.clone(), Exp::i64(sizes.threads - 1));
        let full = bin(BinOp::Quot, I64, rounded, Exp::i64(sizes.threads));
        let some = bin(BinOp::Max, I64, full, Exp::i64(1));
        self.b.let_("blocks", I64, bin(BinOp::Min, I64, some, Exp::i64(most)))
    }

    /// What each thread of so many blocks has of so many values.
    pub(super) fn share(&mut self, sizes: Blocks, count: Exp, blocks: Exp, strided: bool) -> Share {
        let width = Exp::i64(sizes.threads);
        let threads = match blocks {
            Exp::Const(_) => width,
            blocks => self.b.let_("threads", I64, bin(BinOp::Mul, I64, blocks, width)).into(),
        };
        self.share_of(count, threads, strided)
    }

    /// What each of so many threads has of so many values.
    fn share_of(&mut self, count: Exp, threads: Exp, strided: bool) -> Share {
        let rounds = self.b.let_("rounds", I64, bin(BinOp::Quot, I64, count.clone(), threads.clone()));
        let whole = bin(BinOp::Mul, I64, rounds, threads.clone());
        let rest = self.b.let_("rest", I64, bin(BinOp::Sub, I64, count.clone(), whole));
        let more = one_if(bin(BinOp::Gt, I64, rest, Exp::i64(0)));
        let chunk = self.b.let_("chunk", I64, bin(BinOp::Add, I64, rounds, more));
        Share { count, strided, threads, rounds, rest, chunk }
    }

    /// The number of the first value of a thread, and how many it has.
    pub(super) fn part(&mut self, share: &Share, thread: Var) -> (Var, Var) {
        if share.strided {
            let more = one_if(bin(BinOp::Lt, I64, thread, share.rest));
            return (thread, self.b.let_("own", I64, bin(BinOp::Add, I64, share.rounds, more)));
        }
        let first = self.b.let_("first", I64, bin(BinOp::Mul, I64, thread, share.chunk));
        let left = bin(BinOp::Sub, I64, share.count.clone(), first);
        (first, self.b.let_("own", I64, bin(BinOp::Min, I64, left, share.chunk)))
    }

    /// What a block does that reduces its share of some values, of which `value` combines the one at an index into accumulators. `start` is
    /// the number of its first thread. At the end one thread does what `done` writes with the results.
    fn reduce_block(
        &mut self,
        sizes: Blocks,
        start: Exp,
        share: &Share,
        op: &Operator,
        value: &mut dyn FnMut(&mut Lowerer, Exp, &Accumulators),
        done: &mut dyn FnMut(&mut Lowerer, &[Atom]),
    ) {
        let width = sizes.threads;
        let groups = self.groups(sizes, op);
        self.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| {
            let thread = this.b.let_("thread", I64, bin(BinOp::Add, I64, start, t));
            let (first, own) = this.part(share, thread);
            let accumulators = this.fresh_accumulators(op);
            this.in_loop("k", own.into(), LoopKind::Fold, |this, k| {
                let step =
                    if share.strided { bin(BinOp::Mul, I64, k, share.threads.clone()) } else { k.into() };
                value(this, bin(BinOp::Add, I64, first, step), &accumulators);
            });
            this.write_lanes(&groups.own, t.into(), &accumulators);
        });
        self.combine_groups(sizes, &groups, op);
        self.by_first(width, |this, _| {
            let accumulators = this.fresh_accumulators(op);
            this.combine_all(&accumulators, &groups, Exp::i64(sizes.groups()), op);
            let results: Vec<Atom> = accumulators.iter().map(|(var, _)| Atom::Var(*var)).collect();
            done(this, &results);
        });
        groups.memory.into_iter().for_each(|block| self.b.push(StatementKind::Free(block)));
    }

    /// `dests[at] := op(left, right)`
    fn write_combined(&mut self, dests: &Cells, at: Exp, op: &Operator, (left, right): (&[Atom], &[Atom])) {
        self.apply(op, left, right, |this, results| {
            for ((dest, _), result) in dests.iter().zip(results) {
                let result = this.exp(*result);
                this.b.write(*dest, vec![at.clone()], result);
            }
        });
    }

    /// Accumulators that no result is called like.
    pub(super) fn fresh_accumulators(&mut self, op: &Operator) -> Accumulators {
        let names: Vec<Var> = types(op.lambda).iter().map(|_| self.b.names.fresh("acc")).collect();
        self.accumulators(names.into_iter(), op)
    }

    fn write_lanes(&mut self, lanes: &Cells, at: Exp, accumulators: &Accumulators) {
        for ((lanes, _), (value, _)) in lanes.iter().zip(accumulators) {
            self.b.write(*lanes, vec![at.clone()], *value);
        }
    }

    /// So many cells for each result of an operator, with the blocks that they are in.
    fn cells(&mut self, name: &str, op: &Lambda, count: i64, space: Space) -> (Vec<Var>, Cells) {
        self.array_of(name, op, (Exp::i64(count), Poly::constant(count)), space)
    }

    /// The same for a number that is known when the program runs.
    fn array_of(
        &mut self,
        name: &str,
        op: &Lambda,
        (count, size): (Exp, Poly),
        space: Space,
    ) -> (Vec<Var>, Cells) {
        let (mut blocks, mut cells) = (Vec::new(), Vec::new());
        for ty in types(op) {
            let block = self.b.alloc(format!("{name}_mem").as_str(), ty, vec![count.clone()], space);
            let place = Lmad::row_major(Poly::constant(0), std::slice::from_ref(&size));
            cells.push((self.b.view(name, ty, block, place), ty));
            blocks.push(block);
        }
        (blocks, cells)
    }

    /// What is in the cells at an index.
    fn cells_at(&mut self, cells: &Cells, index: Exp) -> Vec<Atom> {
        let mut value =
            |(view, ty): &(Var, PrimType)| self.b.let_("value", *ty, read(*view, vec![index.clone()]));
        cells.iter().map(|cell| Atom::Var(value(cell))).collect()
    }
}

impl Blocks {
    /// Whether values are known to be fewer than the threads of a block.
    fn never_full(self, size: &Exp) -> bool {
        matches!(size, Exp::Const(size) if size.as_i64().is_some_and(|size| size < self.threads))
    }

    /// Blocks at most.
    fn most_for(self, fold: &Fold) -> i64 {
        if fold.allocates() { self.few } else { self.most }
    }
}

/// How often a number of lanes is halved until one is left.
fn steps(width: i64) -> i64 {
    i64::from((width as u64).next_power_of_two().trailing_zeros())
}

/// One or zero.
fn one_if(condition: Exp) -> Exp {
    select(condition, Exp::i64(1), Exp::i64(0))
}

/// The types of what an operator combines.
pub(super) fn types(op: &Lambda) -> Vec<PrimType> {
    let ty = |param: &Binder| match param.ty {
        MemType::Prim(ty) => ty,
        MemType::Mem(_) | MemType::Array { .. } => unreachable!("invariant M7: operators take scalars"),
    };
    op.params[..op.params.len() / 2].iter().map(ty).collect()
}

/// Whether a body allocates memory.
pub(super) fn allocates(body: &Body) -> bool {
    body.statements.iter().any(|statement| {
        let mut found = matches!(statement.exp, FunExp::Op(MemOp::Alloc { .. }));
        for_each_body(&statement.exp, &mut |body| found |= allocates(body));
        found
    })
}
