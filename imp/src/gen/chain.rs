//! Blocks that wait for those before them: each adds its number to the sum of theirs, from the last of them that has its own on.

use crate::build::{Builder, bin, read};
use crate::ir::{Exp, ImpType, LoopKind, Space, StatementKind};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;

const I64: PrimType = PrimType::I64;

/// What the blocks of a loop tell one another.
pub(super) struct Chain {
    memory: [Var; 3],
    flags: Var,
    /// For each block, its number and one more.
    own: Var,
    /// For each block, the sum of these up to its own.
    sums: Var,
}

impl Chain {
    /// Memory for so many blocks, before their loop.
    pub(super) fn new(b: &mut Builder, blocks: i64) -> Chain {
        let mut cells = |name: &str, elem: PrimType| {
            let memory =
                b.alloc(format!("{name}_mem").as_str(), elem, vec![Exp::i64(blocks)], Space::Default);
            let place = Lmad::row_major(Poly::constant(0), &[Poly::constant(blocks)]);
            (memory, b.view(name, elem, memory, place))
        };
        let (first, flags) = cells("flags", PrimType::I32);
        let (second, own) = cells("own", I64);
        let (third, sums) = cells("sums", I64);
        b.for_("i", Exp::i64(blocks), LoopKind::Par, |b, i| b.write(flags, vec![i.into()], flag(0)));
        Chain { memory: [first, second, third], flags, own, sums }
    }

    /// What a block of so many threads does; afterwards the condition that it gives is true.
    pub(super) fn sum(&self, b: &mut Builder, width: i64, block: Var) -> Exp {
        let here = || vec![Exp::Var(block)];
        let number = || bin(BinOp::Add, I64, block, Exp::i64(1));
        by_first(b, width, |b| b.write(self.own, here(), number()));
        let publish =
            |value| StatementKind::Publish { view: self.flags, indices: here(), value: flag(value) };
        b.push(publish(1));
        let last = b.names.fresh("last");
        let (first, count) = (Exp::i64(0), Exp::Var(block));
        b.push(StatementKind::Await { var: last, view: self.flags, first, count });
        by_first(b, width, |b| {
            let sum = b.declare("sum", ImpType::Prim(I64), Some(number()));
            let add = |b: &mut Builder, value: Exp| b.assign(sum, bin(BinOp::Add, I64, sum, value));
            b.when(bin(BinOp::Ge, I64, last, Exp::i64(0)), |b| add(b, read(self.sums, vec![last.into()])));
            let next = b.let_("next", I64, bin(BinOp::Add, I64, last, Exp::i64(1)));
            b.for_("k", bin(BinOp::Sub, I64, block, next), LoopKind::Seq, |b, k| {
                add(b, read(self.own, vec![bin(BinOp::Add, I64, next, k)]));
            });
            b.write(self.sums, here(), sum);
        });
        b.push(publish(crate::ir::COMPLETE));
        let twice = bin(BinOp::Mul, I64, number(), bin(BinOp::Add, I64, block, Exp::i64(2)));
        bin(BinOp::Eq, I64, bin(BinOp::Mul, I64, read(self.sums, here()), Exp::i64(2)), twice)
    }

    /// Frees the memory, behind the loop.
    pub(super) fn free(self, b: &mut Builder) {
        self.memory.into_iter().for_each(|memory| b.push(StatementKind::Free(memory)));
    }
}

fn flag(value: i32) -> Exp {
    Exp::Const(PrimValue::I32(value))
}

fn by_first(b: &mut Builder, width: i64, f: impl FnOnce(&mut Builder)) {
    b.for_("t", Exp::i64(width), LoopKind::Thread, |b, t| b.when(bin(BinOp::Eq, I64, t, Exp::i64(0)), f));
}
