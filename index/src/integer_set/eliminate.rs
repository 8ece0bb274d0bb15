//! Elimination of existential variables, exact over the integers: the Omega test (Pugh 1991), with remainders as conditions.
//!
//! A variable goes in one of three ways, each of which leaves one variable less, so this ends:
//!
//! - An *equation* is solved by column operations that make all but one of its coefficients of existential variables 0. What
//!   remains, `g·v + e = 0`, says `v = -e/g` where `g` divides `e`: a condition on remainders.
//! - *Inequalities* `a·v ≥ l` and `b·v ≤ u` give `b·l ≤ a·u`, which is exact where `a` or `b` is 1 (the real shadow). Otherwise
//!   `a·u - b·l ≥ (a-1)(b-1)` is enough (the dark shadow), and the points that it misses have `a·v = l + k` for a small `k`
//!   (the splinters): equations.
//! - Bounds that enclose `m·v` in an interval of a constant length say what the remainder by `m` is, without splinters.

use super::affine::{Affine, Exact, Refusal, Work};
use super::basic::{Basic, Condition};

/// Whether the search for further parts goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Search {
    Goes,
    Ends,
}

/// What is done with each part that is found.
type Found<'f> = dyn FnMut(Basic) -> Exact<Search> + 'f;

/// Conditions over `visible` columns and then `hidden` ones, which are existential.
#[derive(Clone, Debug)]
struct Problem {
    conditions: Vec<Condition>,
    visible: usize,
    hidden: usize,
}

/// Whether an integer point satisfies the conditions over `width` columns.
pub(super) fn feasible(basic: &Basic, width: usize, work: &mut Work) -> Exact<bool> {
    let problem = Problem { conditions: basic.conditions().to_vec(), visible: 0, hidden: width };
    problem.feasible(work)
}

/// Conjunctions over the first `visible` columns whose union is the projection of the conditions over `visible + hidden` columns.
/// None of them is empty.
pub(super) fn project(basic: &Basic, visible: usize, hidden: usize, work: &mut Work) -> Exact<Vec<Basic>> {
    let mut parts = Vec::new();
    let problem = Problem { conditions: basic.conditions().to_vec(), visible, hidden };
    problem.eliminate(work, &mut |part| {
        parts.push(part);
        Ok(Search::Goes)
    })?;
    parts.sort();
    parts.dedup();
    Ok(parts)
}

impl Problem {
    fn width(&self) -> usize {
        self.visible + self.hidden
    }

    fn feasible(&self, work: &mut Work) -> Exact<bool> {
        let all = Problem { conditions: self.conditions.clone(), visible: 0, hidden: self.width() };
        let end = all.eliminate(work, &mut |_| Ok(Search::Ends))?;
        Ok(end == Search::Ends)
    }

    /// Calls `found` on conjunctions without existential variables until it has enough.
    fn eliminate(mut self, work: &mut Work, found: &mut Found<'_>) -> Exact<Search> {
        loop {
            work.spend(1 + self.conditions.len() * (1 + self.width() / 8))?;
            let Some(basic) = Basic::new(std::mem::take(&mut self.conditions))? else {
                return Ok(Search::Goes);
            };
            if self.hidden == 0 {
                return found(basic);
            }
            self.conditions = basic.conditions().to_vec();
            if let Some(at) = self.conditions.iter().position(|c| self.solvable(c)) {
                let Condition::Zero(equation) = self.conditions.remove(at) else {
                    return Err(Refusal::Space);
                };
                self.solve(equation)?;
                continue;
            }
            if self.unfold_residues(0) {
                continue;
            }
            match self.choose()? {
                Choice::Free(column) => self.drop_bounds(column),
                Choice::Exact(column) => self = self.shadow(column, false, work)?,
                Choice::Residue(column) => self.enclose(column)?,
                Choice::Unfold => {
                    self.unfold_residues(i128::MAX);
                }
                Choice::Split(column) => return self.split(column, work, found),
                Choice::Cases(of, last) => {
                    let cases = (0..=last).map(|k| of.plus(-k));
                    return self.cases(cases.collect::<Exact<Vec<_>>>()?, work, found);
                }
            }
        }
    }

    fn mentions_hidden(&self, condition: &Condition) -> bool {
        condition.affine().coefficients[self.visible..].iter().any(|coefficient| *coefficient != 0)
    }

    fn solvable(&self, condition: &Condition) -> bool {
        matches!(condition, Condition::Zero(_)) && self.mentions_hidden(condition)
    }

