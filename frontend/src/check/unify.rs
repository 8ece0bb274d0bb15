//! Unification of types and sizes.
//!
//! Every unknown has a level, the nesting of functions, branches and loops in which it arose; so has every variable. An
//! unknown may not become something that mentions a variable of a deeper level: that size is not known where the unknown is.

use super::Infer;
use super::size::Poly;
use crate::typed::{DimIndex, Exp, ExpKind, Instance};
use crate::types::{Arrow, Size, Subst, Type, free_sizes, subst_size, subst_type};
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use fun_base::source::Span;
use std::collections::BTreeSet;

/// What an unknown type must be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constraint {
    /// One of these primitive types.
    pub(crate) prims: Option<PrimSet>,
    /// Comparable: without functions.
    pub(crate) equality: bool,
    /// Not a function: the instance of an unlifted type parameter.
    pub(crate) first_order: bool,
    /// A record with these fields.
    pub(crate) fields: Vec<(Symbol, Type)>,
    /// The instance of a lifted type parameter: may have sizes that only a run decides.
    pub(crate) lifted: bool,
    /// Stands for something that has been reported: no further errors about it.
    pub(crate) failed: bool,
}

/// A set of primitive types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PrimSet(u16);

impl PrimSet {
    pub(crate) fn of(accepts: impl Fn(PrimType) -> bool) -> PrimSet {
        let types = PrimType::NUMERIC_AND_BOOL.into_iter().enumerate();
        PrimSet(types.filter(|(_, t)| accepts(*t)).fold(0, |set, (i, _)| set | 1 << i))
    }
    pub(crate) fn contains(self, t: PrimType) -> bool {
        PrimType::NUMERIC_AND_BOOL.iter().position(|x| *x == t).is_some_and(|i| self.0 & (1 << i) != 0)
    }
    pub(crate) fn both(self, other: PrimSet) -> PrimSet {
        PrimSet(self.0 & other.0)
    }
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// What messages call the set.
    pub(crate) fn describe(self) -> &'static str {
        if self == PrimSet::of(PrimType::is_number) {
            "a number"
        } else if self == PrimSet::of(PrimType::is_int) {
            "an integer"
        } else if self == PrimSet::of(PrimType::is_float) {
            "a float"
        } else if self == PrimSet::of(|t| t.is_int() || t == PrimType::Bool) {
            "an integer or bool"
        } else if self == PrimSet::of(|_| true) {
            "a number or bool"
        } else {
            "a primitive type"
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct TypeMeta {
    pub(crate) solution: Option<Type>,
    pub(crate) constraint: Constraint,
    pub(crate) level: u32,
    /// Where it arose.
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct SizeMeta {
    pub(crate) solution: Option<Size>,
    pub(crate) level: u32,
    /// A dimension of a loop's parameter: whether it stays the same is decided after the body.
    pub(crate) of_loop: bool,
}

/// What is known of a variable that may occur in sizes.
#[derive(Clone, Debug)]
pub(crate) struct VarInfo {
    pub(crate) level: u32,
    /// Where it was bound, with a description for messages.
    pub(crate) origin: Option<(Span, String)>,
    /// Equal to this size everywhere.
    pub(crate) alias: Option<Size>,
    /// Stands for its alias inside of an expression until that is decided.
    pub(crate) stand_in: bool,
    /// What a `let` bound it to: replaces it where it is out of scope.
    pub(crate) definition: Option<Size>,
}

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
    /// No such field.
    NoField(Type, Symbol),
}

type Unified = Result<(), Mismatch>;

impl Infer<'_> {
    pub(crate) fn fresh_meta(&mut self, span: Span) -> Type {
        self.fresh_constrained(Constraint::default(), span)
    }

    pub(crate) fn fresh_constrained(&mut self, constraint: Constraint, span: Span) -> Type {
        self.metas.push(TypeMeta { solution: None, constraint, level: self.level, span });
        Type::Meta(self.metas.len() as u32 - 1)
    }

    /// A type for an expression that has been reported already.
    pub(crate) fn failed_type(&mut self, span: Span) -> Type {
        self.tainted = true;
        self.fresh_constrained(Constraint { failed: true, ..Constraint::default() }, span)
    }

    pub(crate) fn fresh_size(&mut self) -> Size {
        self.size_metas.push(SizeMeta { solution: None, level: self.level, of_loop: false });
        Size::Meta(self.size_metas.len() as u32 - 1)
    }

    /// A variable of the current level.
    pub(crate) fn fresh_var(&mut self, text: &str, origin: Option<(Span, String)>) -> Var {
        let var = self.global.names.fresh(super::variable_text(text).as_str());
        self.vars.insert(
            var,
            VarInfo { level: self.level, origin, alias: None, stand_in: false, definition: None },
        );
        var
    }

    pub(crate) fn level_of(&self, var: Var) -> u32 {
        self.vars.get(&var).map_or(0, |info| info.level)
    }

    /// The type with solved unknowns replaced at its head only.
    pub(crate) fn head(&self, t: &Type) -> Type {
        let mut t = t;
        while let Type::Meta(meta) = t {
            match &self.metas[*meta as usize].solution {
                Some(solution) => t = solution,
                None => break,
            }
        }
        t.clone()
    }

    /// The type with all solved unknowns replaced.
    pub(crate) fn resolve(&self, t: &Type) -> Type {
        match t {
            Type::Prim(_) | Type::Param(_) => t.clone(),
            Type::Meta(meta) => match &self.metas[*meta as usize].solution {
                Some(solution) => self.resolve(solution),
                None => t.clone(),
            },
            Type::Array(size, elem) => Type::array(self.resolve_size(size), self.resolve(elem)),
            Type::Record(fields) => Type::Record(fields.iter().map(|(f, t)| (*f, self.resolve(t))).collect()),
            Type::Unique(inner) => Type::Unique(Box::new(self.resolve(inner))),
            Type::Arrow(arrow) => Type::Arrow(Box::new(Arrow {
                name: arrow.name,
                param: self.resolve(&arrow.param),
                exts: arrow.exts.clone(),
                result: self.resolve(&arrow.result),
            })),
        }
    }

    /// The size with all solved unknowns replaced, normalised.
    pub(crate) fn resolve_size(&self, size: &Size) -> Size {
        super::size::normalise(&self.replace_size(size))
    }

    fn replace_size(&self, size: &Size) -> Size {
        let pair = |a: &Size, b: &Size| (Box::new(self.replace_size(a)), Box::new(self.replace_size(b)));
        match size {
            Size::Const(_) | Size::Var(_) => size.clone(),
            Size::Opaque(..) => self.settle(size),
            Size::Meta(meta) => match &self.size_metas[*meta as usize].solution {
                Some(solution) => self.replace_size(solution),
                None => size.clone(),
            },
            Size::Add(a, b) => {
                let (a, b) = pair(a, b);
                Size::Add(a, b)
            }
            Size::Sub(a, b) => {
                let (a, b) = pair(a, b);
                Size::Sub(a, b)
            }
            Size::Mul(a, b) => {
                let (a, b) = pair(a, b);
                Size::Mul(a, b)
            }
        }
    }

    /// An expression as a size, with the decided ones of the variables replaced that stand for sizes in it.
    fn settle(&self, size: &Size) -> Size {
        let mut free = BTreeSet::new();
        crate::types::free_in_size(size, &mut free);
        let mut s = Subst::default();
        for var in free {
            if let Some(VarInfo { stand_in: true, alias: Some(alias), .. }) = self.vars.get(&var) {
                let alias = self.resolve_size(alias);
                if let Size::Meta(meta) = alias {
                    // One variable stands for each unknown.
                    let same = |known: u32| self.resolve_size(&Size::Meta(known)) == Size::Meta(meta);
                    let first = self.stand_ins.iter().find(|(known, _)| same(**known));
                    if let Some((_, first)) = first.filter(|(_, first)| **first != var) {
                        s.sizes.insert(var, Size::Var(*first));
                    }
                } else if metas_of_size(&alias).is_empty() && !self.has_stand_in(&alias) {
                    s.sizes.insert(var, alias);
                }
            }
        }
        if s.is_empty() { size.clone() } else { subst_size(size, &s) }
    }

    /// Whether the value of an expression in the size is not decided.
    fn has_stand_in(&self, size: &Size) -> bool {
        let mut free = BTreeSet::new();
        crate::types::free_in_size(size, &mut free);
        free.iter().any(|var| self.vars.get(var).is_some_and(|info| info.stand_in))
    }

    /// A variable that stands for a size inside of expressions.
    pub(crate) fn stand_in(&mut self, size: Size) -> Var {
        let known = if let Size::Meta(meta) = self.resolve_size(&size) { Some(meta) } else { None };
        if let Some(var) = known.and_then(|meta| self.stand_ins.get(&meta)) {
            return *var;
        }
        let var = self.fresh_var("n", None);
        if let Some(meta) = known {
            self.stand_ins.insert(meta, var);
        }
        if let Some(info) = self.vars.get_mut(&var) {
            *info = VarInfo { level: 0, alias: Some(size), stand_in: true, ..info.clone() };
        }
        var
    }

    /// Solves unknowns in one expression by what stands there in the other.
    fn unify_expressions(&mut self, a: &Exp, b: &Exp) -> Unified {
        let open = |this: &Self, exp: &Exp| match &exp.kind {
            ExpKind::Var(var) => {
                this.vars.get(var).filter(|info| info.stand_in).and_then(|info| info.alias.clone())
            }
            _ => None,
        };
        match (open(self, a), open(self, b)) {
            (Some(a), Some(b)) => return self.unify_sizes(&a, &b),
            (Some(a), None) => return self.exp_to_size(b).map_or(Ok(()), |b| self.unify_sizes(&a, &b)),
            (None, Some(b)) => return self.exp_to_size(a).map_or(Ok(()), |a| self.unify_sizes(&a, &b)),
            (None, None) => {}
        }
        match (&a.kind, &b.kind) {
            (ExpKind::Apply { function: f, args: xs, .. }, ExpKind::Apply { function: g, args: ys, .. })
                if xs.len() == ys.len() =>
            {
                self.unify_expressions(f, g)?;
                xs.iter().zip(ys).try_for_each(|(x, y)| self.unify_expressions(x, y))
            }
            (ExpKind::Project(x, f), ExpKind::Project(y, g)) if f == g => self.unify_expressions(x, y),
            _ => Ok(()),
        }
    }

    /// The size with variables replaced that are other names of sizes.
    pub(crate) fn expand_aliases(&self, size: &Size) -> Size {
        let mut free = BTreeSet::new();
        crate::types::free_in_size(size, &mut free);
        let mut s = Subst::default();
        for var in free {
            if let Some(alias) = self.vars.get(&var).and_then(|info| info.alias.as_ref()) {
                s.sizes.insert(var, self.expand_aliases(&self.resolve_size(alias)));
            }
        }
        if s.is_empty() { size.clone() } else { subst_size(size, &s) }
    }

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
            (Type::Array(n, x), Type::Array(m, y)) => {
                // Elements first: a wrong element type is the worse mistake.
                self.unify(x, y)?;
                self.unify_sizes(n, m)
            }
            (Type::Record(xs), Type::Record(ys)) => {
                if xs.len() != ys.len() || xs.iter().zip(ys).any(|(x, y)| x.0 != y.0) {
                    return Err(Mismatch::Types(a.clone(), b.clone()));
                }
                xs.iter().zip(ys).try_for_each(|((_, x), (_, y))| self.unify(x, y))
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
        let lifted = matches!(result, Type::Meta(m) if self.metas[m as usize].constraint.lifted);
        let mut actual = actual.clone();
        if let (true, Some(name)) = (lifted, actual.name) {
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
                outcome = Err(Mismatch::UnknownResult(Type::Arrow(Box::new(actual.clone()))));
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
                Err(Mismatch::UnknownResult(Type::Arrow(Box::new(actual.clone()))))
            }
            other => other,
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
            merged.lifted &= constraint.lifted;
            merged.failed |= constraint.failed;
            let mut shared = Vec::new();
            for (field, ty) in &constraint.fields {
                match merged.fields.iter().find(|(name, _)| name == field) {
                    Some((_, known)) => shared.push((known.clone(), ty.clone())),
                    None => merged.fields.push((*field, ty.clone())),
                }
            }
            self.metas[other as usize].constraint = merged;
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
        if constraint.equality || constraint.first_order {
            self.forbid_functions(&t, constraint.equality)?;
        }
        Ok(())
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
            Type::Unique(inner) => self.forbid_functions(&inner, equality),
            function @ Type::Arrow(_) => Err(Mismatch::Function(function)),
            Type::Meta(meta) => {
                let constraint = &mut self.metas[meta as usize].constraint;
                constraint.first_order = true;
                constraint.equality |= equality;
                constraint.lifted = false;
                Ok(())
            }
        }
    }

