//! Expressions that start with a keyword: bindings, conditionals, loops, matches, lambdas, assertions, attributes.
//!
//! Chains (`let … let …`, `else if …`) are read in loops, so that their length costs no stack.

use super::common::{In, accept, exp, expect, ident, key, next_key, position, rule, since, size_binder};
use super::pattern::Patterns;
use super::problem::Code;
use super::state::{Failure, P, place};
use super::token::{Key, Kind, Special};
use super::types::{Types, type_param};
use super::update::{Step, Steps, update};
use crate::syntax::{
    Attribute, Case, Exp, ExpKind, Ident, LetFunction, Loop, LoopForm, Pattern, PatternKind, QualName,
    TypeExp, TypeParam,
};
use chumsky::prelude::*;

/// The parsers that these forms are made of.
pub(super) struct Parts<'t> {
    /// Any expression.
    pub(super) exp: P<'t, Exp>,
    /// Expressions without ascription.
    pub(super) inner: P<'t, Exp>,
    pub(super) atom: P<'t, Exp>,
    pub(super) types: Types<'t>,
    pub(super) patterns: Patterns<'t>,
    pub(super) attribute: P<'t, Attribute>,
}

/// What a `let` defines.
#[derive(Debug)]
enum Head {
    Pattern(Vec<Ident>, Pattern),
    Function(Ident, Vec<TypeParam>, Vec<Pattern>, Option<TypeExp>),
    Update(Ident, Vec<Step>),
}

/// Expressions that start with a keyword, otherwise `application`.
pub(super) fn keyword_forms<'t>(parts: Parts<'t>, lambda: P<'t, Exp>, application: P<'t, Exp>) -> P<'t, Exp> {
    let head = let_head(&parts);
    rule(move |inp: &mut In<'t, '_>| match next_key(inp) {
        Some(Key::Let) => lets(inp, &parts, &head),
        Some(Key::If) => ifs(inp, &parts),
        Some(Key::Loop) => loop_form(inp, &parts),
        Some(Key::Match) => match_form(inp, &parts),
        Some(Key::Backslash) => inp.parse(&lambda),
        Some(Key::Assert) => {
            let start = position(inp);
            inp.next_ref();
            let condition = Box::new(inp.parse(&parts.atom)?);
            let value = Box::new(inp.parse(&parts.exp)?);
            Ok(exp(ExpKind::Assert(condition, value), since(inp, start)))
        }
        Some(Key::HashBracket) => {
            let start = position(inp);
            let attribute = inp.parse(&parts.attribute)?;
            let value = Box::new(inp.parse(&parts.exp)?);
            Ok(exp(ExpKind::Attribute(attribute, value), since(inp, start)))
        }
        _ => inp.parse(&application),
    })
}

fn let_head<'t>(parts: &Parts<'t>) -> P<'t, Head> {
    let result = key(Key::Colon).ignore_then(parts.types.ty.clone()).or_not();
    // `let x[i]` updates, so the first size parameter of a function must not touch its name
    let function = ident()
        .then_ignore(key(Key::IndexBracket).not())
        .then(type_param().repeated().collect())
        .then(parts.patterns.param.clone().repeated().at_least(1).collect())
        .then(result)
        .map(|(((name, type_params), params), result)| Head::Function(name, type_params, params, result));
    let steps = Steps::new(parts.inner.clone());
    let update = ident()
        .then(rule(move |inp: &mut In<'t, '_>| {
            // nothing may stand between the name and what it leads to
            if !matches!(next_key(inp), Some(Key::Dot | Key::IndexBracket)) {
                inp.parse(key(Key::IndexBracket).or(key(Key::Dot)))?;
            }
            steps.more(inp, Vec::new())
        }))
        .map(|(name, steps)| Head::Update(name, steps));
    let pattern = size_binder()
        .repeated()
        .collect()
        .then(parts.patterns.pattern.clone())
        .map(|(sizes, pattern)| Head::Pattern(sizes, pattern));
    choice((function, update, pattern)).boxed()
}

fn lets<'t>(inp: &mut In<'t, '_>, parts: &Parts<'t>, head: &P<'t, Head>) -> Result<Exp, Failure> {
    let mut bindings = Vec::new();
    while next_key(inp) == Some(Key::Let) {
        let start = position(inp);
        inp.next_ref();
        let head = inp.parse(head)?;
        expect(inp, Key::Equals)?;
        let value = inp.parse(&parts.exp)?;
        if next_key(inp) != Some(Key::Let) {
            expect(inp, Key::In)?;
        }
        bindings.push((start, head, value));
    }
    inp.state().chain(bindings.len());
    let body = inp.parse(&parts.exp)?;
    Ok(bindings.into_iter().rev().fold(body, |body, (start, head, value)| {
        let span = since(inp, start);
        let kind = match head {
            Head::Pattern(sizes, pattern) => {
                ExpKind::Let { sizes, pattern, value: Box::new(value), body: Box::new(body) }
            }
            Head::Function(name, type_params, params, result) => {
                ExpKind::LetFunction(Box::new(LetFunction {
                    name,
                    type_params,
                    params,
                    result,
                    function: value,
                    body,
                }))
            }
            Head::Update(name, mut steps) => {
                let (value, body) = (Box::new(value), Box::new(body));
                match (steps.pop(), steps.is_empty()) {
                    (Some(Step::Indices(indices)), true) => ExpKind::LetWith { name, indices, value, body },
                    (Some(Step::Fields(fields)), true) => ExpKind::LetWithField { name, fields, value, body },
                    (last, _) => {
                        steps.extend(last);
                        let old = QualName { qualifiers: Vec::new(), name: name.name, span: name.span };
                        let value = update(exp(ExpKind::Name(old), name.span), steps, *value, span);
                        let pattern = Pattern { kind: PatternKind::Name(name.name), span: name.span };
                        ExpKind::Let { sizes: Vec::new(), pattern, value: Box::new(value), body }
                    }
                }
            }
        };
        exp(kind, span)
    }))
}

