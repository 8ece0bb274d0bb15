//! Single points of sets: any one, or the first or last in lexicographic order.

use super::affine::{Affine, Exact, Refusal, Work, gcd, inverse};
use super::basic::{Basic, Condition};
use super::{Set, Space, eliminate};
use std::sync::Arc;

/// The least or greatest point of a set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Extreme {
    /// The set has no point.
    Empty,
    /// There are ever smaller (or greater) points.
    Unbounded,
    /// Values of all columns.
    At(Vec<i128>),
}

/// Which value of a column is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Least,
    Greatest,
    /// The one closest to zero, for witnesses that people read.
    Small,
}

impl Set {
    /// A point, with parameters, if there is one; one of small numbers if they are easily found.
    pub fn sample(&self, work: &mut Work) -> Exact<Option<Vec<i128>>> {
        Ok(match self.point(Wanted::Small, work)? {
            Extreme::At(point) => Some(point),
            Extreme::Empty | Extreme::Unbounded => None,
        })
    }

    /// The lexicographically least point. For sets without parameters; with parameters these count as further dimensions: see
    /// [`Set::least_points`] for the least point of each value of them.
    pub fn least(&self, work: &mut Work) -> Exact<Extreme> {
        self.point(Wanted::Least, work)
    }

    /// The lexicographically greatest point, as [`Set::least`].
    pub fn greatest(&self, work: &mut Work) -> Exact<Extreme> {
        self.point(Wanted::Greatest, work)
    }

    /// For each value of the parameters the lexicographically least point, where there is one.
    pub fn least_points(&self, work: &mut Work) -> Exact<Set> {
        self.extreme_points(-1, work)
    }

    /// For each value of the parameters the lexicographically greatest point, where there is one.
    pub fn greatest_points(&self, work: &mut Work) -> Exact<Set> {
        self.extreme_points(1, work)
    }

    /// The points that no other point of the set with the same parameters comes before (direction -1) or after (1).
    fn extreme_points(&self, direction: i128, work: &mut Work) -> Exact<Set> {
        let (dims, width) = (self.space.dims.len(), self.space.width());
        // All points beaten by one of the set: [p, q] and parameters, q in the set, q before (after) p; then q goes.
        let mut joint = (*self.space).clone();
        joint.dims.extend(self.space.dims.iter().cloned());
        let joint = Arc::new(joint);
        let shift: Vec<Affine> = (0..dims).map(|k| Affine::column(width + dims, dims + k)).collect();
        let other = self.preimage(joint.clone(), &shift, work)?;
        let mut beaten = Set::empty(self.space.clone());
        for first in 0..dims {
            let mut conditions = Vec::new();
            for k in 0..=first {
                let (p, q) = (Affine::column(width + dims, k), Affine::column(width + dims, dims + k));
                let ahead = q.combine(direction, &p, -direction)?;
                conditions.push(match k == first {
                    true => Condition::Nonneg(ahead.plus(-1)?),
                    false => Condition::Zero(ahead),
                });
            }
            let order = Set::new(joint.clone(), conditions)?;
            let of_this = other.intersect(&order, work)?.project_out(dims..2 * dims, work)?;
            beaten = beaten.union(&of_this, work)?;
        }
        self.subtract(&beaten, work)
    }

    /// Column by column: exact projections leave for each one only values that the later ones complete.
    fn point(&self, wanted: Wanted, work: &mut Work) -> Exact<Extreme> {
        let width = self.space.width();
        let mut pieces = self.pieces.clone();
        let mut point = Vec::new();
        while point.len() < width {
            let mut best: Option<i128> = None;
            for piece in &pieces {
                // The first column of those left, the others eliminated.
                for line in eliminate::project(piece, 1, width - point.len() - 1, work)? {
                    match line_value(&line, wanted, work)? {
                        LineValue::None => {}
                        LineValue::Unbounded => return Ok(Extreme::Unbounded),
                        LineValue::At(value) => {
                            let better = best.is_none_or(|best| match wanted {
                                Wanted::Least => value < best,
                                Wanted::Greatest => value > best,
                                Wanted::Small => value.unsigned_abs() < best.unsigned_abs(),
                            });
                            if better {
                                best = Some(value);
                            }
                        }
                    }
                }
            }
            let Some(value) = best else { return Ok(Extreme::Empty) };
            point.push(value);
            pieces = pieces
                .iter()
                .filter_map(|piece| fix_first(piece, value).transpose())
                .collect::<Exact<_>>()?;
        }
        if pieces.is_empty() { Ok(Extreme::Empty) } else { Ok(Extreme::At(point)) }
    }

    /// The set for one value of the parameters: a set without parameters.
    pub fn at_params(&self, params: &[i128], work: &mut Work) -> Exact<Set> {
        if params.len() != self.space.params.len() {
            return Err(Refusal::Space);
        }
        let dims = self.space.dims.clone();
        let space = Arc::new(Space { dims, params: Vec::new() });
        let width = space.width();
        let mut fixed = Set::empty(space);
        for piece in &self.pieces {
            work.spend(piece.conditions().len())?;
            let put = |of: &Affine| {
                let mut rest = of.clone();
                let removed =
                    Affine { coefficients: rest.coefficients.split_off(width), constant: rest.constant };
                rest.constant = removed.eval(params)?;
                Ok(rest)
            };
            let conditions = piece.conditions().iter().map(|condition| condition.map(put));
            fixed.pieces.extend(Basic::new(conditions.collect::<Exact<Vec<_>>>()?)?);
        }
        Ok(fixed)
    }
}

