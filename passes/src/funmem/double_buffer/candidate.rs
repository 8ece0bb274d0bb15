//! Which allocations of a loop can become buffers, and how.

use super::branches::Next;
use super::{Buffer, Buffering, MadeOver, Swap, is_mem};
use crate::funmem::blocks::{Origin, RootSet, block};
use crate::funmem::last_use::{ScopeKind, Time};
use fun::ir::{Atom, LoopForm, LoopParam};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::{Binder, Body, Exp, Mem, MemOp, MemType, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// An allocation that can become buffers.
pub(super) enum Found {
    /// The next value is made over the present one, in the block of the initial one.
    InPlace { at: usize, next: Var, buffer: Buffer },
    /// Two buffers, one of them the block of the initial value of the parameter at a position.
    TakeOver { at: usize, next: Next, guarded: bool },
    /// One buffer more than iterations for which a value lives; one if each value is made over the one before.
    Rotate { at: usize, next: Next, lives: usize, guarded: bool },
    /// The spare block of an inner loop is carried along with the block of its value.
    Carry { at: usize, swap: Var, spare: Var, buffer: Buffer },
}

impl Found {
    pub(super) fn buffer(&self) -> &Buffer {
        match self {
            Found::InPlace { buffer, .. } | Found::Carry { buffer, .. } => buffer,
            Found::TakeOver { next, .. } | Found::Rotate { next, .. } => &next.buffer,
        }
    }

    /// The allocation whose array is made over the present value.
    pub(super) fn made_over(&self) -> Option<Var> {
        match self {
            Found::InPlace { next, .. } => Some(*next),
            Found::Rotate { next, lives: 0, .. } => next.blocks.first().copied(),
            Found::Rotate { .. } | Found::TakeOver { .. } | Found::Carry { .. } => None,
        }
    }

    /// Whether the loop may have no iteration although its size is all that is known to be.
    pub(super) fn is_guarded(&self) -> bool {
        match self {
            Found::TakeOver { guarded, .. } | Found::Rotate { guarded, .. } => *guarded,
            Found::InPlace { .. } | Found::Carry { .. } => false,
        }
    }
}

/// The parts of a loop.
pub(super) struct Loop<'s> {
    pattern: &'s [Binder],
    params: &'s [LoopParam<Mem>],
    pub(super) body: &'s Body,
    /// The allocations of the body, and whether each is executed before anything can fail.
    pub(super) allocs: BTreeMap<Var, (Buffer, bool)>,
    /// What the body binds, parameters and counter included.
    bound: BTreeSet<Var>,
}

