//! Type expressions.

use super::Infer;
use super::modules;
use super::report::Why;
use super::scope::{AbbreviationParam, Binding, Scope, TypeBinding};
use crate::syntax::{self, Liftedness, QualName, SizeExp, TypeArg, TypeExp, TypeExpKind};
use crate::types::{Arrow, Size, Subst, Type, payloads, subst_type};
use fun_base::diag::Diagnostic;
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use fun_base::source::Span;
use std::sync::Arc;

/// What sizes that a type leaves open (`[]`) become, and where existentials (`?[k].`) go.
pub(crate) enum Open<'a> {
    /// Unknowns, as existentials do.
    Unknown,
    /// Unknowns.
    Inferred(&'a mut Vec<Var>),
    /// Existentials.
    Exists(&'a mut Vec<Var>),
}

impl Open<'_> {
    pub(crate) fn again(&mut self) -> Open<'_> {
        match self {
            Open::Unknown => Open::Unknown,
            Open::Inferred(exts) => Open::Inferred(exts),
            Open::Exists(exts) => Open::Exists(exts),
        }
    }
}

impl Infer<'_> {
    /// The type meant.
    pub(crate) fn type_exp(&mut self, scope: &Scope, t: &TypeExp, mut exts: Open) -> Type {
        match &t.kind {
            TypeExpKind::Name(name) => self.named_type(scope, name, &[], exts, t.span),
            TypeExpKind::Apply(..) => {
                let (mut head, mut args) = (t, Vec::new());
                while let TypeExpKind::Apply(inner, arg) = &head.kind {
                    args.push(arg);
                    head = inner;
                }
                args.reverse();
                match &head.kind {
                    TypeExpKind::Name(name) => self.named_type(scope, name, &args, exts, t.span),
                    _ => {
                        self.errors
                            .push(Diagnostic::error("E0214", "this type takes no arguments").at(head.span));
                        self.failed_type(t.span)
                    }
                }
            }
            TypeExpKind::Array(size, elem) => {
                let size = self.size_exp(scope, size, exts.again());
                let elem_type = self.type_exp(scope, elem, exts);
                let before = self.errors.len();
                self.require_first_order(&elem_type, elem.span);
                if let Some(name) = head_name(elem)
                    && let Ok(Some(TypeBinding::Abbreviation(abbreviation))) = type_binding(scope, name)
                    && abbreviation.liftedness != Liftedness::Unlifted
                    && self.errors.len() == before
                {
                    let message = format!("`{}` is declared lifted, so it cannot be an element", name.name);
                    self.errors.push(Diagnostic::error("E0215", message).at(elem.span));
                }
                if self.errors.len() == before {
                    self.require_unlifted(&elem_type, elem.span);
                }
                Type::array(size, elem_type.strip_unique())
            }
            TypeExpKind::Tuple(parts) if parts.len() == 1 => self.type_exp(scope, &parts[0], exts),
            TypeExpKind::Tuple(parts) => {
                Type::tuple(parts.iter().map(|part| self.type_exp(scope, part, exts.again())).collect())
            }
            TypeExpKind::Record(fields) => {
                let mut typed: Vec<(Symbol, Type)> = Vec::new();
                for (name, part) in fields {
                    let part = self.type_exp(scope, part, exts.again());
                    if typed.iter().any(|(other, _)| *other == name.name) {
                        let message = format!("the field `{}` occurs twice", name.name);
                        self.errors.push(Diagnostic::error("E0211", message).at(name.span));
                    } else {
                        typed.push((name.name, part));
                    }
                }
                typed.sort_by(|a, b| super::record::field_order(&a.0, &b.0));
                Type::Record(typed.into())
            }
            TypeExpKind::Sum(constructors) => self.sum_type(scope, constructors, exts),
            TypeExpKind::Unique(inner) => match self.type_exp(scope, inner, exts) {
                unique @ Type::Unique(_) => unique,
                other => {
                    if is_scalar(&other) {
                        let message = "the `*` has no effect: nothing of this type can be consumed";
                        self.warnings.push(Diagnostic::warning("W0505", message).at(t.span));
                    }
                    Type::Unique(Box::new(other))
                }
            },
            TypeExpKind::Arrow(name, param, result) => {
                let param = self.type_exp(scope, param, Open::Unknown);
                let mut scope = scope.clone();
                let name = name.filter(|name| name.name.as_str() != "_").map(|name| {
                    self.named_twice(&name, result);
                    let var = self.fresh_var(name.name.as_str(), Some((name.span, "named here".to_owned())));
                    scope.values.insert(name.name, Binding::Local(var, param.strip_unique()));
                    var
                });
                let mut exts = Vec::new();
                let result = self.type_exp(&scope, result, Open::Exists(&mut exts));
                let name = name.filter(|var| crate::types::free_sizes(&result).contains(var));
                Type::Arrow(Arc::new(Arrow { name, param, exts, result }))
            }
            TypeExpKind::Exists(names, inner) => {
                let mut scope = scope.clone();
                let mut bound = Vec::new();
                for name in names {
                    let var =
                        self.fresh_var(name.name.as_str(), Some((name.span, "declared here".to_owned())));
                    scope.values.insert(name.name, Binding::Local(var, Type::Prim(PrimType::I64)));
                    bound.push(var);
                }
                match exts {
                    Open::Exists(exts) => {
                        exts.append(&mut bound);
                        self.type_exp(&scope, inner, Open::Exists(exts))
                    }
                    Open::Inferred(exts) => {
                        exts.append(&mut bound);
                        self.type_exp(&scope, inner, Open::Inferred(exts))
                    }
                    Open::Unknown => {
                        // Of a parameter, any size will do.
                        let ty = self.type_exp(&scope, inner, Open::Unknown);
                        let mut s = Subst::default();
                        for var in bound {
                            let size = self.fresh_size();
                            s.sizes.insert(var, size);
                        }
                        subst_type(&self.resolve(&ty), &s)
                    }
                }
            }
        }
    }

    fn size_exp(&mut self, scope: &Scope, size: &SizeExp, exts: Open) -> Size {
        match (size, exts) {
            (SizeExp::Any(_), Open::Unknown | Open::Inferred(_)) => self.fresh_size(),
            (SizeExp::Any(span), Open::Exists(exts)) => {
                let var = self.fresh_var("k", Some((*span, "this size is open".to_owned())));
                exts.push(var);
                Size::Var(var)
            }
            (SizeExp::Exp(exp), _) => {
                let typed = self.infer(scope, exp);
                if self.is_failed(&typed.ty) {
                    self.explain_unknown_size(exp);
                    return self.fresh_size();
                }
                let int = Type::Prim(PrimType::I64);
                if !self.expect(&int, &typed.ty, Why::at(exp.span).because(exp.span, "sizes are of type i64"))
                {
                    return self.fresh_size();
                }
                match self.exp_to_size(&typed) {
                    Some(size) => self.resolve_size(&size),
                    None => {
                        let d = Diagnostic::error("E0303", "this expression cannot be a size").at(exp.span);
                        self.errors.push(d.help("bind it with `let` and use the name"));
                        self.fresh_size()
                    }
                }
            }
        }
    }

    /// What the user may have meant by an unknown name in a size.
    fn explain_unknown_size(&mut self, exp: &syntax::Exp) {
        if let syntax::ExpKind::Name(name) = &exp.kind
            && let Some(d) = self.errors.last_mut()
            && d.code == "E0201"
            && d.span() == Some(exp.span)
            && d.help.is_none()
        {
            d.help = Some(format!("a size parameter is declared before the parameters: `[{}]`", name.name));
        }
    }

    fn named_type(
        &mut self,
        scope: &Scope,
        name: &QualName,
        args: &[&TypeArg],
        exts: Open,
        span: Span,
    ) -> Type {
        let binding = match type_binding(scope, name) {
            Ok(binding) => binding,
            Err(problem) => {
                self.errors.extend(problem);
                return self.failed_type(span);
            }
        };
        let wrong_count = |this: &mut Self, wanted: usize| {
            let message = format!("`{}` takes {wanted} arguments, {} are given", name.name, args.len());
            this.errors.push(Diagnostic::error("E0214", message).at(span));
            this.failed_type(span)
        };
        match binding {
            Some(TypeBinding::Prim(t)) if args.is_empty() => Type::Prim(t),
            Some(TypeBinding::Param(var)) if args.is_empty() => Type::Param(var),
            Some(TypeBinding::Prim(_) | TypeBinding::Param(_)) => wrong_count(self, 0),
            Some(TypeBinding::Failed) => self.failed_type(span),
            Some(TypeBinding::Abbreviation(abbreviation)) => {
                if abbreviation.params.len() != args.len() {
                    return wrong_count(self, abbreviation.params.len());
                }
                let mut exts = exts;
                let mut s = Subst::default();
                for (param, arg) in abbreviation.params.iter().zip(args) {
                    match (param, arg) {
                        (AbbreviationParam::Size(var), TypeArg::Size(size)) => {
                            s.sizes.insert(*var, self.size_exp(scope, size, exts.again()));
                        }
                        (AbbreviationParam::Type(var, _), TypeArg::Type(t)) => {
                            let t = self.type_exp(scope, t, exts.again());
                            s.types.insert(*var, t);
                        }
                        (AbbreviationParam::Size(_), TypeArg::Type(_))
                        | (AbbreviationParam::Type(..), TypeArg::Size(_)) => {
                            let wanted = match param {
                                AbbreviationParam::Size(_) => "a size in brackets",
                                AbbreviationParam::Type(..) => "a type",
                            };
                            let message = format!("this argument of `{}` must be {wanted}", name.name);
                            self.errors.push(Diagnostic::error("E0214", message).at(span));
                            return self.failed_type(span);
                        }
                    }
                }
                for var in &abbreviation.open {
                    let size = match exts.again() {
                        Open::Exists(exts) => {
                            let fresh = self
                                .fresh_var(var.text.as_str(), Some((span, "open in this type".to_owned())));
                            exts.push(fresh);
                            Size::Var(fresh)
                        }
                        Open::Unknown | Open::Inferred(_) => self.fresh_size(),
                    };
                    s.sizes.insert(*var, size);
                }
                subst_type(&abbreviation.ty, &s)
            }
            None => {
                let text = name.name.as_str();
                let d = Diagnostic::error("E0202", format!("unknown type `{text}`"))
                    .at_saying(span, "not defined here");
                let d = d.did_you_mean(text, scope.types.keys().map(|known| known.as_str()));
                self.errors.push(d);
                self.failed_type(span)
            }
        }
    }
}

