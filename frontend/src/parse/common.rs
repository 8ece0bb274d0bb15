//! Small parsers that the parts of the grammar share, and the tools for the places where the next token decides.
//!
//! Combinators serve for lists and simple alternatives. Where alternatives share a beginning the grammar looks at the next
//! token and commits ([`chumsky::primitive::custom`]): trying both would read nested text twice at each level.

use super::problem::Code;
use super::state::{Extra, Failure, Input, Label, NESTING_LIMIT, P, place};
use super::token::{Key, Kind, Op, Special};
use crate::syntax::{Attribute, Exp, ExpKind, Ident, Pattern, PatternKind, QualName, TypeExp, TypeExpKind};
use chumsky::input::InputRef;
use chumsky::prelude::*;
use fun_base::name::Symbol;
use fun_base::source::Span;

/// The input as hand-written rules see it.
pub(super) type In<'t, 'p> = InputRef<'t, 'p, Input<'t>, Extra<'t>>;

/// A key.
pub(super) fn key<'t>(key: Key) -> impl Parser<'t, Input<'t>, (), Extra<'t>> + Clone {
    just(Kind::Key(key)).ignored()
}

/// A name that is being defined, or a field.
pub(super) fn ident<'t>() -> impl Parser<'t, Input<'t>, Ident, Extra<'t>> + Clone {
    select_ref! { Kind::Name(name) => *name }
        .map_with(|name, e| Ident { name, span: place(e) })
        .labelled(Label::Name)
}

/// A field: a name or a decimal number.
pub(super) fn field<'t>() -> impl Parser<'t, Input<'t>, Ident, Extra<'t>> + Clone {
    select_ref! { Kind::Name(name) => *name, Kind::Nat(text, _) => *text }
        .map_with(|name, e| Ident { name, span: place(e) })
        .labelled(Label::Field)
}

/// `M.N.x`.
pub(super) fn qual_name<'t>() -> P<'t, QualName> {
    ident()
        .foldl_with(key(Key::Dot).ignore_then(ident()).repeated(), |inner: Ident, next, e| Ident {
            name: Symbol::new(&format!("{}.{}", inner.name, next.name)),
            span: place(e),
        })
        .map(|joined| split_name(joined.name, joined.span))
        .boxed()
}

/// The name with these dots in its text.
fn split_name(text: Symbol, span: Span) -> QualName {
    let mut parts: Vec<Symbol> = text.as_str().split('.').map(Symbol::new).collect();
    let name = parts.pop().unwrap_or(text);
    QualName { qualifiers: parts, name, span }
}

/// The name that an operator token stands for.
pub(super) fn op_name(op: &Op, span: Span) -> QualName {
    let qualifiers =
        op.qualifier.map_or_else(Vec::new, |text| text.as_str().split('.').map(Symbol::new).collect());
    QualName { qualifiers, name: op.name, span }
}

/// `[n]`, whatever touches the bracket.
pub(super) fn size_binder<'t>() -> P<'t, Ident> {
    ident().delimited_by(key(Key::LeftBracket).or(key(Key::IndexBracket)), key(Key::RightBracket)).boxed()
}

/// `#[text]`: any tokens with balanced brackets.
pub(super) fn attribute<'t>(source: &'t str) -> P<'t, Attribute> {
    let atom = select_ref! { Kind::Name(_) => (), Kind::Nat(..) => (), Kind::Literal(_) => () }
        .labelled(Label::Attribute);
    recursive(|inner| {
        let args = inner
            .separated_by(key(Key::Comma))
            .allow_trailing()
            .delimited_by(key(Key::LeftParen), key(Key::RightParen));
        atom.then(args.or_not()).ignored()
    })
    .delimited_by(key(Key::HashBracket), key(Key::RightBracket))
    .map_with(move |(), e| {
        let span = place(e);
        let text = source.get(span.start as usize + 2..span.end as usize - 1).unwrap_or_default().trim();
        Attribute { text: Symbol::new(text), span }
    })
    .boxed()
}

