//! How many blocks a reduction has whose threads need memory of their own: as many as take little memory in all.

use super::super::{Lowerer, atom_exp};
use super::{Blocks, Fold, I64};
use fun::ir::{Atom, Exp as FunExp};
use fun::visit::for_each_body;
use fun::visit::names::{free_in_body, free_in_lambda};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use funmem::ir::{Body, MemOp};
use imp::build::{bin, convert};
use imp::ir::Exp;
use std::collections::BTreeSet;

/// Bytes of all arrays that threads have, up to which there may be more blocks than a few.
const BYTES: f64 = (1u64 << 28) as f64;

const F64: PrimType = PrimType::F64;

impl Lowerer {
    /// No more blocks than may have what a reduction allocates in each thread: a quarter of those that there may be at most, or more where that takes little.
    pub(super) fn blocks_with_memory(&mut self, sizes: Blocks, fold: &Fold, blocks: Var) -> Var {
        if !fold.allocates() {
            return blocks;
        }
        let mut arrays = Vec::new();
        allocated(fold.body, &mut arrays);
        allocated(&fold.op.lambda.body, &mut arrays);
        let mut outside = free_in_body(fold.body);
        outside.extend(free_in_lambda(fold.op.lambda));
        outside.remove(&fold.last.0);
        let few = Exp::i64((sizes.most_with_memory / 4).max(1));
        let most = match self.bytes(&arrays, &outside) {
            None => few,
            Some(bytes) => {
                let of_block = bin(BinOp::Mul, F64, bytes, Exp::Const((sizes.threads as f64).into()));
                let some = bin(BinOp::Max, F64, of_block, Exp::Const(1f64.into()));
                let fitting = bin(BinOp::Div, F64, Exp::Const(BYTES.into()), some);
                let most = Exp::Const((sizes.most_with_memory as f64).into());
                let fitting = convert(I64, F64, bin(BinOp::Min, F64, fitting, most));
                bin(BinOp::Max, I64, fitting, few)
            }
        };
        self.b.let_("blocks", I64, bin(BinOp::Min, I64, blocks, most))
    }

    /// How many bytes the arrays take, if their sizes are known outside.
    fn bytes(&mut self, arrays: &[Array], outside: &BTreeSet<Var>) -> Option<Exp> {
        let mut sum = Exp::Const(0f64.into());
        for (shape, elem) in arrays {
            let mut bytes = Exp::Const(f64::from(elem.bytes()).into());
            for size in shape {
                if size.as_var().is_some_and(|var| !outside.contains(&var)) {
                    return None;
                }
                let size = bin(BinOp::Max, I64, atom_exp(self.atom(*size)), Exp::i64(0));
                bytes = bin(BinOp::Mul, F64, bytes, convert(F64, I64, size));
            }
            sum = bin(BinOp::Add, F64, sum, bytes);
        }
        Some(sum)
    }
}

/// The shape of an array that is allocated, and the type of its elements.
type Array = (Vec<Atom>, PrimType);

/// What a body allocates.
fn allocated(body: &Body, arrays: &mut Vec<Array>) {
    for statement in &body.statements {
        if let FunExp::Op(MemOp::Alloc { shape, elem, .. }) = &statement.exp {
            arrays.push((shape.clone(), *elem));
        }
        for_each_body(&statement.exp, &mut |inner| allocated(inner, arrays));
    }
}
