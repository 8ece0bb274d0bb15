//! Type expressions and type parameters.

use super::common::{called, field, group, ident, key, nested, qual_name, size_binder, special, ty};
use super::state::{Extra, Input, Label, P, place};
use super::token::{Key, Kind, Special};
use crate::syntax::{Exp, Liftedness, SizeExp, TypeArg, TypeExp, TypeExpKind, TypeParam};
use chumsky::prelude::*;

/// The two strengths of type expressions.
#[derive(Clone)]
pub(super) struct Types<'t> {
    /// Any type.
    pub(super) ty: P<'t, TypeExp>,
    /// A type that is no function type unless in parentheses: what stands before `->`.
    pub(super) term: P<'t, TypeExp>,
}

/// Types, given expressions (for sizes).
pub(super) fn types<'t>(exp: P<'t, Exp>) -> Types<'t> {
    let ty_rule = {
        let exp = exp.clone();
        recursive(move |inner| nested(arrow(term(inner.clone().boxed(), exp), inner.boxed()))).boxed()
    };
    Types { ty: ty_rule.clone(), term: term(ty_rule, exp) }
}

fn arrow<'t>(term: P<'t, TypeExp>, inner: P<'t, TypeExp>) -> P<'t, TypeExp> {
    let named = key(Key::LeftParen)
        .ignore_then(ident())
        .then_ignore(key(Key::Colon))
        .then(inner.clone())
        .then_ignore(key(Key::RightParen))
        .then_ignore(key(Key::Arrow))
        .then(inner.clone())
        .map_with(|((name, param), result), e| {
            ty(TypeExpKind::Arrow(Some(name), Box::new(param), Box::new(result)), place(e))
        });
    let exists = key(Key::Question)
        .ignore_then(size_binder().repeated().at_least(1).collect())
        .then_ignore(key(Key::Dot))
        .then(inner.clone())
        .map_with(|(sizes, inner), e| ty(TypeExpKind::Exists(sizes, Box::new(inner)), place(e)));
    let plain =
        term.then(key(Key::Arrow).ignore_then(inner).or_not()).map_with(|(first, result), e| match result {
            Some(result) => ty(TypeExpKind::Arrow(None, Box::new(first), Box::new(result)), place(e)),
            None => first,
        });
    called(Label::Type, choice((named, exists, plain)).boxed())
}

fn size<'t>(exp: P<'t, Exp>) -> impl Parser<'t, Input<'t>, SizeExp, Extra<'t>> + Clone {
    exp.or_not()
        .delimited_by(key(Key::LeftBracket).or(key(Key::IndexBracket)), key(Key::RightBracket))
        .map_with(|size, e| match size {
            Some(size) => SizeExp::Exp(Box::new(size)),
            None => SizeExp::Any(place(e)),
        })
}

fn term<'t>(inner: P<'t, TypeExp>, exp: P<'t, Exp>) -> P<'t, TypeExp> {
    recursive(move |term| {
        let term = nested(term.boxed());
        let unique = special(Special::Star)
            .ignore_then(term.clone())
            .map_with(|t, e| ty(TypeExpKind::Unique(Box::new(t)), place(e)));
        let simple = simple_atom(inner);
        let array = size(exp.clone())
            .then(term)
            .map_with(|(size, elem), e| ty(TypeExpKind::Array(size, Box::new(elem)), place(e)));
        let array = array.boxed();
        let atom = simple.clone().or(array.clone()).boxed();
        let constructor = select_ref! { Kind::Constructor(name) => *name };
        let clause = constructor
            .map_with(|name, e| crate::syntax::Ident { name, span: place(e) })
            .then(atom.clone().repeated().collect());
        let sum = clause
            .separated_by(special(Special::Bar))
            .at_least(1)
            .collect()
            .map_with(|clauses, e| ty(TypeExpKind::Sum(clauses), place(e)));
        // after a type name `[n]t` is a size argument and a type argument
        let arg = size(exp)
            .map_with(|s, e| (TypeArg::Size(s), place(e)))
            .or(simple.clone().map_with(|t, e| (TypeArg::Type(Box::new(t)), place(e))));
        let apply = simple.foldl(arg.repeated(), |function, (arg, span)| {
            let span = function.span.to(span);
            ty(TypeExpKind::Apply(Box::new(function), arg), span)
        });
        called(Label::Type, choice((unique, sum, apply, array)).boxed())
    })
    .boxed()
}

/// A name, or something in parentheses or braces.
fn simple_atom<'t>(inner: P<'t, TypeExp>) -> P<'t, TypeExp> {
    let name = qual_name().map(|name| {
        let span = name.span;
        ty(TypeExpKind::Name(name), span)
    });
    let tuple = group(inner.clone()).map_with(|mut types, e| match types.len() {
        1 => types.remove(0),
        _ => ty(TypeExpKind::Tuple(types), place(e)),
    });
    let record = field()
        .then_ignore(key(Key::Colon))
        .then(inner)
        .separated_by(key(Key::Comma))
        .allow_trailing()
        .collect()
        .delimited_by(key(Key::LeftBrace), key(Key::RightBrace))
        .map_with(|fields, e| ty(TypeExpKind::Record(fields), place(e)));
    choice((name, tuple, record)).boxed()
}

/// `[n]`, `'a`, `'~a`, `'^a`.
pub(super) fn type_param<'t>() -> P<'t, TypeParam> {
    let kind = |quote, lift| key(quote).ignore_then(ident()).map(move |name| TypeParam::Type(name, lift));
    choice((
        size_binder().map(TypeParam::Size),
        kind(Key::Quote, Liftedness::Unlifted),
        kind(Key::QuoteTilde, Liftedness::SizeLifted),
        kind(Key::QuoteHat, Liftedness::Lifted),
    ))
    .boxed()
}