    /// Remainders of existential variables that may be at most `most` become bounds on a quotient, a new variable; says whether
    /// there were any. Only what was given has such remainders: those that elimination adds are about visible columns.
    fn unfold_residues(&mut self, limit: i128) -> bool {
        let mut quotients: Vec<(Affine, i128, i128)> = Vec::new();
        let (visible, mut kept) = (self.visible, Vec::new());
        for condition in std::mem::take(&mut self.conditions) {
            let hides = condition.affine().coefficients[visible..].iter().any(|c| *c != 0);
            match condition {
                Condition::Residue { of, modulus, most } if hides && most <= limit => {
                    quotients.push((of, modulus, most));
                }
                other => kept.push(other),
            }
        }
        let (first, unfolded) = (self.width(), !quotients.is_empty());
        self.hidden += quotients.len();
        let width = self.width();
        let widen = |mut of: Affine| {
            of.coefficients.resize(width, 0);
            of
        };
        self.conditions = Vec::new();
        for condition in kept {
            self.conditions.extend(condition.map(|of| Ok(widen(of.clone()))));
        }
        for (k, (of, modulus, most)) in quotients.into_iter().enumerate() {
            // 0 ≤ of - modulus · q ≤ most
            let mut rest = widen(of);
            rest.coefficients[first + k] = -modulus;
            if most == 0 {
                self.conditions.push(Condition::Zero(rest));
            } else {
                let above = rest.coefficients.iter().map(|c| -c).collect();
                let above = Affine { coefficients: above, constant: most - rest.constant };
                self.conditions.extend([Condition::Nonneg(rest), Condition::Nonneg(above)]);
            }
        }
        unfolded
    }

    /// Uses up an equation: one existential variable less, whose value it is.
    fn solve(&mut self, mut equation: Affine) -> Exact<()> {
        let columns = self.visible..self.width();
        // Column operations: w = v_p + q · v_j as a new variable instead of v_p changes only the coefficients of v_j.
        let pivot = loop {
            let occurring = columns.clone().filter(|k| equation.coefficients[*k] != 0);
            let pivot = occurring.clone().min_by_key(|k| equation.coefficients[*k].unsigned_abs());
            let pivot = pivot.ok_or(Refusal::Space)?;
            let size = equation.coefficients[pivot];
            let others: Vec<usize> = occurring.filter(|k| *k != pivot).collect();
            if others.is_empty() || size.abs() == 1 {
                break pivot;
            }
            for other in others {
                let quotient = equation.coefficients[other].div_euclid(size);
                let step = |of: &Affine| {
                    let mut of = of.clone();
                    let product = of.coefficients[pivot].checked_mul(quotient);
                    let next = product.and_then(|product| of.coefficients[other].checked_sub(product));
                    of.coefficients[other] = next.ok_or(Refusal::Overflow)?;
                    Ok(of)
                };
                equation = step(&equation)?;
                for condition in &mut self.conditions {
                    *condition = condition.map(step)?;
                }
            }
        };
        if equation.coefficients[pivot] < 0 {
            equation = equation.scale(-1)?;
        }
        let size = equation.coefficients[pivot];
        for condition in &mut self.conditions {
            let coefficient = condition.affine().coefficients[pivot];
            if coefficient != 0 {
                *condition = match &*condition {
                    Condition::Residue { of, modulus, most } => {
                        // Scaled by size > 0, a remainder r becomes size · r, and only multiples occur.
                        let overflow = || Refusal::Overflow;
                        Condition::Residue {
                            of: of.combine(size, &equation, -coefficient)?,
                            modulus: modulus.checked_mul(size).ok_or_else(overflow)?,
                            most: most.checked_mul(size).ok_or_else(overflow)?,
                        }
                    }
                    other => other.map(|of| of.combine(size, &equation, -coefficient))?,
                };
            }
        }
        equation.coefficients[pivot] = 0;
        if size > 1 {
            self.conditions.push(Condition::Residue { of: equation, modulus: size, most: 0 });
        }
        self.remove_column(pivot);
        Ok(())
    }

    fn remove_column(&mut self, column: usize) {
        self.hidden -= 1;
        for condition in &mut self.conditions {
            let (Condition::Zero(of) | Condition::Nonneg(of) | Condition::Residue { of, .. }) = condition;
            of.coefficients.remove(column);
        }
    }

