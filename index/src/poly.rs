//! Polynomials over variables with integer coefficients: offsets, strides and sizes.
//!
//! Arithmetic is that of i64 with wrap-around (the ring of integers modulo 2^64), as in the languages, so equal polynomials
//! have equal values at run time whatever overflows.

use fun_base::name::Var;
use std::collections::BTreeMap;
use std::fmt;

/// A product of variables, sorted by tag, with repetition; empty for the constant term.
pub type Monomial = Vec<Var>;

/// A sum of coefficient times monomial. No stored coefficient is zero, so equality is equality of terms.
#[derive(Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Default)]
pub struct Poly {
    terms: BTreeMap<Monomial, i64>,
}

impl Poly {
    /// The constant `n`.
    pub fn constant(n: i64) -> Poly {
        Poly::term(Vec::new(), n)
    }

    /// The variable.
    pub fn var(var: Var) -> Poly {
        Poly::term(vec![var], 1)
    }

    /// One term; the monomial need not be sorted.
    pub fn term(mut monomial: Monomial, coefficient: i64) -> Poly {
        monomial.sort();
        let mut terms = BTreeMap::new();
        if coefficient != 0 {
            terms.insert(monomial, coefficient);
        }
        Poly { terms }
    }

    /// The terms in a fixed order.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, i64)> {
        self.terms.iter().map(|(monomial, coefficient)| (monomial, *coefficient))
    }

    /// Its value if it is constant.
    pub fn as_constant(&self) -> Option<i64> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// The variable if it is just one.
    pub fn as_var(&self) -> Option<Var> {
        let mut terms = self.terms.iter();
        match (terms.next(), terms.next()) {
            (Some((monomial, 1)), None) if monomial.len() == 1 => Some(monomial[0]),
            _ => None,
        }
    }

    /// Sum.
    pub fn add(&self, other: &Poly) -> Poly {
        let mut sum = self.clone();
        for (monomial, coefficient) in &other.terms {
            sum.add_term(monomial.clone(), *coefficient);
        }
        sum
    }

    /// Difference.
    pub fn sub(&self, other: &Poly) -> Poly {
        self.add(&other.scale(-1))
    }

    /// Product.
    pub fn mul(&self, other: &Poly) -> Poly {
        let mut product = Poly::default();
        for (left, a) in &self.terms {
            for (right, b) in &other.terms {
                let mut monomial: Monomial = left.iter().chain(right).copied().collect();
                monomial.sort();
                product.add_term(monomial, a.wrapping_mul(*b));
            }
        }
        product
    }

    /// Product with a constant.
    pub fn scale(&self, factor: i64) -> Poly {
        self.mul(&Poly::constant(factor))
    }

    /// Every variable replaced by the polynomial that `f` gives for it.
    pub fn subst(&self, f: &mut dyn FnMut(Var) -> Poly) -> Poly {
        let mut result = Poly::default();
        for (monomial, coefficient) in &self.terms {
            let factors = monomial.iter().map(|var| f(*var));
            result = result.add(&factors.fold(Poly::constant(*coefficient), |product, p| product.mul(&p)));
        }
        result
    }

    /// Its value where `f` gives the values of the variables; `None` if one is missing.
    pub fn eval(&self, f: &mut dyn FnMut(Var) -> Option<i64>) -> Option<i64> {
        let mut sum = 0i64;
        for (monomial, coefficient) in &self.terms {
            let mut product = *coefficient;
            for var in monomial {
                product = product.wrapping_mul(f(*var)?);
            }
            sum = sum.wrapping_add(product);
        }
        Some(sum)
    }

    /// Calls `f` on each occurrence of a variable.
    pub fn for_each_var(&self, f: &mut dyn FnMut(Var)) {
        self.terms.keys().flatten().copied().for_each(f);
    }

    /// Its text with these names for variables.
    pub fn show(&self, name: &dyn Fn(Var) -> String) -> String {
        let mut terms: Vec<_> = self.terms.iter().collect();
        terms.sort_by_key(|(monomial, _)| std::cmp::Reverse(monomial.len()));
        let term = |(monomial, coefficient): (&Monomial, &i64)| {
            let factors = monomial.iter().map(|var| name(*var)).collect::<Vec<_>>().join("*");
            match (monomial.is_empty(), *coefficient) {
                (true, coefficient) => coefficient.to_string(),
                (false, 1) => factors,
                (false, coefficient) => format!("{coefficient}*{factors}"),
            }
        };
        if terms.is_empty() {
            return "0".to_owned();
        }
        terms.into_iter().map(term).collect::<Vec<_>>().join(" + ")
    }

    fn add_term(&mut self, monomial: Monomial, coefficient: i64) {
        let total = self.terms.get(&monomial).copied().unwrap_or(0).wrapping_add(coefficient);
        if total == 0 {
            self.terms.remove(&monomial);
        } else {
            self.terms.insert(monomial, total);
        }
    }
}

/// `2*n_1*m_2 + -1*i_3 + 5`: highest degree first, the constant last, so that the text parses back to the same polynomial.
impl fmt::Display for Poly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.show(&|var| var.to_string()))
    }
}

#[cfg(test)]
mod tests;
