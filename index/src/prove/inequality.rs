//! Inequalities, by rising cost: constants, signs of terms, extremes of bounded variables, and what `products` finds.

use super::context::Context;
use super::derivation::{Claim, Goal};
use super::exact::{Exact, monomial_quotient};
use super::facts::Facts;
use super::node::{Node, NodeTerm, Reason};
use super::{Answer, answer, witness};
use crate::poly::{Monomial, Poly};
use fun_base::name::Var;
use std::rc::Rc;

/// How many ways of putting in extremes are tried for one goal.
const EXTREMES: u32 = 40;
/// And to find whether a variable is not negative.
const FLOOR_TRIES: u32 = 6;
/// From this size on constants make the bounds of i64 matter.
pub(super) const LARGE: i128 = 1 << 40;

/// See [`super::nonneg`].
pub(super) fn nonneg(facts: &Facts, poly: &Poly) -> Answer {
    let goal = Exact::from(poly);
    let mut near = Context::nearby(facts, goal.vars());
    if let Some(node) = near.evident(&goal) {
        return answer(Goal::Nonneg(goal), &[node]);
    }
    let mut context = near.widened(facts, goal.vars());
    // Where the facts contradict each other anything holds.
    let contradiction = |context: &mut Context| {
        let absurd = context.shown_quietly(&Exact::constant(-1))?;
        Context::from_absurd(Claim::Nonneg(goal.clone()), &absurd)
    };
    let found = context.shown(&goal).or_else(|| contradiction(&mut context));
    match found.or_else(|| context.shown_exactly(&goal)) {
        Some(node) => answer(Goal::Nonneg(goal), &[node]),
        None => match witness::negative(facts, &goal, &mut context.work) {
            Some(witness) => Answer::Refuted(witness),
            None => Answer::Unknown(vec![poly.clone()]),
        },
    }
}

/// See [`super::zero`].
pub(super) fn zero(facts: &Facts, poly: &Poly) -> Answer {
    let goal = Exact::from(poly);
    let mut context = Context::new(facts, goal.vars(), u32::MAX);
    match context.shown_zero(&goal) {
        Some(node) => answer(Goal::Zero(goal), &[node]),
        None => match witness::not_zero(facts, &goal, &mut context.work) {
            Some(witness) => Answer::Refuted(witness),
            None => {
                let both = [Some(goal.clone()), goal.scale(-1)].into_iter().flatten();
                Answer::Unknown(both.filter_map(|goal| goal.to_poly()).collect())
            }
        },
    }
}

impl Facts {
    /// The claim `goal ≥ 0`, if it was found to follow.
    pub(super) fn shown(&self, goal: &Exact) -> Option<Rc<Node>> {
        // Mostly the nearest facts suffice, and few facts are soon looked through.
        let mut near = Context::nearby(self, goal.vars());
        near.evident(goal).or_else(|| near.widened(self, goal.vars()).shown(goal))
    }
}

impl Context {
    /// The claim `goal ≥ 0`, if it was found to follow. Notes the goal otherwise.
    pub(super) fn shown(&mut self, goal: &Exact) -> Option<Rc<Node>> {
        let found = self.search(goal, true);
        if found.is_none() {
            self.lack(goal);
        }
        found
    }

    /// The claim `goal = 0`, if it was found to follow.
    pub(super) fn shown_zero(&mut self, goal: &Exact) -> Option<Rc<Node>> {
        if let Some(absurd) = self.absurd.clone() {
            return Some(absurd);
        }
        let (reduced, terms) = self.reduce(goal)?;
        if reduced.is_zero() {
            return Node::sum(Claim::Zero(goal.clone()), 1, terms);
        }
        Node::both(&self.shown(goal)?, &self.shown(&goal.scale(-1)?)?)
    }

    /// As [`Context::shown`], but without a note.
    pub(super) fn shown_quietly(&mut self, goal: &Exact) -> Option<Rc<Node>> {
        self.search(goal, true)
    }

    /// As [`Context::shown`], but not by products, and without a note.
    pub(super) fn evident(&mut self, goal: &Exact) -> Option<Rc<Node>> {
        self.search(goal, false)
    }

