//! Witnesses: small values for the variables that satisfy all facts and contradict a goal, found by trying.
//!
//! Every fact that is connected with the goal through variables is checked, over the integers; definitions
//! modulo 2^64. Large connected parts are not tried at all.

use super::Witness;
use super::computed::{Computed, Rule};
use super::derivation::Claim;
use super::exact::Exact;
use super::facts::Facts;
use crate::lmad::{ConcreteLmad, Lmad};
use crate::poly::Poly;
use fun_base::name::Var;
use std::collections::{BTreeMap, BTreeSet};

/// More variables than these are not searched through.
const MOST_VARIABLES: usize = 14;
/// How many partial assignments and addresses are tried where another search may follow.
pub(super) const FEW: u64 = 2_000;
/// And where none does.
pub(super) const MANY: u64 = 40_000;
/// Sets of more indices than these are not enumerated.
const MOST_ADDRESSES: u64 = 600;

/// Values by variable.
type Values = BTreeMap<Var, i64>;

/// Where `goal < 0`.
pub(super) fn negative(facts: &Facts, goal: &Exact, work: &mut u64) -> Option<Witness> {
    let holds = |values: &Values, _: &mut u64| (value(goal, values)? < 0).then_some(None);
    search(facts, &goal.vars(), MANY, work, &holds)
}

/// Where `goal ≠ 0`.
pub(super) fn not_zero(facts: &Facts, goal: &Exact, work: &mut u64) -> Option<Witness> {
    let holds = |values: &Values, _: &mut u64| (value(goal, values)? != 0).then_some(None);
    search(facts, &goal.vars(), MANY, work, &holds)
}

/// An address that both have.
pub(super) fn overlap(
    facts: &Facts,
    left: &Lmad,
    right: &Lmad,
    tries: u64,
    work: &mut u64,
) -> Option<Witness> {
    let holds = |values: &Values, tries: &mut u64| {
        let (left, right) = (addresses(left, values, tries)?, addresses(right, values, tries)?);
        let left: BTreeSet<i64> = left.into_iter().collect();
        right.into_iter().find(|address| left.contains(address)).map(Some)
    };
    search(facts, &variables(&[left, right], &[]), tries, work, &holds)
}

/// An address of two indices.
pub(super) fn repetition(facts: &Facts, lmad: &Lmad, work: &mut u64) -> Option<Witness> {
    let holds = |values: &Values, tries: &mut u64| {
        let mut seen = BTreeSet::new();
        addresses(lmad, values, tries)?.into_iter().find(|address| !seen.insert(*address)).map(Some)
    };
    search(facts, &variables(&[lmad], &[]), MANY, work, &holds)
}

/// An address that is negative or not below the size.
pub(super) fn outside(facts: &Facts, lmad: &Lmad, size: &Poly, work: &mut u64) -> Option<Witness> {
    let holds = |values: &Values, tries: &mut u64| {
        let size = value(&Exact::from(size), values)?;
        let addresses = addresses(lmad, values, tries)?;
        addresses.into_iter().find(|address| *address < 0 || i128::from(*address) >= size).map(Some)
    };
    search(facts, &variables(&[lmad], &[size]), MANY, work, &holds)
}

/// An address of the inner set that is not in the outer set.
pub(super) fn excess(facts: &Facts, inner: &Lmad, outer: &Lmad, work: &mut u64) -> Option<Witness> {
    let holds = |values: &Values, tries: &mut u64| {
        let outer: BTreeSet<i64> = addresses(outer, values, tries)?.into_iter().collect();
        addresses(inner, values, tries)?.into_iter().find(|address| !outer.contains(address)).map(Some)
    };
    search(facts, &variables(&[inner, outer], &[]), MANY, work, &holds)
}

fn variables(lmads: &[&Lmad], polys: &[&Poly]) -> Vec<Var> {
    let mut vars = Vec::new();
    lmads.iter().for_each(|lmad| lmad.for_each_var(&mut |var| vars.push(var)));
    polys.iter().for_each(|poly| poly.for_each_var(&mut |var| vars.push(var)));
    vars
}

fn value(poly: &Exact, values: &Values) -> Option<i128> {
    poly.eval(&|var| values.get(&var).map(|value| i128::from(*value)))
}

