//! How many blocks a reduction has whose threads need memory of their own: as many as take little memory in all.

use super::super::{Lowerer, atom_exp};
use super::{Blocks, Fold, I64};
use fun::ir::{Atom, Exp as FunExp};
use fun::visit::for_each_body;
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
        let mut found = Found { declared: BTreeSet::from([fold.last.0]), arrays: Vec::new() };
        found.body(fold.body);
        found.declared.extend(fold.op.lambda.params.iter().map(|param| param.var));
        found.body(&fold.op.lambda.body);
        let few = Exp::i64((sizes.most_with_memory / 4).max(1));
        let most = match self.bytes(&found) {
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
    fn bytes(&mut self, found: &Found) -> Option<Exp> {
        let mut sum = Exp::Const(0f64.into());
        for (shape, elem) in &found.arrays {
            let mut bytes = Exp::Const(f64::from(elem.bytes()).into());
            for size in shape {
                if size.as_var().is_some_and(|var| found.declared.contains(&var)) {
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

/// What bodies allocate, and what they declare.
struct Found {
    declared: BTreeSet<Var>,
    arrays: Vec<(Vec<Atom>, PrimType)>,
}

impl Found {
    fn body(&mut self, body: &Body) {
        for statement in &body.statements {
            if let FunExp::Op(MemOp::Alloc { shape, elem, .. }) = &statement.exp {
                self.arrays.push((shape.clone(), *elem));
            }
            self.declared.extend(statement.pattern.iter().map(|binder| binder.var));
            for_each_body(&statement.exp, &mut |inner| self.body(inner));
        }
    }
}
