//! Reads in the branches of a loop move in front of them where they certainly are within bounds.
//!
//! ```text
//! loop (x = shift) for k < 30 do {
//!   let (bit: bool) = …
//!   let (y: u32) = if bit {
//!     let (d: u32) = index directions[k]
//!     let (z: u32) = xor.u32 x d
//!     in (z)
//!   } else { in (x) }
//!   in (y)
//! }
//! ```
//! becomes
//! ```text
//! loop (x = shift) for k < 30 do {
//!   let (bit: bool) = …
//!   let (d: u32) = index directions[k]
//!   let (y: u32) = if bit {
//!     let (z: u32) = xor.u32 x d
//!     in (z)
//!   } else { in (x) }
//!   in (y)
//! }
//! ```
//! The algebra: `if c then f (xs[k]) else y  =  let x = xs[k] in if c then f x else y`, where `xs[k]` cannot fail. What is left in the branches touches no memory,
//! so that several iterations around the loop can run in lanes, which take both branches, and a machine need not guess.
//!
//! Done in sequential loops, where both branches are short, give numbers and do nothing else that may fail, for arrays from outside of the loop. In kernels it is done
//! where what was read decides the branch, which then keeps iterations from running in vectors, and both branches read, at places that do not depend on what was read.
//! What indices are computed from moves too, and assertions that hold in front of the branch (`remove-checks` drops them).
//!
//! Not for arrays that were made without contents (`scratch`), or from these: their cells may have no value. Requires and ensures F1–F9. Before `dead-stores`, which may leave cells without a value that are not read. Cost: for each read in a
//! branch two questions to the prover for each index; each has a limit.

use super::operator_may_fail;
use crate::funmem::facts::PointFacts;
use fun::ir::{Atom, Binder, Body, Exp, Fun, Program, Statement};
use fun::visit::{Walk, for_each_body_mut, walk_exp};
use fun_base::name::Var;
use std::collections::{BTreeMap, BTreeSet};

/// The most statements of a branch.
const SHORT: usize = 12;

/// Moves the reads of a program.
pub fn run(mut program: Program) -> Program {
    for function in &mut program.functions {
        let mut moving = EarlyReads::default();
        function.params.iter().for_each(|param| moving.bind(&param.binder));
        moving.body(&mut function.body);
    }
    program
}

#[derive(Default)]
struct EarlyReads {
    facts: PointFacts<Fun>,
    /// How many loops are around, kernels included, and whether the innermost is a sequential one.
    depth: usize,
    in_loop: bool,
    /// How many loops are around what binds an array.
    depths: BTreeMap<Var, usize>,
    /// What was read, and what was computed from that.
    data: BTreeSet<Var>,
    /// Arrays that were made without contents, and what has to do with these: their cells may have no value.
    scratch: BTreeSet<Var>,
}

impl EarlyReads {
    fn body(&mut self, within: &mut Body) {
        let start = self.facts.mark();
        let mut done = Vec::with_capacity(within.statements.len());
        for mut statement in std::mem::take(&mut within.statements) {
            self.inside(&mut statement);
            let early = self.taken(&mut statement);
            early.iter().for_each(|statement| self.facts.statement(statement));
            done.extend(early);
            self.facts.statement(&statement);
            let bound = || statement.pattern.iter().map(|binder| binder.var);
            let is_read = |exp: &Exp| matches!(exp, Exp::Index { .. });
            if uses(&statement.exp, &self.data, &is_read) {
                self.data.extend(bound());
            }
            if may_lack_contents(&statement.exp, &self.scratch) {
                self.scratch.extend(bound());
            }
            statement.pattern.iter().for_each(|binder| self.place(binder));
            done.push(statement);
        }
        within.statements = done;
        self.facts.reset(start);
    }

    fn inside(&mut self, statement: &mut Statement) {
        let mark = self.facts.mark();
        let no_contents =
            matches!(statement.exp, Exp::Loop { .. }) && may_lack_contents(&statement.exp, &self.scratch);
        match &mut statement.exp {
            Exp::If { condition, then, otherwise } => {
                for (arm, taken) in [(then, true), (otherwise, false)] {
                    self.facts.branch(*condition, taken);
                    self.body(arm);
                    self.facts.reset(mark);
                }
            }
            Exp::Loop { params, form, body } => {
                let around = self.enter(true);
                params.iter().for_each(|param| self.place(&param.binder));
                // (what one iteration leaves, the next one begins with)
                if no_contents {
                    self.scratch.extend(params.iter().map(|param| param.binder.var));
                }
                self.facts.enter_loop(params, form, body);
                self.body(body);
                self.leave(around);
            }
            Exp::Kernel { space, combine, body } => {
                let around = self.enter(false);
                space.iter().for_each(|(counter, bound)| self.facts.counter(*counter, *bound));
                self.body(body);
                self.facts.reset(mark);
                if let Some(operator) = combine.lambda_mut() {
                    self.body(&mut operator.body);
                }
                self.leave(around);
            }
            other => for_each_body_mut(other, &mut |body| self.body(body)),
        }
        self.facts.reset(mark);
    }