    /// The type (resolved) as it can be at `level`: unknowns inside move there, variables must be known there.
    fn lower_levels(&mut self, t: &Type, level: u32) -> Result<Type, Mismatch> {
        Ok(match t {
            Type::Prim(_) => t.clone(),
            Type::Param(var) if self.level_of(*var) > level => return Err(Mismatch::Escape(*var)),
            Type::Param(_) => t.clone(),
            Type::Meta(meta) => {
                let meta = &mut self.metas[*meta as usize];
                meta.level = meta.level.min(level);
                t.clone()
            }
            Type::Array(size, elem) => {
                Type::array(self.lower_size(size, level, &[])?, self.lower_levels(elem, level)?)
            }
            Type::Record(fields) => {
                let fields = fields.iter().map(|(f, t)| Ok((*f, self.lower_levels(t, level)?)));
                Type::Record(fields.collect::<Result<_, Mismatch>>()?)
            }
            Type::Unique(inner) => Type::Unique(Box::new(self.lower_levels(inner, level)?)),
            Type::Arrow(arrow) => {
                let param = self.lower_levels(&arrow.param, level)?;
                // The names that the arrow binds are fine inside it.
                let bound: Vec<Var> = arrow.exts.iter().copied().chain(arrow.name).collect();
                let saved: Vec<u32> = bound.iter().map(|var| self.level_of(*var)).collect();
                bound.iter().for_each(|var| self.set_level(*var, 0));
                let result = self.lower_levels(&arrow.result, level);
                bound.iter().zip(saved).for_each(|(var, old)| self.set_level(*var, old));
                let (name, exts) = (arrow.name, arrow.exts.clone());
                Type::Arrow(Box::new(Arrow { name, param, exts, result: result? }))
            }
        })
    }

