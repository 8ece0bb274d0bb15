//! Inequalities, by rising cost.

use super::Outcome;
use super::derivation::Claim;
use super::exact::Exact;
use super::facts::Facts;
use super::node::{Node, NodeTerm};
use fun_base::name::Var;
use std::rc::Rc;

impl Facts {
    /// The claim `goal ≥ 0`, if it was found to follow.
    pub(super) fn shown(&self, goal: &Exact) -> Option<Rc<Node>> {
        if let Some(outcome) = self.memo.borrow().get(goal) {
            return match outcome {
                Outcome::Shown(node) => Some(node.clone()),
                Outcome::Open => None,
            };
        }
        let found = self.by_signs(goal).or_else(|| self.by_one_fact(goal));
        let outcome = found.clone().map_or(Outcome::Open, Outcome::Shown);
        self.memo.borrow_mut().insert(goal.clone(), outcome);
        found
    }

    /// No term is negative.
    fn by_signs(&self, goal: &Exact) -> Option<Rc<Node>> {
        let mut terms: Vec<NodeTerm> = Vec::new();
        for (monomial, c) in goal.terms().filter(|(monomial, _)| !monomial.is_empty()) {
            let factors = monomial.iter().map(|var| self.sign_of(*var)).collect::<Option<_>>()?;
            terms.push((Exact::constant(c), factors));
        }
        Node::sum(Claim::Nonneg(goal.clone()), 1, terms)
    }

    /// The fact that a variable is not negative.
    fn sign_of(&self, var: Var) -> Option<Rc<Node>> {
        let uses = self.by_var.get(&var)?;
        let claim = Claim::Nonneg(Exact::var(var));
        uses.iter().map(|at| &self.known[*at]).find(|node| node.claim == claim).cloned()
    }

    /// The goal is a fact and a constant.
    fn by_one_fact(&self, goal: &Exact) -> Option<Rc<Node>> {
        let var = *goal.vars().first()?;
        let uses = self.by_var.get(&var)?;
        uses.iter().find_map(|at| {
            Node::sum(
                Claim::Nonneg(goal.clone()),
                1,
                vec![(Exact::constant(1), vec![self.known[*at].clone()])],
            )
        })
    }
}
