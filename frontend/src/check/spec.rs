//! Values that a module type asks for: the type it gives them, and whether the module's value has it.

use super::Infer;
use super::ascribe::How;
use super::elaborate::Elaborator;
use super::modules::{Module, View};
use super::scope::{Binding, Scope};
use super::type_exp::Open;
use crate::syntax::{Liftedness, SizeExp, TypeArg, TypeExp, TypeExpKind, TypeParam, ValueSpec};
use crate::types::{Arrow, Scheme, Subst, Type, free_sizes, subst_type, types_to_strings};
use crate::uniqueness::stands_for;
use fun_base::diag::Diagnostic;
use fun_base::name::{Symbol, Var};
use fun_base::source::Span;
use std::sync::Arc;

impl Elaborator<'_> {
    /// The value of a module as its module type shows it; without a module, one of which nothing else is known.
    pub(super) fn value_spec(
        &mut self,
        inner: &Scope,
        spec: &ValueSpec,
        module: Option<&Scope>,
        how: &How,
    ) -> Binding {
        let name = spec.name.name;
        let Some((scheme, open)) = self.infer(|infer| infer.spec_scheme(inner, spec)) else {
            return Binding::Failed;
        };
        let Some(module) = module else {
            let var = self.global.names.fresh(super::variable_text(name.as_str()).as_str());
            let plain = scheme.sizes.is_empty() && scheme.types.is_empty();
            return match plain {
                true => Binding::Local(var, scheme.ty),
                false => Binding::LocalDef(var, Arc::new(scheme)),
            };
        };
        match module.values.get(&name) {
            Some(Binding::Failed | Binding::Module(Module::Failed)) => Binding::Failed,
            Some(Binding::Module(_)) => {
                let message = format!("`{name}` is a module, but the module type asks for a value");
                let d = Diagnostic::error("E0230", message).at(how.span);
                self.errors.push(d.label(spec.name.span, "asked for here"));
                Binding::Failed
            }
            Some(_) => {
                let wanted = how.reveal(&scheme.ty);
                let view = self.infer(|infer| {
                    Some(infer.view(module, name, spec.name.span, how.span, scheme, &wanted, &open))
                });
                view.map_or(Binding::Failed, |view| Binding::View(Arc::new(view)))
            }
            None => {
                if !module.incomplete {
                    self.missing("value", name, spec.name.span, how.span);
                }
                Binding::Failed
            }
        }
    }
}

impl Infer<'_> {
    /// The type of a spec, and the sizes of a constant's that it leaves open.
    fn spec_scheme(&mut self, scope: &Scope, spec: &ValueSpec) -> Option<(Scheme, Vec<Var>)> {
        let mut scope = scope.clone();
        self.level = 1;
        let (mut sizes, types) = self.type_params(&mut scope, &spec.type_params);
        let mut open = Vec::new();
        let ty = self.type_exp(&scope, &spec.ty, Open::Exists(&mut open));
        self.level = 0;
        let ty = self.resolve(&ty);
        if let Some(span) = anonymous(&spec.ty, false) {
            let message = "the sizes of parameters must have names in a module type";
            let d = Diagnostic::error("E0303", message).at(span);
            self.errors.push(d.help("declare a size parameter: `val f [n] : [n]t -> …`"));
        }
        let used = free_sizes(&ty);
        for (var, param) in sizes.iter().zip(spec.type_params.iter().filter_map(size_param)) {
            if !used.contains(var) && !self.tainted && self.errors.is_empty() {
                let message = format!("the size parameter {} is not used by the type", param.name);
                self.errors.push(Diagnostic::error("E0305", message).at(param.span));
            }
        }
        // Sizes that the definition of a type leaves open: any.
        self.generalise_sizes(&ty, 0, &mut sizes);
        let ty = self.zonk_abstract(&ty);
        let (types, liftedness) = types.into_iter().unzip();
        Some((Scheme { sizes, types, liftedness, ty }, open))
    }

    /// The value of this name in a module, as something of a scheme's type. `wanted` is that type with the types that the
    /// module type hides replaced.
    #[expect(clippy::too_many_arguments, reason = "two places, and a type in two forms")]
    fn view(
        &mut self,
        module: &Scope,
        name: Symbol,
        spec: Span,
        span: Span,
        mut scheme: Scheme,
        wanted: &Type,
        open: &[Var],
    ) -> View {
        for (var, liftedness) in scheme.types.iter().zip(&scheme.liftedness) {
            if *liftedness == Liftedness::Lifted {
                self.lifted_params.insert(*var);
            }
            if *liftedness == Liftedness::SizeLifted {
                self.size_lifted.insert(*var);
            }
        }
        let mut exp = self.unqualified(module, name, span);
        // A constant's sizes are what they are.
        let mut s = Subst::default();
        for var in open {
            let size = self.fresh_size();
            s.sizes.insert(*var, size);
        }
        let wanted = subst_type(wanted, &s);
        let actual = exp.ty.clone();
        let same = self.unify(&wanted, &actual).is_ok() && self.retry_deferred().is_ok();
        let (shown_wanted, shown_actual) = (self.resolve(&wanted), self.resolve(&actual));
        if !same || !consumes_no_more(&shown_wanted, &shown_actual) {
            let texts = types_to_strings(&[&shown_wanted, &shown_actual]);
            let message = format!(
                "the value `{name}` of the module has the type {}, but its module type asks for {}",
                texts[1], texts[0]
            );
            let d = Diagnostic::error("E0231", message).at(span).label(spec, "asked for here");
            self.errors.push(d);
        }
        self.retry(true, span);
        self.zonk_exp(&mut exp);
        scheme.ty = self.zonk_abstract(&subst_type(&scheme.ty, &s));
        // What is fresh follows from the definition.
        scheme.ty = fewer_stars(&scheme.ty, &self.zonk_abstract(&actual), false);
        View { scheme, exp }
    }

    /// Whether two types are the same when the sizes `open` may be any; otherwise both as text.
    pub(super) fn same_type(&mut self, a: &Type, b: &Type, open: &[Var]) -> Result<(), (String, String)> {
        let mut s = Subst::default();
        for var in open {
            let size = self.fresh_size();
            s.sizes.insert(*var, size);
        }
        let (x, y) = (subst_type(a, &s), subst_type(b, &s));
        if self.unify(&x, &y).is_ok() && self.retry_deferred().is_ok() && self.deferred.is_empty() {
            return Ok(());
        }
        let texts = types_to_strings(&[a, b]);
        Err((texts[0].clone(), texts[1].clone()))
    }
}

