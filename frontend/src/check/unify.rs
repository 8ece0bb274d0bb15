//! Unification of types.
//!
//! Every unknown has a level, the nesting of functions, branches and loops in which it arose; so has every variable. An
//! unknown may not become something that mentions a variable of a deeper level: that size is not known where the unknown is.

use super::Infer;
use super::unknown::{Constraint, PrimSet};
use crate::syntax::Liftedness;
use crate::types::{Arrow, Size, Subst, Type, TypeArg, payloads, same_constructors, subst_type};
use fun_base::name::{Symbol, Var};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Why two types are not the same.
#[derive(Clone, Debug)]
pub(crate) enum Mismatch {
    /// These parts differ.
    Types(Type, Type),
    /// These sizes differ.
    Sizes(Size, Size),
    /// The type would contain itself.
    Infinite,
    /// The type would mention this variable where it isn't known.
    Escape(Var),
    /// A function's result has sizes that only a run decides.
    UnknownResult(Type),
    /// The type isn't what the constraint asks for.
    NotOneOf(Type, PrimSet),
    /// Functions can't be there.
    Function(Type),
    /// Values of the type may differ in their sizes, so it can't be there.
    Lifted(Type),
    /// No such field.
    NoField(Type, Symbol),
    /// Not a sum with such a constructor.
    NoConstructor(Type, Symbol),
    /// A constructor with another number of components.
    Payload(Symbol, usize, usize),
}

/// What unification gives.
pub(crate) type Unified = Result<(), Mismatch>;

