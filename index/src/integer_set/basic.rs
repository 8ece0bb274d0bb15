//! Conditions and their conjunctions.

use super::affine::{Affine, Exact, Refusal, gcd};
use std::collections::BTreeMap;

/// A condition on a point. Closed under negation up to a disjunction of two.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Condition {
    /// The expression is 0.
    Zero(Affine),
    /// The expression is at least 0.
    Nonneg(Affine),
    /// The remainder of the expression is at most a number: `of mod modulus ≤ most`, the remainder being that in `0..modulus`.
    /// Divisibility is the case `most = 0`.
    Residue {
        /// What is divided.
        of: Affine,
        /// By what; positive.
        modulus: i128,
        /// The greatest remainder allowed; not negative.
        most: i128,
    },
}

impl Condition {
    /// The expression that it is about.
    pub fn affine(&self) -> &Affine {
        match self {
            Condition::Zero(of) | Condition::Nonneg(of) | Condition::Residue { of, .. } => of,
        }
    }

    /// Whether it holds at a point.
    pub fn holds(&self, point: &[i128]) -> Exact<bool> {
        let value = self.affine().eval(point)?;
        Ok(match self {
            Condition::Zero(_) => value == 0,
            Condition::Nonneg(_) => value >= 0,
            Condition::Residue { modulus, most, .. } => value.rem_euclid(*modulus) <= *most,
        })
    }

    /// Conditions of which exactly one holds where this one does not.
    pub(super) fn negated(&self) -> Exact<Vec<Condition>> {
        Ok(match self {
            Condition::Zero(of) => {
                vec![Condition::Nonneg(of.plus(-1)?), Condition::Nonneg(of.scale(-1)?.plus(-1)?)]
            }
            Condition::Nonneg(of) => vec![Condition::Nonneg(of.scale(-1)?.plus(-1)?)],
            // most < of mod modulus, which shifted by most + 1 is 0 ≤ … ≤ modulus - most - 2.
            Condition::Residue { most, modulus, .. } if *most >= modulus - 1 => Vec::new(),
            Condition::Residue { of, modulus, most } => {
                let most_not = modulus - most - 2;
                vec![Condition::Residue { of: of.plus(-1 - most)?, modulus: *modulus, most: most_not }]
            }
        })
    }

    /// The same condition on another expression.
    pub(super) fn map(&self, f: impl FnOnce(&Affine) -> Exact<Affine>) -> Exact<Condition> {
        Ok(match self {
            Condition::Zero(of) => Condition::Zero(f(of)?),
            Condition::Nonneg(of) => Condition::Nonneg(f(of)?),
            Condition::Residue { of, modulus, most } => {
                Condition::Residue { of: f(of)?, modulus: *modulus, most: *most }
            }
        })
    }

    /// In lowest terms: coefficients without common divisor, constants as tight as the integers allow.
    fn reduced(self) -> Exact<Reduced> {
        match self {
            Condition::Zero(of) => reduced_zero(of),
            Condition::Nonneg(of) => reduced_nonneg(of),
            Condition::Residue { of, modulus, most } => reduced_residue(of, modulus, most),
        }
    }
}

/// What a condition comes to in lowest terms.
enum Reduced {
    Always,
    Never,
    Sometimes(Condition),
}

fn always(holds: bool) -> Reduced {
    if holds { Reduced::Always } else { Reduced::Never }
}

fn reduced_zero(mut of: Affine) -> Exact<Reduced> {
    let mut divisor = of.content()?;
    if divisor == 0 {
        return Ok(always(of.constant == 0));
    }
    if of.constant % divisor != 0 {
        return Ok(Reduced::Never);
    }
    if of.coefficients.iter().find(|coefficient| **coefficient != 0).is_some_and(|first| *first < 0) {
        divisor = -divisor;
    }
    of.coefficients.iter_mut().for_each(|coefficient| *coefficient /= divisor);
    of.constant /= divisor;
    Ok(Reduced::Sometimes(Condition::Zero(of)))
}

fn reduced_nonneg(mut of: Affine) -> Exact<Reduced> {
    let divisor = of.content()?;
    if divisor == 0 {
        return Ok(always(of.constant >= 0));
    }
    of.coefficients.iter_mut().for_each(|coefficient| *coefficient /= divisor);
    of.constant = of.constant.div_euclid(divisor);
    Ok(Reduced::Sometimes(Condition::Nonneg(of)))
}

fn reduced_residue(mut of: Affine, mut modulus: i128, mut most: i128) -> Exact<Reduced> {
    if modulus <= 0 || most < 0 {
        return Err(Refusal::Space);
    }
    of.coefficients.iter_mut().for_each(|coefficient| *coefficient = coefficient.rem_euclid(modulus));
    let divisor = gcd(of.content()?, modulus)?;
    of.constant = of.constant.rem_euclid(modulus);
    if of.is_constant() || most >= modulus - 1 {
        return Ok(always(of.constant <= most || most >= modulus - 1));
    }
    // Multiples of the divisor plus a rest below it: the rest is part of every remainder.
    let rest = of.constant % divisor;
    if rest > most {
        return Ok(Reduced::Never);
    }
    of.coefficients.iter_mut().for_each(|coefficient| *coefficient /= divisor);
    of.constant /= divisor;
    modulus /= divisor;
    most = (most - rest) / divisor;
    if most >= modulus - 1 {
        return Ok(Reduced::Always);
    }
    // The same condition seen from the other end of the remainders allowed.
    let negative = |value: &i128| (modulus - value) % modulus;
    let coefficients = of.coefficients.iter().map(negative).collect();
    let opposite = Affine { coefficients, constant: (most - of.constant).rem_euclid(modulus) };
    of = of.min(opposite);
    Ok(Reduced::Sometimes(Condition::Residue { of, modulus, most }))
}

