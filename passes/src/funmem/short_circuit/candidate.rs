//! Whether an array may be built at its circuit point's place, and doing so.

use super::accesses::Region;
use super::probe::meet;
use super::rebase::{Definition, moved};
use super::refusal::{Met, Reason};
use super::{Circuits, Target};
use crate::funmem::blocks::{Origin, block};
use fun::ir::Atom;
use fun::visit::{Walk, for_each_body_mut};
use fun_base::name::Var;
use fun_index::certificate::{Certificate, Decision, Evidence};
use fun_index::lmad::{Lmad, LmadDim};
use fun_index::poly::Poly;
use fun_index::prove::{Answer, Facts, contained, disjoint};
use funmem::ir::{Binder, Body, Exp, Mem, MemType, Space, Statement};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A copy that may not be needed.
#[derive(Clone, Debug)]
pub(super) struct Circuit {
    /// The statement that copies; the number of statements, if it is the end of a kernel's body.
    pub(super) end: usize,
    /// What is copied.
    pub(super) value: Var,
    /// Where to.
    pub(super) target: Target,
    /// What was shown of the statements behind the end.
    pub(super) shown: Vec<Evidence>,
}

/// The LMAD with definitions put in for variables, modulo 2^64.
pub(super) fn with_definitions(facts: &Facts, lmad: &Lmad) -> Lmad {
    let dim = |dim: &LmadDim| LmadDim { size: facts.expand(&dim.size), stride: facts.expand(&dim.stride) };
    Lmad { offset: facts.expand(&lmad.offset), dims: lmad.dims.iter().map(dim).collect() }
}

/// Whether the checker of FUNMEM follows what the polynomial is computed by.
pub(super) fn is_plain(poly: &Poly) -> bool {
    poly.terms().count() <= 4 && poly.terms().all(|(vars, _)| vars.len() <= 4)
}

/// Counts uses as atoms, and finds what is bound.
#[derive(Default)]
pub(super) struct Mentions {
    pub(super) uses: BTreeMap<Var, usize>,
    pub(super) bound: BTreeSet<Var>,
}

impl Walk<Mem> for Mentions {
    fn atom(&mut self, atom: &Atom) {
        if let Atom::Var(var) = atom {
            *self.uses.entry(*var).or_default() += 1;
        }
    }
    fn bind(&mut self, var: Var, _: Option<&MemType>) {
        self.bound.insert(var);
    }
    fn ty(&mut self, _: &MemType) {}
}

