//! Fusion: the elements of an array are computed where they are read.
//!
//! ```text
//! let (ys_1: [n_0]i32) = kernel (i_2 < n_0) {
//!   let (x_3: i32) = index xs_4[i_2]
//!   let (y_5: i32) = mul.i32 x_3 x_3
//!   in (y_5)
//! }
//! let (zs_6: [n_0]i32) = kernel (j_7 < n_0) {
//!   let (y_8: i32) = index ys_1[j_7]
//!   let (z_9: i32) = add.i32 y_8 1i32
//!   in (z_9)
//! }
//! ```
//! becomes
//! ```text
//! let (zs_6: [n_0]i32) = kernel (j_7 < n_0) {
//!   let (x_3: i32) = index xs_4[j_7]
//!   let (y_8: i32) = mul.i32 x_3 x_3
//!   let (z_9: i32) = add.i32 y_8 1i32
//!   in (z_9)
//! }
//! ```
//! The *producer* is a kernel without a combination (a map); the *consumer* any later statement of the same body, with kernels, loops and
//! branches inside of it. So maps go into maps, reductions, scans, histograms and scatters, into the nests below them, and through views: of
//! a slice, a transposed or reversed array the element behind the view is computed. Where the points of a producer are arrays, consumers that
//! read whole rows have a row each instead of the whole array. Kernels over concatenated arrays are first split into those over the parts
//! ([`concats`]), and rotated arrays, copies and rows of others become maps where they are only read ([`read_only`]).
//!
//! # When
//! 1. The consumer is the only statement that uses the producer's results, and only by reading elements or, where these are arrays, whole rows.
//!    Several consumers are as good where each computes what it reads from no more than it would have read, or where they read different
//!    results that are computed by themselves ([`cost`]).
//! 2. No element is computed twice: every counter around the read, of kernels and loops inside of the consumer, is, but for what does not
//!    change there, one of the indices, and all reads at other places are of what costs as good as nothing ([`cost`]).
//! 3. Nothing from the producer to the consumer consumes an array of a type of element that the producer reads, so it may read later; but
//!    for one that was made after what the producer reads, which is not part of it, or that is known to have other cells ([`roots`]), or one that a loop carries, while what the producer reads was
//!    there before the loop: it is read in the next iteration too, so it is no part of what this one consumes (F5).
//! 4. If the producer may stop the program, the consumer computes all of its elements, and neither it nor a statement in between may stop it:
//!    another message would come first. (Assertions that are shown to hold go before that is said.)
//! 5. What does not run in parallel (a loop, a scan, a histogram, a scatter) gets only cheap producers, but for what is a thread's on a device ([`threads`]).
//!
//! Maps that read what a scan gives become its epilogue, in a pass of its own ([`epilogues`]).
//!
//! [`Refusal`] is the reason why a producer stays ([`kept`] collects them, for `fun explain --fusion`). Requires F8; ensures it. Cost: linear in the program for each round; a round fuses all pairs
//! of a body that do not depend on each other's fusion, so rounds are few, and bodies grow to at most [`LARGEST`] statements.

mod concats;
pub(super) mod cost;
pub mod epilogues;
mod flat;
mod inline;
pub mod kept;
pub(super) mod read_only;
mod reads;
mod roots;
mod survey;
pub mod threads;

use super::simplify::dead::drop_dead;
use crate::evidence::PassEvidence;
use crate::funmem::remove_checks;
use cost::Cost;
pub(super) use cost::is_costly;
use fun::ir::{Atom, Body, Combine, Exp, Fun, Function, Program, Statement, Type};
use fun::visit::names::{free_in_body, name_source};
use fun::visit::{Walk, for_each_body_mut, walk_exp, walk_program};
use fun_base::name::{NameSource, Symbol, Var};
use fun_base::prim::PrimType;
use reads::{Producer, Reads, Site};
use roots::Roots;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// The most statements that a consumer may have after fusion, those inside of others included.
const LARGEST: usize = 500;
/// The most rounds.
const ROUNDS: usize = 8;

/// Why a producer is not fused into its consumer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It is used in no statement, or in several where elements would be computed more than once, at a cost.
    NotOneConsumer,
    /// It is used otherwise than by reading elements or rows.
    NotRead,
    /// It is read in another shape, and its elements depend on where they are.
    NotElementwise,
    /// Elements would be computed more than once, at a cost.
    Repeated,
    /// An array that it reads may be consumed before its elements would be computed.
    Consumed,
    /// It may stop the program, and would do so later or not at all.
    Stops,
    /// The consumer is sequential, and the producer not cheap.
    Sequential,
    /// The consumer would be larger than [`LARGEST`], or the epilogue of a scan than it may be.
    Large,
    /// What reads a scan is no map over the same points, or reads it elsewhere than at its own.
    NoMap,
    /// What reads a scan is made of more than scalar operators and reads of elements.
    NoSteps,
    /// What reads a scan uses what is made after the scan, and another statement between uses the scan.
    Between,
}

