//! Joining of blocks: what both arms of an `if` allocate and give is allocated before it.
//!
//! ```text
//! let (if_mem: mem) (a: [n]f32 @ if_mem -> 0 + {(n : 1)}) = if c {
//!   let (b_mem: mem) = alloc [n] f32
//!   let (b: [n]f32 @ b_mem -> 0 + {(n : 1)}) = iota.f32 n 0f32 1f32
//!   in (b_mem, b)
//! } else {
//!   let (d_mem: mem) = alloc [n] f32
//!   let (d: [n]f32 @ d_mem -> 0 + {(n : 1)}) = replicate [n] 1f32
//!   in (d_mem, d)
//! }
//! ```
//! becomes
//! ```text
//! let (if_mem: mem) = alloc [n] f32
//! let (a: [n]f32 @ if_mem -> 0 + {(n : 1)}) = if c {
//!   let (b: [n]f32 @ if_mem -> 0 + {(n : 1)}) = iota.f32 n 0f32 1f32
//!   in (b)
//! } else {
//!   let (d: [n]f32 @ if_mem -> 0 + {(n : 1)}) = replicate [n] 1f32
//!   in (d)
//! }
//! ```
//! Each path allocates what it did, but the passes that follow see one block, which may leave loops and share its room with others.
//!
//! Both blocks have as many elements of one type, by numbers that are known before the `if`; nothing may stop the program before them in
//! their arms, so that no assertion is overtaken by an allocation that fails; and an arm's block becomes one of the new ones only.
//!
//! Requires and ensures M1–M9; is worth most after `hoist-allocations`, which puts the allocations first, and after `short-circuit`, which
//! treats the arms one by one. Cost: linear in the size of the program, times how deep branches nest.

use super::blocks::drop_allocations;
use super::interfaces::Interfaces;
use fun::ir::Atom;
use fun::visit::for_each_body_mut;
use fun::visit::names::{Subst, subst_body};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::poly::Poly;
use funmem::ir::{Binder, Body, Exp, Mem, MemOp, MemType, Program, Space, Statement, atom_poly};
use std::collections::{BTreeMap, BTreeSet};

/// Joins the blocks of a program's branches.
pub fn run(mut program: Program) -> Program {
    let interfaces = Interfaces::of_program(&program);
    program.functions.iter_mut().for_each(|function| join_in(&mut function.body, &interfaces));
    program
}

fn join_in(body: &mut Body, interfaces: &Interfaces) {
    let mut statements = Vec::with_capacity(body.statements.len());
    for mut statement in std::mem::take(&mut body.statements) {
        for_each_body_mut(&mut statement.exp, &mut |inner| join_in(inner, interfaces));
        statements.extend(joined(&mut statement, interfaces));
        statements.push(statement);
    }
    body.statements = statements;
}

/// An allocation that nothing before it in its body delays.
struct Room {
    shape: Vec<Atom>,
    elem: PrimType,
}

impl Room {
    fn count(&self) -> Poly {
        self.shape.iter().fold(Poly::constant(1), |count, size| count.mul(&atom_poly(*size)))
    }
}

/// The blocks that an arm may leave to others, and the variables bound in it.
fn rooms(arm: &Body, interfaces: &Interfaces) -> (BTreeMap<Var, Room>, BTreeSet<Var>) {
    let mut rooms = BTreeMap::new();
    for statement in arm.statements.iter().take_while(|statement| !interfaces.may_stop(statement)) {
        if let (Exp::Op(MemOp::Alloc { space: Space::Default, shape, elem }), [binder]) =
            (&statement.exp, statement.pattern.as_slice())
        {
            rooms.insert(binder.var, Room { shape: shape.clone(), elem: *elem });
        }
    }
    let bound = arm.statements.iter().flat_map(|statement| &statement.pattern).map(|binder| binder.var);
    (rooms, bound.collect())
}

/// Takes the blocks out of the arms of a statement; gives the allocations that go before it.
fn joined(statement: &mut Statement, interfaces: &Interfaces) -> Vec<Statement> {
    let Exp::If { then, otherwise, .. } = &mut statement.exp else { return Vec::new() };
    if !statement.pattern.iter().any(|binder| binder.ty == MemType::Mem(Space::Default)) {
        return Vec::new();
    }
    let ((left, bound), (right, _)) = (rooms(then, interfaces), rooms(otherwise, interfaces));
    let mut substs = [Subst::new(), Subst::new()];
    let mut before = Vec::new();
    let mut stays = vec![true; statement.pattern.len()];
    for (k, Binder { var, ty }) in statement.pattern.iter().enumerate() {
        let (Some(one), Some(other)) = (then.results[k].as_var(), otherwise.results[k].as_var()) else {
            continue;
        };
        let (Some(room), Some(same)) = (left.get(&one), right.get(&other)) else { continue };
        let outside = room.shape.iter().all(|size| size.as_var().is_none_or(|var| !bound.contains(&var)));
        let taken = substs[0].contains_key(&one) || substs[1].contains_key(&other);
        if taken || !outside || room.elem != same.elem || room.count() != same.count() {
            continue;
        }
        substs[0].insert(one, Atom::Var(*var));
        substs[1].insert(other, Atom::Var(*var));
        let alloc = MemOp::Alloc { space: Space::Default, shape: room.shape.clone(), elem: room.elem };
        let pattern = vec![Binder { var: *var, ty: ty.clone() }];
        before.push(Statement { pattern, exp: Exp::Op(alloc), loc: statement.loc });
        stays[k] = false;
    }
    if before.is_empty() {
        return before;
    }
    for (arm, subst) in [then, otherwise].into_iter().zip(substs) {
        drop_allocations(arm, &|mem| !subst.contains_key(&mem));
        let mut kept = stays.iter();
        arm.results.retain(|_| *kept.next().unwrap_or(&true));
        *arm = subst_body::<Mem>(&subst, arm);
    }
    let mut kept = stays.iter();
    statement.pattern.retain(|_| *kept.next().unwrap_or(&true));
    before
}