fn opposite(coefficients: &[i128]) -> Exact<Vec<i128>> {
    coefficients.iter().map(|coefficient| coefficient.checked_neg().ok_or(Refusal::Overflow)).collect()
}

/// A conjunction of conditions in lowest terms, sorted, without repetition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Basic {
    conditions: Vec<Condition>,
}

impl Basic {
    /// The conjunction; `None` where it evidently never holds (which is not found in all cases where it does not). An equation
    /// that gives the value of a column is used wherever that column occurs.
    pub fn new(conditions: impl IntoIterator<Item = Condition>) -> Exact<Option<Basic>> {
        let mut pivots = Vec::new();
        let mut basic = Basic::collect(conditions)?;
        while let Some(Basic { conditions }) = &mut basic {
            let Some((at, pivot)) = conditions.iter().enumerate().find_map(|(at, condition)| {
                let Condition::Zero(of) = condition else { return None };
                let unit = |k: &usize| of.coefficients[*k].unsigned_abs() == 1;
                let used = |k: &usize| pivots.contains(k) && unit(k);
                let mut columns = 0..of.width();
                if columns.clone().any(|k| used(&k)) { None } else { Some((at, columns.find(unit)?)) }
            }) else {
                break;
            };
            pivots.push(pivot);
            let occurs = |condition: &Condition| condition.affine().coefficients[pivot] != 0;
            if conditions.iter().filter(|condition| occurs(condition)).count() > 1 {
                let Condition::Zero(equation) = conditions.remove(at) else { break };
                let sign = equation.coefficients[pivot];
                for condition in conditions.iter_mut() {
                    let factor = condition.affine().coefficients[pivot].checked_mul(-sign);
                    let factor = factor.ok_or(Refusal::Overflow)?;
                    *condition = condition.map(|of| of.combine(1, &equation, factor))?;
                }
                conditions.push(Condition::Zero(equation));
                basic = Basic::collect(std::mem::take(conditions))?;
            }
        }
        Ok(basic)
    }

    /// In lowest terms, without repetition and contradictions that two conditions show.
    fn collect(conditions: impl IntoIterator<Item = Condition>) -> Exact<Option<Basic>> {
        // By coefficients: of several bounds in one direction only the tightest matters.
        let mut bounds: BTreeMap<Vec<i128>, i128> = BTreeMap::new();
        let mut zeros: BTreeMap<Vec<i128>, i128> = BTreeMap::new();
        let mut rest = Vec::new();
        for condition in conditions {
            match condition.reduced()? {
                Reduced::Always => {}
                Reduced::Never => return Ok(None),
                Reduced::Sometimes(Condition::Nonneg(Affine { coefficients, constant })) => {
                    let bound = bounds.entry(coefficients).or_insert(constant);
                    *bound = constant.min(*bound);
                }
                Reduced::Sometimes(Condition::Zero(Affine { coefficients, constant })) => {
                    if *zeros.entry(coefficients).or_insert(constant) != constant {
                        return Ok(None);
                    }
                }
                Reduced::Sometimes(residue) => rest.push(residue),
            }
        }
        let found: Vec<_> = bounds.iter().map(|(coefficients, low)| (coefficients.clone(), *low)).collect();
        for (coefficients, low) in found {
            let reverse = opposite(&coefficients)?;
            let Some(high) = bounds.get(&reverse) else { continue };
            match low.checked_add(*high).ok_or(Refusal::Overflow)? {
                width if width < 0 => return Ok(None),
                0 => {
                    bounds.remove(&reverse);
                    bounds.remove(&coefficients);
                    // In the form that a reduced equation has.
                    if let Reduced::Sometimes(Condition::Zero(Affine { coefficients, constant })) =
                        reduced_zero(Affine { coefficients, constant: low })?
                        && *zeros.entry(coefficients).or_insert(constant) != constant
                    {
                        return Ok(None);
                    }
                }
                _ => {}
            }
        }
        // A bound that an equation decides.
        for (coefficients, constant) in &zeros {
            for (direction, sign) in [(coefficients.clone(), -1), (opposite(coefficients)?, 1)] {
                let Some(bound) = bounds.remove(&direction) else { continue };
                let signed = constant.checked_mul(sign).and_then(|value| value.checked_add(bound));
                if signed.ok_or(Refusal::Overflow)? < 0 {
                    return Ok(None);
                }
            }
        }
        let affine = |(coefficients, constant)| Affine { coefficients, constant };
        let mut conditions: Vec<Condition> =
            zeros.into_iter().map(|zero| Condition::Zero(affine(zero))).collect();
        conditions.extend(bounds.into_iter().map(|bound| Condition::Nonneg(affine(bound))));
        rest.sort();
        rest.dedup();
        conditions.extend(rest);
        Ok(Some(Basic { conditions }))
    }

    /// The conditions in a fixed order: equations, inequalities, remainders.
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    /// Whether all conditions hold at a point.
    pub fn contains(&self, point: &[i128]) -> Exact<bool> {
        for condition in &self.conditions {
            if !condition.holds(point)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Both conjunctions at once.
    pub(super) fn and(&self, other: &[Condition]) -> Exact<Option<Basic>> {
        Basic::new(self.conditions.iter().chain(other).cloned())
    }
}
