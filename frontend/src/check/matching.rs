//! Sum types: constructors as expressions and patterns, and `match`.

use super::Infer;
use super::pattern::Binders;
use super::report::Why;
use super::scope::Scope;
use super::type_exp::Open;
use super::unknown::Constraint;
use crate::syntax::{self, Ident, TypeExp};
use crate::typed::{Case, Exp, ExpKind, Pattern, PatternKind};
use crate::types::{Type, free_sizes, type_to_string};
use fun_base::diag::Diagnostic;
use fun_base::name::Symbol;
use fun_base::source::Span;

/// The most constructors that a sum type may have: tags are bytes.
const MOST_CONSTRUCTORS: usize = 256;

impl Infer<'_> {
    /// `#a t | #b`.
    pub(crate) fn sum_type(
        &mut self,
        scope: &Scope,
        constructors: &[(Ident, Vec<TypeExp>)],
        mut exts: Open,
    ) -> Type {
        let mut typed: Vec<(Symbol, Vec<Type>)> = Vec::new();
        for (name, payload) in constructors {
            let payload = payload.iter().map(|t| self.type_exp(scope, t, exts.again()).strip_unique());
            let payload = payload.collect();
            if typed.iter().any(|(other, _)| *other == name.name) {
                let message = format!("the constructor `#{}` occurs twice", name.name);
                self.errors.push(Diagnostic::error("E0211", message).at(name.span));
            } else {
                typed.push((name.name, payload));
            }
        }
        if typed.len() > MOST_CONSTRUCTORS
            && let Some((name, _)) = constructors.get(MOST_CONSTRUCTORS)
        {
            let message = format!("a sum type has at most {MOST_CONSTRUCTORS} constructors");
            self.errors.push(Diagnostic::error("E0221", message).at(name.span));
        }
        typed.sort_by(|a, b| a.0.as_str().cmp(b.0.as_str()));
        Type::Sum(typed)
    }

    /// `#c a b`: of which sum this is, something else decides.
    pub(crate) fn construct(
        &mut self,
        scope: &Scope,
        name: Symbol,
        payload: &[syntax::Exp],
        expected: Option<&Type>,
        span: Span,
    ) -> Exp {
        let known: Vec<Type> = expected
            .and_then(|t| self.resolve(t).payload(name).map(<[Type]>::to_vec))
            .filter(|known| known.len() == payload.len())
            .unwrap_or_default();
        let mut args = Vec::with_capacity(payload.len());
        for (k, arg) in payload.iter().enumerate() {
            args.push(match known.get(k) {
                Some(t) => self.infer_expecting(scope, arg, t),
                None => self.infer(scope, arg),
            });
        }
        let types = args.iter().map(|arg| arg.ty.clone()).collect();
        let constructors = vec![(name, types)];
        let ty = self.fresh_constrained(Constraint { constructors, ..Constraint::default() }, span);
        Exp { kind: ExpKind::Construct(name, args), ty, span }
    }

    /// `#c p q`.
    pub(crate) fn constructor_pattern(
        &mut self,
        scope: &mut Scope,
        binders: &mut Binders,
        (name, parts): (Symbol, &[syntax::Pattern]),
        expected: Option<&Type>,
        span: Span,
    ) -> Pattern {
        let whole = expected.map(|t| self.head(t));
        // The whole is consumed, so its parts are.
        let unique = matches!(whole, Some(Type::Unique(_)));
        let sum = whole.as_ref().map(|t| self.head(t.without_unique()));
        let known: Vec<Type> = sum
            .as_ref()
            .and_then(|t| t.payload(name))
            .filter(|known| known.len() == parts.len())
            .map(|known| {
                let part = |t: &Type| if unique { Type::Unique(Box::new(t.clone())) } else { t.clone() };
                known.iter().map(part).collect()
            })
            .unwrap_or_default();
        let found = sum.as_ref().and_then(|t| t.payload(name)).is_some_and(|t| t.len() == parts.len());
        let mut patterns = Vec::with_capacity(parts.len());
        for (k, part) in parts.iter().enumerate() {
            patterns.push(self.pattern(scope, binders, part, known.get(k)));
        }
        let kind_of = |patterns| PatternKind::Constructor(name, patterns);
        match expected {
            Some(t) if found => Pattern { kind: kind_of(patterns), ty: t.clone(), span },
            _ => {
                let types = patterns.iter().map(|p| p.ty.strip_unique()).collect();
                let constructors = vec![(name, types)];
                let ty = self.fresh_constrained(Constraint { constructors, ..Constraint::default() }, span);
                if let Some(expected) = expected {
                    self.expect(expected, &ty, Why::at(span));
                }
                let ty = expected.cloned().unwrap_or(ty);
                Pattern { kind: kind_of(patterns), ty, span }
            }
        }
    }

    /// A literal as a pattern. Its value is decided with its type.
    pub(crate) fn literal_pattern(
        &mut self,
        literal: &syntax::Literal,
        expected: Option<&Type>,
        span: Span,
    ) -> Pattern {
        let literal = self.literal(literal, span);
        if let Some(expected) = expected {
            self.expect(expected, &literal.ty, Why::at(span));
        }
        let ExpKind::Const(value) = literal.kind else {
            return Pattern { kind: PatternKind::Wildcard, ty: literal.ty, span };
        };
        Pattern { kind: PatternKind::Literal(value), ty: literal.ty, span }
    }

    /// `???`: of any type.
    pub(crate) fn hole(&mut self, span: Span) -> Exp {
        let ty = self.fresh_constrained(Constraint { lifted: true, ..Constraint::default() }, span);
        self.holes.push((ty.clone(), span));
        Exp { kind: ExpKind::Hole, ty, span }
    }

    /// Tells the types of the holes, once they are decided.
    pub(crate) fn warn_of_holes(&mut self) {
        for (ty, span) in std::mem::take(&mut self.holes) {
            let message = format!("hole of type {}", type_to_string(&self.resolve(&ty)));
            self.warnings.push(Diagnostic::warning("W0508", message).at(span));
        }
    }

    /// What a sum type that is not known yet is, given one that a value of it must have up to sizes.
    pub(crate) fn solve_sum(&mut self, unknown: &Type, known: &[(Symbol, Vec<Type>)]) -> Option<Type> {
        let Type::Meta(meta) = unknown else { return None };
        let own = self.metas[*meta as usize].constraint.constructors.clone();
        if own.is_empty() {
            return None;
        }
        let constructors = known.iter().map(|(name, payload)| {
            let given = own.iter().find(|(other, given)| other == name && given.len() == payload.len());
            let payload = match given {
                Some((_, given)) => given.clone(),
                None => payload.iter().map(|t| self.with_fresh_sizes(t)).collect(),
            };
            (*name, payload)
        });
        let sum = Type::Sum(constructors.collect());
        self.unify(unknown, &sum).ok()?;
        Some(sum)
    }

    pub(crate) fn match_exp(
        &mut self,
        scope: &Scope,
        scrutinee: &syntax::Exp,
        cases: &[syntax::Case],
        span: Span,
    ) -> Exp {
        let scrutinee = self.infer(scope, scrutinee);
        let mut typed: Vec<Case> = Vec::with_capacity(cases.len());
        self.level += 1;
        for case in cases {
            let mut inner = scope.clone();
            let pattern =
                self.pattern(&mut inner, &mut Binders::default(), &case.pattern, Some(&scrutinee.ty));
            let body = self.infer(&inner, &case.body);
            typed.push(Case { pattern, body });
        }
        self.level -= 1;
        let Some(first) = typed.first() else { return self.failed(span) };
        let (first_span, mut ty) = (first.body.span, first.body.ty.clone());
        let mut exts = Vec::new();
        for case in typed.iter().skip(1) {
            self.branch_sizes.clear();
            let why = Why::at(case.body.span).because(first_span, "because the first case gives {}");
            ty = self.common_type(&ty, &case.body.ty, &mut exts, &why, span);
        }
        // What only the cases know does not leave them.
        let resolved = self.resolve(&ty);
        let hidden = self.deeper_than(&resolved, self.level);
        if !hidden.is_empty() {
            ty = self.replace_sizes(&resolved, &hidden, &mut exts, span);
        }
        let free = free_sizes(&self.resolve(&ty));
        exts.retain(|ext| free.contains(ext));
        let _ = self.lower_type(&ty);
        self.require_first_order(&ty, span);
        Exp { kind: ExpKind::Match { scrutinee: Box::new(scrutinee), cases: typed, exts }, ty, span }
    }
}
