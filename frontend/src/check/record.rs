//! Records: construction, fields, updates of fields, array literals.

use super::Infer;
use super::report::Why;
use super::scope::Scope;
use super::unify::Mismatch;
use super::unknown::Constraint;
use crate::syntax::{self, Ident, QualName};
use crate::typed::{Exp, ExpKind};
use crate::types::{Size, Type};
use fun_base::diag::Diagnostic;
use fun_base::name::Symbol;
use fun_base::source::Span;
use std::cmp::Ordering;

/// Numbers by value, then names by text.
pub(crate) fn field_order(a: &Symbol, b: &Symbol) -> Ordering {
    match (a.as_str().parse::<u64>(), b.as_str().parse::<u64>()) {
        (Ok(x), Ok(y)) => x.cmp(&y),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => a.as_str().cmp(b.as_str()),
    }
}

impl Infer<'_> {
    pub(crate) fn record(
        &mut self,
        scope: &Scope,
        fields: &[(Ident, Option<syntax::Exp>)],
        span: Span,
    ) -> Exp {
        let mut typed: Vec<(Symbol, Exp)> = Vec::new();
        for (name, value) in fields {
            let value = match value {
                Some(value) => self.infer(scope, value),
                None => {
                    self.name(scope, &QualName { qualifiers: Vec::new(), name: name.name, span: name.span })
                }
            };
            if typed.iter().any(|(other, _)| *other == name.name) {
                let message = format!("the field `{}` occurs twice", name.name);
                self.errors.push(Diagnostic::error("E0211", message).at(name.span));
                continue;
            }
            typed.push((name.name, value));
        }
        let mut types: Vec<(Symbol, Type)> = typed.iter().map(|(f, e)| (*f, self.head(&e.ty))).collect();
        types.sort_by(|a, b| field_order(&a.0, &b.0));
        Exp { kind: ExpKind::Record(typed), ty: Type::Record(types.into()), span }
    }

    /// `record.field`. Of a record whose type is not known yet, this asks for the field.
    pub(crate) fn project(&mut self, record: Exp, field: Symbol, span: Span) -> Exp {
        let head = self.head(&record.ty);
        if let Type::Record(fields) = &head
            && let Some((_, ty)) = fields.iter().find(|(name, _)| *name == field)
        {
            let ty = ty.clone();
            return Exp { kind: ExpKind::Project(Box::new(record), field), ty, span };
        }
        let ty = self.fresh_meta(span);
        let wanted = Constraint { fields: vec![(field, ty.clone())], ..Constraint::default() };
        match self.constrain(&head, &wanted) {
            Ok(()) => Exp { kind: ExpKind::Project(Box::new(record), field), ty, span },
            Err(Mismatch::NoField(..)) if self.is_failed(&head) => self.failed(span),
            Err(mismatch) => {
                self.report(&mismatch, &head, &head, Why::at(span));
                self.failed(span)
            }
        }
    }

    /// `record with a.b = value`.
    pub(crate) fn update_field(
        &mut self,
        scope: &Scope,
        record: Exp,
        fields: &[Ident],
        value: &syntax::Exp,
        span: Span,
    ) -> Exp {
        let mut ty = record.ty.clone();
        let mut known = true;
        for field in fields {
            let head = self.head(&ty);
            match &head {
                Type::Record(parts) => match parts.iter().find(|(name, _)| *name == field.name) {
                    Some((_, part)) => ty = part.clone(),
                    None => {
                        let mismatch = Mismatch::NoField(head.clone(), field.name);
                        self.report(&mismatch, &head, &head, Why::at(field.span));
                        known = false;
                    }
                },
                Type::Meta(_) if self.is_failed(&head) => known = false,
                Type::Meta(_) => {
                    let d = Diagnostic::error("E0207", "the type of this record isn't known here")
                        .at(record.span);
                    self.errors.push(d.help("give it a type, e.g. where its name is bound"));
                    known = false;
                }
                _ => {
                    let mismatch = Mismatch::NoField(head.clone(), field.name);
                    self.report(&mismatch, &head, &head, Why::at(field.span));
                    known = false;
                }
            }
            if !known {
                break;
            }
        }
        let value = self.infer(scope, value);
        if !known {
            return self.failed(span);
        }
        // The sizes of the field may change.
        let (old, new) = (self.with_fresh_sizes(&ty), self.with_fresh_sizes(&value.ty));
        let why = Why::at(value.span).because(record.span, "the field has the type {}");
        self.expect(&old, &new, why);
        let fields: Vec<Symbol> = fields.iter().map(|field| field.name).collect();
        let ty = self.with_field(&record.ty, &fields, &value.ty);
        Exp { kind: ExpKind::UpdateField(Box::new(record), fields, Box::new(value)), ty, span }
    }

    /// The record type with another type for a field.
    fn with_field(&self, record: &Type, path: &[Symbol], ty: &Type) -> Type {
        match (path, self.head(record)) {
            ([field, rest @ ..], Type::Record(parts)) => {
                let part = |(name, part): &(Symbol, Type)| {
                    let part = if name == field { self.with_field(part, rest, ty) } else { part.clone() };
                    (*name, part)
                };
                Type::Record(parts.iter().map(part).collect())
            }
            _ => self.head(ty),
        }
    }

    pub(crate) fn array_literal(&mut self, scope: &Scope, elements: &[syntax::Exp], span: Span) -> Exp {
        let typed: Vec<Exp> = elements.iter().map(|e| self.infer(scope, e)).collect();
        let elem = match typed.first() {
            Some(first) => first.ty.clone(),
            None => self.fresh_meta(span),
        };
        let first_span = typed.first().map_or(span, |first| first.span);
        for other in typed.iter().skip(1) {
            let why = Why::at(other.span).because(first_span, "the first element has the type {}");
            self.expect(&elem, &other.ty, why);
        }
        self.require_first_order(&elem, first_span);
        self.require_unlifted(&elem, first_span);
        let ty = Type::array(Size::Const(typed.len() as i64), elem);
        Exp { kind: ExpKind::ArrayLiteral(typed), ty, span }
    }

    /// Reports types whose values may differ in their sizes where the language has none.
    pub(crate) fn require_unlifted(&mut self, t: &Type, span: Span) {
        if let Err(mismatch) = self.forbid_lifted(t) {
            self.report(&mismatch, t, t, Why::at(span));
        }
    }

    /// Reports functions where the language has none.
    pub(crate) fn require_first_order(&mut self, t: &Type, span: Span) {
        if let Err(mismatch) = self.forbid_functions(t, false) {
            self.report(&mismatch, t, t, Why::at(span));
        }
    }
}
