//! Kernels whose points write only what no other point accesses.

use super::Circuits;
use super::accesses::Region;
use super::candidate::{Mentions, with_definitions};
use super::probe::meet;
use fun::ir::{Atom, Combine};
use fun::visit::Walk;
use fun_base::name::Var;
use fun_index::lmad::{Lmad, Slice};
use fun_index::poly::Poly;
use funmem::ir::{Body, Exp, Mem, MemType, Statement};
use std::collections::BTreeMap;

impl Circuits<'_> {
    /// For a kernel that makes one of the arrays: whether each point writes only what no other point accesses. What it reads
    /// itself it has read by then.
    pub(super) fn points_leave_alone(
        &mut self,
        statement: &Statement,
        own: Var,
        target: Var,
        places: &BTreeMap<Var, Lmad>,
    ) -> bool {
        let Exp::Kernel { space, combine, body } = &statement.exp else { return false };
        if !matches!(combine, Combine::Map | Combine::Scan { .. })
            || self.operator_accesses(combine, own, target)
        {
            return false;
        }
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
        let point = (body, combine.epilogue());
        let mark = self.facts.mark();
        for (counter, bound) in space {
            self.facts.counter(*counter, *bound);
        }
        let others: Vec<Var> = space.iter().map(|(counter, _)| self.names.fresh_like(*counter)).collect();
        for (other, (_, bound)) in others.iter().zip(space) {
            self.facts.counter(*other, *bound);
        }
        let elem = self.elem_of(places);
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
        let hardly = self.refusals.is_none()
            && self.some_accesses_of_point(point, own, target, elem).is_none_or(|regions| {
                let mut other = regions.iter().filter(|region| !region.lmad.equivalent(&own_row));
                other.any(|region| self.likely_meet(region, &row, space, &others))
            });
        if hardly || self.reads_after_writing(body, own, target, places) {
            self.facts.reset(mark);
            return false;
        }
        let regions = self.accesses_of_point(point, own, target, elem);
        let apart = regions.is_some_and(|regions| {
            regions
                .iter()
                .all(|region| region.lmad.equivalent(&own_row) || self.apart(region, &row, space, &others))
        });
        self.facts.reset(mark);
        apart
    }

    /// Whether an operator may access the target's block, which it does while other points write.
    fn operator_accesses(&self, combine: &Combine<Mem>, own: Var, target: Var) -> bool {
        let mut mentions = Mentions::default();
        combine.lambda().into_iter().for_each(|operator| mentions.body(&operator.body));
        mentions.uses.keys().any(|var| match self.types.get(var) {
            Some(MemType::Array { mem, .. }) => *mem == own || self.may_meet(*mem, target),
            _ => false,
        })
    }

    /// Whether a point may access the target's block after it has begun to make its row, which it does where arrays inside of it lie in
    /// the row. To begin with a copy of the cells that the row takes the place of changes nothing; nor does a kernel, whose points read
    /// what they alone overwrite, come too late.
    fn reads_after_writing(
        &mut self,
        body: &Body,
        own: Var,
        target: Var,
        places: &BTreeMap<Var, Lmad>,
    ) -> bool {
        let elem = self.elem_of(places);
        let lies_there = |this: &Self, var: Var| match this.types.get(&var) {
            Some(MemType::Array { mem, .. }) => this.blocks.may_be_same(*mem, own),
            _ => false,
        };
        let writes = |statement: &Statement| {
            let mut made = Mentions::default();
            made.statement(statement);
            made.bound.iter().any(|var| lies_there(self, *var))
        };
        let Some(first) = body.statements.iter().position(writes) else { return false };
        let beginning = &body.statements[first];
        let place = |this: &Self, var: &Var| match this.types.get(var) {
            Some(MemType::Array { lmad, .. }) => Some(lmad.clone()),
            _ => None,
        };
        let there = match beginning.pattern.as_slice() {
            [binder] if lies_there(self, binder.var) => {
                let there = places.get(&binder.var).cloned().or_else(|| place(self, &binder.var));
                there.map(|there| (binder.var, there))
            }
            _ => None,
        };
        let in_place = match (&beginning.exp, there) {
            (Exp::Copy(source), Some((_, there))) => {
                place(self, source).is_some_and(|from| from.equivalent(&there))
            }
            (_, Some(there)) => self.points_leave_alone(beginning, own, target, &BTreeMap::from([there])),
            (_, None) => false,
        };
        let later = &body.statements[first + usize::from(in_place)..];
        later.iter().any(|statement| {
            self.accesses(statement, own, target, elem).is_none_or(|regions| !regions.is_empty())
        })
    }

    /// Whether what one point accesses is what another one writes, for numbers that are small: for those that [`Circuits::apart`]
    /// would try.
    fn likely_meet(&mut self, region: &Region, row: &Lmad, space: &[(Var, Atom)], others: &[Var]) -> bool {
        let facts = self.facts.known();
        let [region, row] = [&region.lmad, row].map(|lmad| with_definitions(facts, lmad));
        (0..space.len()).flat_map(|first| [(first, 2, 1), (first, 1, 2)]).any(|(first, here, there)| {
            let pairs = space.iter().map(|(counter, _)| *counter).zip(others.iter().copied()).enumerate();
            let pairs = pairs.map(|(k, pair)| (pair, if k == first { (here, there) } else { (1, 1) }));
            let likely: Vec<(Var, i64)> =
                pairs.flat_map(|((counter, other), (x, y))| [(counter, x), (other, y)]).collect();
            meet(facts, &region, &row, &self.sizes, &likely)
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
}
