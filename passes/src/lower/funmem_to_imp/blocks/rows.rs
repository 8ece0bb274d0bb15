//! Reductions and scans that are part of what a block does for its row (`rows.rs` of the lowering).

use super::super::kernel::Accumulators;
use super::super::{Lowerer, atom_exp};
use super::scan::{Run, Value};
use super::{Blocks, Cells, Fold};
use fun::ir::Atom;
use fun_base::name::Var;
use imp::ir::{Exp, Space};

impl Lowerer {
    /// A reduction by the block: the result is in cells that its threads share, with the memory that they are in.
    pub(in super::super) fn reduce_row(
        &mut self,
        sizes: Blocks,
        fold: &Fold,
        value: &mut dyn FnMut(&mut Lowerer, Exp, &Accumulators),
    ) -> (Vec<Var>, Cells) {
        let size = atom_exp(self.atom(fold.last.1));
        let (memory, total) = self.cells("total", fold.op.lambda, 1, Space::Shared);
        let share = self.share(sizes, size, Exp::i64(1), fold.strided());
        self.reduce_block(sizes, Exp::i64(0), &share, fold.op, value, &mut |this, results| {
            this.write_atoms(&total, &Exp::i64(0), results);
        });
        (memory, total)
    }

    /// A scan by the block, of whose tiles each thread has `own` values.
    pub(in super::super) fn scan_row(
        &mut self,
        sizes: Blocks,
        own: i64,
        fold: &Fold,
        value: Value<'_>,
        store: &mut dyn FnMut(&mut Lowerer, Var, &[Atom]),
    ) {
        let count = atom_exp(self.atom(fold.last.1));
        let run = Run { count, value, before: &mut |_, _| {}, store };
        self.scan_run(sizes, own, fold.op, run);
    }
}

impl Blocks {
    /// Threads of a block.
    pub(in super::super) fn width(self) -> i64 {
        self.threads
    }

    /// Bytes of shared memory for the arrays of a row.
    pub(in super::super) fn row_bytes(self) -> i64 {
        self.row_bytes
    }

    /// From so many values on a row is a block's, where there are so many rows, or these have fewer values than that.
    pub(in super::super) fn rows_of(self) -> (i64, i64, i64) {
        (self.row_values, self.row_count, self.short_rows)
    }
}