impl<'s> Loop<'s> {
    pub(super) fn of(statement: &'s Statement) -> Option<Loop<'s>> {
        let Exp::Loop { params, form, body } = &statement.exp else { return None };
        let mut bound: BTreeSet<Var> = params.iter().map(|param| param.binder.var).collect();
        if let LoopForm::For { var, .. } = form {
            bound.insert(*var);
        }
        let mut allocs = BTreeMap::new();
        let mut first = true;
        for statement in &body.statements {
            bound.extend(statement.pattern.iter().map(|binder| binder.var));
            match (&statement.exp, statement.pattern.as_slice()) {
                (Exp::Op(MemOp::Alloc { space, shape, elem }), [binder]) => {
                    let buffer = Buffer { space: *space, shape: shape.clone(), elem: *elem };
                    allocs.insert(binder.var, (buffer, first));
                }
                (Exp::Bin(op, ty, ..), _) => first &= !op.can_fail(*ty),
                (Exp::Atom(_) | Exp::Un(..) | Exp::Convert { .. }, _) => {}
                _ => first = false,
            }
        }
        Some(Loop { pattern: &statement.pattern, params, body, allocs, bound })
    }

    pub(super) fn result(&self, at: usize) -> Option<Var> {
        self.body.results.get(at).and_then(|atom| atom.as_var())
    }

    /// The parameter at a position.
    pub(super) fn present(&self, at: usize) -> Var {
        self.params[at].binder.var
    }

    /// The positions of blocks.
    fn positions(&self) -> impl Iterator<Item = usize> {
        (0..self.params.len()).filter(|at| is_mem(&self.params[*at].binder))
    }

    /// For how many iterations the value at a position lives, as far as it is passed on from parameter to parameter; nothing if for
    /// any number.
    fn lives(&self, at: usize, depth: usize) -> Option<usize> {
        if depth > self.params.len() {
            return None;
        }
        let var = self.params[at].binder.var;
        let next = self.positions().filter(|other| self.result(*other) == Some(var));
        next.map(|other| self.lives(other, depth + 1)).try_fold(1, |most, lives| Some(most.max(1 + lives?)))
    }

    /// Whether arms of branches allocate what an iteration makes for the next one.
    fn in_arms(&self, next: &Next) -> bool {
        !next.blocks.iter().all(|block| self.allocs.contains_key(block))
    }

    /// Whether an initial array of the loop is as large as the buffer.
    fn has_room_like(&self, buffer: &Buffer) -> bool {
        self.params.iter().any(|param| is_like(&param.binder.ty, buffer))
    }
}

/// Whether the array is as large as the buffer, cell for cell.
pub(super) fn is_like(ty: &MemType, buffer: &Buffer) -> bool {
    let MemType::Array { shape, elem, lmad, .. } = ty else { return false };
    lmad.offset == Poly::constant(0)
        && is_dense(lmad)
        && elem.bytes() == buffer.elem.bytes()
        && factors(shape) == factors(&buffer.shape)
}

/// Whether the cells of an array lie side by side, in whatever order of its dimensions.
fn is_dense(lmad: &Lmad) -> bool {
    let mut left: Vec<_> = lmad.dims.iter().collect();
    let mut step = Poly::constant(1);
    while let Some(at) = left.iter().rposition(|dim| dim.stride == step || dim.size == Poly::constant(1)) {
        step = step.mul(&left.remove(at).size);
    }
    left.is_empty()
}

/// The factors of a size in order, ones left out.
pub(super) fn factors(shape: &[Atom]) -> Vec<Atom> {
    let mut factors: Vec<Atom> = shape.iter().copied().filter(|atom| *atom != Atom::i64(1)).collect();
    factors.sort_unstable();
    factors
}

impl Buffering<'_> {
    pub(super) fn candidates(&self, repeat: &Loop<'_>) -> Vec<Found> {
        let (mut found, mut taken) = (Vec::new(), RootSet::default());
        // (of rounds before, too)
        let mut large_in_arms = self.swaps.values().any(|swap| {
            !is_small(&swap.buffer) && repeat.params.iter().any(|param| param.binder.var == swap.present)
        });
        for at in repeat.positions() {
            let Some(result) = repeat.result(at) else { continue };
            let next = match repeat.allocs.get(&result) {
                Some((buffer, first)) => Some(Next::of(result, buffer, *first)),
                None => Next::by_branch(repeat, at),
            };
            let candidate = match next {
                Some(next) => self.buffered(repeat, at, result, next),
                None => self.carried(repeat, at, result),
            };
            // (where no arm is taken that allocates, the block is there for nothing)
            let candidate = candidate.filter(|candidate| {
                let large = matches!(candidate, Found::TakeOver { next, .. } if repeat.in_arms(next) && !is_small(&next.buffer));
                !large || !std::mem::replace(&mut large_in_arms, true)
            });
            // (two initial values may be one: then the first alone takes the block over)
            let init = repeat.params[at].init.as_var();
            let roots = init.map_or(RootSet::default(), |init| self.blocks.root_set(init).clone());
            let again = roots.meets(&taken);
            found.extend(match candidate {
                Some(Found::TakeOver { at, next, guarded }) if again => {
                    Some(Found::Rotate { at, next, lives: 1, guarded })
                }
                Some(Found::InPlace { .. } | Found::Carry { .. }) if again => None,
                Some(Found::Rotate { .. }) | None => candidate,
                Some(_) => {
                    taken.take_in(&roots);
                    candidate
                }
            });
        }
        found
    }

