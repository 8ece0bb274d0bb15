//! Histograms by blocks of threads: every thread combines its values into the cells by `atomic`, which takes operators that may
//! come in any order and give the same. A histogram of few cells is a block's own first, in shared memory, where threads get in one another's way less.
//!
//! ```text
//! if size <= 1024 {
//!   for block < blocks block {
//!     alloc local_mem : i32[1024] in shared
//!     for t < 256 thread { local[c] := neutral, for every 256th c from t on }
//!     for t < 256 thread { for k < own seq { atomic local[index] := op(value) } }
//!     for t < 256 thread { atomic dest[c] := op(local[c]), for every 256th c from t on }
//!   }
//! } else {        all there is for minima and maxima of floats, which have no neutral element
//!   for block < blocks block { for t < 256 thread { for k < own seq { atomic dest[index] := op(value) } } }
//! }
//! ```

use super::super::{Array, Lowerer, atom_exp};
use super::{Blocks, Cells, Fold, I64, Share, types};
use crate::fun::single_operators;
use fun::ir::Atom;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use funmem::ir::Lambda;
use imp::build::{bin, read};
use imp::ir::{Exp, LoopKind, Space, StatementKind, is_atomic};

/// Memory of a histogram that a block has of its own, in bytes.
const LOCAL_BYTES: i64 = 16 << 10;

/// The operator of each result, if `atomic` takes them all.
pub(in super::super) fn atomics(op: &Lambda) -> Option<Vec<BinOp>> {
    let ops = single_operators(op)?;
    types(op).iter().zip(&ops).all(|(ty, op)| is_atomic(*op, *ty)).then_some(ops)
}

/// Whether tables that begin with the neutral element may be combined: not for minima and maxima of floats, whose neutral element is none for NaN.
pub(in super::super) fn has_neutral(op: &Lambda) -> bool {
    let extreme = |(ty, op): (&PrimType, &BinOp)| ty.is_float() && matches!(op, BinOp::Min | BinOp::Max);
    single_operators(op).is_none_or(|ops| !types(op).iter().zip(&ops).any(extreme))
}

impl Lowerer {
    /// A histogram.
    pub(in super::super) fn hist_in_blocks(
        &mut self,
        sizes: Blocks,
        fold: &Fold,
        ops: &[BinOp],
        dests: &[Array],
    ) {
        let Some(size) = dests.first().and_then(|dest| dest.shape.first()).copied() else { return };
        let widest = dests.iter().map(|dest| i64::from(dest.elem.bytes())).max().unwrap_or(1);
        let room = sizes.local.min(LOCAL_BYTES / widest / dests.len() as i64);
        let count = atom_exp(self.atom(fold.last.1));
        let blocks = self.blocks_for(sizes, &count, sizes.most_for(fold));
        let share = self.share(sizes, count, blocks.into(), true);
        let width = sizes.threads;
        let cells: Cells = dests.iter().map(|dest| (dest.view, dest.elem)).collect();
        let start = |block: Var| bin(BinOp::Mul, I64, block, Exp::i64(width));
        let (otherwise, ()) = self.written(|this| {
            this.in_loop("block", blocks.into(), LoopKind::Block, |this, block| {
                this.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| {
                    let thread = this.b.let_("thread", I64, bin(BinOp::Add, I64, start(block), t));
                    this.count_own(&share, thread, fold, ops, size, &cells);
                });
            });
        });
        if !has_neutral(fold.op.lambda) {
            return self.b.push_all(otherwise);
        }
        let (then, ()) = self.written(|this| {
            this.in_loop("block", blocks.into(), LoopKind::Block, |this, block| {
                let (memory, local) = this.cells("local", fold.op.lambda, room, Space::Shared);
                this.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| {
                    this.each_cell(width, t, size, |this, cell| {
                        for ((view, _), neutral) in local.iter().zip(fold.op.neutral) {
                            let neutral = this.exp(*neutral);
                            this.b.write(*view, vec![cell.into()], neutral);
                        }
                    });
                });
                this.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| {
                    let thread = this.b.let_("thread", I64, bin(BinOp::Add, I64, start(block), t));
                    this.count_own(&share, thread, fold, ops, size, &local);
                });
                this.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| {
                    this.each_cell(width, t, size, |this, cell| {
                        for (((view, _), (local, _)), op) in cells.iter().zip(&local).zip(ops) {
                            let value = read(*local, vec![cell.into()]);
                            this.atomic(*view, cell.into(), *op, value);
                        }
                    });
                });
                memory.into_iter().for_each(|block| this.b.push(StatementKind::Free(block)));
            });
        });
        let condition = bin(BinOp::Le, I64, atom_exp(size), Exp::i64(room));
        self.b.push(StatementKind::If { condition, then, otherwise });
    }

    /// Every `width`-th cell from that of a thread on.
    pub(super) fn each_cell(&mut self, width: i64, t: Var, size: Atom, f: impl FnOnce(&mut Lowerer, Var)) {
        let rounded = bin(BinOp::Add, I64, atom_exp(size), Exp::i64(width - 1));
        let left = bin(BinOp::Sub, I64, rounded, t);
        let own = bin(BinOp::Quot, I64, left, Exp::i64(width));
        self.in_loop("k", own, LoopKind::Seq, |this, k| {
            let skipped = bin(BinOp::Mul, I64, k, Exp::i64(width));
            let cell = this.b.let_("cell", I64, bin(BinOp::Add, I64, t, skipped));
            f(this, cell);
        });
    }

    /// What a thread has of the values, combined into cells; indices outside are passed over.
    fn count_own(
        &mut self,
        share: &Share,
        thread: Var,
        fold: &Fold,
        ops: &[BinOp],
        size: Atom,
        cells: &Cells,
    ) {
        let (first, own) = self.part(share, thread);
        self.in_loop("k", own.into(), LoopKind::Seq, |this, k| {
            let skipped = bin(BinOp::Mul, I64, k, share.threads.clone());
            this.counted(fold.last.0, bin(BinOp::Add, I64, first, skipped));
            this.body(fold.body, |this, results| {
                this.if_inside(results, size, |this, index, values| {
                    for (((view, _), value), op) in cells.iter().zip(values).zip(ops) {
                        let value = this.exp(*value);
                        this.atomic(*view, index.into(), *op, value);
                    }
                });
            });
        });
    }

    pub(super) fn atomic(&mut self, view: Var, at: Exp, op: BinOp, value: Exp) {
        self.b.push(StatementKind::Atomic { view, indices: vec![at], op, value });
    }
}
