//! Hoisting of allocations: to the top of their body, and out of sequential loops.
//!
//! ```text
//! let (ys: [n]f32 @ ys_mem -> …) = copy xs
//! loop (…) for i < k {
//!   let (t: f32) = index ys[i]
//!   let (b_mem: mem) = alloc [n] f32
//!   …
//! ```
//! becomes
//! ```text
//! let (b_mem: mem) = alloc [n] f32
//! let (ys: [n]f32 @ ys_mem -> …) = copy xs
//! loop (…) for i < k {
//!   let (t: f32) = index ys[i]
//!   …
//! ```
//! Destinations come into scope before what short-circuiting would build in them, and loops allocate nothing whose size does not
//! change. `sink-allocations` undoes what nothing came of.
//!
//! # What must not change
//! A program that did not fail must not fail for want of memory, and a negative size must fail at the same assertion.
//! - A size is *modest* if it is known not to be negative and no larger than a constant times an array that exists where the
//!   allocation goes (or than a megabyte). A modest allocation goes anywhere that its size is in scope, also out of branches.
//! - Any other stays behind each assertion (call, division) that has a variable in common with its size, scalar definitions followed;
//!   so one that is negative or absurd is still stopped by what stopped it.
//! - Any other leaves a loop only from the top of its body, where it is executed unless the loop has no iteration, and with no related
//!   assertion before it, but for those that only say that a number is not too small; outside, its size is multiplied by a 0 if there is none, and a factor that may be negative is 0 then. (Inside, the
//!   assertion about it comes before the first use of the block.)
//! - A block that the loop carries to its next iteration stays: there, an allocation makes one block for each iteration. (That is
//!   what `double-buffer` is for.) One in a kernel stays in it: its points have a block each.
//!
//! Requires and ensures M1–M9. Cost: n log n in the size of the program.

mod failing;
mod known;

use super::blocks::{Blocks, is_mem};
use super::trips;
use failing::Failing;
use fun::ir::{Atom, LoopForm, LoopParam};
use fun::visit::for_each_body_mut;
use fun_base::name::{NameSource, Var};
use fun_base::prim::PrimType;
use funmem::ir::{Body, Exp, Function, Mem, MemOp, MemType, Program, Statement};
use known::{At, Known, Scalars};
use std::collections::{BTreeMap, BTreeSet};

/// Hoists the allocations of a program.
pub fn run(mut program: Program) -> Program {
    let blocks = Blocks::of_program(&program);
    let names = fun::visit::names::name_source(&program);
    let mut hoister =
        Hoister { blocks, names, known: Known::default(), scalars: Scalars::default(), depth: 0 };
    for function in &mut program.functions {
        hoister.known = Known::default();
        for param in &function.params {
            hoister.known.bind(&param.binder, At::START);
        }
        hoister.body(&mut function.body);
    }
    program
}

/// Whether whoever calls a function may allocate this before the call, as far as its size is concerned; it is in terms of the parameters.
pub(super) fn modest_for_callers(function: &Function, shape: &[Atom], elem: PrimType) -> bool {
    let mut known = Known::default();
    for param in &function.params {
        known.bind(&param.binder, At::START);
        if let MemType::Array { shape, .. } = &param.binder.ty {
            // (its steps are 0 only where an element is shown many times, which no source program can say)
            known.count(shape, At::START);
        }
    }
    known.modest(shape, elem, &Scalars::default()).is_some()
}

struct Hoister {
    blocks: Blocks,
    names: NameSource,
    /// What is known where the walk is.
    known: Known,
    /// How scalars are computed.
    scalars: Scalars,
    /// How many bodies are around.
    depth: u32,
}

/// The statement before which a statement goes, and whether it is that statement and stays.
type Target = (usize, bool);

/// The sizes and element type of an allocation.
fn allocation(statement: &Statement) -> Option<(Var, &[Atom], PrimType)> {
    match (&statement.exp, statement.pattern.as_slice()) {
        (Exp::Op(MemOp::Alloc { space: _, shape, elem }), [binder]) => Some((binder.var, shape, *elem)),
        _ => None,
    }
}

/// Where the variables of some statements are bound.
fn positions(statements: &[Statement]) -> BTreeMap<Var, usize> {
    let binders = |(k, statement): (usize, &Statement)| {
        statement.pattern.iter().map(move |binder| (binder.var, k)).collect::<Vec<_>>()
    };
    statements.iter().enumerate().flat_map(binders).collect()
}

