//! Scans in one pass: a block has a tile, tells what that has in all as soon as it knows, and is told what lies before it. Each value is read once and written once.
//!
//! ```text
//! var before = neutral
//! for block < tiles chain {
//!   … each thread scans its own of the tile, and all[0 … 7] is what groups of threads have (`scan.rs`)
//!   for t < 256 thread { if t == 0 { tile[0] := all[0 … 7], combined in order } }
//!   … left[t] is what lies before the own values of thread t in the tile
//!   ordered words {
//!     carry[0] := before
//!     before := op(before, tile[0])
//!   }
//!   … the values of the tile behind carry are written
//! }
//! ```
//! Merrill and Garland (*Single-pass Parallel Prefix Scan with Decoupled Look-back*, 2016) have each block look back for what lies before its tile. Here the tiles are
//! combined from the first on, in order, whoever does it: so what is combined with what depends on the number of values alone, and sums of floats are the same bits in
//! each run. A device has one block that does it for all (`ordered` in the C backend).
//!
//! Several scans are one such kernel too, where they are long and too few for the blocks of a device: each row begins anew.

use super::super::kernel::Accumulators;
use super::super::scanned::Scanned;
use super::super::{Lowerer, atom_exp};
use super::{Blocks, Fold, I64};
use fun::ir::Atom;
use fun_base::name::Var;
use fun_base::prim::BinOp;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::build::{bin, rounded_up};
use imp::ir::{Exp, LoopKind, Space, StatementKind};
use imp::ordered;
use imp::visit::for_each_statement;

/// Statements of an operator that may be applied once more for each value, at most.
const FEW: usize = 2;

impl Lowerer {
    /// Whether a scan can be one: its threads need no memory of their own, and its operator is something that a region can do.
    pub(super) fn may_be_chained(&mut self, fold: &Fold) -> bool {
        if fold.allocates() {
            return false;
        }
        let (trial, ()) = self.written(|this| {
            let accumulators = this.fresh_accumulators(fold.op);
            let values: Vec<Atom> = accumulators.iter().map(|(var, _)| Atom::Var(*var)).collect();
            this.combine(&accumulators, fold.op, &values);
        });
        let mut fits = true;
        for_each_statement(&trial, &mut |statement| {
            fits &= ordered::may_stand(&statement.kind) && statement.kind.writes().is_none();
        });
        fits
    }

    /// A scan into arrays of one dimension, or of each row of some, where `own` is what [`Blocks::scanned`] says.
    pub(super) fn scan_in_chain(
        &mut self,
        sizes: Blocks,
        own: i64,
        outer: &[(Var, Atom)],
        fold: &Fold,
        scanned: &Scanned,
    ) {
        let (op, width) = (fold.op, sizes.threads);
        let size = atom_exp(self.atom(fold.last.1));
        let outer_sizes: Vec<Exp> = outer.iter().map(|(_, bound)| self.exp(*bound)).collect();
        let rows = outer_sizes.iter().cloned().reduce(|x, y| bin(BinOp::Mul, I64, x, y));
        let tiles = self.b.let_("tiles", I64, rounded_up(size.clone(), Exp::i64(own * width)));
        let blocks = rows.map_or(tiles.into(), |rows| bin(BinOp::Mul, I64, rows, tiles));
        let blocks = self.b.let_("blocks", I64, blocks);
        let before = self.fresh_accumulators(op);
        // what a tile has and what lies before it
        let types = super::types(op.lambda);
        let count = 2 * types.iter().map(|ty| i64::from(ordered::words(*ty))).sum::<i64>();
        let (memory, words) = self.words(count, blocks);
        self.in_loop("block", blocks.into(), LoopKind::Chain, |this, block| {
            let place = |this: &mut Lowerer| match outer {
                [] => (None, block),
                _ => {
                    // (there are tiles where there are blocks, but a test of that would stand between barriers)
                    let some = bin(BinOp::Max, I64, tiles, Exp::i64(1));
                    let row = this.b.let_("row", I64, bin(BinOp::Quot, I64, block, some));
                    let before = bin(BinOp::Mul, I64, row, tiles);
                    (Some(row), this.b.let_("number", I64, bin(BinOp::Sub, I64, block, before)))
                }
            };
            let (row, number) = place(this);
            let indices = row.map(|row| this.position(row, outer, &outer_sizes)).unwrap_or_default();
            let start = this.b.let_("start", I64, bin(BinOp::Mul, I64, number, Exp::i64(own * width)));
            let (mut shared, tile) = this.tile(sizes, own, op);
            let (more, carry) = this.cells("carry", op.lambda, 1, Space::Shared);
            shared.extend(more);
            let (more, all) = this.cells("tile", op.lambda, 1, Space::Shared);
            shared.extend(more);
            let mut value = |this: &mut Lowerer, index: Var, accumulators: &Accumulators| {
                this.scanned_value(fold, index.into(), accumulators);
            };
            this.fill_stage(width, own, op, (start, &size, &mut value), &tile.stage);
            this.scan_tile(sizes, &tile);
            this.by_first(width, |this, _| {
                let accumulators = this.fresh_accumulators(op);
                this.combine_all(&accumulators, &tile.groups, Exp::i64(sizes.groups()), op);
                this.write_lanes(&all, Exp::i64(0), &accumulators);
            });
            this.put_left(sizes, &tile);
            let (body, ()) = this.written(|this| {
                if !outer.is_empty() {
                    let (_, number) = place(this);
                    this.when(bin(BinOp::Eq, I64, number, Exp::i64(0)), |this| {
                        let neutral = this.fresh_accumulators(op);
                        let neutral: Vec<Atom> = neutral.iter().map(|(var, _)| Atom::Var(*var)).collect();
                        this.assign_all(&before, &neutral);
                    });
                }
                this.write_lanes(&carry, Exp::i64(0), &before);
                let values = this.cells_at(&all, Exp::i64(0));
                this.combine(&before, op, &values);
            });
            this.b.push(StatementKind::Ordered { words, body });
            let mut store = |this: &mut Lowerer, index: Var, values: &[Atom]| {
                let at: Vec<Atom> = indices.iter().copied().chain([Atom::Var(index)]).collect();
                this.store_scanned(scanned, &at, values);
            };
            // once for each thread; where the operator is little, for each value: no thread waits for the others then
            let little = op.lambda.body.statements.len() <= FEW;
            if !little {
                this.put_carry(sizes, &tile, &carry);
            }
            let carry = little.then_some(&carry);
            this.store_tile(sizes, &tile, carry, (start, &size), &mut store, &mut |_, _| {});
            shared.into_iter().for_each(|block| this.b.push(StatementKind::Free(block)));
        });
        self.b.push(StatementKind::Free(memory));
    }

    /// Words of blocks, zero.
    fn words(&mut self, count: i64, blocks: Var) -> (Var, Var) {
        let memory = self.b.alloc("words_mem", I64, vec![Exp::i64(count), blocks.into()], Space::Default);
        let place = Lmad::row_major(Poly::constant(0), &[Poly::constant(count), Poly::var(blocks)]);
        let words = self.b.view("words", I64, memory, place);
        self.in_loop("i", blocks.into(), LoopKind::Par, |this, i| {
            for word in 0..count {
                this.b.write(words, vec![Exp::i64(word), i.into()], Exp::i64(0));
            }
        });
        (memory, words)
    }
}
