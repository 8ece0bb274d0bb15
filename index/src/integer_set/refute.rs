//! Refutations: why conditions have no integer point, in steps that a reader can follow with sums alone.
//!
//! The search is that of elimination, but in place of a dark shadow and splinters there are cases: for a bound `a·v - l ≥ 0` that
//! is not exact, either `a·v - l ≥ k + 1`, for a `k` with which eliminating `v` is exact, or `a·v - l` is one of the numbers from 0
//! to `k`, and then there is an equation.

use super::affine::{Affine, Exact, Refusal, Work};
use std::collections::BTreeMap;

/// An equation (`= 0`) or an inequality (`≥ 0`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The left side.
    pub of: Affine,
    /// Whether it is zero, not only at least that.
    pub equation: bool,
}

/// Where a row comes from. Numbers name rows: first those given, then those that steps and cases add.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// `scale · row` is the sum of multiples of rows and a constant greater than `-scale` (for an equation, zero). Only equations
    /// have negative multiples.
    Sum {
        /// What follows.
        row: Row,
        /// Positive.
        scale: i128,
        /// Multiples and rows.
        terms: Vec<(i128, usize)>,
    },
    /// `row = 0`, because the first says that it is at least 0 and the second that it is at most that.
    Both {
        /// What follows.
        row: Row,
        /// The two.
        rows: [usize; 2],
    },
}

/// Why rows have no common integer point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refutation {
    /// Each adds a row.
    pub steps: Vec<Step>,
    /// What they end in.
    pub end: End,
}

/// How a refutation ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The row says `-1 ≥ 0`.
    Absurd(usize),
    /// Neither does `on ≥ 0` go, nor `-on - 1 ≥ 0`: each is the first row that its refutation adds.
    Cases {
        /// What is a case.
        on: Affine,
        /// Where it is not negative.
        first: Box<Refutation>,
        /// Where it is.
        second: Box<Refutation>,
    },
}

/// Why the rows, all over the same columns, have no integer point; `None` if they have one.
pub fn refute(rows: &[Row], work: &mut Work) -> Exact<Option<Refutation>> {
    let width = rows.first().map_or(0, |row| row.of.width());
    if rows.iter().any(|row| row.of.width() != width) {
        return Err(Refusal::Space);
    }
    let tracked = |(number, row): (usize, &Row)| Tracked { now: row.of.clone(), row: row.clone(), number };
    let state = State {
        rows: rows.iter().enumerate().map(tracked).collect(),
        columns: (0..width).collect(),
        steps: Vec::new(),
        next: rows.len(),
    };
    state.refute(work)
}

/// A row with its number. `now` is the same over columns that integer combinations of the given ones replace.
#[derive(Clone)]
struct Tracked {
    now: Affine,
    row: Row,
    number: usize,
}

#[derive(Clone)]
struct State {
    rows: Vec<Tracked>,
    /// Columns not yet eliminated.
    columns: Vec<usize>,
    steps: Vec<Step>,
    next: usize,
}

/// What normalising rows comes to.
enum Normal {
    Absurd(usize),
    Open,
}

impl State {
    fn refute(mut self, work: &mut Work) -> Exact<Option<Refutation>> {
        loop {
            work.spend(1 + self.rows.len() * (1 + self.columns.len() / 4))?;
            if let Normal::Absurd(number) = self.normalise()? {
                return Ok(Some(Refutation { steps: self.steps, end: End::Absurd(number) }));
            }
            if let Some(at) = self.rows.iter().position(|row| row.row.equation) {
                let equation = self.rows.remove(at);
                self.solve(equation)?;
                continue;
            }
            let Some((column, exact)) = self.choose() else { return Ok(None) };
            if exact {
                self.shadow(column, work)?;
                continue;
            }
            let mut real = self.clone();
            real.shadow(column, work)?;
            if let Some(found) = real.refute(work)? {
                return Ok(Some(found));
            }
            return self.cases(column, work);
        }
    }

    /// Adds a sum of rows, with `now` summed alike.
    fn sum(&mut self, terms: &[(i128, &Tracked)], scale: i128, equation: bool) -> Exact<Tracked> {
        let add = |of: &dyn Fn(&Tracked) -> Affine| {
            let mut sum = Affine::constant(0, 0);
            for (multiple, row) in terms {
                sum = sum.combine(1, &of(row), *multiple)?;
            }
            sum.coefficients.iter_mut().for_each(|coefficient| *coefficient /= scale);
            sum.constant = sum.constant.div_euclid(scale);
            Ok(sum)
        };
        let (now, of) = (add(&|row| row.now.clone())?, add(&|row| row.row.of.clone())?);
        let row = Row { of, equation };
        let terms = terms.iter().map(|(multiple, row)| (*multiple, row.number)).collect();
        self.steps.push(Step::Sum { row: row.clone(), scale, terms });
        self.next += 1;
        Ok(Tracked { now, row, number: self.next - 1 })
    }

