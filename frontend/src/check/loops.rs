//! Loops.
//!
//! The dimensions of the loop's parameter are unknown while the body is looked at. Afterwards each is either the same in
//! each iteration (then it is that of the initial value), or it varies: then it is one of the loop's `sizes`, and the
//! result's size is known only when the program runs. Where a body needs to know more, see [`super::attempt`].

use super::Infer;
use super::function::last_value;
use super::pattern::Binders;
use super::report::Why;
use super::scope::{Binding, Scope};
use super::unify::Mismatch;
use super::unknown::{Constraint, PrimSet, metas_of_size};
use crate::syntax::{self, PatternKind, QualName};
use crate::typed::{Exp, ExpKind, LoopForm, Pattern};
use crate::types::{Size, Subst, Type, TypeArg, payloads, subst_type};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_base::source::Span;
use std::collections::{BTreeMap, BTreeSet};

impl Infer<'_> {
    pub(crate) fn loop_exp(&mut self, scope: &Scope, l: &syntax::Loop, span: Span) -> Exp {
        let init = match &l.init {
            Some(init) => self.infer(scope, init),
            None => {
                let names = names_as_exp(&l.pattern);
                self.infer(scope, &names)
            }
        };
        let bound = match &l.form {
            syntax::LoopForm::For(_, bound) | syntax::LoopForm::ForIn(_, bound) => {
                Some(self.infer(scope, bound))
            }
            syntax::LoopForm::While(_) => None,
        };
        self.require_first_order(&init.ty, init.span);
        self.level += 1;
        let mut inner = scope.clone();
        // Declared sizes are unknown as well until the body has been seen.
        let mut declared = Vec::new();
        for name in &l.sizes {
            let origin = (name.span, format!("the size {} of the loop", name.name));
            let var = self.fresh_var(name.name.as_str(), Some(origin));
            inner.values.insert(name.name, Binding::Local(var, Type::Prim(PrimType::I64)));
            declared.push(var);
        }
        let init_type = self.resolve(&init.ty).strip_unique();
        // The dimensions are unknowns of the level outside: what they turn out to be must be known there.
        self.level -= 1;
        let first_dim = self.size_metas.len();
        let param = self.with_fresh_sizes(&init_type);
        self.size_metas[first_dim..].iter_mut().for_each(|meta| meta.of_loop = true);
        // What is declared to change is not taken to stay.
        let same = declared.is_empty().then(|| self.keep_sizes(&param, &init_type, span));
        self.level += 1;
        let pattern = if declared.is_empty() {
            self.pattern(&mut inner, &mut Binders::default(), &l.pattern, Some(&param))
        } else {
            // Against the declared sizes only the shape of the type is compared.
            let pattern = self.pattern(&mut inner, &mut Binders::default(), &l.pattern, None);
            let open = self.with_fresh_sizes(&pattern.ty);
            let shape = self.with_fresh_sizes(&init_type);
            self.expect(&open, &shape, Why::at(l.pattern.span));
            pattern
        };
        let param = pattern.ty.clone();
        let mut kept = Vec::new();
        without_star(&l.pattern, &pattern, false, &mut kept);
        self.level += 1;
        let form = self.loop_form(&inner, l, bound);
        let (inner, form) = form;
        let body = self.infer(&inner, &l.body);
        self.level -= 2;
        if !self.same_shapes(&pattern, &init, &body) {
            return self.failed(span);
        }
        if let Some(mut same) = same {
            self.find_changing(&mut same, &init.ty, &body.ty);
        }
        self.finish_loop((pattern, kept), &param, init, form, body, declared, span)
    }

    /// What drives the loop, and the scope of the body.
    fn loop_form(&mut self, scope: &Scope, l: &syntax::Loop, bound: Option<Exp>) -> (Scope, LoopForm) {
        let mut inner = scope.clone();
        let form = match (&l.form, bound) {
            (syntax::LoopForm::For(name, _), Some(bound)) => {
                let integer =
                    Constraint { prims: Some(PrimSet::of(PrimType::is_int)), ..Constraint::default() };
                if let Err(mismatch) = self.constrain(&bound.ty, &integer) {
                    self.report(&mismatch, &bound.ty, &bound.ty, Why::at(bound.span));
                }
                let origin = (name.span, format!("`{}` counts the iterations", name.name));
                let var = self.fresh_var(name.name.as_str(), Some(origin));
                inner.values.insert(name.name, Binding::Local(var, bound.ty.clone()));
                LoopForm::For(var, Box::new(bound))
            }
            (syntax::LoopForm::ForIn(pattern, _), Some(array)) => {
                let elem = self.fresh_meta(pattern.span);
                let size = self.fresh_size();
                let expected = Type::array(size, elem.clone());
                let why = Why::at(array.span).because(pattern.span, "`for … in` goes through an array");
                self.expect(&expected, &array.ty, why);
                let pattern = self.pattern(&mut inner, &mut Binders::default(), pattern, Some(&elem));
                LoopForm::ForIn(pattern, Box::new(array))
            }
            (syntax::LoopForm::While(condition), _) => {
                let condition = self.infer(&inner, condition);
                let why =
                    Why::at(condition.span).because(condition.span, "the condition of `while` is a bool");
                self.expect(&Type::Prim(PrimType::Bool), &condition.ty, why);
                LoopForm::While(Box::new(condition))
            }
            // `loop_exp` gives the bound of the other forms.
            (syntax::LoopForm::For(_, exp) | syntax::LoopForm::ForIn(_, exp), None) => {
                LoopForm::While(Box::new(self.failed(exp.span)))
            }
        };
        (inner, form)
    }

    /// Makes the types equal but for sizes; gives whether they can be.
    fn same_shapes(&mut self, pattern: &Pattern, init: &Exp, body: &Exp) -> bool {
        let expected = self.with_fresh_sizes(&pattern.ty);
        [body, init].into_iter().all(|exp| {
            let shape = self.with_fresh_sizes(&exp.ty);
            let why = Why::at(exp.span).because(pattern.span, "because the loop's parameter has the type {}");
            self.expect(&expected, &shape, why)
        })
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a loop")]
    fn finish_loop(
        &mut self,
        (pattern, kept): (Pattern, Vec<Var>),
        param: &Type,
        init: Exp,
        form: LoopForm,
        body: Exp,
        declared: Vec<Var>,
        span: Span,
    ) -> Exp {
        let (mut params, mut inits, mut nexts) = (Vec::new(), Vec::new(), Vec::new());
        self.dims(param, &mut params);
        self.dims(&init.ty, &mut inits);
        self.dims(&body.ty, &mut nexts);
        // Names of dimensions that are not decided: unknowns, and declared sizes.
        let mut first: BTreeMap<u32, Size> = BTreeMap::new();
        let mut varying: BTreeSet<u32> = BTreeSet::new();
        let mut first_of_declared: BTreeMap<Var, Size> = BTreeMap::new();
        for (dim, init_dim) in params.iter().zip(&inits) {
            match self.resolve_size(dim) {
                Size::Meta(meta) => {
                    let init_dim = self.resolve_size(init_dim);
                    if metas_of_size(&init_dim).contains(&meta) {
                        // Of an element type that only the body has decided.
                        continue;
                    }
                    match first.get(&meta) {
                        Some(other) => self.same_size(&init, &other.clone(), &init_dim),
                        None => {
                            first.insert(meta, init_dim);
                        }
                    }
                }
                Size::Var(var) if declared.contains(&var) => {
                    let init_dim = self.resolve_size(init_dim);
                    match first_of_declared.get(&var) {
                        Some(other) => self.same_size(&init, &other.clone(), &init_dim),
                        None => {
                            first_of_declared.insert(var, init_dim);
                        }
                    }
                }
                known => {
                    // The body has decided it.
                    self.current = init.span;
                    if let Err(mismatch) = self.unify_sizes(&known, init_dim) {
                        let why = Why::at(init.span).because(body.span, "the body needs {}");
                        self.report(&mismatch, param, &init.ty, why);
                    }
                }
            }
        }
        // The largest set of dimensions that stay the same if all of the set do.
        loop {
            let mut s = BTreeMap::new();
            for (meta, size) in first.iter().filter(|(meta, _)| !varying.contains(meta)) {
                s.insert(*meta, size.clone());
            }
            let mut changed = false;
            for (dim, next) in params.iter().zip(&nexts) {
                let Size::Meta(meta) = self.resolve_size(dim) else { continue };
                if varying.contains(&meta) {
                    continue;
                }
                let next = put_metas(&self.resolve_size(next), &s);
                let same = first.get(&meta).is_some_and(|size| self.sizes_equal(size, &next));
                if !same && !self.stays_by_choice(&next, first.get(&meta)) {
                    varying.insert(meta);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        // Dimensions that vary together must stay equal.
        let mut next_of: BTreeMap<u32, Size> = BTreeMap::new();
        for (dim, next) in params.iter().zip(&nexts) {
            let Size::Meta(meta) = self.resolve_size(dim) else { continue };
            match next_of.get(&meta).cloned() {
                Some(other) if varying.contains(&meta) && !self.sizes_equal(&other, next) => {
                    let mismatch = Mismatch::Sizes(self.resolve_size(&other), self.resolve_size(next));
                    let why =
                        Why::at(last_value(&body)).because(pattern.span, "these dimensions must stay equal");
                    self.report(&mismatch, param, &body.ty, why);
                }
                Some(_) => {}
                None => {
                    next_of.insert(meta, next.clone());
                }
            }
        }
        let mut sizes = declared;
        for (meta, size) in &first {
            let solution = if varying.contains(meta) {
                let origin = (span, "this size may change from iteration to iteration".to_owned());
                self.level += 1;
                let var = self.fresh_var("m", Some(origin));
                self.level -= 1;
                sizes.push(var);
                Size::Var(var)
            } else {
                size.clone()
            };
            self.size_metas[*meta as usize].solution = Some(solution);
        }
        // What the body decided must hold after it too.
        for (dim, next) in params.iter().zip(&nexts) {
            let dim = self.resolve_size(dim);
            let varies = matches!(&dim, Size::Var(var) if sizes.contains(var));
            self.current = body.span;
            if !varies && let Err(mismatch) = self.unify_sizes(&dim, next) {
                let why = Why::at(body.span).because(pattern.span, "the loop's parameter has the type {}");
                self.report(&mismatch, param, &body.ty, why);
            }
        }
        let mut exts = Vec::new();
        let mut s = Subst::default();
        for var in &sizes {
            let origin = (span, "the size of the loop's result".to_owned());
            let ext = self.fresh_var(var.text.as_str(), Some(origin));
            exts.push(ext);
            s.sizes.insert(*var, Size::Var(ext));
        }
        let ty = subst_type(&self.resolve(param), &s).strip_unique();
        let (init, body) = (Box::new(init), Box::new(body));
        Exp { kind: ExpKind::Loop { sizes, pattern, kept, init, form, body, exts }, ty, span }
    }

    /// The body takes two dimensions to be equal: they must be so at first.
    fn same_size(&mut self, init: &Exp, a: &Size, b: &Size) {
        self.current = init.span;
        if let Err(mismatch) = self.unify_sizes(a, b) {
            let ty = init.ty.clone();
            self.report(&mismatch, &ty, &ty, Why::at(init.span));
        }
    }

    /// Whether the next size is an unknown that can be the first one.
    pub(crate) fn stays_by_choice(&mut self, next: &Size, first: Option<&Size>) -> bool {
        match (next, first) {
            (Size::Meta(meta), Some(first)) if !self.size_metas[*meta as usize].of_loop => {
                self.unify_sizes(&Size::Meta(*meta), first).is_ok()
            }
            _ => false,
        }
    }

    /// The sizes of the arrays in a type, from left to right.
    pub(crate) fn dims(&self, t: &Type, out: &mut Vec<Size>) {
        match self.head(t) {
            Type::Array(size, elem) => {
                out.push(size);
                self.dims(&elem, out);
            }
            Type::Record(fields) => fields.iter().for_each(|(_, t)| self.dims(t, out)),
            Type::Sum(constructors) => payloads(&constructors).for_each(|t| self.dims(t, out)),
            Type::Unique(inner) => self.dims(&inner, out),
            Type::Named(_, args) => args.iter().for_each(|arg| match arg {
                TypeArg::Size(size) => out.push(size.clone()),
                TypeArg::Type(t) => self.dims(t, out),
            }),
            Type::Prim(_) | Type::Param(_) | Type::Arrow(_) | Type::Meta(_) => {}
        }
    }
}

/// The variables of a pattern whose type is written without `*`: the body must not consume them.
fn without_star(written: &syntax::Pattern, pattern: &Pattern, typed: bool, out: &mut Vec<Var>) {
    use crate::typed::PatternKind as Typed;
    match (&written.kind, &pattern.kind) {
        (PatternKind::Ascription(inner, _), _) => without_star(inner, pattern, true, out),
        (PatternKind::Attribute(_, inner), _) => without_star(inner, pattern, typed, out),
        (_, Typed::Var(var)) if typed && !matches!(pattern.ty, Type::Unique(_)) => out.push(*var),
        (PatternKind::Tuple(parts), Typed::Record(fields)) => {
            parts.iter().zip(fields).for_each(|(part, (_, field))| without_star(part, field, typed, out));
        }
        (PatternKind::Record(parts), Typed::Record(fields)) => {
            for (name, part) in parts {
                let field = fields.iter().find(|(field, _)| *field == name.name);
                match (part, field) {
                    (Some(part), Some((_, field))) => without_star(part, field, typed, out),
                    (None, Some((_, Pattern { kind: Typed::Var(var), ty, .. })))
                        if typed && !matches!(ty, Type::Unique(_)) =>
                    {
                        out.push(*var);
                    }
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// The (resolved) type with these unknown sizes replaced.
pub(crate) fn put_metas_in_type(t: &Type, s: &BTreeMap<u32, Size>) -> Type {
    match t {
        Type::Array(size, elem) => Type::array(put_metas(size, s), put_metas_in_type(elem, s)),
        Type::Record(fields) => {
            Type::Record(fields.iter().map(|(f, t)| (*f, put_metas_in_type(t, s))).collect())
        }
        Type::Unique(inner) => Type::Unique(Box::new(put_metas_in_type(inner, s))),
        other => other.clone(),
    }
}

/// The size with these unknowns replaced.
fn put_metas(size: &Size, s: &BTreeMap<u32, Size>) -> Size {
    if metas_of_size(size).iter().all(|meta| !s.contains_key(meta)) {
        return size.clone();
    }
    let pair = |a: &Size, b: &Size| (Box::new(put_metas(a, s)), Box::new(put_metas(b, s)));
    match size {
        Size::Const(_) | Size::Var(_) | Size::Opaque(..) => size.clone(),
        Size::Meta(meta) => s.get(meta).cloned().unwrap_or_else(|| size.clone()),
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

/// The expression of the names that a pattern binds: the initial value of a loop that gives none.
fn names_as_exp(pattern: &syntax::Pattern) -> syntax::Exp {
    let span = pattern.span;
    let kind = match &pattern.kind {
        PatternKind::Name(name) => {
            syntax::ExpKind::Name(QualName { qualifiers: Vec::new(), name: *name, span })
        }
        PatternKind::Tuple(parts) => syntax::ExpKind::Tuple(parts.iter().map(names_as_exp).collect()),
        PatternKind::Record(fields) => syntax::ExpKind::Record(
            fields.iter().map(|(name, part)| (*name, part.as_ref().map(names_as_exp))).collect(),
        ),
        PatternKind::Ascription(inner, _) | PatternKind::Attribute(_, inner) => return names_as_exp(inner),
        PatternKind::Literal(literal) => syntax::ExpKind::Literal(literal.clone()),
        PatternKind::Wildcard | PatternKind::Constructor(..) => {
            syntax::ExpKind::Name(QualName { qualifiers: Vec::new(), name: "_".into(), span })
        }
    };
    syntax::Exp { kind, span }
}
