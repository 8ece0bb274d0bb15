//! Histograms by operators that `atomic` does not take: each thread has a table of its own, for every n-th value, and the tables are combined in order. Sums of `f32` and `f64` with many cells are in `exact.rs`. Where
//! that are few tables, cells have locks, if the operator fits (`locks.rs`).
//!
//! ```text
//! let parts = between 1 and 65536, and no more cells than pays
//! alloc parts_mem : f32[size, parts]
//! for c < size * parts par { parts[c] := neutral }
//! for p < parts par { for k < own seq { table[index, p] := op(table[index, p], value) } }
//! if parts >= 512 {
//!   for block < size block { dest[block] := op(dest[block], what the block reduces table[block, …] to) }
//! } else {
//!   for c < size par { dest[c] := op(dest[c], table[c, 0]), and so on }
//! }
//! ```
//! How many tables there are, and which values are combined in which order, depends on the numbers of values and of cells alone: so sums of floats do
//! not change from run to run. Where cells are few, tables lie in shared memory (`shared_tables.rs`). Tables lie in each other, so that neighbouring threads with the same index touch neighbouring cells.
//!
//! More tables are less for each thread to do one after the other, and more cells to fill and to combine. If a value takes 0.6 microseconds and a cell
//! of a table as long as 8 bytes take on a device that moves 4 TB in a second, both together take the least time where there are about 550 √(values / cells) of them;
//! `512 + 128 values / cells` is near that from one value for a cell up to some 64. Tables take 256 MiB in all at most, or four cells for each value if that is more.
//! Where cells may have locks, tables pay against these from more values on, and are as many as four cells for each value allow.

use super::super::kernel::Accumulators;
use super::super::{Array, Lowerer, atom_exp};
use super::exact::exact_sums;
use super::{Blocks, Cells, Fold, I64, types};
use crate::thresholds::Threshold;
use fun::ir::Atom;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::{Lambda, atom_poly};
use imp::build::{bin, read};
use imp::ir::{Exp, LoopKind, Space, StatementKind};

/// Cells of tables for each value that there may always be.
const CELLS_PER_VALUE: i64 = 4;
/// Cells of tables for each value, at most.
const MOST_CELLS_PER_VALUE: i64 = 2048;
/// Values of a table, at least, where that leaves one.
const VALUES_PER_TABLE: i64 = 8;
/// Tables that pay where there are a few values for each cell.
const BALANCE: i64 = 512;

/// A program asks a function of this name whether a histogram of so many values, cells, and bytes of a cell is by sorting: who lowers it for a device answers. Sources can give
/// the name to entry points alone, which nobody calls.
pub(crate) const SORTS_HISTOGRAM: &str = "_sorts_histogram";

fn times(x: &Exp, y: i64) -> Exp {
    bin(BinOp::Mul, I64, x.clone(), Exp::i64(y))
}

/// As many tables as have room, one at least, where so many cells have room in all.
fn tables(size: &Exp, room: Exp, most: Exp) -> Exp {
    let cells = bin(BinOp::Max, I64, size.clone(), Exp::i64(1));
    let fitting = bin(BinOp::Quot, I64, room, cells);
    bin(BinOp::Max, I64, bin(BinOp::Min, I64, fitting, most), Exp::i64(1))
}

/// How many tables take the least time in all, where cells have no locks.
fn balanced_tables(sizes: Blocks, count: &Exp, size: &Exp, bytes: i64) -> Exp {
    let cells = bin(BinOp::Max, I64, size.clone(), Exp::i64(1));
    let fitting = Exp::i64(sizes.tables_bytes / bytes.max(1));
    let larger = bin(BinOp::Min, I64, times(count, MOST_CELLS_PER_VALUE), fitting);
    let ratio = bin(BinOp::Quot, I64, count.clone(), cells);
    let balanced = bin(BinOp::Add, I64, times(&ratio, BALANCE / 4), Exp::i64(BALANCE));
    let busy = bin(BinOp::Quot, I64, count.clone(), Exp::i64(VALUES_PER_TABLE));
    let most = Exp::i64(sizes.tables_most);
    let wanted = bin(BinOp::Min, I64, balanced, bin(BinOp::Min, I64, busy, most));
    tables(size, bin(BinOp::Max, I64, times(count, CELLS_PER_VALUE), larger), wanted)
}

