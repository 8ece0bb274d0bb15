//! Buffers of loops: a block that each iteration allocates for the next one becomes a few blocks, allocated before the loop, that change
//! places.
//!
//! ```text
//! loop (x_mem: mem = a_mem) (x: [n]f32 @ x_mem -> … = a) for i < k {
//!   let (y_mem: mem) = alloc [n] f32
//!   let (y: [n]f32 @ y_mem -> …) = kernel …
//!   in (y_mem, y)
//! }
//! ```
//! becomes
//! ```text
//! let (spare_mem: mem) = alloc [n] f32
//! loop (x_mem: mem = a_mem) (x: [n]f32 @ x_mem -> … = a) (y_mem: mem = spare_mem) for i < k {
//!   let (y: [n]f32 @ y_mem -> …) = kernel …
//!   in (y_mem, y, x_mem)
//! }
//! ```
//! - *In place*: where each point of the kernel (or scan, or copy) that makes the next value reads of the present one only what it
//!   writes itself, and nothing uses the present value after that, the next one is made over it: in the block of the initial value if that
//!   can be taken over, and otherwise in one block of the loop's own. So is a concatenation of parts of the present value that can move
//!   to their places in turn (`double_buffer/moved.rs`).
//! - *Taking over*, as above: the block of the present value is the next one's spare. The initial value's block becomes one of the two,
//!   so the loop must be the last to use it (under any name that it does not have through the loop itself), the function must own it, and
//!   it must have as much room: the array in it has the shape of the allocation.
//! - *Rotating*: a value that lives for `l` iterations (it is passed on from parameter to parameter) is made in the first of `l + 1` blocks
//!   of the loop's own, which then goes to the end of the row. This asks nothing of the initial value, and nothing is copied.
//! - A loop that carries the value of an inner loop with two buffers along carries the inner loop's spare as well.
//!
//! A loop leaves a block free that is none of its results: the spare one, or the first in the row. Where the loop is executed once, what
//! is as large and made after it goes there, be it the buffer of another loop.
//!
//! The next value may also be, by a branch, a new array or the present one: then the blocks change places in the arms that give a new one
//! (`double_buffer/branches.rs`).
//!
//! What is passed on in any other way may live for any number of iterations; such an allocation stays. A buffer is as large as the
//! initial array, or its size is guarded as in `hoist-allocations`, so no program asks for more than it did; by a branch, than it would if each arm
//! were taken, which for large blocks that arms allocate is one block of a loop at most.
//!
//! Requires and ensures M1–M9. Cost: n log n in the size of the program, times the depth of loops, times the names of a block; and the
//! questions of [`super::short_circuit::in_place`] for each kernel that makes a loop's next value.

mod branches;
mod candidate;
mod in_use;
mod moved;
mod pin;

use super::blocks::{Blocks, Origin, RootSet, Summaries, block, drop_allocations, is_mem};
use super::last_use::{Lives, Span, Time};
use super::short_circuit::in_place::{MadeOver, overwrites_parameters};
use super::trips::Scalars;
use crate::evidence::PassEvidence;
use branches::Rows;
use candidate::{Found, Loop, factors};
use fun::ir::{Atom, LoopParam};
use fun::visit::names::{Subst, subst_body};
use fun::visit::{for_each_body, for_each_body_mut};
use fun_base::name::{NameSource, Var};
use fun_base::prim::PrimType;
use fun_base::source::Loc;
use fun_index::certificate::{Certificate, Decision};
use fun_index::prove::Findings;
use funmem::ir::{Binder, Body, Exp, Function, Mem, MemOp, MemType, Program, Space, Statement};
use in_use::InUse;
use std::collections::{BTreeMap, BTreeSet};

/// How deep loops with buffers may be in each other.
const ROUNDS: usize = 8;

/// Gives the loops of a program buffers.
pub fn run(program: Program, given: &mut PassEvidence) -> Program {
    buffer(program, Extent::All, given)
}

/// Makes next values over present ones, in blocks that can be taken over or that their copies would have, and nothing else: such a loop has one
/// block all along, the initial value's. So its result, like any other array, can be built where it will be copied to (`short-circuit`).
pub fn run_in_place(program: Program, given: &mut PassEvidence) -> Program {
    buffer(program, Extent::InPlace, given)
}

/// Which buffers loops get.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// The blocks of initial values, where next values are made in place.
    InPlace,
    All,
}

