//! Proved claims. The constructors are the only way to make one, and each but that for substitutions checks its rule, so that
//! whatever the search does, a derivation that comes out is right.

use super::derivation::{Block, Claim, Line, Rule, Term};
use super::exact::Exact;
use super::memory::Number;
use super::{Division, Why};
use crate::poly::Poly;
use fun_base::name::Var;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A claim and why it holds.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) claim: Claim,
    pub(super) reason: Reason,
    /// The fact or computation that says so.
    pub(super) of: Option<Number>,
}

/// A multiplier and what it multiplies.
pub(super) type NodeTerm = (Exact, Vec<Rc<Node>>);

/// A rule with what it builds on. The rules are those of [`Rule`].
#[derive(Debug)]
pub(super) enum Reason {
    Given(Why),
    Range(Var),
    Premise,
    Assumed,
    Definition { var: Var, poly: Poly, low: Rc<Node>, high: Rc<Node> },
    Division { division: Division, shown: [Rc<Node>; 4] },
    Sum { scale: i128, terms: Vec<NodeTerm> },
    Cases { on: Exact, first: Case, second: Case },
    Apart { nonzero: Rc<Node>, nonneg: Rc<Node> },
    Both { low: Rc<Node>, high: Rc<Node> },
}

/// What is assumed in a case, and what follows there.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) assumed: Rc<Node>,
    pub(super) shows: Rc<Node>,
}

impl Node {
    /// For the rules that build on nothing but the facts at hand; the others have constructors that check them.
    pub(super) fn new(claim: Claim, reason: Reason) -> Rc<Node> {
        Rc::new(Node { claim, reason, of: None })
    }

    /// As [`Node::new`], for what a fact or a computation says.
    pub(super) fn said_by(claim: Claim, reason: Reason, number: Number) -> Rc<Node> {
        Rc::new(Node { claim, reason, of: Some(number) })
    }

    /// What the claim is about.
    pub(super) fn poly(&self) -> &Exact {
        self.claim.poly()
    }

    /// Whether it says that -1 is not negative.
    pub(super) fn is_absurd(&self) -> bool {
        matches!(&self.claim, Claim::Nonneg(poly) if poly.as_constant() == Some(-1))
    }

    /// The rule `sum`, if it applies.
    pub(super) fn sum(claim: Claim, scale: i128, terms: Vec<NodeTerm>) -> Option<Rc<Node>> {
        if scale < 1 {
            return None;
        }
        let mut rest = claim.poly().scale(scale)?;
        let mut all_equations = true;
        for (multiplier, factors) in &terms {
            let equation = factors.iter().any(|node| matches!(node.claim, Claim::Zero(_)));
            let inequalities = factors.iter().all(|node| matches!(node.claim, Claim::Nonneg(_)));
            if !(equation || inequalities && multiplier.as_constant().is_some_and(|c| c >= 0)) {
                return None;
            }
            all_equations &= equation;
            rest = match (multiplier.as_constant(), factors.as_slice()) {
                (Some(c), [factor]) => rest.combined(factor.poly(), c.checked_neg()?)?,
                _ => {
                    let mut product = multiplier.clone();
                    for factor in factors {
                        product = product.mul(factor.poly())?;
                    }
                    rest.sub(&product)?
                }
            };
        }
        let rest = rest.as_constant()?;
        let follows = match claim {
            Claim::Nonneg(_) => rest > -scale,
            Claim::Zero(_) => rest == 0 && all_equations,
            Claim::Nonzero(_) => false,
        };
        if !follows {
            return None;
        }
        // What is there already.
        if let [(multiplier, factors)] = &terms[..]
            && let [factor] = &factors[..]
            && factor.claim == claim
            && multiplier.as_constant() == Some(1)
        {
            return Some(factor.clone());
        }
        Some(Node::new(claim, Reason::Sum { scale, terms }))
    }

    /// The rule `sum` for a claim with equations put in by [`Exact::substitute`]: much the most of all sums, and right by how they are
    /// made, so only builds with assertions multiply them out again, unless numbers are so large that sums may leave i128.
    pub(super) fn substituted(claim: Claim, terms: Vec<NodeTerm>) -> Option<Rc<Node>> {
        let is_small = |poly: &Exact| poly.terms().all(|(_, c)| c.unsigned_abs() < 1 << 56);
        let mut factors = terms.iter().flat_map(|(_, factors)| factors);
        let small = terms.iter().all(|(multiplier, _)| is_small(multiplier))
            && factors.all(|node| is_small(node.poly()))
            && is_small(claim.poly());
        if !small {
            return Node::sum(claim, 1, terms);
        }
        debug_assert!(Node::sum(claim.clone(), 1, terms.clone()).is_some(), "not a substitution: {claim:?}");
        Some(Node::new(claim, Reason::Sum { scale: 1, terms }))
    }