    pub(crate) fn set_level(&mut self, var: Var, level: u32) {
        if let Some(info) = self.vars.get_mut(&var) {
            info.level = level;
        }
    }

    /// As [`Infer::lower_levels`] for a size.
    fn lower_size(&mut self, size: &Size, level: u32, seen: &[Var]) -> Result<Size, Mismatch> {
        let size = self.resolve_size(size);
        let mut free = BTreeSet::new();
        crate::types::free_in_size(&size, &mut free);
        let mut s = Subst::default();
        for var in free {
            if self.level_of(var) <= level {
                continue;
            }
            let info = self.vars.get(&var).cloned();
            match info.and_then(|info| info.alias.or(info.definition)) {
                Some(definition) if !seen.contains(&var) => {
                    let seen: Vec<Var> = seen.iter().copied().chain([var]).collect();
                    s.sizes.insert(var, self.lower_size(&definition, level, &seen)?);
                }
                _ => return Err(Mismatch::Escape(var)),
            }
        }
        for meta in metas_of_size(&size) {
            let meta = &mut self.size_metas[meta as usize];
            meta.level = meta.level.min(level);
        }
        Ok(if s.is_empty() { size } else { subst_size(&size, &s) })
    }

    /// Whether an unknown, `Ok` of a type or `Err` of a size, occurs in a type (of a size: only inside of expressions).
    fn occurs(&self, t: &Type, meta: Result<u32, u32>) -> bool {
        match t {
            Type::Prim(_) | Type::Param(_) => false,
            Type::Meta(other) => match &self.metas[*other as usize].solution {
                Some(solution) => self.occurs(solution, meta),
                None => meta == Ok(*other),
            },
            Type::Array(size, elem) => self.occurs_in_size(size, meta, false) || self.occurs(elem, meta),
            Type::Record(fields) => fields.iter().any(|(_, t)| self.occurs(t, meta)),
            Type::Unique(inner) => self.occurs(inner, meta),
            Type::Arrow(arrow) => self.occurs(&arrow.param, meta) || self.occurs(&arrow.result, meta),
        }
    }

