//! Histograms of few cells by operators that `atomic` does not take: each thread has a table of its own in shared memory, and the tables of a block are
//! combined in an order that does not change.
//!
//! ```text
//! if size <= 192 {
//!   for block < parts block {
//!     alloc own_mem : f32[192, 32] in shared
//!     for t < 32 thread {
//!       for c < size seq { own[c, t] := neutral }
//!       for k < own seq { own[index, t] := op(own[index, t], value) }
//!     }
//!     for t < 32 thread { table[c, block] := own[c, t], own[c, t + 1] and so on, round, combined, for every 32nd c from t on }
//!   }
//!   dest[c] := op(dest[c], what table[c, …] has in all), as for other tables (`parts.rs`)
//! } else { … }
//! ```
//! Threads of a block have cells beside each other, each in a bank of its own, whatever their indices are. A block is as narrow as threads run in step, as a table
//! takes room that others could have. Few threads must ask for many values at once: where what is done for a value is little, a thread finds several
//! of them and their cells before it combines them. Rows that were made one array of values, as `(i / d, i % d)`, have a division of 64 bits in the way, which branches: so
//! quotients of the number of a value are carried from one value to the next (`Quotient`).

use super::super::{Array, Lowerer, atom_exp};
use super::values::is_little;
use super::{Blocks, Cells, Fold, I64, Share, types};
use fun::ir::Atom;
use fun_base::name::Var;
use fun_base::prim::BinOp;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::build::{bin, read, select};
use imp::ir::{Exp, ImpType, LoopKind, Space, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::BTreeSet;

/// What is done with the results of a body.
type OfResults<'f> = dyn FnMut(&mut Lowerer, &[Atom]) + 'f;

/// What `counter / divisor` is for the value that a thread is at. The next counter is larger by the same number each time, and so are quotient and remainder, but
/// for one that is carried.
struct Quotient {
    divisor: Var,
    /// The divisor without its sign.
    size: Var,
    quotient: Var,
    remainder: Var,
    /// What is added to the quotient, without a one that is carried and with it, and to the remainder.
    steps: [Var; 3],
}

/// How many threads of a block have tables, and how large these are.
#[derive(Clone, Copy, Debug)]
pub(super) struct SharedTables {
    /// Threads of a block, a power of two.
    pub(super) threads: i64,
    /// Bytes of the tables of a block.
    pub(super) bytes: i64,
    /// Blocks at most.
    pub(super) blocks: i64,
    /// Values of a thread, at least, where that leaves a block.
    pub(super) values: i64,
    /// Values that a thread finds before it combines them.
    pub(super) batch: i64,
}

/// Of 227 KiB of a multiprocessor of compute capability 9.0 nine blocks take 225, and 128 such have these blocks at the same time. By OpenCL a block may have no more than 32 KiB.
pub(super) const USUAL: SharedTables =
    SharedTables { threads: 32, bytes: 24 << 10, blocks: 1152, values: 16, batch: 8 };
/// What small inputs fill: two blocks of two threads, and a batch with a value behind it.
pub(super) const SMALL: SharedTables = SharedTables { threads: 2, bytes: 32, blocks: 2, values: 1, batch: 2 };

impl SharedTables {
    /// How many cells a histogram may have, if threads need no memory beside their tables.
    pub(super) fn room(self, fold: &Fold) -> Option<i64> {
        let bytes: i64 = types(fold.op.lambda).iter().map(|ty| i64::from(ty.bytes())).sum();
        let room = self.bytes / (self.threads * bytes.max(1));
        (room > 0 && !fold.allocates()).then_some(room)
    }
}

impl Lowerer {
    /// A histogram of no more than `room` cells.
    pub(super) fn hist_with_shared_tables(
        &mut self,
        sizes: Blocks,
        fold: &Fold,
        (size, room): (Atom, i64),
        dests: &[Array],
    ) {
        let own = sizes.shared_tables;
        let width = own.threads;
        let count = atom_exp(self.atom(fold.last.1));
        let filled = bin(BinOp::Quot, I64, count.clone(), Exp::i64(width * own.values));
        let most = bin(BinOp::Min, I64, filled, Exp::i64(own.blocks));
        let parts = self.b.let_("parts", I64, bin(BinOp::Max, I64, most, Exp::i64(1)));
        let threads = self.b.let_("threads", I64, bin(BinOp::Mul, I64, parts, Exp::i64(width)));
        let share = self.share_of(count, threads.into(), true);
        let (memory, tables) = self.tables(fold.op.lambda, (size, parts));
        self.in_loop("block", parts.into(), LoopKind::Block, |this, block| {
            let (own_memory, cells) = this.own_tables(fold, (room, width));
            this.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| {
                this.in_loop("c", atom_exp(size), LoopKind::Seq, |this, c| {
                    for ((view, _), neutral) in cells.iter().zip(fold.op.neutral) {
                        let neutral = this.exp(*neutral);
                        this.b.write(*view, vec![c.into(), t.into()], neutral);
                    }
                });
                let first = bin(BinOp::Mul, I64, block, Exp::i64(width));
                let thread = this.b.let_("thread", I64, bin(BinOp::Add, I64, first, t));
                this.fill_own_table(own, &share, fold, (thread, t), size, &cells);
            });
            this.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| {
                this.each_cell(width, t, size, |this, cell| {
                    let accumulators = this.fresh_accumulators(fold.op);
                    // neighbouring threads begin at different tables, which are in different banks
                    this.in_loop("s", Exp::i64(width), LoopKind::Fold, |this, s| {
                        let next = bin(BinOp::Add, I64, s, t);
                        let at = bin(BinOp::And, I64, next, Exp::i64(width - 1));
                        let at = this.b.let_("at", I64, at);
                        let values = this.table_values(&cells, cell, at.into());
                        this.combine(&accumulators, fold.op, &values);
                    });
                    for ((table, _), (value, _)) in tables.iter().zip(&accumulators) {
                        this.b.write(*table, vec![cell.into(), block.into()], *value);
                    }
                });
            });
            own_memory.into_iter().for_each(|block| this.b.push(StatementKind::Free(block)));
        });
        self.combine_tables(sizes, fold, (size, parts), &tables, dests);
        memory.into_iter().for_each(|block| self.b.push(StatementKind::Free(block)));
    }

    /// So many cells for each of so many threads, in memory that these share.
    fn own_tables(&mut self, fold: &Fold, (room, width): (i64, i64)) -> (Vec<Var>, Cells) {
        let shape = [Poly::constant(room), Poly::constant(width)];
        let (mut memory, mut cells) = (Vec::new(), Cells::new());
        for ty in types(fold.op.lambda) {
            let block = self.b.alloc("own_mem", ty, vec![Exp::i64(room), Exp::i64(width)], Space::Shared);
            cells.push((self.b.view("own", ty, block, Lmad::row_major(Poly::constant(0), &shape)), ty));
            memory.push(block);
        }
        (memory, cells)
    }

    /// Combines a thread's values into its table.
    fn fill_own_table(
        &mut self,
        sizes: SharedTables,
        share: &Share,
        fold: &Fold,
        (thread, t): (Var, Var),
        size: Atom,
        cells: &Cells,
    ) {
        let (first, own) = self.part(share, thread);
        let value = |this: &mut Lowerer, k: Exp, stepped: &[Quotient], f: &mut OfResults<'_>| {
            let skipped = bin(BinOp::Mul, I64, k, share.threads.clone());
            let counter = this.counted(fold.last.0, bin(BinOp::Add, I64, first, skipped));
            let (mut done, ()) = this.written(|this| this.body(fold.body, |this, results| f(this, results)));
            for of in stepped {
                for_each_quotient(&mut done, counter, &mut |divisor, value| {
                    if divisor == of.divisor {
                        *value = of.quotient.into();
                    }
                });
            }
            this.b.push_all(done);
            stepped.iter().for_each(|of| this.step_quotient(of));
        };
        let combine = |this: &mut Lowerer, index: Var, values: &[Atom]| {
            let old = this.table_values(cells, index, t.into());
            this.apply(fold.op, &old, values, |this, sums| {
                for ((cell, _), sum) in cells.iter().zip(sums) {
                    let sum = this.exp(*sum);
                    this.b.write(*cell, vec![index.into(), t.into()], sum);
                }
            });
        };
        let one_by_one = |this: &mut Lowerer, from: Exp, stepped: &[Quotient]| {
            let left = bin(BinOp::Sub, I64, own, from.clone());
            this.in_loop("k", left, LoopKind::Seq, |this, k| {
                value(this, bin(BinOp::Add, I64, from, k), stepped, &mut |this, results| {
                    this.if_inside(results, size, |this, index, values| {
                        let values: Vec<Atom> = values.iter().map(|value| this.atom(*value)).collect();
                        combine(this, index, &values);
                    });
                });
            });
        };
        let (mut in_order, ()) = self.written(|this| one_by_one(this, Exp::i64(0), &[]));
        if !is_little(&in_order) {
            return self.b.push_all(in_order);
        }
        let stepped = self.quotients(&mut in_order, fold.last.0, (first, &share.threads));
        let batch = Exp::i64(sizes.batch);
        let (mut memory, found) = self.cells("found", fold.op.lambda, sizes.batch, Space::Stack);
        let at_memory = self.b.alloc("places_mem", I64, vec![batch.clone()], Space::Stack);
        let shape = Lmad::row_major(Poly::constant(0), &[Poly::constant(sizes.batch)]);
        let places = self.b.view("places", I64, at_memory, shape);
        memory.push(at_memory);
        let full = self.b.let_("full", I64, bin(BinOp::Quot, I64, own, batch.clone()));
        self.in_loop("r", full.into(), LoopKind::Seq, |this, r| {
            this.in_loop("u", batch.clone(), LoopKind::Unroll, |this, u| {
                let before = bin(BinOp::Mul, I64, r, batch.clone());
                value(this, bin(BinOp::Add, I64, before, u), &stepped, &mut |this, results| {
                    let Some((index, values)) = results.split_first() else { return };
                    let index = this.exp(*index);
                    this.b.write(places, vec![u.into()], index);
                    let values: Vec<Atom> = values.iter().map(|value| this.atom(*value)).collect();
                    this.write_atoms(&found, &u.into(), &values);
                });
            });
            this.in_loop("u", batch.clone(), LoopKind::Unroll, |this, u| {
                this.if_cell(read(places, vec![u.into()]), size, |this, index| {
                    let values = this.cells_at(&found, u.into());
                    combine(this, index, &values);
                });
            });
        });
        one_by_one(self, bin(BinOp::Mul, I64, full, batch), &stepped);
        memory.into_iter().for_each(|block| self.b.push(StatementKind::Free(block)));
    }

    /// The quotients of a counter by numbers from outside of a loop, as they are for its first value.
    fn quotients(
        &mut self,
        body: &mut [Statement],
        counter: Var,
        (first, step): (Var, &Exp),
    ) -> Vec<Quotient> {
        let Exp::Var(counter) = self.exp(Atom::Var(counter)) else { return Vec::new() };
        let (mut divisors, mut inside) = (BTreeSet::new(), BTreeSet::new());
        for_each_statement(body, &mut |statement| inside.extend(statement.kind.declares()));
        for_each_quotient(body, counter, &mut |divisor, _| _ = divisors.insert(divisor));
        let mut made = Vec::new();
        for divisor in divisors.difference(&inside).copied() {
            // (a divisor of zero is found out where the source divides; by the least number there is, and by the largest, a counter comes to zero)
            let least = bin(BinOp::Max, I64, divisor, Exp::i64(-i64::MAX));
            let negated = bin(BinOp::Sub, I64, Exp::i64(0), least.clone());
            let size = bin(BinOp::Max, I64, least, negated);
            let size = self.b.let_("size", I64, bin(BinOp::Max, I64, size, Exp::i64(1)));
            let below = bin(BinOp::Lt, I64, divisor, Exp::i64(0));
            let one = select(below, Exp::i64(-1), Exp::i64(1));
            let one = self.b.let_("one", I64, one);
            let both = |this: &mut Lowerer, whole: Exp| {
                let quotient = this.b.let_("quot", I64, bin(BinOp::Quot, I64, whole.clone(), size));
                let rest = bin(BinOp::Sub, I64, whole, bin(BinOp::Mul, I64, quotient, size));
                let rest = this.b.let_("rest", I64, rest);
                (this.b.let_("quot", I64, bin(BinOp::Mul, I64, quotient, one)), rest)
            };
            let (step, step_rest) = both(self, step.clone());
            let carrying = self.b.let_("carrying", I64, bin(BinOp::Add, I64, step, one));
            let (quotient, remainder) = both(self, first.into());
            let mut carried =
                |text: &str, value: Var| self.b.declare(text, ImpType::Prim(I64), Some(value.into()));
            let (quotient, remainder) = (carried("quot", quotient), carried("rest", remainder));
            made.push(Quotient { divisor, size, quotient, remainder, steps: [step, carrying, step_rest] });
        }
        made
    }

    /// The quotient of the next counter.
    fn step_quotient(&mut self, of: &Quotient) {
        let [step, carrying, rest] = of.steps;
        let sum = self.b.let_("sum", I64, bin(BinOp::Add, I64, of.remainder, rest));
        let carries = bin(BinOp::Ge, I64, sum, of.size);
        let more = select(carries.clone(), carrying, step);
        self.b.assign(of.quotient, bin(BinOp::Add, I64, of.quotient, more));
        let less = bin(BinOp::Sub, I64, sum, of.size);
        self.b.assign(of.remainder, select(carries, less, sum));
    }
}

/// Calls `f` with the divisor and the value of each variable that is a counter divided by a variable.
fn for_each_quotient(list: &mut [Statement], counter: Var, f: &mut dyn FnMut(Var, &mut Exp)) {
    for statement in list {
        if let StatementKind::Let { value, .. } = &mut statement.kind
            && let Exp::Bin(BinOp::Quot, I64, left, right) = value
            && let (Exp::Var(left), Exp::Var(divisor)) = (&**left, &**right)
            && *left == counter
        {
            let divisor = *divisor;
            f(divisor, value);
        }
        statement.kind.for_each_body_mut(&mut |body| for_each_quotient(body, counter, f));
    }
}
