//! Through branches: the arms of an `if` build its result where it would be copied to.
//!
//! ```text
//! let (if_mem: mem) (a: [m]f32 @ if_mem -> 0 + {(m : 1)}) = if c {
//!   let (b_mem: mem) = alloc [m] f32
//!   let (b: [m]f32 @ b_mem -> 0 + {(m : 1)}) = kernel (i < m) { … }
//!   in (b_mem, b)
//! } else {
//!   in (x_mem, x)
//! }
//! let (ys: [n][m]f32 @ xs_mem -> 0 + {(n : m)(m : 1)}) = update xs[k, 0 : m : 1] a
//! ```
//! becomes
//! ```text
//! let (a: [m]f32 @ xs_mem -> k*m + {(m : 1)}) = if c {
//!   let (b: [m]f32 @ xs_mem -> k*m + {(m : 1)}) = kernel (i < m) { … }
//!   in (b)
//! } else {
//!   let (x': [m]f32 @ xs_mem -> k*m + {(m : 1)}) = copy x
//!   in (x')
//! }
//! let (ys: [n][m]f32 @ xs_mem -> 0 + {(n : m)(m : 1)}) = update xs[k, 0 : m : 1] a
//! ```
//! Each path had one copy, at the circuit point, and has one or none: where no arm saves its copy, nothing is changed.
//!
//! # When
//! The `if` gives the array `a` together with its block, and nothing else lies there but what is derived from `a` or changes it.
//! 1. From the end of the `if` to the circuit point the conditions of `super` hold, as if `a` were made there: a single use of the block
//!    at the circuit point, the target in scope before the `if`, nothing that meets it after the `if`, and no statement that may stop
//!    the program if the target is known to exist only at the circuit point. So what an arm leaves at the target comes through.
//! 2. In each arm the end of the arm is the circuit point: with condition and branch known, what the arm made is built in the target if
//!    all conditions hold there. This descends into the `if`s at the ends of arms.
//! 3. An arm may also give what was made before the `if`. This block moves if the conditions hold from its first write to the end of the
//!    `if`, and no arm gives another array that lies in the target's block: at the beginning of the `if` both would be there.
//!    Such blocks come first, since they are allocated on each path.
//! 4. An arm that does neither copies to the target at its end. Its array must not lie across the target.
//!
//! The block then is no result of the `if` any more, nor of its arms.

use super::accesses::Region;
use super::candidate::{Circuit, Mentions};
use super::rebase::Definition;
use super::refusal::Reason;
use super::{Circuits, Target};
use crate::funmem::blocks::{block, is_mem};
use fun::ir::Atom;
use fun::visit::Walk;
use fun_base::name::Var;
use fun_index::certificate::Evidence;
use funmem::ir::{Binder, Body, Exp, MemType, Statement};

/// A result of an `if` that has its block along.
#[derive(Clone, Copy)]
struct Joined {
    /// Which statement the `if` is.
    at: usize,
    /// Which result the block is.
    mem: usize,
    /// Which result the array is.
    array: usize,
}

/// The arms of a statement; none if it is no `if`.
fn arms(statement: &Statement) -> impl Iterator<Item = &Body> {
    let arms = match &statement.exp {
        Exp::If { then, otherwise, .. } => vec![then, otherwise],
        _ => Vec::new(),
    };
    arms.into_iter()
}

