//! Scans as producers: a map over the elements that a scan gives becomes the epilogue of the scan, so that only what the map gives is stored.
//!
//! ```text
//! let (sums_1: [n_0]i32) = kernel (i_2 < n_0) scan \(a_3: i32) (b_4: i32): i32 { … } (0i32) { … }
//! let (ys_5: [n_0]i32) = kernel (j_6 < n_0) {
//!   let (s_7: i32) = index sums_1[j_6]
//!   let (y_8: i32) = mul.i32 s_7 2i32
//!   in (y_8)
//! }
//! ```
//! becomes
//! ```text
//! let (ys_5: [n_0]i32) = kernel (i_2 < n_0) scan \(a_3: i32) (b_4: i32): i32 { … } (0i32) then \(sum_9: i32): i32 {
//!   let (y_8: i32) = mul.i32 sum_9 2i32
//!   in (y_8)
//! } { … }
//! ```
//! What else uses the sums makes them a result beside it. Values stay the same to the bit: sums are combined as they were.
//!
//! # When
//! 1. The map has the space of the scan, gives scalars, and reads the sums at its own point only.
//! 2. It is made of scalar operators and reads of elements (F8), none of which may stop the program; and of few, none of them a function such as
//!    `exp`: some scans are one loop in order, where a map is in vectors. Of what is a thread's on a device ([`super::threads`]) there may be many, and functions.
//! 3. The map moves up to the scan, if all that it uses is there. Otherwise the scan moves down to the map, under the conditions of [`super`].
//!
//! Runs after all that has rules for maps. Requires F8; ensures it. Cost: quadratic in the kernels of a body.

use super::cost::{Cost, has_function};
use super::{Facts, Fusion, Refusal, carried_by, consuming_params};
use fun::ir::{Atom, Binder, Body, Combine, Exp, Lambda, Program, Statement};
use fun::visit::names::{Subst, free_in_body, free_in_statement, name_source, subst_body};
use fun::visit::{for_each_body_mut, is_scalar_step};
use fun_base::name::{NameSource, Var};
use std::collections::{BTreeMap, BTreeSet};

/// The most statements of an epilogue.
const LARGEST: usize = 32;

/// Fuses maps into the scans that they read.
pub fn run(mut program: Program) -> Program {
    let mut facts = Facts::new(consuming_params(&program));
    facts.take(&program);
    let mut names = name_source(&program);
    for function in &mut program.functions {
        fuse_in(&mut function.body, &[], &facts, &mut names);
    }
    program
}

/// Fuses in a body, of a loop that carries these variables if it is one's, and in those inside of it.
pub(super) fn fuse_in(body: &mut Body, carried: &[Var], facts: &Facts, names: &mut NameSource) {
    for statement in &mut body.statements {
        let carried = carried_by(&statement.exp);
        for_each_body_mut(&mut statement.exp, &mut |inner| fuse_in(inner, &carried, facts, names));
    }
    if !body.statements.iter().any(is_scan) {
        return;
    }
    let results: BTreeSet<Var> = body.results.iter().filter_map(|result| result.as_var()).collect();
    let mut fusion = Fusion::new(body, carried, facts);
    for at in 0..fusion.statements.len() {
        for map in at + 1..fusion.statements.len() {
            if let Ok(place) = fusion.may_follow(at, map) {
                fusion.follow(at, map, place, &results, names);
            }
        }
    }
    body.statements = fusion.statements.into_iter().flatten().collect();
}

/// Whether a statement is a scan in kernel form.
pub(super) fn is_scan(statement: &Statement) -> bool {
    matches!(statement.exp, Exp::Kernel { combine: Combine::Scan { .. }, .. })
}

/// Where a scan and a map that has become its epilogue are computed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Meeting {
    /// Where the scan is.
    AtScan,
    /// Where the map is.
    AtMap,
}

