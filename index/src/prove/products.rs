//! Inequalities as sums of products of known inequalities, which a linear program chooses from.

use super::context::Context;
use super::derivation::Claim;
use super::exact::Exact;
use super::inequality::{LARGE, range_end};
use super::node::{Node, NodeTerm, Reason};
use super::simplex::combine;
use crate::poly::Monomial;
use fun_base::name::Var;
use std::collections::BTreeSet;
use std::rc::Rc;

/// How many products one linear program may have.
const MOST_COLUMNS: usize = 400;
/// How many products are formed to choose from.
const MOST_PRODUCTS: usize = 4000;
/// How many steps from the terms of a goal products are chosen.
const WAVES: usize = 3;

impl Context {
    /// Sums of products of known inequalities, of ever higher degree.
    pub(super) fn by_products(&mut self, goal: &Exact) -> Option<Rc<Node>> {
        if self.exhausted() {
            return None;
        }
        let hypotheses = self.hypotheses(goal);
        let equations = self.equation_terms(goal);
        let singles: Vec<NodeTerm> =
            hypotheses.iter().map(|node| (Exact::constant(1), vec![node.clone()])).collect();
        for degree in 1..=goal.degree().clamp(2, 3) {
            let mut columns = [singles.as_slice(), &equations].concat();
            if degree > 1 {
                columns.extend(self.products(goal, &hypotheses, degree, columns.len()));
            }
            if let Some(node) = self.combination(goal, &columns) {
                return Some(node);
            }
        }
        None
    }

    fn combination(&mut self, goal: &Exact, columns: &[NodeTerm]) -> Option<Rc<Node>> {
        let mut polys = Vec::with_capacity(columns.len());
        for (multiplier, factors) in columns {
            let mut product = multiplier.clone();
            for factor in factors {
                product = product.mul(factor.poly())?;
            }
            polys.push(product);
        }
        let combination = combine(goal, &polys, &mut self.work)?;
        let mut terms = Vec::with_capacity(combination.multiples.len());
        for (k, multiple) in combination.multiples {
            terms.push((columns[k].0.scale(multiple)?, columns[k].1.clone()));
        }
        Node::sum(Claim::Nonneg(goal.clone()), combination.scale, terms)
    }

    /// The inequalities at hand. Only goals with large constants have to do with those and with the bounds of i64.
    fn hypotheses(&self, goal: &Exact) -> Vec<Rc<Node>> {
        let large = |poly: &Exact| poly.constant_term().abs() >= LARGE;
        if !large(goal) {
            return self.bounds.iter().filter(|node| !large(node.poly())).cloned().collect();
        }
        let mut hypotheses = self.bounds.clone();
        let mut vars: BTreeSet<Var> = goal.vars().into_iter().collect();
        vars.extend(self.bounds.iter().flat_map(|node| node.poly().vars()));
        // The ends of a variable that an equation gives say something of those that it is given by.
        vars.extend(self.given());
        for var in vars.into_iter().filter(|var| var.tag < self.points_from) {
            let ends = [range_end(var, true), range_end(var, false)];
            let nodes =
                ends.into_iter().flatten().map(|poly| Node::new(Claim::Nonneg(poly), Reason::Range(var)));
            hypotheses.extend(nodes.filter_map(|node| self.reduced(node)));
        }
        hypotheses
    }

    /// Equations that give no variable, both ways, also times each variable of the goal.
    fn equation_terms(&self, goal: &Exact) -> Vec<NodeTerm> {
        let mut multipliers = vec![Exact::constant(1)];
        multipliers.extend(goal.vars().into_iter().map(Exact::var));
        let mut terms = Vec::new();
        for equation in &self.equations {
            for multiplier in &multipliers {
                for sign in [1, -1] {
                    terms.extend(
                        multiplier.scale(sign).map(|multiplier| (multiplier, vec![equation.clone()])),
                    );
                }
            }
        }
        terms
    }

    /// Products of up to that many inequalities whose terms of high degree can cancel with those of the goal or of each other.
    fn products(&mut self, goal: &Exact, bounds: &[Rc<Node>], most: usize, taken: usize) -> Vec<NodeTerm> {
        let room = MOST_COLUMNS.saturating_sub(taken);
        let limit = most.max(goal.degree());
        let small =
            |node: &&Rc<Node>| node.poly().constant_term().abs() < LARGE && node.poly().degree() <= limit;
        let bounds: Vec<&Rc<Node>> = bounds.iter().filter(small).collect();
        // A product, its factors, and the first bound that may be one more factor.
        let mut longest: Vec<(Exact, Vec<Rc<Node>>, usize)> = vec![(Exact::constant(1), Vec::new(), 0)];
        let mut candidates: Vec<(Exact, Vec<Rc<Node>>)> = Vec::new();
        for factors in 1..=most {
            let mut longer = Vec::new();
            for (product, factors, from) in &longest {
                for (k, bound) in bounds.iter().enumerate().skip(*from) {
                    self.work += (product.terms().count() * bound.poly().terms().count()) as u64 * 4;
                    let Some(product) = product.mul(bound.poly()) else { continue };
                    if product.degree() <= limit && longer.len() < MOST_PRODUCTS {
                        longer.push((product, [factors.as_slice(), &[(*bound).clone()]].concat(), k));
                    }
                }
            }
            if factors > 1 {
                candidates
                    .extend(longer.iter().map(|(product, factors, _)| (product.clone(), factors.clone())));
            }
            longest = longer;
        }
        // From the nonlinear terms of the goal outwards.
        let nonlinear = |poly: &Exact| -> Vec<Monomial> {
            poly.terms().map(|(m, _)| m).filter(|m| m.len() > 1).cloned().collect()
        };
        let mut wanted: BTreeSet<Monomial> = nonlinear(goal).into_iter().collect();
        wanted.extend(bounds.iter().flat_map(|node| nonlinear(node.poly())));
        let mut chosen = Vec::new();
        let mut left: Vec<_> =
            candidates.into_iter().map(|(product, factors)| (nonlinear(&product), factors)).collect();
        for _ in 0..WAVES {
            let (near, far): (Vec<_>, Vec<_>) =
                left.into_iter().partition(|(monomials, _)| monomials.iter().any(|m| wanted.contains(m)));
            for (monomials, factors) in near {
                wanted.extend(monomials);
                if chosen.len() < room {
                    chosen.push((Exact::constant(1), factors));
                }
            }
            left = far;
        }
        chosen
    }
}