    fn search(&mut self, goal: &Exact, thorough: bool) -> Option<Rc<Node>> {
        if let Some(absurd) = self.absurd.clone() {
            return Context::from_absurd(Claim::Nonneg(goal.clone()), &absurd);
        }
        let (reduced, mut terms) = self.reduce(goal)?;
        if reduced.as_constant().is_some_and(|c| c >= 0) {
            return Node::sum(Claim::Nonneg(goal.clone()), 1, terms);
        }
        let content = reduced.content().max(1);
        let smaller = if content == 1 { reduced } else { reduced.divided_down(content) };
        let node = match self.memo.get(&smaller) {
            Some(Some(node)) => node.clone(),
            Some(None) => return None,
            // What is false in a model has no proof.
            None if self.false_in_known_model(&smaller) => {
                self.memo.insert(smaller, None);
                return None;
            }
            None => {
                let mut tries = EXTREMES;
                let cheap = self.by_signs(&smaller).or_else(|| self.by_range(&smaller));
                let cheap = cheap.or_else(|| self.by_size(&smaller));
                let cheap = cheap.or_else(|| self.by_extremes(&smaller, &mut tries));
                if cheap.is_none() && !thorough {
                    return None;
                }
                let found = cheap.or_else(|| {
                    if self.false_in_model(&smaller) { None } else { self.by_products(&smaller) }
                });
                self.memo.insert(smaller, found.clone());
                found?
            }
        };
        if node.poly() == goal {
            return Some(node);
        }
        terms.push((Exact::constant(content), vec![node]));
        Node::sum(Claim::Nonneg(goal.clone()), 1, terms)
    }

    /// No term is negative once variables count from their least values.
    fn by_signs(&mut self, goal: &Exact) -> Option<Rc<Node>> {
        // A term that is negative is made up for by one of its multiples only.
        let made_up_for = |monomial: &Monomial| {
            let multiple = |other: &Monomial| other.len() > monomial.len() && divides(monomial, other);
            goal.terms().any(|(other, c)| c > 0 && multiple(other))
        };
        if goal.terms().any(|(monomial, c)| c < 0 && !monomial.is_empty() && !made_up_for(monomial)) {
            return None;
        }
        // That variables are not negative is at hand more often than that they are positive.
        let positive = goal.constant_term() < 0;
        self.counted_from_least(goal, false)
            .or_else(|| if positive { self.counted_from_least(goal, true) } else { None })
    }

    fn counted_from_least(&mut self, goal: &Exact, positive: bool) -> Option<Rc<Node>> {
        self.work += goal.terms().count() as u64;
        let mut rest = goal.clone();
        let mut terms: Vec<NodeTerm> = Vec::new();
        // Highest degree first: a product of `var - least` leaves only terms of lower degree.
        while let Some((monomial, c)) = rest.lead().filter(|(monomial, _)| !monomial.is_empty()) {
            if c < 0 {
                return None;
            }
            let (monomial, mut product) = (monomial.clone(), Exact::constant(c));
            let mut factors = Vec::with_capacity(monomial.len());
            for var in &monomial {
                let bound = self.least(*var, positive)?;
                product = product.mul(bound.poly())?;
                factors.push(bound);
            }
            rest = rest.sub(&product)?;
            terms.push((Exact::constant(c), factors));
        }
        Node::sum(Claim::Nonneg(goal.clone()), 1, terms)
    }

    /// A bound `var - least ≥ 0` for a constant `least` that is not negative, or that is positive.
    fn least(&mut self, var: Var, positive: bool) -> Option<Rc<Node>> {
        let most = if positive { -1 } else { 0 };
        let fits = |node: &&Rc<Node>| node.poly().beyond_var(var).is_some_and(|beyond| beyond <= most);
        if let Some(node) = self.bounds.iter().find(fits) {
            return Some(node.clone());
        }
        // Through other variables: `m` where `0 ≤ j` and `j < m`. Not found while it is being looked for.
        if let Some(found) = self.floors.get(&var) {
            return found.clone().filter(|node| node.poly().constant_term() <= most);
        }
        self.floors.insert(var, None);
        let found = [1, 0].into_iter().find_map(|least| {
            let goal = Exact::var(var).plus(-least)?;
            let mut tries = FLOOR_TRIES;
            self.by_extremes(&goal, &mut tries)
        });
        self.floors.insert(var, found.clone());
        found.filter(|node| node.poly().constant_term() <= most)
    }

