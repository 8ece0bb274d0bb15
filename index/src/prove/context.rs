//! What is at hand while one question is answered: the facts that matter to it, with equations put in for variables.

use super::derivation::Claim;
use super::exact::Exact;
use super::facts::Facts;
use super::model::Models;
use super::node::{Case, Node, NodeTerm, Reason};
use fun_base::name::Var;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Facts beyond this many are left out, those that share the fewest variables with the question first.
const MOST_FACTS: usize = 96;
/// Of variables up to so many steps away it is looked for that their computations do not wrap; of others, it may be known.
const NEAR_WAVES: usize = 3;
/// Bounds above this only say that something does not wrap.
const HUGE: i128 = 1 << 31;
/// As many facts are enough for most questions.
const NEARBY_FACTS: usize = 12;
/// And what so many variables are computed from.
const NEARBY_COMPUTED: usize = 4;
/// And as much work for a proof from these.
const NEARBY_WORK: u64 = 20_000;
/// How much work one question may cost, in about the units of one operation on a coefficient.
pub(super) const WORK: u64 = 5_000_000;

/// `var = value`, by a line that says `var - value = 0`.
#[derive(Clone)]
struct Solved {
    var: Var,
    value: Exact,
    equation: Rc<Node>,
}

/// Known claims, reduced: no variable that an equation gives occurs.
#[derive(Clone, Default)]
pub(super) struct Context {
    /// Inequalities, each of at least one variable, with no common divisor of the coefficients.
    pub(super) bounds: Vec<Rc<Node>>,
    /// Claims that something is not zero, as given.
    pub(super) nonzero: Vec<Rc<Node>>,
    /// Equations that give no variable.
    pub(super) equations: Vec<Rc<Node>>,
    solved: Vec<Solved>,
    /// Variables in products.
    factors: BTreeSet<Var>,
    /// That what is known contradicts itself.
    pub(super) absurd: Option<Rc<Node>>,
    /// What was found out about goals.
    pub(super) memo: BTreeMap<Exact, Option<Rc<Node>>>,
    /// Bounds of single variables that rest on other variables.
    pub(super) floors: BTreeMap<Var, Option<Rc<Node>>>,
    /// Values under which all of this is true.
    pub(super) models: Models,
    /// Variables from this tag on are indices of points.
    pub(super) points_from: u32,
    /// Work so far.
    pub(super) work: u64,
    /// How much there may be.
    limit: u64,
    /// How many claims it was made of.
    given: usize,
    /// Inequalities that were not found, the first few.
    pub(super) lacking: Vec<Exact>,
}

impl Context {
    /// The facts that the variables lead to.
    pub(super) fn new(facts: &Facts, vars: impl IntoIterator<Item = Var>, points_from: u32) -> Context {
        Context::of(relevant(facts, vars), points_from, most_work(facts))
    }

    /// The same without what says of numbers only that they are not huge, and so that nothing wraps: where addresses are told apart,
    /// definitions are equations already.
    pub(super) fn of_addresses(
        facts: &Facts,
        vars: impl IntoIterator<Item = Var>,
        points_from: u32,
    ) -> Context {
        let mut nodes = relevant(facts, vars);
        nodes.retain(|node| !matches!(&node.claim, Claim::Nonneg(poly) if poly.constant_term() > HUGE));
        Context::of(nodes, points_from, most_work(facts))
    }

    /// A context of nearby facts becomes that of all facts that the variables lead to.
    pub(super) fn widened(mut self, facts: &Facts, vars: Vec<Var>) -> Context {
        let nodes = relevant(facts, vars);
        if nodes.len() == self.given && !self.exhausted() {
            // What was not found will not be.
            self.limit = most_work(facts);
            return self;
        }
        Context::of(nodes, u32::MAX, most_work(facts))
    }

    /// The facts that have to do with the variables and with little else, as far as they are at hand.
    pub(super) fn nearby(facts: &Facts, vars: Vec<Var>) -> Context {
        Context::of(near(facts, &vars), u32::MAX, NEARBY_WORK)
    }

    fn of(mut nodes: Vec<Rc<Node>>, points_from: u32, limit: u64) -> Context {
        let mut context = Context { points_from, limit, given: nodes.len(), ..Context::default() };
        // Equations first, so that the others need no second reduction.
        nodes.sort_by_key(|node| !matches!(node.claim, Claim::Zero(_)));
        for (monomial, _) in nodes.iter().flat_map(|node| node.claim.poly().terms()) {
            if monomial.len() > 1 {
                context.factors.extend(monomial.iter().copied());
            }
        }
        for node in nodes {
            context.learn(node);
        }
        context.sharpen();
        context
    }

