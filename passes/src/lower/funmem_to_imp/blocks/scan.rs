//! Scans in three kernels: each thread scans neighbouring values, and each block what its threads have in all; one block scans what the
//! blocks have in all; then each thread puts what lies before its values in front of them.
//!
//! ```text
//! for block < blocks block {
//!   for t < 256 thread { dest[first …] := the scan of the values first …; lanes[t] := its last }
//!   for s < 8 seq { for t < 256 thread { into[t] := op(from[t - shl(1, s)], from[t]), if there are both } }
//!   for t < 256 thread { carried[block * 256 + t] := lanes[t]; if t == 255 { partial[block] := lanes[t] } }
//! }
//! for block < 1 block { the same with partial[t] }
//! for block < blocks block {
//!   for t < 256 thread {
//!     let acc = op(partial[block - 1], carried[block * 256 + t - 1])
//!     for k < own seq { dest[first + k] := op(acc, dest[first + k]) }
//!   }
//! }
//! ```
//! Lanes are two for each thread: a step reads those that the step before wrote. Operators need not be commutative.

use super::super::kernel::{Accumulators, Operator};
use super::super::{Array, Lowerer, atom_exp};
use super::{Blocks, Cells, Fold, I64, steps};
use fun::ir::Atom;
use fun_base::name::Var;
use fun_base::prim::BinOp;
use imp::build::bin;
use imp::ir::{Exp, LoopKind, Space, StatementKind};

