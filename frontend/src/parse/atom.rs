//! Expressions that stand alone as arguments: names, literals, everything in brackets, with projections and indices behind.

use super::common::{
    In, accept, exp, expect, field, is_special, key, next_key, position, rule, second_key, since,
};
use super::problem::Code;
use super::state::{Failure, Label, P, place};
use super::token::{Key, Kind, Level, Special};
use super::update::{Steps, section};
use crate::syntax::{DimIndex, Exp, ExpKind, Ident, Literal, QualName};
use chumsky::prelude::*;
use fun_base::prim::PrimValue;

/// The parsers that atoms are made of.
#[derive(Clone)]
struct Parts<'t> {
    /// Any expression.
    exp: P<'t, Exp>,
    /// An expression without ascription.
    inner: P<'t, Exp>,
    array: P<'t, Vec<Exp>>,
    record: P<'t, Vec<(Ident, Option<Exp>)>>,
    indices: P<'t, Vec<DimIndex>>,
    field: P<'t, Ident>,
    steps: Steps<'t>,
    operator: P<'t, QualName>,
    expression: P<'t, ()>,
}

/// `i, a:b:c, …` with the brackets around; the left one must be this.
pub(super) fn indices<'t>(inner: P<'t, Exp>, left: Key) -> P<'t, Vec<DimIndex>> {
    let part = || key(Key::Colon).ignore_then(inner.clone().or_not());
    let index = inner.clone().or_not().then(part().or_not()).then(part().or_not()).try_map_with(
        |((start, end), stride), e| match (start, end, stride) {
            (Some(start), None, None) => Ok(DimIndex::Fix(start)),
            (None, None, None) => Err(Failure::special(
                e.span().start,
                Code::Unexpected,
                "an index or a slice was expected between these brackets",
            )),
            (start, end, stride) => {
                Ok(DimIndex::Slice { start, end: end.flatten(), stride: stride.flatten(), span: place(e) })
            }
        },
    );
    index
        .separated_by(key(Key::Comma))
        .at_least(1)
        .allow_trailing()
        .collect()
        .delimited_by(key(left), key(Key::RightBracket))
        .boxed()
}

/// Atoms, given expressions with and without ascription.
pub(super) fn atom<'t>(exp: P<'t, Exp>, inner: P<'t, Exp>) -> P<'t, Exp> {
    let list = exp.clone().separated_by(key(Key::Comma)).allow_trailing().collect();
    let member = field().then(key(Key::Equals).ignore_then(exp.clone()).or_not());
    let parts = Parts {
        array: list.delimited_by(key(Key::LeftBracket), key(Key::RightBracket)).boxed(),
        record: member
            .separated_by(key(Key::Comma))
            .allow_trailing()
            .collect()
            .delimited_by(key(Key::LeftBrace), key(Key::RightBrace))
            .boxed(),
        indices: indices(inner.clone(), Key::IndexBracket),
        field: field().boxed(),
        steps: Steps::new(inner.clone()),
        operator: super::pattern::operator_name(),
        expression: any().filter(|_| false).ignored().labelled(Label::Expression).boxed(),
        exp,
        inner,
    };
    rule(move |inp: &mut In<'t, '_>| atom_rule(inp, &parts))
}

fn atom_rule<'t>(inp: &mut In<'t, '_>, parts: &Parts<'t>) -> Result<Exp, Failure> {
    let start = position(inp);
    let simple = match inp.peek_ref() {
        Some(Kind::Name(name)) => {
            let span = inp.state().span(start, start + 1);
            Some(ExpKind::Name(QualName { qualifiers: Vec::new(), name: *name, span }))
        }
        Some(Kind::Nat(_, value)) => Some(ExpKind::Literal(Literal::Int(*value))),
        Some(Kind::Literal(literal)) => Some(ExpKind::Literal(literal.clone())),
        Some(Kind::Constructor(name)) => Some(ExpKind::Constructor(*name, Vec::new())),
        Some(Kind::Key(Key::True)) => Some(ExpKind::Literal(Literal::Prim(PrimValue::Bool(true)))),
        Some(Kind::Key(Key::False)) => Some(ExpKind::Literal(Literal::Prim(PrimValue::Bool(false)))),
        Some(Kind::Key(Key::Hole)) => Some(ExpKind::Hole),
        _ => None,
    };
    let kind = match simple {
        Some(kind) => {
            inp.next_ref();
            kind
        }
        None => match next_key(inp) {
            Some(Key::LeftParen) => paren(inp, parts)?,
            Some(Key::LeftBracket) => ExpKind::ArrayLiteral(inp.parse(&parts.array)?),
            Some(Key::LeftBrace) => ExpKind::Record(inp.parse(&parts.record)?),
            _ => {
                inp.parse(&parts.expression)?;
                return Err(Failure::special(start, Code::Unexpected, "an expression was expected here"));
            }
        },
    };
    let mut result = exp(kind, since(inp, start));
    let mut links = 0;
    loop {
        match next_key(inp) {
            Some(Key::Dot) => {
                inp.next_ref();
                result = member(inp, parts, result, start)?;
            }
            Some(Key::IndexBracket) => {
                let indices = inp.parse(&parts.indices)?;
                result = exp(ExpKind::Index(Box::new(result), indices), since(inp, start));
            }
            _ => {
                inp.state().chain(links);
                return Ok(result);
            }
        }
        links += 1;
    }
}