fn buffer(mut program: Program, extent: Extent, given: &mut PassEvidence) -> Program {
    let mut names = fun::visit::names::name_source(&program);
    let mut summaries = Summaries::default();
    for function in &mut program.functions {
        let mut swaps = BTreeMap::new();
        // Inner loops first: each round sees what the one before has made.
        for _ in 0..ROUNDS {
            let blocks = Blocks::of_function(function, &mut summaries);
            let mut buffering = Buffering::new(
                function,
                &blocks,
                &mut names,
                given.findings(function.name),
                &mut swaps,
                extent,
            );
            let changed = buffering.body(&mut function.body, true);
            given.certificates.append(&mut buffering.certificates);
            if !changed {
                break;
            }
        }
    }
    program
}

/// What a buffer is.
#[derive(Clone, Debug)]
struct Buffer {
    space: Space,
    shape: Vec<Atom>,
    elem: PrimType,
}

/// A loop with two buffers that change places.
#[derive(Clone, Debug)]
struct Swap {
    /// The loop's result that is the block of the last value.
    last: Var,
    /// The loop's parameter that is the block of the present value.
    present: Var,
    /// The allocation of the spare block.
    alloc: Var,
    buffer: Buffer,
}

struct Buffering<'a> {
    blocks: &'a Blocks,
    lives: Lives,
    /// Blocks and arrays in the order in which they are bound, with the names of the blocks.
    births: Vec<(Time, Var, Var)>,
    /// The names of blocks, from when each is bound to the last use of it and of the arrays that lie there by this name.
    names_in_use: InUse,
    /// The roots that the function may not write to.
    foreign: RootSet,
    /// The parameters of the loops around.
    carried: BTreeSet<Var>,
    /// Arrays whose only use is that they are copied.
    copied_only: BTreeSet<Var>,
    /// By an allocation for a loop's next value: the array in it that may be made over the present value.
    in_place: BTreeMap<Var, MadeOver>,
    certificates: Vec<Certificate>,
    names: &'a mut NameSource,
    /// By the loop's result that is the spare block.
    swaps: &'a mut BTreeMap<Var, Swap>,
    extent: Extent,
}

