//! Sizes as polynomials: what equality of sizes means and how equations are solved for an unknown.

use crate::typed::{Exp, ExpKind};
use crate::types::Size;
use fun_base::name::{Symbol, Var};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// A factor of a monomial.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Atom {
    /// A variable.
    Var(Var),
    /// An expression, known by its text.
    Opaque(Symbol),
    /// An unknown.
    Meta(u32),
}

/// A sum of products of atoms with wrapping coefficients, none of them zero.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Poly {
    terms: BTreeMap<Vec<Atom>, i64>,
    /// The sizes that the opaque atoms stand for.
    opaque: BTreeMap<Symbol, Size>,
}

impl Poly {
    /// Of a size whose solved unknowns have been replaced.
    pub(crate) fn of_size(size: &Size) -> Poly {
        let mut poly = Poly::default();
        match size {
            Size::Const(n) => poly.add_term(Vec::new(), *n),
            Size::Var(var) => poly.add_term(vec![Atom::Var(*var)], 1),
            Size::Meta(meta) => poly.add_term(vec![Atom::Meta(*meta)], 1),
            Size::Opaque(_, key) => {
                poly.add_term(vec![Atom::Opaque(*key)], 1);
                poly.opaque.insert(*key, size.clone());
            }
            Size::Add(a, b) => {
                poly = Poly::of_size(a);
                poly.add(&Poly::of_size(b), 1);
            }
            Size::Sub(a, b) => {
                poly = Poly::of_size(a);
                poly.add(&Poly::of_size(b), -1);
            }
            Size::Mul(a, b) => {
                let (a, b) = (Poly::of_size(a), Poly::of_size(b));
                for (x, c) in &a.terms {
                    for (y, d) in &b.terms {
                        let mut product: Vec<Atom> = x.iter().chain(y).copied().collect();
                        product.sort();
                        poly.add_term(product, c.wrapping_mul(*d));
                    }
                }
                poly.opaque = a.opaque.into_iter().chain(b.opaque).collect();
            }
        }
        poly
    }

    fn add_term(&mut self, atoms: Vec<Atom>, coefficient: i64) {
        match self.terms.entry(atoms) {
            Entry::Occupied(mut term) => {
                let sum = term.get().wrapping_add(coefficient);
                if sum == 0 {
                    term.remove();
                } else {
                    term.insert(sum);
                }
            }
            Entry::Vacant(_) if coefficient == 0 => {}
            Entry::Vacant(term) => {
                term.insert(coefficient);
            }
        }
    }

    /// Adds `factor * other`.
    pub(crate) fn add(&mut self, other: &Poly, factor: i64) {
        for (atoms, c) in &other.terms {
            self.add_term(atoms.clone(), c.wrapping_mul(factor));
        }
        self.opaque.extend(other.opaque.iter().map(|(k, v)| (*k, v.clone())));
    }

    /// Whether it is 0.
    pub(crate) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether unknowns occur.
    pub(crate) fn has_metas(&self) -> bool {
        self.terms.keys().flatten().any(|atom| matches!(atom, Atom::Meta(_)))
    }

    /// Whether `self = 0` has several unknowns, so that no choice for one of them is the one that was meant.
    pub(crate) fn is_ambiguous(&self) -> bool {
        let metas: BTreeSet<&Atom> =
            self.terms.keys().flatten().filter(|atom| matches!(atom, Atom::Meta(_))).collect();
        metas.len() > 1
    }

    /// Solves `self = 0` for an unknown that occurs once, alone, with coefficient 1 or -1; the last such one.
    pub(crate) fn solve(&self) -> Option<(u32, Size)> {
        let occurrences = |meta: u32| self.terms.keys().flatten().filter(|a| **a == Atom::Meta(meta)).count();
        self.terms.iter().rev().find_map(|(atoms, c)| match atoms.as_slice() {
            [Atom::Meta(meta)] if (*c == 1 || *c == -1) && occurrences(*meta) == 1 => {
                let mut rest = Poly::default();
                rest.add(self, c.wrapping_neg());
                rest.terms.remove(atoms);
                Some((*meta, rest.to_size()))
            }
            _ => None,
        })
    }

