//! Blocks that change places in an iteration of a parallel loop become parts of one, which can be allocated for many iterations.
//!
//! ```text
//! for i < n par {
//!   alloc a: f32[m]   alloc b: f32[m]
//!   var old: mem = a   var new: mem = b
//!   for t < steps seq {
//!     view xs: f32 @ old -> 0 + {(m : 1)}   view ys: f32 @ new -> 0 + {(m : 1)}
//!     …
//!     var rest: mem = old   old := new   new := rest
//!   }
//!   free new   … free old
//! }
//! ```
//! becomes
//! ```text
//! for i < n par {
//!   alloc pair: f32[2, m]
//!   var at: i64 = 0   var at': i64 = m
//!   for t < steps seq {
//!     let from = at   view xs: f32 @ pair -> from + {(m : 1)}   let from' = at'   view ys: f32 @ pair -> from' + {(m : 1)}
//!     …
//!     var rest: i64 = at   at := at'   at' := rest
//!   }
//!   … free pair
//! }
//! ```
//! No variable holds the block any more, so that it is private (`private.rs`) to what `stack-blocks` and `hoist-blocks` look for. Threads that allocate in each iteration
//! wait for each other.
//!
//! Done for blocks of one type and size that these statements allocate, and free as often, behind the last allocation, and that are otherwise only passed from one such variable to
//! another and seen through views of that type; where the program cannot stop between their allocations. Parts of constant size begin at multiples of 64 bytes, unless
//! they are small.
//!
//! Requires and ensures I1–I9. Cost: linear in the size of the program, times how deep loops nest.

use super::copy::can_fail;
use super::hoist_blocks::may_stop;
use super::private::{allocated, freed};
use crate::classes::Classes;
use fun_base::name::{NameSource, Var};
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::build::mul;
use imp::ir::{Exp, ImpType, LoopKind, Program, Space, Statement, StatementKind, constant_bytes};
use imp::visit::{for_each_statement, names_after};
use std::collections::{BTreeMap, BTreeSet};

/// Parts of so many bytes begin at multiples of [`LINE`].
const ALIGNED_BYTES: i64 = 256;
/// The largest parts of constant size: so that the sum of several is a number.
const MOST_BYTES: i64 = 1 << 40;
/// Bytes of a line of a cache.
const LINE: i64 = 64;

/// Joins the blocks of a program.
pub fn run(mut program: Program) -> Program {
    let mut names = names_after(&program);
    for procedure in &mut program.procedures {
        statements(&mut procedure.body, false, &mut names);
    }
    program
}

fn statements(list: &mut Vec<Statement>, parallel: bool, names: &mut NameSource) {
    for statement in &mut *list {
        let parallel = parallel
            || matches!(statement.kind, StatementKind::For { kind: LoopKind::Par | LoopKind::Simd, .. });
        statement.kind.for_each_body_mut(&mut |body| statements(body, parallel, names));
    }
    if parallel {
        for blocks in groups(list) {
            if let Some(group) = Group::of(list, &blocks) {
                group.join(list, names);
            }
        }
    }
}

/// The blocks that these statements allocate, by what variables hold them in turn; without those of which something else is made.
fn groups(list: &[Statement]) -> Vec<BTreeSet<Var>> {
    let mut own: BTreeSet<Var> = list.iter().filter_map(allocated).collect();
    let holder = |statement: &Statement| match &statement.kind {
        StatementKind::Declare { var, ty: ImpType::Mem(Space::Default), .. } => Some(*var),
        _ => None,
    };
    if own.len() < 2 || !list.iter().any(|statement| holder(statement).is_some()) {
        return Vec::new();
    }
    for_each_statement(list, &mut |statement| own.extend(holder(statement)));
    let mut names = Classes::default();
    let mut others = BTreeSet::new();
    for_each_statement(list, &mut |statement| match &statement.kind {
        StatementKind::Declare { var, value: Some(Exp::Var(value)), .. }
        | StatementKind::Assign { var, value: Exp::Var(value) }
            if own.contains(var) && own.contains(value) =>
        {
            names.unite(*var, *value);
        }
        StatementKind::Alloc { .. } | StatementKind::View { .. } | StatementKind::Free(_) => {}
        // (a variable that is declared here may hold nothing, or a block from elsewhere)
        kind => {
            kind.for_each_use(&mut |var| _ = others.insert(var));
            others.extend(kind.declares());
        }
    });
    let mut groups: BTreeMap<Var, BTreeSet<Var>> = BTreeMap::new();
    for var in &own {
        groups.entry(names.class(*var)).or_default().insert(*var);
    }
    groups.into_values().filter(|group| group.is_disjoint(&others)).collect()
}