impl<'a> Buffering<'a> {
    fn new(
        function: &Function,
        blocks: &'a Blocks,
        names: &'a mut NameSource,
        findings: &Findings,
        swaps: &'a mut BTreeMap<Var, Swap>,
        extent: Extent,
    ) -> Buffering<'a> {
        let mut arrays: BTreeMap<Var, Vec<Var>> = BTreeMap::new();
        for (array, mem) in blocks.arrays() {
            arrays.entry(mem).or_default().push(array);
        }
        let lives = Lives::of_function(function, blocks);
        let born = |var: Var, name: Var| lives.birth(var).map(|(born, _)| (born, var, name));
        let names_born = blocks.names().filter_map(|(name, _)| born(name, name));
        let arrays_born = blocks.arrays().filter_map(|(array, mem)| born(array, mem));
        let mut births: Vec<(Time, Var, Var)> = names_born.chain(arrays_born).collect();
        births.sort_unstable();
        let in_use = blocks.names().filter_map(|(name, _)| {
            let (born, _) = lives.birth(name)?;
            let all = arrays.get(&name).into_iter().flatten().chain([&name]);
            // What is never bound is never over.
            let last = all.map(|var| lives.last_use(*var).unwrap_or(Time::MAX)).max().unwrap_or(born);
            Some((Span { start: born, end: last }, name))
        });
        let names_in_use = InUse::new(in_use.collect());
        let mut foreign = RootSet::default();
        for (root, origin) in blocks.all_roots() {
            match origin {
                Origin::Alloc { .. } | Origin::Call | Origin::Param { consumed: true } => {}
                Origin::Param { consumed: false } => {
                    foreign.take_in(blocks.root_set(root));
                }
            }
        }
        let mut next_values = BTreeMap::new();
        next_of(&function.body, &mut next_values);
        let in_place = overwrites_parameters(function, blocks, names, findings, &next_values);
        let (carried, certificates) = (BTreeSet::new(), Vec::new());
        Buffering {
            blocks,
            lives,
            births,
            names_in_use,
            foreign,
            carried,
            copied_only: pin::copied_only(function),
            in_place,
            certificates,
            names,
            swaps,
            extent,
        }
    }

    /// Whether any loop of the body has got buffers. A body that is executed once uses what its loops leave spare.
    fn body(&mut self, body: &mut Body, once: bool) -> bool {
        let (mut changed, mut spares, mut replaced) = (false, Vec::new(), Subst::new());
        // Allocations that nothing lies in yet.
        let mut unused: Vec<Spare> = Vec::new();
        for mut statement in std::mem::take(&mut body.statements) {
            if let (Exp::Op(MemOp::Alloc { space, shape, elem }), [binder]) =
                (&statement.exp, statement.pattern.as_slice())
            {
                let buffer = Buffer { space: *space, shape: shape.clone(), elem: *elem };
                unused.push(Spare { block: binder.var, buffer });
            }
            let inner_once = once && matches!(statement.exp, Exp::If { .. });
            let mut inside = false;
            let params: Vec<Var> = match &statement.exp {
                Exp::Loop { params, .. } => params.iter().map(|param| param.binder.var).collect(),
                _ => Vec::new(),
            };
            self.carried.extend(&params);
            for_each_body_mut(&mut statement.exp, &mut |inner| inside |= self.body(inner, inner_once));
            params.iter().for_each(|var| {
                self.carried.remove(var);
            });
            if !inside && matches!(statement.exp, Exp::Loop { .. }) {
                let before = match self.extent {
                    Extent::All => self.repeat(&mut statement, &mut spares),
                    Extent::InPlace => self.pin(&mut statement, &mut replaced),
                };
                inside = before.is_some();
                body.statements.extend(before.into_iter().flatten());
                if !once {
                    spares.clear();
                } else if !spares.is_empty() {
                    let over = statement.pattern.first().and_then(|binder| self.lives.birth(binder.var));
                    unused.retain(|Spare { block, buffer }| {
                        let first = self.lives.spans(*block).first();
                        let is_later = first.zip(over).is_some_and(|(span, (over, _))| over < span.start);
                        let spare = if is_later { take_spare(&mut spares, buffer) } else { None };
                        replaced.extend(spare.map(|spare| (*block, Atom::Var(spare))));
                        is_later && spare.is_none()
                    });
                }
            }
            // (a loop in one block lets those around it be looked at again)
            changed |= inside && (self.extent == Extent::All || !self.carried.is_empty());
            body.statements.push(statement);
        }
        if !replaced.is_empty() {
            body.statements.retain(|statement| {
                !statement.pattern.iter().any(|binder| replaced.contains_key(&binder.var))
            });
            *body = subst_body::<Mem>(&replaced, body);
        }
        changed
    }

    /// Gives a loop its buffers; gives what comes before it if it has got any. What it leaves spare is added.
    fn repeat(&mut self, statement: &mut Statement, spares: &mut Vec<Spare>) -> Option<Vec<Statement>> {
        let found = match Loop::of(statement) {
            Some(repeat) => self.candidates(&repeat),
            None => Vec::new(),
        };
        if found.is_empty() {
            return None;
        }
        let loc = statement.loc;
        let (mut before, mut left) = (Vec::new(), Vec::new());
        for found in found {
            let Exp::Loop { params, form, body } = &mut statement.exp else { break };
            self.make_over(&found, body, loc);
            let mut scalars = Scalars { names: &mut *self.names, loc, out: std::mem::take(&mut before) };
            let mut buffer = found.buffer().clone();
            if found.is_guarded() {
                let some = scalars.some_iteration(params, form);
                buffer.shape.iter_mut().for_each(|size| *size = scalars.at_least_zero(*size));
                buffer.shape.insert(0, some);
            }
            before = scalars.out;
            // Where the loop may have no iteration the buffers have no room.
            let has_room = !found.is_guarded();
            let mut allocate = || {
                if let Some(spare) = take_spare(spares, &buffer) {
                    return spare;
                }
                let var = self.names.fresh("buffer_mem");
                let pattern = vec![Binder { var, ty: MemType::Mem(buffer.space) }];
                let Buffer { space, shape, elem } = buffer.clone();
                let exp = Exp::Op(MemOp::Alloc { space, shape, elem });
                before.push(Statement { pattern, exp, loc });
                var
            };
            match found {
                Found::InPlace { at, next, .. } => {
                    replace_allocations(body, &[next], params[at].binder.var);
                }
                Found::TakeOver { at, next, .. } => {
                    let alloc = allocate();
                    let (present, last) = (params[at].binder.var, statement.pattern[at].var);
                    let spare = add_param(params, alloc, buffer.space, self.names);
                    replace_allocations(body, &next.blocks, spare);
                    let (taken, kept) = (&[present], &[spare]);
                    Rows { present, taken, kept, space: buffer.space }.hand_on(body, at, self.names);
                    let over = self.names.fresh("spare_mem");
                    let ty = MemType::Mem(buffer.space);
                    statement.pattern.push(Binder { var: over, ty });
                    left.extend(has_room.then(|| Spare { block: over, buffer: buffer.clone() }));
                    self.swaps.insert(over, Swap { last, present, alloc, buffer });
                }
                Found::Rotate { at, next, lives, .. } => {
                    let present = params[at].binder.var;
                    let blocks: Vec<Var> = (0..=lives).map(|_| allocate()).collect();
                    let row: Vec<Var> = blocks
                        .iter()
                        .map(|alloc| add_param(params, *alloc, buffer.space, self.names))
                        .collect();
                    replace_allocations(body, &next.blocks, row[0]);
                    let taken: Vec<Var> = row[1..].iter().chain([&row[0]]).copied().collect();
                    Rows { present, taken: &taken, kept: &row, space: buffer.space }
                        .hand_on(body, at, self.names);
                    for k in 0..row.len() {
                        let var = self.names.fresh("spare_mem");
                        statement.pattern.push(Binder { var, ty: MemType::Mem(buffer.space) });
                        // The next value would be made there: the last ones are in the others.
                        let is_spare = has_room && k == 0 && lives > 0;
                        left.extend(is_spare.then(|| Spare { block: var, buffer: buffer.clone() }));
                    }
                }
                Found::Carry { at, swap, spare, .. } => {
                    let alloc = allocate();
                    let (present, last) = (params[at].binder.var, statement.pattern[at].var);
                    let carried = add_param(params, alloc, buffer.space, self.names);
                    replace_allocations(body, &[swap], carried);
                    body.results.push(Atom::Var(spare));
                    let over = self.names.fresh("spare_mem");
                    let ty = MemType::Mem(buffer.space);
                    statement.pattern.push(Binder { var: over, ty });
                    self.swaps.remove(&spare);
                    self.swaps.insert(over, Swap { last, present, alloc, buffer });
                }
            }
        }
        spares.append(&mut left);
        Some(before)
    }

    /// Readies the body of a loop for a next value that is made over the present one, if it is, and says why that may be.
    fn make_over(&mut self, found: &Found, body: &mut Body, loc: Option<Loc>) {
        let Some(made) = found.made_over().and_then(|next| self.in_place.remove(&next)) else { return };
        let MadeOver { array: at, moving, evidence } = made;
        if let Some(moving) = moving {
            moved::move_parts(body, at, &moving, self.names);
        }
        self.certificates.push(Certificate { decision: Decision::InPlaceKernel, at, loc, evidence });
    }
}