    /// The inequalities about a column. Remainders bound nothing, and equations are solved before bounds are asked for.
    fn bounds(&self, column: usize) -> Bounds<'_> {
        let mut bounds = Bounds { lower: Vec::new(), upper: Vec::new() };
        for condition in &self.conditions {
            let Condition::Nonneg(of) = condition else { continue };
            match of.coefficients[column] {
                0 => {}
                positive if positive > 0 => bounds.lower.push((positive, of)),
                negative => bounds.upper.push((negative.wrapping_neg(), of)),
            }
        }
        bounds
    }

    /// What to do next, where existential variables occur in no equations and in no conditions of divisibility.
    fn choose(&self) -> Exact<Choice> {
        let mut best: Option<(u128, Choice)> = None;
        let mut consider = |cost: u128, choice: Choice| {
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, choice));
            }
        };
        for condition in self.conditions.iter().filter(|condition| self.mentions_hidden(condition)) {
            if matches!(condition, Condition::Residue { .. }) {
                consider(INEXACT + FEW, Choice::Unfold);
            }
        }
        for column in self.visible..self.width() {
            let residue = |c: &Condition| {
                matches!(c, Condition::Residue { .. }) && c.affine().coefficients[column] != 0
            };
            let in_residue = self.conditions.iter().any(residue);
            let bounds = self.bounds(column);
            let (lower, upper) = (bounds.lower.len(), bounds.upper.len());
            if !in_residue && (lower == 0 || upper == 0) {
                return Ok(Choice::Free(column));
            }
            if !in_residue && bounds.exact() {
                consider((lower * upper) as u128, Choice::Exact(column));
            } else if !in_residue && self.encloses(column) {
                return Ok(Choice::Residue(column));
            } else {
                if let Some((of, last)) = self.range(column)? {
                    consider(INEXACT + last.unsigned_abs() + 1, Choice::Cases(of, last));
                }
                if !in_residue {
                    consider(INEXACT + bounds.splinters().1 + 1, Choice::Split(column));
                }
            }
        }
        Ok(best.map_or(Choice::Free(self.visible), |(_, choice)| choice))
    }

    /// A column minus its least value and the greatest value of that, if two constants bound it.
    fn range(&self, column: usize) -> Exact<Option<(Affine, i128)>> {
        let alone = |of: &Affine| of.coefficients.iter().enumerate().all(|(k, c)| k == column || *c == 0);
        let bounds = self.bounds(column);
        // In lowest terms the coefficient of a bound on one column is 1.
        let low = bounds.lower.iter().find(|(_, of)| alone(of));
        let high = bounds.upper.iter().find(|(_, of)| alone(of));
        let (Some((_, low)), Some((_, high))) = (low, high) else { return Ok(None) };
        let last = low.constant.checked_add(high.constant).ok_or(Refusal::Overflow)?;
        Ok(Some(((*low).clone(), last)))
    }

    fn drop_bounds(&mut self, column: usize) {
        self.conditions.retain(|condition| condition.affine().coefficients[column] == 0);
        self.remove_column(column);
    }

    /// Whether the bounds on a column are `0 ≤ e - m·v ≤ width` with `e` about visible columns alone.
    fn encloses(&self, column: usize) -> bool {
        let bounds = self.bounds(column);
        let ([(a, below)], [(b, above)]) = (&bounds.lower[..], &bounds.upper[..]) else { return false };
        let opposite =
            below.coefficients.iter().zip(&above.coefficients).all(|(x, y)| x.checked_neg() == Some(*y));
        let others = self.visible..self.width();
        a == b && opposite && others.into_iter().all(|k| k == column || below.coefficients[k] == 0)
    }

    /// Replaces bounds that [`Problem::encloses`] by the remainder that they allow.
    fn enclose(&mut self, column: usize) -> Exact<()> {
        let bounds = self.bounds(column);
        let ([(modulus, below)], [(_, above)]) = (&bounds.lower[..], &bounds.upper[..]) else {
            return Err(Refusal::Space);
        };
        // below = m·v - e ≥ 0 and above = e + width - m·v ≥ 0: some multiple of m in e ..= e + width.
        let width = below.constant.checked_add(above.constant).ok_or(Refusal::Overflow)?;
        let mut of = (*below).clone();
        of.coefficients[column] = 0;
        let residue = Condition::Residue { of, modulus: *modulus, most: width };
        self.drop_bounds(column);
        if let Condition::Residue { mut of, modulus, most } = residue {
            of.coefficients.remove(column);
            self.conditions.push(Condition::Residue { of, modulus, most });
        }
        Ok(())
    }

    /// The conditions without a column: every lower bound against every upper one.
    fn shadow(&self, column: usize, dark: bool, work: &mut Work) -> Exact<Problem> {
        let bounds = self.bounds(column);
        work.spend(bounds.lower.len() * bounds.upper.len())?;
        let free = |condition: &&Condition| condition.affine().coefficients[column] == 0;
        let mut conditions: Vec<Condition> = self.conditions.iter().filter(free).cloned().collect();
        for (a, below) in &bounds.lower {
            for (b, above) in &bounds.upper {
                let mut sum = below.combine(*b, above, *a)?;
                if dark {
                    let gap = (a - 1).checked_mul(b - 1).ok_or(Refusal::Overflow)?;
                    sum = sum.plus(-gap)?;
                }
                conditions.push(Condition::Nonneg(sum));
            }
        }
        let mut result = Problem { conditions, visible: self.visible, hidden: self.hidden };
        result.remove_column(column);
        Ok(result)
    }

    /// The dark shadow and the splinters.
    fn split(self, column: usize, work: &mut Work, found: &mut Found<'_>) -> Exact<Search> {
        let dark = self.shadow(column, true, work)?;
        if dark.worth_it(work)? && dark.eliminate(work, found)? == Search::Ends {
            return Ok(Search::Ends);
        }
        // Where the reals have no points, neither have the integers.
        if !self.shadow(column, false, work)?.feasible(work)? {
            return Ok(Search::Goes);
        }
        let bounds = self.bounds(column);
        let (of_lower, _) = bounds.splinters();
        let mut equations = Vec::new();
        for (bound, last) in bounds.splintering(of_lower) {
            for k in 0..=last {
                work.spend(1)?;
                equations.push(bound.plus(-k)?);
            }
        }
        self.cases(equations, work, found)
    }

    /// One after the other with a further equation.
    fn cases(self, equations: Vec<Affine>, work: &mut Work, found: &mut Found<'_>) -> Exact<Search> {
        for equation in equations {
            let mut case = self.clone();
            case.conditions.push(Condition::Zero(equation));
            if case.worth_it(work)? && case.eliminate(work, found)? == Search::Ends {
                return Ok(Search::Ends);
            }
        }
        Ok(Search::Goes)
    }

    /// Whether to go on with a part: where parts are collected, empty ones are left out before they multiply.
    fn worth_it(&self, work: &mut Work) -> Exact<bool> {
        if self.visible == 0 { Ok(true) } else { self.feasible(work) }
    }
}