/// Whether values of the type hold no array.
fn is_scalar(t: &Type) -> bool {
    match t {
        Type::Prim(_) => true,
        Type::Record(fields) => fields.iter().all(|(_, t)| is_scalar(t)),
        Type::Sum(constructors) => payloads(constructors).all(is_scalar),
        Type::Unique(inner) => is_scalar(inner),
        Type::Array(..) | Type::Arrow(_) | Type::Param(_) | Type::Named(..) | Type::Meta(_) => false,
    }
}

impl Infer<'_> {
    /// Reports a parameter of the name among those of a function type.
    fn named_twice(&mut self, name: &syntax::Ident, mut t: &TypeExp) {
        while let TypeExpKind::Arrow(other, _, result) = &t.kind {
            if let Some(other) = other
                && other.name == name.name
            {
                let message = format!("the parameter `{}` is bound twice", name.name);
                let d = Diagnostic::error("E0211", message).at(other.span);
                self.errors.push(d.label(name.span, "first bound here"));
            }
            t = result;
        }
    }
}

/// The name that a type begins with, when it is a name with its arguments.
fn head_name(t: &TypeExp) -> Option<&QualName> {
    match &t.kind {
        TypeExpKind::Name(name) => Some(name),
        TypeExpKind::Apply(inner, _) => head_name(inner),
        _ => None,
    }
}

/// What a name for types means. `None`: an unqualified name that is unknown. There is no error where one has been
/// reported.
pub(crate) fn type_binding(scope: &Scope, name: &QualName) -> Result<Option<TypeBinding>, Vec<Diagnostic>> {
    if modules::is_intrinsics(scope, &name.qualifiers) {
        let qualified = Symbol::new(&format!("{}.{}", super::builtin::INTRINSICS, name.name));
        return Ok(scope.types.get(&qualified).cloned());
    }
    let module = modules::scope_of(scope, &name.qualifiers, name.span)?;
    let here = module.as_deref().unwrap_or(scope);
    match here.types.get(&name.name) {
        Some(binding) => Ok(Some(binding.clone())),
        None if here.incomplete => Err(Vec::new()),
        None if name.qualifiers.is_empty() => Ok(None),
        None => {
            let known = here.types.keys().map(|known| known.as_str());
            Err(vec![modules::no_member(&name.qualifiers, "type ", name.name, known, name.span)])
        }
    }
}
