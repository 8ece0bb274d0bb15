//! The loops of an iteration that threads can share, and what they cost.

use crate::imp::copy::can_fail;
use crate::imp::split_folds::{Accumulator, accumulators};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use imp::build::{bin, convert};
use imp::cost::{UNKNOWN_COUNT, constant_count, statement_cost};
use imp::ir::{Exp, LoopKind, Statement, StatementKind};
use std::collections::BTreeSet;

/// Iterations of plain bodies that compilers put in one vector, more or less.
const LANES: f64 = 8.0;

/// How threads share a loop.
pub(super) enum Task {
    /// Each has some iterations.
    Iterations,
    /// Each has some chunks of a reduction.
    Chunks(Vec<Accumulator>),
}

/// A nest of which threads may take the inner loops.
pub(super) struct Nest<'n> {
    /// How often the outer loop runs.
    pub(super) bound: &'n Exp,
    /// What an iteration declares, and its counter.
    pub(super) declared: BTreeSet<Var>,
    /// Nanoseconds that a loop has to take.
    pub(super) long: f64,
}

impl Nest<'_> {
    /// How threads can share a loop inside, if it may be long although the outer one is short, and its bound is known before the nest.
    pub(super) fn task(&self, kind: &StatementKind) -> Option<Task> {
        let StatementKind::For { var: _, ty: PrimType::I64, bound, kind, body } = kind else { return None };
        if bound == self.bound || !is_known(bound, &self.declared) {
            return None;
        }
        if let Some(count) = constant_count(bound)
            && count * Estimate::of_iteration(body, &self.declared).known < self.long
        {
            return None;
        }
        match kind {
            LoopKind::Par | LoopKind::Simd => Some(Task::Iterations),
            LoopKind::Fold => accumulators(body).map(Task::Chunks),
            _ => None,
        }
    }
}

/// Whether a number can be computed in front of what declares these variables.
fn is_known(exp: &Exp, declared: &BTreeSet<Var>) -> bool {
    let mut known = !exp.reads() && !can_fail(exp);
    exp.for_each_var(&mut |var| known &= !declared.contains(&var));
    known
}

/// What threads can share of an iteration, where nothing else in it may take long.
pub(super) struct Shares {
    /// Nanoseconds of a loop that they share, in the mean: an f64.
    pub(super) cost: Exp,
    /// Whether some are reductions.
    pub(super) folds: bool,
    /// Whether some are reductions of floats, whose values depend on how they are cut.
    pub(super) floats: bool,
}

impl Shares {
    /// Those of an iteration of the nest.
    pub(super) fn of(nest: &Nest, body: &[Statement]) -> Option<Shares> {
        let mut found = Found { nest, costs: Vec::new(), folds: false, floats: false };
        let all = found.statements(body);
        let count = found.costs.len() as f64;
        let total = found.costs.into_iter().reduce(|x, y| bin(BinOp::Add, PrimType::F64, x, y))?;
        let cost = if count > 1.0 { times(total, 1.0 / count) } else { total };
        all.then_some(Shares { cost, folds: found.folds, floats: found.floats })
    }
}

fn times(cost: Exp, factor: f64) -> Exp {
    bin(BinOp::Mul, PrimType::F64, cost, number(factor))
}

fn number(value: f64) -> Exp {
    Exp::Const(PrimValue::F64(value))
}

struct Found<'n> {
    nest: &'n Nest<'n>,
    costs: Vec<Exp>,
    folds: bool,
    floats: bool,
}

impl Found<'_> {
    /// Looks through statements; whether all that may take long in them are loops that threads can share.
    fn statements(&mut self, body: &[Statement]) -> bool {
        body.iter().all(|statement| self.statement(&statement.kind))
    }

    fn statement(&mut self, kind: &StatementKind) -> bool {
        if let Some(task) = self.nest.task(kind) {
            self.costs.push(Estimate::of_loop(kind, &self.nest.declared).exp());
            if let Task::Chunks(accumulators) = task {
                self.folds = true;
                self.floats |= accumulators.iter().any(|accumulator| accumulator.ty.is_float());
            }
            return true;
        }
        let before = self.costs.len();
        match kind {
            StatementKind::Copy { .. } | StatementKind::Call { .. } => false,
            StatementKind::For { bound, body, .. } => {
                let short = constant_count(bound).is_some();
                self.statements(body) && (short || self.costs.len() > before)
            }
            StatementKind::While { body, .. } => self.statements(body) && self.costs.len() > before,
            _ => {
                let mut all = true;
                kind.for_each_body(&mut |body| all = all && self.statements(body));
                all
            }
        }
    }
}

/// Nanoseconds, by estimate: a number, and what is only known when the program runs.
struct Estimate {
    known: f64,
    terms: Vec<Exp>,
}

impl Estimate {
    /// That of an iteration of a loop with this body.
    fn of_iteration(body: &[Statement], declared: &BTreeSet<Var>) -> Estimate {
        let mut all = Estimate { known: 0.0, terms: Vec::new() };
        let mut plain = true;
        for statement in body {
            let kind = &statement.kind;
            plain &= matches!(
                kind,
                StatementKind::Let { .. } | StatementKind::Write { .. } | StatementKind::Assign { .. }
            );
            let own = match kind {
                StatementKind::For { .. } => Estimate::of_loop(kind, declared),
                // procedures are not worth a look: nothing is shared beside calls
                _ => Estimate { known: statement_cost(kind, &|_| None).cost, terms: Vec::new() },
            };
            all.known += own.known;
            all.terms.extend(own.terms);
        }
        if plain {
            all.known /= LANES;
        }
        all
    }

    /// That of a loop.
    fn of_loop(kind: &StatementKind, declared: &BTreeSet<Var>) -> Estimate {
        let StatementKind::For { var: _, ty: PrimType::I64, bound, kind: _, body } = kind else {
            return Estimate { known: statement_cost(kind, &|_| None).cost, terms: Vec::new() };
        };
        let iteration = Estimate::of_iteration(body, declared);
        match constant_count(bound) {
            None if is_known(bound, declared) => {
                let count = convert(PrimType::F64, PrimType::I64, bound.clone());
                let term = bin(BinOp::Mul, PrimType::F64, count, iteration.exp());
                Estimate { known: 0.0, terms: vec![term] }
            }
            count => iteration.times(count.unwrap_or(UNKNOWN_COUNT)),
        }
    }

    fn times(self, factor: f64) -> Estimate {
        let terms = self.terms.into_iter().map(|term| times(term, factor));
        Estimate { known: self.known * factor, terms: terms.collect() }
    }

    fn exp(self) -> Exp {
        let known = (self.known > 0.0 || self.terms.is_empty()).then(|| number(self.known));
        let all = self.terms.into_iter().chain(known);
        all.reduce(|x, y| bin(BinOp::Add, PrimType::F64, x, y)).unwrap_or(number(0.0))
    }
}
