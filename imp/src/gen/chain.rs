//! Blocks that do something one after the other: each adds what it tells to a sum.

use crate::build::{Builder, bin, read};
use crate::ir::{Exp, ImpType, LoopKind, Space, StatementKind};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;

const I64: PrimType = PrimType::I64;

/// Words of a block: of the number that it tells, and of the sum.
const WORDS: i64 = 4;

/// What the blocks of a loop hand on.
pub(super) struct Chain {
    memory: Var,
    words: Var,
    sum: Var,
}

impl Chain {
    /// What stands before the loop of so many blocks.
    pub(super) fn new(b: &mut Builder, blocks: i64) -> Chain {
        let memory = b.alloc("words_mem", I64, vec![Exp::i64(WORDS), Exp::i64(blocks)], Space::Default);
        let place = Lmad::row_major(Poly::constant(0), &[Poly::constant(WORDS), Poly::constant(blocks)]);
        let words = b.view("words", I64, memory, place);
        b.for_("i", Exp::i64(blocks), LoopKind::Par, |b, i| {
            (0..WORDS).for_each(|word| b.write(words, vec![Exp::i64(word), i.into()], Exp::i64(0)));
        });
        let sum = b.declare("sum", ImpType::Prim(I64), Some(Exp::i64(0)));
        Chain { memory, words, sum }
    }

    /// What a block of so many threads does; afterwards the condition that it gives is true. Gives memory, too, to free behind.
    pub(super) fn sum(&self, b: &mut Builder, width: i64, block: Var) -> (Exp, [Var; 2]) {
        let mut shared = |name: &str| {
            let memory = b.alloc(format!("{name}_mem").as_str(), I64, vec![Exp::i64(1)], Space::Shared);
            (memory, b.view(name, I64, memory, Lmad::row_major(Poly::constant(0), &[Poly::constant(1)])))
        };
        let ((first, mine), (second, before)) = (shared("mine"), shared("before"));
        let cell = || vec![Exp::i64(0)];
        b.for_("t", Exp::i64(width), LoopKind::Thread, |b, t| {
            b.when(bin(BinOp::Eq, I64, t, Exp::i64(0)), |b| {
                b.write(mine, cell(), bin(BinOp::Add, I64, block, Exp::i64(1)));
            });
        });
        let outer = b.begin();
        b.write(before, cell(), self.sum);
        b.assign(self.sum, bin(BinOp::Add, I64, self.sum, read(mine, cell())));
        let body = b.end(outer);
        b.push(StatementKind::Ordered { words: self.words, body });
        // twice the sum of the numbers up to the one of the block before
        let twice = bin(BinOp::Mul, I64, block, bin(BinOp::Add, I64, block, Exp::i64(1)));
        let condition = bin(BinOp::Eq, I64, bin(BinOp::Mul, I64, read(before, cell()), Exp::i64(2)), twice);
        (condition, [first, second])
    }

    /// Frees the memory, behind the loop.
    pub(super) fn free(self, b: &mut Builder) {
        b.push(StatementKind::Free(self.memory));
    }
}
