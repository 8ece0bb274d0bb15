//! Adding statements, and bodies with scopes of their own.

use super::Maker;
use super::scope::{Entry, I64, Roots, Scope};
use crate::ir::{Atom, Binder, Body, Exp, Fun, Lambda, Statement, Type};
use crate::visit::{Walk, walk_exp};
use fun_base::name::Var;
use std::collections::BTreeSet;

/// Collects what an expression uses, sizes in the types of its binders not counted.
struct Uses<'a>(&'a mut BTreeSet<Var>);

impl Walk<Fun> for Uses<'_> {
    fn atom(&mut self, atom: &Atom) {
        self.0.extend(atom.as_var());
    }
    fn ty(&mut self, _: &Type) {}
}

impl Maker {
    /// One of some variables, half the time one that nothing uses yet: what nothing needs shows no mistake of a compiler.
    pub(super) fn choose(&mut self, known: &[Var]) -> Option<Var> {
        if self.rng.chance(50) {
            let unused: Vec<Var> =
                known.iter().copied().filter(|var| !self.scope.used.contains(var)).collect();
            if let Some(var) = self.rng.pick(&unused) {
                return Some(*var);
            }
        }
        self.rng.pick(known).copied()
    }

    /// As [`Maker::choose`].
    pub(super) fn choose_entry(&mut self, known: &[Entry]) -> Option<Entry> {
        let vars: Vec<Var> = known.iter().map(|entry| entry.var).collect();
        let var = self.choose(&vars)?;
        known.iter().find(|entry| entry.var == var).cloned()
    }

    /// Whether there is room for another expression with bodies.
    pub(super) fn may_nest(&self) -> bool {
        self.depth < self.scale.depth && self.fuel > 2
    }

    /// Adds a statement with these binders, which do not come into scope.
    pub(super) fn push(&mut self, pattern: Vec<Binder>, exp: Exp) {
        self.fuel = self.fuel.saturating_sub(1);
        walk_exp(&mut Uses(&mut self.scope.used), &exp);
        self.statements.push(Statement { pattern, exp, loc: None });
    }

    /// A fresh variable of this type, not yet in scope.
    pub(super) fn binder(&mut self, text: &str, ty: Type) -> Binder {
        Binder { var: self.names.fresh(text), ty }
    }

    /// Adds a statement with one fresh result.
    pub(super) fn fresh(&mut self, text: &str, ty: Type, exp: Exp) -> Var {
        let binder = self.binder(text, ty.clone());
        let var = binder.var;
        self.push(vec![binder], exp);
        self.scope.add_fresh(var, ty);
        var
    }

    /// Adds a statement with fresh results.
    pub(super) fn fresh_all(&mut self, text: &str, types: &[Type], exp: Exp) -> Vec<Var> {
        let pattern: Vec<Binder> = types.iter().map(|ty| self.binder(text, ty.clone())).collect();
        let vars: Vec<Var> = pattern.iter().map(|binder| binder.var).collect();
        self.push(pattern, exp);
        for (var, ty) in vars.iter().zip(types) {
            self.scope.add_fresh(*var, ty.clone());
        }
        vars
    }

    /// Adds a statement with one result that shares cells with an array.
    pub(super) fn view(&mut self, text: &str, ty: Type, exp: Exp, of: Var) -> Var {
        let roots = self.scope.roots_of(Atom::Var(of));
        let binder = self.binder(text, ty.clone());
        let var = binder.var;
        self.push(vec![binder], exp);
        self.scope.add(var, ty, roots);
        var
    }

    /// Adds a statement with one i64 result between 0 and `max`.
    pub(super) fn size(&mut self, text: &str, max: i64, exp: Exp) -> Atom {
        let var = self.fresh(text, I64, exp);
        self.scope.sizes.insert(var, max);
        Atom::Var(var)
    }

    /// A body in a scope of its own. Gives also the roots that it consumed, and the scope at its end.
    pub(super) fn body(&mut self, scope: Scope, make: impl FnOnce(&mut Maker) -> Vec<Atom>) -> (Body, Scope) {
        let outer_scope = std::mem::replace(&mut self.scope, scope);
        let outer = std::mem::take(&mut self.statements);
        self.depth += 1;
        let results = make(self);
        self.depth -= 1;
        let inner_scope = std::mem::replace(&mut self.scope, outer_scope);
        (Body { statements: std::mem::replace(&mut self.statements, outer), results }, inner_scope)
    }

    /// The scope inside a body that is evaluated many times: nothing from outside may be consumed.
    pub(super) fn shared_scope(&self) -> Scope {
        Scope { consumable: Roots::new(), ..self.scope.clone() }
    }

    /// A lambda over elements of arrays with these parameters, that may not be consumed.
    pub(super) fn lambda(
        &mut self,
        params: &[(Type, Roots)],
        results: &[Type],
        make: impl FnOnce(&mut Maker, &[Var]) -> Vec<Atom>,
    ) -> Lambda {
        let binders: Vec<Binder> = params.iter().map(|(ty, _)| self.binder("p", ty.clone())).collect();
        let mut scope = self.shared_scope();
        for (binder, (ty, roots)) in binders.iter().zip(params) {
            let mut roots = roots.clone();
            if roots.is_empty() && ty.rank() > 0 {
                // An array of nowhere else is still not the lambda's to consume.
                roots.insert(binder.var);
            }
            scope.add(binder.var, ty.clone(), roots);
        }
        let vars: Vec<Var> = binders.iter().map(|binder| binder.var).collect();
        let (body, _) = self.body(scope, |m| make(m, &vars));
        Lambda { params: binders, results: results.to_vec(), body }
    }
}