    /// As [`Infer::occurs`] in a size; the unknown itself counts unless it is the whole size and `outside`.
    fn occurs_in_size(&self, size: &Size, meta: Result<u32, u32>, outside: bool) -> bool {
        match size {
            Size::Const(_) | Size::Var(_) => false,
            Size::Meta(other) => match &self.size_metas[*other as usize].solution {
                Some(solution) => self.occurs_in_size(solution, meta, outside),
                None => !outside && meta == Err(*other),
            },
            Size::Add(a, b) | Size::Sub(a, b) | Size::Mul(a, b) => {
                self.occurs_in_size(a, meta, false) || self.occurs_in_size(b, meta, false)
            }
            Size::Opaque(exp, _) => self.occurs_in_exp(exp, meta),
        }
    }

    fn occurs_in_exp(&self, exp: &Exp, meta: Result<u32, u32>) -> bool {
        let in_instance = |instance: &Instance| {
            instance.sizes.iter().any(|size| self.occurs_in_size(size, meta, false))
                || instance.types.iter().any(|t| self.occurs(t, meta))
        };
        let inside = match &exp.kind {
            ExpKind::Apply { function, args, .. } => {
                self.occurs_in_exp(function, meta) || args.iter().any(|arg| self.occurs_in_exp(arg, meta))
            }
            ExpKind::Project(inner, _) => self.occurs_in_exp(inner, meta),
            ExpKind::Index { array, indices, .. } => {
                let fixed = |index: &DimIndex| match index {
                    DimIndex::Fix(exp) => self.occurs_in_exp(exp, meta),
                    DimIndex::Slice { .. } => false,
                };
                self.occurs_in_exp(array, meta) || indices.iter().any(fixed)
            }
            ExpKind::Def(_, instance) | ExpKind::Intrinsic(_, instance) => in_instance(instance),
            // Sizes have no other forms.
            _ => false,
        };
        inside || self.occurs(&exp.ty, meta)
    }