/// Fuses in the whole program. Where a producer stays since something may stop the program, the assertions of the function that the prover shows
/// to hold go, with a certificate for each, and what is left is fused again.
pub fn run(mut program: Program, given: &mut PassEvidence) -> Program {
    let mut facts = Facts::new(consuming_params(&program));
    let mut names = name_source(&program);
    let stopped = fuse_all(&mut program, &mut facts, &mut names);
    let mut proved = false;
    for function in program.functions.iter_mut().filter(|function| stopped.contains(&function.name)) {
        let before = given.certificates.len();
        remove_checks::in_function(function, given);
        proved |= given.certificates.len() > before;
    }
    if proved {
        // (the conditions)
        program = drop_dead(program);
        fuse_all(&mut program, &mut facts, &mut names);
    }
    program
}

/// Fuses until there is nothing left to fuse. The functions where a producer stays since something may stop the program.
fn fuse_all(program: &mut Program, facts: &mut Facts, names: &mut NameSource) -> BTreeSet<Symbol> {
    let mut stopped = BTreeSet::new();
    facts.take(program);
    let mut made = false;
    for function in &mut program.functions {
        made |= read_only::in_function(function, facts, names);
    }
    if made {
        facts.take(program);
    }
    for _ in 0..ROUNDS {
        let mut split = false;
        for function in &mut program.functions {
            split |= concats::split_in(&mut function.body, &[], facts, names);
        }
        if !split {
            break;
        }
        facts.take(program);
    }
    for _ in 0..ROUNDS {
        let mut changed = false;
        stopped.clear();
        for function in &mut program.functions {
            let mut seen = Seen::default();
            fuse_in(&mut function.body, &[], facts, names, &mut seen);
            changed |= seen.fused;
            stopped.extend(seen.stopped.then_some(function.name));
        }
        if !changed {
            break;
        }
        facts.take(program);
    }
    stopped
}

/// What there was in a function.
#[derive(Default)]
struct Seen {
    /// Something that was fused.
    fused: bool,
    /// Something that was not, for [`Refusal::Stops`].
    stopped: bool,
}

/// What is known of the program.
struct Facts {
    /// The types of all variables but counters.
    types: BTreeMap<Var, Type>,
    /// For each function which of its parameters it may consume.
    consuming: BTreeMap<Symbol, Vec<bool>>,
    /// Whose cells arrays have.
    roots: Roots,
    /// Whether all that is looked at is one thread's, whose loops run in order in any case.
    one_thread: bool,
}

impl Facts {
    fn new(consuming: BTreeMap<Symbol, Vec<bool>>) -> Facts {
        Facts { types: BTreeMap::new(), consuming, roots: Roots::default(), one_thread: false }
    }

    /// What there is in a program as it is now.
    fn take(&mut self, program: &Program) {
        self.types.clear();
        self.roots = Roots::of(program);
        walk_program(self, program);
    }
}

impl Walk<Fun> for Facts {
    fn bind(&mut self, var: Var, ty: Option<&Type>) {
        self.types.extend(ty.map(|ty| (var, ty.clone())));
    }
}

fn consuming_params(program: &Program) -> BTreeMap<Symbol, Vec<bool>> {
    let unique = |function: &Function| function.params.iter().map(|param| param.unique).collect();
    program.functions.iter().map(|function| (function.name, unique(function))).collect()
}

/// Fuses in a body, of a loop that carries these variables if it is one's, and in those inside of it.
fn fuse_in(body: &mut Body, carried: &[Var], facts: &Facts, names: &mut NameSource, seen: &mut Seen) {
    for statement in &mut body.statements {
        let carried = carried_by(&statement.exp);
        for_each_body_mut(&mut statement.exp, &mut |inner| fuse_in(inner, &carried, facts, names, seen));
    }
    let reads = Reads::of_body(body, &facts.types);
    if reads.producers.is_empty() {
        return;
    }
    let mut fusion = Fusion::new(body, carried, facts);
    for (at, producer) in &reads.producers {
        match fusion.may_fuse(*at, producer) {
            Ok(consumers) => {
                fusion.fuse(*at, &consumers, &reads, names);
                seen.fused = true;
            }
            Err(refusal) => {
                let rows = || fusion.statements[*at].iter().any(read_only::gives_rows_and_may_stop);
                seen.stopped |= refusal == Refusal::Stops || refusal == Refusal::NotRead && rows();
            }
        }
    }
    body.statements = fusion.statements.into_iter().flatten().collect();
}