    /// The size again: terms with positive coefficients first, the constant last.
    pub(crate) fn to_size(&self) -> Size {
        let mut sum: Option<Size> = None;
        let constant = self.terms.iter().filter(|(atoms, _)| atoms.is_empty());
        let others = || self.terms.iter().filter(|(atoms, _)| !atoms.is_empty());
        let ordered =
            others().filter(|(_, c)| **c > 0).chain(others().filter(|(_, c)| **c < 0)).chain(constant);
        for (atoms, c) in ordered {
            let negative = *c < 0 && *c != i64::MIN && sum.is_some();
            let term = self.term(atoms, if negative { -*c } else { *c });
            sum = Some(match sum {
                None => term,
                Some(before) if negative => Size::Sub(Box::new(before), Box::new(term)),
                Some(before) => Size::Add(Box::new(before), Box::new(term)),
            });
        }
        sum.unwrap_or(Size::Const(0))
    }

    fn term(&self, atoms: &[Atom], coefficient: i64) -> Size {
        let mut product = (coefficient != 1 || atoms.is_empty()).then_some(Size::Const(coefficient));
        for atom in atoms {
            let factor = match atom {
                Atom::Var(var) => Size::Var(*var),
                Atom::Meta(meta) => Size::Meta(*meta),
                Atom::Opaque(key) => self.opaque.get(key).cloned().unwrap_or(Size::Const(0)),
            };
            product = Some(match product {
                None => factor,
                Some(before) => Size::Mul(Box::new(before), Box::new(factor)),
            });
        }
        product.unwrap_or(Size::Const(1))
    }
}

/// The size with differences collected. Sums and products stay as they are written, as their operands can be told apart in equations.
pub(crate) fn normalise(size: &Size) -> Size {
    let both = |a: &Size, b: &Size| (Box::new(normalise(a)), Box::new(normalise(b)));
    match size {
        Size::Const(_) | Size::Var(_) | Size::Meta(_) | Size::Opaque(..) => size.clone(),
        Size::Add(a, b) => {
            let (a, b) = both(a, b);
            Size::Add(a, b)
        }
        Size::Sub(a, b) => {
            let (a, b) = both(a, b);
            let difference = Size::Sub(a, b);
            let collected = Poly::of_size(&difference);
            if collected.terms.len() < leaves(&difference) { collected.to_size() } else { difference }
        }
        Size::Mul(a, b) => {
            let (a, b) = both(a, b);
            Size::Mul(a, b)
        }
    }
}

/// The size with sums collected where that leaves fewer names in it: `k + (n - k)` is `n` where nobody knows `k`.
pub(crate) fn collected(size: &Size) -> Size {
    let names = |size: &Size| {
        let mut free = BTreeSet::new();
        crate::types::free_in_size(size, &mut free);
        free.len()
    };
    let shorter = Poly::of_size(size).to_size();
    if names(&shorter) < names(size) { shorter } else { size.clone() }
}

/// How many terms a sum or difference has as it is written.
fn leaves(size: &Size) -> usize {
    match size {
        Size::Add(a, b) | Size::Sub(a, b) => leaves(a) + leaves(b),
        Size::Const(_) | Size::Var(_) | Size::Meta(_) | Size::Opaque(..) | Size::Mul(..) => 1,
    }
}

/// How many variables, numbers and operators are in a size; `of` tells those of what a variable stands for.
pub(crate) fn weight(size: &Size, of: &impl Fn(Var) -> u32) -> u32 {
    match size {
        // What grows like this would soon wrap around.
        Size::Const(n) if n.unsigned_abs() > 1 << 40 => u32::MAX,
        Size::Const(_) | Size::Meta(_) => 1,
        Size::Var(var) => of(*var),
        Size::Add(a, b) | Size::Sub(a, b) | Size::Mul(a, b) => {
            weight(a, of).saturating_add(weight(b, of)).saturating_add(1)
        }
        Size::Opaque(exp, _) => weight_of_exp(exp, of),
    }
}

fn weight_of_exp(exp: &Exp, of: &impl Fn(Var) -> u32) -> u32 {
    match &exp.kind {
        ExpKind::Var(var) => of(*var),
        _ => {
            let mut sum = 1u32;
            exp.for_each_child(&mut |inner| sum = sum.saturating_add(weight_of_exp(inner, of)));
            sum
        }
    }
}
