//! Equations of sizes: which are solved at once, and which wait until more is known.

use super::Infer;
use super::size::Poly;
use super::unify::Mismatch;
use super::unify::Unified;
use super::unknown::metas_of_size;
use crate::typed::{Exp, ExpKind};
use crate::types::{Size, Subst, subst_size};
use std::collections::BTreeSet;

impl Infer<'_> {
    /// Makes the sizes equal.
    pub(crate) fn unify_sizes(&mut self, expected: &Size, actual: &Size) -> Unified {
        let (a, b) = (self.resolve_size(expected), self.resolve_size(actual));
        if a == b {
            return Ok(());
        }
        match (&a, &b) {
            (Size::Meta(x), Size::Meta(y)) => {
                // A loop's dimension stays unsolved as long as possible.
                let (solved, other) = if self.size_metas[*x as usize].of_loop { (*y, &a) } else { (*x, &b) };
                return self.solve_size(solved, other);
            }
            (Size::Meta(x), _) if !metas_of_size(&b).contains(x) => return self.solve_size(*x, &b),
            (_, Size::Meta(y)) if !metas_of_size(&a).contains(y) => return self.solve_size(*y, &a),
            // Of equal products with unknowns the factors are taken to be equal one by one.
            (Size::Mul(..), Size::Mul(..)) => self.unify_factors(&a, &b)?,
            // Where a sum has several unknowns, the terms as they are written are what was meant.
            (Size::Add(..), Size::Add(..)) if metas_of_size(&a).len().max(metas_of_size(&b).len()) > 1 => {
                self.unify_terms(&a, &b, false)?;
            }
            (Size::Opaque(x, _), Size::Opaque(y, _)) if self.has_stand_in(&a) || self.has_stand_in(&b) => {
                self.unify_expressions(x, y)?;
            }
            _ => {}
        }
        let (a, b) = (self.resolve_size(&a), self.resolve_size(&b));
        let mut difference = Poly::of_size(&self.expand_aliases(&a));
        difference.add(&Poly::of_size(&self.expand_aliases(&b)), -1);
        if difference.is_zero() {
            return Ok(());
        }
        if occurs(&a, &b) || occurs(&b, &a) {
            // `n = n + m` has solutions, but none that was meant.
            return Err(Mismatch::Sizes(a, b));
        }
        if !difference.is_ambiguous()
            && let Some((meta, solution)) = difference.solve()
        {
            return self.solve_size(meta, &solution);
        }
        if difference.has_metas() || self.has_stand_in(&a) || self.has_stand_in(&b) {
            self.deferred.push((a, b, self.current));
            return Ok(());
        }
        Err(Mismatch::Sizes(a, b))
    }

    fn solve_size(&mut self, meta: u32, size: &Size) -> Unified {
        let level = self.size_metas[meta as usize].level;
        let size = self.lower_size(size, level, &[])?;
        if self.occurs_in_size(&size, Err(meta), true) {
            return Err(Mismatch::Sizes(Size::Meta(meta), size));
        }
        if size != Size::Meta(meta) {
            self.size_metas[meta as usize].solution = Some(size);
        }
        Ok(())
    }

    /// Tries the equations of sizes again that could not be solved when they arose.
    pub(crate) fn retry_deferred(&mut self) -> Unified {
        loop {
            let before = self.deferred.len();
            for (a, b, span) in std::mem::take(&mut self.deferred) {
                self.current = span;
                self.unify_sizes(&a, &b)?;
            }
            if self.deferred.is_empty() || self.deferred.len() >= before {
                return Ok(());
            }
        }
    }

    /// The terms of equal sums are taken to be equal one by one; as a last resort the factors of products among them too, where those that are known are equal.
    pub(crate) fn unify_terms(&mut self, a: &Size, b: &Size, last: bool) -> Unified {
        let (x, y) = (self.resolve_size(a), self.resolve_size(b));
        if let (Size::Add(a1, a2), Size::Add(b1, b2)) = (&x, &y) {
            self.unify_terms(a1, b1, last)?;
            return self.unify_terms(a2, b2, last);
        }
        match (&x, &y) {
            (Size::Meta(_), _) | (_, Size::Meta(_)) => self.unify_sizes(&x, &y),
            (Size::Mul(..), Size::Mul(..)) if last && self.known_factors_agree(&x, &y) => {
                self.unify_factors(&x, &y)
            }
            _ => Ok(()),
        }
    }

    fn known_factors_agree(&self, a: &Size, b: &Size) -> bool {
        match (a, b) {
            (Size::Mul(a1, a2), Size::Mul(b1, b2)) => {
                self.known_factors_agree(a1, b1) && self.known_factors_agree(a2, b2)
            }
            (Size::Meta(_), _) | (_, Size::Meta(_)) => true,
            _ => self.sizes_equal(a, b),
        }
    }

    fn unify_factors(&mut self, a: &Size, b: &Size) -> Unified {
        match (a, b) {
            (Size::Mul(a1, a2), Size::Mul(b1, b2)) => {
                self.unify_factors(a1, b1)?;
                self.unify_factors(a2, b2)
            }
            (Size::Meta(_), _) | (_, Size::Meta(_)) => self.unify_sizes(a, b),
            _ => Ok(()),
        }
    }

    /// Whether two sizes are known to be equal, solving nothing.
    pub(crate) fn sizes_equal(&self, a: &Size, b: &Size) -> bool {
        let mut difference = Poly::of_size(&self.expand_aliases(&self.resolve_size(a)));
        difference.add(&Poly::of_size(&self.expand_aliases(&self.resolve_size(b))), -1);
        difference.is_zero()
    }

    /// Solves unknowns in one expression by what stands there in the other.
    fn unify_expressions(&mut self, a: &Exp, b: &Exp) -> Unified {
        let open = |this: &Self, exp: &Exp| match &exp.kind {
            ExpKind::Var(var) => {
                this.vars.get(var).filter(|info| info.stand_in).and_then(|info| info.alias.clone())
            }
            _ => None,
        };
        match (open(self, a), open(self, b)) {
            (Some(a), Some(b)) => return self.unify_sizes(&a, &b),
            (Some(a), None) => return self.exp_to_size(b).map_or(Ok(()), |b| self.unify_sizes(&a, &b)),
            (None, Some(b)) => return self.exp_to_size(a).map_or(Ok(()), |a| self.unify_sizes(&a, &b)),
            (None, None) => {}
        }
        match (&a.kind, &b.kind) {
            (ExpKind::Apply { function: f, args: xs, .. }, ExpKind::Apply { function: g, args: ys, .. })
                if xs.len() == ys.len() =>
            {
                self.unify_expressions(f, g)?;
                xs.iter().zip(ys).try_for_each(|(x, y)| self.unify_expressions(x, y))
            }
            (ExpKind::Project(x, f), ExpKind::Project(y, g)) if f == g => self.unify_expressions(x, y),
            _ => Ok(()),
        }
    }

    /// The size with variables replaced that are other names of sizes.
    pub(crate) fn expand_aliases(&self, size: &Size) -> Size {
        let mut free = BTreeSet::new();
        crate::types::free_in_size(size, &mut free);
        let mut s = Subst::default();
        for var in free {
            if let Some(alias) = self.vars.get(&var).and_then(|info| info.alias.as_ref()) {
                s.sizes.insert(var, self.expand_aliases(&self.resolve_size(alias)));
            }
        }
        if s.is_empty() { size.clone() } else { subst_size(size, &s) }
    }
}

/// Whether a size is an unknown that stands in another.
fn occurs(size: &Size, other: &Size) -> bool {
    matches!(size, Size::Meta(meta) if metas_of_size(other).contains(meta))
}