impl Hoister {
    fn body(&mut self, body: &mut Body) {
        let outer = self.known.clone();
        self.depth += 1;
        let mut statements: Vec<Statement> = Vec::with_capacity(body.statements.len());
        for mut statement in std::mem::take(&mut body.statements) {
            let lifted = self.inside(&mut statement);
            for statement in lifted.into_iter().chain([statement]) {
                self.scalars.learn(&statement);
                let at = At { depth: self.depth, index: statements.len() + 1 };
                self.known.learn(&statement, at, &self.scalars);
                statements.push(statement);
            }
        }
        body.statements = self.risen(statements);
        self.depth -= 1;
        self.known = outer;
    }

    /// Hoists inside of a statement; gives what comes out of it.
    fn inside(&mut self, statement: &mut Statement) -> Vec<Statement> {
        let Exp::Loop { params, form, body } = &mut statement.exp else {
            for_each_body_mut(&mut statement.exp, &mut |body| self.body(body));
            return Vec::new();
        };
        let outer = self.known.clone();
        let at = At { depth: self.depth + 1, index: 0 };
        for param in params.iter() {
            self.known.bind(&param.binder, at);
        }
        self.body(body);
        self.known = outer;
        Lift::new(self, params, form, statement.loc).out_of(body)
    }

    /// The statements, with allocations and the scalars that they need as far up as they may be.
    fn risen(&self, statements: Vec<Statement>) -> Vec<Statement> {
        let bound = positions(&statements);
        // Where each statement goes: before another one, or, as at first, to its own place.
        let mut targets: Vec<Target> = (0..statements.len()).map(|k| (k, true)).collect();
        let (mut failing, mut found) = (None, BTreeMap::new());
        for (k, statement) in statements.iter().enumerate() {
            let Some((_, shape, elem)) = allocation(statement) else { continue };
            let vars: Vec<Var> = shape.iter().filter_map(|atom| atom.as_var()).collect();
            let ready = vars.iter().map(|var| self.ready(*var, &bound, 0, &mut found)).max().unwrap_or(0);
            let modest = self.known.modest(shape, elem, &self.scalars);
            let mut target = modest.map_or(k, |at| ready.max(at.index_in(self.depth)));
            if target > ready {
                let failing = failing.get_or_insert_with(|| Failing::of(&statements, &self.scalars, true));
                target = target.min(ready.max(failing.before(&vars, k, &self.scalars)));
            }
            // One that stays where it is keeps its order with those that come there.
            targets[k] = (target.min(k), false);
            vars.iter().for_each(|var| self.bring(*var, target.min(k), &bound, &mut targets));
        }
        let mut order: Vec<usize> = (0..statements.len()).collect();
        order.sort_by_key(|k| (targets[*k], *k));
        let mut statements: Vec<Option<Statement>> = statements.into_iter().map(Some).collect();
        order.into_iter().filter_map(|k| statements[k].take()).collect()
    }

    /// From where on a variable can be in scope, if scalars move up; `found` is known already.
    fn ready(
        &self,
        var: Var,
        bound: &BTreeMap<Var, usize>,
        depth: u32,
        found: &mut BTreeMap<(Var, u32), usize>,
    ) -> usize {
        let Some(at) = bound.get(&var) else { return 0 };
        let operands = match self.scalars.operands(var) {
            Some(operands) if depth < known::DEEPEST => operands,
            _ => return at + 1,
        };
        if let Some(ready) = found.get(&(var, depth)) {
            return *ready;
        }
        let of_operands = operands.iter().map(|operand| self.ready(*operand, bound, depth + 1, found));
        let ready = of_operands.max().unwrap_or(0);
        found.insert((var, depth), ready);
        ready
    }

    /// Moves the scalars that a variable needs to a place where all of them can be.
    fn bring(&self, var: Var, target: usize, bound: &BTreeMap<Var, usize>, targets: &mut [Target]) {
        match bound.get(&var) {
            Some(at) if *at >= target && targets[*at] > (target, false) => targets[*at] = (target, false),
            _ => return,
        }
        for operand in self.scalars.operands(var).into_iter().flatten() {
            self.bring(*operand, target, bound, targets);
        }
    }
}

/// What leaves a loop.
struct Lift<'h> {
    hoister: &'h mut Hoister,
    /// The parameters for the blocks that the loop carries along.
    carried: Vec<Var>,
    form: &'h LoopForm,
    params: &'h [LoopParam<Mem>],
    loc: Option<fun_base::source::Loc>,
    /// 1 if the loop has an iteration, and 0 if it has none; once it was asked for.
    some: Option<Atom>,
    lifted: Vec<Statement>,
}

