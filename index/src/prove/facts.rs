//! Facts: hypotheses about variables, each with its reason, in scopes.

use super::derivation::Claim;
use super::exact::Exact;
use super::node::{Node, Reason};
use super::{Outcome, Why};
use crate::poly::Poly;
use fun_base::name::Var;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

/// A division that the program does, where the dividend is at least 0 and the divisor at least 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Division {
    /// Its value is the quotient.
    pub quotient: Var,
    /// Its value is the remainder, if the program has that too.
    pub remainder: Option<Var>,
    /// What is divided.
    pub dividend: Poly,
    /// By what.
    pub divisor: Poly,
}

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
    /// Definitions that hold modulo 2^64.
    pub(super) definitions: Vec<(Var, Poly)>,
    /// Answers since the facts last changed.
    pub(super) memo: RefCell<BTreeMap<Exact, Outcome>>,
}

/// How much was known at some time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    known: usize,
    definitions: usize,
}

impl Facts {
    /// Nothing but that every variable is an i64.
    pub fn new() -> Facts {
        Facts::default()
    }

    /// What is known now, to come back to.
    pub fn mark(&self) -> Mark {
        Mark { known: self.known.len(), definitions: self.definitions.len() }
    }

    /// Forgets what came after the mark.
    pub fn reset(&mut self, mark: Mark) {
        self.definitions.truncate(mark.definitions);
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
        self.memo.get_mut().clear();
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

    /// `var = poly` modulo 2^64. If the facts so far show that the polynomial stays within i64, it is an equation between
    /// integers; otherwise it serves [`Facts::expand`] only.
    pub fn define(&mut self, var: Var, poly: Poly) {
        let exact = Exact::from(&poly);
        if !exact.has(var)
            && let Some((low, high)) = self.range_of(&exact)
            && let Some(equation) = Exact::var(var).sub(&exact)
        {
            let reason = Reason::Definition { var, poly: poly.clone(), low, high };
            self.insert(Node::new(Claim::Zero(equation), reason));
        }
        self.definitions.push((var, poly));
    }

    /// `quotient = dividend / divisor` and `remainder = dividend % divisor`. Tells something where the facts so far show that
    /// `divisor ≥ 1` and `dividend ≥ 0`, and that neither wraps.
    pub fn divide(&mut self, quotient: Var, remainder: Option<Var>, dividend: Poly, divisor: Poly) {
        let division = Division { quotient, remainder, dividend, divisor };
        for claim in self.division(&division).unwrap_or_default() {
            self.insert(claim);
        }
    }

    fn division(&self, division: &Division) -> Option<Vec<Rc<Node>>> {
        let (dividend, divisor) = (Exact::from(&division.dividend), Exact::from(&division.divisor));
        let most = i128::from(i64::MAX);
        let shown = [
            self.shown(&dividend)?,
            self.shown(&dividend.scale(-1)?.plus(most)?)?,
            self.shown(&divisor.plus(-1)?)?,
            self.shown(&divisor.scale(-1)?.plus(most)?)?,
        ];
        let quotient = Exact::var(division.quotient);
        let rest = dividend.sub(&quotient.mul(&divisor)?)?;
        let mut claims = vec![Claim::Nonneg(quotient)];
        match division.remainder {
            Some(var) => {
                let remainder = Exact::var(var);
                claims.push(Claim::Zero(rest.sub(&remainder)?));
                claims.push(Claim::Nonneg(divisor.plus(-1)?.sub(&remainder)?));
                claims.push(Claim::Nonneg(remainder));
            }
            None => {
                claims.push(Claim::Nonneg(divisor.plus(-1)?.sub(&rest)?));
                claims.push(Claim::Nonneg(rest));
            }
        }
        let reason = || Reason::Division { division: division.clone(), shown: shown.clone() };
        Some(claims.into_iter().map(|claim| Node::new(claim, reason())).collect())
    }

    /// The polynomial with every definition put in for its variable, modulo 2^64: equal results mean equal values at run time.
    pub fn expand(&self, poly: &Poly) -> Poly {
        let mut result = poly.clone();
        // A definition uses only variables from before it.
        for (var, definition) in self.definitions.iter().rev() {
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

    fn range_of(&self, poly: &Exact) -> Option<(Rc<Node>, Rc<Node>)> {
        let low = poly.plus(-i128::from(i64::MIN))?;
        let high = poly.scale(-1)?.plus(i128::from(i64::MAX))?;
        Some((self.shown(&low)?, self.shown(&high)?))
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
        self.memo.get_mut().clear();
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
    pub fn definitions(&self) -> &[(Var, Poly)] {
        &self.definitions
    }

    /// The divisions of the program that tell something, each as often as it tells something.
    pub fn divisions(&self) -> impl Iterator<Item = &Division> {
        self.known.iter().filter_map(|node| match &node.reason {
            Reason::Division { division, .. } => Some(division),
            _ => None,
        })
    }
}

impl fmt::Debug for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.claims()).finish()
    }
}
