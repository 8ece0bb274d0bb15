//! Polynomials over the mathematical integers: what facts, goals and derivations are about.
//!
//! Unlike [`Poly`], whose arithmetic wraps, every operation is checked: a coefficient that leaves i128 gives `None`, and the
//! prover then knows nothing.

use crate::poly::{Monomial, Poly};
use fun_base::name::Var;
use std::collections::BTreeMap;
use std::fmt;

/// A sum of coefficient times monomial over the integers. No stored coefficient is zero.
#[derive(Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Default)]
pub struct Exact {
    terms: BTreeMap<Monomial, i128>,
}

impl From<&Poly> for Exact {
    /// The same text, read as an integer polynomial: coefficients are signed.
    fn from(poly: &Poly) -> Exact {
        Exact { terms: poly.terms().map(|(monomial, c)| (monomial.clone(), i128::from(c))).collect() }
    }
}

impl Exact {
    /// The constant `n`.
    pub fn constant(n: i128) -> Exact {
        Exact::term(Monomial::new(), n)
    }

    /// The variable.
    pub fn var(var: Var) -> Exact {
        Exact::term(Monomial::from_elem(var, 1), 1)
    }

    /// One term; the monomial must be sorted.
    pub(crate) fn term(monomial: Monomial, coefficient: i128) -> Exact {
        let mut terms = BTreeMap::new();
        if coefficient != 0 {
            terms.insert(monomial, coefficient);
        }
        Exact { terms }
    }

    /// The terms in a fixed order.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = (&Monomial, i128)> {
        self.terms.iter().map(|(monomial, c)| (monomial, *c))
    }

    /// Whether it is the constant 0.
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The coefficient of a monomial.
    pub fn coefficient(&self, monomial: &[Var]) -> i128 {
        self.terms.get(monomial).copied().unwrap_or(0)
    }

    /// The constant term.
    pub fn constant_term(&self) -> i128 {
        self.coefficient(&[])
    }

    /// Its value if it is constant.
    pub fn as_constant(&self) -> Option<i128> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Monomial::new()).copied(),
            _ => None,
        }
    }

    /// What it has beyond another, if that is a constant.
    pub(crate) fn constant_beyond(&self, other: &Exact) -> Option<i128> {
        let slopes = |poly: &'_ Exact| poly.terms.len() - usize::from(poly.constant_term() != 0);
        let same = |(here, there): ((&Monomial, i128), (&Monomial, i128))| here == there;
        let mut lists = self.terms().rev().zip(other.terms().rev()).take(slopes(self));
        if slopes(self) != slopes(other) || !lists.all(same) {
            return None;
        }
        self.constant_term().checked_sub(other.constant_term())
    }

    /// The polynomial with wrapping arithmetic of the same text, if the coefficients are i64.
    pub fn to_poly(&self) -> Option<Poly> {
        let mut poly = Poly::default();
        for (monomial, c) in self.terms() {
            poly = poly.add(&Poly::term(monomial.clone(), i64::try_from(c).ok()?));
        }
        Some(poly)
    }

    /// The greatest degree of a term.
    pub fn degree(&self) -> usize {
        self.terms.keys().map(|monomial| monomial.len()).max().unwrap_or(0)
    }

    /// Sum.
    pub fn add(&self, other: &Exact) -> Option<Exact> {
        let mut sum = self.clone();
        for (monomial, c) in other.terms() {
            sum.add_term(monomial, c)?;
        }
        Some(sum)
    }

    /// Difference.
    pub fn sub(&self, other: &Exact) -> Option<Exact> {
        self.add(&other.scale(-1)?)
    }

    /// Sum with a constant.
    pub fn plus(&self, n: i128) -> Option<Exact> {
        let mut sum = self.clone();
        sum.add_term(&[], n)?;
        Some(sum)
    }

    /// Product with a constant.
    pub fn scale(&self, factor: i128) -> Option<Exact> {
        if factor == 0 {
            return Some(Exact::default());
        }
        let terms = self.terms().map(|(monomial, c)| Some((monomial.clone(), c.checked_mul(factor)?)));
        Some(Exact { terms: terms.collect::<Option<_>>()? })
    }

    /// Product.
    pub fn mul(&self, other: &Exact) -> Option<Exact> {
        let mut product = Exact::default();
        for (left, a) in self.terms() {
            for (right, b) in other.terms() {
                product.add_term(&monomial_product(left, right), a.checked_mul(b)?)?;
            }
        }
        Some(product)
    }

    /// Adds a term.
    pub(crate) fn add_term(&mut self, monomial: &[Var], c: i128) -> Option<()> {
        if let Some(old) = self.terms.get_mut(monomial) {
            *old = old.checked_add(c)?;
            if *old == 0 {
                self.terms.remove(monomial);
            }
        } else if c != 0 {
            self.terms.insert(monomial.into(), c);
        }
        Some(())
    }

    /// `(Q, R)` with `self = Q · (var - value) + R` where `R` is `self` with `value` for `var`. The value must not have the variable.
    pub(crate) fn substitute(&self, var: Var, value: &Exact) -> Option<(Exact, Exact)> {
        let (mut quotient, mut rest) = (Exact::default(), Exact::default());
        for (monomial, c) in self.terms() {
            let others: Monomial = monomial.iter().copied().filter(|v| *v != var).collect();
            let power = monomial.len() - others.len();
            // c·others·var^power = c·others·(var - value)·Σ var^(power-1-k)·value^k + c·others·value^power
            let mut so_far = Exact::term(others, c);
            for k in 0..power {
                let vars = Exact::term(Monomial::from_elem(var, power - 1 - k), 1);
                quotient = quotient.add(&so_far.mul(&vars)?)?;
                so_far = so_far.mul(value)?;
            }
            rest = rest.add(&so_far)?;
        }
        Some((quotient, rest))
    }

    /// `(c, r)` with `self = c · var + r`, if the variable occurs to no higher power.
    pub(crate) fn linear_in(&self, var: Var) -> Option<(Exact, Exact)> {
        let (mut slope, mut rest) = (Exact::default(), Exact::default());
        for (monomial, c) in self.terms() {
            match monomial.iter().filter(|v| **v == var).count() {
                0 => rest.add_term(monomial, c)?,
                1 => {
                    let others: Monomial = monomial.iter().copied().filter(|v| *v != var).collect();
                    slope.add_term(&others, c)?;
                }
                _ => return None,
            }
        }
        Some((slope, rest))
    }

    /// Its value where `f` gives the values of the variables; `None` if one is missing or the value is not an i128.
    pub fn eval(&self, f: &dyn Fn(Var) -> Option<i128>) -> Option<i128> {
        let mut sum = 0i128;
        for (monomial, c) in self.terms() {
            let mut product = c;
            for var in monomial {
                product = product.checked_mul(f(*var)?)?;
            }
            sum = sum.checked_add(product)?;
        }
        Some(sum)
    }

    /// The greatest common divisor of all coefficients but the constant; 0 for a constant.
    pub(crate) fn content(&self) -> i128 {
        let slopes = self.terms().filter(|(monomial, _)| !monomial.is_empty());
        slopes.fold(0, |divisor, (_, c)| gcd(divisor, c))
    }

    /// The variables, sorted, without repetition.
    pub(crate) fn vars(&self) -> Vec<Var> {
        let mut vars: Vec<Var> = self.terms.keys().flatten().copied().collect();
        vars.sort();
        vars.dedup();
        vars
    }

    /// Whether the variable occurs.
    pub(crate) fn has(&self, var: Var) -> bool {
        self.terms.keys().any(|monomial| monomial.contains(&var))
    }

    /// The greatest monomial by degree, then by variables, with its coefficient.
    pub(crate) fn lead(&self) -> Option<(&Monomial, i128)> {
        self.terms().max_by(|(a, _), (b, _)| (a.len(), a).cmp(&(b.len(), b)))
    }
}