    /// An array that goes on as this result of the body.
    fn buffered(&self, repeat: &Loop<'_>, at: usize, result: Var, next: Next) -> Option<Found> {
        let param = &repeat.params[at].binder;
        let is_inside = |var: Var| repeat.bound.contains(&var) || next.bound.contains(&var);
        let buffer = next.buffer.clone();
        let invariant = buffer.shape.iter().all(|size| size.as_var().is_none_or(|var| !is_inside(var)));
        let once = repeat.positions().filter(|other| repeat.result(*other) == Some(result)).count() == 1;
        // What is passed on otherwise than from parameter to parameter may live for ever.
        let others = repeat.positions().filter(|other| *other != at).filter_map(|other| repeat.result(other));
        let traced = others.into_iter().all(|other| {
            let direct = repeat.allocs.contains_key(&other) && !next.blocks.contains(&other)
                || repeat.params.iter().any(|param| param.binder.var == other);
            direct || !next.blocks.iter().any(|block| self.blocks.stands_for(other, *block))
        });
        if !invariant || !once || !traced || param.ty != MemType::Mem(buffer.space) {
            return None;
        }
        let guarded = !repeat.has_room_like(&buffer) && !is_small(&buffer);
        let lives = repeat.lives(at, 0)?;
        let in_place = lives == 1 && self.may_be_made_over(repeat, at, result);
        if in_place && self.takes_over(repeat, at, &buffer) {
            return Some(Found::InPlace { at, next: result, buffer });
        }
        if guarded && !next.first {
            return None;
        }
        // (where no arm is taken that allocates, there would be two large blocks for nothing)
        if repeat.in_arms(&next)
            && !is_small(&buffer)
            && !(lives == 1 && self.takes_over(repeat, at, &buffer))
        {
            return None;
        }
        if in_place {
            return Some(Found::Rotate { at, next, lives: 0, guarded });
        }
        if lives == 1 && self.takes_over(repeat, at, &buffer) {
            return Some(Found::TakeOver { at, next, guarded });
        }
        Some(Found::Rotate { at, next, lives, guarded })
    }

    /// Whether the next value may be made over the present one: a kernel or copy of the loop's own body does so without harm, nothing is
    /// in the new block before, and nothing that may lie in the old one is used after it.
    fn may_be_made_over(&self, repeat: &Loop<'_>, at: usize, next: Var) -> bool {
        let Some(MadeOver { array, .. }) = self.in_place.get(&next) else { return false };
        let binds = |statement: &Statement| statement.pattern.iter().any(|binder| binder.var == *array);
        let param = repeat.params[at].binder.var;
        let (Some(making), Some((_, scope))) = (self.lives.making_of(*array), self.lives.birth(param)) else {
            return false;
        };
        let span = self.lives.scope(scope).span;
        let over = |var: Var| self.lives.last_use(var).is_some_and(|last| last <= making.end);
        // A name of the block, or an array by the name of its block: all that may be the old block is over.
        let fits = |born: Time, var: Var, name: Var| {
            let after = making.start <= born;
            if name == next {
                return var == next || after;
            }
            if after {
                self.blocks.share_only(name, param, next)
            } else {
                over(var) || !self.blocks.may_be_same(name, param)
            }
        };
        let from = self.births.partition_point(|(born, ..)| *born < span.start);
        let mut inside = self.births[from..].iter().take_while(|(born, ..)| *born <= span.end);
        repeat.body.statements.iter().any(binds) && inside.all(|(born, var, name)| fits(*born, *var, *name))
    }

    /// Whether the block of an initial value may become a buffer.
    fn takes_over(&self, repeat: &Loop<'_>, at: usize, buffer: &Buffer) -> bool {
        let param = &repeat.params[at];
        let (Some(init), Some((start, scope))) = (param.init.as_var(), self.lives.birth(param.binder.var))
        else {
            return false;
        };
        let mut inside =
            repeat.params.iter().filter(|other| block(&other.binder.ty) == Some(param.binder.var));
        let fits = inside.any(|array| is_like(&array.binder.ty, buffer));
        let roots = self.blocks.root_set(init);
        // A block that is the initial value itself, and none of an iteration before, is none of what had a name when it was allocated.
        let allocated = matches!(self.blocks.origin(init), Some(Origin::Alloc { .. }));
        let made = self.lives.birth(init).filter(|_| allocated).map_or(0, |(born, _)| born);
        fits && !roots.meets(&self.foreign) && self.ends(roots, param.binder.var, (made, start), scope)
    }