fn size_param(param: &TypeParam) -> Option<&crate::syntax::Ident> {
    match param {
        TypeParam::Size(name) => Some(name),
        TypeParam::Type(..) => None,
    }
}

/// The first size without a name in a parameter.
fn anonymous(t: &TypeExp, param: bool) -> Option<Span> {
    match &t.kind {
        TypeExpKind::Array(SizeExp::Any(span), _) if param => Some(*span),
        TypeExpKind::Array(_, elem) => anonymous(elem, param),
        TypeExpKind::Apply(inner, arg) => anonymous(inner, param).or_else(|| match arg {
            TypeArg::Size(SizeExp::Any(span)) if param => Some(*span),
            TypeArg::Size(_) => None,
            TypeArg::Type(t) => anonymous(t, param),
        }),
        TypeExpKind::Tuple(parts) => parts.iter().find_map(|t| anonymous(t, param)),
        TypeExpKind::Record(fields) => fields.iter().find_map(|(_, t)| anonymous(t, param)),
        TypeExpKind::Sum(cases) => cases.iter().flat_map(|(_, ts)| ts).find_map(|t| anonymous(t, param)),
        TypeExpKind::Unique(inner) | TypeExpKind::Exists(_, inner) => anonymous(inner, param),
        TypeExpKind::Arrow(_, from, to) => anonymous(from, true).or_else(|| anonymous(to, false)),
        TypeExpKind::Name(_) => None,
    }
}

/// Whether the functions in a value consume only parameters that the wanted type marks, and take the functions that it allows.
fn consumes_no_more(wanted: &Type, actual: &Type) -> bool {
    match (wanted, actual) {
        (Type::Arrow(wanted), Type::Arrow(actual)) => {
            marked(&wanted.param, &actual.param)
                && stands_for(&wanted.param, &actual.param)
                && consumes_no_more(wanted.result.without_unique(), actual.result.without_unique())
        }
        (Type::Record(wanted), Type::Record(actual)) => wanted
            .iter()
            .zip(actual.iter())
            .all(|((_, wanted), (_, actual))| consumes_no_more(wanted, actual)),
        _ => true,
    }
}

/// Whether `wanted` has `*` wherever `actual` does.
fn marked(wanted: &Type, actual: &Type) -> bool {
    match (wanted, actual) {
        (Type::Unique(_), _) | (_, Type::Prim(_)) => true,
        (_, Type::Unique(inner)) => matches!(**inner, Type::Prim(_)),
        (Type::Record(wanted), Type::Record(actual)) => {
            wanted.iter().zip(actual.iter()).all(|((_, wanted), (_, actual))| marked(wanted, actual))
        }
        _ => true,
    }
}

/// The type without `*` at results where `actual` has none.
fn fewer_stars(t: &Type, actual: &Type, result: bool) -> Type {
    match (t, actual) {
        (Type::Arrow(t), Type::Arrow(actual)) => Type::Arrow(Arc::new(Arrow {
            result: fewer_stars(&t.result, &actual.result, true),
            ..(**t).clone()
        })),
        (Type::Unique(_), Type::Unique(_)) => t.clone(),
        (Type::Unique(inner), actual) if result => fewer_stars(inner, actual, result),
        (Type::Record(fields), Type::Record(actual)) if fields.len() == actual.len() => {
            let fields = fields.iter().zip(actual.iter());
            Type::Record(fields.map(|((f, t), (_, a))| (*f, fewer_stars(t, a, result))).collect())
        }
        _ => t.clone(),
    }
}
