//! Products of variables.

use fun_base::name::Var;
use smallvec::SmallVec;
use std::ops::{Deref, DerefMut};

/// A product of variables, sorted by tag, with repetition; empty for the constant term.
///
/// Most are of at most two variables, and need no memory of their own. The prover does little else than to copy and compare them.
#[derive(PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Default)]
pub struct Monomial(SmallVec<[Var; 2]>);

impl Monomial {
    /// Of no variable.
    pub fn new() -> Monomial {
        Monomial::default()
    }

    /// A power of a variable.
    pub fn power(var: Var, exponent: usize) -> Monomial {
        Monomial(SmallVec::from_elem(var, exponent))
    }

    /// Of these variables, which are sorted.
    pub fn of_sorted(vars: &[Var]) -> Monomial {
        Monomial(SmallVec::from_slice(vars))
    }
}

impl Clone for Monomial {
    fn clone(&self) -> Monomial {
        // as bytes, not variable by variable
        Monomial::of_sorted(&self.0)
    }
}

impl Deref for Monomial {
    type Target = SmallVec<[Var; 2]>;
    fn deref(&self) -> &SmallVec<[Var; 2]> {
        &self.0
    }
}

impl DerefMut for Monomial {
    fn deref_mut(&mut self) -> &mut SmallVec<[Var; 2]> {
        &mut self.0
    }
}

impl FromIterator<Var> for Monomial {
    fn from_iter<I: IntoIterator<Item = Var>>(vars: I) -> Monomial {
        let mut monomial = Monomial::new();
        vars.into_iter().for_each(|var| monomial.push(var));
        monomial
    }
}

impl<'m> IntoIterator for &'m Monomial {
    type Item = &'m Var;
    type IntoIter = std::slice::Iter<'m, Var>;
    fn into_iter(self) -> std::slice::Iter<'m, Var> {
        self.0.iter()
    }
}