enum Choice {
    /// Bounded from one side at most: the bounds say nothing.
    Free(usize),
    /// The real shadow is exact.
    Exact(usize),
    /// The bounds are those of a remainder.
    Residue(usize),
    /// Remainders become bounds on quotients.
    Unfold,
    /// Dark shadow and splinters.
    Split(usize),
    /// The expression has one of the values from 0 to the number.
    Cases(Affine, i128),
}

/// More than an exact elimination costs.
const INEXACT: u128 = 1 << 100;
/// Up to so many values of a variable are tried one by one before remainders become bounds.
const FEW: u128 = 16;

/// Lower bounds `a·v + r ≥ 0` and upper bounds `-b·v + s ≥ 0` of a variable, with `a` and `b`.
struct Bounds<'p> {
    lower: Vec<(i128, &'p Affine)>,
    upper: Vec<(i128, &'p Affine)>,
}

impl<'p> Bounds<'p> {
    fn exact(&self) -> bool {
        let unit = |bounds: &[(i128, &Affine)]| bounds.iter().all(|(coefficient, _)| *coefficient == 1);
        unit(&self.lower) || unit(&self.upper)
    }

    /// Bounds of one side (lower or not) and the greatest `k` such that points outside of the dark shadow are `k` above the bound.
    fn splintering(&self, lower: bool) -> Vec<(&'p Affine, i128)> {
        let (side, other) = if lower { (&self.lower, &self.upper) } else { (&self.upper, &self.lower) };
        let greatest = other.iter().map(|(coefficient, _)| *coefficient).max().unwrap_or(1);
        let last = |a: i128| {
            // (a·b - a - b) / b, which grows with b
            let slack = a.checked_sub(1)?.checked_mul(greatest)?.checked_sub(a)?;
            Some(slack.div_euclid(greatest))
        };
        let bounds = side.iter().map(|(a, bound)| (*bound, last(*a).unwrap_or(i128::MAX)));
        bounds.filter(|(_, last)| *last >= 0).collect()
    }

    /// On which side there are fewer splinters (true for lower bounds), and how many.
    fn splinters(&self) -> (bool, u128) {
        let count = |lower| {
            let splintering = self.splintering(lower);
            splintering.iter().fold(0u128, |sum, (_, last)| sum.saturating_add(last.unsigned_abs() + 1))
        };
        let (lower, upper) = (count(true), count(false));
        (lower <= upper, lower.min(upper))
    }
}
