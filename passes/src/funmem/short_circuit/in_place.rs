//! Kernels and copies that may write over what they read.
//!
//! A map or scan that reads one array and gives another may give it in the block of the first, if nothing else lives there any more, and what
//! each point writes is read by no other point: at the point itself all is read before the result is written. Elements may be of other
//! types, as long as they are as wide. A `copy` in the same layout writes each element where it is, which is to say nothing.

use super::Circuits;
use crate::funmem::blocks::Blocks;
use crate::funmem::interfaces::Interfaces;
use fun::ir::{Atom, Combine};
use fun::visit::{Walk, for_each_body};
use fun_base::name::{NameSource, Var};
use fun_index::certificate::Evidence;
use fun_index::lmad::Lmad;
use fun_index::prove::Findings;
use funmem::ir::{Body, Exp, Function, Mem, MemType, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// By the block that a kernel or copy writes and the one that it reads: the array that it makes there, and why no point disturbs another.
pub type Overwrites = BTreeMap<Var, BTreeMap<Var, (Var, Vec<Evidence>)>>;

/// Of the roots of the blocks that a kernel or copy reads, in order, those that one cares for where it makes the array in the block.
pub type Wanted<'w> = &'w dyn Fn(&BTreeSet<Var>, Var, Var) -> Vec<Var>;

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

/// The kernels and copies of a function that may write over what lies in the block of a loop's parameter, by the block that they write
/// now, each with the block variable of the parameter: the array, and why no point disturbs another.
pub fn overwrites_parameters(
    function: &Function,
    blocks: &Blocks,
    names: &mut NameSource,
    findings: &Findings,
    wanted: &BTreeMap<Var, Var>,
) -> BTreeMap<Var, (Var, Vec<Evidence>)> {
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
            let places: BTreeMap<Var, Lmad> = BTreeMap::from([(binder.var, lmad.clone())]);
            let copied = match &statement.exp {
                Exp::Copy(source) => matches!(
                    circuits.types.get(source),
                    Some(MemType::Array { mem, lmad: old, .. }) if mem == param && old.equivalent(lmad)
                ),
                _ => false,
            };
            if copied || circuits.points_leave_alone(statement, *mem, *param, &places) {
                found.insert(*mem, (binder.var, std::mem::take(&mut circuits.evidence)));
            }
        }
    });
    *names = circuits.names;
    found
}

impl Circuits<'_> {
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
            let MemType::Array { mem, lmad, .. } = &binder.ty else { continue };
            let wanted = wanted(&read, *mem, binder.var);
            for root in wanted.iter().filter(|root| *root != mem) {
                let places: BTreeMap<Var, Lmad> = BTreeMap::from([(binder.var, lmad.clone())]);
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