/// The product of two sorted monomials.
pub(crate) fn monomial_product(left: &[Var], right: &[Var]) -> Monomial {
    let mut product: Monomial = left.iter().chain(right).copied().collect();
    product.sort();
    product
}

/// The monomial that times `divisor` is `monomial`.
pub(crate) fn monomial_quotient(monomial: &[Var], divisor: &[Var]) -> Option<Monomial> {
    let mut rest = Monomial::from_slice(monomial);
    for var in divisor {
        let at = rest.iter().position(|other| other == var)?;
        rest.remove(at);
    }
    Some(rest)
}

/// The greatest common divisor, not negative.
pub(crate) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1)
}

/// As [`Poly`]'s.
impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.is_empty() {
            return f.write_str("0");
        }
        let mut terms: Vec<_> = self.terms.iter().collect();
        terms.sort_by_key(|(monomial, _)| std::cmp::Reverse(monomial.len()));
        for (i, (monomial, c)) in terms.into_iter().enumerate() {
            let sign = if *c < 0 { "-" } else { "+" };
            match i {
                0 if *c < 0 => f.write_str("-")?,
                0 => {}
                _ => write!(f, " {sign} ")?,
            }
            let vars: Vec<String> = monomial.iter().map(Var::to_string).collect();
            match (vars.is_empty(), c.unsigned_abs()) {
                (true, c) => write!(f, "{c}")?,
                (false, 1) => write!(f, "{}", vars.join("*"))?,
                (false, c) => write!(f, "{c}*{}", vars.join("*"))?,
            }
        }
        Ok(())
    }
}
