//! Facts: hypotheses about variables, each with its reason, in scopes.

use super::Why;
use super::computed::{Computed, Division, Rule};
use super::derivation::Claim;
use super::exact::Exact;
use super::node::{Node, Reason};
use crate::poly::Poly;
use fun_base::name::Var;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

/// What is known about variables at a place of the program.
///
/// Adding a fact costs about as much as writing it down: a query looks only at the facts that its variables lead to.
#[derive(Clone, Default)]
pub struct Facts {
    /// In the order of coming.
    pub(super) known: Vec<Rc<Node>>,
    /// The facts that a variable occurs in.
    pub(super) by_var: BTreeMap<Var, Vec<usize>>,
    /// The facts without a variable: true, or everything is.
    pub(super) closed: Vec<usize>,
    /// How variables are computed, in the order of coming.
    pub(super) computed: Vec<Computed>,
    /// The computations by what they compute.
    pub(super) by_result: BTreeMap<Var, Vec<usize>>,
    /// How many proofs that a computation does not wrap are under way.
    pub(super) depth: Cell<u32>,
}

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

    /// What is known now, to come back to.
    pub fn mark(&self) -> Mark {
        Mark { known: self.known.len(), computed: self.computed.len() }
    }

    /// Forgets what came after the mark.
    pub fn reset(&mut self, mark: Mark) {
        for computed in self.computed.drain(mark.computed..) {
            for var in computed.results() {
                if let Some(uses) = self.by_result.get_mut(&var) {
                    uses.retain(|at| *at < mark.computed);
                }
            }
        }
        self.computed.iter_mut().for_each(|computed| computed.forget_beyond(mark.known));
        if self.known.len() <= mark.known {
            return;
        }
        self.closed.retain(|at| *at < mark.known);
        for node in self.known.drain(mark.known..) {
            for var in node.claim.poly().vars() {
                if let Some(uses) = self.by_var.get_mut(&var) {
                    while uses.last().is_some_and(|at| *at >= mark.known) {
                        uses.pop();
                    }
                }
            }
        }
    }

    /// `poly ≥ 0` over the integers.
    pub fn assume_nonneg(&mut self, poly: Poly, why: Why) {
        self.insert(Node::new(Claim::Nonneg(Exact::from(&poly)), Reason::Given(why)));
    }

    /// `poly = 0` over the integers.
    pub fn assume_zero(&mut self, poly: Poly, why: Why) {
        self.insert(Node::new(Claim::Zero(Exact::from(&poly)), Reason::Given(why)));
    }

    /// `poly ≠ 0` over the integers.
    pub fn assume_nonzero(&mut self, poly: Poly, why: Why) {
        self.insert(Node::new(Claim::Nonzero(Exact::from(&poly)), Reason::Given(why)));
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
        let computed = Computed::new(rule);
        for var in computed.results() {
            self.by_result.entry(var).or_default().push(self.computed.len());
        }
        self.computed.push(computed);
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

    fn insert(&mut self, node: Rc<Node>) {
        let vars = node.claim.poly().vars();
        if vars.is_empty() {
            self.closed.push(self.known.len());
        }
        for var in vars {
            self.by_var.entry(var).or_default().push(self.known.len());
        }
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

impl fmt::Debug for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.claims()).finish()
    }
}