impl Circuits<'_> {
    /// Has the arms of an `if` build the value at its target, or copy it there, if that saves a copy.
    pub(super) fn through_if(&mut self, body: &mut Body, own: Var, circuit: &Circuit) -> Result<(), Reason> {
        let Circuit { end, value, target, shown } = circuit;
        let joined = self.joined(body, own, circuit)?;
        let Joined { at, mem, array } = joined;
        let window = &body.statements[at..*end];
        self.evidence.clear();
        self.in_time(window, target)?;
        let a = window[0].pattern[array].var;
        let mut made = vec![(a, Definition::Fresh)];
        made.append(&mut self.definitions(&window[1..], own));
        let places = self.places(&made, *value, target)?;
        let lmad = places.get(&a).cloned().ok_or(Reason::OtherLayout)?;
        let inner = Target { lmad, part_of: None, ..target.clone() };
        self.in_time(window, &inner)?;
        self.leave_alone(&window[1..], own, target, &places)?;
        let results: Vec<[Atom; 2]> =
            arms(&body.statements[at]).map(|arm| [arm.results[mem], arm.results[array]]).collect();
        if !results.iter().all(|[_, result]| self.may_copy(*result, a, &inner)) {
            return Err(Reason::SameBlock);
        }
        let shown: Vec<Evidence> = shown.iter().cloned().chain(std::mem::take(&mut self.evidence)).collect();
        // The arms will not give blocks any more.
        let blocks: Vec<Var> = results.iter().filter_map(|[block, _]| block.as_var()).collect();
        blocks.iter().for_each(|block| *self.uses.entry(*block).or_default() -= 1);
        for [_, result] in &results {
            self.made_before(body, joined, *result, &inner, &shown);
        }
        if let Err(reason) = self.in_arms(&mut body.statements[at], joined, &inner, &shown) {
            blocks.iter().for_each(|block| *self.uses.entry(*block).or_default() += 1);
            return Err(reason);
        }
        let statement = &mut body.statements[at];
        statement.pattern.remove(mem);
        if let Exp::If { then, otherwise, .. } = &mut statement.exp {
            then.results.remove(mem);
            otherwise.results.remove(mem);
        }
        self.settle(places, target.mem);
        self.residents.remove(&own);
        body.statements[at..*end].iter_mut().for_each(|statement| self.retype(statement));
        Ok(())
    }

    /// The `if` that the block comes from, if only one array comes along with it, and the circuit point uses it last.
    fn joined(&self, body: &Body, own: Var, circuit: &Circuit) -> Result<Joined, Reason> {
        if circuit.target.lmad.injective() == Some(false) {
            return Err(Reason::Repeats);
        }
        if self.is_passed(own) {
            return Err(Reason::PassedOn);
        }
        let (at, last) = self.first_write(body, own, circuit.end, circuit.value)?;
        if last > circuit.end {
            return Err(Reason::UsedElsewhere);
        }
        let statement = &body.statements[at];
        let mem = statement.pattern.iter().position(|binder| binder.var == own && is_mem(binder));
        let mut arrays =
            (0..statement.pattern.len()).filter(|k| block(&statement.pattern[*k].ty) == Some(own));
        match (mem, arrays.next(), arrays.next()) {
            (Some(mem), Some(array), None) if arms(statement).next().is_some() => {
                Ok(Joined { at, mem, array })
            }
            _ => Err(Reason::OfBranchOrLoop),
        }
    }

    /// Whether what an arm gives for `a` may be copied to the target: it is as large by the same names, and somewhere else or there
    /// already.
    fn may_copy(&mut self, array: Atom, a: Var, target: &Target) -> bool {
        let Some(array) = array.as_var() else { return false };
        let (Some(MemType::Array { shape, mem, lmad, .. }), Some(MemType::Array { shape: whole, .. })) =
            (self.types.get(&array), self.types.get(&a))
        else {
            return false;
        };
        if shape != whole {
            return false;
        }
        let (mem, region) = (*mem, Region { lmad: lmad.clone(), array, loc: None });
        !self.may_meet(mem, target.mem)
            || mem == target.mem
                && (region.lmad.equivalent(&target.lmad) || self.disjoint(&region, &target.lmad, &[]))
    }

    /// Whether the array lies at the target.
    fn is_there(&self, array: Var, target: &Target) -> bool {
        let ty = self.types.get(&array);
        matches!(ty, Some(MemType::Array { mem, lmad, .. }) if *mem == target.mem && lmad.equivalent(&target.lmad))
    }

    /// Builds what an arm gives at the target if it is made before the `if`.
    fn made_before(
        &mut self,
        body: &mut Body,
        joined: Joined,
        result: Atom,
        target: &Target,
        shown: &[Evidence],
    ) {
        let Some(value) = result.as_var() else { return };
        let Some(own) = self.types.get(&value).and_then(block) else { return };
        let Some(first) = self.first_before(body, own, joined.at) else { return };
        let fits = |other: Atom| {
            let mem = other.as_var().and_then(|var| self.types.get(&var)).and_then(block);
            // the one array, if it is of the same block
            mem.is_some_and(|mem| if mem == own { other == result } else { !self.may_meet(mem, target.mem) })
        };
        let alone = arms(&body.statements[joined.at]).all(|arm| fits(arm.results[joined.array]));
        if alone && self.may_move(own, target).is_ok() {
            let circuit =
                Circuit { end: joined.at + 1, value, target: target.clone(), shown: shown.to_vec() };
            // If not, the arm copies it.
            let _ = self.build(body, first..circuit.end, &circuit);
        }
    }

    /// The statement that first writes to the block, if that is before the `if`, and all uses are there or in the `if`.
    fn first_before(&self, body: &Body, own: Var, at: usize) -> Option<usize> {
        let residents = self.residents.get(&own)?;
        let (mut mentions, mut first) = (Mentions::default(), at + 1);
        while !residents.is_subset(&mentions.bound) {
            first = first.checked_sub(1)?;
            mentions.statement(&body.statements[first]);
        }
        let all_here = residents.iter().all(|var| mentions.uses.get(var) == self.uses.get(var));
        (first < at && all_here).then_some(first)
    }

    /// Has each arm build its result at the target, or else copy it there; nothing changes if all had to copy.
    fn in_arms(
        &mut self,
        statement: &mut Statement,
        joined: Joined,
        target: &Target,
        shown: &[Evidence],
    ) -> Result<(), Reason> {
        let (ty, loc) = (statement.pattern[joined.array].ty.clone(), statement.loc);
        let Exp::If { condition, then, otherwise } = &mut statement.exp else {
            return Err(Reason::OfBranchOrLoop);
        };
        let MemType::Array { shape, elem, .. } = ty else { return Err(Reason::Scalar) };
        let mut to_copy: Vec<(&mut Body, Circuit, Reason)> = Vec::new();
        for (arm, taken) in [(then, true), (otherwise, false)] {
            let value = arm.results[joined.array].as_var().ok_or(Reason::Scalar)?;
            if self.is_there(value, target) {
                continue;
            }
            let mark = self.facts.mark();
            self.facts.branch(*condition, taken);
            arm.statements.iter().for_each(|statement| self.facts.statement(statement));
            let (end, target) = (arm.statements.len(), target.clone());
            let circuit = Circuit { end, value, target, shown: shown.to_vec() };
            let built = self.build_there(arm, &circuit);
            self.facts.reset(mark);
            // (what is in another order now stands in the arm, where nothing else is asked)
            self.reordered = None;
            if let Err(reason) = built {
                let reason = self.with_met(reason);
                to_copy.push((arm, circuit, reason));
            }
        }
        if to_copy.len() == 2 {
            return to_copy.pop().map_or(Ok(()), |(_, _, reason)| Err(reason));
        }
        for (arm, circuit, reason) in to_copy {
            let var = self.names.fresh_like(circuit.value);
            let (mem, lmad) = (target.mem, target.lmad.clone());
            let ty = MemType::Array { shape: shape.clone(), elem, mem, lmad };
            self.types.insert(var, ty.clone());
            self.uses.insert(var, 1);
            self.residents.entry(mem).or_default().insert(var);
            let exp = Exp::Copy(circuit.value);
            arm.statements.push(Statement { pattern: vec![Binder { var, ty }], exp, loc });
            arm.results[joined.array] = Atom::Var(var);
            self.refuse(arm, &circuit, reason);
        }
        Ok(())
    }
}