impl Infer<'_> {
    /// Makes the types equal; `expected` is the one that the context asks for.
    pub(crate) fn unify(&mut self, expected: &Type, actual: &Type) -> Unified {
        let (a, b) = (self.head(expected), self.head(actual));
        match (&a, &b) {
            (Type::Unique(a), _) => self.unify(a, &b),
            (_, Type::Unique(b)) => self.unify(&a, b),
            (Type::Meta(x), Type::Meta(y)) if x == y => Ok(()),
            // The younger unknown is solved by the older one.
            (Type::Meta(x), Type::Meta(y)) if x > y => self.solve(*x, &b),
            (Type::Meta(_), Type::Meta(y)) => self.solve(*y, &a),
            (Type::Meta(x), _) => self.solve(*x, &b),
            (_, Type::Meta(y)) => self.solve(*y, &a),
            (Type::Prim(x), Type::Prim(y)) if x == y => Ok(()),
            (Type::Param(x), Type::Param(y)) if x == y => Ok(()),
            (Type::Named(x, xs), Type::Named(y, ys)) if x == y && xs.len() == ys.len() => {
                xs.iter().zip(ys).try_for_each(|pair| match pair {
                    (TypeArg::Size(n), TypeArg::Size(m)) => self.unify_sizes(n, m),
                    (TypeArg::Type(x), TypeArg::Type(y)) => self.unify(x, y),
                    _ => Err(Mismatch::Types(a.clone(), b.clone())),
                })
            }
            (Type::Array(n, x), Type::Array(m, y)) => {
                // Elements first: a wrong element type is the worse mistake.
                self.unify(x, y)?;
                self.unify_sizes(n, m)
            }
            (Type::Record(xs), Type::Record(ys)) => {
                if xs.len() != ys.len() || xs.iter().zip(ys.iter()).any(|(x, y)| x.0 != y.0) {
                    return Err(Mismatch::Types(a.clone(), b.clone()));
                }
                xs.iter().zip(ys.iter()).try_for_each(|((_, x), (_, y))| self.unify(x, y))
            }
            (Type::Sum(xs), Type::Sum(ys)) => {
                if !same_constructors(xs, ys) {
                    return Err(Mismatch::Types(a.clone(), b.clone()));
                }
                payloads(xs).zip(payloads(ys)).try_for_each(|(x, y)| self.unify(x, y))
            }
            (Type::Arrow(x), Type::Arrow(y)) => self.unify_arrows(x, y),
            _ => Err(Mismatch::Types(a.clone(), b.clone())),
        }
    }

    fn unify_arrows(&mut self, expected: &Arrow, actual: &Arrow) -> Unified {
        self.unify(&actual.param, &expected.param)?;
        // Names of parameters and existentials of the results become variables of a level that no unknown can see.
        let (mut of_expected, mut of_actual) = (Subst::default(), Subst::default());
        let depth = self.level;
        self.level = u32::MAX;
        if expected.name.is_some() || actual.name.is_some() {
            let shared = Size::Var(self.fresh_var("n", None));
            expected.name.map(|var| of_expected.sizes.insert(var, shared.clone()));
            actual.name.map(|var| of_actual.sizes.insert(var, shared.clone()));
        }
        let result = self.head(&expected.result);
        let lifted = self.is_lifted(&result);
        let mut actual = actual.clone();
        if let (true, None, Some(name)) = (self.gives_lifted(&result), expected.name, actual.name) {
            // What the result's size is, is known once there is a result.
            self.level = depth;
            let mut exts = Vec::new();
            let result = self.resolve(&actual.result);
            actual.result = self.replace_sizes(&result, &BTreeSet::from([name]), &mut exts, self.current);
            self.pending_exts.append(&mut exts);
            self.level = u32::MAX;
        }
        let actual = &actual;
        let mut outcome = Ok(());
        if expected.exts.is_empty() && !actual.exts.is_empty() {
            if lifted {
                // The caller of the lifted function knows the size once it has the result.
                self.level = depth;
                for var in &actual.exts {
                    let fresh = self.fresh_var(var.text.as_str(), None);
                    self.pending_exts.push(fresh);
                    of_actual.sizes.insert(*var, Size::Var(fresh));
                }
            } else {
                outcome = Err(Mismatch::UnknownResult(Type::Arrow(Arc::new(actual.clone()))));
            }
        } else {
            for var in &actual.exts {
                let fresh = self.fresh_var(var.text.as_str(), None);
                of_actual.sizes.insert(*var, Size::Var(fresh));
            }
            for var in &expected.exts {
                let unknown = self.fresh_size();
                of_expected.sizes.insert(*var, unknown);
            }
        }
        self.level = depth;
        outcome?;
        let (x, y) = (subst_type(&expected.result, &of_expected), subst_type(&actual.result, &of_actual));
        match self.unify(&x, &y) {
            // A result whose size depends on the argument is not one type.
            Err(Mismatch::Escape(var)) if self.level_of(var) == u32::MAX => {
                Err(Mismatch::UnknownResult(Type::Arrow(Arc::new(actual.clone()))))
            }
            other => other,
        }
    }

    fn is_lifted(&self, t: &Type) -> bool {
        matches!(t, Type::Meta(meta) if self.metas[*meta as usize].constraint.lifted)
    }

    /// Whether a result, or what it gives when it is applied, is an unknown that may have sizes of its own.
    fn gives_lifted(&self, result: &Type) -> bool {
        match result {
            Type::Arrow(arrow) => self.gives_lifted(&self.head(&arrow.result)),
            other => self.is_lifted(other),
        }
    }

    /// Solves an unknown type.
    fn solve(&mut self, meta: u32, t: &Type) -> Unified {
        let t = self.resolve(t).strip_unique();
        let level = self.metas[meta as usize].level;
        if self.occurs(&t, Ok(meta)) {
            return Err(Mismatch::Infinite);
        }
        let t = self.lower_levels(&t, level)?;
        let constraint = std::mem::take(&mut self.metas[meta as usize].constraint);
        self.metas[meta as usize].solution = Some(t.clone());
        let outcome = self.constrain(&t, &constraint);
        if outcome.is_err() {
            // The constraint stays with the unknown, so that its type can still be printed and others compared with it.
            self.metas[meta as usize].solution = None;
            self.metas[meta as usize].constraint = constraint;
        }
        outcome
    }

    /// Requires more of a type.
    pub(crate) fn constrain(&mut self, t: &Type, constraint: &Constraint) -> Unified {
        let t = self.head(t);
        if let Type::Meta(other) = t {
            let mut merged = self.metas[other as usize].constraint.clone();
            merged.prims = match (merged.prims, constraint.prims) {
                (Some(a), Some(b)) if a.both(b).is_empty() => return Err(Mismatch::NotOneOf(t, b)),
                (Some(a), Some(b)) => Some(a.both(b)),
                (a, b) => a.or(b),
            };
            merged.equality |= constraint.equality;
            merged.first_order |= constraint.first_order;
            merged.unlifted |= constraint.unlifted;
            merged.lifted &= constraint.lifted;
            merged.failed |= constraint.failed;
            let mut shared = Vec::new();
            for (field, ty) in &constraint.fields {
                match merged.fields.iter().find(|(name, _)| name == field) {
                    Some((_, known)) => shared.push((known.clone(), ty.clone())),
                    None => merged.fields.push((*field, ty.clone())),
                }
            }
            for (name, payload) in &constraint.constructors {
                match merged.constructors.iter().find(|(known, _)| known == name) {
                    Some((_, known)) if known.len() == payload.len() => {
                        shared.extend(known.iter().cloned().zip(payload.iter().cloned()));
                    }
                    Some((_, known)) => {
                        return Err(Mismatch::Payload(*name, known.len(), payload.len()));
                    }
                    None => merged.constructors.push((*name, payload.clone())),
                }
            }
            // A number is no record and no sum.
            let structured = !merged.fields.is_empty() || !merged.constructors.is_empty();
            let prims = merged.prims;
            self.metas[other as usize].constraint = merged;
            if let (Some(prims), true) = (prims, structured) {
                return Err(Mismatch::NotOneOf(t, prims));
            }
            return shared.iter().try_for_each(|(a, b)| self.unify(a, b));
        }
        if constraint.failed {
            return Ok(());
        }
        if let Some(prims) = constraint.prims {
            match t {
                Type::Prim(p) if prims.contains(p) => {}
                _ => return Err(Mismatch::NotOneOf(t, prims)),
            }
        }
        for (field, ty) in &constraint.fields {
            let found = match &t {
                Type::Record(fields) => fields.iter().find(|(name, _)| name == field),
                _ => None,
            };
            match found {
                Some((_, known)) => self.unify(ty, &known.clone())?,
                None => return Err(Mismatch::NoField(t, *field)),
            }
        }
        for (name, payload) in &constraint.constructors {
            let Some(known) = t.payload(*name) else { return Err(Mismatch::NoConstructor(t, *name)) };
            if known.len() != payload.len() {
                return Err(Mismatch::Payload(*name, known.len(), payload.len()));
            }
            for (known, ty) in known.to_vec().iter().zip(payload) {
                self.unify(known, ty)?;
            }
        }
        if constraint.equality || constraint.first_order {
            self.forbid_functions(&t, constraint.equality)?;
        }
        if constraint.unlifted {
            self.forbid_lifted(&t)?;
        }
        Ok(())
    }

    /// Fails on types whose values may differ in their sizes; unknowns inside get the constraint.
    pub(crate) fn forbid_lifted(&mut self, t: &Type) -> Unified {
        match self.head(t) {
            Type::Prim(_) | Type::Arrow(_) => Ok(()),
            Type::Param(var) if self.size_lifted.contains(&var) => Err(Mismatch::Lifted(Type::Param(var))),
            Type::Param(_) => Ok(()),
            Type::Array(_, elem) => self.forbid_lifted(&elem),
            Type::Record(fields) => fields.iter().try_for_each(|(_, t)| self.forbid_lifted(t)),
            Type::Sum(constructors) => payloads(&constructors).try_for_each(|t| self.forbid_lifted(t)),
            Type::Unique(inner) => self.forbid_lifted(&inner),
            Type::Named(name, args) if name.liftedness != Liftedness::Unlifted => {
                Err(Mismatch::Lifted(Type::Named(name, args)))
            }
            Type::Named(_, args) => args.iter().try_for_each(|arg| match arg {
                TypeArg::Size(_) => Ok(()),
                TypeArg::Type(t) => self.forbid_lifted(t),
            }),
            Type::Meta(meta) => {
                let constraint = &mut self.metas[meta as usize].constraint;
                constraint.unlifted = true;
                constraint.lifted = false;
                let inside = constraint.constructors.clone();
                payloads(&inside).try_for_each(|t| self.forbid_lifted(t))
            }
        }
    }

    /// Fails on function types inside; unknowns inside get the constraint.
    pub(crate) fn forbid_functions(&mut self, t: &Type, equality: bool) -> Unified {
        match self.head(t) {
            Type::Prim(_) => Ok(()),
            Type::Param(var) => {
                let functional = self.lifted_params.contains(&var);
                if functional || equality { Err(Mismatch::Function(Type::Param(var))) } else { Ok(()) }
            }
            Type::Array(_, elem) => self.forbid_functions(&elem, equality),
            Type::Record(fields) => fields.iter().try_for_each(|(_, t)| self.forbid_functions(t, equality)),
            Type::Sum(constructors) => {
                payloads(&constructors).try_for_each(|t| self.forbid_functions(t, equality))
            }
            Type::Unique(inner) => self.forbid_functions(&inner, equality),
            function @ Type::Arrow(_) => Err(Mismatch::Function(function)),
            Type::Named(name, args) => {
                if name.liftedness == Liftedness::Lifted {
                    return Err(Mismatch::Function(Type::Named(name, args)));
                }
                args.iter().try_for_each(|arg| match arg {
                    TypeArg::Size(_) => Ok(()),
                    TypeArg::Type(t) => self.forbid_functions(t, equality),
                })
            }
            Type::Meta(meta) => {
                let constraint = &mut self.metas[meta as usize].constraint;
                constraint.first_order = true;
                constraint.equality |= equality;
                constraint.lifted = false;
                let inside = constraint.constructors.clone();
                payloads(&inside).try_for_each(|t| self.forbid_functions(t, equality))
            }
        }
    }
}
