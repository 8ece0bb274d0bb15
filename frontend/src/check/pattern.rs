//! Patterns.

use super::Infer;
use super::report::Why;
use super::scope::{Binding, Scope};
use super::type_exp::Open;
use crate::syntax;
use crate::typed::{Pattern, PatternKind};
use crate::types::Type;
use fun_base::diag::Diagnostic;
use fun_base::name::Symbol;
use fun_base::source::Span;
use std::collections::BTreeMap;

/// The names that the patterns at hand have bound, to find those bound twice.
#[derive(Default)]
pub(crate) struct Binders(BTreeMap<Symbol, Span>);

impl Binders {
    /// A name bound before, e.g. a size parameter.
    pub(crate) fn add(&mut self, name: &syntax::Ident) {
        self.0.insert(name.name, name.span);
    }
}

impl Infer<'_> {
    /// Binds the names of a pattern. Whether it must match is checked once types are known. Without an expected type, each part has an unknown one.
    pub(crate) fn pattern(
        &mut self,
        scope: &mut Scope,
        binders: &mut Binders,
        pattern: &syntax::Pattern,
        expected: Option<&Type>,
    ) -> Pattern {
        let span = pattern.span;
        let of_type = |this: &mut Self| match expected {
            Some(t) => t.clone(),
            None => this.fresh_meta(span),
        };
        match &pattern.kind {
            syntax::PatternKind::Name(name) => {
                let ty = of_type(self);
                if let Some(first) = binders.0.insert(*name, span) {
                    let message = format!("`{name}` is bound twice by these patterns");
                    self.errors
                        .push(Diagnostic::error("E0211", message).at(span).label(first, "first bound here"));
                }
                let var = self.fresh_var(name.as_str(), Some((span, format!("`{name}` is bound here"))));
                scope.values.insert(*name, Binding::Local(var, ty.strip_unique()));
                Pattern { kind: PatternKind::Var(var), ty, span }
            }
            syntax::PatternKind::Wildcard => Pattern { kind: PatternKind::Wildcard, ty: of_type(self), span },
            syntax::PatternKind::Tuple(parts) => {
                let names = (0..parts.len()).map(|i| Symbol::new(&i.to_string()));
                let parts: Vec<_> =
                    names.zip(parts).map(|(name, part)| (name, Part::Pattern(part))).collect();
                self.record_pattern(scope, binders, &parts, expected, span)
            }
            syntax::PatternKind::Record(fields) => {
                let mut parts: Vec<(Symbol, Part)> = Vec::new();
                for (name, part) in fields {
                    let pun = syntax::Pattern { kind: syntax::PatternKind::Name(name.name), span: name.span };
                    let part = part.as_ref().map_or(Part::Pun(pun), Part::Pattern);
                    if parts.iter().any(|(other, _)| *other == name.name) {
                        let message = format!("the field `{}` occurs twice", name.name);
                        self.errors.push(Diagnostic::error("E0211", message).at(name.span));
                        continue;
                    }
                    parts.push((name.name, part));
                }
                parts.sort_by(|a, b| super::record::field_order(&a.0, &b.0));
                self.record_pattern(scope, binders, &parts, expected, span)
            }
            syntax::PatternKind::Ascription(inner, t) => {
                let ty = self.type_exp(scope, t, Open::Unknown);
                if let Some(expected) = expected {
                    let why = Why::at(span).because(t.span, "because of this type");
                    self.expect(expected, &ty, why);
                }
                let inner = self.pattern(scope, binders, inner, Some(&ty));
                Pattern { span, ..inner }
            }
            syntax::PatternKind::Attribute(_, inner) => self.pattern(scope, binders, inner, expected),
            syntax::PatternKind::Literal(literal) => self.literal_pattern(literal, expected, span),
            syntax::PatternKind::Constructor(name, parts) => {
                self.constructor_pattern(scope, binders, (*name, parts), expected, span)
            }
        }
    }

    fn record_pattern(
        &mut self,
        scope: &mut Scope,
        binders: &mut Binders,
        parts: &[(Symbol, Part)],
        expected: Option<&Type>,
        span: Span,
    ) -> Pattern {
        let known = expected.map(|t| {
            let head = self.head(t);
            // The whole is consumed, so its parts are.
            let (inner, unique) = match &head {
                Type::Unique(inner) => (self.head(inner), true),
                _ => (head.clone(), false),
            };
            match inner {
                Type::Record(fields) if unique => Type::Record(
                    fields
                        .iter()
                        .map(|(f, t)| (*f, Type::Unique(Box::new(t.without_unique().clone()))))
                        .collect(),
                ),
                other => other,
            }
        });
        let fits = |fields: &[(Symbol, Type)]| {
            fields.len() == parts.len() && fields.iter().zip(parts).all(|(a, b)| a.0 == b.0)
        };
        let types: Vec<Option<Type>> = match &known {
            Some(Type::Record(fields)) if fits(fields) => {
                fields.iter().map(|(_, t)| Some(t.clone())).collect()
            }
            _ => vec![None; parts.len()],
        };
        let missing = types.iter().any(Option::is_none) || parts.is_empty();
        let mut fields = Vec::new();
        for ((name, part), t) in parts.iter().zip(types) {
            fields.push((*name, self.pattern(scope, binders, part.pattern(), t.as_ref())));
        }
        let ty = Type::Record(fields.iter().map(|(f, p)| (*f, p.ty.clone())).collect());
        if let (Some(expected), true) = (expected, missing) {
            self.expect(expected, &ty, Why::at(span));
        }
        let ty = match expected {
            Some(t) if !missing => t.clone(),
            _ => ty,
        };
        Pattern { kind: PatternKind::Record(fields), ty, span }
    }
}

/// A part of a record pattern: written, or a field that binds its own name.
enum Part<'a> {
    Pattern(&'a syntax::Pattern),
    Pun(syntax::Pattern),
}

impl Part<'_> {
    fn pattern(&self) -> &syntax::Pattern {
        match self {
            Part::Pattern(pattern) => pattern,
            Part::Pun(pattern) => pattern,
        }
    }
}
