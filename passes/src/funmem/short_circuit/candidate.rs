//! Whether an array may be built at its circuit point's place, and doing so.

use super::accesses::Region;
use super::probe::meet;
use super::rebase::{Definition, definitions, moved};
use super::refusal::{Met, Reason};
use super::{Circuits, Target};
use crate::funmem::blocks::{Origin, block};
use crate::funmem::hoist_scalars::may_stop;
use fun::ir::{Atom, Combine};
use fun::visit::{Walk, for_each_body_mut};
use fun_base::name::Var;
use fun_index::certificate::{Certificate, Decision, Evidence};
use fun_index::lmad::{Lmad, LmadDim, Slice};
use fun_index::poly::Poly;
use fun_index::prove::{Answer, Facts, disjoint};
use funmem::ir::{Body, Exp, Mem, MemType, Space, Statement};
use std::collections::{BTreeMap, BTreeSet};

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
fn with_definitions(facts: &Facts, lmad: &Lmad) -> Lmad {
    let dim = |dim: &LmadDim| LmadDim { size: facts.expand(&dim.size), stride: facts.expand(&dim.stride) };
    Lmad { offset: facts.expand(&lmad.offset), dims: lmad.dims.iter().map(dim).collect() }
}

/// The target's block and what says where in it must be there before these statements, and known to have room there unless none of them
/// but the first may stop the program.
pub(super) fn in_time(window: &[Statement], target: &Target) -> Result<(), Reason> {
    let mut needed = BTreeSet::from([target.mem]);
    target.lmad.for_each_var(&mut |var| {
        needed.insert(var);
    });
    let late = |statement: &&Statement| statement.pattern.iter().any(|binder| needed.contains(&binder.var));
    if let Some(statement) = window.iter().find(late) {
        return Err(Reason::Late { loc: statement.loc });
    }
    let mut stops = window.iter().skip(1).filter(|statement| !target.certain && may_stop(statement));
    stops.next().map_or(Ok(()), |statement| Err(Reason::MayStop { loc: statement.loc }))
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
        match self.may_move(own, target) {
            Err(Reason::OfBranchOrLoop) => self.through_if(body, own, circuit),
            Err(reason) => Err(reason),
            Ok(()) => {
                let first = self.first_write(body, own, *end, *value)?;
                self.build(body, first, circuit)
            }
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

    /// Builds the value, and all else in its block, at its target, if no statement from the first write to the end forbids it.
    pub(super) fn build(&mut self, body: &mut Body, first: usize, circuit: &Circuit) -> Result<(), Reason> {
        let Circuit { end, value, target, shown } = circuit;
        let own = self.types.get(value).and_then(block).ok_or(Reason::Scalar)?;
        let window = &body.statements[first..*end];
        in_time(window, target)?;
        let places = self.places(&definitions(window, own), *value, target)?;
        self.evidence.clear();
        self.leave_alone(window, own, target, &places)?;
        let at = body.statements.get(*end).and_then(|statement| statement.pattern.first());
        self.certificates.push(Certificate {
            decision: Decision::ElidedCopy,
            // a row of a kernel's result is known by its own name
            at: at.map_or(*value, |binder| binder.var),
            loc: body.statements.get(*end).or(body.statements.get(first)).and_then(|statement| statement.loc),
            evidence: std::mem::take(&mut self.evidence).into_iter().chain(shown.iter().cloned()).collect(),
        });
        self.settle(places, target.mem);
        self.residents.remove(&own);
        for statement in &mut body.statements[first..*end] {
            self.retype(statement);
        }
        Ok(())
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
            // what the checker of FUNMEM follows as well
            let plain =
                |poly: &Poly| poly.terms().count() <= 4 && poly.terms().all(|(vars, _)| vars.len() <= 4);
            let (left, right) = (facts.expand(x), facts.expand(y));
            x == y || left == right && plain(&left)
        };
        moved(&self.types, definitions, value, target, &equal).ok_or(Reason::OtherLayout)
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

    /// The statement that first writes to the block, if all that lies there is made between it and the end, and only the circuit point
    /// uses it after that, once.
    pub(super) fn first_write(&self, body: &Body, own: Var, end: usize, value: Var) -> Result<usize, Reason> {
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
        let (here, everywhere) = (all(&mentions.uses), all(&self.uses));
        let at_end = here - all(&inside.uses);
        let by_value =
            mentions.uses.get(&value).copied().unwrap_or(0) > inside.uses.get(&value).copied().unwrap_or(0);
        if here == everywhere && at_end == 1 && by_value { Ok(first) } else { Err(Reason::UsedElsewhere) }
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
        let hardly = meet(&plain_left, &plain_right, &self.sizes, likely);
        if hardly && !explain {
            return false;
        }
        match disjoint(facts, left, right) {
            Answer::Proved(derivation) if !hardly => {
                self.evidence.push(Evidence::new(facts, *derivation));
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
    fn elem_of(&self, places: &BTreeMap<Var, Lmad>) -> Option<u32> {
        let var = places.keys().next()?;
        match self.types.get(var) {
            Some(MemType::Array { elem, .. }) => Some(elem.bytes()),
            _ => None,
        }
    }

    /// For a kernel that makes one of the arrays: whether each point writes only what no other point accesses. What it reads
    /// itself it has read by then.
    pub(super) fn points_leave_alone(
        &mut self,
        statement: &Statement,
        own: Var,
        target: Var,
        places: &BTreeMap<Var, Lmad>,
    ) -> bool {
        let Exp::Kernel { space, combine: Combine::Map, body } = &statement.exp else { return false };
        let mut written = statement.pattern.iter().filter_map(|binder| places.get(&binder.var));
        let (Some(place), None) = (written.next(), written.next()) else { return false };
        // Another result may lie in the block, too.
        let elsewhere = |binder: &funmem::ir::Binder| match &binder.ty {
            MemType::Array { mem, .. } => *mem == own || !self.may_meet(*mem, target),
            MemType::Prim(_) | MemType::Mem(_) => true,
        };
        // An array that is the result of a point is copied cell by cell.
        let in_target = |result: &Atom| match result.as_var().and_then(|var| self.types.get(&var)) {
            Some(MemType::Array { mem, .. }) => self.may_meet(*mem, target),
            _ => false,
        };
        if !statement.pattern.iter().all(elsewhere) || body.results.iter().any(in_target) {
            return false;
        }
        let mark = self.facts.mark();
        for (counter, bound) in space {
            self.facts.counter(*counter, *bound);
        }
        let others: Vec<Var> = space.iter().map(|(counter, _)| self.names.fresh_like(*counter)).collect();
        for (other, (_, bound)) in others.iter().zip(space) {
            self.facts.counter(*other, *bound);
        }
        let elem = self.elem_of(places);
        if self.reads_after_writing(body, own, target, elem) {
            self.facts.reset(mark);
            return false;
        }
        let regions = self.accesses_of_point(body, own, target, elem);
        let row_of = |counters: &mut dyn Iterator<Item = Var>| {
            let whole = place.dims[space.len()..].iter().map(|dim| Slice::Range {
                offset: Poly::constant(0),
                count: dim.size.clone(),
                stride: Poly::constant(1),
            });
            let fixed = counters.map(|counter| Slice::Fix(Poly::var(counter)));
            place.slice(&fixed.chain(whole).collect::<Vec<_>>())
        };
        let row = row_of(&mut others.iter().copied());
        // No two points write the same cell (M3): what a point accesses where it writes needs no proof.
        let own_row = row_of(&mut space.iter().map(|(counter, _)| *counter));
        let apart = regions.is_some_and(|regions| {
            regions
                .iter()
                .all(|region| region.lmad.equivalent(&own_row) || self.apart(region, &row, space, &others))
        });
        self.facts.reset(mark);
        apart
    }

    /// Whether a point may access the target's block after it has begun to make its row, which it does where arrays inside of it lie in
    /// the row. To begin with a copy of the cells that the row takes the place of changes nothing.
    fn reads_after_writing(&mut self, body: &Body, own: Var, target: Var, elem: Option<u32>) -> bool {
        let writes = |statement: &Statement| {
            let mut made = Mentions::default();
            made.statement(statement);
            made.bound.iter().any(|var| match self.types.get(var) {
                Some(MemType::Array { mem, .. }) => self.blocks.may_be_same(*mem, own),
                _ => false,
            })
        };
        let Some(first) = body.statements.iter().position(writes) else { return false };
        let place = |var: &Var| match self.types.get(var) {
            Some(MemType::Array { lmad, .. }) => Some(lmad),
            _ => None,
        };
        let in_place = match (&body.statements[first].exp, body.statements[first].pattern.as_slice()) {
            (Exp::Copy(source), [binder]) => {
                place(source).zip(place(&binder.var)).is_some_and(|(from, to)| from.equivalent(to))
            }
            _ => false,
        };
        let later = &body.statements[first + usize::from(in_place)..];
        later.iter().any(|statement| {
            self.accesses(statement, own, target, elem).is_none_or(|regions| !regions.is_empty())
        })
    }

    /// Whether what one point accesses is not what another one writes: the points differ in a first counter, in one of two ways.
    fn apart(&mut self, region: &Region, row: &Lmad, space: &[(Var, Atom)], others: &[Var]) -> bool {
        let start = self.facts.mark();
        let mut apart = true;
        let counters = space.iter().map(|(counter, _)| *counter);
        let mut likely: Vec<(Var, i64)> = counters
            .zip(others.iter().copied())
            .flat_map(|(counter, other)| [(counter, 1), (other, 1)])
            .collect();
        for ((counter, _), other) in space.iter().zip(others) {
            let difference = Poly::var(*counter).sub(&Poly::var(*other));
            let mark = self.facts.mark();
            for sign in [1, -1] {
                let beyond = difference.scale(sign).sub(&Poly::constant(1));
                self.facts.assume_nonneg(beyond);
                for (var, value) in &mut likely {
                    match *var {
                        var if var == *counter => *value = 1 + i64::from(sign == 1),
                        var if var == *other => *value = 1 + i64::from(sign == -1),
                        _ => {}
                    }
                }
                apart = apart && self.disjoint(region, row, &likely);
                self.facts.reset(mark);
            }
            self.facts.assume_zero(difference);
            likely
                .iter_mut()
                .filter(|(var, _)| *var == *counter || *var == *other)
                .for_each(|(_, value)| *value = 1);
        }
        self.facts.reset(start);
        apart
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