impl Lowerer {
    /// A scan into arrays of one dimension.
    pub(in super::super) fn scan_in_blocks(&mut self, sizes: Blocks, fold: &Fold, dests: &[Array]) {
        let (var, bound) = fold.last;
        let (op, width) = (fold.op, sizes.threads);
        let size = atom_exp(self.atom(bound));
        // the threads of one block scan what blocks have in all
        let most = sizes.most_for(fold).min(width);
        let blocks = self.blocks_for(sizes, &size, most);
        let share = self.share(sizes, size, blocks.into(), false);
        let (mut memory, carried) = self.cells("carried", op.lambda, most * width, Space::Default);
        let (more, partial) = self.cells("partial", op.lambda, most, Space::Default);
        memory.extend(more);
        self.in_loop("block", blocks.into(), LoopKind::Block, |this, block| {
            let start = bin(BinOp::Mul, I64, block, Exp::i64(width));
            let mut first = |this: &mut Lowerer, lanes: &Cells, t: Var| {
                let thread = this.b.let_("thread", I64, bin(BinOp::Add, I64, start.clone(), t));
                let (first, own) = this.part(&share, thread);
                let accumulators = this.fresh_accumulators(op);
                this.in_loop("k", own.into(), LoopKind::Seq, |this, k| {
                    let counter = this.bind(var);
                    let value = bin(BinOp::Add, I64, first, k);
                    this.b.push(StatementKind::Let { var: counter, ty: I64, value });
                    this.step(&accumulators, op, fold.body);
                    this.write_all(dests, &[Atom::Var(counter)], &accumulators);
                });
                this.write_lanes(lanes, t.into(), &accumulators);
            };
            let mut last = |this: &mut Lowerer, values: &[Atom], t: Var| {
                let thread = bin(BinOp::Add, I64, start.clone(), t);
                this.write_atoms(&carried, &thread, values);
                let (then, ()) = this.written(|this| this.write_atoms(&partial, &block.into(), values));
                let condition = bin(BinOp::Eq, I64, t, Exp::i64(width - 1));
                this.b.push(StatementKind::If { condition, then, otherwise: Vec::new() });
            };
            this.scan_block(width, op, &mut first, &mut last);
        });
        self.in_loop("block", Exp::i64(1), LoopKind::Block, |this, _| {
            let there_is = |t: Var| bin(BinOp::Lt, I64, t, blocks);
            let mut first = |this: &mut Lowerer, lanes: &Cells, t: Var| {
                let accumulators = this.fresh_accumulators(op);
                this.when(there_is(t), |this| {
                    let values = this.cells_at(&partial, t.into());
                    this.combine(&accumulators, op, &values);
                });
                this.write_lanes(lanes, t.into(), &accumulators);
            };
            let mut last = |this: &mut Lowerer, values: &[Atom], t: Var| {
                this.when(there_is(t), |this| this.write_atoms(&partial, &t.into(), values));
            };
            this.scan_block(width, op, &mut first, &mut last);
        });
        self.in_loop("block", blocks.into(), LoopKind::Block, |this, block| {
            this.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| {
                let start = bin(BinOp::Mul, I64, block, Exp::i64(width));
                let thread = this.b.let_("thread", I64, bin(BinOp::Add, I64, start, t));
                let (first, own) = this.part(&share, thread);
                let accumulators = this.fresh_accumulators(op);
                let positive = |var: Var| bin(BinOp::Gt, I64, var, Exp::i64(0));
                let before = |var: Var| bin(BinOp::Sub, I64, var, Exp::i64(1));
                this.when(positive(block), |this| {
                    let values = this.cells_at(&partial, before(block));
                    this.combine(&accumulators, op, &values);
                });
                this.when(positive(t), |this| {
                    let values = this.cells_at(&carried, before(thread));
                    this.combine(&accumulators, op, &values);
                });
                this.when(positive(thread), |this| this.put_before(dests, (first, own), op, &accumulators));
            });
        });
        memory.into_iter().for_each(|block| self.b.push(StatementKind::Free(block)));
    }

    /// `dests[i] := op(accumulators, dests[i])` for some neighbouring `i`.
    fn put_before(
        &mut self,
        dests: &[Array],
        (first, own): (Var, Var),
        op: &Operator,
        accumulators: &Accumulators,
    ) {
        let before: Vec<Atom> = accumulators.iter().map(|(var, _)| Atom::Var(*var)).collect();
        let cells: Cells = dests.iter().map(|dest| (dest.view, dest.elem)).collect();
        self.in_loop("k", own.into(), LoopKind::Seq, |this, k| {
            let at = this.b.let_("at", I64, bin(BinOp::Add, I64, first, k));
            let values = this.cells_at(&cells, at.into());
            this.write_combined(&cells, at.into(), op, (&before, &values));
        });
    }

    /// What a block does that scans a value of each thread: `first` writes it to the lane of the thread, `last` is given what came out.
    fn scan_block(
        &mut self,
        width: i64,
        op: &Operator,
        first: &mut dyn FnMut(&mut Lowerer, &Cells, Var),
        last: &mut dyn FnMut(&mut Lowerer, &[Atom], Var),
    ) {
        let (memory, lanes) = self.cells("lanes", op.lambda, 2 * width, Space::Shared);
        self.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| first(this, &lanes, t));
        self.in_loop("s", Exp::i64(steps(width)), LoopKind::Seq, |this, s| {
            let apart = this.b.let_("apart", I64, bin(BinOp::Shl, I64, Exp::i64(1), s));
            let odd = bin(BinOp::And, I64, s, Exp::i64(1));
            let from = this.b.let_("from", I64, bin(BinOp::Mul, I64, odd, Exp::i64(width)));
            let into = this.b.let_("into", I64, bin(BinOp::Sub, I64, Exp::i64(width), from));
            this.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| {
                let at = this.b.let_("at", I64, bin(BinOp::Add, I64, from, t));
                let to = this.b.let_("to", I64, bin(BinOp::Add, I64, into, t));
                let right = this.cells_at(&lanes, at.into());
                let (then, ()) = this.written(|this| {
                    let left = this.cells_at(&lanes, bin(BinOp::Sub, I64, at, apart));
                    this.write_combined(&lanes, to.into(), op, (&left, &right));
                });
                let (otherwise, ()) = this.written(|this| this.write_atoms(&lanes, &to.into(), &right));
                let condition = bin(BinOp::Ge, I64, t, apart);
                this.b.push(StatementKind::If { condition, then, otherwise });
            });
        });
        let offset = steps(width) % 2 * width;
        self.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| {
            let values = this.cells_at(&lanes, bin(BinOp::Add, I64, t, Exp::i64(offset)));
            last(this, &values, t);
        });
        memory.into_iter().for_each(|block| self.b.push(StatementKind::Free(block)));
    }

    fn when(&mut self, condition: Exp, f: impl FnOnce(&mut Lowerer)) {
        let (then, ()) = self.written(f);
        self.b.push(StatementKind::If { condition, then, otherwise: Vec::new() });
    }

    fn write_atoms(&mut self, dests: &Cells, at: &Exp, values: &[Atom]) {
        for ((dest, _), value) in dests.iter().zip(values) {
            self.b.write(*dest, vec![at.clone()], atom_exp(*value));
        }
    }
}
