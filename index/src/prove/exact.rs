//! Polynomials over the mathematical integers: what facts, goals and derivations are about.
//!
//! Unlike [`Poly`], whose arithmetic wraps, every operation is checked: a coefficient that leaves i128 gives `None`, and the
//! prover then knows nothing.

use crate::poly::{Monomial, Poly};
use fun_base::name::Var;
use std::cmp::Ordering;
use std::fmt;

/// Polynomials with a term of more factors than this are not computed by substitution: in a chain of squares the degree doubles with each,
/// and nothing is proved of such numbers.
pub(super) const MOST_FACTORS: usize = 32;
/// Nor are those of more terms.
const MOST_TERMS: usize = 2000;

/// A sum of coefficient times monomial over the integers, sorted by monomial. No stored coefficient is zero.
#[derive(Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Default)]
pub struct Exact {
    terms: Vec<(Monomial, i128)>,
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
        Exact::term(Monomial::power(var, 1), 1)
    }

    /// One term; the monomial must be sorted.
    pub(crate) fn term(monomial: Monomial, coefficient: i128) -> Exact {
        let terms = if coefficient == 0 { Vec::new() } else { vec![(monomial, coefficient)] };
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
        self.place(monomial).map_or(0, |at| self.terms[at].1)
    }

    /// Where a monomial is, or where it would be.
    fn place(&self, monomial: &[Var]) -> Result<usize, usize> {
        self.terms.binary_search_by(|(other, _)| other.as_slice().cmp(monomial))
    }

    /// The constant term.
    pub fn constant_term(&self) -> i128 {
        // Its monomial comes before all others.
        self.terms.first().map_or(0, |(monomial, c)| if monomial.is_empty() { *c } else { 0 })
    }

    /// Its value if it is constant.
    pub fn as_constant(&self) -> Option<i128> {
        match self.terms.as_slice() {
            [] => Some(0),
            [(monomial, c)] if monomial.is_empty() => Some(*c),
            _ => None,
        }
    }

    /// What it has beyond another, if that is a constant.
    pub(crate) fn constant_beyond(&self, other: &Exact) -> Option<i128> {
        let same = self.slopes() == other.slopes();
        if same { self.constant_term().checked_sub(other.constant_term()) } else { None }
    }

    /// All terms but the constant.
    fn slopes(&self) -> &[(Monomial, i128)] {
        match self.terms.split_first() {
            Some(((monomial, _), slopes)) if monomial.is_empty() => slopes,
            _ => &self.terms,
        }
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
        self.terms.iter().map(|(monomial, _)| monomial.len()).max().unwrap_or(0)
    }

    /// Sum.
    pub fn add(&self, other: &Exact) -> Option<Exact> {
        self.combined(other, 1)
    }

    /// Difference.
    pub fn sub(&self, other: &Exact) -> Option<Exact> {
        self.combined(other, -1)
    }

    /// `self + factor · other`.
    pub(crate) fn combined(&self, other: &Exact, factor: i128) -> Option<Exact> {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.as_slice(), other.terms.as_slice());
        while let (Some(((here, a), left_rest)), Some(((there, b), right_rest))) =
            (left.split_first(), right.split_first())
        {
            let order = here.cmp(there);
            let (monomial, c) = match order {
                Ordering::Less => (here, *a),
                Ordering::Greater => (there, b.checked_mul(factor)?),
                Ordering::Equal => (here, a.checked_add(b.checked_mul(factor)?)?),
            };
            if c != 0 {
                terms.push((monomial.clone(), c));
            }
            left = if order.is_le() { left_rest } else { left };
            right = if order.is_ge() { right_rest } else { right };
        }
        terms.extend_from_slice(left);
        for (monomial, c) in right {
            terms.push((monomial.clone(), c.checked_mul(factor)?));
        }
        Some(Exact { terms })
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
        match (self.as_constant(), other.as_constant()) {
            (Some(c), _) => return other.scale(c),
            (_, Some(c)) => return self.scale(c),
            (None, None) => {}
        }
        let mut terms = Vec::with_capacity(self.terms.len() * other.terms.len());
        for (left, a) in &self.terms {
            for (right, b) in &other.terms {
                terms.push((monomial_product(left, right), a.checked_mul(*b)?));
            }
        }
        Exact::sorted(terms)
    }

    /// The sum of terms in any order.
    fn sorted(mut terms: Vec<(Monomial, i128)>) -> Option<Exact> {
        terms.sort_by(|(left, _), (right, _)| left.cmp(right));
        let mut sum: Vec<(Monomial, i128)> = Vec::with_capacity(terms.len());
        for (monomial, c) in terms {
            match sum.last_mut().filter(|(last, _)| *last == monomial) {
                Some((_, total)) => *total = total.checked_add(c)?,
                None => sum.push((monomial, c)),
            }
        }
        sum.retain(|(_, c)| *c != 0);
        Some(Exact { terms: sum })
    }

    /// Adds a term.
    pub(crate) fn add_term(&mut self, monomial: &[Var], c: i128) -> Option<()> {
        match self.place(monomial) {
            Ok(at) => {
                let total = &mut self.terms[at].1;
                *total = total.checked_add(c)?;
                if *total == 0 {
                    self.terms.remove(at);
                }
            }
            Err(at) if c != 0 => self.terms.insert(at, (Monomial::of_sorted(monomial), c)),
            Err(_) => {}
        }
        Some(())
    }

    /// `(Q, R)` with `self = Q · (var - value) + R` where `R` is `self` with `value` for `var`. The value must not have the variable. None where
    /// that becomes too large.
    pub(crate) fn substitute(&self, var: Var, value: &Exact) -> Option<(Exact, Exact)> {
        let degree = value.degree();
        let mut quotient = Exact::default();
        let mut rest = Vec::with_capacity(self.terms.len() + value.terms.len());
        for (monomial, c) in self.terms() {
            if !monomial.contains(&var) {
                rest.push((monomial.clone(), c));
                continue;
            }
            let others: Monomial = monomial.iter().copied().filter(|v| *v != var).collect();
            let power = monomial.len() - others.len();
            if others.len() + power * degree > MOST_FACTORS {
                return None;
            }
            // c·others·var^power = c·others·(var - value)·Σ var^(power-1-k)·value^k + c·others·value^power
            let mut so_far = Exact::term(others, c);
            for k in 0..power {
                let vars = Exact::term(Monomial::power(var, power - 1 - k), 1);
                quotient = quotient.add(&so_far.mul(&vars)?)?;
                so_far = so_far.mul(value)?;
                if so_far.terms.len() > MOST_TERMS {
                    return None;
                }
            }
            rest.extend(so_far.terms);
        }
        Some((quotient, Exact::sorted(rest)?))
    }

    /// `(c, r)` with `self = c · var + r`, if the variable occurs to no higher power.
    pub(crate) fn linear_in(&self, var: Var) -> Option<(Exact, Exact)> {
        let slope = self.slope_in(var)?;
        let rest = self.terms.iter().filter(|(monomial, _)| !monomial.contains(&var)).cloned().collect();
        Some((slope, Exact { terms: rest }))
    }

    /// What the variable is multiplied by, if it occurs to no higher power.
    pub(crate) fn slope_in(&self, var: Var) -> Option<Exact> {
        let mut slope = Vec::new();
        for (monomial, c) in &self.terms {
            match monomial.iter().filter(|v| **v == var).count() {
                0 => {}
                1 => slope.push((monomial.iter().copied().filter(|v| *v != var).collect(), *c)),
                _ => return None,
            }
        }
        // Different monomials stay different.
        slope.sort_unstable();
        Some(Exact { terms: slope })
    }

    /// As [`Exact::slope_in`], if that is a number.
    pub(crate) fn constant_slope_in(&self, var: Var) -> Option<i128> {
        let mut slope = 0;
        for (monomial, c) in self.terms.iter().filter(|(monomial, _)| monomial.contains(&var)) {
            if monomial.len() > 1 {
                return None;
            }
            slope = *c;
        }
        Some(slope)
    }

    /// What is added to the variable, if it is just that and a number.
    pub(crate) fn beyond_var(&self, var: Var) -> Option<i128> {
        match self.slopes() {
            [(monomial, 1)] if monomial[..] == [var] => Some(self.constant_term()),
            _ => None,
        }
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
        self.slopes().iter().fold(0, |divisor, (_, c)| gcd(divisor, *c))
    }

    /// All coefficients divided and rounded down.
    pub(crate) fn divided_down(&self, by: i128) -> Exact {
        let terms = self.terms.iter().map(|(monomial, c)| (monomial.clone(), c.div_euclid(by)));
        Exact { terms: terms.filter(|(_, c)| *c != 0).collect() }
    }

    /// The variables, sorted, without repetition.
    pub(crate) fn vars(&self) -> Vec<Var> {
        let mut vars: Vec<Var> = self.terms.iter().flat_map(|(monomial, _)| monomial).copied().collect();
        vars.sort();
        vars.dedup();
        vars
    }

    /// Whether the variable occurs.
    pub(crate) fn has(&self, var: Var) -> bool {
        self.terms.iter().any(|(monomial, _)| monomial.contains(&var))
    }

    /// The greatest monomial by degree, then by variables, with its coefficient.
    pub(crate) fn lead(&self) -> Option<(&Monomial, i128)> {
        self.terms().max_by(|(a, _), (b, _)| (a.len(), a).cmp(&(b.len(), b)))
    }
}

/// The product of two sorted monomials.
pub(crate) fn monomial_product(left: &[Var], right: &[Var]) -> Monomial {
    let mut product = Monomial::of_sorted(left);
    product.extend_from_slice(right);
    if !left.is_empty() && !right.is_empty() {
        product.sort();
    }
    product
}

/// The monomial that times `divisor` is `monomial`.
pub(crate) fn monomial_quotient(monomial: &[Var], divisor: &[Var]) -> Option<Monomial> {
    let mut rest = Monomial::of_sorted(monomial);
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
