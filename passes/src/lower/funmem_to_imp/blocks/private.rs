//! How many blocks a reduction has whose threads need memory of their own: as many as take little memory in all.

use super::super::{Lowerer, atom_exp};
use super::{Blocks, Fold, I64};
use crate::imp::private::{blocks_within, bytes};
use fun::ir::{Atom, Exp as FunExp};
use fun::visit::for_each_body;
use fun::visit::names::{free_in_body, free_in_lambda};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use funmem::ir::{Body, MemOp};
use imp::build::bin;
use imp::ir::Exp;
use std::collections::BTreeSet;

/// Bytes of all arrays that threads have, up to which there may be more blocks than a few.
const BYTES: i64 = 1 << 28;

impl Lowerer {
    /// No more blocks than may have what a reduction allocates in each thread: as many as take [`BYTES`] in all, from a few up to the most that there are.
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
        let most = match self.bytes(&arrays, &outside) {
            None => Exp::i64(sizes.few),
            Some(bytes) => blocks_within(BYTES, bytes, sizes.threads, (sizes.few, sizes.most)),
        };
        self.b.let_("blocks", I64, bin(BinOp::Min, I64, blocks, most))
    }

    /// How many bytes the arrays take, if their sizes are known outside.
    fn bytes(&mut self, arrays: &[Array], outside: &BTreeSet<Var>) -> Option<Exp> {
        let mut sum = Exp::Const(0f64.into());
        for (shape, elem) in arrays {
            if shape.iter().any(|size| size.as_var().is_some_and(|var| !outside.contains(&var))) {
                return None;
            }
            let shape: Vec<Exp> = shape.iter().map(|size| atom_exp(self.atom(*size))).collect();
            sum = bin(BinOp::Add, PrimType::F64, sum, bytes(*elem, &shape));
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