/// The addresses, if all numbers are i64 and they are few.
fn addresses(lmad: &Lmad, values: &Values, tries: &mut u64) -> Option<Vec<i64>> {
    let number = |poly: &Poly| i64::try_from(value(&Exact::from(poly), values)?).ok();
    let dims = lmad.dims.iter().map(|dim| Some((number(&dim.size)?, number(&dim.stride)?)));
    let concrete = ConcreteLmad { offset: number(&lmad.offset)?, dims: dims.collect::<Option<_>>()? };
    let few = concrete.is_empty() || (concrete.len() <= MOST_ADDRESSES && concrete.span().is_some());
    *tries += if few { concrete.len() } else { 1 };
    few.then(|| concrete.addresses().collect())
}

/// What values must satisfy.
enum Constraint<'f> {
    Claim(&'f Claim),
    Computed(&'f Computed),
}

impl Constraint<'_> {
    fn vars(&self) -> Vec<Var> {
        match self {
            Constraint::Claim(claim) => claim.poly().vars(),
            Constraint::Computed(computed) => computed.vars(),
        }
    }

    fn holds(&self, values: &Values) -> Option<bool> {
        Some(match self {
            Constraint::Claim(Claim::Nonneg(poly)) => value(poly, values)? >= 0,
            Constraint::Claim(Claim::Zero(poly)) => value(poly, values)? == 0,
            Constraint::Claim(Claim::Nonzero(poly)) => value(poly, values)? != 0,
            Constraint::Computed(computed) => {
                let mut right = true;
                for var in computed.results() {
                    right &= self.computes(var, values)? == *values.get(&var)?;
                }
                right
            }
        })
    }

    /// The value that a variable is computed to have.
    fn computes(&self, var: Var, values: &Values) -> Option<i64> {
        let number = |poly: &Poly| poly.eval(&mut |var| values.get(&var).copied());
        let Constraint::Computed(computed) = self else { return None };
        match &computed.rule {
            Rule::Definition(defined, poly) if *defined == var => number(poly),
            Rule::Division(division) => {
                let (dividend, divisor) = (number(&division.dividend)?, number(&division.divisor)?);
                // Other signs are left out: how they are rounded is not known here.
                let known = (division.floors || dividend >= 0) && divisor >= 1;
                let value = if var == division.quotient {
                    dividend.checked_div_euclid(divisor)
                } else if division.remainder == Some(var) {
                    dividend.checked_rem_euclid(divisor)
                } else {
                    None
                };
                value.filter(|_| known)
            }
            _ => None,
        }
    }

    /// Narrows the interval of a variable whose value is the only one missing.
    fn narrow(&self, var: Var, values: &Values, (low, high): &mut (i128, i128)) -> Option<()> {
        match self {
            Constraint::Computed(_) => {
                let value = i128::from(self.computes(var, values)?);
                (*low, *high) = ((*low).max(value), (*high).min(value));
            }
            Constraint::Claim(Claim::Nonneg(poly)) => at_least(poly, 1, var, values, low, high)?,
            Constraint::Claim(Claim::Zero(poly)) => {
                at_least(poly, 1, var, values, low, high)?;
                at_least(poly, -1, var, values, low, high)?;
            }
            _ => {}
        }
        Some(())
    }
}

/// Uses `sign · poly ≥ 0`.
fn at_least(
    poly: &Exact,
    sign: i128,
    var: Var,
    values: &Values,
    low: &mut i128,
    high: &mut i128,
) -> Option<()> {
    let (slope, rest) = poly.linear_in(var)?;
    let slope = value(&slope, values)?.checked_mul(sign)?;
    let rest = value(&rest, values)?.checked_mul(sign)?;
    match slope.signum() {
        // var ≥ ⌈-rest / slope⌉
        1 => *low = (*low).max(rest.div_euclid(slope).checked_neg()?),
        // var ≤ ⌊rest / -slope⌋
        -1 => *high = (*high).min(rest.div_euclid(-slope)),
        _ => {}
    }
    Some(())
}

struct Search<'s> {
    order: Vec<Var>,
    /// By the place in the order of the last variable that occurs.
    constraints: Vec<Vec<Constraint<'s>>>,
    /// How many values of a variable are tried.
    width: i128,
    tries: u64,
    most: u64,
    refutes: &'s dyn Fn(&Values, &mut u64) -> Option<Option<i64>>,
}