impl Circuits<'_> {
    /// Builds the value at its target, if it may.
    pub(super) fn try_circuit(&mut self, body: &mut Body, circuit: &Circuit) {
        if let Err(reason) = self.build_there(body, circuit) {
            self.refuse(body, circuit, reason);
        }
    }

    /// Builds the value at its target, or says why not.
    pub(super) fn build_there(&mut self, body: &mut Body, circuit: &Circuit) -> Result<(), Reason> {
        let Circuit { end, value, target, .. } = circuit;
        let own = self.types.get(value).and_then(block).ok_or(Reason::Scalar)?;
        self.other_parts_stay(body.statements.get(*end), *value, target)?;
        match self.may_move(own, target) {
            Err(Reason::OfBranchOrLoop) => self.through_if(body, own, circuit),
            Err(reason) => Err(reason),
            Ok(()) => {
                let (first, last) = self.first_write(body, own, *end, *value)?;
                match self.build(body, first..last, circuit) {
                    Err(reason) => self.build_in_other_order(body, own, first..last, circuit).ok_or(reason),
                    Ok(()) => Ok(()),
                }
            }
        }
    }

    /// No other part of the concatenation at the end is read in the target's block, unless it is where it goes: it would be read after
    /// the value was put there.
    fn other_parts_stay(&self, end: Option<&Statement>, value: Var, target: &Target) -> Result<(), Reason> {
        let Some(Statement { exp: Exp::Concat { arrays, .. }, pattern, loc }) = end else { return Ok(()) };
        let [Binder { ty: MemType::Array { lmad, .. }, .. }] = pattern.as_slice() else { return Ok(()) };
        let places = self.parts(arrays, lmad).unwrap_or_default();
        let stays = |(part, there): &(Var, Lmad)| match self.types.get(part) {
            Some(MemType::Array { mem, lmad, .. }) => {
                !self.may_meet(*mem, target.mem) || *mem == target.mem && lmad.equivalent(there)
            }
            _ => true,
        };
        match places.iter().filter(|(part, _)| *part != value).all(stays) {
            true => Ok(()),
            false => Err(Reason::PartMoves { loc: *loc }),
        }
    }

    /// The block must be this function's own, and not that of the target.
    pub(super) fn may_move(&self, own: Var, target: &Target) -> Result<(), Reason> {
        self.is_own(own)?;
        if self.may_meet(own, target.mem) {
            return Err(Reason::SameBlock);
        }
        // (an update that repeats an element is only well-formed where it is never executed)
        if target.lmad.injective() == Some(false) { Err(Reason::Repeats) } else { Ok(()) }
    }

    /// Builds the value, and all else in its block, at its target, if no statement from the first write to the end forbids it, nor one
    /// after it as long as arrays of the block are used: the range is that of all these.
    pub(super) fn build(
        &mut self,
        body: &mut Body,
        range: Range<usize>,
        circuit: &Circuit,
    ) -> Result<(), Reason> {
        let Circuit { end, value, target, shown } = circuit;
        let Range { start: first, end: last } = range;
        let own = self.types.get(value).and_then(block).ok_or(Reason::Scalar)?;
        let window = &body.statements[first..*end];
        self.evidence.clear();
        self.in_time(window, target)?;
        let places = self.places(&self.definitions(window, own), *value, target)?;
        let in_place =
            window.first().is_some_and(|statement| self.copies_in_place(statement, target, &places));
        self.leave_alone(&window[usize::from(in_place)..], own, target, &places)?;
        if last > *end {
            self.leave_alone(&body.statements[end + 1..last], own, target, &places)?;
        }
        let at = body.statements.get(*end).and_then(|statement| statement.pattern.first());
        self.certificates.push(Certificate {
            decision: Decision::ElidedCopy,
            // a row of a kernel's result is known by its own name
            at: at.map_or(*value, |binder| binder.var),
            loc: body.statements.get(*end).or(body.statements.get(first)).and_then(|statement| statement.loc),
            evidence: std::mem::take(&mut self.evidence).into_iter().chain(shown.iter().cloned()).collect(),
        });
        self.settle(places, target.mem);
        if target.certain {
            self.certain.insert(*value);
        }
        self.part_of.extend(target.part_of.map(|array| (*value, array)));
        self.residents.remove(&own);
        for statement in &mut body.statements[first..*end] {
            self.retype(statement);
        }
        Ok(())
    }

    /// The target's block and what says where in it must be there before these statements, and known to have room there unless none of them
    /// but the first may stop the program.
    pub(super) fn in_time(&mut self, window: &[Statement], target: &Target) -> Result<(), Reason> {
        let mut needed = BTreeSet::from([target.mem]);
        target.lmad.for_each_var(&mut |var| {
            needed.insert(var);
        });
        let late =
            |statement: &&Statement| statement.pattern.iter().any(|binder| needed.contains(&binder.var));
        if let Some(statement) = window.iter().find(late) {
            return Err(Reason::Late { loc: statement.loc });
        }
        let stops = |statement: &&Statement| !target.certain && self.interfaces.may_stop(statement);
        match window.iter().skip(1).find(stops).map(|statement| statement.loc) {
            Some(loc) if !self.has_room_before(window, target) => Err(Reason::MayStop { loc }),
            Some(_) | None => Ok(()),
        }
    }

    /// Whether the target is part of an array that is there before these statements, which have been executed, by what is known then.
    fn has_room_before(&mut self, window: &[Statement], target: &Target) -> bool {
        let Some(array) = target.part_of else { return false };
        let Some(MemType::Array { mem, lmad: whole, .. }) = self.types.get(&array) else { return false };
        let binds = |statement: &Statement| statement.pattern.iter().any(|binder| binder.var == array);
        if *mem != target.mem || window.iter().any(binds) {
            return false;
        }
        let evidence = self.facts.before(window.len(), |facts| match contained(facts, &target.lmad, whole) {
            Answer::Proved(derivation) => Some(Evidence::new(facts, derivation)),
            _ => None,
        });
        let known = evidence.is_some();
        self.evidence.extend(evidence);
        known
    }

    /// Where the arrays that come about like this will lie when the value goes to the target.
    pub(super) fn places(
        &mut self,
        definitions: &[(Var, Definition)],
        value: Var,
        target: &Target,
    ) -> Result<BTreeMap<Var, Lmad>, Reason> {
        let facts = self.facts.known();
        let equal = |x: &Poly, y: &Poly| {
            let (left, right) = (facts.expand(x), facts.expand(y));
            x == y || left == right && is_plain(&left)
        };
        let places =
            moved(&self.types, definitions, &[value], &target.lmad, &equal).ok_or(Reason::OtherLayout)?;
        self.calls_can_make(&places, target.mem)?;
        Ok(places)
    }

    /// Makes these the places of arrays, in this block.
    pub(super) fn settle(&mut self, places: BTreeMap<Var, Lmad>, target: Var) {
        for (var, lmad) in places {
            if let Some(MemType::Array { mem, lmad: old, .. }) = self.types.get_mut(&var) {
                (*mem, *old) = (target, lmad);
            }
            self.residents.entry(target).or_default().insert(var);
        }
    }

    /// No statement may access the target, except through these arrays.
    pub(super) fn leave_alone(
        &mut self,
        window: &[Statement],
        own: Var,
        target: &Target,
        places: &BTreeMap<Var, Lmad>,
    ) -> Result<(), Reason> {
        for statement in window {
            if !self.leaves_alone(statement, own, target, places) {
                return Err(self.why_not_apart(statement));
            }
        }
        Ok(())
    }

    /// Whether the statement, the first that writes to the block, copies what lies at the target to it: nothing changes there then.
    fn copies_in_place(&self, statement: &Statement, target: &Target, places: &BTreeMap<Var, Lmad>) -> bool {
        let (Exp::Copy(source), [binder]) = (&statement.exp, statement.pattern.as_slice()) else {
            return false;
        };
        let there = |mem: Var, lmad: &Lmad| {
            mem == target.mem && places.get(&binder.var).is_some_and(|place| place.equivalent(lmad))
        };
        matches!(self.types.get(source), Some(MemType::Array { mem, lmad, .. }) if there(*mem, lmad))
    }

    /// The block must be an allocation of this function that is passed on to nobody.
    fn is_own(&self, mem: Var) -> Result<(), Reason> {
        match self.blocks.origin(mem) {
            Some(Origin::Alloc { space: Space::Default, .. }) if self.is_passed(mem) => Err(Reason::PassedOn),
            Some(Origin::Alloc { space: Space::Default, .. }) => Ok(()),
            Some(Origin::Alloc { .. }) => Err(Reason::OtherSpace),
            Some(Origin::Param { .. }) => Err(Reason::Argument),
            Some(Origin::Call) => Err(Reason::OfCall),
            None => Err(Reason::OfBranchOrLoop),
        }
    }

    /// The statement that first writes to the block, if all that lies there is made between it and the end, and the statement after the
    /// last that uses it, all in this body.
    pub(super) fn first_write(
        &self,
        body: &Body,
        own: Var,
        end: usize,
        value: Var,
    ) -> Result<(usize, usize), Reason> {
        let residents = self.residents.get(&own).ok_or(Reason::MadeElsewhere)?;
        let (mut mentions, mut first) = (Mentions::default(), end);
        while !residents.is_subset(&mentions.bound) {
            first = first.checked_sub(1).ok_or(Reason::MadeElsewhere)?;
            mentions.statement(&body.statements[first]);
        }
        match body.statements.get(end) {
            Some(statement) => mentions.exp(&statement.exp),
            None => body.results.iter().for_each(|result| Walk::<Mem>::atom(&mut mentions, result)),
        }
        let all = |uses: &BTreeMap<Var, usize>| -> usize {
            residents.iter().filter_map(|resident| uses.get(resident)).sum()
        };
        let mut inside = Mentions::default();
        body.statements[first..end].iter().for_each(|statement| inside.statement(statement));
        let (mut here, everywhere) = (all(&mentions.uses), all(&self.uses));
        let at_end = here - all(&inside.uses);
        let by_value =
            mentions.uses.get(&value).copied().unwrap_or(0) > inside.uses.get(&value).copied().unwrap_or(0);
        let mut last = end;
        if at_end > 1 && !matches!(body.statements.get(end), Some(Statement { exp: Exp::Concat { .. }, .. }))
        {
            return Err(Reason::UsedElsewhere);
        }
        while here < everywhere {
            last += 1;
            let later = body.statements.get(last).ok_or(Reason::UsedElsewhere)?;
            let mut mentions = Mentions::default();
            mentions.statement(later);
            here += all(&mentions.uses);
        }
        let last = if last > end { last + 1 } else { end };
        if here == everywhere && by_value { Ok((first, last)) } else { Err(Reason::UsedElsewhere) }
    }

    /// Whether the statement's accesses to the target's block do not meet the target, which these arrays will have.
    fn leaves_alone(
        &mut self,
        statement: &Statement,
        own: Var,
        target: &Target,
        places: &BTreeMap<Var, Lmad>,
    ) -> bool {
        let elem = self.elem_of(places);
        let before = self.evidence.len();
        self.met = None;
        let regions = self.accesses(statement, own, target.mem, elem);
        let apart = |this: &mut Self, region: &Region| this.disjoint(region, &target.lmad, &[]);
        if regions.is_some_and(|regions| regions.iter().all(|region| apart(self, region))) {
            return true;
        }
        self.evidence.truncate(before);
        let met = self.met.take();
        let alone = self.points_leave_alone(statement, own, target.mem, places);
        self.met = if alone { None } else { met.or(self.met.take()) };
        alone
    }

    /// Whether the two have no common address, with the evidence. `likely` are numbers to try first.
    pub(super) fn disjoint(&mut self, region: &Region, right: &Lmad, likely: &[(Var, i64)]) -> bool {
        let left = &region.lmad;
        let facts = self.facts.known();
        let [plain_left, plain_right] = [left, right].map(|lmad| with_definitions(facts, lmad));
        let explain = self.refusals.is_some();
        let hardly = meet(facts, &plain_left, &plain_right, &self.sizes, likely);
        if hardly && !explain {
            return false;
        }
        match disjoint(facts, left, right) {
            Answer::Proved(derivation) if !hardly => {
                self.evidence.push(Evidence::new(facts, derivation));
                true
            }
            answer => {
                if explain {
                    self.met = Some(Met::new(region, right, answer));
                }
                false
            }
        }
    }

    /// How wide the elements of the arrays are: what addresses count.
    pub(super) fn elem_of(&self, places: &BTreeMap<Var, Lmad>) -> Option<u32> {
        let var = places.keys().next()?;
        match self.types.get(var) {
            Some(MemType::Array { elem, .. }) => Some(elem.bytes()),
            _ => None,
        }
    }

    /// Puts the present types into a statement.
    pub(super) fn retype(&self, statement: &mut Statement) {
        for binder in &mut statement.pattern {
            if let (MemType::Array { .. }, Some(ty)) = (&binder.ty, self.types.get(&binder.var)) {
                binder.ty = ty.clone();
            }
        }
        if let Exp::Loop { params, .. } = &mut statement.exp {
            for param in params {
                if let (MemType::Array { .. }, Some(ty)) =
                    (&param.binder.ty, self.types.get(&param.binder.var))
                {
                    param.binder.ty = ty.clone();
                }
            }
        }
        for_each_body_mut(&mut statement.exp, &mut |inner| {
            inner.statements.iter_mut().for_each(|statement| self.retype(statement));
        });
    }
}
