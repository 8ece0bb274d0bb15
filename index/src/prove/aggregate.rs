//! Unions of sets of addresses: over the values of a counter, and as lists.

use super::exact::Exact;
use super::facts::Facts;
use super::sets::contained_at;
use super::{Why, contained};
use crate::lmad::{Lmad, LmadDim};
use crate::poly::Poly;
use fun_base::name::Var;

/// See [`super::aggregate`].
pub(super) fn aggregate(
    facts: &mut Facts,
    lmad: &Lmad,
    counter: Var,
    from: &Poly,
    bound: &Poly,
) -> Option<Lmad> {
    let mut occurs = false;
    lmad.for_each_var(&mut |var| occurs |= var == counter);
    if !occurs {
        return Some(lmad.clone());
    }
    // So that the steps are i64 as well.
    facts.shown(&Exact::from(from))?;
    // A variable of its own, about which nothing is known but the bounds: counter = from + step.
    let mut vars = vec![counter];
    lmad.for_each_var(&mut |var| vars.push(var));
    from.for_each_var(&mut |var| vars.push(var));
    bound.for_each_var(&mut |var| vars.push(var));
    let step = Var::new(counter.text, facts.fresh_tag(&vars)?);
    let count = Exact::from(bound).sub(&Exact::from(from))?.to_poly()?;
    let moved = Exact::from(from).add(&Exact::var(step))?.to_poly()?;
    let lmad = lmad.subst(&mut |var| if var == counter { moved.clone() } else { Poly::var(var) });
    let last = Exact::from(&count).plus(-1)?;
    let before = facts.mark();
    facts.assume_nonneg(Poly::var(step), Why::Bound(step));
    facts.assume_nonneg(count.sub(&Poly::constant(1)).sub(&Poly::var(step)), Why::Bound(step));
    let union = Union { facts, lmad: &lmad, step, last };
    let found = union.new_dimension().or_else(|| union.longer_dimension()).or_else(|| union.interval());
    facts.reset(before);
    found
}

/// Adds a set to a list whose union matters: sets inside others are left out.
pub fn unite(facts: &Facts, sets: &mut Vec<Lmad>, lmad: Lmad) {
    if sets.iter().any(|other| contained(facts, &lmad, other).is_proved()) {
        return;
    }
    sets.retain(|other| !contained(facts, other, &lmad).is_proved());
    sets.push(lmad);
}

struct Union<'f> {
    facts: &'f Facts,
    lmad: &'f Lmad,
    step: Var,
    /// The greatest value of the step.
    last: Exact,
}

impl Union<'_> {
    /// The offset moves evenly, the rest does not change: one more dimension, whose index is the step. The union is exact whatever is
    /// known, for its indices and addresses are those of all steps.
    fn new_dimension(&self) -> Option<Lmad> {
        let (slope, offset) = self.motion()?;
        let fixed = |dim: &LmadDim| !self.moves(&dim.size) && !self.moves(&dim.stride);
        if !self.lmad.dims.iter().all(fixed) {
            return None;
        }
        let mut result = Lmad { offset: offset.to_poly()?, dims: self.lmad.dims.clone() };
        result.dims.insert(0, LmadDim { size: self.last.plus(1)?.to_poly()?, stride: slope.to_poly()? });
        Some(result)
    }

    /// The offset moves by a multiple of some stride, and the size of that dimension may change too: it gets longer.
    fn longer_dimension(&self) -> Option<Lmad> {
        let (slope, offset) = self.motion()?;
        (0..self.lmad.rank()).find_map(|k| {
            let LmadDim { size, stride } = &self.lmad.dims[k];
            let others = self.lmad.dims.iter().enumerate().filter(|(other, _)| *other != k);
            let fixed = |dim: &LmadDim| !self.moves(&dim.size) && !self.moves(&dim.stride);
            if self.moves(stride) || !others.map(|(_, dim)| dim).all(fixed) {
                return None;
            }
            let stride = Exact::from(stride);
            let pace = if slope.is_zero() {
                slope.clone()
            } else {
                let (pace, rest) = super::equation::quotient(&slope, &stride)?;
                rest.is_zero().then_some(pace)?
            };
            // From index pace·step to pace·step + size - 1.
            let first = pace.mul(&Exact::var(self.step))?;
            let last = first.add(&Exact::from(size).plus(-1)?)?;
            let (low, high) = (self.extreme(&first, 1)?, self.extreme(&last, -1)?);
            let mut result = self.lmad.clone();
            result.offset = offset.add(&stride.mul(&low)?)?.to_poly()?;
            result.dims[k].size = high.sub(&low)?.plus(1)?.to_poly()?;
            let image = |indices: &[Var]| {
                let mut image: Vec<Exact> = indices.iter().map(|var| Exact::var(*var)).collect();
                image[k] = image[k].add(&first)?.sub(&low)?;
                Some(image)
            };
            self.checked(result, &image)
        })
    }

    /// All addresses from the least to the greatest.
    fn interval(&self) -> Option<Lmad> {
        let (mut low, mut high) = (Exact::from(&self.lmad.offset), Exact::from(&self.lmad.offset));
        let mut steps = Vec::new();
        for LmadDim { size, stride } in &self.lmad.dims {
            let stride = Exact::from(stride);
            let reach = Exact::from(size).plus(-1)?.mul(&stride)?;
            if self.facts.shown(&stride).is_some() {
                high = high.add(&reach)?;
            } else {
                self.facts.shown(&stride.scale(-1)?)?;
                low = low.add(&reach)?;
            }
            steps.push(stride);
        }
        let (low, high) = (self.extreme(&low, 1)?, self.extreme(&high, -1)?);
        let size = high.sub(&low)?.plus(1)?.to_poly()?;
        let result = Lmad { offset: low.to_poly()?, dims: vec![LmadDim { size, stride: Poly::constant(1) }] };
        let image = |indices: &[Var]| {
            let mut address = Exact::from(&self.lmad.offset).sub(&low)?;
            for (var, stride) in indices.iter().zip(&steps) {
                address = address.add(&stride.mul(&Exact::var(*var))?)?;
            }
            Some(vec![address])
        };
        self.checked(result, &image)
    }

    /// How far the offset moves per step, and where it starts.
    fn motion(&self) -> Option<(Exact, Exact)> {
        let (slope, start) = Exact::from(&self.lmad.offset).linear_in(self.step)?;
        Some((slope, start))
    }

    fn moves(&self, poly: &Poly) -> bool {
        Exact::from(poly).has(self.step)
    }

    /// The least (for sign 1) or greatest (for -1) value over all steps.
    fn extreme(&self, poly: &Exact, sign: i128) -> Option<Exact> {
        let (slope, start) = poly.linear_in(self.step)?;
        if self.facts.shown(&slope.scale(sign)?).is_some() {
            return Some(start);
        }
        self.facts.shown(&slope.scale(-sign)?)?;
        start.add(&slope.mul(&self.last)?)
    }

    fn checked(&self, result: Lmad, image: &dyn Fn(&[Var]) -> Option<Vec<Exact>>) -> Option<Lmad> {
        contained_at(self.facts, self.lmad, &result, image).map(|_| result)
    }
}