impl Lowerer {
    /// A histogram with tables, sums of integers or locks.
    pub(in super::super) fn hist_in_parts(&mut self, sizes: Blocks, fold: &Fold, dests: &[Array]) {
        let Some(size) = dests.first().and_then(|dest| dest.shape.first()).copied() else { return };
        let Some(room) = sizes.shared_tables.room(fold) else {
            return self.hist_of_many_cells(sizes, fold, size, dests);
        };
        let (then, ()) = self.written(|this| this.hist_with_shared_tables(sizes, fold, (size, room), dests));
        let (otherwise, ()) = self.written(|this| this.hist_of_many_cells(sizes, fold, size, dests));
        let condition = bin(BinOp::Le, I64, atom_exp(size), Exp::i64(room));
        self.b.push(StatementKind::If { condition, then, otherwise });
    }

    /// A histogram whose cells have no room in shared memory.
    fn hist_of_many_cells(&mut self, sizes: Blocks, fold: &Fold, size: Atom, dests: &[Array]) {
        let Some(ops) = exact_sums(fold.op.lambda, &types(fold.op.lambda)) else {
            return self.hist_in_tables(sizes, fold, size, dests);
        };
        let (then, ()) = self.written(|this| this.hist_exactly(sizes, fold, &ops, size, dests));
        let (otherwise, ()) = self.written(|this| this.hist_in_tables(sizes, fold, size, dests));
        let condition = bin(BinOp::Ge, I64, atom_exp(size), Exp::i64(sizes.exact_cells));
        self.b.push(StatementKind::If { condition, then, otherwise });
    }

    /// A histogram with tables in device memory, or locks.
    fn hist_in_tables(&mut self, sizes: Blocks, fold: &Fold, size: Atom, dests: &[Array]) {
        let count = atom_exp(self.atom(fold.last.1));
        let Some(otherwise) = self.hist_with_locks(sizes, fold, dests) else {
            let bytes = types(fold.op.lambda).iter().map(|ty| i64::from(ty.bytes())).sum();
            let parts = self.b.let_("parts", I64, balanced_tables(sizes, &count, &atom_exp(size), bytes));
            return self.hist_with_tables(sizes, fold, (size, parts), dests);
        };
        let room = times(&count, CELLS_PER_VALUE);
        let parts = self.b.let_("parts", I64, tables(&atom_exp(size), room, Exp::i64(sizes.tables_most)));
        let (then, ()) = self.written(|this| this.hist_with_tables(sizes, fold, (size, parts), dests));
        let asked = [(Threshold::HistogramTables, sizes.tables, &parts.into())];
        let [enough] = self.thresholds.ask(self.function, self.b.loc, asked);
        let condition = bin(BinOp::Ge, I64, parts, enough);
        self.b.push(StatementKind::If { condition, then, otherwise });
    }

    /// Whether a histogram whose operator has tables alone is by sorting: where tables are few, each has many values, which a thread combines one after the other.
    ///
    /// A value of a table takes some 0.6 microseconds. A round of a sort, of which there are half as many as a key has bits, takes some 15 microseconds, and one more for each
    /// 40,000 values: so it pays from a few hundred values for each table on where tables are no more than some thousands.
    pub(in super::super) fn sorts_histogram(&mut self, args: &[Atom]) -> Exp {
        let (Some(sizes), [count, size, bytes]) = (self.blocks.filter(|_| !self.parallel), args) else {
            return Exp::Const(PrimValue::Bool(false));
        };
        let (count, size) = (self.exp(*count), self.exp(*size));
        let bytes = bytes.as_const().and_then(PrimValue::as_i64).unwrap_or(1);
        let parts = self.b.let_("parts", I64, balanced_tables(sizes, &count, &size, bytes));
        let own = self.b.let_("own", I64, bin(BinOp::Quot, I64, count, parts));
        let asked = [(Threshold::SortedValues, sizes.sorted_values, &own.into())];
        let [from] = self.thresholds.ask(self.function, self.b.loc, asked);
        let few = bin(BinOp::Le, I64, parts, Exp::i64(sizes.sorted_tables));
        bin(BinOp::And, PrimType::Bool, bin(BinOp::Ge, I64, own, from), few)
    }