    /// Makes the sizes equal.
    pub(crate) fn unify_sizes(&mut self, expected: &Size, actual: &Size) -> Unified {
        let (a, b) = (self.resolve_size(expected), self.resolve_size(actual));
        if a == b {
            return Ok(());
        }
        match (&a, &b) {
            (Size::Meta(x), Size::Meta(y)) => {
                // A loop's dimension stays unsolved as long as possible.
                let (solved, other) = if self.size_metas[*x as usize].of_loop { (*y, &a) } else { (*x, &b) };
                return self.solve_size(solved, other);
            }
            (Size::Meta(x), _) if !metas_of_size(&b).contains(x) => return self.solve_size(*x, &b),
            (_, Size::Meta(y)) if !metas_of_size(&a).contains(y) => return self.solve_size(*y, &a),
            // Of equal products with unknowns the factors are taken to be equal one by one.
            (Size::Mul(..), Size::Mul(..)) => self.unify_factors(&a, &b)?,
            (Size::Opaque(x, _), Size::Opaque(y, _)) if self.has_stand_in(&a) || self.has_stand_in(&b) => {
                self.unify_expressions(x, y)?;
            }
            _ => {}
        }
        let (a, b) = (self.resolve_size(&a), self.resolve_size(&b));
        let mut difference = Poly::of_size(&self.expand_aliases(&a));
        difference.add(&Poly::of_size(&self.expand_aliases(&b)), -1);
        if difference.is_zero() {
            return Ok(());
        }
        if let Some((meta, solution)) = difference.solve() {
            return self.solve_size(meta, &solution);
        }
        if difference.has_metas() || self.has_stand_in(&a) || self.has_stand_in(&b) {
            self.deferred.push((a, b, self.current));
            return Ok(());
        }
        Err(Mismatch::Sizes(a, b))
    }