    /// From a row that is a constant and wrong: `-1 ≥ 0`.
    fn absurd(&mut self, row: &Tracked) -> Exact<usize> {
        let constant = row.now.constant;
        let multiple = if row.row.equation { -constant.signum() } else { 1 };
        let size = constant.checked_abs().ok_or(Refusal::Overflow)?;
        Ok(self.sum(&[(multiple, row)], size, false)?.number)
    }

    /// Rows in lowest terms, of parallel ones the tightest, opposite ones as equations.
    fn normalise(&mut self) -> Exact<Normal> {
        let mut bounds: BTreeMap<Vec<i128>, Tracked> = BTreeMap::new();
        let mut equations = Vec::new();
        for mut row in std::mem::take(&mut self.rows) {
            let content = row.now.content()?;
            if content == 0 {
                let wrong = row.now.constant < 0 || row.row.equation && row.now.constant != 0;
                if wrong {
                    return Ok(Normal::Absurd(self.absurd(&row)?));
                }
                continue;
            }
            if row.row.equation && row.now.constant % content != 0 {
                let low = self.sum(&[(1, &row)], content, false)?;
                let high = self.sum(&[(-1, &row)], content, false)?;
                return Ok(Normal::Absurd(self.sum(&[(1, &low), (1, &high)], 1, false)?.number));
            }
            if content > 1 {
                row = self.sum(&[(1, &row)], content, row.row.equation)?;
            }
            if row.row.equation {
                equations.push(row);
                continue;
            }
            let tightest = bounds.entry(row.now.coefficients.clone()).or_insert_with(|| row.clone());
            if row.now.constant < tightest.now.constant {
                *tightest = row;
            }
        }
        for (coefficients, low) in bounds.clone() {
            let opposite = coefficients.iter().map(|c| c.checked_neg().ok_or(Refusal::Overflow));
            let opposite: Vec<i128> = opposite.collect::<Exact<_>>()?;
            if !bounds.contains_key(&coefficients) {
                continue;
            }
            let Some(high) = bounds.get(&opposite).cloned() else { continue };
            let width = low.now.constant.checked_add(high.now.constant).ok_or(Refusal::Overflow)?;
            if width < 0 {
                let sum = self.sum(&[(1, &low), (1, &high)], 1, false)?;
                return Ok(Normal::Absurd(if width == -1 { sum.number } else { self.absurd(&sum)? }));
            }
            if width == 0 {
                bounds.remove(&opposite);
                bounds.remove(&coefficients);
                let row = Row { of: low.row.of.clone(), equation: true };
                self.steps.push(Step::Both { row: row.clone(), rows: [low.number, high.number] });
                equations.push(Tracked { now: low.now, row, number: self.next });
                self.next += 1;
            }
        }
        self.rows = equations;
        self.rows.extend(bounds.into_values());
        Ok(Normal::Open)
    }

    /// Uses up an equation in lowest terms: column operations until a coefficient is 1 or -1, then sums that cancel its column.
    fn solve(&mut self, mut equation: Tracked) -> Exact<()> {
        let pivot = loop {
            let occurring = self.columns.iter().copied().filter(|k| equation.now.coefficients[*k] != 0);
            let pivot = occurring.min_by_key(|k| equation.now.coefficients[*k].unsigned_abs());
            let pivot = pivot.ok_or(Refusal::Space)?;
            let size = equation.now.coefficients[pivot];
            if size.abs() == 1 {
                break pivot;
            }
            for other in self.columns.iter().copied().filter(|k| *k != pivot) {
                let quotient = equation.now.coefficients[other].div_euclid(size);
                for row in self.rows.iter_mut().chain([&mut equation]) {
                    let product = row.now.coefficients[pivot].checked_mul(quotient);
                    let rest = product.and_then(|product| row.now.coefficients[other].checked_sub(product));
                    row.now.coefficients[other] = rest.ok_or(Refusal::Overflow)?;
                }
            }
        };
        let sign = equation.now.coefficients[pivot];
        for row in std::mem::take(&mut self.rows) {
            let factor = row.now.coefficients[pivot].checked_mul(-sign).ok_or(Refusal::Overflow)?;
            let put = if factor == 0 {
                row
            } else {
                self.sum(&[(1, &row), (factor, &equation)], 1, row.row.equation)?
            };
            self.rows.push(put);
        }
        self.columns.retain(|column| *column != pivot);
        Ok(())
    }

    fn side(&self, column: usize, sign: i128) -> Vec<&Tracked> {
        self.rows.iter().filter(|row| row.now.coefficients[column].signum() == sign).collect()
    }

    /// The column to eliminate next, and whether that is exact as it is; none when nothing is left to eliminate.
    fn choose(&self) -> Option<(usize, bool)> {
        let cost = |column: usize| {
            let (lower, upper) = (self.side(column, 1), self.side(column, -1));
            let unit = |rows: &[&Tracked]| rows.iter().all(|row| row.now.coefficients[column].abs() == 1);
            let exact = unit(&lower) || unit(&upper);
            let splinters = || self.loose(column).iter().fold(0u128, |sum, (_, k)| sum.saturating_add(k + 1));
            (!exact, if exact { (lower.len() * upper.len()) as u128 } else { splinters() })
        };
        let best = self.columns.iter().copied().min_by_key(|column| cost(*column))?;
        Some((best, !cost(best).0))
    }

