//! Polynomials as sums of integer multiples of products of variables; every operation fails rather than wraps.

use fun_base::name::Var;
use fun_index::poly::{Monomial, Poly};
use fun_index::prove::exact::Exact;
use std::collections::BTreeMap;
use std::fmt;

/// More terms than a product may have: no derivation of a compiler comes near.
const MOST_TERMS: usize = 100_000;

/// Coefficients by product; the tags of a product are sorted, and no coefficient is 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Sum(BTreeMap<Vec<u32>, i128>);

impl Sum {
    pub(crate) fn number(n: i128) -> Sum {
        Sum(if n == 0 { BTreeMap::new() } else { BTreeMap::from([(Vec::new(), n)]) })
    }

    pub(crate) fn var(var: Var) -> Sum {
        Sum(BTreeMap::from([(vec![var.tag], 1)]))
    }

    pub(crate) fn exact(poly: &Exact) -> Option<Sum> {
        Sum::collect(poly.terms())
    }

    pub(crate) fn poly(poly: &Poly) -> Option<Sum> {
        Sum::collect(poly.terms().map(|(monomial, c)| (monomial, i128::from(c))))
    }

    fn collect<'t>(terms: impl Iterator<Item = (&'t Monomial, i128)>) -> Option<Sum> {
        let mut sum = Sum::default();
        for (monomial, coefficient) in terms {
            sum.add_term(monomial.iter().map(|var| var.tag).collect(), coefficient)?;
        }
        Some(sum)
    }

    fn add_term(&mut self, mut product: Vec<u32>, coefficient: i128) -> Option<()> {
        product.sort_unstable();
        let total = self.0.get(&product).copied().unwrap_or(0).checked_add(coefficient)?;
        if total == 0 {
            self.0.remove(&product);
        } else {
            self.0.insert(product, total);
        }
        Some(())
    }

    /// `self + factor · other`.
    pub(crate) fn plus(&self, other: &Sum, factor: i128) -> Option<Sum> {
        let mut sum = self.clone();
        for (product, coefficient) in &other.0 {
            sum.add_term(product.clone(), coefficient.checked_mul(factor)?)?;
        }
        Some(sum)
    }

    pub(crate) fn times(&self, other: &Sum) -> Option<Sum> {
        if self.0.len().checked_mul(other.0.len())? > MOST_TERMS {
            return None;
        }
        let mut sum = Sum::default();
        for (left, a) in &self.0 {
            for (right, b) in &other.0 {
                sum.add_term([left.as_slice(), right].concat(), a.checked_mul(*b)?)?;
            }
        }
        Some(sum)
    }

    /// `n - self`.
    pub(crate) fn subtracted_from(&self, n: i128) -> Option<Sum> {
        Sum::number(n).plus(self, -1)
    }

    pub(crate) fn as_number(&self) -> Option<i128> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    pub(crate) fn mentions(&self, tag: u32) -> bool {
        self.0.keys().any(|product| product.contains(&tag))
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("0");
        }
        for (k, (product, coefficient)) in self.0.iter().enumerate() {
            write!(f, "{}{coefficient}", if k == 0 { "" } else { " + " })?;
            product.iter().try_for_each(|tag| write!(f, "*v_{tag}"))?;
        }
        Ok(())
    }
}