impl<'h> Lift<'h> {
    fn new(
        hoister: &'h mut Hoister,
        params: &'h [LoopParam<Mem>],
        form: &'h LoopForm,
        loc: Option<fun_base::source::Loc>,
    ) -> Lift<'h> {
        let blocks = params.iter().filter(|param| is_mem(&param.binder));
        let carried = blocks.map(|param| param.binder.var).collect();
        Lift { hoister, carried, form, params, loc, some: None, lifted: Vec::new() }
    }

    /// The allocations that leave the loop, with the scalars that they need.
    fn out_of(mut self, body: &mut Body) -> Vec<Statement> {
        let bound = positions(&body.statements);
        let mut gone = vec![false; body.statements.len()];
        let mut failing = None;
        for k in 0..body.statements.len() {
            let Some((block, shape, elem)) = allocation(&body.statements[k]) else {
                if let Exp::If { then, otherwise, .. } = &mut body.statements[k].exp {
                    self.out_of_branch(then);
                    self.out_of_branch(otherwise);
                }
                continue;
            };
            let vars: Vec<Var> = shape.iter().filter_map(|atom| atom.as_var()).collect();
            let mut along = BTreeSet::new();
            let invariant = vars.iter().all(|var| self.invariant(*var, &bound, &mut along, 0));
            if !invariant || self.carries(block) {
                continue;
            }
            let modest = self.hoister.known.modest(shape, elem, &self.hoister.scalars).is_some();
            if !modest {
                let scalars = &self.hoister.scalars;
                let failing = failing.get_or_insert_with(|| Failing::of(&body.statements, scalars, false));
                if failing.before(&vars, k, scalars) > 0 {
                    continue;
                }
            }
            let taken =
                |at: &usize| (!std::mem::replace(&mut gone[*at], true)).then(|| body.statements[*at].clone());
            self.lifted.extend(along.iter().filter_map(taken));
            gone[k] = true;
            let mut alloc = body.statements[k].clone();
            if !modest {
                self.guard(&mut alloc);
            }
            self.lifted.push(alloc);
        }
        let mut gone = gone.into_iter();
        body.statements.retain(|_| !gone.next().unwrap_or(false));
        self.lifted
    }

    /// Whether the loop may carry along what an allocation makes.
    fn carries(&self, block: Var) -> bool {
        self.carried.iter().any(|param| self.hoister.blocks.stands_for(*param, block))
    }

    /// Modest allocations of a branch leave the loop too.
    fn out_of_branch(&mut self, body: &mut Body) {
        for mut statement in std::mem::take(&mut body.statements) {
            if let Exp::If { then, otherwise, .. } = &mut statement.exp {
                self.out_of_branch(then);
                self.out_of_branch(otherwise);
            }
            let leaves = allocation(&statement).is_some_and(|(block, shape, elem)| {
                let known = &self.hoister.known;
                let invariant = shape.iter().all(|atom| atom.as_var().is_none_or(|var| known.in_scope(var)));
                let modest = || known.modest(shape, elem, &self.hoister.scalars).is_some();
                invariant && !self.carries(block) && modest()
            });
            if leaves { self.lifted.push(statement) } else { body.statements.push(statement) }
        }
    }

    /// Whether a variable has one value in all iterations; adds the statements of the body that compute it.
    fn invariant(
        &self,
        var: Var,
        bound: &BTreeMap<Var, usize>,
        along: &mut BTreeSet<usize>,
        depth: u32,
    ) -> bool {
        if self.hoister.known.in_scope(var) {
            return true;
        }
        let (Some(at), Some(operands)) = (bound.get(&var), self.hoister.scalars.operands(var)) else {
            return false;
        };
        // (what was not invariant has ended the search)
        !along.insert(*at)
            || depth < known::DEEPEST
                && operands.iter().all(|operand| self.invariant(*operand, bound, along, depth + 1))
    }

    /// Whether the loop is known to have an iteration.
    fn runs(&self) -> bool {
        matches!(self.form, LoopForm::For { bound, .. } if self.hoister.scalars.is_positive(*bound))
    }

    /// Multiplies the size by 0 if the loop has no iteration, and makes negative factors 0.
    fn guard(&mut self, alloc: &mut Statement) {
        let (out, runs) = (std::mem::take(&mut self.lifted), self.runs());
        let mut scalars = trips::Scalars { names: &mut self.hoister.names, loc: self.loc, out };
        let some = match self.some {
            Some(some) => some,
            None if runs => Atom::i64(1),
            None => scalars.some_iteration(self.params, self.form),
        };
        self.some = Some(some);
        if let Exp::Op(MemOp::Alloc { shape, .. }) = &mut alloc.exp {
            for atom in shape.iter_mut() {
                if self.hoister.known.nonneg(*atom, &self.hoister.scalars).is_none() {
                    *atom = scalars.at_least_zero(*atom);
                }
            }
            if some != Atom::i64(1) {
                shape.insert(0, some);
            }
        }
        self.lifted = scalars.out;
    }
}