    fn bind(&mut self, binder: &Binder) {
        self.facts.bind(binder);
        self.place(binder);
    }

    fn place(&mut self, binder: &Binder) {
        if binder.ty.rank() > 0 {
            self.depths.insert(binder.var, self.depth);
        }
    }

    /// Goes into a loop. Gives what to say when it is left.
    fn enter(&mut self, in_loop: bool) -> bool {
        self.depth += 1;
        std::mem::replace(&mut self.in_loop, in_loop)
    }

    fn leave(&mut self, around: bool) {
        self.depth -= 1;
        self.in_loop = around;
    }

    /// Takes out of both branches of a statement what may stand in front of it.
    fn taken(&mut self, statement: &mut Statement) -> Vec<Statement> {
        let Exp::If { condition, then, otherwise } = &mut statement.exp else { return Vec::new() };
        if self.depth == 0 || statement.pattern.iter().any(|binder| binder.ty.rank() > 0) {
            return Vec::new();
        }
        let (Some(first), Some(second)) = (self.early(then), self.early(otherwise)) else {
            return Vec::new();
        };
        let regular = |arm: &Body, count: usize| {
            let mut reads = arm.statements[..count].iter().filter_map(|statement| match &statement.exp {
                Exp::Index { indices, .. } => Some(indices),
                _ => None,
            });
            count > 0 && reads.all(|indices| !indices.iter().any(|index| self.is_data(index)))
        };
        let in_lanes = self.is_data(condition) && regular(then, first) && regular(otherwise, second);
        if !(self.in_loop || in_lanes) {
            return Vec::new();
        }
        then.statements.drain(..first).chain(otherwise.statements.drain(..second)).collect()
    }

    fn is_data(&self, atom: &Atom) -> bool {
        atom.as_var().is_some_and(|var| self.data.contains(&var))
    }

    /// How many statements of a branch may stand in front of it, up to the last read, if nothing but scalars is left then.
    fn early(&mut self, arm: &Body) -> Option<usize> {
        let is_read = |statement: &Statement| matches!(statement.exp, Exp::Index { .. });
        let last = arm.statements.iter().rposition(is_read).map_or(0, |at| at + 1);
        let mark = self.facts.mark();
        let fits = arm.statements.len() <= SHORT
            && arm.statements.iter().enumerate().all(|(at, statement)| {
                let may = match &statement.exp {
                    Exp::Index { array, indices } => {
                        !self.scratch.contains(array)
                            && self.depths.get(array).is_some_and(|depth| *depth < self.depth)
                            && self.facts.in_bounds(*array, indices)
                    }
                    Exp::Assert { condition, .. } => at < last && self.facts.shows(*condition).is_some(),
                    exp => is_scalar(exp),
                };
                self.facts.statement(statement);
                may
            });
        self.facts.reset(mark);
        fits.then_some(last)
    }
}

/// Whether arrays that an expression gives may have been made without contents, where these were or have to do with ones that were.
pub(super) fn may_lack_contents(exp: &Exp, scratch: &BTreeSet<Var>) -> bool {
    uses(exp, scratch, &|exp| matches!(exp, Exp::Scratch { .. }))
}

/// Whether an expression is such a one or uses one of some variables, somewhere.
fn uses(exp: &Exp, vars: &BTreeSet<Var>, is_one: &dyn Fn(&Exp) -> bool) -> bool {
    struct Uses<'u> {
        vars: &'u BTreeSet<Var>,
        is_one: &'u dyn Fn(&Exp) -> bool,
        found: bool,
    }
    impl Walk<Fun> for Uses<'_> {
        fn atom(&mut self, atom: &Atom) {
            self.found |= atom.as_var().is_some_and(|var| self.vars.contains(&var));
        }
        fn exp(&mut self, exp: &Exp) {
            self.found |= (self.is_one)(exp);
            walk_exp(self, exp);
        }
    }
    let mut uses = Uses { vars, is_one, found: false };
    uses.exp(exp);
    uses.found
}

/// Whether the expression computes a scalar and cannot fail.
fn is_scalar(exp: &Exp) -> bool {
    match exp {
        Exp::Atom(_) | Exp::Un(..) | Exp::Fma(..) | Exp::Convert { .. } => true,
        Exp::Bin(op, ty, _, right) => !operator_may_fail(*op, *ty, *right),
        Exp::If { then, otherwise, .. } => [then, otherwise]
            .iter()
            .all(|arm| arm.statements.iter().all(|statement| is_scalar(&statement.exp))),
        _ => false,
    }
}
