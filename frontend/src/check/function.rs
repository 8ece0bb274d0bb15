//! Lambdas, local functions and `let`.

use super::Infer;
use super::pattern::Binders;
use super::report::Why;
use super::scope::{Binding, Scope};
use super::type_exp::Open;
use super::unknown::metas_of_size;
use crate::syntax::{self, Ident, LetFunction, Liftedness, TypeParam};
use crate::typed::{Exp, ExpKind, Pattern, PatternKind};
use crate::types::{Arrow, Scheme, Size, Subst, Type, TypeArg, free_sizes, payloads, subst_type};
use fun_base::diag::Diagnostic;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_base::source::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Definitions of variables larger than this are not put in for them.
const LARGEST_DEFINITION: u32 = 100;

/// The parameters of a function and what follows from them.
pub(crate) struct Signature {
    pub(crate) params: Vec<Pattern>,
    /// With the parameters' names.
    pub(crate) scope: Scope,
    /// The declared result, with its existentials.
    pub(crate) result: Option<(Type, Vec<Var>, Span)>,
}

impl Infer<'_> {
    /// Parameters and declared result. Types that are expected come in the order of the parameters.
    pub(crate) fn signature(
        &mut self,
        scope: &Scope,
        params: &[syntax::Pattern],
        result: Option<&syntax::TypeExp>,
        expected: Option<&Type>,
        type_params: &[TypeParam],
    ) -> Signature {
        let mut scope = scope.clone();
        let mut binders = Binders::default();
        for param in type_params {
            if let TypeParam::Size(name) = param {
                binders.add(name);
            }
        }
        let mut rest = expected.map(|t| self.head(t));
        let mut typed = Vec::new();
        for param in params {
            let hint = match rest.take() {
                Some(Type::Arrow(arrow)) => Some(Arc::unwrap_or_clone(arrow)),
                _ => None,
            };
            let pattern =
                self.pattern(&mut scope, &mut binders, param, hint.as_ref().map(|arrow| &arrow.param));
            if let Some(arrow) = hint {
                let mut s = Subst::default();
                if let (Some(name), Some(var)) = (arrow.name, variable(&pattern)) {
                    s.sizes.insert(name, Size::Var(var));
                }
                rest = Some(self.head(&subst_type(&self.resolve(&arrow.result), &s)));
            }
            typed.push(pattern);
        }
        let result = result.map(|t| {
            let mut exts = Vec::new();
            // Sizes that the type leaves open are those of the body.
            self.level += 1;
            let ty = self.type_exp(&scope, t, Open::Inferred(&mut exts));
            self.level -= 1;
            (ty, exts, t.span)
        });
        Signature { params: typed, scope, result }
    }

    /// `\params: result -> body`.
    pub(crate) fn lambda(
        &mut self,
        scope: &Scope,
        params: &[syntax::Pattern],
        result: Option<&syntax::TypeExp>,
        body: &syntax::Exp,
        expected: Option<&Type>,
        span: Span,
    ) -> Exp {
        self.level += 1;
        let signature = self.signature(scope, params, result, expected, &[]);
        self.level += 1;
        let body = self.infer(&signature.scope, body);
        self.level -= 2;
        self.finish_lambda(signature.params, body, signature.result, span)
    }

    /// A lambda from its typed parts; the level is that outside of it.
    pub(crate) fn finish_lambda(
        &mut self,
        params: Vec<Pattern>,
        body: Exp,
        declared: Option<(Type, Vec<Var>, Span)>,
        span: Span,
    ) -> Exp {
        let (result, exts) = self.close_result(&params, &body, declared, self.level, &BTreeSet::new());
        let ty = self.arrows(&params, exts.clone(), result);
        let _ = self.lower_type(&ty);
        Exp { kind: ExpKind::Lambda { params, body: Box::new(body), exts }, ty, span }
    }

    /// The type of the result as seen from outside: sizes that the body decides become existentials. `known` are variables
    /// that can be seen outside besides those of the level and the parameters' names.
    pub(crate) fn close_result(
        &mut self,
        params: &[Pattern],
        body: &Exp,
        declared: Option<(Type, Vec<Var>, Span)>,
        level: u32,
        known: &BTreeSet<Var>,
    ) -> (Type, Vec<Var>) {
        let written = declared.as_ref().map(|(ty, _, span)| (free_sizes(ty), *span));
        let (ty, mut exts) = match declared {
            Some((declared, exts, span)) => {
                // The existentials may be any sizes of the body.
                let mut s = Subst::default();
                self.level += 2;
                for ext in &exts {
                    let size = self.fresh_size();
                    s.sizes.insert(*ext, size);
                }
                self.level -= 2;
                let open = subst_type(&declared, &s);
                let why = Why::at(last_value(body)).because(span, "because the result has the type {}");
                self.expect(&open, &body.ty, why);
                (self.resolve(&declared), exts)
            }
            None => (self.resolve_collected(&body.ty), Vec::new()),
        };
        let mut visible: BTreeSet<Var> = params.iter().filter_map(variable).collect();
        visible.extend(exts.iter().copied());
        visible.extend(known.iter().copied());
        let hidden: BTreeSet<Var> =
            self.deeper_than(&ty, level).into_iter().filter(|var| !visible.contains(var)).collect();
        let ty = if hidden.is_empty() {
            ty
        } else {
            // Of the parameters only those that are names of their own can be told by a caller.
            let parts: BTreeSet<Var> = params.iter().flat_map(variables).collect();
            if let Some((written, span)) = written
                && let Some(var) = hidden.iter().find(|var| parts.contains(var) && written.contains(var))
            {
                let message = format!("the result's type mentions {}, which is known only inside", var.text);
                let d = Diagnostic::error("E0302", message).at(span);
                let origin = self.vars.get(var).and_then(|info| info.origin.clone());
                self.errors.push(match origin {
                    Some((span, text)) => d.label(span, text),
                    None => d,
                });
                return (ty, exts);
            }
            let ty = self.outer_names(&ty, &hidden);
            let hidden: BTreeSet<Var> = hidden.intersection(&free_sizes(&ty)).copied().collect();
            let first = exts.len();
            let ty = self.replace_sizes(&ty, &hidden, &mut exts, body.span);
            let mut whole = Vec::new();
            super::apply::whole_dimensions(&ty, &exts.iter().copied().collect(), &mut whole);
            if let Some(ext) = exts[first..].iter().find(|ext| !whole.contains(ext)) {
                let message =
                    format!("the result's type needs the size {}, which is known only inside", ext.text);
                let d = Diagnostic::error("E0302", message).at(body.span);
                let origin = self.vars.get(ext).and_then(|info| info.origin.clone());
                self.errors.push(match origin {
                    Some((span, text)) => d.label(span, text),
                    None => d,
                });
            }
            ty
        };
        (ty, exts)
    }

    /// Replaces variables that are other names for sizes known outside.
    fn outer_names(&self, t: &Type, hidden: &BTreeSet<Var>) -> Type {
        let mut s = Subst::default();
        for var in hidden {
            let info = self.vars.get(var);
            if let Some(size) = info.and_then(|info| info.alias.as_ref().or(info.definition.as_ref())) {
                s.sizes.insert(*var, self.resolve_size(size));
            }
        }
        // Definitions may mention other hidden variables: those become existentials.
        if s.is_empty() { t.clone() } else { self.resolve(&subst_type(t, &s)) }
    }

    /// The function type from parameters to a result.
    pub(crate) fn arrows(&mut self, params: &[Pattern], exts: Vec<Var>, result: Type) -> Type {
        let mut exts = Some(exts);
        params.iter().rev().fold(result, |result, param| {
            let name = variable(param).filter(|var| free_sizes(&self.resolve(&result)).contains(var));
            let exts = exts.take().unwrap_or_default();
            Type::Arrow(Arc::new(Arrow { name, param: param.ty.clone(), exts, result }))
        })
    }

    /// Moves the unknowns in a type to the current level.
    pub(crate) fn lower_type(&mut self, t: &Type) -> Result<(), super::unify::Mismatch> {
        let level = self.level;
        self.visit_metas(t, &mut |this, meta| match meta {
            Ok(meta) => {
                let meta = &mut this.metas[meta as usize];
                meta.level = meta.level.min(level);
            }
            Err(meta) => {
                let meta = &mut this.size_metas[meta as usize];
                meta.level = meta.level.min(level);
            }
        });
        Ok(())
    }

    /// Calls `f` for each unsolved unknown: `Ok` of a type, `Err` of a size.
    pub(crate) fn visit_metas(&mut self, t: &Type, f: &mut dyn FnMut(&mut Self, Result<u32, u32>)) {
        match self.resolve(t) {
            Type::Prim(_) | Type::Param(_) => {}
            Type::Meta(meta) => f(self, Ok(meta)),
            Type::Array(size, elem) => {
                metas_of_size(&size).into_iter().for_each(|meta| f(self, Err(meta)));
                self.visit_metas(&elem, f);
            }
            Type::Record(fields) => fields.iter().for_each(|(_, t)| self.visit_metas(t, f)),
            Type::Sum(constructors) => payloads(&constructors).for_each(|t| self.visit_metas(t, f)),
            Type::Unique(inner) => self.visit_metas(&inner, f),
            Type::Named(_, args) => args.iter().for_each(|arg| match arg {
                TypeArg::Size(size) => metas_of_size(size).into_iter().for_each(|meta| f(self, Err(meta))),
                TypeArg::Type(t) => self.visit_metas(t, f),
            }),
            Type::Arrow(arrow) => {
                self.visit_metas(&arrow.param, f);
                self.visit_metas(&arrow.result, f);
            }
        }
    }

    /// Declared size and type parameters, into scope.
    pub(crate) fn type_params(
        &mut self,
        scope: &mut Scope,
        params: &[TypeParam],
    ) -> (Vec<Var>, Vec<(Var, Liftedness)>) {
        let (mut sizes, mut types) = (Vec::new(), Vec::new());
        let mut names = Vec::new();
        for param in params {
            let (TypeParam::Size(name) | TypeParam::Type(name, _)) = param;
            let key = (name.name, matches!(param, TypeParam::Size(_)));
            if names.contains(&key) {
                self.bound_twice(name);
            }
            names.push(key);
            match param {
                TypeParam::Size(name) => {
                    let origin = (name.span, format!("the size {} is a parameter", name.name));
                    let var = self.fresh_var(name.name.as_str(), Some(origin));
                    scope.values.insert(name.name, Binding::Local(var, Type::Prim(PrimType::I64)));
                    sizes.push(var);
                }
                TypeParam::Type(name, lifted) => {
                    let var = self.fresh_var(name.name.as_str(), None);
                    if *lifted == Liftedness::Lifted {
                        self.lifted_params.insert(var);
                    }
                    if *lifted == Liftedness::SizeLifted {
                        self.size_lifted.insert(var);
                    }
                    scope.types.insert(name.name, super::scope::TypeBinding::Param(var));
                    types.push((var, *lifted));
                }
            }
        }
        (sizes, types)
    }

    fn bound_twice(&mut self, name: &Ident) {
        let message = format!("`{}` is bound twice", name.name);
        self.errors.push(Diagnostic::error("E0211", message).at(name.span));
    }

    /// `let f 'a [n] p: t = e in b`.
    pub(crate) fn let_function(&mut self, scope: &Scope, f: &LetFunction, span: Span) -> Exp {
        self.level += 1;
        let mut inner = scope.clone();
        let (mut sizes, types) = self.type_params(&mut inner, &f.type_params);
        let first_size = self.size_metas.len();
        let signature = self.signature(&inner, &f.params, f.result.as_ref(), None, &f.type_params);
        self.size_metas[first_size..].iter_mut().for_each(|meta| meta.of_parameter = true);
        self.level += 1;
        let earlier = std::mem::take(&mut self.deferred);
        let body = self.infer(&signature.scope, &f.function);
        self.level -= 2;
        // Equations must be solved before their sizes become parameters.
        if let Err(mismatch) = self.retry_deferred() {
            let (unit, span) = (Type::unit(), self.current);
            self.report(&mismatch, &unit, &unit, Why::at(span));
        }
        self.deferred.splice(0..0, earlier);
        let value_span = f.name.span.to(f.function.span);
        let known: BTreeSet<Var> = sizes.iter().copied().collect();
        let (result, exts) =
            self.close_result(&signature.params, &body, signature.result, self.level, &known);
        let ty = self.arrows(&signature.params, exts.clone(), result);
        // Sizes that the parameters leave open become parameters, those of a function that is given included.
        let outer = self.level;
        let mut rest = self.resolve(&ty);
        while let Type::Arrow(arrow) = rest {
            self.generalise_sizes(&arrow.param, outer, &mut sizes);
            rest = arrow.result.clone();
        }
        let _ = self.lower_type(&ty);
        let kind = ExpKind::Lambda { params: signature.params, body: Box::new(body), exts };
        let value = Exp { kind, ty: ty.clone(), span: value_span };
        let origin = (f.name.span, format!("`{}` is defined here", f.name.name));
        let var = self.fresh_var(f.name.name.as_str(), Some(origin));
        let mut scope = scope.clone();
        if sizes.is_empty() && types.is_empty() {
            scope.values.insert(f.name.name, Binding::Local(var, ty));
            let body = self.infer(&scope, &f.body);
            return Exp { span, ..self.let_var(var, value, body) };
        }
        let (types, liftedness) = types.into_iter().unzip();
        let scheme = Scheme { sizes, types, liftedness, ty: self.resolve(&ty) };
        scope.values.insert(f.name.name, Binding::LocalDef(var, Arc::new(scheme.clone())));
        let body = Box::new(self.infer(&scope, &f.body));
        let ty = body.ty.clone();
        Exp { kind: ExpKind::LetDef { var, scheme, value: Box::new(value), body }, ty, span }
    }

    /// Makes parameters of the unsolved sizes deeper than a level.
    pub(crate) fn generalise_sizes(&mut self, t: &Type, level: u32, sizes: &mut Vec<Var>) {
        let mut open = Vec::new();
        self.visit_metas(t, &mut |_, meta| {
            if let Err(size) = meta
                && !open.contains(&size)
            {
                open.push(size);
            }
        });
        for size in open {
            if self.size_metas[size as usize].level > level {
                let var = self.fresh_var("n", None);
                self.set_level(var, level + 1);
                sizes.push(var);
                self.size_metas[size as usize].solution = Some(Size::Var(var));
            }
        }
    }

    /// `let [n] pattern = value in body`.
    pub(crate) fn let_binding(
        &mut self,
        scope: &Scope,
        sizes: &[Ident],
        pattern: &syntax::Pattern,
        value: &syntax::Exp,
        body: &syntax::Exp,
        span: Span,
    ) -> Exp {
        let mut inner = scope.clone();
        let mut vars = Vec::new();
        let mut open = Subst::default();
        for (i, name) in sizes.iter().enumerate() {
            if sizes[..i].iter().any(|other| other.name == name.name) {
                self.bound_twice(name);
            }
            let origin = (name.span, format!("the size {} is bound here", name.name));
            let var = self.fresh_var(name.name.as_str(), Some(origin));
            inner.values.insert(name.name, Binding::Local(var, Type::Prim(PrimType::I64)));
            let size = self.fresh_size();
            open.sizes.insert(var, size);
            vars.push(var);
        }
        let mut value = match &pattern.kind {
            syntax::PatternKind::Ascription(..) => {
                // Lambdas learn the types of their parameters from the ascription, found again below.
                self.infer(scope, value)
            }
            _ => self.infer(scope, value),
        };
        value.ty = value.ty.strip_unique();
        let hint = if sizes.is_empty() { Some(value.ty.clone()) } else { None };
        let mut binders = Binders::default();
        sizes.iter().for_each(|name| binders.add(name));
        let pattern = self.pattern(&mut inner, &mut binders, pattern, hint.as_ref());
        if !sizes.is_empty() {
            let ty = subst_type(&self.resolve(&pattern.ty), &open);
            self.expect(&ty, &value.ty, Why::at(value.span).because(pattern.span, "because of this pattern"));
            for (var, size) in &open.sizes {
                let size = self.resolve_size(size);
                if !self.tainted && !has_dimension(&self.resolve(&pattern.ty), *var) {
                    let message = format!("the size {} isn't a dimension of this pattern", var.text);
                    self.errors.push(Diagnostic::error("E0305", message).at(pattern.span));
                }
                if let Some(info) = self.vars.get_mut(var) {
                    info.alias = Some(size);
                }
            }
        }
        let definition = match variable(&pattern) {
            Some(var) => self.exp_to_size(&value).map(|size| (var, self.resolve_size(&size))),
            None => None,
        };
        // A chain of definitions that all use the one before several times has no end in sight: sizes stay names then.
        let definition = definition.filter(|(_, size)| self.weight(size) <= LARGEST_DEFINITION);
        let weight = definition.as_ref().map_or(1, |(_, size)| self.weight(size));
        if let Some((var, size)) = &definition
            && let Some(info) = self.vars.get_mut(var)
        {
            info.definition = Some(size.clone());
            info.weight = weight;
        }
        let body = self.infer(&inner, body);
        let mut ty = self.resolve(&body.ty);
        // Outside, the name means nothing, but its definition does.
        let mut s = Subst::default();
        if let Some((var, size)) = definition {
            s.sizes.insert(var, size);
        }
        for (var, size) in open.sizes {
            s.sizes.insert(var, self.resolve_size(&size));
        }
        ty = subst_type(&ty, &s);
        let (value, body) = (Box::new(value), Box::new(body));
        Exp { kind: ExpKind::Let { sizes: vars, pattern, value, body }, ty, span }
    }

    /// How large a size is with all definitions put in.
    pub(crate) fn weight(&self, size: &Size) -> u32 {
        super::size::weight(size, &|var| self.vars.get(&var).map_or(1, |info| info.weight))
    }

    /// `let x = <an update of x> in body`.
    pub(crate) fn rebind(
        &mut self,
        scope: &Scope,
        name: &Ident,
        update: Exp,
        body: &syntax::Exp,
        span: Span,
    ) -> Exp {
        let var =
            self.fresh_var(name.name.as_str(), Some((name.span, format!("`{}` is bound here", name.name))));
        let mut scope = scope.clone();
        scope.values.insert(name.name, Binding::Local(var, update.ty.clone()));
        let body = self.infer(&scope, body);
        Exp { span, ..self.let_var(var, update, body) }
    }
}

