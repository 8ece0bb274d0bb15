//! Sinking of allocations: down to right before the first statement of their body that mentions the block.
//!
//! ```text
//! let (b_mem: mem) = alloc [n] f32
//! let (x: f32) = index as[i]
//! let (b: [n]f32 @ b_mem -> …) = replicate [n] x
//! ```
//! becomes
//! ```text
//! let (x: f32) = index as[i]
//! let (b_mem: mem) = alloc [n] f32
//! let (b: [n]f32 @ b_mem -> …) = replicate [n] x
//! ```
//! A block lives no longer than it is needed, and what fails before its first use fails before it is asked for. One that nothing in
//! the body mentions goes. Allocations stay in their body, so none goes into a loop or branch.
//!
//! Requires and ensures M1–M9. Cost: n log n in the size of the program.

use fun::ir::Atom;
use fun::visit::{Walk, for_each_body_mut};
use fun_base::name::Var;
use funmem::ir::{Body, Exp, Mem, MemOp, Program, Statement};
use std::collections::BTreeMap;

/// Sinks the allocations of a program.
pub fn run(mut program: Program) -> Program {
    for function in &mut program.functions {
        sink(&mut function.body);
    }
    program
}

fn sink(body: &mut Body) {
    let mut sunk: Vec<Statement> = Vec::with_capacity(body.statements.len());
    // Allocations that nothing has mentioned yet, in order.
    let mut waiting: BTreeMap<Var, (usize, Statement)> = BTreeMap::new();
    for (k, mut statement) in std::mem::take(&mut body.statements).into_iter().enumerate() {
        for_each_body_mut(&mut statement.exp, &mut |inner| sink(inner));
        if let (Exp::Op(MemOp::Alloc { .. }), [binder]) = (&statement.exp, statement.pattern.as_slice()) {
            waiting.insert(binder.var, (k, statement));
            continue;
        }
        if waiting.is_empty() {
            sunk.push(statement);
            continue;
        }
        let mut mentioned = Mentioned { waiting: &mut waiting, found: Vec::new() };
        Walk::<Mem>::statement(&mut mentioned, &statement);
        let mut found = mentioned.found;
        found.sort_by_key(|(at, _)| *at);
        sunk.extend(found.into_iter().map(|(_, alloc)| alloc));
        sunk.push(statement);
    }
    let mut mentioned = Mentioned { waiting: &mut waiting, found: Vec::new() };
    body.results.iter().for_each(|result| mentioned.atom(result));
    let mut found = mentioned.found;
    found.sort_by_key(|(at, _)| *at);
    sunk.extend(found.into_iter().map(|(_, alloc)| alloc));
    body.statements = sunk;
}

/// Takes the allocations that are mentioned.
struct Mentioned<'w> {
    waiting: &'w mut BTreeMap<Var, (usize, Statement)>,
    found: Vec<(usize, Statement)>,
}

impl Walk<Mem> for Mentioned<'_> {
    fn atom(&mut self, atom: &Atom) {
        if let Some(var) = atom.as_var() {
            self.found.extend(self.waiting.remove(&var));
        }
    }
}
