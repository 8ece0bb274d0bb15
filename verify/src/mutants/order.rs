//! Another order of statements, as short-circuiting needs one now and then: one that reads a block comes behind one that writes it.

use super::circuit::operands;
use super::memory::{Sees, is_fresh, place, residents};
use super::rewrite::{bodies, bound, used};
use funmem::ir::{Body, Exp, MemOp, Program};

/// Two statements change places because neither uses what the other one computes; what they do to memory is forgotten.
pub(super) fn reads_behind_writes(mut program: Program) -> Program {
    bodies(&mut program, &mut |body| {
        let last = body.statements.len().saturating_sub(1);
        if let Some(at) = (0..last).find(|at| writes_what_is_read(body, *at)) {
            body.statements.swap(at, at + 1);
        }
    });
    program
}

/// Whether a statement reads the block that the next one writes, without any other connection between the two.
fn writes_what_is_read(body: &Body, at: usize) -> bool {
    let [first, second] = [&body.statements[at], &body.statements[at + 1]];
    if !is_fresh(&second.exp) && !matches!(second.exp, Exp::Update { .. }) {
        return false;
    }
    let alloc = matches!(first.exp, Exp::Op(MemOp::Alloc { .. }));
    let written = second.pattern.iter().filter_map(|binder| place(&binder.ty));
    let reads = |block| !operands(&first.exp).is_disjoint(&residents(body, block, Sees::ALL));
    !alloc && bound(first).is_disjoint(&used(second)) && written.map(|(block, _)| block).any(reads)
}
