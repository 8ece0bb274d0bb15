//! What goals grant and what they demand.

use crate::Refused;
use crate::sum::Sum;
use fun_base::name::Var;
use fun_index::certificate::Hypotheses;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use fun_index::prove::derivation::{Claim, Goal};
use std::collections::BTreeSet;
use std::fmt;

/// A claim in the arithmetic of this crate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fact {
    Nonneg(Sum),
    Zero(Sum),
    Nonzero(Sum),
}

impl Fact {
    pub(crate) fn of(claim: &Claim) -> Option<Fact> {
        Some(match claim {
            Claim::Nonneg(poly) => Fact::Nonneg(Sum::exact(poly)?),
            Claim::Zero(poly) => Fact::Zero(Sum::exact(poly)?),
            Claim::Nonzero(poly) => Fact::Nonzero(Sum::exact(poly)?),
        })
    }

    pub(crate) fn sum(&self) -> &Sum {
        match self {
            Fact::Nonneg(sum) | Fact::Zero(sum) | Fact::Nonzero(sum) => sum,
        }
    }

    /// Whether it is `-1 ≥ 0`, from which anything follows.
    pub(crate) fn is_absurd(&self) -> bool {
        matches!(self, Fact::Nonneg(sum) if sum.as_number() == Some(-1))
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fact::Nonneg(sum) => write!(f, "{sum} >= 0"),
            Fact::Zero(sum) => write!(f, "{sum} = 0"),
            Fact::Nonzero(sum) => write!(f, "{sum} /= 0"),
        }
    }
}

/// A goal in terms of claims.
pub(crate) struct Demands {
    /// What may be assumed.
    pub(crate) premises: Vec<Fact>,
    /// What must be shown, in order.
    pub(crate) wanted: Vec<Fact>,
    /// The variables of the goal's points.
    pub(crate) points: BTreeSet<u32>,
}

/// What the goal grants and demands. Refuses goals whose points are not new variables.
pub(crate) fn demands(goal: &Goal, hypotheses: &Hypotheses) -> Result<Demands, Refused> {
    let (points, sets) = variables(goal);
    let tags: BTreeSet<u32> = points.iter().map(|var| var.tag).collect();
    if tags.len() != points.len() {
        return Err(Refused::goal("an index of a point occurs twice"));
    }
    let too_large = || Refused::goal("a coefficient of the goal is too large");
    let (premises, wanted) = claims(goal).ok_or_else(too_large)?;
    let old = sets
        .into_iter()
        .flat_map(|set| set.dims.iter().flat_map(|dim| [&dim.size, &dim.stride]).chain([&set.offset]));
    let mut old: Vec<Sum> = old.map(Sum::poly).collect::<Option<_>>().ok_or_else(too_large)?;
    let mut polys: Vec<&Poly> = Vec::new();
    if let Goal::Within { size, .. } = goal {
        polys.push(size);
    }
    for (claim, _) in &hypotheses.claims {
        old.push(Sum::exact(claim.poly()).ok_or_else(too_large)?);
    }
    for (var, poly) in &hypotheses.definitions {
        old.push(Sum::var(*var));
        polys.push(poly);
    }
    for division in &hypotheses.divisions {
        polys.extend([&division.dividend, &division.divisor]);
        old.extend([Some(division.quotient), division.remainder].into_iter().flatten().map(Sum::var));
    }
    for poly in polys {
        old.push(Sum::poly(poly).ok_or_else(too_large)?);
    }
    if old.iter().any(|sum| tags.iter().any(|tag| sum.mentions(*tag))) {
        return Err(Refused::goal("an index of a point occurs in a set or in a hypothesis"));
    }
    Ok(Demands { premises, wanted, points: tags })
}

/// Indices of points, and the sets of the goal.
fn variables(goal: &Goal) -> (Vec<Var>, Vec<&Lmad>) {
    match goal {
        Goal::Nonneg(_) | Goal::Zero(_) => (Vec::new(), Vec::new()),
        Goal::Disjoint { left, right, left_point, right_point } => {
            ([left_point.as_slice(), right_point].concat(), vec![left, right])
        }
        Goal::Injective { lmad, first, second } => ([first.as_slice(), second].concat(), vec![lmad]),
        Goal::Contained { inner, outer, point, .. } => (point.clone(), vec![inner, outer]),
        Goal::Within { lmad, point, .. } => (point.clone(), vec![lmad]),
    }
}

/// Premises, and what is wanted; `None` if a number is too large or a point has not one index for each dimension.
fn claims(goal: &Goal) -> Option<(Vec<Fact>, Vec<Fact>)> {
    let (mut premises, mut wanted) = (Vec::new(), Vec::new());
    match goal {
        Goal::Nonneg(poly) => wanted.push(Fact::Nonneg(Sum::exact(poly)?)),
        Goal::Zero(poly) => wanted.push(Fact::Zero(Sum::exact(poly)?)),
        Goal::Disjoint { left, right, left_point, right_point } => {
            let left = address(left, left_point, &mut premises)?;
            let right = address(right, right_point, &mut premises)?;
            premises.push(Fact::Zero(left.plus(&right, -1)?));
            wanted.push(Fact::Nonneg(Sum::number(-1)));
        }
        Goal::Injective { lmad, first, second } => {
            let left = address(lmad, first, &mut premises)?;
            let right = address(lmad, second, &mut premises)?;
            premises.push(Fact::Zero(left.plus(&right, -1)?));
            for (x, y) in first.iter().zip(second) {
                wanted.push(Fact::Zero(Sum::var(*x).plus(&Sum::var(*y), -1)?));
            }
        }
        Goal::Contained { inner, outer, point, image } => {
            let inside = address(inner, point, &mut premises)?;
            if outer.dims.len() != image.len() {
                return None;
            }
            let mut outside = Sum::poly(&outer.offset)?;
            for (dim, index) in outer.dims.iter().zip(image) {
                let index = Sum::exact(index)?;
                outside = outside.plus(&Sum::poly(&dim.stride)?.times(&index)?, 1)?;
                let last = Sum::poly(&dim.size)?.plus(&Sum::number(1), -1)?;
                wanted.extend([Fact::Nonneg(index.clone()), Fact::Nonneg(last.plus(&index, -1)?)]);
            }
            wanted.push(Fact::Zero(inside.plus(&outside, -1)?));
        }
        Goal::Within { lmad, size, point } => {
            let address = address(lmad, point, &mut premises)?;
            let last = Sum::poly(size)?.plus(&Sum::number(1), -1)?;
            wanted.extend([Fact::Nonneg(address.clone()), Fact::Nonneg(last.plus(&address, -1)?)]);
        }
    }
    Some((premises, wanted))
}

/// The address of a point; its indices are within bounds.
fn address(set: &Lmad, point: &[Var], premises: &mut Vec<Fact>) -> Option<Sum> {
    if set.dims.len() != point.len() {
        return None;
    }
    let mut address = Sum::poly(&set.offset)?;
    for (dim, var) in set.dims.iter().zip(point) {
        let index = Sum::var(*var);
        address = address.plus(&Sum::poly(&dim.stride)?.times(&index)?, 1)?;
        let last = Sum::poly(&dim.size)?.plus(&Sum::number(1), -1)?;
        premises.extend([Fact::Nonneg(last.plus(&index, -1)?), Fact::Nonneg(index)]);
    }
    Some(address)
}
