//! Exact integer sets (Presburger sets): finite unions of conjunctions of affine equations, inequalities and conditions on
//! remainders, over named dimensions and parameters.
//!
//! Every operation gives the exact set over the integers or says why it gives none ([`Refusal`]): it spends from a limit on work
//! and its arithmetic is checked. Nothing is rounded and nothing approximated.
//!
//! There are no existential variables in a set: projection eliminates them ([`eliminate`]), and what remains of a division is a
//! condition on the remainder, `(i + 2j) mod 4 <= 1`, whose negation is of the same form. So complements are cheap, and a point
//! is tested by evaluation.
//!
//! The text form is a part of that of the integer set library (isl), whose tools read it:
//! `[n] -> { [i, j] : 0 <= i < n and (i + j) mod 2 = 0; [i, j] : j = 7 }`.

mod affine;
mod basic;
mod eliminate;
mod points;
mod refute;
mod text;

pub use affine::{Affine, Exact, Refusal, Work};
pub use basic::{Basic, Condition};
pub use points::Extreme;
pub use refute::{End, Refutation, Row, Step, refute};
pub use text::parse_set;

use std::sync::Arc;

/// The columns of a set: first its dimensions, then parameters, which are numbers that nothing is known of and that are the same
/// for all points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Space {
    dims: Vec<String>,
    params: Vec<String>,
}

impl Space {
    /// Dimensions and parameters by name. Names are for printing: columns are numbered.
    pub fn new(dims: &[&str], params: &[&str]) -> Space {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Space { dims: owned(dims), params: owned(params) }
    }

    /// Names of dimensions.
    pub fn dims(&self) -> &[String] {
        &self.dims
    }

    /// Names of parameters, which are the columns after the dimensions.
    pub fn params(&self) -> &[String] {
        &self.params
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.dims.len() + self.params.len()
    }
}

/// A set of integer points for each value of the parameters. Two sets may be equal and differ as data: see [`Set::equals`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Set {
    space: Arc<Space>,
    pieces: Vec<Basic>,
}

impl Set {
    /// No point.
    pub fn empty(space: Arc<Space>) -> Set {
        Set { space, pieces: Vec::new() }
    }

    /// All points.
    pub fn universe(space: Arc<Space>) -> Set {
        Set { space, pieces: vec![Basic::default()] }
    }

    /// The points that satisfy all conditions.
    pub fn new(space: Arc<Space>, conditions: impl IntoIterator<Item = Condition>) -> Exact<Set> {
        let conditions: Vec<Condition> = conditions.into_iter().collect();
        if conditions.iter().any(|condition| condition.affine().width() != space.width()) {
            return Err(Refusal::Space);
        }
        let pieces = Basic::new(conditions)?.into_iter().collect();
        Ok(Set { space, pieces })
    }

    /// Its columns.
    pub fn space(&self) -> &Arc<Space> {
        &self.space
    }

    /// The conjunctions that it is the union of. They may overlap.
    pub fn pieces(&self) -> &[Basic] {
        &self.pieces
    }