    /// Whether blocks have no use after a time but through a parameter, by any name that they can have by then: a loop, of this scope, begins. From
    /// then on they can get new names only through the parameter. Names that are older than the blocks, which were made at the first of
    /// the times, stand for others.
    fn ends(&self, roots: &RootSet, param: Var, (made, start): (Time, Time), scope: usize) -> bool {
        // Of the names that are there by then, the parameters of this very loop are the last.
        let in_use = self.names_in_use.beyond(start).into_iter();
        let mut later = in_use.filter(|(span, name)| *name != param && span.start >= made);
        if later.any(|(_, name)| self.blocks.root_set(name).meets(roots)) {
            return false;
        }
        let kind = |inner: usize| self.lives.scope(inner).kind;
        let around: Vec<usize> = self.lives.around(scope).skip(1).collect();
        if around.iter().all(|inner| matches!(kind(*inner), ScopeKind::Function | ScopeKind::Branch)) {
            return true;
        }
        // In a loop that a block is outside of, it may come back: only what that loop carries may have changed it by then.
        let mut outside: BTreeMap<usize, RootSet> = BTreeMap::new();
        for number in roots.numbers() {
            let root = self.blocks.root_of_number(number);
            let home = self.lives.birth(root).map_or(0, |(_, scope)| scope);
            let homes: BTreeSet<usize> = self.lives.around(home).collect();
            let between = around.iter().copied().take_while(|inner| !homes.contains(inner));
            let between: Vec<usize> = between.collect();
            if between.iter().any(|inner| matches!(kind(*inner), ScopeKind::Kernel | ScopeKind::Operator)) {
                return false;
            }
            if let Some(outer) = between.into_iter().rfind(|inner| kind(*inner) == ScopeKind::Loop) {
                outside.entry(outer).or_default().take_in(&RootSet::of(number));
            }
        }
        outside.iter().all(|(outer, roots)| {
            let from = self.lives.scope(*outer).span.start;
            let first = self.births.partition_point(|(born, ..)| *born < from);
            let mut inside = self.births[first..].iter().take_while(|(born, ..)| *born <= start);
            inside.all(|(_, _, name)| {
                *name == param || self.carried.contains(name) || !self.blocks.root_set(*name).meets(roots)
            })
        })
    }

    /// A loop that gives the last value of an inner loop with two buffers to its next iteration, from which the inner loop starts.
    fn carried(&self, repeat: &Loop<'_>, at: usize, next: Var) -> Option<Found> {
        let (spare, Swap { present, alloc, buffer, .. }) =
            self.swaps.iter().find(|(_, swap)| swap.last == next)?;
        let var = repeat.params[at].binder.var;
        let starts = |statement: &Statement| match &statement.exp {
            Exp::Loop { params, .. } => {
                params.iter().any(|param| param.binder.var == *present && param.init == Atom::Var(var))
            }
            _ => false,
        };
        let invariant =
            buffer.shape.iter().all(|size| size.as_var().is_none_or(|var| !repeat.bound.contains(&var)));
        let alone = repeat.lives(at, 0) == Some(1);
        let inside = repeat.allocs.contains_key(alloc) && repeat.body.statements.iter().any(starts);
        let modest = repeat.has_room_like(buffer) || is_small(buffer);
        let named = repeat.pattern.get(at).is_some();
        if !(invariant && alone && inside && modest && named && self.takes_over(repeat, at, buffer)) {
            return None;
        }
        Some(Found::Carry { at, swap: *alloc, spare: *spare, buffer: buffer.clone() })
    }
}

/// Whether the buffer is so small that nobody minds if it is not used.
fn is_small(buffer: &Buffer) -> bool {
    let bytes = |elem: PrimType| i64::from(elem.bytes());
    let number = |size: &Atom| size.as_const().and_then(|size| size.as_i64()).filter(|size| *size >= 0);
    let size = buffer.shape.iter().try_fold(bytes(buffer.elem), |size, atom| size.checked_mul(number(atom)?));
    size.is_some_and(|size| size <= 1 << 20)
}
