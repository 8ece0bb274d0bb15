//! Hoisting of blocks out of loops: what each iteration allocates and frees is allocated once.
//!
//! ```text
//! for i < n par {
//!   alloc t : f32[m]
//!   …
//!   free t
//! }
//! ```
//! becomes
//! ```text
//! for c < 64 par {
//!   alloc t : f32[m]
//!   for k < count seq {
//!     let i = start + k
//!     …
//!   }
//!   free t
//! }
//! ```
//! and a `seq` loop gives its blocks to the body around it, so those of nested loops come out one by one; a `simd` loop with blocks becomes one. A parallel loop is cut into a
//! fixed number of chunks, each with a block of its own (memory expansion, for threads instead of iterations); what it computes does not
//! depend on how it is cut.
//!
//! A block leaves a loop if it is private to the body (`private.rs`); if its size does not depend on the
//! iteration; and if nothing before it in the body may stop the program, so that no assertion is overtaken by an allocation that fails.
//! Where there is no iteration its size is 0. What may come behind an assertion stays where it is, but is only allocated by the first
//! iteration that gets there (`keep.rs`).
//!
//! Requires and ensures I1–I9. Cost: linear in the size of the program, times how deep loops nest.

mod keep;

use super::copy::is_fixed;
use super::private::{freed, has_blocks, private_blocks};
use fun_base::name::{NameSource, Var};
use fun_base::prim::{BinOp, PrimType, PrimValue};
use imp::build::bin;
use imp::ir::{Exp, LoopKind, Program, Space, Statement, StatementKind};
use imp::visit::{for_each_statement, names_after};

/// Into how many chunks a parallel loop is cut. A fixed number: programs run alike on all machines.
const CHUNKS: i64 = 64;

/// Hoists the blocks of a program.
pub fn run(mut program: Program) -> Program {
    let mut names = names_after(&program);
    for procedure in &mut program.procedures {
        statements(&mut procedure.body, &mut names);
        keep::keep(&mut procedure.body, &mut names);
    }
    program
}

fn statements(list: &mut Vec<Statement>, names: &mut NameSource) {
    let mut done = Vec::with_capacity(list.len());
    for mut statement in std::mem::take(list) {
        statement.kind.for_each_body_mut(&mut |body| statements(body, names));
        match statement.kind {
            StatementKind::For {
                var,
                ty,
                bound,
                kind: kind @ (LoopKind::Seq | LoopKind::Fold | LoopKind::Simd),
                mut body,
            } => {
                let in_order = kind == LoopKind::Simd && has_blocks(&body);
                let kind = if in_order { LoopKind::Seq } else { kind };
                let blocks = taken(&mut body, var);
                let some =
                    matches!(bound, Exp::Const(count) if count.as_int().is_some_and(|count| count > 0));
                let any = || bin(BinOp::Gt, ty, bound.clone(), Exp::Const(ty.zero()));
                let any = || if some { Exp::Const(PrimValue::Bool(true)) } else { any() };
                done.extend(blocks.iter().map(|block| block.alloc_if(any(), statement.loc)));
                let kind = StatementKind::For { var, ty, bound, kind, body };
                done.push(Statement { kind, loc: statement.loc });
                done.extend(blocks.iter().map(|block| block.free(statement.loc)));
            }
            StatementKind::For { var, ty: PrimType::I64, bound, kind: LoopKind::Par, mut body } => {
                let blocks = taken(&mut body, var);
                if blocks.is_empty() && !keep::has_kept(&body, var) {
                    let kind =
                        StatementKind::For { var, ty: PrimType::I64, bound, kind: LoopKind::Par, body };
                    done.push(Statement { kind, loc: statement.loc });
                } else {
                    done.extend(chunked(Loop { var, bound, body }, &blocks, statement.loc, names));
                }
            }
            _ => done.push(statement),
        }
    }
    *list = done;
}

/// An allocation that left a loop.
struct Block {
    var: Var,
    elem: PrimType,
    shape: Vec<Exp>,
}

impl Block {
    /// The allocation, of size 0 where the condition is false.
    fn alloc_if(&self, condition: Exp, loc: Option<fun_base::source::Loc>) -> Statement {
        let factor = |size: &Exp| {
            if condition == Exp::Const(PrimValue::Bool(true)) {
                return size.clone();
            }
            Exp::Select(Box::new(condition.clone()), Box::new(size.clone()), Box::new(Exp::i64(0)))
        };
        let shape = self.shape.iter().map(factor).collect();
        let kind = StatementKind::Alloc { var: self.var, elem: self.elem, shape, space: Space::Default };
        Statement { kind, loc }
    }