/// Blocks that may be joined.
struct Group<'g> {
    /// They, and the variables that hold them.
    vars: &'g BTreeSet<Var>,
    blocks: Vec<Var>,
    elem: PrimType,
    shape: Vec<Exp>,
}

impl Group<'_> {
    /// A group of variables among these statements, if its blocks may be joined.
    fn of<'g>(list: &[Statement], vars: &'g BTreeSet<Var>) -> Option<Group<'g>> {
        let mut group = Group { vars, blocks: Vec::new(), elem: PrimType::Unit, shape: Vec::new() };
        let (mut stops, mut is_given_back) = (false, false);
        for statement in list {
            if let Some(block) = allocated(statement).filter(|block| vars.contains(block))
                && let StatementKind::Alloc { elem, shape, .. } = &statement.kind
            {
                if group.blocks.is_empty() {
                    (group.elem, group.shape, stops) = (*elem, shape.clone(), false);
                }
                if (*elem, shape) != (group.elem, &group.shape) || stops || is_given_back {
                    return None;
                }
                group.blocks.push(block);
            }
            stops |= may_stop(statement);
            statement.kind.for_each_exp(&mut |exp| stops |= can_fail(exp));
            is_given_back |= freed(statement).is_some_and(|var| vars.contains(&var));
        }
        // places in a block are counted in elements
        let mut of_one_type = true;
        for_each_statement(list, &mut |statement| {
            if let StatementKind::View { elem, mem, .. } = &statement.kind {
                of_one_type &= *elem == group.elem || !vars.contains(mem);
            }
        });
        let is_freed = |statement: &Statement| freed(statement).is_some_and(|var| vars.contains(&var));
        let freed_here = list.iter().filter(|statement| is_freed(statement)).count();
        let mut freed_at_all = 0;
        for_each_statement(list, &mut |statement| freed_at_all += usize::from(is_freed(statement)));
        let mut changing = BTreeSet::new();
        for_each_statement(list, &mut |statement| match &statement.kind {
            StatementKind::Assign { var, .. } => _ = changing.insert(*var),
            StatementKind::Call { results, .. } => changing.extend(results),
            _ => {}
        });
        let fixed = |size: &Exp| match size {
            Exp::Const(_) => true,
            Exp::Var(var) => !changing.contains(var),
            _ => false,
        };
        let freed = freed_here == freed_at_all && freed_here == group.blocks.len();
        let fits = constant_bytes(group.elem, &group.shape).is_none_or(|bytes| bytes <= MOST_BYTES);
        (group.blocks.len() > 1 && of_one_type && freed && fits && group.shape.iter().all(fixed))
            .then_some(group)
    }

    fn join(&self, list: &mut Vec<Statement>, names: &mut NameSource) {
        let pair = names.fresh("pair_mem");
        let count = self.blocks.len() as i64;
        // elements from one part to the next, where that is known
        let known = constant_bytes(self.elem, &self.shape).map(|bytes| {
            let bytes = if bytes < ALIGNED_BYTES { bytes } else { (bytes + LINE - 1) / LINE * LINE };
            bytes / i64::from(self.elem.bytes()).max(1)
        });
        let part = names.fresh("part");
        let distance = |times: i64| match known {
            Some(part) => (Exp::i64(times * part), Poly::constant(times * part)),
            None if times < 2 => {
                let start = if times == 0 { Exp::i64(0) } else { Exp::Var(part) };
                (start, Poly::var(part).scale(times))
            }
            None => (mul(part, Exp::i64(times)), Poly::var(part).scale(times)),
        };
        let mut places: BTreeMap<Var, Place> = BTreeMap::new();
        for (block, times) in self.blocks.iter().zip(0..) {
            let (start, poly) = distance(times);
            places.insert(*block, Place::Start(start, poly));
        }
        for var in self.vars {
            places.entry(*var).or_insert_with(|| Place::Held(names.fresh("at")));
        }
        let mut done = Vec::with_capacity(list.len() + 1);
        let mut left = count;
        for mut statement in std::mem::take(list) {
            let loc = statement.loc;
            match &statement.kind {
                StatementKind::Alloc { var, .. } if *var == self.blocks[0] => {
                    let shape = match known {
                        Some(part) => vec![Exp::i64(count * part)],
                        None => std::iter::once(Exp::i64(count)).chain(self.shape.iter().cloned()).collect(),
                    };
                    if known.is_none() {
                        let value = self.shape.iter().cloned().reduce(mul).unwrap_or(Exp::i64(1));
                        done.push(Statement {
                            kind: StatementKind::Let { var: part, ty: PrimType::I64, value },
                            loc,
                        });
                    }
                    let space = Space::Default;
                    statement.kind = StatementKind::Alloc { var: pair, elem: self.elem, shape, space };
                    done.push(statement);
                }
                StatementKind::Alloc { var, .. } if self.vars.contains(var) => {}
                StatementKind::Free(var) if self.vars.contains(var) => {
                    left -= 1;
                    if left == 0 {
                        done.push(Statement { kind: StatementKind::Free(pair), loc });
                    }
                }
                _ => replace(statement, pair, &places, names, &mut done),
            }
        }
        *list = done;
    }
}

