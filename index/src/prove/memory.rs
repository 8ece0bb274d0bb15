//! What was found out, and by which facts and computations: facts that are forgotten come again when a pass walks over the same
//! statements once more, and what was found out then need not be found again.
//!
//! A proof holds wherever all that it rests on is known. That nothing was found counts only where the same had come in the same order,
//! a *state*: more may help.

use super::Answer;
use super::computed::Rule;
use super::derivation::Claim;
use super::facts::Question;
use super::node::{Node, Reason};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What stands for a fact or a computation, wherever it is known.
pub(super) type Number = u32;

/// How much is known, and what that is: 0 for nothing, else the number of what came last and before which state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct State {
    pub(super) amount: usize,
    pub(super) number: u32,
}

/// What was found out about facts, for all who hold the same one: a proof serves wherever what it rests on is known.
#[derive(Clone, Default)]
pub struct Findings(pub(super) Rc<RefCell<Memory>>);

impl std::fmt::Debug for Findings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Findings({})", self.0.borrow().claims.len())
    }
}

/// What was found out about facts.
#[derive(Default)]
pub(super) struct Memory {
    claims: BTreeMap<Claim, Number>,
    rules: BTreeMap<Rule, Number>,
    states: BTreeMap<(u32, Number), u32>,
    answers: BTreeMap<Question, Vec<(State, Answer)>>,
    /// What computations say, with all that this rests on.
    said: BTreeMap<Number, Vec<Said>>,
    /// Where what they say was looked for.
    tried: BTreeMap<Number, Vec<Tried>>,
}

/// What a computation says, behind what that rests on.
type Said = (Rc<[Number]>, Rc<[Rc<Node>]>);

/// An attempt to find out what a computation says.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tried {
    pub(super) at: State,
    /// How many there were, with those before.
    pub(super) tries: u32,
    /// How often the variables that it is computed from occurred then in what was known.
    pub(super) uses: usize,
}

impl Memory {
    /// The number of a claim.
    pub(super) fn claim(&mut self, claim: &Claim) -> Number {
        if let Some(number) = self.claims.get(claim) {
            return *number;
        }
        let number = self.next();
        self.claims.insert(claim.clone(), number);
        number
    }

    /// The number of a computation.
    pub(super) fn rule(&mut self, rule: &Rule) -> Number {
        if let Some(number) = self.rules.get(rule) {
            return *number;
        }
        let number = self.next();
        self.rules.insert(rule.clone(), number);
        number
    }

    fn next(&self) -> Number {
        Number::try_from(self.claims.len() + self.rules.len()).unwrap_or(Number::MAX)
    }

    /// The state after one more has come.
    pub(super) fn state(&mut self, before: State, came: Number) -> State {
        let next = u32::try_from(self.states.len() + 1).unwrap_or(u32::MAX);
        let number = *self.states.entry((before.number, came)).or_insert(next);
        State { amount: before.amount + 1, number }
    }

    /// The answer to a question that was given in one of the states that led to this one, if it still holds.
    pub(super) fn answer(&self, question: &Question, path: &[State], now: State) -> Option<Answer> {
        let answers = self.answers.get(question)?;
        let holds = |(at, answer): &&(State, Answer)| *at == now || answer.is_proved() && is_on(path, *at);
        answers.iter().find(holds).map(|(_, answer)| answer.clone())
    }

    /// Keeps an answer.
    pub(super) fn keep_answer(&mut self, question: Question, now: State, answer: &Answer) {
        self.answers.entry(question).or_default().push((now, answer.clone()));
    }

    /// What a computation was found to say, if that rests on what is present.
    pub(super) fn said(
        &self,
        computation: Number,
        is_present: &dyn Fn(Number) -> bool,
    ) -> Option<Rc<[Rc<Node>]>> {
        let mut found = self.said.get(&computation)?.iter();
        let holds = |leaves: &[Number]| leaves.iter().all(|number| is_present(*number));
        found.find(|(leaves, _)| holds(leaves)).map(|(_, claims)| claims.clone())
    }

    /// Keeps what a computation says.
    pub(super) fn keep_said(&mut self, computation: Number, claims: Rc<[Rc<Node>]>) {
        let mut leaves = Leaves::default();
        claims.iter().for_each(|node| leaves.node(node));
        self.said.entry(computation).or_default().push((leaves.found.into_iter().collect(), claims));
    }

    /// The last attempt on the way to the present state.
    pub(super) fn tried(&self, computation: Number, path: &[State]) -> Option<Tried> {
        let tried = self.tried.get(&computation)?.iter();
        tried
            .filter(|tried| is_on(path, tried.at))
            .max_by_key(|tried| (tried.at.amount, tried.tries))
            .copied()
    }

    /// Keeps an attempt.
    pub(super) fn keep_tried(&mut self, computation: Number, tried: Tried) {
        self.tried.entry(computation).or_default().push(tried);
    }
}

/// Whether a state is one of those that were passed.
fn is_on(path: &[State], state: State) -> bool {
    match state.amount.checked_sub(1) {
        Some(before) => path.get(before) == Some(&state),
        None => true,
    }
}

/// Collects what proofs rest on.
#[derive(Default)]
struct Leaves {
    seen: BTreeSet<*const Node>,
    found: BTreeSet<Number>,
}

impl Leaves {
    fn node(&mut self, node: &Rc<Node>) {
        if !self.seen.insert(Rc::as_ptr(node)) {
            return;
        }
        self.found.extend(node.of);
        match &node.reason {
            Reason::Given(_) | Reason::Range(_) | Reason::Premise | Reason::Assumed => {}
            Reason::Definition { low, high, .. } | Reason::Both { low, high } => {
                [low, high].into_iter().for_each(|node| self.node(node));
            }
            Reason::Division { shown, .. } => shown.iter().for_each(|node| self.node(node)),
            Reason::Sum { terms, .. } => {
                terms.iter().flat_map(|(_, factors)| factors).for_each(|node| self.node(node));
            }
            Reason::Cases { first, second, .. } => {
                [&first.shows, &second.shows].into_iter().for_each(|node| self.node(node));
            }
            Reason::Apart { nonzero, nonneg } => {
                [nonzero, nonneg].into_iter().for_each(|node| self.node(node));
            }
        }
    }
}
