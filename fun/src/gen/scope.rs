//! What the generator knows of the variables in scope.

use crate::ir::{Atom, Type};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use std::collections::{BTreeMap, BTreeSet};

/// Tokens for the arrays whose cells a variable may share, as in the checker of consumption.
pub(super) type Roots = BTreeSet<Var>;

/// A variable that may be used.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) var: Var,
    pub(super) ty: Type,
    pub(super) roots: Roots,
}

/// The variables that may be used, and facts about them.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) entries: Vec<Entry>,
    /// i64 variables known to be between 0 and this.
    pub(super) sizes: BTreeMap<Var, i64>,
    /// Counters from 0, and what they stay below.
    pub(super) counters: Vec<(Var, Atom)>,
    /// Roots that may be consumed here.
    pub(super) consumable: Roots,
    /// Roots consumed so far.
    pub(super) consumed: Roots,
    /// Variables that a statement uses.
    pub(super) used: BTreeSet<Var>,
}

impl Scope {
    /// The greatest value that an atom known as a size may have.
    pub(super) fn size_max(&self, size: Atom) -> Option<i64> {
        match size {
            Atom::Const(value) => value.as_i64(),
            Atom::Var(var) => self.sizes.get(&var).copied(),
        }
    }

    /// Whether a size is known to be at least 1: a positive constant, or the bound of a counter in scope.
    pub(super) fn is_positive(&self, size: Atom) -> bool {
        match size {
            Atom::Const(value) => value.as_i64().is_some_and(|n| n > 0),
            Atom::Var(_) => self.counters.iter().any(|(_, bound)| *bound == size),
        }
    }

    pub(super) fn roots_of(&self, atom: Atom) -> Roots {
        let entry = self.entries.iter().find(|entry| Atom::Var(entry.var) == atom);
        entry.map(|entry| entry.roots.clone()).unwrap_or_default()
    }

    /// Makes a variable usable that shares cells with these roots.
    pub(super) fn add(&mut self, var: Var, ty: Type, roots: Roots) {
        self.entries.push(Entry { var, ty, roots });
    }

    /// Makes a variable usable; an array is fresh and may be consumed.
    pub(super) fn add_fresh(&mut self, var: Var, ty: Type) {
        let mut roots = Roots::new();
        if ty.rank() > 0 {
            roots.insert(var);
            self.consumable.insert(var);
        }
        self.add(var, ty, roots);
    }

    /// Forgets everything that shares cells with these roots.
    pub(super) fn consume(&mut self, roots: &Roots) {
        self.entries.retain(|entry| entry.roots.is_disjoint(roots));
        self.consumed.extend(roots);
    }

    /// The arrays in scope.
    pub(super) fn arrays(&self) -> Vec<Entry> {
        self.entries.iter().filter(|entry| entry.ty.rank() > 0).cloned().collect()
    }

    /// The variables of this type.
    pub(super) fn of_type(&self, ty: &Type) -> Vec<Var> {
        self.entries.iter().filter(|entry| entry.ty == *ty).map(|entry| entry.var).collect()
    }

    /// The sizes in scope that are at most `max`.
    pub(super) fn sizes_up_to(&self, max: i64) -> Vec<Atom> {
        self.sizes.iter().filter(|(_, most)| **most <= max).map(|(var, _)| Atom::Var(*var)).collect()
    }
}

/// The type of i64 scalars.
pub(super) const I64: Type = Type::Prim(PrimType::I64);
