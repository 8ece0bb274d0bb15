//! Models: values under which all that a context knows is true. What is false there has no proof, so nothing needs to be tried.
//!
//! Most questions that passes ask have no proof, and a search that fails costs the most. A few models answer nearly all of these: one
//! is found by trying, the numbers of a goal's variables are then moved to the ends of their ranges, one after the other,
//! until the goal is false. Every rule of [`super::derivation`] keeps what is true in a model true, so no proof is lost: a model
//! spares only searches that fail.

use super::context::Context;
use super::derivation::Claim;
use super::exact::Exact;
use crate::poly::Monomial;
use fun_base::name::Var;
use std::rc::Rc;

/// The sizes of numbers that models are tried with. Products of three stay below 2^63 for all but the last, which is for goals that
/// rest on numbers being i64.
const SCALES: [i128; 4] = [19, 1 << 20, 1, i64::MAX as i128];
/// How many values are tried for one model.
const TRIES: u32 = 160;
/// How many models are kept.
const KEPT: usize = 8;
/// How often the variables of a goal are moved.
const ROUNDS: usize = 3;
/// How far variables are moved where that will do.
const FAR: i128 = 1 << 40;

/// The value of each variable, in the order of [`Problem::vars`].
type Values = Vec<i128>;

/// A term: a coefficient and the places of its variables.
type Term = (i128, Vec<usize>);

/// What a number must be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Nonneg,
    Zero,
    Nonzero,
}

/// A claim over numbered variables.
struct Row {
    kind: Kind,
    terms: Vec<Term>,
}

/// All claims of a context.
struct Problem {
    vars: Vec<Var>,
    rows: Vec<Row>,
    /// The rows by the last of their variables.
    ending: Vec<Vec<usize>>,
    /// The rows by each of their variables.
    with: Vec<Vec<usize>>,
}

/// The models found for a context so far.
#[derive(Clone, Default)]
pub(super) struct Models {
    problem: Option<Rc<Problem>>,
    found: Vec<Values>,
    /// Whether there is a problem to look for models of.
    sought: bool,
    /// How many scales were tried, the first of them, and whether any was.
    scales: usize,
    first_scale: Option<usize>,
}

impl Models {
    /// More is known now.
    pub(super) fn forget(&mut self) {
        if self.problem.is_some() {
            *self = Models::default();
        }
    }
}

impl Context {
    /// Whether what is known is known not to contradict itself.
    pub(super) fn has_model(&mut self) -> bool {
        if self.absurd.is_some() || self.prepare().is_none() {
            return false;
        }
        while self.models.found.is_empty() && self.seek(0) {}
        !self.models.found.is_empty()
    }

    /// Whether `goal ≥ 0` is false in a model that was found before.
    pub(super) fn false_in_known_model(&self, goal: &Exact) -> bool {
        let Some(problem) = &self.models.problem else { return false };
        let Some(terms) = problem.numbered(goal) else { return false };
        self.models.found.iter().any(|values| evaluate(&terms, values).is_some_and(|value| value < 0))
    }

    /// Whether there is a model where `goal ≥ 0` is false, as far as a short search tells. The goal is reduced.
    pub(super) fn false_in_model(&mut self, goal: &Exact) -> bool {
        if self.absurd.is_some() || self.prepare().is_none() {
            return false;
        }
        let Some(problem) = self.models.problem.clone() else { return false };
        // Variables of which nothing is known come after the others.
        let free: Vec<Var> =
            goal.vars().into_iter().filter(|var| problem.vars.binary_search(var).is_err()).collect();
        let place = |var: &Var| match problem.vars.binary_search(var) {
            Ok(place) => Some(place),
            Err(_) => Some(problem.vars.len() + free.binary_search(var).ok()?),
        };
        let Some(terms) = numbered(goal, &place) else { return false };
        let far = if goal.constant_term().abs() > FAR { i128::from(i64::MAX) } else { FAR };
        // Goals that rest on numbers being i64 are false where numbers are large, if anywhere.
        let first_scale = if far > FAR { SCALES.len() - 1 } else { 0 };
        let mut at = 0;
        loop {
            while at >= self.models.found.len() {
                if !self.seek(first_scale) {
                    return false;
                }
            }
            let mut values = self.models.found[at].clone();
            at += 1;
            values.resize(problem.vars.len() + free.len(), 0);
            if problem.lower(&terms, &mut values, far, &mut self.work) {
                if self.models.found.len() >= KEPT {
                    self.models.found.remove(SCALES.len().min(KEPT - 1));
                }
                values.truncate(problem.vars.len());
                self.models.found.push(values);
                return true;
            }
        }
    }

