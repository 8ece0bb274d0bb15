//! Facts: hypotheses about variables, each with its reason, in scopes.

use super::computed::{Computed, Division, Rule};
use super::derivation::Claim;
use super::exact::Exact;
use super::node::{Node, Reason};
use super::{Answer, Why};
use crate::poly::Poly;
use fun_base::name::Var;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;

/// What is known about variables at a place of the program.
///
/// Adding a fact costs about as much as writing it down: a query looks only at the facts that its variables lead to.
#[derive(Clone, Default)]
pub struct Facts {
    /// In the order of coming.
    pub(super) known: Vec<Rc<Node>>,
    /// The variables of each, sorted.
    pub(super) vars: Vec<Rc<[Var]>>,
    /// What the facts claim: programs say the same thing of a size again and again.
    present: BTreeSet<Claim>,
    /// The facts that a variable occurs in.
    pub(super) by_var: BTreeMap<Var, Vec<usize>>,
    /// The facts without a variable: true, or everything is.
    pub(super) closed: Vec<usize>,
    /// How variables are computed, in the order of coming.
    pub(super) computed: Vec<Computed>,
    /// The computations by what they compute.
    pub(super) by_result: BTreeMap<Var, Vec<usize>>,
    /// The computations by all variables in them.
    pub(super) by_operand: BTreeMap<Var, Vec<usize>>,
    /// Whether nobody wants to know why something does not hold: looking for a witness takes longer than most proofs.
    pub(super) only_proofs: bool,
    /// Answers, with how much was known then.
    answers: RefCell<BTreeMap<Rc<Question>, (usize, Answer)>>,
    /// The questions in the order of asking, with how much was known then.
    asked: RefCell<Vec<(usize, Rc<Question>)>>,
    /// The computations that were found to say something or nothing, by how much must be known for that.
    pub(super) said: RefCell<BTreeSet<(usize, usize)>>,
    /// How many proofs that a computation does not wrap are under way.
    pub(super) depth: Cell<u32>,
}

/// Which kind of question, and what about.
pub(super) type Question = (u8, Vec<Poly>);

/// How much was known at some time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    known: usize,
    computed: usize,
}

impl Facts {
    /// Nothing but that every variable is an i64.
    pub fn new() -> Facts {
        Facts::default()
    }

    /// As [`Facts::new`], for questions whose answers matter only if they are proofs: witnesses are hardly looked for.
    pub fn for_proofs() -> Facts {
        Facts { only_proofs: true, ..Facts::default() }
    }

    /// What is known now, to come back to.
    pub fn mark(&self) -> Mark {
        Mark { known: self.known.len(), computed: self.computed.len() }
    }

    /// Forgets what came after the mark.
    pub fn reset(&mut self, mark: Mark) {
        for computed in self.computed.drain(mark.computed..) {
            for var in computed.results() {
                forget(&mut self.by_result, var, mark.computed);
            }
            for var in computed.vars() {
                forget(&mut self.by_operand, var, mark.computed);
            }
        }
        let amount = mark.known + mark.computed;
        for (_, at) in self.said.get_mut().split_off(&(amount + 1, 0)) {
            if let Some(computed) = self.computed.get_mut(at) {
                computed.forget_beyond(amount);
            }
        }
        while let Some((_, question)) = self.asked.get_mut().pop_if(|(known, _)| *known > amount) {
            // (it may have been answered again)
            let answers = self.answers.get_mut();
            if answers.get(&question).is_some_and(|(known, _)| *known > amount) {
                answers.remove(&question);
            }
        }
        if self.known.len() <= mark.known {
            return;
        }
        self.closed.retain(|at| *at < mark.known);
        for (node, vars) in self.known.drain(mark.known..).zip(self.vars.drain(mark.known..)) {
            self.present.remove(&node.claim);
            for var in vars.iter() {
                forget(&mut self.by_var, *var, mark.known);
            }
        }
    }

    /// `poly ≥ 0` over the integers.
    pub fn assume_nonneg(&mut self, poly: Poly, why: Why) {
        self.insert(Claim::Nonneg(Exact::from(&poly)), why);
    }

    /// `poly = 0` over the integers.
    pub fn assume_zero(&mut self, poly: Poly, why: Why) {
        self.insert(Claim::Zero(Exact::from(&poly)), why);
    }

    /// `poly ≠ 0` over the integers.
    pub fn assume_nonzero(&mut self, poly: Poly, why: Why) {
        self.insert(Claim::Nonzero(Exact::from(&poly)), why);
    }

    /// `var = poly` modulo 2^64. Where the facts show that the polynomial stays within i64, it is an equation between integers;
    /// otherwise it serves [`Facts::expand`] only.
    pub fn define(&mut self, var: Var, poly: Poly) {
        self.compute(Rule::Definition(var, poly));
    }

