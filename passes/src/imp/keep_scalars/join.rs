//! Kernels of one thread that follow each other are one kernel: what the host would have computed step by step is a launch for each step otherwise.
//!
//! ```text
//! for block < 1 block { for t < 1 thread { x[0] := a[3] } }
//! let k = add.i64(n, 1)
//! for block < 1 block { for t < 1 thread { y[0] := mul.f32(x[0], 2) } }
//! ```
//! becomes
//! ```text
//! let k = add.i64(n, 1)
//! for block < 1 block { for t < 1 thread { x[0] := a[3]  y[0] := mul.f32(x[0], 2) } }
//! ```
//! (up to a number of parameters that each device takes). The first comes later past names and numbers of the host that need no memory and cannot fail.

use super::super::copy::{can_fail, replace};
use fun_base::name::Var;
use imp::ir::{Exp, LoopKind, Statement, StatementKind};
use imp::visit::free_vars;

/// What a kernel uses of the host at most, as each is a parameter: OpenCL promises room for 128 of 8 bytes.
const MOST: usize = 96;

/// The statements with such kernels joined.
pub(super) fn join(list: Vec<Statement>) -> Vec<Statement> {
    let mut out: Vec<Statement> = Vec::with_capacity(list.len());
    // where the last kernel of one thread stands, if what is behind it may come before it
    let mut open: Option<usize> = None;
    for mut statement in list {
        if let Some(second) = by_one_thread(&mut statement) {
            if let Some(at) = open.filter(|at| is_little(&out[*at], second.body)) {
                let mut earlier = out.remove(at);
                let first = by_one_thread(&mut earlier).expect("invariant: what is open is such a kernel");
                for (own, other) in second.counters.into_iter().zip(first.counters) {
                    replace(second.body, own, other);
                }
                first.body.append(second.body);
                statement = earlier;
            }
            open = Some(out.len());
        } else if !may_come_before(&statement) {
            open = None;
        }
        out.push(statement);
    }
    out
}

/// Whether a kernel and more statements use no more than a kernel may take.
fn is_little(kernel: &Statement, more: &[Statement]) -> bool {
    free_vars(std::slice::from_ref(kernel)).len() + free_vars(more).len() <= MOST
}

/// A kernel of one block of one thread.
struct ByOneThread<'s> {
    counters: [Var; 2],
    body: &'s mut Vec<Statement>,
}

fn by_one_thread(statement: &mut Statement) -> Option<ByOneThread<'_>> {
    let one = |bound: &Exp| *bound == Exp::i64(1);
    let StatementKind::For { var: block, bound, kind: LoopKind::Block, body, .. } = &mut statement.kind
    else {
        return None;
    };
    let [
        Statement {
            kind: StatementKind::For { var, bound: threads, kind: LoopKind::Thread, body, .. }, ..
        },
    ] = body.as_mut_slice()
    else {
        return None;
    };
    (one(bound) && one(threads)).then_some(ByOneThread { counters: [*block, *var], body })
}

/// Whether a statement of the host neither sees nor changes what a kernel before it does.
fn may_come_before(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Let { value, .. } => !value.reads() && !can_fail(value),
        StatementKind::View { .. } | StatementKind::Window { .. } => true,
        _ => false,
    }
}
