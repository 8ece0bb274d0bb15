//! Many reductions or scans at once: each is a thread's, or a block's where they are long and too few for the threads of a device, or that of several blocks
//! where they are very few (`pieces.rs`), or several short ones are a block's (`small.rs`), which is known when the program runs.

use super::super::kernel::Accumulators;
use super::super::{Array, Lowerer, atom_exp};
use super::{Blocks, Fold, I64};
use crate::fun::dependent;
use crate::thresholds::Threshold;
use fun::ir::Atom;
use fun::visit::for_each_body;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use funmem::ir::{Exp as FunExp, Statement};
use imp::build::bin;
use imp::ir::{Exp, LoopKind, StatementKind};

impl Lowerer {
    /// Reductions of the innermost dimension, into arrays: `by_threads` writes them with a thread for each.
    pub(in super::super) fn reduce_segments(
        &mut self,
        sizes: Blocks,
        outer: &[(Var, Atom)],
        fold: &Fold,
        dests: &[Array],
        by_threads: &mut dyn FnMut(&mut Lowerer),
    ) {
        let (var, bound) = fold.last;
        let size = atom_exp(self.atom(bound));
        if sizes.never_full(&size) {
            return self.reduce_small(sizes, outer, fold, dests, by_threads);
        }
        let mut by_blocks = |this: &mut Lowerer, indices: &[Atom]| {
            let share = this.share(sizes, size.clone(), Exp::i64(1), fold.strided());
            let mut value = |this: &mut Lowerer, index: Exp, accumulators: &Accumulators| {
                let counter = this.bind(var);
                this.b.push(StatementKind::Let { var: counter, ty: I64, value: index });
                this.step(accumulators, fold.op, fold.body);
            };
            this.reduce_block(sizes, Exp::i64(0), &share, fold.op, &mut value, &mut |this, results| {
                this.write_values(dests, indices, results);
            });
        };
        let columns = self.votes_for_columns(outer, fold) > 0;
        // what a block would read together, threads of neighbouring reductions read at once
        let of_rows =
            if reads_alike(outer, fold) { Blocks { many: sizes.column_many, ..sizes } } else { sizes };
        let outer_sizes: Vec<Exp> = outer.iter().map(|(_, bound)| self.exp(*bound)).collect();
        let segments = self.count(&outer_sizes, "segments");
        // neighbouring blocks of a column would read with long steps: there it has pieces or threads
        let (from, below, usual) = if columns {
            (Threshold::SegmentValues, Threshold::Segments, (sizes.column_long, sizes.column_many))
        } else {
            (Threshold::PieceValues, Threshold::PieceSegments, (sizes.longest, sizes.fewest))
        };
        let asked = [(from, usual.0, &size), (below, usual.1, &segments)];
        let [long, many] = self.thresholds.ask(self.function, self.b.loc, asked);
        let condition = long_and_few((size.clone(), long), (segments, many));
        let (then, ()) = self.written(|this| this.reduce_pieces(sizes, outer, fold, dests, columns));
        let (otherwise, ()) = self.written(|this| match columns {
            true => by_threads(this),
            false => this.each_segment(of_rows, outer, size.clone(), &mut by_blocks, &mut |this| {
                this.reduce_small(sizes, outer, fold, dests, by_threads);
            }),
        });
        self.b.push(StatementKind::If { condition, then, otherwise });
    }

    /// `dests[indices] := values`
    pub(in super::super) fn write_values(&mut self, dests: &[Array], indices: &[Atom], values: &[Atom]) {
        for (dest, value) in dests.iter().zip(values) {
            let at = indices.iter().map(|index| atom_exp(*index)).collect();
            self.b.write(dest.view, at, atom_exp(*value));
        }
    }

    /// What is done for each of several rows of so many elements: by a block, to which the indices of its row are given, or otherwise by threads.
    pub(super) fn each_segment(
        &mut self,
        sizes: Blocks,
        outer: &[(Var, Atom)],
        size: Exp,
        by_blocks: &mut dyn FnMut(&mut Lowerer, &[Atom]),
        by_threads: &mut dyn FnMut(&mut Lowerer),
    ) {
        let outer_sizes: Vec<Exp> = outer.iter().map(|(_, bound)| self.exp(*bound)).collect();
        let segments = self.count(&outer_sizes, "segments");
        let asked =
            [(Threshold::SegmentValues, sizes.long, &size), (Threshold::Segments, sizes.many, &segments)];
        let [long, many] = self.thresholds.ask(self.function, self.b.loc, asked);
        let condition = long_and_few((size, long), (segments.clone(), many));
        let (then, ()) = self.written(|this| {
            this.in_loop("block", segments, LoopKind::Block, |this, block| {
                let indices = this.position(block, outer, &outer_sizes);
                by_blocks(this, &indices);
            });
        });
        let (otherwise, ()) = self.written(by_threads);
        self.b.push(StatementKind::If { condition, then, otherwise });
    }

    /// The product of sizes: a constant, or a name for it.
    pub(in super::super) fn count(&mut self, sizes: &[Exp], name: &str) -> Exp {
        let constant = |size: &Exp| if let Exp::Const(size) = size { size.as_i64() } else { None };
        if let Some(count) = sizes.iter().try_fold(1i64, |count, size| count.checked_mul(constant(size)?)) {
            return Exp::i64(count);
        }
        let count = sizes.iter().cloned().reduce(|x, y| bin(BinOp::Mul, I64, x, y));
        self.b.let_(name, I64, count.unwrap_or_else(|| Exp::i64(1))).into()
    }

    /// The counters of some loops where these run as one.
    pub(in super::super) fn position(&mut self, at: Var, space: &[(Var, Atom)], sizes: &[Exp]) -> Vec<Atom> {
        let mut left = Exp::Var(at);
        let mut indices = Vec::new();
        for (k, ((var, _), size)) in space.iter().zip(sizes).enumerate().rev() {
            let value = if k == 0 { left.clone() } else { bin(BinOp::Rem, I64, left.clone(), size.clone()) };
            let counter = self.bind(*var);
            self.b.push(StatementKind::Let { var: counter, ty: I64, value });
            if k > 0 {
                left = self.b.let_("left", I64, bin(BinOp::Quot, I64, left, size.clone())).into();
            }
            indices.push(Atom::Var(counter));
        }
        indices.reverse();
        indices
    }
}

/// Whether no cell is read by the number of a reduction and of a value in it: for each point of a grid, say, all atoms are.
fn reads_alike(outer: &[(Var, Atom)], fold: &Fold) -> bool {
    let row = outer.iter().map(|(counter, _)| (*counter, (true, false)));
    let by = row.chain([(fold.last.0, (false, true))]).collect();
    let own = |(statement, on)| on == (true, true) && reads(statement);
    !dependent(fold.body.statements.iter(), by).any(own)
}

/// Whether a statement reads cells.
fn reads(statement: &Statement) -> bool {
    let mut found = matches!(statement.exp, FunExp::Index { .. });
    for_each_body(&statement.exp, &mut |body| found |= body.statements.iter().any(reads));
    found
}

/// Whether there are so many values, and fewer reductions or scans of them than that.
pub(super) fn long_and_few((size, long): (Exp, Exp), (count, many): (Exp, Exp)) -> Exp {
    let (long, few) = (bin(BinOp::Ge, I64, size, long), bin(BinOp::Lt, I64, count, many));
    bin(BinOp::And, PrimType::Bool, long, few)
}