    /// Whether the limit on work is reached.
    pub(super) fn exhausted(&self) -> bool {
        self.work >= self.limit
    }

    /// Adds a known claim. Nothing is lost but precision where a coefficient overflows.
    pub(super) fn learn(&mut self, node: Rc<Node>) {
        if self.absurd.is_some() {
            return;
        }
        self.models.forget();
        let learned = match &node.claim {
            Claim::Nonneg(_) => self.learn_bound(node),
            Claim::Zero(_) => self.learn_equation(node),
            Claim::Nonzero(_) => {
                self.nonzero.push(node);
                Some(())
            }
        };
        let _ = learned;
    }

    fn learn_bound(&mut self, node: Rc<Node>) -> Option<()> {
        let node = tightened(&self.reduced(node)?)?;
        if let Some(c) = node.poly().as_constant() {
            if c < 0 {
                let claim = Claim::Nonneg(Exact::constant(-1));
                self.absurd = Node::sum(claim, -c, vec![(Exact::constant(1), vec![node])]);
            }
            return Some(());
        }
        // Of two that differ by a constant only the stronger one is kept.
        for other in &mut self.bounds {
            if let Some(difference) = node.poly().constant_beyond(other.poly()) {
                if difference < 0 {
                    *other = node;
                    self.forget_failures();
                }
                return Some(());
            }
        }
        self.bounds.push(node);
        self.forget_failures();
        Some(())
    }

    fn learn_equation(&mut self, node: Rc<Node>) -> Option<()> {
        let node = self.reduced(node)?;
        let poly = node.poly();
        let content = poly.content();
        if content == 0 {
            if let Some(c) = poly.as_constant().filter(|c| *c != 0) {
                let claim = Claim::Nonneg(Exact::constant(-1));
                let multiplier = Exact::constant(-c.signum());
                self.absurd = Node::sum(claim, c.checked_abs()?, vec![(multiplier, vec![node])]);
            }
            return Some(());
        }
        if poly.constant_term() % content != 0 {
            let (low, high) = (rounded(&node, content, 1)?, rounded(&node, content, -1)?);
            let one = Exact::constant(1);
            let terms = vec![(one.clone(), vec![low]), (one, vec![high])];
            self.absurd = Node::sum(Claim::Nonneg(Exact::constant(-1)), 1, terms);
            return Some(());
        }
        let divided = if content == 1 { node } else { divided(&node, content)? };
        let Some((var, solved)) = self.solve(&divided) else {
            self.equations.push(divided);
            self.forget_failures();
            return Some(());
        };
        let value = Exact::var(var).sub(solved.poly())?;
        self.solved.push(Solved { var, value, equation: solved });
        self.memo.clear();
        self.floors.clear();
        // What is known is reduced by the new equation.
        for node in std::mem::take(&mut self.bounds) {
            let _ = self.learn_bound(node);
        }
        for node in std::mem::take(&mut self.equations) {
            let _ = self.learn_equation(node);
        }
        Some(())
    }

    /// More is known now.
    fn forget_failures(&mut self) {
        self.memo.retain(|_, found| found.is_some());
        self.floors.retain(|_, found| found.is_some());
    }

    /// A variable that the equation gives, and the equation as `var - value = 0`.
    fn solve(&self, node: &Rc<Node>) -> Option<(Var, Rc<Node>)> {
        let poly = node.poly();
        let singles = poly.terms().filter_map(|(monomial, c)| match monomial[..] {
            [var] if c.abs() == 1 => Some((var, c)),
            _ => None,
        });
        let alone =
            |var: &Var| !poly.terms().any(|(monomial, _)| monomial.len() > 1 && monomial.contains(var));
        // A point's index before variables of the program; then what is in no products, which would have more terms; then the value with
        // the fewest negative terms; then the newest.
        let cost = |(var, sign): &(Var, i128)| {
            let negative = poly.terms().filter(|(_, c)| c.signum() == *sign).count();
            (var.tag < self.points_from, self.factors.contains(var), negative, std::cmp::Reverse(var.tag))
        };
        let (var, sign) = singles.filter(|(var, _)| alone(var)).min_by_key(cost)?;
        let claim = Claim::Zero(poly.scale(sign)?);
        Some((var, Node::sum(claim, 1, vec![(Exact::constant(sign), vec![node.clone()])])?))
    }

