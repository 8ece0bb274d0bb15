//! Functions: parameters, a body, results.

use super::Maker;
use super::control::RESULT_MAX;
use super::scope::{Entry, I64, Roots, Scope};
use crate::ir::{Atom, Binder, Body, Exp, Function, Param, Type};
use crate::visit::names::{Subst, subst_type};
use fun_base::name::{Symbol, Var};
use fun_base::prim::{BinOp, PrimType};
use std::collections::{BTreeMap, BTreeSet};

impl Maker {
    /// Adds a function with about this many statements.
    pub(super) fn function(&mut self, name: &str, entry: bool, size: usize) {
        self.scope = Scope::default();
        self.fuel = size.max(1);
        self.calls_recursive = false;
        let mut params = self.params(entry);
        let fuel = (!entry && self.rng.clone().chance(40)).then(|| self.binder("fuel", I64));
        if let Some(binder) = &fuel {
            params.push(Param { binder: binder.clone(), implicit: false, unique: false });
        }
        for _ in 0..size.max(1) {
            self.statement();
        }
        let gathered = self.gathered();
        let (results, mut atoms) = self.results(&params, entry, gathered);
        if fuel.is_some() || self.calls_recursive {
            self.recursive.insert(Symbol::new(name));
        }
        if let Some(fuel) = fuel {
            // The rest of the program is as it would be without recursion.
            let rng = self.rng.clone();
            atoms = self.recurse(Symbol::new(name), &params, &results, atoms, fuel.var);
            self.rng = rng;
        }
        let statements = std::mem::take(&mut self.statements);
        let body = Body { statements, results: atoms };
        let noinline = self.rng.chance(8);
        self.functions.push(Function { name: Symbol::new(name), entry, noinline, params, results, body });
    }

    /// What the function gives: what its own call with less fuel gives, or these atoms when there is none left. Whatever a
    /// caller gives as fuel, it is soon used up.
    fn recurse(
        &mut self,
        name: Symbol,
        params: &[Param],
        results: &[Param],
        atoms: Vec<Atom>,
        fuel: Var,
    ) -> Vec<Atom> {
        let left = Exp::Bin(BinOp::Min, PrimType::I64, Atom::Var(fuel), Atom::i64(2));
        let left = self.fresh("left", I64, left);
        let go_on = Exp::Bin(BinOp::Lt, PrimType::I64, Atom::i64(0), Atom::Var(left));
        let go_on = self.fresh("go_on", Type::Prim(PrimType::Bool), go_on);
        let pattern = |maker: &mut Maker| {
            let mut subst = Subst::new();
            let binders = results.iter().map(|result| {
                let binder = maker.binder("y", subst_type(&subst, &result.binder.ty));
                subst.insert(result.binder.var, Atom::Var(binder.var));
                binder
            });
            binders.collect::<Vec<Binder>>()
        };
        let scope = self.scope.clone();
        let (then, _) = self.body(scope, |maker| {
            let less = Exp::Bin(BinOp::Sub, PrimType::I64, Atom::Var(left), Atom::i64(1));
            let less = maker.fresh("less", I64, less);
            // What is only observed first: nothing of it may be what is consumed. Results may alias it: where others must be
            // alone, it is fresh.
            let alone = results.iter().any(|result| result.unique);
            let mut args = BTreeMap::new();
            for unique in [false, true] {
                for Param { binder, implicit, .. } in params.iter().filter(|param| param.unique == unique) {
                    let arg = match () {
                        () if binder.var == fuel => Atom::Var(less),
                        () if *implicit => Atom::Var(binder.var),
                        () if unique || alone && binder.ty.rank() > 0 => {
                            Atom::Var(maker.fresh_array(&binder.ty))
                        }
                        () => maker.value(&binder.ty),
                    };
                    args.insert(binder.var, arg);
                }
            }
            let args = params.iter().map(|param| args[&param.binder.var]).collect();
            let given = pattern(maker);
            let vars = given.iter().map(|binder| Atom::Var(binder.var)).collect();
            maker.push(given, Exp::Call { function: name, args });
            vars
        });
        let otherwise = Body { statements: Vec::new(), results: atoms };
        let given = pattern(self);
        let vars = given.iter().map(|binder| Atom::Var(binder.var)).collect();
        self.push(given, Exp::If { condition: Atom::Var(go_on), then, otherwise });
        vars
    }

    /// Sizes, arrays over them (each size stands in one), scalars.
    fn params(&mut self, entry: bool) -> Vec<Param> {
        let mut params = Vec::new();
        let mut types = Vec::new();
        let sizes: Vec<Atom> = (0..self.rng.below(3))
            .map(|_| {
                let binder = self.binder("n", I64);
                let size = Atom::Var(binder.var);
                self.scope.sizes.insert(binder.var, self.scale.array_size);
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
            // nobody gives or gets a unit at an entry point
            let unit = !entry && self.rng.chance(3);
            types.push(Type::Prim(if unit { PrimType::Unit } else { self.prim() }));
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

    /// Scalars that nothing uses, those of a type in one array: what is no result and leads to none shows no mistake.
    fn gathered(&mut self) -> Vec<Entry> {
        let mut kinds: BTreeMap<PrimType, Vec<Atom>> = BTreeMap::new();
        for entry in self.scope.entries.iter().rev() {
            let unused = !self.scope.used.contains(&entry.var) && !self.scope.sizes.contains_key(&entry.var);
            if let (Type::Prim(t), true) = (&entry.ty, unused && entry.ty != Type::Prim(PrimType::Unit)) {
                kinds.entry(*t).or_default().push(Atom::Var(entry.var));
            }
        }
        let mut gathered = Vec::new();
        for (t, mut elems) in kinds {
            elems.truncate(6);
            if elems.len() > 1 && self.rng.chance(70) {
                let ty = Type::Array { shape: vec![Atom::i64(elems.len() as i64)], elem: t };
                let var = self.fresh("all", ty.clone(), Exp::ArrayLiteral { row: Type::Prim(t), elems });
                gathered.push(Entry { var, ty, roots: Roots::from([var]) });
            }
        }
        gathered
    }

    /// Some of what has been computed, after what is given; sizes made in the body come back as implicit results.
    fn results(&mut self, params: &[Param], entry: bool, gathered: Vec<Entry>) -> (Vec<Param>, Vec<Atom>) {
        let known: BTreeSet<Var> = params.iter().map(|param| param.binder.var).collect();
        let fits = |scope: &Scope, known: &Entry| {
            (!entry || known.ty != Type::Prim(PrimType::Unit))
                && known
                    .ty
                    .shape()
                    .iter()
                    .all(|size| scope.size_max(*size).is_some_and(|max| max <= RESULT_MAX))
        };
        let candidates: Vec<Entry> =
            self.scope.entries.iter().filter(|entry| fits(&self.scope, entry)).cloned().collect();
        let mut chosen = gathered;
        let unused = |entry: &&Entry| entry.ty.rank() > 0 && !self.scope.used.contains(&entry.var);
        let mut rest: Vec<Entry> = candidates.iter().filter(unused).cloned().collect();
        rest.truncate(if entry { 4 } else { 1 });
        chosen.extend(rest);
        for _ in 0..1 + self.rng.below(4) {
            // Late ones depend on more.
            let from = if self.rng.chance(60) { candidates.len() / 2 } else { 0 };
            chosen.extend(self.choose_entry(&candidates[from..]));
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
