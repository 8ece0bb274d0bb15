//! A checker of derivations by their rules alone, with arithmetic of its own.

use crate::lmad::Lmad;
use crate::poly::Poly;
use crate::prove::derivation::{Block, Claim, Derivation, Goal, Line, Rule, Term};
use crate::prove::exact::Exact;
use crate::prove::{Division, Facts};
use fun_base::name::Var;
use std::collections::{BTreeMap, BTreeSet};

type Sum = BTreeMap<Vec<u32>, i128>;

fn sum(poly: &Exact) -> Sum {
    poly.terms().map(|(monomial, c)| (monomial.iter().map(|var| var.tag).collect(), c)).collect()
}

fn of(poly: &Poly) -> Sum {
    poly.terms().map(|(monomial, c)| (monomial.iter().map(|var| var.tag).collect(), i128::from(c))).collect()
}

fn one(var: Var) -> Sum {
    Sum::from([(vec![var.tag], 1)])
}

fn number(n: i128) -> Sum {
    plus(&Sum::new(), &Sum::from([(Vec::new(), n)]), 1)
}

fn plus(left: &Sum, right: &Sum, times: i128) -> Sum {
    let mut result = left.clone();
    for (monomial, c) in right {
        *result.entry(monomial.clone()).or_default() += c * times;
    }
    result.retain(|_, c| *c != 0);
    result
}

fn product(left: &Sum, right: &Sum) -> Sum {
    let mut result = Sum::new();
    for (a, c) in left {
        for (b, d) in right {
            let mut monomial = [a.as_slice(), b].concat();
            monomial.sort_unstable();
            result = plus(&result, &Sum::from([(monomial, c * d)]), 1);
        }
    }
    result
}

fn constant(sum: &Sum) -> Option<i128> {
    match sum.len() {
        0 => Some(0),
        1 => sum.get(&Vec::new()).copied(),
        _ => None,
    }
}

fn nonneg(claim: &Claim) -> Option<Sum> {
    if let Claim::Nonneg(poly) = claim { Some(sum(poly)) } else { None }
}

fn zero(claim: &Claim) -> Option<Sum> {
    if let Claim::Zero(poly) = claim { Some(sum(poly)) } else { None }
}

fn absurd(claim: &Claim) -> bool {
    nonneg(claim) == Some(number(-1))
}

/// A point: its address and what holds for its indices.
fn point(lmad: &Lmad, indices: &[Var], premises: &mut Vec<Sum>) -> Sum {
    assert_eq!(lmad.rank(), indices.len());
    let mut address = of(&lmad.offset);
    for (dim, var) in lmad.dims.iter().zip(indices) {
        address = plus(&address, &product(&of(&dim.stride), &one(*var)), 1);
        premises.push(one(*var));
        premises.push(plus(&plus(&of(&dim.size), &number(1), -1), &one(*var), -1));
    }
    address
}

struct Checker<'f> {
    facts: &'f Facts,
    /// What may be assumed not to be negative, and to be zero.
    premises: (Vec<Sum>, Vec<Sum>),
    /// Variables of the goal.
    points: BTreeSet<u32>,
    lines: Vec<Claim>,
}

