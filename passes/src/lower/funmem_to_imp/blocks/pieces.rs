//! Many reductions at once that are too few, or too long, for a thread or a block each: every one is cut into pieces, a piece is a thread's, and the pieces
//! of each are combined by a block.
//!
//! ```text
//! let pieces = so many that each has four values or more, and all together fill the device
//! for row < rows par { for piece < pieces par { partial[row * pieces + piece] := the values of this piece } }
//! for block < rows block { result[block] := partial[block * pieces + …] }
//! ```
//! Down the columns of a matrix (the sum of its rows, say) the loops stand the other way round. So neighbouring threads read neighbouring cells either way, but for
//! the few partial results of a column, which are as far apart as there are columns.

use super::super::kernel::Accumulators;
use super::super::{Array, Lowerer, atom_exp};
use super::{Blocks, Fold, I64, Share};
use fun::ir::Atom;
use fun::visit::for_each_body;
use fun_base::name::Var;
use fun_base::prim::BinOp;
use fun_index::poly::Poly;
use funmem::ir::{Body, Exp as FunExp};
use imp::build::bin;
use imp::ir::{Exp, LoopKind, Space, StatementKind};

impl Lowerer {
    /// Reductions of the innermost dimension, of which each is the work of several threads.
    pub(super) fn reduce_pieces(
        &mut self,
        sizes: Blocks,
        outer: &[(Var, Atom)],
        fold: &Fold,
        dests: &[Array],
        columns: bool,
    ) {
        let size = atom_exp(self.atom(fold.last.1));
        let outer_sizes: Vec<Exp> = outer.iter().map(|(_, bound)| self.exp(*bound)).collect();
        let rows = self.count(&outer_sizes, "rows");
        let pieces = self.pieces(sizes, fold, rows.clone(), size.clone());
        let all = self.b.let_("all", I64, bin(BinOp::Mul, I64, rows.clone(), pieces));
        let (memory, partial) =
            self.array_of("partial", fold.op.lambda, (all.into(), Poly::var(all)), Space::Default);
        let share = self.share_of(size, pieces.into(), fold.strided());
        let reduce = |this: &mut Lowerer, indices: &[Atom], piece: Var| {
            let row = flat(indices, &outer_sizes);
            let (start, step) = if columns {
                (bin(BinOp::Mul, I64, piece, rows.clone()), row)
            } else {
                (bin(BinOp::Mul, I64, row, pieces), piece.into())
            };
            let slot = this.b.let_("slot", I64, bin(BinOp::Add, I64, start, step));
            let accumulators = this.piece(&share, piece, fold);
            this.write_lanes(&partial, slot.into(), &accumulators);
        };
        if columns {
            self.in_loop("piece", pieces.into(), LoopKind::Par, |this, piece| {
                this.nest(outer, &mut Vec::new(), &mut |this, indices| reduce(this, indices, piece));
            });
        } else {
            self.nest(outer, &mut Vec::new(), &mut |this, indices| {
                this.in_loop("piece", pieces.into(), LoopKind::Simd, |this, piece| {
                    reduce(this, indices, piece)
                });
            });
        }
        let share = self.share(sizes, pieces.into(), Exp::i64(1), fold.strided());
        self.in_loop("block", rows.clone(), LoopKind::Block, |this, block| {
            let indices = this.position(block, outer, &outer_sizes);
            let mut value = |this: &mut Lowerer, index: Exp, accumulators: &Accumulators| {
                let (start, step) = if columns {
                    (block.into(), rows.clone())
                } else {
                    (bin(BinOp::Mul, I64, block, pieces), Exp::i64(1))
                };
                let at = bin(BinOp::Add, I64, start, bin(BinOp::Mul, I64, index, step));
                let at = this.b.let_("part", I64, at);
                let parts = this.cells_at(&partial, at.into());
                this.combine(accumulators, fold.op, &parts);
            };
            this.reduce_block(sizes, Exp::i64(0), &share, fold.op, &mut value, &mut |this, results| {
                this.write_values(dests, &indices, results);
            });
        });
        memory.into_iter().for_each(|block| self.b.push(StatementKind::Free(block)));
    }

    /// How many pieces each of so many reductions of so many values has.
    fn pieces(&mut self, sizes: Blocks, fold: &Fold, rows: Exp, size: Exp) -> Var {
        let threads = Exp::i64(sizes.most_for(fold) * sizes.threads);
        let fitting = bin(BinOp::Quot, I64, threads, bin(BinOp::Max, I64, rows, Exp::i64(1)));
        let enough = bin(BinOp::Quot, I64, size, Exp::i64(sizes.piece));
        let some = bin(BinOp::Min, I64, fitting, enough);
        self.b.let_("pieces", I64, bin(BinOp::Max, I64, some, Exp::i64(1)))
    }

    /// What a thread has that reduces a piece.
    fn piece(&mut self, share: &Share, piece: Var, fold: &Fold) -> Accumulators {
        let (first, own) = self.part(share, piece);
        let accumulators = self.fresh_accumulators(fold.op);
        self.in_loop("k", own.into(), LoopKind::Fold, |this, k| {
            let step = if share.strided { bin(BinOp::Mul, I64, k, share.threads.clone()) } else { k.into() };
            this.counted(fold.last.0, bin(BinOp::Add, I64, first, step));
            this.step(&accumulators, fold.op, fold.body);
        });
        accumulators
    }

    /// Where reductions or scans go: more than 0 means down columns, so that what they read lies next to what the next one reads; less than 0 along rows, next to
    /// what they read next.
    pub(super) fn votes_for_columns(&self, outer: &[(Var, Atom)], fold: &Fold) -> i64 {
        let Some((next, _)) = outer.last() else { return 0 };
        let mut votes = 0;
        self.count_steps(fold.body, (*next, fold.last.0), &mut votes);
        votes
    }

    /// Adds one for each read whose neighbour is at the first counter's next value, and takes one away for each at the second's.
    fn count_steps(&self, body: &Body, (next, last): (Var, Var), votes: &mut i64) {
        for statement in &body.statements {
            if let FunExp::Index { array, indices } = &statement.exp
                && let Some(array) = self.as_array(Atom::Var(*array))
            {
                for (index, dim) in indices.iter().zip(&array.lmad.dims) {
                    let is_next = dim.stride.as_constant() == Some(1);
                    *votes += i64::from(is_next && *index == Atom::Var(next));
                    *votes -= i64::from(is_next && *index == Atom::Var(last));
                }
            }
            for_each_body(&statement.exp, &mut |inner| self.count_steps(inner, (next, last), votes));
        }
    }
}

/// The number of a point where all of so many dimensions are one.
fn flat(indices: &[Atom], sizes: &[Exp]) -> Exp {
    let index = |index: &Atom| atom_exp(*index);
    let mut all = indices.iter().zip(sizes);
    let first = all.next().map_or(Exp::i64(0), |(first, _)| index(first));
    all.fold(first, |before, (next, size)| {
        bin(BinOp::Add, I64, bin(BinOp::Mul, I64, before, size.clone()), index(next))
    })
}