/// A block that nothing lies in, and what it has room for.
struct Spare {
    block: Var,
    buffer: Buffer,
}

/// Takes a spare block that is as large as this.
fn take_spare(spares: &mut Vec<Spare>, wanted: &Buffer) -> Option<Var> {
    let fits = |Spare { buffer, .. }: &Spare| {
        buffer.space == wanted.space
            && buffer.elem.bytes() == wanted.elem.bytes()
            && factors(&buffer.shape) == factors(&wanted.shape)
    };
    let at = spares.iter().position(fits)?;
    Some(spares.remove(at).block)
}

/// By the blocks that loops allocate for their next values: the block variables of these values' parameters.
fn next_of(body: &Body, found: &mut BTreeMap<Var, Var>) {
    for statement in &body.statements {
        for_each_body(&statement.exp, &mut |inner| next_of(inner, found));
        let Exp::Loop { params, body, .. } = &statement.exp else { continue };
        for (param, next) in params.iter().zip(&body.results) {
            let allocates = |statement: &&Statement| {
                matches!(statement.exp, Exp::Op(MemOp::Alloc { .. }))
                    && statement.pattern.iter().any(|binder| Atom::Var(binder.var) == *next)
            };
            if let (Atom::Var(next), true) = (next, is_mem(&param.binder))
                && body.statements.iter().any(|statement| allocates(&statement))
            {
                found.insert(*next, param.binder.var);
            }
        }
    }
}

/// Adds a parameter for a block.
fn add_param(params: &mut Vec<LoopParam<Mem>>, init: Var, space: Space, names: &mut NameSource) -> Var {
    let var = names.fresh("spare_mem");
    params.push(LoopParam { binder: Binder { var, ty: MemType::Mem(space) }, init: Atom::Var(init) });
    var
}

/// Puts another block in place of those that the body, or an arm in it, allocates.
fn replace_allocations(body: &mut Body, allocs: &[Var], block: Var) {
    drop_allocations(body, &|mem| !allocs.contains(&mem));
    let subst: Subst = allocs.iter().map(|alloc| (*alloc, Atom::Var(block))).collect();
    *body = subst_body::<Mem>(&subst, body);
}