    /// The rule `cases`, if it applies.
    pub(super) fn cases(claim: Claim, on: Exact, first: Case, second: Case) -> Option<Rc<Node>> {
        let shows = |case: &Case| case.shows.claim == claim || case.shows.is_absurd();
        let assumes = |case: &Case, poly: Exact| {
            matches!(case.assumed.reason, Reason::Assumed) && case.assumed.claim == Claim::Nonneg(poly)
        };
        let negative = on.scale(-1)?.plus(-1)?;
        let applies =
            shows(&first) && shows(&second) && assumes(&first, on.clone()) && assumes(&second, negative);
        applies.then(|| Node::new(claim, Reason::Cases { on, first, second }))
    }

    /// The rule `apart`, if it applies.
    pub(super) fn apart(nonzero: &Rc<Node>, nonneg: &Rc<Node>) -> Option<Rc<Node>> {
        let (Claim::Nonzero(apart), Claim::Nonneg(poly)) = (&nonzero.claim, &nonneg.claim) else {
            return None;
        };
        let same = apart == poly || apart.scale(-1).as_ref() == Some(poly);
        let reason = Reason::Apart { nonzero: nonzero.clone(), nonneg: nonneg.clone() };
        if same { Some(Node::new(Claim::Nonneg(poly.plus(-1)?), reason)) } else { None }
    }

    /// The rule `both`, if it applies.
    pub(super) fn both(low: &Rc<Node>, high: &Rc<Node>) -> Option<Rc<Node>> {
        let (Claim::Nonneg(poly), Claim::Nonneg(negated)) = (&low.claim, &high.claim) else { return None };
        let reason = Reason::Both { low: low.clone(), high: high.clone() };
        if poly.scale(-1)? == *negated { Some(Node::new(Claim::Zero(poly.clone()), reason)) } else { None }
    }
}

/// Writes nodes as numbered lines.
#[derive(Default)]
pub(super) struct Writer {
    lines: Vec<Line>,
    numbers: BTreeMap<*const Node, usize>,
}

impl Writer {
    /// The lines that show the nodes, with the numbers of these; `None` if one rests on an assumption outside its block.
    pub(super) fn write(nodes: &[Rc<Node>]) -> Option<(Vec<Line>, Vec<usize>)> {
        let mut writer = Writer::default();
        let shows = nodes.iter().map(|node| writer.number(node)).collect::<Option<_>>()?;
        Some((writer.lines, shows))
    }

    fn number(&mut self, node: &Rc<Node>) -> Option<usize> {
        if let Some(number) = self.numbers.get(&Rc::as_ptr(node)) {
            return Some(*number);
        }
        let rule = match &node.reason {
            Reason::Given(why) => Rule::Given(*why),
            Reason::Range(var) => Rule::Range(*var),
            Reason::Premise => Rule::Premise,
            Reason::Assumed => return None,
            Reason::Definition { var, poly, low, high } => Rule::Definition {
                var: *var,
                poly: poly.clone(),
                low: self.number(low)?,
                high: self.number(high)?,
            },
            Reason::Division { division, shown } => {
                let [a, b, c, d] = shown;
                let shown = [self.number(a)?, self.number(b)?, self.number(c)?, self.number(d)?];
                Rule::Division { division: division.clone(), shown }
            }
            Reason::Sum { scale, terms } => {
                let mut written = Vec::with_capacity(terms.len());
                for (multiplier, factors) in terms {
                    let factors = factors.iter().map(|node| self.number(node)).collect::<Option<_>>()?;
                    written.push(Term { multiplier: multiplier.clone(), factors });
                }
                Rule::Sum { scale: *scale, terms: written }
            }
            Reason::Cases { on, first, second } => {
                let (first, second) = (self.block(first)?, self.block(second)?);
                Rule::Cases { on: on.clone(), first, second }
            }
            Reason::Apart { nonzero, nonneg } => {
                Rule::Apart { nonzero: self.number(nonzero)?, nonneg: self.number(nonneg)? }
            }
            Reason::Both { low, high } => Rule::Both { low: self.number(low)?, high: self.number(high)? },
        };
        self.push(node, rule);
        Some(self.lines.len() - 1)
    }

    fn push(&mut self, node: &Rc<Node>, rule: Rule) {
        self.numbers.insert(Rc::as_ptr(node), self.lines.len());
        self.lines.push(Line { claim: node.claim.clone(), rule });
    }

    fn block(&mut self, case: &Case) -> Option<Block> {
        let start = self.lines.len();
        self.push(&case.assumed, Rule::Assumed);
        let shows = self.number(&case.shows);
        let lines = self.lines.split_off(start);
        self.numbers.retain(|_, number| *number < start);
        Some(Block { lines, shows: shows? })
    }
}
