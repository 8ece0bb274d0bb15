//! Sums under locks: each thread of a kernel adds its number in the block to one of two cells.

use crate::build::{Builder, bin, read};
use crate::ir::{Exp, LoopKind, Space, StatementKind};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;

const I64: PrimType = PrimType::I64;
const CELLS: i64 = 2;

/// What the threads of a kernel add to.
pub(super) struct Locked {
    memory: [Var; 2],
    locks: Var,
    sums: Var,
}

impl Locked {
    /// Memory before the loop.
    pub(super) fn new(b: &mut Builder) -> Locked {
        let mut cells = |name: &str, elem: PrimType| {
            let memory = b.alloc(format!("{name}_mem").as_str(), elem, vec![Exp::i64(CELLS)], Space::Default);
            let place = Lmad::row_major(Poly::constant(0), &[Poly::constant(CELLS)]);
            (memory, b.view(name, elem, memory, place))
        };
        let (first, locks) = cells("locks", PrimType::I32);
        let (second, sums) = cells("sums", I64);
        b.for_("i", Exp::i64(CELLS), LoopKind::Par, |b, i| {
            b.write(locks, vec![i.into()], Exp::Const(PrimValue::I32(0)));
            b.write(sums, vec![i.into()], Exp::i64(0));
        });
        Locked { memory: [first, second], locks, sums }
    }

    /// What a block of so many threads does.
    pub(super) fn sum(&self, b: &mut Builder, width: i64, block: Var) {
        b.for_("t", Exp::i64(width), LoopKind::Thread, |b, t| {
            let number = bin(BinOp::Add, I64, bin(BinOp::Mul, I64, block, Exp::i64(width)), t);
            let cell = b.let_("cell", I64, bin(BinOp::Rem, I64, number, Exp::i64(CELLS)));
            let outer = b.begin();
            let old = b.let_("old", I64, read(self.sums, vec![cell.into()]));
            b.write(self.sums, vec![cell.into()], bin(BinOp::Add, I64, old, t));
            let body = b.end(outer);
            b.push(StatementKind::Lock { view: self.locks, indices: vec![cell.into()], body });
        });
    }

    /// Behind the loop over so many blocks: the sums are what they should be. Frees the memory.
    pub(super) fn check(self, b: &mut Builder, blocks: i64, width: i64) {
        let parts = (0..CELLS).map(|cell| read(self.sums, vec![Exp::i64(cell)]));
        let sum = parts.fold(Exp::i64(0), |sum, part| bin(BinOp::Add, I64, sum, part));
        let condition = bin(BinOp::Eq, I64, sum, Exp::i64(blocks * width * (width - 1) / 2));
        let message = "sums under locks".to_owned();
        b.push(StatementKind::Assert { condition, message, args: Vec::new() });
        self.memory.into_iter().for_each(|memory| b.push(StatementKind::Free(memory)));
    }
}