    /// Numbers what models are of.
    fn prepare(&mut self) -> Option<()> {
        if !self.models.sought {
            self.models.sought = true;
            self.models.problem = Some(Rc::new(self.problem()?));
        }
        self.models.problem.as_ref().map(|_| ())
    }

    /// Looks for a model with numbers of the next scale, beginning with this one; false if there was one of each.
    fn seek(&mut self, first: usize) -> bool {
        let Some(problem) = self.models.problem.clone() else { return false };
        if self.models.scales == SCALES.len() {
            return false;
        }
        let first = *self.models.first_scale.get_or_insert(first);
        let scale = SCALES[(first + self.models.scales) % SCALES.len()];
        self.models.scales += 1;
        let mut tries = TRIES;
        let mut values = Values::with_capacity(problem.vars.len());
        if problem.extend(&mut values, scale, &mut tries) && !self.models.found.contains(&values) {
            self.models.found.push(values);
        }
        self.work += u64::from(TRIES - tries) * 8;
        true
    }

    /// What is known as rows over numbered variables.
    fn problem(&self) -> Option<Problem> {
        let mut claims: Vec<(Kind, Exact)> = Vec::new();
        for node in self.bounds.iter().chain(&self.equations) {
            let kind = if matches!(node.claim, Claim::Zero(_)) { Kind::Zero } else { Kind::Nonneg };
            claims.push((kind, node.poly().clone()));
        }
        for node in &self.nonzero {
            claims.push((Kind::Nonzero, self.reduce(node.poly())?.0));
        }
        // Those that equations give are i64 too.
        for var in self.given().filter(|var| var.tag < self.points_from) {
            let value = self.reduce(&Exact::var(var))?.0;
            claims.push((Kind::Nonneg, value.plus(-i128::from(i64::MIN))?));
            claims.push((Kind::Nonneg, value.scale(-1)?.plus(i128::from(i64::MAX))?));
        }
        let mut vars: Vec<Var> = claims.iter().flat_map(|(_, poly)| poly.vars()).collect();
        vars.sort_unstable();
        vars.dedup();
        let (ending, with) = (vec![Vec::new(); vars.len()], vec![Vec::new(); vars.len()]);
        let mut problem = Problem { vars, rows: Vec::new(), ending, with };
        for (kind, poly) in claims {
            let terms = problem.numbered(&poly)?;
            let row = Row { kind, terms };
            let mut places: Vec<usize> = row.terms.iter().flat_map(|(_, places)| places).copied().collect();
            places.sort_unstable();
            places.dedup();
            match places.last() {
                Some(last) => problem.ending[*last].push(problem.rows.len()),
                None if row.holds(&[]) => {}
                None => return None,
            }
            places.iter().for_each(|place| problem.with[*place].push(problem.rows.len()));
            problem.rows.push(row);
        }
        Some(problem)
    }
}

impl Problem {
    /// The terms with variables numbered; `None` if one is not there.
    fn numbered(&self, poly: &Exact) -> Option<Vec<Term>> {
        numbered(poly, &|var| self.vars.binary_search(var).ok())
    }

    /// Gives values to the variables that have none yet.
    fn extend(&self, values: &mut Values, scale: i128, tries: &mut u32) -> bool {
        let at = values.len();
        if at == self.vars.len() {
            return true;
        }
        values.push(0);
        let range = self.range(&self.ending[at], at, values);
        for candidate in range.map(|range| candidates(range, scale)).unwrap_or_default() {
            let Some(left) = tries.checked_sub(1) else { break };
            *tries = left;
            values[at] = candidate;
            let holds = self.ending[at].iter().all(|row| self.rows[*row].holds(values));
            if holds && self.extend(values, scale, tries) {
                return true;
            }
            values.truncate(at + 1);
        }
        values.pop();
        false
    }