    /// `quotient = dividend / divisor` and `remainder = dividend % divisor`. Tells something where the facts show that
    /// `divisor ≥ 1` and `dividend ≥ 0`, and that neither wraps.
    pub fn divide(&mut self, quotient: Var, remainder: Option<Var>, dividend: Poly, divisor: Poly) {
        self.compute(Rule::Division(Division { quotient, remainder, dividend, divisor }));
    }

    fn compute(&mut self, rule: Rule) {
        let computed = Computed::new(rule, self.amount() + 1);
        for var in computed.results() {
            self.by_result.entry(var).or_default().push(self.computed.len());
        }
        for var in computed.vars() {
            self.by_operand.entry(var).or_default().push(self.computed.len());
        }
        self.computed.push(computed);
    }

    /// The answer to a question, if it was asked before and still holds: what was proved from fewer facts does.
    pub(super) fn remembered(&self, question: &Question) -> Option<Answer> {
        let answers = self.answers.borrow();
        let (known, answer) = answers.get(question)?;
        let same = *known == self.amount();
        (same || answer.is_proved()).then(|| answer.clone())
    }

    /// How much is known.
    pub(super) fn amount(&self) -> usize {
        self.known.len() + self.computed.len()
    }

    /// Keeps an answer.
    pub(super) fn remember(&self, question: Question, answer: &Answer) {
        let (known, question) = (self.amount(), Rc::new(question));
        self.asked.borrow_mut().push((known, question.clone()));
        self.answers.borrow_mut().insert(question, (known, answer.clone()));
    }

    /// The polynomial with every definition put in for its variable, modulo 2^64: equal results mean equal values at run time.
    pub fn expand(&self, poly: &Poly) -> Poly {
        let mut result = poly.clone();
        // A definition uses only variables from before it.
        for computed in self.computed.iter().rev() {
            let Rule::Definition(var, definition) = &computed.rule else { continue };
            let mut occurs = false;
            result.for_each_var(&mut |other| occurs |= other == *var);
            if occurs {
                result = result.subst(&mut |v| if v == *var { definition.clone() } else { Poly::var(v) });
            }
        }
        result
    }

    /// Whether the facts show that the polynomial, computed over the integers, is an i64: then wrapping arithmetic gives the
    /// same.
    pub fn exact(&self, poly: &Poly) -> bool {
        self.range_of(&Exact::from(poly)).is_some()
    }

    /// Whether a claim about these variables alone is false for these values.
    pub fn exclude(&self, values: &BTreeMap<Var, i64>) -> bool {
        let about = values.keys().filter_map(|var| self.by_var.get(var)).flatten();
        let about: BTreeSet<usize> = about.copied().collect();
        about.into_iter().any(|at| {
            let claim = &self.known[at].claim;
            let value = claim.poly().eval(&|var| values.get(&var).copied().map(i128::from));
            value.is_some_and(|value| match claim {
                Claim::Nonneg(_) => value < 0,
                Claim::Zero(_) => value != 0,
                Claim::Nonzero(_) => value == 0,
            })
        })
    }

    fn insert(&mut self, claim: Claim, why: Why) {
        if !self.present.insert(claim.clone()) {
            return;
        }
        let node = Node::resting_on(claim, Reason::Given(why), self.amount() + 1);
        let vars = node.claim.poly().vars();
        if vars.is_empty() {
            self.closed.push(self.known.len());
        }
        for var in &vars {
            self.by_var.entry(*var).or_default().push(self.known.len());
        }
        self.vars.push(vars.into());
        self.known.push(node);
    }

    /// The hypotheses, as a checker of derivations must find them in the program.
    pub fn claims(&self) -> impl Iterator<Item = &Claim> {
        self.known.iter().map(|node| &node.claim)
    }

    /// The hypotheses that were assumed, with their reasons.
    pub fn assumed(&self) -> impl Iterator<Item = (&Claim, Why)> {
        self.known.iter().filter_map(|node| match node.reason {
            Reason::Given(why) => Some((&node.claim, why)),
            _ => None,
        })
    }

    /// The definitions of the program, modulo 2^64.
    pub fn definitions(&self) -> impl Iterator<Item = (&Var, &Poly)> {
        self.computed.iter().filter_map(|computed| match &computed.rule {
            Rule::Definition(var, poly) => Some((var, poly)),
            Rule::Division(_) => None,
        })
    }

    /// The divisions of the program.
    pub fn divisions(&self) -> impl Iterator<Item = &Division> {
        self.computed.iter().filter_map(|computed| match &computed.rule {
            Rule::Division(division) => Some(division),
            Rule::Definition(..) => None,
        })
    }
}

/// Forgets the uses of a variable from a number on.
fn forget(uses: &mut BTreeMap<Var, Vec<usize>>, var: Var, from: usize) {
    if let Some(places) = uses.get_mut(&var) {
        while places.last().is_some_and(|at| *at >= from) {
            places.pop();
        }
    }
}

impl fmt::Debug for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.claims()).finish()
    }
}