/// The variable that a pattern consists of.
pub(crate) fn variable(pattern: &Pattern) -> Option<Var> {
    match &pattern.kind {
        PatternKind::Var(var) => Some(*var),
        PatternKind::Wildcard
        | PatternKind::Record(_)
        | PatternKind::Constructor(..)
        | PatternKind::Literal(_) => None,
    }
}

/// The place of the expression that gives a body's value.
pub(crate) fn last_value(exp: &Exp) -> Span {
    match &exp.kind {
        ExpKind::Let { body, .. } | ExpKind::LetDef { body, .. } => last_value(body),
        _ => exp.span,
    }
}

/// All variables that a pattern binds.
fn variables(pattern: &Pattern) -> Vec<Var> {
    match &pattern.kind {
        PatternKind::Var(var) => vec![*var],
        PatternKind::Wildcard | PatternKind::Literal(_) => Vec::new(),
        PatternKind::Constructor(_, parts) => parts.iter().flat_map(variables).collect(),
        PatternKind::Record(fields) => fields.iter().flat_map(|(_, part)| variables(part)).collect(),
    }
}

/// Whether values of the (resolved) type tell the size: it is a whole dimension, outside of functions and of what a module
/// hides.
fn has_dimension(t: &Type, var: Var) -> bool {
    match t {
        Type::Array(size, elem) => *size == Size::Var(var) || has_dimension(elem, var),
        Type::Record(fields) => fields.iter().any(|(_, t)| has_dimension(t, var)),
        Type::Sum(constructors) => {
            constructors.iter().any(|(_, payload)| payload.iter().any(|t| has_dimension(t, var)))
        }
        Type::Unique(inner) => has_dimension(inner, var),
        Type::Named(_, args) => {
            args.iter().any(|arg| matches!(arg, TypeArg::Size(size) if *size == Size::Var(var)))
        }
        Type::Prim(_) | Type::Param(_) | Type::Meta(_) | Type::Arrow(_) => false,
    }
}