/// Whether the derivation proves its goal from the facts.
pub(super) fn check(facts: &Facts, derivation: &Derivation) -> Result<(), String> {
    let (mut bounds, mut equations, mut points) = (Vec::new(), Vec::new(), Vec::new());
    let mut wanted: Vec<(bool, Sum)> = Vec::new();
    match &derivation.goal {
        Goal::Nonneg(poly) => wanted.push((false, sum(poly))),
        Goal::Zero(poly) => wanted.push((true, sum(poly))),
        Goal::Disjoint { left, right, left_point, right_point } => {
            let (x, y) = (point(left, left_point, &mut bounds), point(right, right_point, &mut bounds));
            equations.push(plus(&x, &y, -1));
            points = [left_point.as_slice(), right_point].concat();
            wanted.push((false, number(-1)));
        }
        Goal::Injective { lmad, first, second } => {
            let (x, y) = (point(lmad, first, &mut bounds), point(lmad, second, &mut bounds));
            equations.push(plus(&x, &y, -1));
            points = [first.as_slice(), second].concat();
            wanted.extend(first.iter().zip(second).map(|(x, y)| (true, plus(&one(*x), &one(*y), -1))));
        }
        Goal::Contained { inner, outer, point: indices, image } => {
            let mut difference = point(inner, indices, &mut bounds);
            difference = plus(&difference, &of(&outer.offset), -1);
            assert_eq!(outer.rank(), image.len());
            for (dim, index) in outer.dims.iter().zip(image) {
                let index = sum(index);
                difference = plus(&difference, &product(&of(&dim.stride), &index), -1);
                let last = plus(&plus(&of(&dim.size), &number(1), -1), &index, -1);
                wanted.extend([(false, index), (false, last)]);
            }
            wanted.push((true, difference));
            points = indices.clone();
        }
        Goal::Within { lmad, size, point: indices } => {
            let address = point(lmad, indices, &mut bounds);
            let below = plus(&plus(&of(size), &number(1), -1), &address, -1);
            wanted.extend([(false, address), (false, below)]);
            points = indices.clone();
        }
    }
    let tags: BTreeSet<u32> = points.iter().map(|var| var.tag).collect();
    let stale = facts.claims().any(|claim| claim.poly().vars().iter().any(|var| tags.contains(&var.tag)));
    if stale || tags.len() != points.len() {
        return Err("the points' variables are not new".into());
    }
    let mut checker = Checker { facts, premises: (bounds, equations), points: tags, lines: Vec::new() };
    for line in &derivation.lines {
        checker.line(line)?;
    }
    if wanted.len() != derivation.shows.len() {
        return Err("the goal asks for another number of claims".into());
    }
    for ((is_zero, poly), shows) in wanted.iter().zip(&derivation.shows) {
        let claim = &checker.lines[*shows];
        let found = if *is_zero { zero(claim) } else { nonneg(claim) };
        if found.as_ref() != Some(poly) && !absurd(claim) {
            return Err(format!("line {shows} does not show what the goal asks for"));
        }
    }
    Ok(())
}