    /// A histogram with so many tables.
    fn hist_with_tables(&mut self, sizes: Blocks, fold: &Fold, (size, parts): (Atom, Var), dests: &[Array]) {
        let count = atom_exp(self.atom(fold.last.1));
        let all = self.b.let_("all", I64, bin(BinOp::Mul, I64, atom_exp(size), parts));
        let (memory, tables) = self.tables(fold.op.lambda, (size, parts));
        let flat = |this: &mut Lowerer, (block, (_, ty)): (&Var, &(Var, PrimType))| {
            this.b.view("parts", *ty, *block, Lmad::row_major(Poly::constant(0), &[Poly::var(all)]))
        };
        let flat: Vec<Var> = memory.iter().zip(&tables).map(|table| flat(self, table)).collect();
        self.in_loop("c", all.into(), LoopKind::Par, |this, c| {
            for (view, neutral) in flat.iter().zip(fold.op.neutral) {
                let neutral = this.exp(*neutral);
                this.b.write(*view, vec![c.into()], neutral);
            }
        });
        self.in_loop("p", parts.into(), LoopKind::Par, |this, p| {
            let last = bin(BinOp::Sub, I64, parts, Exp::i64(1));
            let left = bin(BinOp::Sub, I64, bin(BinOp::Add, I64, count, last), p);
            this.in_loop("k", bin(BinOp::Quot, I64, left, parts), LoopKind::Seq, |this, k| {
                this.counted(fold.last.0, bin(BinOp::Add, I64, p, bin(BinOp::Mul, I64, k, parts)));
                this.body(fold.body, |this, results| {
                    this.if_inside(results, size, |this, index, values| {
                        let old = this.table_values(&tables, index, p.into());
                        let values: Vec<Atom> = values.iter().map(|value| this.atom(*value)).collect();
                        this.apply(fold.op, &old, &values, |this, sums| {
                            for ((table, _), sum) in tables.iter().zip(sums) {
                                let sum = this.exp(*sum);
                                this.b.write(*table, vec![index.into(), p.into()], sum);
                            }
                        });
                    });
                });
            });
        });
        self.combine_tables(sizes, fold, (size, parts), &tables, dests);
        memory.into_iter().for_each(|block| self.b.push(StatementKind::Free(block)));
    }

    /// So many tables of so many cells, and the blocks that they are in.
    pub(super) fn tables(&mut self, op: &Lambda, (size, parts): (Atom, Var)) -> (Vec<Var>, Cells) {
        let shape = [atom_poly(size), Poly::var(parts)];
        let (mut memory, mut tables) = (Vec::new(), Cells::new());
        for ty in types(op) {
            let block = self.b.alloc("parts_mem", ty, vec![atom_exp(size), parts.into()], Space::Default);
            tables.push((self.b.view("table", ty, block, Lmad::row_major(Poly::constant(0), &shape)), ty));
            memory.push(block);
        }
        (memory, tables)
    }

    /// `dests[c] := op(dests[c], table[c, 0])`, and so on for all tables, where a block combines many of them.
    pub(super) fn combine_tables(
        &mut self,
        sizes: Blocks,
        fold: &Fold,
        (size, parts): (Atom, Var),
        tables: &Cells,
        dests: &[Array],
    ) {
        let op = fold.op;
        let cells: Cells = dests.iter().map(|dest| (dest.view, dest.elem)).collect();
        let (then, ()) = self.written(|this| {
            this.in_loop("block", atom_exp(size), LoopKind::Block, |this, block| {
                let share = this.share(sizes, parts.into(), Exp::i64(1), true);
                let mut value = |this: &mut Lowerer, index: Exp, accumulators: &Accumulators| {
                    let values = this.table_values(tables, block, index);
                    this.combine(accumulators, op, &values);
                };
                this.reduce_block(sizes, Exp::i64(0), &share, op, &mut value, &mut |this, new| {
                    let old = this.cells_at(&cells, block.into());
                    this.write_combined(&cells, block.into(), op, (&old, new));
                });
            });
        });
        let (otherwise, ()) = self.written(|this| {
            this.in_loop("c", atom_exp(size), LoopKind::Par, |this, c| {
                let accumulators = this.fresh_accumulators(op);
                let old = this.cells_at(&cells, c.into());
                this.combine(&accumulators, op, &old);
                this.in_loop("p", parts.into(), LoopKind::Fold, |this, p| {
                    let values = this.table_values(tables, c, p.into());
                    this.combine(&accumulators, op, &values);
                });
                this.write_lanes(&cells, c.into(), &accumulators);
            });
        });
        let parts = Exp::Var(parts);
        let asked = [(Threshold::SegmentValues, sizes.long, &parts)];
        let [long] = self.thresholds.ask(self.function, self.b.loc, asked);
        let condition = bin(BinOp::Ge, I64, parts, long);
        self.b.push(StatementKind::If { condition, then, otherwise });
    }

    /// What tables have for a cell.
    pub(super) fn table_values(&mut self, tables: &Cells, cell: Var, part: Exp) -> Vec<Atom> {
        let mut value = |(table, ty): &(Var, PrimType)| {
            self.b.let_("value", *ty, read(*table, vec![cell.into(), part.clone()]))
        };
        tables.iter().map(|table| Atom::Var(value(table))).collect()
    }
}