    fn free(&self, loc: Option<fun_base::source::Loc>) -> Statement {
        Statement { kind: StatementKind::Free(self.var), loc }
    }
}

/// Takes the blocks out of the body of a loop that may leave it, with what allocates and frees them.
fn taken(body: &mut Vec<Statement>, counter: Var) -> Vec<Block> {
    if !body.iter().any(|statement| matches!(statement.kind, StatementKind::Alloc { .. })) {
        return Vec::new();
    }
    let private = private_blocks(body);
    // What changes from one iteration to the next.
    let mut inner = keep::changing(body);
    inner.insert(counter);
    let mut blocks = Vec::new();
    let mut stops = false;
    body.retain(|statement| {
        if let StatementKind::Alloc { var, elem, shape, space: Space::Default } = &statement.kind {
            let plain = |size: &Exp| {
                // A selection is what another loop left.
                matches!(size, Exp::Var(_) | Exp::Const(_) | Exp::Select(..)) && is_fixed(size, &inner)
            };
            if !stops && shape.iter().all(plain) && private.contains(var) {
                blocks.push(Block { var: *var, elem: *elem, shape: shape.clone() });
                return false;
            }
        }
        stops |= may_stop(statement);
        true
    });
    body.retain(|statement| !freed(statement).is_some_and(|var| blocks.iter().any(|block| block.var == var)));
    blocks
}

/// Whether executing the statement may stop the program or not end; allocations left aside.
pub(super) fn may_stop(statement: &Statement) -> bool {
    let mut stops = false;
    for_each_statement(std::slice::from_ref(statement), &mut |inner| {
        stops |= matches!(
            inner.kind,
            StatementKind::Assert { .. } | StatementKind::Call { .. } | StatementKind::While { .. }
        );
    });
    stops
}

/// A parallel loop over i64.
struct Loop {
    var: Var,
    bound: Exp,
    body: Vec<Statement>,
}

/// The loop in chunks that have these blocks.
fn chunked(
    whole: Loop,
    blocks: &[Block],
    loc: Option<fun_base::source::Loc>,
    names: &mut NameSource,
) -> Vec<Statement> {
    let i64 = PrimType::I64;
    let statement = |kind: StatementKind| Statement { kind, loc };
    let let_ = |var: Var, value: Exp| statement(StatementKind::Let { var, ty: i64, value });
    let [size, chunks, chunk, c, start, count, k] =
        ["size", "chunks", "chunk", "c", "start", "count", "k"].map(|text| names.fresh(text));
    let exp = |var: Var| Exp::Var(var);
    // At least one, so that nothing is divided by zero; the size of a chunk is rounded up.
    let fewer = bin(BinOp::Min, i64, exp(size), Exp::i64(CHUNKS));
    let rounded = bin(BinOp::Add, i64, exp(size), bin(BinOp::Sub, i64, exp(chunks), Exp::i64(1)));
    let left = bin(BinOp::Sub, i64, exp(size), exp(start));
    let mut inner = vec![let_(whole.var, bin(BinOp::Add, i64, exp(start), exp(k)))];
    inner.extend(whole.body);
    let any = || bin(BinOp::Gt, i64, exp(count), Exp::i64(0));
    let mut body = vec![
        let_(start, bin(BinOp::Mul, i64, exp(c), exp(chunk))),
        let_(count, bin(BinOp::Min, i64, left, exp(chunk))),
    ];
    body.extend(blocks.iter().map(|block| block.alloc_if(any(), loc)));
    body.push(statement(StatementKind::For {
        var: k,
        ty: i64,
        bound: exp(count),
        kind: LoopKind::Seq,
        body: inner,
    }));
    body.extend(blocks.iter().map(|block| block.free(loc)));
    vec![
        let_(size, whole.bound),
        let_(chunks, bin(BinOp::Max, i64, fewer, Exp::i64(1))),
        let_(chunk, bin(BinOp::Quot, i64, rounded, exp(chunks))),
        statement(StatementKind::For { var: c, ty: i64, bound: exp(chunks), kind: LoopKind::Par, body }),
    ]
}