    fn solve_size(&mut self, meta: u32, size: &Size) -> Unified {
        let level = self.size_metas[meta as usize].level;
        let size = self.lower_size(size, level, &[])?;
        if self.occurs_in_size(&size, Err(meta), true) {
            return Err(Mismatch::Sizes(Size::Meta(meta), size));
        }
        if size != Size::Meta(meta) {
            self.size_metas[meta as usize].solution = Some(size);
        }
        Ok(())
    }

    /// Tries the equations of sizes again that could not be solved when they arose.
    pub(crate) fn retry_deferred(&mut self) -> Unified {
        loop {
            let before = self.deferred.len();
            for (a, b, span) in std::mem::take(&mut self.deferred) {
                self.current = span;
                self.unify_sizes(&a, &b)?;
            }
            if self.deferred.is_empty() || self.deferred.len() >= before {
                return Ok(());
            }
        }
    }

    /// The last resort for an equation of sums: the terms are taken to be equal one by one.
    pub(crate) fn unify_terms(&mut self, a: &Size, b: &Size) -> Unified {
        let (x, y) = (self.resolve_size(a), self.resolve_size(b));
        if let (Size::Add(a1, a2), Size::Add(b1, b2)) = (&x, &y) {
            self.unify_terms(a1, b1)?;
            return self.unify_terms(a2, b2);
        }
        match (&x, &y) {
            (Size::Meta(_), _) | (_, Size::Meta(_)) => self.unify_sizes(&x, &y),
            _ => Ok(()),
        }
    }

    fn unify_factors(&mut self, a: &Size, b: &Size) -> Unified {
        match (a, b) {
            (Size::Mul(a1, a2), Size::Mul(b1, b2)) => {
                self.unify_factors(a1, b1)?;
                self.unify_factors(a2, b2)
            }
            (Size::Meta(_), _) | (_, Size::Meta(_)) => self.unify_sizes(a, b),
            _ => Ok(()),
        }
    }

    /// Whether two sizes are known to be equal, solving nothing.
    pub(crate) fn sizes_equal(&self, a: &Size, b: &Size) -> bool {
        let mut difference = Poly::of_size(&self.expand_aliases(&self.resolve_size(a)));
        difference.add(&Poly::of_size(&self.expand_aliases(&self.resolve_size(b))), -1);
        difference.is_zero()
    }

    /// The free variables of a type that are deeper than a level.
    pub(crate) fn deeper_than(&self, t: &Type, level: u32) -> BTreeSet<Var> {
        free_sizes(t).into_iter().filter(|var| self.level_of(*var) > level).collect()
    }
}

/// The unknowns in a size.
pub(crate) fn metas_of_size(size: &Size) -> Vec<u32> {
    match size {
        Size::Const(_) | Size::Var(_) | Size::Opaque(..) => Vec::new(),
        Size::Meta(meta) => vec![*meta],
        Size::Add(a, b) | Size::Sub(a, b) | Size::Mul(a, b) => {
            let mut metas = metas_of_size(a);
            metas.append(&mut metas_of_size(b));
            metas
        }
    }
}