/// The conjunction with a value for its first column, which goes.
fn fix_first(piece: &Basic, value: i128) -> Exact<Option<Basic>> {
    let put = |of: &Affine| {
        let mut rest = of.clone();
        let coefficient = rest.coefficients.remove(0);
        let product = coefficient.checked_mul(value).ok_or(Refusal::Overflow)?;
        rest.plus(product)
    };
    Basic::new(piece.conditions().iter().map(|condition| condition.map(put)).collect::<Exact<Vec<_>>>()?)
}

enum LineValue {
    None,
    Unbounded,
    At(i128),
}

/// The wanted value of a conjunction over one column.
fn line_value(line: &Basic, wanted: Wanted, work: &mut Work) -> Exact<LineValue> {
    let (mut low, mut high): (Option<i128>, Option<i128>) = (None, None);
    // All values are first + k * step; the period of the whole is that of all remainders.
    let (mut first, mut step, mut period) = (0i128, 1i128, 1i128);
    let overflow = || Refusal::Overflow;
    for condition in line.conditions() {
        let of = condition.affine();
        match condition {
            // In lowest terms the coefficient is 1 or -1.
            Condition::Zero(_) | Condition::Nonneg(_) => {
                let bound = of.constant.checked_neg().ok_or_else(overflow)?;
                let equation = matches!(condition, Condition::Zero(_));
                if equation || of.coefficients[0] > 0 {
                    low = Some(low.map_or(bound, |low| low.max(bound)));
                }
                if equation || of.coefficients[0] < 0 {
                    let bound = if equation { bound } else { of.constant };
                    high = Some(high.map_or(bound, |high| high.min(bound)));
                }
            }
            Condition::Residue { modulus, most, .. } => {
                let common = gcd(period, *modulus)?;
                period = (period / common).checked_mul(*modulus).ok_or_else(overflow)?;
                if *most == 0 {
                    let Some(next) = meet((first, step), of, *modulus)? else { return Ok(LineValue::None) };
                    (first, step) = next;
                }
            }
        }
    }
    let progression = Progression { line, low, high, first, step, period };
    let found = match (wanted, low, high) {
        (Wanted::Least, Some(low), _) => progression.next(low, 1, work)?,
        (Wanted::Greatest, _, Some(high)) => progression.next(high, -1, work)?,
        (Wanted::Least | Wanted::Greatest, ..) => return Ok(LineValue::Unbounded),
        (Wanted::Small, ..) => match progression.next(low.unwrap_or(0).max(0), 1, work)? {
            Some(value) => Some(value),
            None => progression.next(high.unwrap_or(0).min(0), -1, work)?,
        },
    };
    Ok(found.map_or(LineValue::None, LineValue::At))
}

/// Candidates for values of a column: `first + k * step` between bounds.
struct Progression<'b> {
    line: &'b Basic,
    low: Option<i128>,
    high: Option<i128>,
    first: i128,
    step: i128,
    /// After how much the remainders repeat.
    period: i128,
}

impl Progression<'_> {
    /// The first value that satisfies the conditions at or after the start in a direction.
    fn next(&self, start: i128, direction: i128, work: &mut Work) -> Exact<Option<i128>> {
        let overflow = || Refusal::Overflow;
        let offset = self.first.checked_sub(start).ok_or_else(overflow)?;
        let ahead = offset.checked_mul(direction).ok_or_else(overflow)?.rem_euclid(self.step);
        let mut value = start.checked_add(direction * ahead).ok_or_else(overflow)?;
        for _ in 0..self.period / self.step {
            work.spend(1)?;
            if self.low.is_some_and(|low| value < low) || self.high.is_some_and(|high| value > high) {
                return Ok(None);
            }
            if self.line.contains(&[value])? {
                return Ok(Some(value));
            }
            value = value.checked_add(direction * self.step).ok_or_else(overflow)?;
        }
        Ok(None)
    }
}

/// The numbers `first + k * step` for which `of` is divisible by `modulus`, in the same form, if there are any.
fn meet((first, step): (i128, i128), of: &Affine, modulus: i128) -> Exact<Option<(i128, i128)>> {
    // a * (first + k * step) + c = 0 modulo m, for k.
    let overflow = || Refusal::Overflow;
    let factor = of.coefficients[0].checked_mul(step).ok_or_else(overflow)?.rem_euclid(modulus);
    let rest = of.eval(&[first])?.rem_euclid(modulus);
    let common = gcd(factor, modulus)?;
    if rest % common != 0 {
        return Ok(None);
    }
    let modulus = modulus / common;
    let opposite = (modulus - rest / common % modulus) % modulus;
    let k = inverse(factor / common, modulus)?.checked_mul(opposite).ok_or_else(overflow)? % modulus;
    let first = k.checked_mul(step).and_then(|move_by| first.checked_add(move_by)).ok_or_else(overflow)?;
    Ok(Some((first, step.checked_mul(modulus).ok_or_else(overflow)?)))
}
