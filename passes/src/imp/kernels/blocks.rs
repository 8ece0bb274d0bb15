//! Kernels that are kernels already: what their threads have of their own is allocated before, and where a kernel is not possible, the
//! host does the work of a block after that of another, and each thread loop becomes a kernel.

use super::Host;
use super::body::{Body, Outer};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Expansion;
use fun_index::poly::Poly;
use imp::build::{Builder, bin};
use imp::ir::{Exp, LoopKind, Statement, StatementKind};
use imp::ordered::Ordered;

impl Host {
    /// A loop of blocks as a kernel; gives its body back where that cannot be one.
    pub(super) fn blocks(
        &mut self,
        kind: LoopKind,
        var: Var,
        bound: &Exp,
        body: Vec<Statement>,
    ) -> Result<(), Vec<Statement>> {
        let Some(threads) = threads_of(&body) else { return Err(body) };
        let handed = Ordered::of(&body).into_iter().flat_map(|region| region.state).collect();
        let Some(body) = Body::of(&body, &Outer::blocks(var, handed)) else { return Err(body) };
        let i64 = PrimType::I64;
        let loc = self.b.loc;
        self.b.push_all(body.invariant.clone());
        let mut statements = body.statements.clone();
        if !body.private.is_empty() {
            let some = bin(BinOp::Max, i64, bound.clone(), Exp::i64(1));
            let copies = self.b.let_("copies", i64, bin(BinOp::Mul, i64, some, Exp::i64(threads)));
            body.private.iter().for_each(|private| private.allocate(&mut self.b, copies.into()));
            expand(&body, &mut statements, (var, threads, copies), &mut self.b);
        }
        self.b.push(StatementKind::For { var, ty: i64, bound: bound.clone(), kind, body: statements });
        self.b.loc = loc;
        body.private.iter().for_each(|block| self.b.push(StatementKind::Free(block.var)));
        Ok(())
    }
}

/// In each thread loop, views of what is a thread's own see the cells of that thread.
fn expand(
    body: &Body,
    statements: &mut [Statement],
    (block, threads, copies): (Var, i64, Var),
    b: &mut Builder,
) {
    for statement in statements {
        if let StatementKind::For { var, kind: LoopKind::Thread, body: inner, .. } = &mut statement.kind {
            let outer = b.begin();
            let start = bin(BinOp::Mul, PrimType::I64, block, Exp::i64(threads));
            let thread = b.let_("thread", PrimType::I64, bin(BinOp::Add, PrimType::I64, start, *var));
            let expansion = Expansion::Interleaved { thread: Poly::var(thread), threads: Poly::var(copies) };
            body.expand(inner, &expansion);
            b.push_all(std::mem::take(inner));
            *inner = b.end(outer);
        } else {
            statement.kind.for_each_body_mut(&mut |inner| expand(body, inner, (block, threads, copies), b));
        }
    }
}

/// The number of threads of a block.
fn threads_of(body: &[Statement]) -> Option<i64> {
    let mut found = None;
    imp::visit::for_each_statement(body, &mut |statement| {
        if let StatementKind::For { kind: LoopKind::Thread, bound: Exp::Const(count), .. } = &statement.kind {
            found = found.or(count.as_i64());
        }
    });
    found
}