/// The variables that a loop carries.
fn carried_by(exp: &Exp) -> Vec<Var> {
    match exp {
        Exp::Loop { params, .. } => params.iter().map(|param| param.binder.var).collect(),
        _ => Vec::new(),
    }
}

/// A body whose statements are fused with each other.
struct Fusion<'f> {
    facts: &'f Facts,
    /// What the loop around carries.
    carried: &'f [Var],
    /// What became of each.
    statements: Vec<Vec<Statement>>,
    /// Which may stop the program.
    stops: BTreeSet<usize>,
    /// What each may consume.
    consumes: BTreeMap<usize, Vec<Consumed>>,
    /// Where the variables of the body are declared.
    declared: BTreeMap<Var, usize>,
}

/// An array that may be consumed.
#[derive(Clone, Copy)]
struct Consumed {
    array: Var,
    elem: PrimType,
    /// The statement of the body that made it, if that is known: what was declared before is no part of it.
    made: Option<usize>,
    /// Whether the loop around carries it.
    carried: bool,
}

impl Fusion<'_> {
    fn new<'f>(body: &mut Body, carried: &'f [Var], facts: &'f Facts) -> Fusion<'f> {
        let statements: Vec<Vec<Statement>> =
            std::mem::take(&mut body.statements).into_iter().map(|statement| vec![statement]).collect();
        let mut fusion = Fusion {
            facts,
            carried,
            statements,
            stops: BTreeSet::new(),
            consumes: BTreeMap::new(),
            declared: BTreeMap::new(),
        };
        let mut fresh = BTreeMap::new();
        for (at, statement) in fusion.statements.iter().flatten().enumerate() {
            if cost::may_stop(&statement.exp) {
                fusion.stops.insert(at);
            }
            for array in consumed(&statement.exp, facts) {
                let Some(elem) = facts.types.get(&array).map(Type::elem) else { continue };
                let made = fresh.get(&array).copied();
                fusion.consumes.entry(at).or_default().push(Consumed {
                    array,
                    elem,
                    made,
                    carried: carried.contains(&array),
                });
            }
            for binder in &statement.pattern {
                fusion.declared.insert(binder.var, at);
                if makes_fresh(&statement.exp) {
                    fresh.insert(binder.var, at);
                }
            }
        }
        fusion
    }

    /// Where the producer may go, if it may.
    fn may_fuse(&self, at: usize, producer: &Producer) -> Result<Vec<usize>, Refusal> {
        if !producer.only_read {
            return Err(Refusal::NotRead);
        }
        let consumers: BTreeMap<usize, Vec<&Site>> = producer.by_consumer();
        let last = *consumers.keys().last().ok_or(Refusal::NotOneConsumer)?;
        if producer.with_views.iter().any(|at| *at != last) {
            return Err(Refusal::NotOneConsumer);
        }
        let [Statement { pattern, exp: Exp::Kernel { space, combine: Combine::Map, body }, .. }] =
            self.statements[at].as_slice()
        else {
            return Err(Refusal::NotRead);
        };
        // (another producer may be in it by now)
        if producer.reshaped && !flat::is_elementwise(space, body, &self.facts.types) {
            return Err(Refusal::NotElementwise);
        }
        // (a place that goes round stays one of a loop's own only where each is read at its own)
        let rounds = cost::goes_round(space, body);
        let at_own = consumers
            .values()
            .flatten()
            .all(|site| rounds.iter().all(|dim| site.bounds.get(*dim) == Some(&Some(space[*dim].1))));
        let cost = if at_own { Cost::of_point(space, body) } else { Cost::of(body) };
        let stops = self.stops.contains(&at) || !at_own;
        if consumers.len() > 1 {
            let plain = producer.scalar && !producer.reshaped && producer.with_views.is_empty();
            let again = || {
                let read = |sites: &Vec<&Site>| sites.iter().map(|site| site.result).collect();
                cost.is_no_dearer_again(pattern, space, body, &self.facts.types, consumers.len())
                    || cost::is_separate(body, consumers.values().map(read))
            };
            if !plain || stops || !again() {
                return Err(Refusal::NotOneConsumer);
            }
        }
        for (consumer, sites) in &consumers {
            self.may_go(at, (stops, !rounds.is_empty()), (space, body, &cost), *consumer, sites)?;
        }
        Ok(consumers.into_keys().collect())
    }

    /// Whether a producer, which may stop the program and have places that go round, may go into a consumer, of which these are the reads.
    fn may_go(
        &self,
        at: usize,
        (stops, goes_round): (bool, bool),
        (space, body, cost): (&[(Var, Atom)], &Body, &Cost),
        consumer: usize,
        sites: &[&Site],
    ) -> Result<(), Refusal> {
        // (several reads of one point compute it once, if the first does so whatever happens)
        let place = &sites[0].place;
        let together = sites.iter().all(|site| site.place == *place && !site.conditional);
        let once = sites.iter().all(|site| site.once) && (sites.len() == 1 || together);
        if !once && !cost.is_repeatable(sites.len()) {
            return Err(Refusal::Repeated);
        }
        let reads = free_in_body(body);
        let arrays = reads.iter().filter_map(|var| Some((*var, self.facts.types.get(var)?)));
        let mut arrays = arrays.filter(|(_, ty)| ty.rank() > 0);
        if arrays.any(|(var, ty)| self.may_be_consumed(var, ty.elem(), at + 1..=consumer)) {
            return Err(Refusal::Consumed);
        }
        let all = once && sites.iter().all(|site| !site.conditional && site.covers(space));
        if stops && (!all || self.stops.range(at + 1..=consumer).next().is_some()) {
            return Err(Refusal::Stops);
        }
        // (one thread would divide for each element, a map's ends are split off)
        let is_kernel = |statement: &Statement| matches!(statement.exp, Exp::Kernel { .. });
        let one_thread = self.facts.one_thread && self.statements[consumer].iter().all(is_kernel);
        let dear = goes_round || !cost.is_cheap() && !one_thread;
        if dear && sites.iter().any(|site| site.sequential) {
            return Err(Refusal::Sequential);
        }
        if cost.statements * sites.len() + Cost::of_statements(&self.statements[consumer]) > LARGEST {
            return Err(Refusal::Large);
        }
        Ok(())
    }

    /// Whether one of these statements may consume a part of an array.
    fn may_be_consumed(&self, array: Var, elem: PrimType, statements: RangeInclusive<usize>) -> bool {
        let declared = self.declared.get(&array);
        let outside = declared.is_none() && !self.carried.contains(&array);
        let is_part = |consumed: &Consumed| {
            let before = consumed.made.is_some_and(|made| declared.is_none_or(|at| *at < made));
            let apart = before || self.facts.roots.are_apart(consumed.array, array);
            consumed.elem == elem && !apart && !(consumed.carried && outside)
        };
        self.consumes.range(statements).any(|(_, consumed)| consumed.iter().any(is_part))
    }

    /// Puts a producer into its consumers.
    fn fuse(&mut self, at: usize, consumers: &[usize], reads: &Reads, names: &mut NameSource) {
        let producer = std::mem::take(&mut self.statements[at]);
        for consumer in consumers {
            let into = std::mem::take(&mut self.statements[*consumer]);
            self.statements[*consumer] =
                inline::inline(at, &producer, &into, reads, &self.facts.types, names);
        }
        // views of it that stand between
        for view in &reads.producers[&at].views {
            self.statements[*view].clear();
        }
        if self.stops.remove(&at) {
            self.stops.extend(consumers);
        }
    }
}

