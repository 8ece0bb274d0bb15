//! Whether a goal is true for all small values of the variables that satisfy the hypotheses.

use fun_base::name::Var;
use fun_index::certificate::{Evidence, Hypotheses};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use fun_index::prove::derivation::{Claim, Goal};
use fun_index::prove::exact::Exact;
use std::collections::{BTreeMap, BTreeSet};

type Values = BTreeMap<Var, i128>;

const SMALL: std::ops::RangeInclusive<i128> = -2..=4;

fn eval(poly: &Exact, values: &Values) -> i128 {
    poly.eval(&|var| values.get(&var).copied()).expect("a value for each variable")
}

fn of(poly: &Poly, values: &Values) -> i128 {
    eval(&Exact::from(poly), values)
}

fn satisfied(hypotheses: &Hypotheses, values: &Values) -> bool {
    let claim = |claim: &Claim| match claim {
        Claim::Nonneg(poly) => eval(poly, values) >= 0,
        Claim::Zero(poly) => eval(poly, values) == 0,
        Claim::Nonzero(poly) => eval(poly, values) != 0,
    };
    let divides = |dividend: i128, divisor: i128, quotient: i128| {
        divisor != 0 && quotient == dividend.div_euclid(divisor) || divisor < 0
    };
    hypotheses.claims.iter().all(|(hypothesis, _)| claim(hypothesis))
        && hypotheses.definitions.iter().all(|(var, poly)| values[var] == of(poly, values))
        && hypotheses.divisions.iter().all(|division| {
            let (dividend, divisor) = (of(&division.dividend, values), of(&division.divisor, values));
            let right = divides(dividend, divisor, values[&division.quotient]);
            let rest = || dividend - values[&division.quotient] * divisor;
            right && (divisor < 0 || division.remainder.is_none_or(|var| values[&var] == rest()))
        })
}

/// All addresses, as often as they are reached.
fn addresses(set: &Lmad, values: &Values) -> Vec<i128> {
    let mut all = vec![of(&set.offset, values)];
    for dim in &set.dims {
        let (size, stride) = (of(&dim.size, values), of(&dim.stride, values));
        all = all.iter().flat_map(|at| (0..size).map(move |index| at + index * stride)).collect();
    }
    all
}

fn holds(goal: &Goal, values: &Values) -> bool {
    let set = |lmad: &Lmad| -> BTreeSet<i128> { addresses(lmad, values).into_iter().collect() };
    match goal {
        Goal::Nonneg(poly) => eval(poly, values) >= 0,
        Goal::Zero(poly) => eval(poly, values) == 0,
        Goal::Disjoint { left, right, .. } => set(left).is_disjoint(&set(right)),
        Goal::Contained { inner, outer, .. } => set(inner).is_subset(&set(outer)),
        Goal::Injective { lmad, .. } => set(lmad).len() == addresses(lmad, values).len(),
        Goal::Within { lmad, size, .. } => {
            set(lmad).iter().all(|address| (0..of(size, values)).contains(address))
        }
    }
}

fn variables(evidence: &Evidence) -> BTreeSet<Var> {
    let mut found = BTreeSet::new();
    let mut exact =
        |poly: &Exact| poly.terms().for_each(|(monomial, _)| found.extend(monomial.iter().copied()));
    let hypotheses = &evidence.hypotheses;
    hypotheses.claims.iter().for_each(|(claim, _)| exact(claim.poly()));
    let mut polys: Vec<&Poly> = hypotheses.definitions.iter().map(|(_, poly)| poly).collect();
    for division in &hypotheses.divisions {
        polys.extend([&division.dividend, &division.divisor]);
    }
    let mut sets = Vec::new();
    match &evidence.derivation.goal {
        Goal::Nonneg(poly) | Goal::Zero(poly) => exact(poly),
        Goal::Disjoint { left, right, .. } => sets.extend([left, right]),
        Goal::Contained { inner, outer, .. } => sets.extend([inner, outer]),
        Goal::Injective { lmad, .. } => sets.push(lmad),
        Goal::Within { lmad, size, .. } => {
            sets.push(lmad);
            polys.push(size);
        }
    }
    for set in sets {
        polys.push(&set.offset);
        polys.extend(set.dims.iter().flat_map(|dim| [&dim.size, &dim.stride]));
    }
    polys.into_iter().for_each(|poly| exact(&Exact::from(poly)));
    found.extend(hypotheses.definitions.iter().map(|(var, _)| *var));
    for division in &hypotheses.divisions {
        found.extend([Some(division.quotient), division.remainder].into_iter().flatten());
    }
    found
}

/// Values that satisfy the hypotheses and contradict the goal, if small ones do.
pub(super) fn counterexample(evidence: &Evidence) -> Option<Values> {
    let mut all = vec![Values::new()];
    for var in variables(evidence) {
        let with = |values: &Values| {
            let values = values.clone();
            SMALL.map(move |value| values.iter().map(|(v, n)| (*v, *n)).chain([(var, value)]).collect())
        };
        all = all.iter().flat_map(with).collect();
    }
    all.into_iter()
        .find(|values| satisfied(&evidence.hypotheses, values) && !holds(&evidence.derivation.goal, values))
}

pub(super) fn assert_true(evidence: &Evidence) {
    if let Some(values) = counterexample(evidence) {
        panic!("accepted, but false for {values:?}: {evidence:?}");
    }
}
