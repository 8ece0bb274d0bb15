//! Kernels that do little for each iteration: a thread has several, which lie as far apart as a block has threads, and reads for all of them before it
//! computes for any. So more of the device's memory is on its way at a time than a read for each thread would make, and fewer blocks begin; neighbouring threads
//! touch neighbouring cells as before.
//!
//! ```text
//! let points = select(count >= 1048576, 4, 1)
//! for block < quot(count + points * 256 - 1, points * 256) block {
//!   for t < 256 thread {
//!     let first = block * points * 256 + t
//!     let last = first + 768
//!     if points == 4 && last < count {
//!       … what the iterations first, first + 256, first + 512 and last read
//!       … what else they do, one after the other
//!     } else {
//!       for e < points seq { let i = first + e * 256  if i < count { … } }
//!     }
//!   }
//! }
//! ```
//! Iterations of a parallel loop do not read what others write, so what one reads may come before what another writes. Where there are fewer iterations
//! than fill a device several times over, a thread has one.

use super::Host;
use crate::imp::copy::{fresh, replace};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::build::{bin, select};
use imp::ir::{Exp, LoopKind, Statement, StatementKind};
use imp::visit::for_each_statement;

/// How many iterations a thread has, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Points {
    /// Iterations of a thread.
    pub(super) each: i64,
    /// Iterations of the loop from which on threads have so many.
    pub(super) least: i64,
}

/// Statements of an iteration at most, views aside: it is written out several times.
const MOST: usize = 16;

const I64: PrimType = PrimType::I64;

/// How many of the first statements may come before what other iterations do, if an iteration does little and reads, or does nothing but write: those that read, up to
/// the first that does anything else.
pub(super) fn first_statements(body: &[Statement]) -> Option<usize> {
    let (mut statements, mut little, mut reads, mut computes) = (0, true, false, false);
    for_each_statement(body, &mut |statement| {
        statements += usize::from(!matches!(statement.kind, StatementKind::View { .. }));
        little &= matches!(
            statement.kind,
            StatementKind::Let { .. }
                | StatementKind::View { .. }
                | StatementKind::Write { .. }
                | StatementKind::If { .. }
        );
        computes |= !matches!(statement.kind, StatementKind::View { .. } | StatementKind::Write { .. });
        statement.kind.for_each_exp(&mut |exp| reads |= exp.reads());
    });
    let only_reads = |statement: &Statement| {
        matches!(statement.kind, StatementKind::Let { .. } | StatementKind::View { .. })
    };
    let first = body.iter().take_while(|statement| only_reads(statement)).count();
    (little && (reads || !computes) && statements <= MOST).then_some(first)
}

impl Host {
    /// A kernel of so many iterations, of which a thread has several where these are many; as many of an iteration's first statements as `reads` may
    /// come before those of others.
    pub(super) fn points(&mut self, var: Var, count: Var, body: Vec<Statement>, reads: usize) {
        let Points { each, least } = self.sizes.points;
        let width = self.sizes.threads;
        let many = bin(BinOp::Ge, I64, count, Exp::i64(least));
        let points = select(many, Exp::i64(each), Exp::i64(1));
        let points = self.b.let_("points", I64, points);
        let span = self.b.let_("span", I64, bin(BinOp::Mul, I64, points, Exp::i64(width)));
        let rounded = bin(BinOp::Add, I64, count, bin(BinOp::Sub, I64, span, Exp::i64(1)));
        let blocks = self.b.let_("blocks", I64, bin(BinOp::Quot, I64, rounded, span));
        self.b.for_("block", blocks, LoopKind::Block, |b, block| {
            b.for_("t", Exp::i64(width), LoopKind::Thread, |b, t| {
                let start = bin(BinOp::Mul, I64, block, span);
                let first = b.let_("first_point", I64, bin(BinOp::Add, I64, start, t));
                let last =
                    b.let_("last_point", I64, bin(BinOp::Add, I64, first, Exp::i64((each - 1) * width)));
                let (then, ()) = b.nested(|b| {
                    let mut rests = Vec::new();
                    for point in 0..each {
                        let mut copy = fresh(&body, &mut b.names);
                        let value = bin(BinOp::Add, I64, first, Exp::i64(point * width));
                        let own = b.let_(var.text, I64, value);
                        replace(&mut copy, var, own);
                        rests.push(copy.split_off(reads));
                        b.push_all(copy);
                    }
                    rests.into_iter().for_each(|rest| b.push_all(rest));
                });
                let (otherwise, ()) = b.nested(|b| {
                    b.for_("e", points, LoopKind::Seq, |b, e| {
                        let skipped = bin(BinOp::Mul, I64, e, Exp::i64(width));
                        b.push(StatementKind::Let {
                            var,
                            ty: I64,
                            value: bin(BinOp::Add, I64, first, skipped),
                        });
                        super::guarded(b, var, count, body);
                    });
                });
                let several = bin(BinOp::Eq, I64, points, Exp::i64(each));
                let all = bin(BinOp::Lt, I64, last, count);
                let condition = bin(BinOp::And, PrimType::Bool, several, all);
                b.push(StatementKind::If { condition, then, otherwise });
            });
        });
    }
}
