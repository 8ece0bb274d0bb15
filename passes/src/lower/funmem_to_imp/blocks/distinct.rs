//! Scatters whose values all have cells of their own: each thread writes its values, and nothing has to be decided.
//!
//! The place of value `i` is one of these:
//! - `i`, a sum of such a place and what is the same for all values, a difference of them, or `i` times a constant other than 0: sums wrap around one to one.
//! - `if c then place else -1`, where such a place would be written, and below 0 nothing is. (Not moved: `-1` need not stay below 0.)
//! - `if flag[i] then s[i] + c else -1`, where `s` is the sum of the flags up to and with `i`: from one flag to the next the sum grows by 1. So filters compute it, and what
//!   people write for them. The flag may be computed again; it is the same where it is computed in the same way.
//!
//! There are fewer values than 2^47, so products of `i` and a constant of 16 bits do not wrap.

use super::super::Lowerer;
use fun::ir::Atom;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use funmem::ir::{Body, Exp, Lambda};
use std::collections::{BTreeMap, BTreeSet};

/// The most statements of the values of a scan that are kept.
const MOST: usize = 40;
/// Constants that a number is multiplied by are less than this.
const SMALL: i64 = 1 << 16;

/// A scan of flags, each counted as 1: its counter, how many there are, what computes one, and the flag.
pub(in super::super) struct CountedFlags {
    counter: Var,
    bound: Atom,
    defined: BTreeMap<Var, Exp>,
    flag: Atom,
}

/// What a body computes, with its branches. (What loops inside compute is none of its numbers.)
fn definitions(body: &Body) -> BTreeMap<Var, Exp> {
    let mut defined = BTreeMap::new();
    for statement in &body.statements {
        if let Exp::If { then, otherwise, .. } = &statement.exp {
            defined.extend(definitions(then));
            defined.extend(definitions(otherwise));
        }
        if let [binder] = &statement.pattern[..] {
            defined.insert(binder.var, statement.exp.clone());
        }
    }
    defined
}

/// The variables that a body binds, with its branches.
fn bound_in(body: &Body, bound: &mut BTreeSet<Var>) {
    for statement in &body.statements {
        bound.extend(statement.pattern.iter().map(|binder| binder.var));
        if let Exp::If { then, otherwise, .. } = &statement.exp {
            bound_in(then, bound);
            bound_in(otherwise, bound);
        }
    }
}

fn number(atom: Atom) -> Option<i64> {
    atom.as_const().and_then(|value| value.as_i64())
}

/// The one number that an arm gives.
fn given(arm: &Body) -> Option<Atom> {
    if let [result] = arm.results[..] { Some(result) } else { None }
}

impl Lowerer {
    /// Takes note of a scan, if it counts flags.
    pub(in super::super) fn note_counted(
        &mut self,
        sums: Var,
        (counter, bound): (Var, Atom),
        op: &Lambda,
        neutral: &[Atom],
        body: &Body,
    ) {
        if body.statements.len() > MOST || crate::fun::single_operators(op) != Some(vec![BinOp::Add]) {
            return;
        }
        let ([zero], [counted]) = (neutral, &body.results[..]) else { return };
        let defined = definitions(body);
        let flag = match counted.as_var().and_then(|var| defined.get(&var)) {
            Some(Exp::Convert { to: PrimType::I64, value: flag, from: PrimType::Bool }) => *flag,
            Some(Exp::If { condition, then, otherwise })
                if given(then).and_then(number) == Some(1)
                    && given(otherwise).and_then(number) == Some(0) =>
            {
                *condition
            }
            _ => return,
        };
        if number(*zero) == Some(0) {
            self.counted.insert(sums, CountedFlags { counter, bound, defined, flag });
        }
    }

    /// Whether the values of a scatter have places that differ, but for those that write nothing.
    pub(super) fn has_own_places(&self, (counter, bound): (Var, Atom), body: &Body) -> bool {
        let mut own = BTreeSet::from([counter]);
        bound_in(body, &mut own);
        let places = Places { lowerer: self, counter, bound, own, defined: definitions(body) };
        body.results.first().is_some_and(|place| places.differ_where_written(*place))
    }
}

/// The places of a scatter.
struct Places<'l> {
    lowerer: &'l Lowerer,
    counter: Var,
    bound: Atom,
    /// What each value has.
    own: BTreeSet<Var>,
    defined: BTreeMap<Var, Exp>,
}