fn ifs<'t>(inp: &mut In<'t, '_>, parts: &Parts<'t>) -> Result<Exp, Failure> {
    let mut branches = Vec::new();
    while next_key(inp) == Some(Key::If) {
        let start = position(inp);
        inp.next_ref();
        let condition = inp.parse(&parts.exp)?;
        expect(inp, Key::Then)?;
        let then = inp.parse(&parts.exp)?;
        expect(inp, Key::Else)?;
        branches.push((start, condition, then));
    }
    inp.state().chain(branches.len());
    let last = inp.parse(&parts.exp)?;
    Ok(branches.into_iter().rev().fold(last, |otherwise, (start, condition, then)| {
        let kind = ExpKind::If(Box::new(condition), Box::new(then), Box::new(otherwise));
        exp(kind, since(inp, start))
    }))
}

fn loop_form<'t>(inp: &mut In<'t, '_>, parts: &Parts<'t>) -> Result<Exp, Failure> {
    let start = position(inp);
    inp.next_ref();
    let mut sizes = Vec::new();
    while matches!(next_key(inp), Some(Key::LeftBracket | Key::IndexBracket)) {
        sizes.push(inp.parse(size_binder())?);
    }
    let pattern = inp.parse(&parts.patterns.pattern)?;
    let init = if accept(inp, Key::Equals) { Some(inp.parse(&parts.exp)?) } else { None };
    let form = if accept(inp, Key::While) {
        LoopForm::While(Box::new(inp.parse(&parts.exp)?))
    } else {
        expect(inp, Key::For)?;
        let variable = inp.parse(&parts.patterns.pattern)?;
        if accept(inp, Key::In) {
            LoopForm::ForIn(variable, Box::new(inp.parse(&parts.exp)?))
        } else {
            bounded(inp, parts, variable)?
        }
    };
    expect(inp, Key::Do)?;
    let body = inp.parse(&parts.exp)?;
    let kind = ExpKind::Loop(Box::new(Loop { sizes, pattern, init, form, body }));
    Ok(exp(kind, since(inp, start)))
}

/// `i < n`, after `for i`.
fn bounded<'t>(inp: &mut In<'t, '_>, parts: &Parts<'t>, variable: Pattern) -> Result<LoopForm, Failure> {
    let at = position(inp);
    match (variable.kind, inp.peek_ref()) {
        (PatternKind::Name(name), Some(Kind::Op(op))) if op.special == Some(Special::Less) => {
            inp.next_ref();
            let bound = Box::new(inp.parse(&parts.exp)?);
            Ok(LoopForm::For(Ident { name, span: variable.span }, bound))
        }
        _ => {
            Err(Failure::special(at, Code::Unexpected, "expected `< bound` or `in array` to drive this loop"))
        }
    }
}

fn match_form<'t>(inp: &mut In<'t, '_>, parts: &Parts<'t>) -> Result<Exp, Failure> {
    let start = position(inp);
    inp.next_ref();
    let scrutinee = Box::new(inp.parse(&parts.exp)?);
    let mut cases = Vec::new();
    loop {
        let case = position(inp);
        expect(inp, Key::Case)?;
        let pattern = inp.parse(&parts.patterns.pattern)?;
        expect(inp, Key::Arrow)?;
        let body = inp.parse(&parts.exp)?;
        cases.push(Case { pattern, body, span: since(inp, case) });
        if next_key(inp) != Some(Key::Case) {
            return Ok(exp(ExpKind::Match(scrutinee, cases), since(inp, start)));
        }
    }
}

/// `\p q : t -> e`.
pub(super) fn lambda<'t>(body: P<'t, Exp>, types: &Types<'t>, patterns: &Patterns<'t>) -> P<'t, Exp> {
    key(Key::Backslash)
        .ignore_then(patterns.param.clone().repeated().at_least(1).collect())
        .then(key(Key::Colon).ignore_then(types.term.clone()).or_not())
        .then_ignore(key(Key::Arrow))
        .then(body)
        .map_with(|((params, result), body), e| {
            let kind = ExpKind::Lambda { params, result: result.map(Box::new), body: Box::new(body) };
            exp(kind, place(e))
        })
        .boxed()
}