fn search(
    facts: &Facts,
    vars: &[Var],
    tries: u64,
    work: &mut u64,
    refutes: &dyn Fn(&Values, &mut u64) -> Option<Option<i64>>,
) -> Option<Witness> {
    if facts.only_proofs && tries > FEW {
        return None;
    }
    let (order, constraints) = component(facts, vars)?;
    let mut search = Search { order, constraints, width: 0, tries: 0, most: 0, refutes };
    let mut found = None;
    // Few values first, so that small witnesses come out.
    for (width, most) in [(2, tries / 4), (4, tries / 2), (9, tries)] {
        (search.width, search.most) = (width, most);
        found = search.extend(&mut Values::new());
        if found.is_some() {
            break;
        }
    }
    *work += search.tries * 8;
    found
}

impl Search<'_> {
    fn extend(&mut self, values: &mut Values) -> Option<Witness> {
        let at = values.len();
        if self.tries >= self.most {
            return None;
        }
        if at == self.order.len() {
            self.tries += 1;
            let address = (self.refutes)(values, &mut self.tries)?;
            let values =
                self.order.iter().map(|var| Some((*var, *values.get(var)?))).collect::<Option<_>>()?;
            return Some(Witness { values, address });
        }
        let var = self.order[at];
        let mut interval = (i128::from(i64::MIN), i128::from(i64::MAX));
        for constraint in &self.constraints[at] {
            let _ = constraint.narrow(var, values, &mut interval);
        }
        for candidate in candidates(interval, self.width) {
            self.tries += 1;
            values.insert(var, candidate);
            if self.constraints[at].iter().all(|constraint| constraint.holds(values) == Some(true)) {
                let found = self.extend(values);
                if found.is_some() {
                    return found;
                }
            }
            values.remove(&var);
        }
        None
    }
}

/// A few values of an interval: those nearest to 0, and its upper end unless that is far.
fn candidates((low, high): (i128, i128), width: i128) -> Vec<i64> {
    let nearest = 0i128.clamp(low.min(high), high);
    let end = if high - nearest <= 64 { high } else { nearest };
    let mut candidates = Vec::new();
    for step in 0..=width {
        for value in [nearest + step, end - step, nearest - step] {
            if let Ok(value) = i64::try_from(value)
                && (low..=high).contains(&i128::from(value))
                && !candidates.contains(&value)
            {
                candidates.push(value);
            }
        }
    }
    candidates
}

/// The variables and facts that are connected with these variables, in an order in which facts restrict variables early.
fn component<'f>(facts: &'f Facts, vars: &[Var]) -> Option<(Vec<Var>, Vec<Vec<Constraint<'f>>>)> {
    let mut seen: BTreeSet<Var> = vars.iter().copied().collect();
    let mut wave: Vec<Var> = seen.iter().copied().collect();
    let mut claims: BTreeSet<usize> = BTreeSet::new();
    let mut computed: BTreeSet<usize> = BTreeSet::new();
    while let Some(var) = wave.pop() {
        let mut reached = Vec::new();
        for at in facts.by_var.get(&var).into_iter().flatten() {
            if claims.insert(*at) {
                reached.extend(facts.known[*at].poly().vars());
            }
        }
        for at in facts.by_operand.get(&var).into_iter().flatten() {
            if computed.insert(*at) {
                reached.extend(facts.computed[*at].vars());
            }
        }
        wave.extend(reached.into_iter().filter(|var| seen.insert(*var)));
        if seen.len() > MOST_VARIABLES {
            return None;
        }
    }
    if !facts
        .closed
        .iter()
        .all(|at| Constraint::Claim(&facts.known[*at].claim).holds(&Values::new()) == Some(true))
    {
        return None;
    }
    let order: Vec<Var> = seen.into_iter().collect();
    let mut constraints: Vec<Vec<Constraint>> = order.iter().map(|_| Vec::new()).collect();
    let claims = claims.into_iter().map(|at| Constraint::Claim(&facts.known[at].claim));
    let computed = computed.into_iter().map(|at| Constraint::Computed(&facts.computed[at]));
    for constraint in claims.chain(computed) {
        let last = constraint.vars().into_iter().filter_map(|var| order.binary_search(&var).ok()).max();
        constraints[last?].push(constraint);
    }
    Some((order, constraints))
}