impl Places<'_> {
    fn definition(&self, atom: Atom) -> Option<&Exp> {
        self.defined.get(&atom.as_var()?)
    }

    /// Whether a number is the same for all values.
    fn is_fixed(&self, atom: Atom) -> bool {
        let Some(var) = atom.as_var() else { return true };
        match self.defined.get(&var) {
            Some(Exp::Bin(_, _, x, y)) => self.is_fixed(*x) && self.is_fixed(*y),
            Some(Exp::Atom(x) | Exp::Un(_, _, x) | Exp::Convert { value: x, .. }) => self.is_fixed(*x),
            _ => !self.own.contains(&var),
        }
    }

    /// Whether places differ, but for those below 0.
    fn differ_where_written(&self, place: Atom) -> bool {
        match self.definition(place) {
            Some(Exp::Atom(same)) => self.differ_where_written(*same),
            Some(Exp::If { condition, then, otherwise }) => {
                let (Some(then), Some(otherwise)) = (given(then), given(otherwise)) else { return false };
                let nowhere = number(otherwise).is_some_and(|place| place < 0);
                nowhere && (self.differ_where_written(then) || self.is_count(then, *condition))
            }
            _ => self.differ(place),
        }
    }

    /// Whether the numbers of all values differ.
    fn differ(&self, place: Atom) -> bool {
        if place == Atom::Var(self.counter) {
            return true;
        }
        match self.definition(place) {
            Some(Exp::Atom(same)) => self.differ(*same),
            Some(Exp::Bin(BinOp::Mul, PrimType::I64, x, y)) => {
                let times = |i: Atom, by: Atom| {
                    let small = number(by).is_some_and(|by| by != 0 && by.abs() < SMALL);
                    small && i == Atom::Var(self.counter)
                };
                times(*x, *y) || times(*y, *x)
            }
            _ => self.moved(place).is_some_and(|from| self.differ(from)),
        }
    }

    /// What a number is the sum or difference of, with one that is the same for all values.
    fn moved(&self, place: Atom) -> Option<Atom> {
        match self.definition(place)? {
            Exp::Bin(BinOp::Add | BinOp::Sub, PrimType::I64, x, y) if self.is_fixed(*y) => Some(*x),
            Exp::Bin(BinOp::Add | BinOp::Sub, PrimType::I64, x, y) if self.is_fixed(*x) => Some(*y),
            _ => None,
        }
    }

    /// Whether a number is how many flags there are up to this value, moved, where the condition is its flag.
    fn is_count(&self, place: Atom, condition: Atom) -> bool {
        if let Some(from) = self.moved(place) {
            return self.is_count(from, condition);
        }
        match self.definition(place) {
            Some(Exp::Atom(same)) => self.is_count(*same, condition),
            Some(Exp::Index { array, indices }) if *indices == [Atom::Var(self.counter)] => {
                let counted = self.lowerer.counted.get(array);
                counted.is_some_and(|counted| {
                    counted.bound == self.bound && self.is_same(condition, counted, counted.flag)
                })
            }
            _ => false,
        }
    }

    /// Whether a number is computed here as it is in a scan.
    fn is_same(&self, here: Atom, counted: &CountedFlags, there: Atom) -> bool {
        let same = |here: &Atom, there: &Atom| self.is_same(*here, counted, *there);
        match (self.definition(here), there.as_var().and_then(|var| counted.defined.get(&var))) {
            (None, None) => {
                here == there && self.is_fixed(here)
                    || here == Atom::Var(self.counter) && there == Atom::Var(counted.counter)
            }
            (Some(Exp::Atom(here)), _) => same(here, &there),
            (_, Some(Exp::Atom(there))) => same(&here, there),
            (Some(Exp::Bin(op, ty, x, y)), Some(Exp::Bin(op_there, ty_there, x_there, y_there))) => {
                (op, ty) == (op_there, ty_there) && same(x, x_there) && same(y, y_there)
            }
            (Some(Exp::Un(op, ty, x)), Some(Exp::Un(op_there, ty_there, x_there))) => {
                (op, ty) == (op_there, ty_there) && same(x, x_there)
            }
            (
                Some(Exp::Convert { to, from, value }),
                Some(Exp::Convert { to: to_there, from: from_there, value: there }),
            ) => (to, from) == (to_there, from_there) && same(value, there),
            (
                Some(Exp::Index { array, indices }),
                Some(Exp::Index { array: array_there, indices: indices_there }),
            ) => {
                array == array_there
                    && indices.len() == indices_there.len()
                    && indices.iter().zip(indices_there).all(|(here, there)| same(here, there))
            }
            _ => false,
        }
    }
}