    /// Variables replaced by a bound that makes the goal no larger, until the signs of terms decide.
    fn by_extremes(&mut self, goal: &Exact, tries: &mut u32) -> Option<Rc<Node>> {
        *tries = tries.checked_sub(1)?;
        let mut vars = goal.vars();
        vars.reverse();
        for var in vars {
            let (constant, sign, slope) = match goal.constant_slope_in(var) {
                Some(c) => (c.abs(), c.signum(), None),
                None => {
                    let Some(slope) = goal.slope_in(var) else { continue };
                    match self.by_signs(&slope) {
                        Some(node) => (1, 1, Some(node)),
                        None => match slope.scale(-1).and_then(|negated| self.by_signs(&negated)) {
                            Some(node) => (1, -1, Some(node)),
                            None => continue,
                        },
                    }
                }
            };
            let suits = |node: &&Rc<Node>| node.poly().constant_slope_in(var) == Some(sign);
            let bounds: Vec<Rc<Node>> = self.bounds.iter().filter(suits).cloned().collect();
            if bounds.is_empty() {
                continue;
            }
            for bound in bounds {
                let mut factors = vec![bound];
                factors.extend(slope.clone());
                let multiplier = Exact::constant(constant);
                let mut product = multiplier.clone();
                for factor in &factors {
                    product = product.mul(factor.poly())?;
                }
                let rest = goal.sub(&product)?;
                self.work += rest.terms().count() as u64 * 4;
                let found = match rest.as_constant() {
                    Some(c) if c < 0 => None,
                    Some(_) => return Node::sum(Claim::Nonneg(goal.clone()), 1, vec![(multiplier, factors)]),
                    None => {
                        let cheap = self.by_signs(&rest).or_else(|| self.by_range(&rest));
                        cheap.or_else(|| self.by_extremes(&rest, tries))
                    }
                };
                if let Some(node) = found {
                    let terms = vec![(multiplier, factors), (Exact::constant(1), vec![node])];
                    return Node::sum(Claim::Nonneg(goal.clone()), 1, terms);
                }
            }
            // The order of variables rarely matters, so the first that has a bound is the only one.
            return None;
        }
        None
    }

    /// Variables are i64.
    fn by_range(&self, goal: &Exact) -> Option<Rc<Node>> {
        let mut least = goal.constant_term();
        if least < LARGE {
            return None;
        }
        let mut terms: Vec<NodeTerm> = Vec::new();
        for (monomial, c) in goal.terms().filter(|(monomial, _)| !monomial.is_empty()) {
            let [var] = monomial[..] else { return None };
            if var.tag >= self.points_from {
                return None;
            }
            let end = Node::new(Claim::Nonneg(range_end(var, c > 0)?), Reason::Range(var));
            least = least.checked_sub(end.poly().constant_term().checked_mul(c.checked_abs()?)?)?;
            terms.push((Exact::constant(c.checked_abs()?), vec![end]));
        }
        if least < 0 { None } else { Node::sum(Claim::Nonneg(goal.clone()), 1, terms) }
    }

    /// What is below the number of elements of an array is an i64, as that is.
    fn by_size(&mut self, goal: &Exact) -> Option<Rc<Node>> {
        let large = |poly: &Exact| poly.constant_term() >= LARGE;
        if !large(goal) {
            return None;
        }
        let sizes: Vec<Rc<Node>> = self.bounds.iter().filter(|node| large(node.poly())).cloned().collect();
        sizes.into_iter().find_map(|size| {
            let rest = goal.sub(size.poly())?;
            let mut tries = EXTREMES;
            let rest = self.by_signs(&rest).or_else(|| self.by_extremes(&rest, &mut tries))?;
            let one = Exact::constant(1);
            let terms = vec![(one.clone(), vec![size]), (one, vec![rest])];
            Node::sum(Claim::Nonneg(goal.clone()), 1, terms)
        })
    }
}

/// How far a variable is above the least i64, or below the greatest.
pub(super) fn range_end(var: Var, least: bool) -> Option<Exact> {
    let exact = Exact::var(var);
    if least { exact.plus(-i128::from(i64::MIN)) } else { exact.scale(-1)?.plus(i128::from(i64::MAX)) }
}

/// Whether a monomial is part of another.
fn divides(part: &Monomial, whole: &Monomial) -> bool {
    monomial_quotient(whole, part).is_some()
}
