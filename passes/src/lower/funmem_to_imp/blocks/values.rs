//! Kernels with a thread for every n-th value of a histogram or scatter, and what is done where an index is that of a cell.

use super::super::{Lowerer, atom_exp};
use super::{Blocks, I64, Share};
use fun::ir::Atom;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use funmem::ir::Body;
use imp::build::bin;
use imp::ir::{Exp, LoopKind, Statement, StatementKind};
use imp::visit::for_each_statement;

/// Statements of a loop that may be written out for each iteration, at most.
const LITTLE: i64 = 24;

impl Lowerer {
    /// A kernel of so many blocks with a thread for every n-th value, where `f` gets the number of one.
    pub(super) fn each_share(
        &mut self,
        sizes: Blocks,
        (blocks, share): (Var, &Share),
        f: &mut dyn FnMut(&mut Lowerer, Exp),
    ) {
        let width = Exp::i64(sizes.threads);
        self.in_loop("block", blocks.into(), LoopKind::Block, |this, block| {
            this.in_loop("t", width.clone(), LoopKind::Thread, |this, t| {
                let start = bin(BinOp::Mul, I64, block, width);
                let thread = this.b.let_("thread", I64, bin(BinOp::Add, I64, start, t));
                let (first, own) = this.part(share, thread);
                this.in_loop("k", own.into(), LoopKind::Seq, |this, k| {
                    let skipped = bin(BinOp::Mul, I64, k, share.threads.clone());
                    f(this, bin(BinOp::Add, I64, first, skipped));
                });
            });
        });
    }

    /// The same with the results of a body with this counter, and the number.
    pub(super) fn each_own_value(
        &mut self,
        sizes: Blocks,
        around: (Var, &Share),
        (counter, body): (Var, &Body),
        f: &mut dyn FnMut(&mut Lowerer, &[Atom], Var),
    ) {
        self.each_share(sizes, around, &mut |this, value| {
            let number = this.counted(counter, value);
            this.body(body, |this, results| f(this, results, number));
        });
    }

    /// What is done with an index and values, the results of a body, where the index is one of so many cells.
    pub(super) fn if_inside(
        &mut self,
        results: &[Atom],
        size: Atom,
        f: impl FnOnce(&mut Lowerer, Var, &[Atom]),
    ) {
        let Some((index, values)) = results.split_first() else { return };
        let index = self.exp(*index);
        self.if_cell(index, size, |this, index| f(this, index, values));
    }

    /// What is done with an index where it is one of so many cells.
    pub(super) fn if_cell(&mut self, index: Exp, size: Atom, f: impl FnOnce(&mut Lowerer, Var)) {
        let index = self.b.let_("at", I64, index);
        let low = bin(BinOp::Le, I64, Exp::i64(0), index);
        let high = bin(BinOp::Lt, I64, index, atom_exp(size));
        let (then, ()) = self.written(|this| f(this, index));
        let condition = bin(BinOp::And, PrimType::Bool, low, high);
        self.b.push(StatementKind::If { condition, then, otherwise: Vec::new() });
    }
}

/// Whether a loop's body is so little that it may be written out for each iteration.
pub(super) fn is_little(list: &[Statement]) -> bool {
    let (mut statements, mut loops) = (0, 0);
    for_each_statement(list, &mut |statement| {
        statements += 1;
        loops += i64::from(matches!(statement.kind, StatementKind::For { .. } | StatementKind::While { .. }));
    });
    loops <= 1 && statements <= LITTLE
}
