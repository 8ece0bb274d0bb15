//! Functions: parameters, a body, results.

use super::Maker;
use super::control::RESULT_MAX;
use super::scope::{Entry, I64, Roots, Scope};
use crate::ir::{Atom, Binder, Body, Function, Param, Type};
use fun_base::name::{Symbol, Var};
use std::collections::{BTreeMap, BTreeSet};

impl Maker {
    /// Adds a function with about this many statements.
    pub(super) fn function(&mut self, name: &str, entry: bool, size: usize) {
        self.scope = Scope::default();
        self.fuel = size.max(1);
        let params = self.params();
        for _ in 0..size.max(1) {
            self.statement();
        }
        let (results, atoms) = self.results(&params);
        let statements = std::mem::take(&mut self.statements);
        let body = Body { statements, results: atoms };
        self.functions.push(Function { name: Symbol::new(name), entry, params, results, body });
    }

    /// Sizes, arrays over them (each size stands in one), scalars.
    fn params(&mut self) -> Vec<Param> {
        let mut params = Vec::new();
        let mut types = Vec::new();
        let sizes: Vec<Atom> = (0..self.rng.below(3))
            .map(|_| {
                let binder = self.binder("n", I64);
                let size = Atom::Var(binder.var);
                self.scope.sizes.insert(binder.var, super::SMALL_SIZES);
                self.scope.add(binder.var, I64, Roots::new());
                params.push(Param { binder, implicit: true, unique: false });
                size
            })
            .collect();
        for size in &sizes {
            let mut shape = vec![*size];
            if self.rng.chance(40) {
                shape.push(*self.rng.pick(&sizes).unwrap_or(size));
            }
            types.push(Type::Array { shape, elem: self.prim() });
        }
        for _ in 0..self.rng.below(3) {
            types.push(Type::Prim(self.prim()));
        }
        if self.rng.chance(30) {
            types.push(self.array_type_of_params(&sizes));
        }
        for ty in types {
            let unique = ty.rank() > 0 && self.rng.chance(30);
            let binder = self.binder("x", ty.clone());
            let roots = if ty.rank() > 0 { Roots::from([binder.var]) } else { Roots::new() };
            if unique {
                self.scope.consumable.insert(binder.var);
            }
            self.scope.add(binder.var, ty, roots);
            params.push(Param { binder, implicit: false, unique });
        }
        params
    }

    /// An array over sizes of the parameters and constants: nothing may be computed before the body.
    fn array_type_of_params(&mut self, sizes: &[Atom]) -> Type {
        let rank = 1 + self.rng.below(3);
        let mut shape = Vec::new();
        for _ in 0..rank {
            let constant = Atom::i64(self.rng.below(4) as i64);
            shape.push(if self.rng.chance(50) {
                *self.rng.pick(sizes).unwrap_or(&constant)
            } else {
                constant
            });
        }
        Type::Array { shape, elem: self.prim() }
    }

    /// Some of what has been computed; sizes made in the body come back as implicit results.
    fn results(&mut self, params: &[Param]) -> (Vec<Param>, Vec<Atom>) {
        let known: BTreeSet<Var> = params.iter().map(|param| param.binder.var).collect();
        let fits = |scope: &Scope, entry: &Entry| {
            entry.ty.shape().iter().all(|size| scope.size_max(*size).is_some_and(|max| max <= RESULT_MAX))
        };
        let candidates: Vec<Entry> =
            self.scope.entries.iter().filter(|entry| fits(&self.scope, entry)).cloned().collect();
        let mut chosen = Vec::new();
        for _ in 0..1 + self.rng.below(4) {
            // Late ones depend on more.
            let from = if self.rng.chance(60) { candidates.len() / 2 } else { 0 };
            chosen.extend(self.rng.pick(&candidates[from..]).cloned());
        }
        if chosen.is_empty() {
            let ty = I64;
            let var = self.fresh("x", ty.clone(), crate::ir::Exp::Atom(Atom::i64(7)));
            chosen.push(Entry { var, ty, roots: Roots::new() });
        }
        let mut sizes: BTreeMap<Var, Var> = BTreeMap::new();
        let (mut results, mut atoms) = (Vec::new(), Vec::new());
        for entry in &chosen {
            for size in entry.ty.shape().iter().filter_map(|size| size.as_var()) {
                if !known.contains(&size) && !sizes.contains_key(&size) {
                    let binder = self.binder("n", I64);
                    sizes.insert(size, binder.var);
                    results.push(Param { binder, implicit: true, unique: false });
                    atoms.push(Atom::Var(size));
                }
            }
        }
        for (i, entry) in chosen.iter().enumerate() {
            let shape: Vec<Atom> = entry.ty.shape().iter().map(|size| outer_size(&sizes, *size)).collect();
            let ty = Type::array_of(&shape, &Type::Prim(entry.ty.elem()));
            let alone =
                chosen.iter().enumerate().all(|(k, other)| k == i || other.roots.is_disjoint(&entry.roots));
            let may_be_unique = ty.rank() > 0 && alone && entry.roots.is_subset(&self.scope.consumable);
            let unique = may_be_unique && self.rng.chance(70);
            let binder: Binder = self.binder("y", ty);
            results.push(Param { binder, implicit: false, unique });
            atoms.push(Atom::Var(entry.var));
        }
        (results, atoms)
    }
}

fn outer_size(sizes: &BTreeMap<Var, Var>, size: Atom) -> Atom {
    size.as_var().and_then(|var| sizes.get(&var)).map_or(size, |var| Atom::Var(*var))
}
