//! Integer reasoning where sums of products do not reach: what is known as an exact integer set with products as unknowns, and
//! a refutation of that set as a derivation.

use super::context::{Context, assumption};
use super::derivation::Claim;
use super::exact::Exact;
use super::node::{Case, Node};
use crate::integer_set::{Affine, End, Refutation, Row, Step, Work, refute};
use crate::poly::Monomial;
use std::collections::BTreeSet;
use std::rc::Rc;

/// More unknowns or rows than these are not tried.
const MOST_UNKNOWNS: usize = 12;
const MOST_ROWS: usize = 32;
/// Steps of one search.
const STEPS: u64 = 4_000;

impl Context {
    /// That what is known contradicts itself, over the integers.
    pub(super) fn refuted_exactly(&mut self) -> Option<Rc<Node>> {
        if self.absurd.is_some() {
            return self.absurd.clone();
        }
        if self.has_model() {
            return None;
        }
        let mut nodes: Vec<Rc<Node>> = self.bounds.iter().chain(&self.equations).cloned().collect();
        let terms = || nodes.iter().flat_map(|node| node.poly().terms()).filter(|(m, _)| !m.is_empty());
        // Where all coefficients are 1 the integers rarely know more than the reals.
        let scaled = terms().any(|(_, coefficient)| coefficient.abs() > 1);
        let unknowns: Vec<Monomial> =
            terms().map(|(monomial, _)| monomial.clone()).collect::<BTreeSet<_>>().into_iter().collect();
        if !scaled || unknowns.len() > MOST_UNKNOWNS || nodes.len() > MOST_ROWS {
            return None;
        }
        let row = |node: &Rc<Node>| {
            let coefficients = unknowns.iter().map(|monomial| node.poly().coefficient(monomial)).collect();
            let of = Affine { coefficients, constant: node.poly().constant_term() };
            Row { of, equation: matches!(node.claim, Claim::Zero(_)) }
        };
        let rows: Vec<Row> = nodes.iter().map(row).collect();
        let refutation = refute(&rows, &mut Work::new(STEPS)).ok()??;
        derived(&refutation, &unknowns, &mut nodes)
    }

    /// The claim `goal ≥ 0`, because its negation contradicts what is known.
    pub(super) fn shown_exactly(&self, goal: &Exact) -> Option<Rc<Node>> {
        let negative = assumption(goal.scale(-1)?.plus(-1)?);
        let mut inside = self.clone();
        inside.learn(negative.clone());
        let absurd = inside.refuted_exactly()?;
        let first = assumption(goal.clone());
        let first = Case { assumed: first.clone(), shows: first };
        Node::cases(
            Claim::Nonneg(goal.clone()),
            goal.clone(),
            first,
            Case { assumed: negative, shows: absurd },
        )
    }
}

/// The last row of a refutation as a claim that follows from those of the given rows.
fn derived(refutation: &Refutation, unknowns: &[Monomial], nodes: &mut Vec<Rc<Node>>) -> Option<Rc<Node>> {
    for step in &refutation.steps {
        let node = match step {
            Step::Sum { row, scale, terms } => {
                let poly = exact(&row.of, unknowns)?;
                let claim = if row.equation { Claim::Zero(poly) } else { Claim::Nonneg(poly) };
                let term = |(multiple, number): &(i128, usize)| {
                    Some((Exact::constant(*multiple), vec![nodes.get(*number)?.clone()]))
                };
                Node::sum(claim, *scale, terms.iter().map(term).collect::<Option<_>>()?)?
            }
            Step::Both { rows: [low, high], .. } => Node::both(nodes.get(*low)?, nodes.get(*high)?)?,
        };
        nodes.push(node);
    }
    match &refutation.end {
        End::Absurd(number) => nodes.get(*number).cloned(),
        End::Cases { on, first, second } => {
            let on = exact(on, unknowns)?;
            let mut case = |poly: Exact, refutation: &Refutation| {
                let (assumed, before) = (assumption(poly), nodes.len());
                nodes.push(assumed.clone());
                let shows = derived(refutation, unknowns, nodes);
                nodes.truncate(before);
                Some(Case { assumed, shows: shows? })
            };
            let (first, second) = (case(on.clone(), first)?, case(on.scale(-1)?.plus(-1)?, second)?);
            Node::cases(Claim::Nonneg(Exact::constant(-1)), on, first, second)
        }
    }
}

fn exact(of: &Affine, unknowns: &[Monomial]) -> Option<Exact> {
    let mut poly = Exact::constant(of.constant);
    for (monomial, coefficient) in unknowns.iter().zip(&of.coefficients) {
        poly.add_term(monomial, *coefficient)?;
    }
    Some(poly)
}