    /// Whether a point belongs to it: values of all dimensions and then of all parameters.
    pub fn contains(&self, point: &[i128]) -> Exact<bool> {
        if point.len() != self.space.width() {
            return Err(Refusal::Space);
        }
        for piece in &self.pieces {
            if piece.contains(point)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The points of either.
    pub fn union(&self, other: &Set, work: &mut Work) -> Exact<Set> {
        self.same_space(other)?;
        work.spend(self.pieces.len() + other.pieces.len())?;
        let mut pieces = self.pieces.clone();
        pieces.extend(other.pieces.iter().cloned());
        Ok(self.of_pieces(pieces))
    }

    /// The points of both.
    pub fn intersect(&self, other: &Set, work: &mut Work) -> Exact<Set> {
        self.same_space(other)?;
        let mut pieces = Vec::new();
        for left in &self.pieces {
            for right in &other.pieces {
                if let Some(both) = left.and(right.conditions())? {
                    self.keep(both, &mut pieces, work)?;
                }
            }
        }
        Ok(self.of_pieces(pieces))
    }

    /// The points of the first that the second lacks.
    pub fn subtract(&self, other: &Set, work: &mut Work) -> Exact<Set> {
        self.same_space(other)?;
        let mut pieces = self.pieces.clone();
        for taken in &other.pieces {
            let mut rest = Vec::new();
            for piece in &pieces {
                self.subtract_piece(piece, taken, &mut rest, work)?;
            }
            pieces = rest;
        }
        Ok(self.of_pieces(pieces))
    }

    /// The points that do not belong to it.
    pub fn complement(&self, work: &mut Work) -> Exact<Set> {
        Set::universe(self.space.clone()).subtract(self, work)
    }

    /// What `taken` leaves of a piece, in parts that do not overlap: those where its first k conditions hold and the next doesn't.
    fn subtract_piece(
        &self,
        piece: &Basic,
        taken: &Basic,
        rest: &mut Vec<Basic>,
        work: &mut Work,
    ) -> Exact<()> {
        let overlap = match piece.and(taken.conditions())? {
            Some(overlap) => self.inhabited(&overlap, work)?,
            None => false,
        };
        if !overlap {
            rest.push(piece.clone());
            return Ok(());
        }
        let mut inside = piece.clone();
        for condition in taken.conditions() {
            for outside in condition.negated()? {
                if let Some(part) = inside.and(&[outside])? {
                    self.keep(part, rest, work)?;
                }
            }
            match inside.and(std::slice::from_ref(condition))? {
                Some(next) => inside = next,
                None => break,
            }
        }
        Ok(())
    }

    /// Whether there is no point, for any value of the parameters.
    pub fn is_empty(&self, work: &mut Work) -> Exact<bool> {
        for piece in &self.pieces {
            if self.inhabited(piece, work)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether all points belong to the other set too.
    pub fn is_subset(&self, other: &Set, work: &mut Work) -> Exact<bool> {
        self.subtract(other, work)?.is_empty(work)
    }

    /// Whether both have the same points.
    pub fn equals(&self, other: &Set, work: &mut Work) -> Exact<bool> {
        Ok(self.is_subset(other, work)? && other.is_subset(self, work)?)
    }

    /// Whether no point belongs to both.
    pub fn is_disjoint(&self, other: &Set, work: &mut Work) -> Exact<bool> {
        self.intersect(other, work)?.is_empty(work)
    }

    /// The points without some of their dimensions: those that some values of these complete to points of the set.
    pub fn project_out(&self, dims: std::ops::Range<usize>, work: &mut Work) -> Exact<Set> {
        if dims.start > dims.end || dims.end > self.space.dims.len() {
            return Err(Refusal::Space);
        }
        let mut space = (*self.space).clone();
        space.dims.drain(dims.clone());
        let (width, visible) = (self.space.width(), space.width());
        // Columns that go come last.
        let place = |k: usize| match k {
            k if k < dims.start => k,
            k if k < dims.end => visible + k - dims.start,
            k => k - dims.len(),
        };
        let mut pieces = Vec::new();
        for piece in &self.pieces {
            work.spend(piece.conditions().len())?;
            let moved =
                piece.conditions().iter().map(|condition| condition.map(|of| of.renamed(width, place)));
            if let Some(moved) = Basic::new(moved.collect::<Exact<Vec<Condition>>>()?)? {
                pieces.extend(eliminate::project(&moved, visible, dims.len(), work)?);
            }
        }
        Ok(Set { space: Arc::new(space), pieces: Vec::new() }.of_pieces(pieces))
    }

    /// The points `(f_1(p), …, f_r(p))` of a space with `r` dimensions and the same parameters, for points `p` of the set.
    pub fn image(&self, space: Arc<Space>, map: &[Affine], work: &mut Work) -> Exact<Set> {
        let (rank, old) = (space.dims.len(), self.space.dims.len());
        let fits = map.iter().all(|of| of.width() == self.space.width());
        if map.len() != rank || !fits || space.params.len() != self.space.params.len() {
            return Err(Refusal::Space);
        }
        // [image, old dimensions] and parameters; then the old dimensions go.
        let mut joint = (*space).clone();
        joint.dims.extend(self.space.dims.iter().cloned());
        let width = rank + self.space.width();
        let mut equations = Vec::new();
        for (k, of) in map.iter().enumerate() {
            let value = of.renamed(width, |column| column + rank)?;
            equations.push(Condition::Zero(value.sub(&Affine::column(width, k))?));
        }
        let mut pieces = Vec::new();
        for piece in &self.pieces {
            let moved = piece.conditions().iter().map(|c| c.map(|of| of.renamed(width, |k| k + rank)));
            let moved = moved.collect::<Exact<Vec<Condition>>>()?;
            pieces.extend(Basic::new(moved.into_iter().chain(equations.iter().cloned()))?);
        }
        let joint = Set { space: Arc::new(joint), pieces };
        let mut image = joint.project_out(rank..rank + old, work)?;
        image.space = space;
        Ok(image)
    }

    /// The points `p` of a space for which `(f_1(p), …, f_r(p))` belongs to the set, which has `r` dimensions.
    pub fn preimage(&self, space: Arc<Space>, map: &[Affine], work: &mut Work) -> Exact<Set> {
        let fits = map.iter().all(|of| of.width() == space.width());
        let params = self.space.params.len();
        if map.len() != self.space.dims.len() || !fits || space.params.len() != params {
            return Err(Refusal::Space);
        }
        let mut pieces = Vec::new();
        for piece in &self.pieces {
            work.spend(piece.conditions().len() * (1 + map.len()))?;
            let mut conditions = Vec::new();
            for condition in piece.conditions() {
                conditions.push(condition.map(|of| {
                    let mut sum = Affine::constant(space.width(), of.constant);
                    for (k, coefficient) in of.coefficients.iter().enumerate() {
                        let param = || Affine::column(space.width(), space.dims.len() + k - map.len());
                        let value = map.get(k).cloned().unwrap_or_else(param);
                        sum = sum.combine(1, &value, *coefficient)?;
                    }
                    Ok(sum)
                })?);
            }
            pieces.extend(Basic::new(conditions)?);
        }
        Ok(Set { space, pieces: Vec::new() }.of_pieces(pieces))
    }

    fn same_space(&self, other: &Set) -> Exact<()> {
        let fits = self.space.dims.len() == other.space.dims.len()
            && self.space.params.len() == other.space.params.len();
        if fits { Ok(()) } else { Err(Refusal::Space) }
    }

    fn inhabited(&self, piece: &Basic, work: &mut Work) -> Exact<bool> {
        eliminate::feasible(piece, self.space.width(), work)
    }

    fn keep(&self, piece: Basic, pieces: &mut Vec<Basic>, work: &mut Work) -> Exact<()> {
        if self.inhabited(&piece, work)? {
            pieces.push(piece);
        }
        Ok(())
    }

    /// A set of this space, without pieces that repeat or whose conditions include all those of another.
    fn of_pieces(&self, mut pieces: Vec<Basic>) -> Set {
        pieces.sort();
        pieces.dedup();
        if pieces.len() <= 64 {
            let within = |inner: &Basic, outer: &Basic| {
                inner != outer && outer.conditions().iter().all(|c| inner.conditions().contains(c))
            };
            let kept = pieces.iter().filter(|inner| !pieces.iter().any(|outer| within(inner, outer)));
            pieces = kept.cloned().collect();
        }
        Set { space: self.space.clone(), pieces }
    }
}

#[cfg(test)]
mod tests;