    /// The variables that equations give.
    pub(super) fn given(&self) -> impl Iterator<Item = Var> {
        self.solved.iter().map(|solved| solved.var)
    }

    /// The polynomial with the equations put in, and the terms that make up the difference.
    pub(super) fn reduce(&self, poly: &Exact) -> Option<(Exact, Vec<NodeTerm>)> {
        let (mut poly, mut terms) = (poly.clone(), Vec::new());
        for Solved { var, value, equation } in &self.solved {
            if poly.has(*var) {
                let (quotient, rest) = poly.substitute(*var, value)?;
                terms.push((quotient, vec![equation.clone()]));
                poly = rest;
            }
        }
        Some((poly, terms))
    }

    /// The claim with the equations put in.
    pub(super) fn reduced(&self, node: Rc<Node>) -> Option<Rc<Node>> {
        let (poly, differences) = self.reduce(node.poly())?;
        if differences.is_empty() {
            return Some(node);
        }
        let claim = match node.claim {
            Claim::Zero(_) => Claim::Zero(poly),
            _ => Claim::Nonneg(poly),
        };
        let mut terms = vec![(Exact::constant(1), vec![node])];
        for (multiplier, equation) in differences {
            terms.push((multiplier.scale(-1)?, equation));
        }
        Node::substituted(claim, terms)
    }

    /// From a contradiction follows anything.
    pub(super) fn from_absurd(claim: Claim, absurd: &Rc<Node>) -> Option<Rc<Node>> {
        let on = claim.poly().clone();
        let case = |poly| Case { assumed: assumption(poly), shows: absurd.clone() };
        let (first, second) = (case(on.clone()), case(on.scale(-1)?.plus(-1)?));
        Node::cases(claim, on, first, second)
    }

    /// What would make an inequality hold for all points: their indices replaced by the bound that makes it hardest.
    pub(super) fn without_points(&mut self, poly: &Exact) -> Option<Exact> {
        let mut poly = self.reduce(poly)?.0;
        let points_from = self.points_from;
        let is_point = |var: &Var| var.tag >= points_from;
        while let Some(var) = poly.vars().into_iter().filter(is_point).max_by_key(|var| var.tag) {
            let (slope, _) = poly.linear_in(var)?;
            let sign = match slope.as_constant() {
                Some(c) => c.signum(),
                None if self.evident(&slope).is_some() => 1,
                None => self.evident(&slope.scale(-1)?).map(|_| -1)?,
            };
            // Bounds by indices that come later would bring those back, without end.
            let suits = |node: &&Rc<Node>| {
                let linear = node.poly().linear_in(var);
                linear.is_some_and(|(slope, rest)| {
                    slope.as_constant() == Some(sign) && rest.vars().iter().all(|other| other.tag < var.tag)
                })
            };
            // The newest bounds are those of the points themselves.
            let bound = self.bounds.iter().rev().find(suits)?;
            poly = poly.sub(&bound.poly().mul(&slope.scale(sign)?)?)?;
        }
        Some(poly)
    }

    /// Notes an inequality that would have helped.
    pub(super) fn lack(&mut self, poly: &Exact) {
        if self.lacking.len() < 4 && !self.lacking.contains(poly) {
            self.lacking.push(poly.clone());
        }
    }
}

/// An assumption `poly ≥ 0`, for a case.
pub(super) fn assumption(poly: Exact) -> Rc<Node> {
    Node::new(Claim::Nonneg(poly), Reason::Assumed)
}

/// An equal or stronger inequality over the integers: the coefficients divided by what they have in common.
pub(super) fn tightened(node: &Rc<Node>) -> Option<Rc<Node>> {
    let content = node.poly().content();
    if content <= 1 { Some(node.clone()) } else { rounded(node, content, 1) }
}

/// From an inequality `p ≥ 0` or an equation `p = 0`, where `content` divides all coefficients but the constant:
/// `sign · p / content` with the constant rounded down is not negative.
fn rounded(node: &Rc<Node>, content: i128, sign: i128) -> Option<Rc<Node>> {
    let mut result = Exact::default();
    for (monomial, c) in node.poly().terms() {
        result.add_term(monomial, c.checked_mul(sign)?.div_euclid(content))?;
    }
    Node::sum(Claim::Nonneg(result), content, vec![(Exact::constant(sign), vec![node.clone()])])
}

/// The equation divided by a number.
fn divided(node: &Rc<Node>, by: i128) -> Option<Rc<Node>> {
    let mut result = Exact::default();
    for (monomial, c) in node.poly().terms() {
        result.add_term(monomial, c.checked_div(by)?)?;
    }
    Node::sum(Claim::Zero(result), by, vec![(Exact::constant(1), vec![node.clone()])])
}

