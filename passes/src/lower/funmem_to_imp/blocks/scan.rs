//! Scans by blocks. A block scans a run of neighbouring values in tiles: its threads put the values of a tile into shared memory, each next to its
//! neighbour's, scan a few of them each, scan what each has in all, and write the tile as they read it, each value behind what lies before its thread's own.
//!
//! ```text
//! for tile < tiles seq {
//!   for t < 256 thread { for k < 27 seq { stage[k * 256 + t] := value tile * 6912 + k * 256 + t, or the neutral element } }
//!   for t < 256 thread { stage[t * 27 …] := its scan; own[t] := the last of it }
//!   … own is scanned in groups of 32 threads, each of which has all[t / 32] in all; other[t] := own[t - 1] (`groups.rs`)
//!   for t < 256 thread { left[t] := op(all[0 … t / 32 - 1], other[t]) }
//!   for t < 256 thread { left[t] := op(carry, left[t]) }
//!   for t < 256 thread { dest[tile * 6912 + k * 256 + t] := op(left[(k * 256 + t) / 27], stage[k * 256 + t]); if t == 0 { carry := op(carry, all[0 … 7]) } }
//! }
//! ```
//! So neighbouring threads read and write neighbouring cells. A scan of many rows has a block for each row. One scan is one kernel (`chain.rs`), unless its
//! threads need memory of their own, which few blocks can have. Then it is three: each block
//! reduces its run, one block scans what the blocks have in all, and each block scans its run behind what the blocks before it have. Each value is
//! computed twice, and written once. Operators need not be commutative; the sizes of runs depend on the number of values alone.

use super::super::kernel::{Accumulators, Operator};
use super::super::scanned::Scanned;
use super::super::{Lowerer, atom_exp};
use super::groups::Groups;
use super::segments::long_and_few;
use super::values::is_little;
use super::{Blocks, Cells, Fold, I64, SHARED_BYTES, is_commutative, types};
use crate::thresholds::Threshold;
use fun::ir::Atom;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::build::{bin, convert, rounded_up};
use imp::ir::{Exp, LoopKind, Space, StatementKind};

/// Combines the value at an index into accumulators.
pub(in super::super) type Value<'f> = &'f mut dyn FnMut(&mut Lowerer, Var, &Accumulators);

/// What is done with a cell of a tile and the number of its value, under a guard if there is one.
type Staged<'f> = &'f mut dyn FnMut(&mut Lowerer, Var, Var, Option<Exp>);

/// A tile of a block.
pub(super) struct Tile<'o> {
    op: &'o Operator<'o>,
    /// Values of a thread.
    own: i64,
    /// The values, then the scan of each thread's own.
    pub(super) stage: Cells,
    pub(super) groups: Groups,
    /// What lies before the own values of each thread.
    left: Cells,
}

/// Values that a block scans.
pub(super) struct Run<'f> {
    /// How many.
    pub(super) count: Exp,
    pub(super) value: Value<'f>,
    /// Combines what lies before the first one into accumulators.
    pub(super) before: &'f mut dyn FnMut(&mut Lowerer, &Accumulators),
    /// What is done with the result at an index.
    pub(super) store: &'f mut dyn FnMut(&mut Lowerer, Var, &[Atom]),
}