/// Whether the arrays that an expression gives are new ones, no part of another.
fn makes_fresh(exp: &Exp) -> bool {
    matches!(
        exp,
        Exp::Kernel { combine: Combine::Map | Combine::Reduce { .. } | Combine::Scan { .. }, .. }
            | Exp::Replicate { .. }
            | Exp::Iota { .. }
            | Exp::Copy(_)
    )
}

/// The arrays that evaluating the expression may consume.
fn consumed(exp: &Exp, facts: &Facts) -> BTreeSet<Var> {
    struct Consumed<'f>(&'f Facts, BTreeSet<Var>);
    impl Walk<Fun> for Consumed<'_> {
        fn exp(&mut self, exp: &Exp) {
            let mut consume = |var: Var| _ = self.1.insert(var);
            match exp {
                Exp::Update { array, .. } => consume(*array),
                Exp::Kernel { combine: Combine::Hist { dests, .. } | Combine::Scatter { dests }, .. } => {
                    dests.iter().for_each(|dest| consume(*dest));
                }
                Exp::Call { function, args } => {
                    let unique = self.0.consuming.get(function);
                    for (k, arg) in args.iter().enumerate() {
                        if unique.is_none_or(|unique| unique.get(k).copied().unwrap_or(true)) {
                            arg.as_var().into_iter().for_each(&mut consume);
                        }
                    }
                }
                _ => {}
            }
            walk_exp(self, exp);
        }
    }
    let mut consumed = Consumed(facts, BTreeSet::new());
    consumed.exp(exp);
    consumed.1
}