    /// Bounds of one side, each with the greatest number that it may have at points that the sums of bounds miss.
    fn loose(&self, column: usize) -> Vec<(&Tracked, u128)> {
        let of_side = |sign: i128| {
            let size = |row: &Tracked| row.now.coefficients[column].unsigned_abs();
            let greatest = self.side(column, -sign).iter().map(|row| size(row)).max().unwrap_or(1);
            // (a·b - a - b) / b for coefficients a and b, where that is not negative
            let most = |a: u128| Some((a - 1).saturating_mul(greatest).checked_sub(a)? / greatest);
            let rows = self.side(column, sign).into_iter();
            rows.filter_map(|row| Some((row, most(size(row))?))).collect::<Vec<_>>()
        };
        let total = |rows: &[(&Tracked, u128)]| rows.iter().fold(0u128, |sum, (_, k)| sum.saturating_add(*k));
        let (lower, upper) = (of_side(1), of_side(-1));
        if total(&lower) <= total(&upper) { lower } else { upper }
    }

    /// The rows without a column: every lower bound plus every upper one.
    fn shadow(&mut self, column: usize, work: &mut Work) -> Exact<()> {
        let (lower, upper): (Vec<_>, Vec<_>) = {
            let own = |sign| self.side(column, sign).into_iter().cloned().collect::<Vec<Tracked>>();
            (own(1), own(-1))
        };
        work.spend(lower.len() * upper.len())?;
        self.rows.retain(|row| row.now.coefficients[column] == 0);
        for below in &lower {
            for above in &upper {
                let a = below.now.coefficients[column];
                let b = above.now.coefficients[column].checked_neg().ok_or(Refusal::Overflow)?;
                let sum = self.sum(&[(b, below), (a, above)], 1, false)?;
                self.rows.push(sum);
            }
        }
        self.columns.retain(|other| *other != column);
        Ok(())
    }

    /// Cases on the loose bounds of a column, one after the other, then its elimination.
    fn cases(self, column: usize, work: &mut Work) -> Exact<Option<Refutation>> {
        let own = |(row, most): &(&Tracked, u128)| Some(((*row).clone(), i128::try_from(*most).ok()?));
        let loose: Option<Vec<(Tracked, i128)>> = self.loose(column).iter().map(own).collect();
        self.case(column, &loose.ok_or(Refusal::Overflow)?, work)
    }

    fn case(
        mut self,
        column: usize,
        loose: &[(Tracked, i128)],
        work: &mut Work,
    ) -> Exact<Option<Refutation>> {
        let Some(((bound, most), rest)) = loose.split_first() else {
            self.shadow(column, work)?;
            return self.refute(work);
        };
        let next = most.checked_add(1).ok_or(Refusal::Overflow)?;
        self.split(
            bound,
            next,
            work,
            |state, work| state.case(column, rest, work),
            |state, work| state.values(bound, 0, *most, work),
        )
    }

    /// One case for each value from `low` to `high` that the bound may have.
    fn values(self, bound: &Tracked, low: i128, high: i128, work: &mut Work) -> Exact<Option<Refutation>> {
        if low == high {
            return self.refute(work);
        }
        let middle = low + (high - low) / 2 + 1;
        self.split(
            bound,
            middle,
            work,
            |state, work| state.values(bound, middle, high, work),
            |state, work| state.values(bound, low, middle - 1, work),
        )
    }

    /// The cases `bound ≥ from` and `bound < from`.
    fn split(
        self,
        bound: &Tracked,
        from: i128,
        work: &mut Work,
        first: impl FnOnce(State, &mut Work) -> Exact<Option<Refutation>>,
        second: impl FnOnce(State, &mut Work) -> Exact<Option<Refutation>>,
    ) -> Exact<Option<Refutation>> {
        work.spend(1 + self.rows.len())?;
        let least = from.checked_neg().ok_or(Refusal::Overflow)?;
        let on = (bound.row.of.plus(least)?, bound.now.plus(least)?);
        let negative = |of: &Affine| of.scale(-1)?.plus(-1);
        let below = (negative(&on.0)?, negative(&on.1)?);
        let assume = |(of, now): (Affine, Affine)| {
            let mut state = State { steps: Vec::new(), ..self.clone() };
            state.rows.push(Tracked { now, row: Row { of, equation: false }, number: state.next });
            state.next += 1;
            state
        };
        let Some(second) = second(assume(below), work)? else { return Ok(None) };
        let Some(first) = first(assume(on.clone()), work)? else { return Ok(None) };
        let end = End::Cases { on: on.0, first: Box::new(first), second: Box::new(second) };
        Ok(Some(Refutation { steps: self.steps, end }))
    }
}
