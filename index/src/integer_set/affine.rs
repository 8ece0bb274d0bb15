//! Affine expressions over numbered columns, in checked arithmetic, and the limit on work that every operation spends from.

use std::fmt;

/// Why an operation gives no answer. It is never a wrong one instead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// More steps than the limit allows.
    Work,
    /// A coefficient that 128 bits do not hold.
    Overflow,
    /// Sets of different spaces, or an expression or a point that does not have the space's number of columns.
    Space,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::Work => "too complex: the limit on work is reached",
            Refusal::Overflow => "too complex: a coefficient exceeds 128 bits",
            Refusal::Space => "the operands do not belong to the same space",
        })
    }
}

impl std::error::Error for Refusal {}

/// What every operation gives: an exact answer or the reason why there is none.
pub type Exact<T> = Result<T, Refusal>;

/// How many steps are left. A step is about one pass over one condition.
#[derive(Clone, Debug)]
pub struct Work {
    left: u64,
}

impl Work {
    /// As many steps.
    pub fn new(steps: u64) -> Work {
        Work { left: steps }
    }

    /// The steps that are left.
    pub fn left(&self) -> u64 {
        self.left
    }

    pub(super) fn spend(&mut self, steps: usize) -> Exact<()> {
        self.left = self.left.checked_sub(steps as u64).ok_or(Refusal::Work)?;
        Ok(())
    }
}

/// Enough for the sets that a compiler meets: some tens of milliseconds.
impl Default for Work {
    fn default() -> Work {
        Work::new(1_000_000)
    }
}

/// `Σ coefficients[k] · column k + constant`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Affine {
    /// One per column.
    pub coefficients: Vec<i128>,
    /// What does not depend on columns.
    pub constant: i128,
}

impl Affine {
    /// A constant over `width` columns.
    pub fn constant(width: usize, constant: i128) -> Affine {
        Affine { coefficients: vec![0; width], constant }
    }

    /// One of `width` columns; zero if there is no such column.
    pub fn column(width: usize, column: usize) -> Affine {
        let mut result = Affine::constant(width, 0);
        if let Some(coefficient) = result.coefficients.get_mut(column) {
            *coefficient = 1;
        }
        result
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.coefficients.len()
    }

    /// Whether no column occurs.
    pub fn is_constant(&self) -> bool {
        self.coefficients.iter().all(|coefficient| *coefficient == 0)
    }

    /// Sum; over the greater number of columns.
    pub fn add(&self, other: &Affine) -> Exact<Affine> {
        self.combine(1, other, 1)
    }

    /// Difference.
    pub fn sub(&self, other: &Affine) -> Exact<Affine> {
        self.combine(1, other, -1)
    }

    /// Product with a number.
    pub fn scale(&self, factor: i128) -> Exact<Affine> {
        self.combine(factor, &Affine::constant(0, 0), 0)
    }

    /// Sum with a number.
    pub fn plus(&self, constant: i128) -> Exact<Affine> {
        let constant = self.constant.checked_add(constant).ok_or(Refusal::Overflow)?;
        Ok(Affine { coefficients: self.coefficients.clone(), constant })
    }

    /// `a · self + b · other`.
    pub fn combine(&self, a: i128, other: &Affine, b: i128) -> Exact<Affine> {
        let mut coefficients = Vec::with_capacity(self.width().max(other.width()));
        for k in 0..self.width().max(other.width()) {
            let of = |affine: &Affine| affine.coefficients.get(k).copied().unwrap_or(0);
            coefficients.push(sum_of_products(a, of(self), b, of(other))?);
        }
        let constant = sum_of_products(a, self.constant, b, other.constant)?;
        Ok(Affine { coefficients, constant })
    }

    /// Its value where the columns have these values (missing ones are 0).
    pub fn eval(&self, point: &[i128]) -> Exact<i128> {
        let mut sum = self.constant;
        for (coefficient, value) in self.coefficients.iter().zip(point) {
            sum = sum_of_products(1, sum, *coefficient, *value)?;
        }
        Ok(sum)
    }

    /// Column `k` replaced by column `f(k)` of `width` columns; several that meet add up.
    pub(super) fn renamed(&self, width: usize, f: impl Fn(usize) -> usize) -> Exact<Affine> {
        let mut result = Affine::constant(width, self.constant);
        for (k, coefficient) in self.coefficients.iter().enumerate() {
            let cell = result.coefficients.get_mut(f(k)).ok_or(Refusal::Space)?;
            *cell = cell.checked_add(*coefficient).ok_or(Refusal::Overflow)?;
        }
        Ok(result)
    }

    /// Greatest common divisor of the coefficients of columns; 0 if none occurs.
    pub(super) fn content(&self) -> Exact<i128> {
        self.coefficients.iter().try_fold(0, |divisor, coefficient| gcd(divisor, *coefficient))
    }
}

fn sum_of_products(a: i128, x: i128, b: i128, y: i128) -> Exact<i128> {
    let sum = || a.checked_mul(x)?.checked_add(b.checked_mul(y)?);
    sum().ok_or(Refusal::Overflow)
}

/// Greatest common divisor, not negative.
pub(super) fn gcd(a: i128, b: i128) -> Exact<i128> {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).map_err(|_| Refusal::Overflow)
}

/// `s` with `s · a ≡ 1` modulo `modulus`, for coprime numbers and a positive modulus.
pub(super) fn inverse(a: i128, modulus: i128) -> Exact<i128> {
    let (mut old, mut now) = (a.rem_euclid(modulus), modulus);
    let (mut old_s, mut now_s) = (1i128, 0i128);
    while now != 0 {
        let quotient = old / now;
        (old, now) = (now, old - quotient * now);
        let next = quotient.checked_mul(now_s).and_then(|product| old_s.checked_sub(product));
        (old_s, now_s) = (now_s, next.ok_or(Refusal::Overflow)?);
    }
    Ok(old_s.rem_euclid(modulus))
}