/// How much work a question about these facts may cost.
fn most_work(facts: &Facts) -> u64 {
    // Proofs that are found at all are mostly found soon.
    if facts.only_proofs { WORK / 3 } else { WORK }
}

/// What computations say of the variables, and of those that these come from; and the facts about all of these with at most one other
/// variable in each.
fn near(facts: &Facts, vars: &[Var]) -> Vec<Rc<Node>> {
    let mut nodes: Vec<Rc<Node>> = facts.closed.iter().map(|at| facts.known[*at].clone()).collect();
    let mut vars = vars.to_vec();
    let mut results = Vec::new();
    let mut next = 0;
    while let Some(var) = vars.get(next).filter(|_| next < NEARBY_COMPUTED) {
        next += 1;
        let computed = facts.by_result.get(var).into_iter().flatten().rev();
        let claims = computed.map(|at| facts.claims_of(*at)).find(|claims| !claims.is_empty());
        for node in claims.iter().flat_map(|claims| claims.iter()) {
            let more: Vec<Var> = node.poly().vars().into_iter().filter(|var| !vars.contains(var)).collect();
            vars.extend(more);
            results.push(node.clone());
        }
    }
    let uses = vars.iter().filter_map(|var| facts.by_var.get(var)).flat_map(|uses| some(uses));
    let mut uses: Vec<usize> = uses.collect();
    uses.sort_unstable();
    uses.dedup();
    let strangers = |at: usize| facts.vars[at].iter().filter(|var| !vars.contains(var)).count();
    let mut close: Vec<(usize, usize)> = uses.into_iter().map(|at| (strangers(at), at)).collect();
    close.retain(|(strangers, _)| *strangers <= 1);
    close.sort_unstable();
    nodes.extend(close.into_iter().take(NEARBY_FACTS).map(|(_, at)| facts.known[at].clone()));
    nodes.extend(results);
    nodes
}

/// The first uses of a variable and the last: enough of a size that all of a program has to do with.
fn some(uses: &[usize]) -> impl Iterator<Item = usize> {
    let first = uses.len().min(MOST_FACTS);
    let last = uses.len().saturating_sub(4 * MOST_FACTS).max(first);
    uses[..first].iter().chain(&uses[last..]).copied()
}

/// The facts that the variables lead to, nearest first, about [`MOST_FACTS`] at most.
fn relevant(facts: &Facts, vars: impl IntoIterator<Item = Var>) -> Vec<Rc<Node>> {
    let mut seen: BTreeSet<Var> = vars.into_iter().collect();
    let mut taken: BTreeSet<usize> = facts.closed.iter().copied().collect();
    let mut computed: BTreeSet<usize> = BTreeSet::new();
    let mut results = Vec::new();
    let mut wave: Vec<Var> = seen.iter().copied().collect();
    let mut waves = 0;
    while !wave.is_empty() && taken.len() + results.len() < MOST_FACTS {
        waves += 1;
        let uses = wave.iter().filter_map(|var| facts.by_var.get(var)).flat_map(|uses| some(uses));
        let found: BTreeSet<usize> = uses.filter(|at| !taken.contains(at)).collect();
        let strangers = |at: usize| facts.vars[at].iter().filter(|var| !seen.contains(*var)).count();
        let mut ordered: Vec<(usize, usize)> = found.into_iter().map(|at| (strangers(at), at)).collect();
        ordered.sort_unstable();
        let mut reached = Vec::new();
        for ats in wave.iter().filter_map(|var| facts.by_result.get(var)) {
            // Of definitions of one variable the last that says something is enough.
            for at in ats.iter().rev() {
                if computed.insert(*at) {
                    let near = waves <= NEAR_WAVES;
                    let claims =
                        if near { facts.claims_of(*at) } else { facts.said(*at).unwrap_or_default() };
                    claims.iter().for_each(|node| reached.extend(node.claim.poly().vars()));
                    let found = !claims.is_empty();
                    results.extend(claims.iter().cloned());
                    if found {
                        break;
                    }
                }
            }
        }
        for (_, at) in ordered {
            if taken.len() + results.len() < MOST_FACTS && taken.insert(at) {
                reached.extend(facts.vars[at].iter().copied());
            }
        }
        reached.retain(|var| seen.insert(*var));
        reached.sort();
        wave = reached;
    }
    // In the order of coming.
    taken.into_iter().map(|at| facts.known[at].clone()).chain(results).collect()
}