/// Where in the joined block what a variable named is.
enum Place {
    /// What was a block of its own begins here.
    Start(Exp, Poly),
    /// What was held in turn begins where this variable says.
    Held(Var),
}

impl Place {
    fn exp(&self) -> Exp {
        match self {
            Place::Start(start, _) => start.clone(),
            Place::Held(at) => Exp::Var(*at),
        }
    }
}

/// Puts places in the block `pair` for blocks and what holds them, in a statement and those inside of it.
fn replace(
    mut statement: Statement,
    pair: Var,
    places: &BTreeMap<Var, Place>,
    names: &mut NameSource,
    done: &mut Vec<Statement>,
) {
    let place = |var: &Var| places.get(var).map_or(Exp::Var(*var), Place::exp);
    match &mut statement.kind {
        StatementKind::Declare { var, ty, value } if let Some(Place::Held(at)) = places.get(var) => {
            (*var, *ty) = (*at, ImpType::Prim(PrimType::I64));
            if let Some(Exp::Var(held)) = value {
                *value = Some(place(held));
            }
        }
        StatementKind::Assign { var, value: Exp::Var(held) }
            if let Some(Place::Held(at)) = places.get(var) =>
        {
            statement.kind = StatementKind::Assign { var: *at, value: place(held) };
        }
        StatementKind::View { mem, lmad, .. } if let Some(place) = places.get(mem) => {
            let start = match place {
                Place::Start(_, start) => start.clone(),
                // (as it is here)
                Place::Held(at) => {
                    let from = names.fresh("from");
                    let kind = StatementKind::Let { var: from, ty: PrimType::I64, value: Exp::Var(*at) };
                    done.push(Statement { kind, loc: statement.loc });
                    Poly::var(from)
                }
            };
            *mem = pair;
            *lmad = Lmad { offset: lmad.offset.add(&start), ..lmad.clone() };
        }
        kind => kind.for_each_body_mut(&mut |body| {
            let mut inner = Vec::with_capacity(body.len());
            for statement in std::mem::take(body) {
                replace(statement, pair, places, names, &mut inner);
            }
            *body = inner;
        }),
    }
    done.push(statement);
}
