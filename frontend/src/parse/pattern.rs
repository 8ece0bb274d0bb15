//! Patterns.

use super::common::{attribute, called, field, group, key, nested, op_name, pat, special};
use super::problem::Code;
use super::state::{Extra, Failure, Input, Label, P, place};
use super::token::{Key, Kind, Op, Special};
use crate::syntax::{Literal, Pattern, PatternKind, TypeExp};
use chumsky::prelude::*;
use fun_base::name::Symbol;
use fun_base::prim::{PrimValue, UnOp, eval_un};

/// The strengths of patterns.
#[derive(Clone)]
pub(super) struct Patterns<'t> {
    /// Any pattern.
    pub(super) pattern: P<'t, Pattern>,
    /// A pattern that can stand beside others as a parameter.
    pub(super) param: P<'t, Pattern>,
}

/// Patterns, given types (for ascriptions).
pub(super) fn patterns<'t>(types: P<'t, TypeExp>, source: &'t str) -> Patterns<'t> {
    let rule = {
        let types = types.clone();
        recursive(move |inner| nested(pattern(inner.boxed(), types, source))).boxed()
    };
    Patterns { pattern: rule.clone(), param: param(rule, types) }
}

fn pattern<'t>(inner: P<'t, Pattern>, types: P<'t, TypeExp>, source: &'t str) -> P<'t, Pattern> {
    let attributed = attribute(source)
        .then(inner.clone())
        .map_with(|(attribute, p), e| pat(PatternKind::Attribute(attribute, Box::new(p)), place(e)));
    let plain = param(inner, types.clone()).or(negative());
    let applied = select_ref! { Kind::Constructor(name) => *name }
        .then(plain.clone().repeated().collect())
        .map_with(|(name, args), e| pat(PatternKind::Constructor(name, args), place(e)));
    let ascribed =
        applied.or(plain).then(key(Key::Colon).ignore_then(types).or_not()).map_with(|(p, t), e| match t {
            Some(t) => pat(PatternKind::Ascription(Box::new(p), Box::new(t)), place(e)),
            None => p,
        });
    called(Label::Pattern, attributed.or(ascribed).boxed())
}

/// An operator that is being defined: not qualified, not `!`; a name in backticks too.
pub(super) fn bound_operator<'t>() -> impl Parser<'t, Input<'t>, Symbol, Extra<'t>> + Clone {
    let symbol = select_ref! { Kind::Op(op @ Op { qualifier: None, .. }) => op.name };
    let quoted = super::common::ident().map(|i| i.name).delimited_by(key(Key::Backtick), key(Key::Backtick));
    symbol.or(quoted).labelled(Label::Operator)
}

fn param<'t>(inner: P<'t, Pattern>, types: P<'t, TypeExp>) -> P<'t, Pattern> {
    let name = select_ref! { Kind::Name(name) => PatternKind::Name(*name) };
    let wildcard = key(Key::Underscore).to(PatternKind::Wildcard);
    let constructor = select_ref! { Kind::Constructor(name) => PatternKind::Constructor(*name, Vec::new()) };
    let literal = literal().map(PatternKind::Literal);
    let operator =
        bound_operator().delimited_by(key(Key::LeftParen), key(Key::RightParen)).map(PatternKind::Name);
    let tuple = group(inner.clone()).map(|mut patterns| match patterns.len() {
        1 => patterns.remove(0).kind,
        _ => PatternKind::Tuple(patterns),
    });
    let member = field().then(
        choice((
            key(Key::Equals).ignore_then(inner).map(Member::Pattern),
            key(Key::Colon).ignore_then(types).map(Member::Type),
        ))
        .or_not(),
    );
    let record = member
        .map_with(|(name, rest), e| match rest {
            None => (name, None),
            Some(Member::Pattern(p)) => (name, Some(p)),
            Some(Member::Type(t)) => {
                let named = pat(PatternKind::Name(name.name), name.span);
                (name, Some(pat(PatternKind::Ascription(Box::new(named), Box::new(t)), place(e))))
            }
        })
        .separated_by(key(Key::Comma))
        .allow_trailing()
        .collect()
        .delimited_by(key(Key::LeftBrace), key(Key::RightBrace))
        .map(PatternKind::Record);
    let kinds = choice((name, wildcard, literal, constructor, operator, tuple, record));
    called(Label::Pattern, kinds.map_with(|kind, e| pat(kind, place(e))).boxed())
}

enum Member {
    Pattern(Pattern),
    Type(TypeExp),
}

fn literal<'t>() -> impl Parser<'t, Input<'t>, Literal, Extra<'t>> + Clone {
    select_ref! {
        Kind::Nat(_, value) => Literal::Int(*value),
        Kind::Literal(literal) if !matches!(literal, Literal::String(_)) => literal.clone(),
        Kind::Key(Key::True) => Literal::Prim(PrimValue::Bool(true)),
        Kind::Key(Key::False) => Literal::Prim(PrimValue::Bool(false)),
    }
}

/// `-` and a number.
fn negative<'t>() -> impl Parser<'t, Input<'t>, Pattern, Extra<'t>> + Clone {
    special(Special::Minus)
        .ignore_then(literal().try_map(|literal, span: SimpleSpan| {
            negate(literal).ok_or_else(|| {
                Failure::special(span.start, Code::Unexpected, "only a number can follow `-` in a pattern")
            })
        }))
        .map_with(|literal, e| pat(PatternKind::Literal(literal), place(e)))
}

fn negate(literal: Literal) -> Option<Literal> {
    Some(match literal {
        Literal::Int(value) => Literal::Int(-value),
        Literal::Float(text, value) => Literal::Float(format!("-{text}"), -value),
        Literal::Prim(value) => {
            Literal::Prim(eval_un(UnOp::Neg, value).ok().filter(|_| value.prim_type().is_number())?)
        }
        Literal::Char(_) | Literal::String(_) => return None,
    })
}

/// The name of an operator token, for messages and trees.
pub(super) fn operator_name<'t>() -> P<'t, crate::syntax::QualName> {
    let symbol = select_ref! { Kind::Op(op) => *op }
        .map_with(|op, e| op_name(&op, place(e)))
        .labelled(Label::Operator);
    let quoted = super::common::qual_name().delimited_by(key(Key::Backtick), key(Key::Backtick));
    symbol.or(quoted).boxed()
}
