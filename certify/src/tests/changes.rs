//! Changed derivations.

use super::{enumeration, obligations, random_evidence};
use crate::check_evidence;
use fun_base::name::Var;
use fun_base::rng::Rng;
use fun_index::certificate::Evidence;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use fun_index::prove::derivation::{Claim, Goal, Line, Rule};
use fun_index::prove::exact::Exact;
use std::rc::Rc;

fn shifted(poly: &Exact, by: i128) -> Exact {
    poly.plus(by).expect("small numbers")
}

fn change_claim(claim: &mut Claim, rng: &mut Rng) {
    let by = if rng.chance(50) { 1 } else { -1 };
    *claim = match claim {
        Claim::Nonneg(poly) if rng.chance(20) => Claim::Zero(poly.clone()),
        Claim::Nonneg(poly) => Claim::Nonneg(shifted(poly, by)),
        Claim::Zero(poly) => Claim::Zero(shifted(poly, by)),
        Claim::Nonzero(poly) => Claim::Nonzero(shifted(poly, by)),
    };
}

fn change_number(number: &mut usize, rng: &mut Rng) {
    *number = if rng.chance(50) { number.wrapping_add(1) } else { number.saturating_sub(1) };
}

fn change_rule(rule: &mut Rule, rng: &mut Rng) {
    match rule {
        Rule::Sum { scale, terms } => {
            let at = rng.below(terms.len());
            match (rng.below(4), terms.get_mut(at)) {
                (0, _) | (_, None) => *scale += if rng.chance(50) { 1 } else { -1 },
                (1, Some(term)) => {
                    term.multiplier = shifted(&term.multiplier, if rng.chance(50) { 1 } else { -1 })
                }
                (2, Some(term)) => {
                    let factor = rng.below(term.factors.len());
                    if let Some(factor) = term.factors.get_mut(factor) {
                        change_number(factor, rng);
                    }
                }
                (_, Some(_)) => {
                    terms.remove(at);
                }
            }
        }
        Rule::Cases { on, first, second } => match rng.below(5) {
            0 => *on = shifted(on, 1),
            1 => std::mem::swap(first, second),
            2 => change_number(&mut first.shows, rng),
            3 => change_lines(&mut first.lines, rng),
            _ => change_lines(&mut second.lines, rng),
        },
        Rule::Definition { poly, low, .. } => match rng.below(2) {
            0 => *poly = poly.add(&Poly::constant(1)),
            _ => change_number(low, rng),
        },
        Rule::Division { division, shown } => match rng.below(2) {
            0 => division.divisor = division.divisor.add(&Poly::constant(1)),
            _ => change_number(&mut shown[rng.below(4)], rng),
        },
        Rule::Apart { nonzero, nonneg } => std::mem::swap(nonzero, nonneg),
        Rule::Both { low, high } => std::mem::swap(low, high),
        Rule::Range(_) => *rule = Rule::Premise,
        Rule::Premise | Rule::Assumed => *rule = Rule::Sum { scale: 1, terms: Vec::new() },
        Rule::Given(_) => *rule = Rule::Premise,
    }
}

fn change_lines(lines: &mut Vec<Line>, rng: &mut Rng) {
    let at = rng.below(lines.len());
    let other = rng.below(lines.len());
    match (rng.below(5), lines.get_mut(at)) {
        (_, None) => {}
        (0, Some(line)) => change_claim(&mut line.claim, rng),
        (1, Some(_)) => {
            lines.remove(at);
        }
        (2, Some(_)) => lines.swap(at, other),
        (_, Some(line)) => change_rule(&mut line.rule, rng),
    }
}

fn change_set(set: &mut Lmad, rng: &mut Rng) {
    let by = Poly::constant(if rng.chance(50) { 1 } else { -1 });
    let rank = set.dims.len();
    match (rng.below(3), set.dims.get_mut(rng.below(rank))) {
        (0, _) | (_, None) => set.offset = set.offset.add(&by),
        (1, Some(dim)) => dim.size = dim.size.add(&by),
        (_, Some(dim)) => dim.stride = dim.stride.add(&by),
    }
}

fn change_goal(goal: &mut Goal, rng: &mut Rng) {
    match goal {
        Goal::Nonneg(poly) | Goal::Zero(poly) => *poly = shifted(poly, if rng.chance(50) { 1 } else { -1 }),
        Goal::Disjoint { left, right, left_point, right_point } => match rng.below(4) {
            0 => std::mem::swap(left, right),
            1 => change_set(left, rng),
            2 => std::mem::swap(left_point, right_point),
            _ => *right = left.clone(),
        },
        Goal::Contained { inner, outer, .. } => match rng.below(3) {
            0 => std::mem::swap(inner, outer),
            1 => change_set(inner, rng),
            _ => change_set(outer, rng),
        },
        Goal::Injective { lmad, first, second } => match rng.below(2) {
            0 => change_set(lmad, rng),
            _ => *first = second.clone(),
        },
        Goal::Within { lmad, size, point } => match rng.below(3) {
            0 => change_set(lmad, rng),
            1 => *size = size.sub(&Poly::constant(1)),
            // An index that is a variable of the program, of which other things are known.
            _ => point.iter_mut().for_each(|index| *index = Var::new("n", 4)),
        },
    }
}

fn change(evidence: &mut Evidence, rng: &mut Rng) {
    let hypotheses = &mut evidence.hypotheses.claims;
    let claims = hypotheses.len();
    match rng.below(10) {
        0 | 1 if claims > 0 => {
            hypotheses.remove(rng.below(claims));
        }
        2 if claims > 0 => change_claim(&mut hypotheses[rng.below(claims)].0, rng),
        3 | 4 => change_goal(&mut Rc::make_mut(&mut evidence.derivation).goal, rng),
        5 if !evidence.derivation.shows.is_empty() => {
            let at = rng.below(evidence.derivation.shows.len());
            change_number(&mut Rc::make_mut(&mut evidence.derivation).shows[at], rng);
        }
        _ => change_lines(&mut Rc::make_mut(&mut evidence.derivation).lines, rng),
    }
}

/// Of all changes few are accepted (those of multipliers that were larger than needed, say), and then the goal is true.
#[test]
fn changed_derivations_are_refused_or_right() {
    let mut rng = Rng::new(7);
    let mut all = obligations();
    all.extend(random_evidence(2, 200));
    let (mut refused, mut accepted) = (0, 0);
    for evidence in &all {
        for _ in 0..40 {
            let mut changed = evidence.clone();
            change(&mut changed, &mut rng);
            if rng.chance(20) {
                change(&mut changed, &mut rng);
            }
            if changed == *evidence {
                continue;
            }
            if check_evidence(&changed).is_err() {
                refused += 1;
            } else {
                accepted += 1;
                enumeration::assert_true(&changed);
            }
        }
    }
    assert!(refused > 1000 && refused > 4 * accepted, "{refused} refused, {accepted} accepted");
}

/// A derivation of another goal, or from other facts, is refused wherever its goal is false.
#[test]
fn derivations_do_not_prove_other_goals() {
    let all = obligations();
    let mut refused = 0;
    for one in &all {
        for other in &all {
            let mut mixed = one.clone();
            Rc::make_mut(&mut mixed.derivation).goal = other.derivation.goal.clone();
            match check_evidence(&mixed) {
                Ok(()) => enumeration::assert_true(&mixed),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > all.len());
}