impl Lowerer {
    /// A scan into arrays of one dimension, where `own` is what [`Blocks::scanned`] says.
    pub(in super::super) fn scan_in_blocks(
        &mut self,
        sizes: Blocks,
        own: i64,
        fold: &Fold,
        scanned: &Scanned,
    ) {
        if self.may_be_chained(fold) {
            return self.scan_in_chain(sizes, own, &[], fold, scanned);
        }
        let op = fold.op;
        let size = atom_exp(self.atom(fold.last.1));
        let tile = own * sizes.threads;
        let most = sizes.most_for(fold);
        let tiles = self.b.let_("tiles", I64, rounded_up(size.clone(), Exp::i64(tile)));
        let each = bin(BinOp::Max, I64, rounded_up(tiles, Exp::i64(most)), Exp::i64(1));
        let each = self.b.let_("each", I64, each);
        let blocks = self.b.let_("blocks", I64, rounded_up(tiles, each));
        let span = self.b.let_("span", I64, bin(BinOp::Mul, I64, each, Exp::i64(tile)));
        let (memory, partial) = self.cells("partial", op.lambda, most, Space::Default);
        let run = |this: &mut Lowerer, block: Var| {
            let first = this.b.let_("first", I64, bin(BinOp::Mul, I64, block, span));
            let left = bin(BinOp::Sub, I64, size.clone(), first);
            (first, this.b.let_("count", I64, bin(BinOp::Min, I64, left, span)))
        };
        let value = |this: &mut Lowerer, first: Var, index: Exp, accumulators: &Accumulators| {
            this.scanned_value(fold, bin(BinOp::Add, I64, first, index), accumulators);
        };
        self.in_loop("block", blocks.into(), LoopKind::Block, |this, block| {
            let (first, count) = run(this, block);
            if is_commutative(op.lambda) {
                let share = this.share(sizes, count.into(), Exp::i64(1), true);
                let mut value = |this: &mut Lowerer, index: Exp, accumulators: &Accumulators| {
                    value(this, first, index, accumulators);
                };
                let mut done = |this: &mut Lowerer, results: &[Atom]| {
                    this.write_atoms(&partial, &block.into(), results);
                };
                this.reduce_block(sizes, Exp::i64(0), &share, op, &mut value, &mut done);
            } else {
                let mut value = |this: &mut Lowerer, index: Var, accumulators: &Accumulators| {
                    value(this, first, index.into(), accumulators);
                };
                this.reduce_run(sizes, own, op, (count.into(), &mut value), &partial, block);
            }
        });
        self.in_loop("block", Exp::i64(1), LoopKind::Block, |this, _| {
            let run = Run {
                count: blocks.into(),
                value: &mut |this, index, accumulators| {
                    let values = this.cells_at(&partial, index.into());
                    this.combine(accumulators, op, &values);
                },
                before: &mut |_, _| {},
                store: &mut |this, index, values| this.write_atoms(&partial, &index.into(), values),
            };
            this.scan_run(sizes, own, op, run);
        });
        self.in_loop("block", blocks.into(), LoopKind::Block, |this, block| {
            let (first, count) = run(this, block);
            let run = Run {
                count: count.into(),
                value: &mut |this, index, accumulators| value(this, first, index.into(), accumulators),
                before: &mut |this, accumulators| {
                    this.when(bin(BinOp::Gt, I64, block, Exp::i64(0)), |this| {
                        let before = bin(BinOp::Sub, I64, block, Exp::i64(1));
                        let values = this.cells_at(&partial, before);
                        this.combine(accumulators, op, &values);
                    });
                },
                store: &mut |this, index, values| {
                    let at = this.b.let_("at", I64, bin(BinOp::Add, I64, first, index));
                    this.store_scanned(scanned, &[Atom::Var(at)], values);
                },
            };
            this.scan_run(sizes, own, op, run);
        });
        memory.into_iter().for_each(|block| self.b.push(StatementKind::Free(block)));
    }

    /// Scans of the innermost dimension, into arrays: `by_threads` writes them with a thread for each.
    pub(in super::super) fn scan_segments(
        &mut self,
        sizes: Blocks,
        own: i64,
        outer: &[(Var, Atom)],
        fold: &Fold,
        scanned: &Scanned,
        by_threads: &mut dyn FnMut(&mut Lowerer),
    ) {
        let size = atom_exp(self.atom(fold.last.1));
        let of_row = own.min(sizes.row_own);
        if sizes.never_full(&size) {
            return self.scan_small(sizes, outer, fold, scanned, by_threads);
        }
        let by_threads = &mut |this: &mut Lowerer| this.scan_small(sizes, outer, fold, scanned, by_threads);
        let mut by_blocks = |this: &mut Lowerer, indices: &[Atom]| {
            let run = Run {
                count: size.clone(),
                value: &mut |this, index, accumulators| this.scanned_value(fold, index.into(), accumulators),
                before: &mut |_, _| {},
                store: &mut |this, index, values| {
                    let at: Vec<Atom> = indices.iter().copied().chain([Atom::Var(index)]).collect();
                    this.store_scanned(scanned, &at, values);
                },
            };
            this.scan_run(sizes, of_row, fold.op, run);
        };
        if !self.may_be_chained(fold) {
            return self.each_segment(sizes, outer, size.clone(), &mut by_blocks, by_threads);
        }
        let outer_sizes: Vec<Exp> = outer.iter().map(|(_, bound)| self.exp(*bound)).collect();
        let rows = self.count(&outer_sizes, "rows");
        let full = match &size {
            Exp::Const(size) => Exp::i64(size.as_i64().unwrap_or(0) / (own * sizes.threads)),
            size => bin(BinOp::Quot, I64, size.clone(), Exp::i64(own * sizes.threads)),
        };
        let asked = [(Threshold::ScanTiles, sizes.tiles, &full), (Threshold::ScanRows, sizes.rows, &rows)];
        let [tiles, most] = self.thresholds.ask(self.function, self.b.loc, asked);
        let condition = long_and_few((full, tiles), (rows, most));
        let (then, ()) = self.written(|this| this.scan_in_chain(sizes, own, outer, fold, scanned));
        let (otherwise, ()) =
            self.written(|this| this.each_segment(sizes, outer, size.clone(), &mut by_blocks, by_threads));
        self.b.push(StatementKind::If { condition, then, otherwise });
    }

