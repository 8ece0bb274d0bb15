//! Facts: hypotheses about variables, each with its reason, in scopes.

use super::computed::{Computed, Division, Rule};
use super::derivation::Claim;
use super::exact::{Exact, MOST_FACTORS};
use super::memory::{Findings, Memory, Number, State};
use super::node::{Node, Reason};
use super::{Answer, Why};
use crate::poly::{Monomial, Poly};
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
    /// How often each fact and computation is there, by their numbers: programs say the same thing of a size again and again.
    present: Vec<u32>,
    /// Their numbers, in the order of coming.
    came: Vec<Number>,
    /// What was known after each.
    pub(super) path: Vec<State>,
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
    /// What was found out.
    pub(super) memory: Rc<RefCell<Memory>>,
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

    /// As [`Facts::new`], for questions whose answers matter only if they are proofs: witnesses are hardly looked for. What was found
    /// out before serves here too, and what is found out here is added.
    pub fn for_proofs(findings: &Findings) -> Facts {
        Facts { only_proofs: true, memory: findings.0.clone(), ..Facts::default() }
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
        self.closed.retain(|at| *at < mark.known);
        for vars in self.vars.drain(mark.known..) {
            for var in vars.iter() {
                forget(&mut self.by_var, *var, mark.known);
            }
        }
        self.known.truncate(mark.known);
        for number in self.came.drain(mark.known + mark.computed..) {
            self.present[number as usize] -= 1;
        }
        self.path.truncate(mark.known + mark.computed);
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
        let floors = false;
        self.compute(Rule::Division(Division { quotient, remainder, dividend, divisor, floors }));
    }

    /// The same, rounded down: tells something where the dividend may be negative, too.
    pub fn divide_down(&mut self, quotient: Var, remainder: Option<Var>, dividend: Poly, divisor: Poly) {
        self.divide(quotient, remainder, dividend.clone(), divisor.clone());
        let floors = true;
        self.compute(Rule::Division(Division { quotient, remainder, dividend, divisor, floors }));
    }

    fn compute(&mut self, rule: Rule) {
        let number = self.memory.borrow_mut().rule(&rule);
        let computed = Computed { rule, number };
        for var in computed.results() {
            self.by_result.entry(var).or_default().push(self.computed.len());
        }
        for var in computed.vars() {
            self.by_operand.entry(var).or_default().push(self.computed.len());
        }
        self.computed.push(computed);
        self.arrive(number);
    }

    /// A fact or computation has come.
    fn arrive(&mut self, number: Number) {
        let at = number as usize;
        if self.present.len() <= at {
            self.present.resize(at + 1, 0);
        }
        self.present[at] += 1;
        let state = self.memory.borrow_mut().state(self.state(), number);
        self.came.push(number);
        self.path.push(state);
    }

    /// Whether the fact or computation is there.
    pub(super) fn is_present(&self, number: Number) -> bool {
        self.present.get(number as usize).is_some_and(|count| *count > 0)
    }

    /// What is known.
    pub(super) fn state(&self) -> State {
        self.path.last().copied().unwrap_or_default()
    }

    /// The answer to a question, if it was asked before and still holds: what was proved from fewer facts does.
    pub(super) fn remembered(&self, question: &Question) -> Option<Answer> {
        self.memory.borrow().answer(question, &self.path, self.state())
    }

    /// Keeps an answer.
    pub(super) fn remember(&self, question: Question, answer: &Answer) {
        self.memory.borrow_mut().keep_answer(question, self.state(), answer);
    }

    /// The polynomial with every definition put in for its variable, modulo 2^64, up to the first that would make it too large: equal results
    /// mean equal values at run time.
    pub fn expand(&self, poly: &Poly) -> Poly {
        self.put_in(poly, &|_| true)
    }

    /// As [`Facts::expand`], where each definition that is put in is an equation between integers: the result is, as an integer, what the
    /// polynomial is. `None` if that was not shown of one.
    pub fn expand_exactly(&self, poly: &Poly) -> Option<Poly> {
        let result = self.put_in(poly, &|at| !self.claims_of(at).is_empty());
        let mut all = true;
        result.for_each_var(&mut |var| {
            let mut computed = self.by_result.get(&var).into_iter().flatten();
            all &= !computed.any(|at| matches!(self.computed[*at].rule, Rule::Definition(..)));
        });
        all.then_some(result)
    }

    /// The polynomial with definitions put in that pass the test, for each variable the last of these.
    fn put_in(&self, poly: &Poly, test: &dyn Fn(usize) -> bool) -> Poly {
        let mut result = poly.clone();
        let mut before = self.computed.len();
        // A definition uses only variables from before it.
        loop {
            let mut last: Option<(usize, Var)> = None;
            result.for_each_var(&mut |var| {
                let uses = self.by_result.get(&var).map_or(&[][..], Vec::as_slice);
                let uses = &uses[..uses.partition_point(|at| *at < before)];
                last = last.max(uses.last().map(|at| (*at, var)));
            });
            let Some((at, var)) = last else { return result };
            before = at;
            if let Rule::Definition(_, definition) = &self.computed[at].rule
                && test(at)
            {
                let factors = |(monomial, _): (&Monomial, i64)| {
                    let power = monomial.iter().filter(|v| **v == var).count();
                    monomial.len() - power + power * definition.degree()
                };
                if result.terms().map(factors).max().unwrap_or(0) > MOST_FACTORS {
                    return result;
                }
                result = result.subst(&mut |v| if v == var { definition.clone() } else { Poly::var(v) });
            }
        }
    }

    /// Whether the facts show that the polynomial, computed over the integers, is an i64: then wrapping arithmetic gives the
    /// same.
    pub fn exact(&self, poly: &Poly) -> bool {
        self.range_of(&Exact::from(poly)).is_some()
    }

    /// Whether a claim about these variables, and what the program computes of them, is false for these values.
    pub fn exclude(&self, values: &BTreeMap<Var, i64>) -> bool {
        let mut values = values.clone();
        for computed in &self.computed {
            let number = |poly: &Poly| poly.eval(&mut |var| values.get(&var).copied());
            let result = match &computed.rule {
                Rule::Definition(var, poly) => number(poly).map(|value| (*var, value)),
                Rule::Division(Division { quotient, dividend, divisor, floors, .. }) => {
                    let operands = number(dividend).zip(number(divisor));
                    let known =
                        operands.filter(|(dividend, divisor)| *divisor >= 1 && (*floors || *dividend >= 0));
                    known.map(|(dividend, divisor)| (*quotient, dividend.div_euclid(divisor)))
                }
            };
            if let Some((var, value)) = result {
                values.entry(var).or_insert(value);
            }
        }
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
        let number = self.memory.borrow_mut().claim(&claim);
        if self.is_present(number) {
            return;
        }
        let node = Node::said_by(claim, Reason::Given(why), number);
        let vars = node.claim.poly().vars();
        if vars.is_empty() {
            self.closed.push(self.known.len());
        }
        for var in &vars {
            self.by_var.entry(*var).or_default().push(self.known.len());
        }
        self.vars.push(vars.into());
        self.known.push(node);
        self.arrive(number);
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
        if places.is_empty() {
            uses.remove(&var);
        }
    }
}

impl fmt::Debug for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.claims()).finish()
    }
}
