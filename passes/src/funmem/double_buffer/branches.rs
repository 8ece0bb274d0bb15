//! Arrays that take turns by way of a branch: a loop's next value is a new array or the present one.
//!
//! ```text
//! loop (x_mem: mem = a_mem) (x: [n]f32 @ x_mem -> … = a) for i < k {
//!   let (y_mem: mem) = alloc [n] f32
//!   let (y: [n]f32 @ y_mem -> …) = kernel …
//!   let (z_mem: mem) (z: [n]f32 @ z_mem -> …) = if c { in (y_mem, y) } else { in (x_mem, x) }
//!   in (z_mem, z)
//! }
//! ```
//! becomes, where the initial value's block can be taken over,
//! ```text
//! let (spare_mem: mem) = alloc [n] f32
//! loop (x_mem: mem = a_mem) (x: [n]f32 @ x_mem -> … = a) (y_mem: mem = spare_mem) for i < k {
//!   let (y: [n]f32 @ y_mem -> …) = kernel …
//!   let (z_mem: mem) (z: [n]f32 @ z_mem -> …) (w_mem: mem) =
//!     if c { in (y_mem, y, x_mem) } else { in (x_mem, x, y_mem) }
//!   in (z_mem, z, w_mem)
//! }
//! ```
//! and in the same way a row of blocks goes on by one only where the new array is taken. What such an arm gives is always one of the last
//! values that were taken, so as many blocks are enough as without the branch.
//!
//! Branches may be in branches. The new array lies in a block that the body of the loop allocates, the same one in all arms that give a new
//! one; or each of these arms allocates its own. Only one of them runs, so one block does for all.

use super::candidate::{Loop, factors};
use super::{Buffer, MemOp};
use fun::ir::Atom;
use fun_base::name::{NameSource, Var};
use funmem::ir::{Binder, Body, Exp, MemType, Space, Statement};
use std::collections::BTreeSet;

/// Where the arrays lie that an iteration makes for the next one.
pub(super) struct Next {
    /// Blocks of one size, only one of which is in use at a time: that of the next value, or those of the arms of a branch.
    pub(super) blocks: Vec<Var>,
    pub(super) buffer: Buffer,
    /// Whether they are allocated for sure, before anything can fail.
    pub(super) first: bool,
    /// What is bound in the arms that allocate them.
    pub(super) bound: BTreeSet<Var>,
}

impl Next {
    /// The block of a result that is a new array.
    pub(super) fn of(block: Var, buffer: &Buffer, first: bool) -> Next {
        Next { blocks: vec![block], buffer: buffer.clone(), first, bound: BTreeSet::new() }
    }

    /// The blocks of a loop's result that is, by a branch, a new array or the present one.
    pub(super) fn by_branch(repeat: &Loop<'_>, at: usize) -> Option<Next> {
        let result = repeat.result(at)?;
        let mut arms = Arms { repeat, present: repeat.present(at), before: None, own: None };
        arms.branch(repeat.body, result)?;
        match (arms.before, arms.own) {
            (Some(next), None) => {
                let (buffer, first) = repeat.allocs.get(&next)?;
                Some(Next::of(next, buffer, *first))
            }
            (None, own) => own,
            (Some(_), Some(_)) => None,
        }
    }
}

/// What the arms of a branch give that have been looked at.
struct Arms<'l, 's> {
    repeat: &'l Loop<'s>,
    present: Var,
    /// A block that the body of the loop allocates.
    before: Option<Var>,
    /// Blocks that the arms allocate.
    own: Option<Next>,
}

impl Arms<'_, '_> {
    /// A variable that a branch of the body binds; nothing if it has another origin, or an arm gives something else.
    fn branch(&mut self, body: &Body, result: Var) -> Option<()> {
        let (statement, at) =
            body.statements.iter().find_map(|statement| Some((statement, place(statement, result)?)))?;
        let Exp::If { then, otherwise, .. } = &statement.exp else { return None };
        self.arm(then, at)?;
        self.arm(otherwise, at)
    }

    fn arm(&mut self, arm: &Body, at: usize) -> Option<()> {
        let given = arm.results[at].as_var()?;
        if given == self.present {
            return Some(());
        }
        if self.repeat.allocs.contains_key(&given) {
            return (*self.before.get_or_insert(given) == given).then_some(());
        }
        let bound = arm.statements.iter().flat_map(|statement| &statement.pattern).map(|binder| binder.var);
        let alloc = arm.statements.iter().find(|statement| place(statement, given).is_some());
        let Some(Exp::Op(MemOp::Alloc { space, shape, elem })) = alloc.map(|statement| &statement.exp) else {
            return self.branch(arm, given);
        };
        let buffer = Buffer { space: *space, shape: shape.clone(), elem: *elem };
        let next = Next { blocks: Vec::new(), buffer, first: false, bound: BTreeSet::new() };
        let own = self.own.get_or_insert(next);
        own.blocks.push(given);
        own.bound.extend(bound);
        let fits = own.buffer.space == *space
            && own.buffer.elem.bytes() == elem.bytes()
            && factors(&own.buffer.shape) == factors(shape);
        fits.then_some(())
    }
}

/// At which place a statement binds a variable.
fn place(statement: &Statement, var: Var) -> Option<usize> {
    statement.pattern.iter().position(|binder| binder.var == var)
}

/// The blocks of a loop after an iteration.
pub(super) struct Rows<'r> {
    pub(super) present: Var,
    /// Where the new array is the next value.
    pub(super) taken: &'r [Var],
    /// Where the present one stays.
    pub(super) kept: &'r [Var],
    pub(super) space: Space,
}

impl Rows<'_> {
    /// Gives the next iteration the blocks that it expects beside the value at a position.
    pub(super) fn hand_on(&self, body: &mut Body, at: usize, names: &mut NameSource) {
        let row = self.chosen(body, at, names);
        body.results.extend(row.into_iter().map(Atom::Var));
    }

    /// What goes with the block that a body gives at a position.
    fn chosen(&self, body: &mut Body, at: usize, names: &mut NameSource) -> Vec<Var> {
        let Some(given) = body.results[at].as_var().filter(|given| *given != self.present) else {
            return self.kept.to_vec();
        };
        for Statement { pattern, exp, .. } in &mut body.statements {
            let inner = pattern.iter().position(|binder| binder.var == given);
            if let (Exp::If { then, otherwise, .. }, Some(inner)) = (exp, inner) {
                for arm in [then, otherwise] {
                    self.hand_on(arm, inner, names);
                }
                let row: Vec<Var> = self.taken.iter().map(|_| names.fresh("spare_mem")).collect();
                let ty = MemType::Mem(self.space);
                pattern.extend(row.iter().map(|var| Binder { var: *var, ty: ty.clone() }));
                return row;
            }
        }
        self.taken.to_vec()
    }
}
