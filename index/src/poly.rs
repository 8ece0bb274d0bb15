//! Polynomials over variables with integer coefficients: offsets, strides and sizes.
//!
//! Arithmetic is that of i64 with wrap-around (the ring of integers modulo 2^64), as in the languages, so equal polynomials
//! have equal values at run time whatever overflows.

mod monomial;

pub use monomial::Monomial;

use fun_base::name::Var;
use smallvec::SmallVec;
use std::fmt;

/// A sum of coefficient times monomial, sorted by monomial. No stored coefficient is zero, so equality is equality of terms.
///
/// Most are a number or a variable: those need no memory of their own, for each array type of FUNMEM holds several.
#[derive(Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Default)]
pub struct Poly {
    terms: SmallVec<[(Monomial, i64); 1]>,
}

type WriteVar<'a> = dyn Fn(Var, &mut fmt::Formatter<'_>) -> fmt::Result + 'a;

impl Poly {
    /// The constant `n`.
    pub fn constant(n: i64) -> Poly {
        Poly::term(Monomial::new(), n)
    }

    /// The variable.
    pub fn var(var: Var) -> Poly {
        Poly::term(Monomial::power(var, 1), 1)
    }

    /// One term; the monomial need not be sorted.
    pub fn term(mut monomial: Monomial, coefficient: i64) -> Poly {
        monomial.sort();
        let mut terms = SmallVec::new();
        if coefficient != 0 {
            terms.push((monomial, coefficient));
        }
        Poly { terms }
    }

    /// The greatest number of factors of a term.
    pub fn degree(&self) -> usize {
        self.terms().map(|(monomial, _)| monomial.len()).max().unwrap_or(0)
    }

    /// The terms in a fixed order.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, i64)> {
        self.terms.iter().map(|(monomial, coefficient)| (monomial, *coefficient))
    }

    /// Its value if it is constant.
    pub fn as_constant(&self) -> Option<i64> {
        match self.terms.as_slice() {
            [] => Some(0),
            [(monomial, coefficient)] if monomial.is_empty() => Some(*coefficient),
            _ => None,
        }
    }

    /// The variable if it is just one.
    pub fn as_var(&self) -> Option<Var> {
        match self.terms.as_slice() {
            [(monomial, 1)] if monomial.len() == 1 => Some(monomial[0]),
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
        let mut difference = self.clone();
        for (monomial, coefficient) in &other.terms {
            difference.add_term(monomial.clone(), coefficient.wrapping_neg());
        }
        difference
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
        let mut scaled = self.clone();
        scaled.terms.iter_mut().for_each(|(_, coefficient)| *coefficient = coefficient.wrapping_mul(factor));
        scaled.terms.retain(|(_, coefficient)| *coefficient != 0);
        scaled
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

    /// How much more it is where a variable is greater by one.
    #[must_use]
    pub fn step(&self, var: Var) -> Poly {
        let next = Poly::var(var).add(&Poly::constant(1));
        self.subst(&mut |other| if other == var { next.clone() } else { Poly::var(other) }).sub(self)
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
        self.terms.iter().flat_map(|(monomial, _)| monomial).copied().for_each(f);
    }

    /// Its text with these names for variables.
    pub fn show(&self, name: &dyn Fn(Var) -> String) -> String {
        fmt::from_fn(|f| self.write(f, &|var, f| f.write_str(&name(var)))).to_string()
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, name: &WriteVar) -> fmt::Result {
        let mut terms: SmallVec<[&(Monomial, i64); 4]> = self.terms.iter().collect();
        terms.sort_by_key(|(monomial, _)| std::cmp::Reverse(monomial.len()));
        if terms.is_empty() {
            return f.write_str("0");
        }
        for (k, (monomial, coefficient)) in terms.into_iter().enumerate() {
            f.write_str(if k == 0 { "" } else { " + " })?;
            let alone = *coefficient == 1 && !monomial.is_empty();
            if !alone {
                write!(f, "{coefficient}")?;
            }
            for (k, var) in monomial.iter().enumerate() {
                f.write_str(if k == 0 && alone { "" } else { "*" })?;
                name(*var, f)?;
            }
        }
        Ok(())
    }

    fn add_term(&mut self, monomial: Monomial, coefficient: i64) {
        match self.terms.binary_search_by(|(other, _)| other.cmp(&monomial)) {
            Ok(at) => {
                let total = &mut self.terms[at].1;
                *total = total.wrapping_add(coefficient);
                if *total == 0 {
                    self.terms.remove(at);
                }
            }
            Err(at) if coefficient != 0 => self.terms.insert(at, (monomial, coefficient)),
            Err(_) => {}
        }
    }
}

/// `2*n_1*m_2 + -1*i_3 + 5`: highest degree first, the constant last, so that the text parses back to the same polynomial.
impl fmt::Display for Poly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, &|var, f| var.fmt(f))
    }
}

#[cfg(test)]
mod tests;