impl Fusion<'_> {
    /// Whether one statement, a map, may become the epilogue of another one, a scan.
    pub(super) fn may_follow(&self, at: usize, map: usize) -> Result<Meeting, Refusal> {
        let (
            [scan @ Statement { exp: Exp::Kernel { space, combine, body: values }, .. }],
            [
                consumer @ Statement {
                    exp: Exp::Kernel { space: points, combine: Combine::Map, body }, ..
                },
            ],
        ) = (self.statements[at].as_slice(), self.statements[map].as_slice())
        else {
            return Err(Refusal::NoMap);
        };
        let bounds = |space: &[(Var, Atom)]| space.iter().map(|(_, bound)| *bound).collect::<Vec<_>>();
        let scalar = |binder: &Binder| binder.ty.rank() == space.len();
        if !is_scan(scan) || bounds(space) != bounds(points) || !consumer.pattern.iter().all(scalar) {
            return Err(Refusal::NoMap);
        }
        let sums: BTreeSet<Var> = scan.pattern.iter().map(|binder| binder.var).collect();
        let (reads, rest) = split(body, &sums, points);
        if reads.is_empty() || !free_in_body(&rest).is_disjoint(&sums) {
            return Err(Refusal::NoMap);
        }
        if !rest.statements.iter().all(|statement| is_scalar_step(&statement.exp)) {
            return Err(Refusal::NoSteps);
        }
        if self.stops.contains(&map) {
            return Err(Refusal::Stops);
        }
        let takes_long = || {
            !Cost::of(&rest).is_cheap()
                || rest.statements.iter().any(|statement| has_function(&statement.exp))
        };
        if !self.facts.one_thread && takes_long() {
            return Err(Refusal::Sequential);
        }
        let before = combine.epilogue().map_or(0, |epilogue| epilogue.body.statements.len());
        if before + rest.statements.len() > LARGEST {
            return Err(Refusal::Large);
        }
        let is_there =
            |var: &Var| sums.contains(var) || self.declared.get(var).is_none_or(|there| *there < at);
        if free_in_statement(consumer).iter().all(is_there) {
            return Ok(Meeting::AtScan);
        }
        let mut between = self.statements[at + 1..map].iter().flatten();
        if between.any(|statement| !free_in_statement(statement).is_disjoint(&sums)) {
            return Err(Refusal::Between);
        }
        let mut read = free_in_body(values);
        read.extend(
            combine.lambda().into_iter().chain(combine.epilogue()).flat_map(|l| free_in_body(&l.body)),
        );
        let arrays = read.iter().filter_map(|var| Some((*var, self.facts.types.get(var)?)));
        let mut arrays = arrays.filter(|(_, ty)| ty.rank() > 0);
        if arrays.any(|(var, ty)| self.may_be_consumed(var, ty.elem(), at + 1..=map)) {
            return Err(Refusal::Consumed);
        }
        if self.stops.contains(&at) && self.stops.range(at + 1..=map).next().is_some() {
            return Err(Refusal::Stops);
        }
        Ok(Meeting::AtMap)
    }

    /// Makes a map the epilogue of a scan, where the body gives these results.
    fn follow(
        &mut self,
        at: usize,
        map: usize,
        place: Meeting,
        results: &BTreeSet<Var>,
        names: &mut NameSource,
    ) {
        let (scans, maps) =
            (std::mem::take(&mut self.statements[at]), std::mem::take(&mut self.statements[map]));
        let mut used = results.clone();
        used.extend(self.statements.iter().flatten().flat_map(free_in_statement));
        let (Some(scan), Some(consumer)) = (scans.into_iter().next(), maps.into_iter().next()) else {
            return;
        };
        let there = if place == Meeting::AtScan { at } else { map };
        let fused = fused(scan, consumer, &used, names);
        self.declared.extend(fused.pattern.iter().map(|binder| (binder.var, there)));
        self.statements[there] = vec![fused];
        if place == Meeting::AtMap {
            if self.stops.remove(&at) {
                self.stops.insert(map);
            }
            let consumed = self.consumes.remove(&at).unwrap_or_default();
            self.consumes.entry(map).or_default().extend(consumed);
        }
    }
}

/// The reads of these arrays at the counters of a space, each with the array, and a body without them.
fn split(body: &Body, arrays: &BTreeSet<Var>, space: &[(Var, Atom)]) -> (Vec<(Var, Var)>, Body) {
    let (mut reads, mut statements) = (Vec::new(), Vec::new());
    for statement in &body.statements {
        match (&statement.exp, statement.pattern.as_slice()) {
            (Exp::Index { array, indices }, [binder])
                if arrays.contains(array)
                    && indices.iter().copied().eq(space.iter().map(|(counter, _)| Atom::Var(*counter))) =>
            {
                reads.push((binder.var, *array));
            }
            _ => statements.push(statement.clone()),
        }
    }
    (reads, Body { statements, results: body.results.clone() })
}

/// A scan whose epilogue is this map; it still gives those of its results that are used elsewhere.
fn fused(scan: Statement, map: Statement, used: &BTreeSet<Var>, names: &mut NameSource) -> Statement {
    let (
        Exp::Kernel { space, combine: Combine::Scan { op, neutral, epilogue }, body: values },
        Exp::Kernel { space: points, body, .. },
    ) = (scan.exp, map.exp)
    else {
        unreachable!("invariant: a scan and a map");
    };
    let mut epilogue = epilogue.unwrap_or_else(|| {
        let params: Vec<Binder> =
            op.results.iter().map(|ty| Binder { var: names.fresh("sum"), ty: ty.clone() }).collect();
        let results = params.iter().map(|param| Atom::Var(param.var)).collect();
        Box::new(Lambda {
            params,
            results: op.results.clone(),
            body: Body { statements: Vec::new(), results },
        })
    });
    let arrays: BTreeMap<Var, Atom> =
        scan.pattern.iter().zip(&epilogue.body.results).map(|(binder, sum)| (binder.var, *sum)).collect();
    let (reads, rest) = split(&body, &arrays.keys().copied().collect(), &points);
    let mut subst: Subst = reads.into_iter().map(|(element, array)| (element, arrays[&array])).collect();
    subst.extend(points.iter().zip(&space).map(|((point, _), (counter, _))| (*point, Atom::Var(*counter))));
    let rest = subst_body(&subst, &rest);
    let (mut pattern, mut results, mut types) = (Vec::new(), Vec::new(), Vec::new());
    let old = scan.pattern.into_iter().zip(epilogue.body.results);
    let new = map.pattern.into_iter().zip(rest.results);
    for (binder, result) in old.filter(|(binder, _)| used.contains(&binder.var)).chain(new) {
        types.push(binder.ty.peel(space.len()));
        pattern.push(binder);
        results.push(result);
    }
    epilogue.body.statements.extend(rest.statements);
    epilogue.body.results = results;
    epilogue.results = types;
    let combine = Combine::Scan { op, neutral, epilogue: Some(epilogue) };
    Statement { pattern, exp: Exp::Kernel { space, combine, body: values }, loc: scan.loc }
}