impl Checker<'_> {
    fn line(&mut self, line: &Line) -> Result<(), String> {
        if self.follows(line) {
            self.lines.push(line.claim.clone());
            return Ok(());
        }
        Err(format!("line {}: {line:?}", self.lines.len()))
    }

    fn at(&self, line: usize) -> Sum {
        nonneg(&self.lines[line]).expect("an inequality")
    }

    fn follows(&mut self, line: &Line) -> bool {
        let claim = &line.claim;
        let most = number(i128::from(i64::MAX));
        let least = number(-i128::from(i64::MIN));
        match &line.rule {
            Rule::Given(_) => self.facts.claims().any(|fact| fact == claim),
            Rule::Range(var) => {
                let bounds = [plus(&one(*var), &least, 1), plus(&most, &one(*var), -1)];
                !self.points.contains(&var.tag) && nonneg(claim).is_some_and(|poly| bounds.contains(&poly))
            }
            Rule::Premise => {
                nonneg(claim).is_some_and(|poly| self.premises.0.contains(&poly))
                    || zero(claim).is_some_and(|poly| self.premises.1.contains(&poly))
            }
            Rule::Assumed => false,
            Rule::Definition { var, poly, low, high } => {
                let poly = of(poly);
                let (equation, wraps) = (plus(&one(*var), &poly, -1), number(i128::from(u64::MAX)));
                let (low, high) = (self.at(*low), self.at(*high));
                (low == plus(&poly, &least, 1) || low == plus(&wraps, &equation, -1))
                    && (high == plus(&most, &poly, -1) || high == plus(&wraps, &equation, 1))
                    && zero(claim) == Some(equation)
            }
            Rule::Division { division, shown } => self.divides(claim, division, shown),
            Rule::Sum { scale, terms } => self.adds_up(claim, *scale, terms),
            Rule::Cases { on, first, second } => {
                let negative = plus(&number(-1), &sum(on), -1);
                self.block(first, &sum(on), claim) && self.block(second, &negative, claim)
            }
            Rule::Apart { nonzero, nonneg: line } => {
                let Claim::Nonzero(apart) = &self.lines[*nonzero] else { return false };
                let poly = self.at(*line);
                let same = sum(apart) == poly || plus(&sum(apart), &poly, 1).is_empty();
                same && nonneg(claim) == Some(plus(&poly, &number(1), -1))
            }
            Rule::Both { low, high } => {
                plus(&self.at(*low), &self.at(*high), 1).is_empty() && zero(claim) == Some(self.at(*low))
            }
        }
    }

    fn adds_up(&self, claim: &Claim, scale: i128, terms: &[Term]) -> bool {
        let mut rest = plus(&Sum::new(), &sum(claim.poly()), scale);
        let mut equations = 0;
        for Term { multiplier, factors } in terms {
            let claims = factors.iter().map(|k| &self.lines[*k]);
            let equation = claims.clone().any(|claim| zero(claim).is_some());
            let plain = claims.clone().all(|claim| nonneg(claim).is_some());
            let multiplier = sum(multiplier);
            if !(equation || plain && constant(&multiplier).is_some_and(|c| c >= 0)) {
                return false;
            }
            equations += usize::from(equation);
            let term =
                claims.fold(multiplier, |product_so_far, claim| product(&product_so_far, &sum(claim.poly())));
            rest = plus(&rest, &term, -1);
        }
        let rest = constant(&rest);
        match claim {
            Claim::Nonneg(_) => scale >= 1 && rest.is_some_and(|rest| rest > -scale),
            Claim::Zero(_) => scale >= 1 && rest == Some(0) && equations == terms.len(),
            Claim::Nonzero(_) => false,
        }
    }

    fn block(&mut self, block: &Block, assumed: &Sum, claim: &Claim) -> bool {
        let start = self.lines.len();
        let Some((first, rest)) = block.lines.split_first() else { return false };
        if first.rule != Rule::Assumed || nonneg(&first.claim).as_ref() != Some(assumed) {
            return false;
        }
        self.lines.push(first.claim.clone());
        let right = rest.iter().all(|line| self.line(line).is_ok());
        let shows = self.lines.get(block.shows).is_some_and(|shown| shown == claim || absurd(shown));
        self.lines.truncate(start);
        right && shows
    }

    fn divides(&self, claim: &Claim, division: &Division, shown: &[usize; 4]) -> bool {
        let (dividend, divisor) = (of(&division.dividend), of(&division.divisor));
        let most = number(i128::from(i64::MAX));
        let below = plus(&self.at(shown[0]), &dividend, -1);
        if !constant(&below).is_some_and(|below| below == 0 || division.floors && below > 0) {
            return false;
        }
        let needed = [
            plus(&dividend, &below, 1),
            plus(&most, &dividend, -1),
            plus(&divisor, &number(1), -1),
            plus(&most, &divisor, -1),
        ];
        if !shown.iter().zip(&needed).all(|(line, poly)| self.at(*line) == *poly) {
            return false;
        }
        let quotient = plus(&one(division.quotient), &below, 1);
        let rest = plus(&dividend, &product(&one(division.quotient), &divisor), -1);
        let less = |poly: &Sum| plus(&plus(&divisor, &number(1), -1), poly, -1);
        match division.remainder.map(one) {
            Some(remainder) => {
                zero(claim) == Some(plus(&rest, &remainder, -1))
                    || nonneg(claim)
                        .is_some_and(|poly| [quotient, less(&remainder), remainder].contains(&poly))
            }
            None => nonneg(claim).is_some_and(|poly| [quotient, less(&rest), rest].contains(&poly)),
        }
    }
}