/// A rule written by hand. Chumsky places its failure at its start, which may hide it behind lesser ones, so the state
/// remembers the furthest.
pub(super) fn rule<'t, O: 't>(body: impl Fn(&mut In<'t, '_>) -> Result<O, Failure> + 't) -> P<'t, O> {
    custom(move |inp: &mut In<'t, '_>| {
        let result = body(inp);
        if let Err(failure) = &result {
            inp.state().record(failure);
        }
        result
    })
    .boxed()
}

/// Names what is expected when the rule fails at its first token.
pub(super) fn called<'t, O: 't>(label: Label, inner: P<'t, O>) -> P<'t, O> {
    rule(move |inp: &mut In<'t, '_>| {
        let start = position(inp);
        inp.parse(&inner).map_err(|failure| failure.labelled(start, label))
    })
}

/// A rule that counts as a level of nesting.
pub(super) fn nested<'t, O: 't>(inner: P<'t, O>) -> P<'t, O> {
    rule(move |inp: &mut In<'t, '_>| {
        if inp.state().nesting >= NESTING_LIMIT {
            return Err(Failure::special(position(inp), Code::TooDeep, "this is nested too deeply"));
        }
        inp.state().nesting += 1;
        let result = inp.parse(&inner);
        inp.state().nesting -= 1;
        result
    })
}

/// Index of the next token.
pub(super) fn position(inp: &In<'_, '_>) -> usize {
    *inp.cursor().inner()
}

/// The next token if it is a key.
pub(super) fn next_key(inp: &mut In<'_, '_>) -> Option<Key> {
    match inp.peek_ref() {
        Some(Kind::Key(key)) => Some(*key),
        _ => None,
    }
}

/// Steps over this key, or says that it was expected.
pub(super) fn expect(inp: &mut In<'_, '_>, wanted: Key) -> Result<(), Failure> {
    inp.parse(key(wanted))
}

/// Steps over this key if it comes next.
pub(super) fn accept(inp: &mut In<'_, '_>, wanted: Key) -> bool {
    let found = next_key(inp) == Some(wanted);
    if found {
        inp.next_ref();
    }
    found
}

/// Whether `(` or `)` and so on follows the next token.
pub(super) fn second_key(inp: &mut In<'_, '_>) -> Option<Key> {
    let start = inp.save();
    inp.next_ref();
    let key = next_key(inp);
    inp.rewind(start);
    key
}

/// The place from the token with this index to the last token read.
pub(super) fn since(inp: &mut In<'_, '_>, start: usize) -> Span {
    let end = position(inp);
    inp.state().span(start, end)
}

/// Whether this is the operator with the second meaning.
pub(super) fn is_special(kind: Option<&Kind>, special: Special) -> bool {
    matches!(kind, Some(Kind::Op(op)) if op.special == Some(special))
}

/// The operator with this second meaning.
pub(super) fn special<'t>(wanted: Special) -> impl Parser<'t, Input<'t>, (), Extra<'t>> + Clone {
    select_ref! { Kind::Op(op) if op.special == Some(wanted) => () }.labelled(Label::Operator)
}

pub(super) fn exp(kind: ExpKind, span: Span) -> Exp {
    Exp { kind, span }
}

pub(super) fn pat(kind: PatternKind, span: Span) -> Pattern {
    Pattern { kind, span }
}

pub(super) fn ty(kind: TypeExpKind, span: Span) -> TypeExp {
    TypeExp { kind, span }
}

/// What stands between parentheses, apart by commas: nothing, one, or a tuple with an optional comma at its end.
pub(super) fn group<'t, O: 't>(item: P<'t, O>) -> impl Parser<'t, Input<'t>, Vec<O>, Extra<'t>> + Clone {
    item.separated_by(key(Key::Comma))
        .collect::<Vec<_>>()
        .then(key(Key::Comma).or_not())
        .try_map(|(items, comma), span: SimpleSpan| {
            if comma.is_some() && items.len() < 2 {
                return Err(Failure::special(
                    span.end - 1,
                    Code::Unexpected,
                    "a tuple has at least two components",
                ));
            }
            Ok(items)
        })
        .delimited_by(key(Key::LeftParen), key(Key::RightParen))
}