    /// Combines what the body gives at an index into accumulators.
    pub(in super::super) fn scanned_value(&mut self, fold: &Fold, index: Exp, accumulators: &Accumulators) {
        let counter = self.bind(fold.last.0);
        self.b.push(StatementKind::Let { var: counter, ty: I64, value: index });
        self.step(accumulators, fold.op, fold.body);
    }

    /// What a block does that scans a run of values, of which each thread has `own` of a tile.
    pub(super) fn scan_run(&mut self, sizes: Blocks, own: i64, op: &Operator, run: Run) {
        let width = sizes.threads;
        let (mut memory, tile) = self.tile(sizes, own, op);
        let (more, carry) = self.cells("carry", op.lambda, 1, Space::Shared);
        memory.extend(more);
        let Run { count, value, before, store } = run;
        self.by_first(width, |this, _| {
            let accumulators = this.fresh_accumulators(op);
            before(this, &accumulators);
            this.write_lanes(&carry, Exp::i64(0), &accumulators);
        });
        self.each_tile(width * own, &count, |this, start| {
            this.fill_stage(width, own, op, (start, &count, value), &tile.stage);
            this.scan_tile(sizes, &tile);
            this.put_left(sizes, &tile);
            this.put_carry(sizes, &tile, &carry);
            // (with the last in a thread loop of its own, PoCL 3.1 stops at an assertion)
            this.store_tile(sizes, &tile, None, (start, &count), store, &mut |this, t| {
                this.when(bin(BinOp::Eq, I64, t, Exp::i64(0)), |this| {
                    this.carry_on(sizes, op, (&carry, &tile.groups));
                });
            });
        });
        memory.into_iter().for_each(|block| self.b.push(StatementKind::Free(block)));
    }