/// What follows a dot: more of a qualified name, a field, or an expression in a module.
fn member<'t>(inp: &mut In<'t, '_>, parts: &Parts<'t>, base: Exp, start: usize) -> Result<Exp, Failure> {
    if next_key(inp) == Some(Key::LeftParen) {
        let dot = position(inp);
        inp.next_ref();
        let body = inp.parse(&parts.exp)?;
        expect(inp, Key::RightParen)?;
        let span = since(inp, start);
        return match base.kind {
            ExpKind::Name(module) => Ok(exp(ExpKind::LocalOpen(module, Box::new(body)), span)),
            _ => Err(Failure::special(dot, Code::Unexpected, "only a module can be opened with `.( … )`")),
        };
    }
    let is_name = matches!(inp.peek_ref(), Some(Kind::Name(_)));
    let field = inp.parse(&parts.field)?;
    let span = since(inp, start);
    Ok(match base.kind {
        ExpKind::Name(mut name) if is_name => {
            name.qualifiers.push(name.name);
            exp(ExpKind::Name(QualName { name: field.name, span, ..name }), span)
        }
        kind => exp(ExpKind::Project(Box::new(exp(kind, base.span)), field), span),
    })
}

/// Everything that starts with a parenthesis.
fn paren<'t>(inp: &mut In<'t, '_>, parts: &Parts<'t>) -> Result<ExpKind, Failure> {
    inp.next_ref();
    let first = position(inp);
    let negation = is_special(inp.peek_ref(), Special::Minus) && second_key(inp) != Some(Key::RightParen);
    match inp.peek_ref() {
        Some(Kind::Key(Key::RightParen)) => {
            inp.next_ref();
            return Ok(ExpKind::Tuple(Vec::new()));
        }
        Some(Kind::Key(Key::Dot)) => return section_of_members(inp, parts),
        Some(Kind::Op(_) | Kind::Key(Key::Backtick)) if !negation => {
            let operator = inp.parse(&parts.operator)?;
            if accept(inp, Key::RightParen) {
                return Ok(ExpKind::Name(operator));
            }
            let operand = inp.parse(&parts.inner)?;
            expect(inp, Key::RightParen)?;
            return Ok(ExpKind::SectionRight(operator, Box::new(operand)));
        }
        _ => {}
    }
    let head = inp.parse(&parts.exp)?;
    match inp.peek_ref() {
        Some(Kind::Key(Key::Comma)) => {
            let mut items = vec![head];
            while accept(inp, Key::Comma) {
                if items.len() > 1 && next_key(inp) == Some(Key::RightParen) {
                    break;
                }
                items.push(inp.parse(&parts.exp)?);
            }
            expect(inp, Key::RightParen)?;
            Ok(ExpKind::Tuple(items))
        }
        Some(Kind::Op(op)) => {
            if loosest(&head.kind).is_some_and(|level| level < op.level) {
                let message =
                    "this operator binds tighter than the one before it; put the operand in parentheses";
                return Err(Failure::special(position(inp), Code::Unexpected, message));
            }
            section_left(inp, parts, head)
        }
        Some(Kind::Key(Key::Backtick)) => section_left(inp, parts, head),
        _ => {
            expect(inp, Key::RightParen)?;
            debug_assert!(first < position(inp), "a parenthesised expression has tokens");
            Ok(ExpKind::Parens(Box::new(head)))
        }
    }
}

fn section_left<'t>(inp: &mut In<'t, '_>, parts: &Parts<'t>, head: Exp) -> Result<ExpKind, Failure> {
    let operator = inp.parse(&parts.operator)?;
    expect(inp, Key::RightParen)?;
    Ok(ExpKind::SectionLeft(Box::new(head), operator))
}

/// How tightly the outermost operator binds.
fn loosest(kind: &ExpKind) -> Option<Level> {
    match kind {
        ExpKind::BinOp(name, ..)
            if name.name.as_str().starts_with(|c: char| c.is_ascii_punctuation() && c != '_') =>
        {
            Some(super::token::Op::new(None, name.name.as_str()).level)
        }
        _ => None,
    }
}

/// `(.x.y)`, `(.[i])` and longer ones, after the parenthesis.
fn section_of_members<'t>(inp: &mut In<'t, '_>, parts: &Parts<'t>) -> Result<ExpKind, Failure> {
    let start = position(inp);
    inp.next_ref();
    let steps = parts.steps.all(inp)?;
    let span = since(inp, start);
    expect(inp, Key::RightParen)?;
    Ok(section(steps, span))
}