    /// What a variable may be where all others of some rows have these values, as far as the rows are linear in it.
    fn range(&self, rows: &[usize], var: usize, values: &[i128]) -> Option<(i128, i128)> {
        let (mut low, mut high) = (i128::from(i64::MIN), i128::from(i64::MAX));
        for row in rows.iter().map(|row| &self.rows[*row]).filter(|row| row.kind != Kind::Nonzero) {
            let Some((slope, rest)) = linear(&row.terms, var, values) else { continue };
            let signs: &[i128] = if row.kind == Kind::Zero { &[1, -1] } else { &[1] };
            for sign in signs {
                let (slope, rest) = (slope.checked_mul(*sign)?, rest.checked_mul(*sign)?);
                match slope.signum() {
                    // var ≥ ⌈-rest / slope⌉
                    1 => low = low.max(rest.div_euclid(slope).checked_neg()?),
                    // var ≤ ⌊rest / -slope⌋
                    -1 => high = high.min(rest.div_euclid(slope.checked_neg()?)),
                    _ => {}
                }
            }
        }
        (low <= high).then_some((low, high))
    }

    /// Moves variables until the goal is negative.
    fn lower(&self, goal: &[Term], values: &mut Values, far: i128, work: &mut u64) -> bool {
        let mut places: Vec<usize> = goal.iter().flat_map(|(_, places)| places).copied().collect();
        places.sort_unstable();
        places.dedup();
        let Some(mut now) = evaluate(goal, values) else { return false };
        for _ in 0..ROUNDS {
            let before = now;
            // The newest variables first: the older ones are bounds of those.
            for place in places.iter().rev() {
                if now < 0 {
                    return true;
                }
                let rows = self.with.get(*place).map_or(&[][..], Vec::as_slice);
                *work += rows.len() as u64 * 4;
                let Some((slope, _)) = linear(goal, *place, values).filter(|(slope, _)| *slope != 0) else {
                    continue;
                };
                let Some((low, high)) = self.range(rows, *place, values) else { continue };
                let old = values[*place];
                values[*place] = if slope > 0 { low.max(old.min(-far)) } else { high.min(old.max(far)) };
                let holds = rows.iter().all(|row| self.rows[*row].holds(values));
                match evaluate(goal, values) {
                    Some(value) if holds && value < now => now = value,
                    _ => values[*place] = old,
                }
            }
            if now == before {
                break;
            }
        }
        now < 0
    }
}

impl Row {
    fn holds(&self, values: &[i128]) -> bool {
        evaluate(&self.terms, values).is_some_and(|value| match self.kind {
            Kind::Nonneg => value >= 0,
            Kind::Zero => value == 0,
            Kind::Nonzero => value != 0,
        })
    }
}

fn numbered(poly: &Exact, place: &dyn Fn(&Var) -> Option<usize>) -> Option<Vec<Term>> {
    let term = |(monomial, c): (&Monomial, i128)| {
        Some((c, monomial.iter().map(place).collect::<Option<Vec<usize>>>()?))
    };
    poly.terms().map(term).collect()
}

/// A few values of a range.
fn candidates((low, high): (i128, i128), scale: i128) -> Vec<i128> {
    let inside = |value: i128| value.clamp(low, high);
    let near = if high - low > FAR { inside(scale) } else { inside(0) };
    let mut candidates = Vec::with_capacity(6);
    for value in [near, inside(near + 1), inside(near + scale), inside(near + 64), inside(0), inside(1)] {
        if !candidates.contains(&value) {
            candidates.push(value);
        }
    }
    candidates
}

fn evaluate(terms: &[Term], values: &[i128]) -> Option<i128> {
    let mut sum = 0i128;
    for (c, places) in terms {
        let mut product = *c;
        for place in places {
            product = product.checked_mul(*values.get(*place)?)?;
        }
        sum = sum.checked_add(product)?;
    }
    Some(sum)
}

/// `(slope, rest)` in a variable; `None` where it occurs to a higher power.
fn linear(terms: &[Term], var: usize, values: &[i128]) -> Option<(i128, i128)> {
    let (mut slope, mut rest) = (0i128, 0i128);
    for (c, places) in terms {
        let (mut product, mut power) = (*c, 0);
        for place in places {
            if *place == var {
                power += 1;
            } else {
                product = product.checked_mul(*values.get(*place)?)?;
            }
        }
        match power {
            0 => rest = rest.checked_add(product)?,
            1 => slope = slope.checked_add(product)?,
            _ => return None,
        }
    }
    Some((slope, rest))
}