    /// Memory for a tile.
    pub(super) fn tile<'o>(&mut self, sizes: Blocks, own: i64, op: &'o Operator<'o>) -> (Vec<Var>, Tile<'o>) {
        let width = sizes.threads;
        let (mut memory, stage) = self.cells("stage", op.lambda, width * own, Space::Shared);
        let (more, left) = self.cells("left", op.lambda, width, Space::Shared);
        memory.extend(more);
        let mut groups = self.groups(sizes, op);
        memory.append(&mut groups.memory);
        (memory, Tile { op, own, stage, groups, left })
    }

    /// Each thread scans its own of a tile, what each has in all is scanned in groups, and threads know what lies before them there.
    pub(super) fn scan_tile(&mut self, sizes: Blocks, tile: &Tile) {
        let Tile { op, own, stage, groups, left: _ } = tile;
        self.in_loop("t", Exp::i64(sizes.threads), LoopKind::Thread, |this, t| {
            let accumulators = this.fresh_accumulators(op);
            this.each_own(*own, t, |this, at| {
                let values = this.cells_at(stage, at.into());
                this.combine(&accumulators, op, &values);
                this.write_lanes(stage, at.into(), &accumulators);
            });
            this.write_lanes(&groups.own, t.into(), &accumulators);
        });
        self.scan_groups(sizes, groups, op);
        self.get_left(sizes, groups);
    }

    /// Each thread knows what lies before it in the tile, while nobody may know yet what lies before that.
    pub(super) fn put_left(&mut self, sizes: Blocks, tile: &Tile) {
        let Tile { op, own: _, stage: _, groups, left } = tile;
        self.in_loop("t", Exp::i64(sizes.threads), LoopKind::Thread, |this, t| {
            let accumulators = this.fresh_accumulators(op);
            this.combine_all(&accumulators, groups, sizes.group_of(t), op);
            this.when(bin(BinOp::Gt, I64, sizes.place_in_group(t), Exp::i64(0)), |this| {
                let values = this.cells_at(&groups.other, t.into());
                this.combine(&accumulators, op, &values);
            });
            this.write_lanes(left, t.into(), &accumulators);
        });
    }

    /// What lies before each thread in the tile, behind what lies before that.
    pub(super) fn put_carry(&mut self, sizes: Blocks, tile: &Tile, carry: &Cells) {
        self.in_loop("t", Exp::i64(sizes.threads), LoopKind::Thread, |this, t| {
            let (before, values) = (this.cells_at(carry, Exp::i64(0)), this.cells_at(&tile.left, t.into()));
            this.write_combined(&tile.left, t.into(), tile.op, (&before, &values));
        });
    }

    /// The threads store the results of a tile, beside their neighbours, each behind what lies before the thread that had it, and before that behind `carry`, if
    /// it is not there yet; `last` is what a thread does then.
    pub(super) fn store_tile(
        &mut self,
        sizes: Blocks,
        tile: &Tile,
        carry: Option<&Cells>,
        (start, count): (Var, &Exp),
        store: &mut dyn FnMut(&mut Lowerer, Var, &[Atom]),
        last: &mut dyn FnMut(&mut Lowerer, Var),
    ) {
        let Tile { op, own, stage, groups: _, left } = tile;
        let width = sizes.threads;
        self.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| {
            this.each_staged((width, *own), (start, t), count, &mut |this, cell, index, guard| {
                this.guarded(guard, |this| {
                    // (a tile has few values: a device divides 32 bits in less time)
                    let narrow = convert(PrimType::U32, I64, cell);
                    let thread =
                        bin(BinOp::Quot, PrimType::U32, narrow, Exp::Const(PrimType::U32.of_i64(*own)));
                    let thread = this.b.let_("thread", I64, convert(I64, PrimType::U32, thread));
                    let values = this.cells_at(left, thread.into());
                    let before = if let Some(carry) = carry {
                        let accumulators = this.fresh_accumulators(op);
                        let first = this.cells_at(carry, Exp::i64(0));
                        this.assign_all(&accumulators, &first);
                        this.combine(&accumulators, op, &values);
                        accumulators.iter().map(|(var, _)| Atom::Var(*var)).collect()
                    } else {
                        values
                    };
                    let values = this.cells_at(stage, cell.into());
                    this.apply(op, &before, &values, |this, results| {
                        let results: Vec<Atom> = results.iter().map(|result| this.atom(*result)).collect();
                        store(this, index, &results);
                    });
                });
            });
            last(this, t);
        });
    }

    /// What lies before the next tile: before this one, and what its groups have.
    fn carry_on(&mut self, sizes: Blocks, op: &Operator, (carry, groups): (&Cells, &Groups)) {
        let accumulators = self.fresh_accumulators(op);
        let values = self.cells_at(carry, Exp::i64(0));
        self.assign_all(&accumulators, &values);
        self.combine_all(&accumulators, groups, Exp::i64(sizes.groups()), op);
        self.write_lanes(carry, Exp::i64(0), &accumulators);
    }

    /// What a block does that reduces a run of values in order, in the same tiles; its first thread writes the result to `partial[block]`.
    fn reduce_run(
        &mut self,
        sizes: Blocks,
        own: i64,
        op: &Operator,
        (count, value): (Exp, Value<'_>),
        partial: &Cells,
        block: Var,
    ) {
        let width = sizes.threads;
        let (mut memory, stage) = self.cells("stage", op.lambda, width * own, Space::Shared);
        let (more, carry) = self.cells("carry", op.lambda, 1, Space::Shared);
        memory.extend(more);
        let mut groups = self.groups(sizes, op);
        memory.append(&mut groups.memory);
        self.by_first(width, |this, _| {
            let accumulators = this.fresh_accumulators(op);
            this.write_lanes(&carry, Exp::i64(0), &accumulators);
        });
        self.each_tile(width * own, &count, |this, start| {
            this.fill_stage(width, own, op, (start, &count, value), &stage);
            this.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| {
                let accumulators = this.fresh_accumulators(op);
                this.each_own(own, t, |this, at| {
                    let values = this.cells_at(&stage, at.into());
                    this.combine(&accumulators, op, &values);
                });
                this.write_lanes(&groups.own, t.into(), &accumulators);
            });
            this.combine_groups(sizes, &groups, op);
            this.by_first(width, |this, _| this.carry_on(sizes, op, (&carry, &groups)));
        });
        self.by_first(width, |this, _| {
            let values = this.cells_at(&carry, Exp::i64(0));
            this.write_atoms(partial, &block.into(), &values);
        });
        memory.into_iter().for_each(|block| self.b.push(StatementKind::Free(block)));
    }

    /// A loop over tiles; `f` gets the number of a tile's first value.
    fn each_tile(&mut self, tile: i64, count: &Exp, f: impl FnOnce(&mut Lowerer, Var)) {
        let rounded = bin(BinOp::Add, I64, count.clone(), Exp::i64(tile - 1));
        let tiles = self.b.let_("tiles", I64, bin(BinOp::Quot, I64, rounded, Exp::i64(tile)));
        self.in_loop("tile", tiles.into(), LoopKind::Seq, |this, number| {
            let start = this.b.let_("start", I64, bin(BinOp::Mul, I64, number, Exp::i64(tile)));
            f(this, start);
        });
    }

    /// The values of a tile, and neutral elements behind the last one, in shared memory.
    pub(super) fn fill_stage(
        &mut self,
        width: i64,
        own: i64,
        op: &Operator,
        (start, count, value): (Var, &Exp, Value<'_>),
        stage: &Cells,
    ) {
        self.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| {
            this.each_staged((width, own), (start, t), count, &mut |this, cell, index, guard| {
                let accumulators = this.fresh_accumulators(op);
                this.guarded(guard, |this| value(this, index, &accumulators));
                this.write_lanes(stage, cell.into(), &accumulators);
            });
        });
    }

    /// The cells of a tile that a thread reads and writes beside its neighbours, and the numbers of their values. What is done for each is under a guard,
    /// as the last tile may not be full; where it is little, it is written out for tiles that are, so that a thread asks for all of its cells at once.
    fn each_staged(&mut self, (width, own): (i64, i64), (start, t): (Var, Var), count: &Exp, f: Staged<'_>) {
        let mut each = |this: &mut Lowerer, full: bool| {
            let kind = if full { LoopKind::Unroll } else { LoopKind::Seq };
            this.in_loop("k", Exp::i64(own), kind, |this, k| {
                let skipped = bin(BinOp::Mul, I64, k, Exp::i64(width));
                let cell = this.b.let_("cell", I64, bin(BinOp::Add, I64, skipped, t));
                let index = this.b.let_("index", I64, bin(BinOp::Add, I64, start, cell));
                let guard = (!full).then(|| bin(BinOp::Lt, I64, index, count.clone()));
                f(this, cell, index, guard);
            });
        };
        let (otherwise, ()) = self.written(|this| each(this, false));
        if !is_little(&otherwise) {
            return self.b.push_all(otherwise);
        }
        let (then, ()) = self.written(|this| each(this, true));
        let end = bin(BinOp::Add, I64, start, Exp::i64(width * own));
        let condition = bin(BinOp::Le, I64, end, count.clone());
        self.b.push(StatementKind::If { condition, then, otherwise });
    }

    /// Statements, under a guard if there is one.
    fn guarded(&mut self, guard: Option<Exp>, f: impl FnOnce(&mut Lowerer)) {
        match guard {
            Some(guard) => self.when(guard, f),
            None => f(self),
        }
    }

    /// The neighbouring cells of a tile that a thread combines.
    fn each_own(&mut self, own: i64, t: Var, f: impl FnOnce(&mut Lowerer, Var)) {
        self.in_loop("k", Exp::i64(own), LoopKind::Seq, |this, k| {
            let first = bin(BinOp::Mul, I64, t, Exp::i64(own));
            let at = this.b.let_("at", I64, bin(BinOp::Add, I64, first, k));
            f(this, at);
        });
    }

    /// What the first thread does.
    pub(super) fn by_first(&mut self, width: i64, f: impl FnOnce(&mut Lowerer, Var)) {
        self.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| {
            this.when(bin(BinOp::Eq, I64, t, Exp::i64(0)), |this| f(this, t));
        });
    }

    pub(super) fn write_atoms(&mut self, dests: &Cells, at: &Exp, values: &[Atom]) {
        for ((dest, _), value) in dests.iter().zip(values) {
            self.b.write(*dest, vec![at.clone()], atom_exp(*value));
        }
    }
}

impl Blocks {
    /// How many values of a tile a thread of a scan has, if there is room for the tile, and for what threads exchange on devices where that takes memory.
    pub(in super::super) fn scanned(self, op: &funmem::ir::Lambda) -> Option<i64> {
        let bytes: i64 = types(op).iter().map(|ty| i64::from(ty.bytes())).sum();
        let room = (SHARED_BYTES / (bytes.max(1) * self.threads) - 3).min(self.own);
        // an odd number, so that neighbours find theirs in different banks
        (room > 0).then_some(room - (1 - room % 2))
    }

    /// The same where each row is a block's: rows that are shorter than a tile would leave most of a large one empty.
    pub(in super::super) fn scanned_of_row(self, op: &funmem::ir::Lambda) -> Option<i64> {
        self.scanned(op).map(|own| own.min(self.row_own))
    }
}
