//! Kernels and copies that may write over what they read.
//!
//! A map or scan that reads one array and gives another may give it in the block of the first, if nothing else lives there any more, and what
//! each point writes is read by no other point: at the point itself all is read before the result is written. Elements may be of other
//! types, as long as they are as wide. A `copy` in the same layout writes each element where it is, which is to say nothing. The parts of
//! a `concat` that come from the block move within it, as long as none is read where another one has been put before.

use super::Circuits;
use super::accesses::Region;
use crate::funmem::blocks::Blocks;
use crate::funmem::interfaces::Interfaces;
use fun::ir::{Atom, Combine};
use fun::visit::{Walk, for_each_body};
use fun_base::name::{NameSource, Var};
use fun_index::certificate::Evidence;
use fun_index::lmad::Lmad;
use fun_index::prove::Findings;
use funmem::ir::{Binder, Body, Exp, Function, Mem, MemType, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// By the block that a kernel or copy writes and the one that it reads: the array that it makes there, and why no point disturbs another.
pub type Overwrites = BTreeMap<Var, BTreeMap<Var, (Var, Vec<Evidence>)>>;

/// Of the roots of the blocks that a kernel or copy reads, in order, those that one cares for where it makes the array in the block.
pub type Wanted<'w> = &'w dyn Fn(&BTreeSet<Var>, Var, Var) -> Vec<Var>;

/// An array that may be made over what it is made from.
pub struct MadeOver {
    /// The array.
    pub array: Var,
    /// How, if it is a concatenation.
    pub moving: Option<Moving>,
    /// Why no point, or no part, disturbs another.
    pub evidence: Vec<Evidence>,
}

/// A concatenation over what some of its parts come from.
pub struct Moving {
    /// An array that lies where it will.
    pub old: Binder,
    /// The parts in order.
    pub parts: Vec<Part>,
}

/// A part of a concatenation.
pub struct Part {
    /// The array.
    pub array: Var,
    /// Its first size.
    pub rows: Atom,
    /// Whether it comes from the block that it goes to.
    pub moves: bool,
}

/// The kernels and copies of a function that may write over a block that they read. Both blocks are roots.
pub fn overwrites(
    function: &Function,
    blocks: &Blocks,
    names: &mut NameSource,
    findings: &Findings,
    wanted: Wanted<'_>,
) -> Overwrites {
    // (a call is taken to write to every block that it is given)
    let interfaces = Interfaces::default();
    let mut circuits = Circuits::new(function, blocks, &interfaces, std::mem::take(names), findings);
    let mut found = Overwrites::new();
    circuits.find_in(&function.body, wanted, &mut found);
    *names = circuits.names;
    found
}

/// The kernels, copies and concatenations of a function that may write over what lies in the block of a loop's parameter, by the block
/// that they write now; `wanted` has the block variable of the parameter for each such block.
pub fn overwrites_parameters(
    function: &Function,
    blocks: &Blocks,
    names: &mut NameSource,
    findings: &Findings,
    wanted: &BTreeMap<Var, Var>,
) -> BTreeMap<Var, MadeOver> {
    let mut found = BTreeMap::new();
    if wanted.is_empty() {
        return found;
    }
    // (a call is taken to write to every block that it is given)
    let interfaces = Interfaces::default();
    let mut circuits = Circuits::new(function, blocks, &interfaces, std::mem::take(names), findings);
    circuits.each_statement(&function.body, &mut |circuits, statement| {
        for binder in &statement.pattern {
            let MemType::Array { mem, lmad, .. } = &binder.ty else { continue };
            let Some(param) = wanted.get(mem) else { continue };
            circuits.evidence.clear();
            let places = places_in(statement, *mem);
            let mut moving = None;
            let fits = match &statement.exp {
                Exp::Copy(source) => matches!(
                    circuits.types.get(source),
                    Some(MemType::Array { mem, lmad: old, .. }) if mem == param && old.equivalent(lmad)
                ),
                Exp::Concat { arrays, .. } => {
                    moving = circuits.parts_move(binder, arrays, *param);
                    moving.is_some()
                }
                _ => circuits.points_leave_alone(statement, *mem, *param, &places),
            };
            if fits {
                let evidence = std::mem::take(&mut circuits.evidence);
                found.insert(*mem, MadeOver { array: binder.var, moving, evidence });
            }
        }
    });
    *names = circuits.names;
    found
}

impl Circuits<'_> {
    /// How a concatenation is made in the target's block, from which some of its parts come: each of these lies there without gaps, as it
    /// will (a copy over itself, I7 of IMP), and none of them before it goes where it is read. The others are few rows: what is large
    /// is better built where it goes, in a block that nothing moves in.
    fn parts_move(&mut self, made: &Binder, arrays: &[Var], target: Var) -> Option<Moving> {
        let MemType::Array { lmad, .. } = &made.ty else { return None };
        let dense = |lmad: &Lmad| lmad.equivalent(&Lmad::row_major(lmad.offset.clone(), &lmad.sizes()));
        let (mut parts, mut moved): (Vec<Part>, Vec<Lmad>) = (Vec::new(), Vec::new());
        for (array, there) in self.parts(arrays, lmad)? {
            let Some(MemType::Array { mem, shape, lmad: here, .. }) = self.types.get(&array) else {
                return None;
            };
            let (rows, moves) = (shape[0], self.may_meet(*mem, target));
            parts.push(Part { array, rows, moves });
            if !moves {
                rows.as_const()?;
                continue;
            }
            if *mem != target || !dense(here) || !dense(&there) {
                return None;
            }
            let region = Region { lmad: here.clone(), array, loc: None };
            if !moved.iter().all(|before| self.disjoint(&region, before, &[])) {
                return None;
            }
            if !region.lmad.equivalent(&there) {
                moved.push(there);
            }
        }
        let old = self.predecessor(made, target)?;
        parts.iter().any(|part| part.moves).then_some(Moving { old, parts })
    }

    /// An array that is there before the other one is made, of its shape and in the same place of this block.
    fn predecessor(&self, made: &Binder, block: Var) -> Option<Binder> {
        let MemType::Array { shape, lmad, .. } = &made.ty else { return None };
        let before = |var: &Var| self.order.get(var) < self.order.get(&made.var);
        let alike = |ty: &MemType| match ty {
            MemType::Array { shape: other, lmad: old, .. } => other == shape && old.equivalent(lmad),
            MemType::Prim(_) | MemType::Mem(_) => false,
        };
        let binders = self.residents.get(&block)?.iter().filter(|var| before(var));
        let mut binders =
            binders.filter_map(|var| Some(Binder { var: *var, ty: self.types.get(var)?.clone() }));
        binders.find(|binder| alike(&binder.ty))
    }

    fn find_in(&mut self, body: &Body, wanted: Wanted<'_>, found: &mut Overwrites) {
        self.each_statement(body, &mut |circuits, statement| circuits.find_at(statement, wanted, found));
    }

    /// Calls the function for each statement, where what is known before it is known.
    fn each_statement(&mut self, body: &Body, f: &mut dyn FnMut(&mut Self, &Statement)) {
        let start = self.facts.mark();
        for statement in &body.statements {
            f(self, statement);
            let mark = self.facts.mark();
            match &statement.exp {
                Exp::If { condition, then, otherwise } => {
                    for (arm, taken) in [(then, true), (otherwise, false)] {
                        self.facts.branch(*condition, taken);
                        self.each_statement(arm, f);
                        self.facts.reset(mark);
                    }
                }
                Exp::Loop { params, form, body } => {
                    params.iter().for_each(|param| self.facts.bind(&param.binder));
                    self.facts.loop_form(form);
                    self.each_statement(body, f);
                }
                Exp::Kernel { space, body, .. } => {
                    space.iter().for_each(|(counter, bound)| self.facts.counter(*counter, *bound));
                    self.each_statement(body, f);
                }
                _ => {}
            }
            self.facts.reset(mark);
            self.facts.statement(statement);
        }
        self.facts.reset(start);
    }

    fn find_at(&mut self, statement: &Statement, wanted: Wanted<'_>, found: &mut Overwrites) {
        if let (Exp::Copy(source), [binder]) = (&statement.exp, statement.pattern.as_slice())
            && let Some(MemType::Array { mem: from, lmad: old, .. }) = self.types.get(source)
            && let MemType::Array { mem, lmad, .. } = &binder.ty
            && let (Some(read), Some(written)) = (self.blocks.only_root(*from), self.blocks.only_root(*mem))
            && lmad.equivalent(old)
            && !wanted(&BTreeSet::from([*from]), written, binder.var).is_empty()
        {
            found.entry(written).or_default().insert(read, (binder.var, Vec::new()));
        }
        let Exp::Kernel { combine: Combine::Map | Combine::Scan { .. }, body, .. } = &statement.exp else {
            return;
        };
        let mut read = Blocked { circuits: self, mems: BTreeSet::new() };
        for_each_body(&statement.exp, &mut |inner| read.body(inner));
        body.results.iter().for_each(|result| Walk::<Mem>::atom(&mut read, result));
        let read = read.mems;
        for binder in &statement.pattern {
            let MemType::Array { mem, .. } = &binder.ty else { continue };
            let wanted = wanted(&read, *mem, binder.var);
            for root in wanted.iter().filter(|root| *root != mem) {
                let places = places_in(statement, *mem);
                self.evidence.clear();
                if self.blocks.only_root(*mem).is_some()
                    && self.points_leave_alone(statement, *mem, *root, &places)
                {
                    let evidence = std::mem::take(&mut self.evidence);
                    found.entry(*mem).or_default().insert(*root, (binder.var, evidence));
                }
            }
        }
    }
}

/// Where the arrays lie that a statement makes in a block: all of them go where one goes.
fn places_in(statement: &Statement, block: Var) -> BTreeMap<Var, Lmad> {
    let in_block = |binder: &Binder| match &binder.ty {
        MemType::Array { mem, lmad, .. } if *mem == block => Some((binder.var, lmad.clone())),
        _ => None,
    };
    statement.pattern.iter().filter_map(in_block).collect()
}

/// Collects the blocks that the arrays mentioned lie in, by their names.
struct Blocked<'c, 'b> {
    circuits: &'c Circuits<'b>,
    mems: BTreeSet<Var>,
}

impl Walk<Mem> for Blocked<'_, '_> {
    fn atom(&mut self, atom: &Atom) {
        if let Some(MemType::Array { mem, .. }) = atom.as_var().and_then(|var| self.circuits.types.get(&var))
        {
            self.mems.insert(*mem);
        }
    }
    fn ty(&mut self, _: &MemType) {}
}
