//! Kernels in order: on a host, where the blocks of a `chain` loop run one after the other, nobody waits. A flag is a cell, and what an `await` tells is found
//! by looking at the flags. The threads of a block run one after the other, too: what was a kernel is loops.

use crate::build::{Builder, bin, read};
use crate::ir::{COMPLETE, Exp, ImpType, LoopKind, Program, Statement, StatementKind};
use crate::visit::{for_each_statement, names_after};
use fun_base::prim::{BinOp, PrimType, PrimValue};
use std::borrow::Cow;

/// A program without `chain` loops, `publish` and `await`.
#[must_use]
pub fn run(program: &Program) -> Cow<'_, Program> {
    let mut chained = false;
    for procedure in &program.procedures {
        for_each_statement(&procedure.body, &mut |statement| {
            chained |= matches!(statement.kind, StatementKind::For { kind: LoopKind::Chain, .. });
        });
    }
    if !chained {
        return Cow::Borrowed(program);
    }
    let mut b = Builder::new(names_after(program));
    let mut program = program.clone();
    for procedure in &mut program.procedures {
        procedure.body = statements(&mut b, std::mem::take(&mut procedure.body), false);
    }
    Cow::Owned(program)
}

/// The same for statements; with `in_chain` as those of a block of a `chain` loop, whose threads run one after the other.
pub fn statements(b: &mut Builder, list: Vec<Statement>, in_chain: bool) -> Vec<Statement> {
    let outer = b.begin();
    for mut statement in list {
        b.loc = statement.loc;
        match statement.kind {
            StatementKind::Publish { view, indices, value } => b.write(view, indices, value),
            StatementKind::Await { var, view, first, count } => {
                let i64 = PrimType::I64;
                let value = Some(Exp::i64(-1));
                b.push(StatementKind::Declare { var, ty: ImpType::Prim(i64), value });
                b.for_("k", count, LoopKind::Seq, |b, k| {
                    let at = b.let_("at", i64, bin(BinOp::Add, i64, first, k));
                    let complete = Exp::Const(PrimValue::I32(COMPLETE));
                    let condition = bin(BinOp::Eq, PrimType::I32, read(view, vec![at.into()]), complete);
                    b.when(condition, |b| b.assign(var, at));
                });
            }
            ref mut kind => {
                let mut inside = in_chain;
                if let StatementKind::For { kind, .. } = kind {
                    inside |= *kind == LoopKind::Chain;
                    if inside && matches!(kind, LoopKind::Chain | LoopKind::Thread) {
                        *kind = LoopKind::Seq;
                    }
                }
                kind.for_each_body_mut(&mut |body| *body = statements(b, std::mem::take(body), inside));
                b.push_all(vec![statement]);
            }
        }
    }
    b.end(outer)
}
