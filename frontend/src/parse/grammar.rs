//! The grammar put together: expressions from their layers, and declarations.

use super::atom::atom;
use super::bind::{Parts, keyword_forms, lambda};
use super::common::{
    In, attribute, called, exp, expect, ident, key, nested, next_key, position, rule, since,
};
use super::module::declarations;
use super::operators::{application, infix, prefixed};
use super::pattern::{Patterns, bound_operator, patterns};
use super::problem::Code;
use super::state::{Failure, Label, P, place};
use super::token::Key;
use super::types::{Types, type_param, types};
use crate::syntax::{Declaration, Exp, ExpKind, Ident, Pattern, TypeExp, TypeParam, ValueDeclaration};
use chumsky::prelude::*;

/// The grammar of one source text.
pub(crate) struct Grammar<'t> {
    /// Any expression.
    pub(crate) exp: P<'t, Exp>,
    /// One declaration; does not look at what follows.
    pub(crate) declaration: P<'t, Declaration>,
}

/// `e : t` and `e :> t`, any number of them.
fn ascribed<'t>(inner: P<'t, Exp>, types: P<'t, TypeExp>) -> P<'t, Exp> {
    rule(move |inp: &mut In<'t, '_>| {
        let mut result = inp.parse(&inner)?;
        let start = result.span;
        let mut links = 0;
        loop {
            let coerce = match next_key(inp) {
                Some(Key::Colon) => false,
                Some(Key::ColonGreater) => true,
                _ => break,
            };
            inp.next_ref();
            let ty = Box::new(inp.parse(&types)?);
            let span = start.to(ty.span);
            let value = Box::new(result);
            result =
                exp(if coerce { ExpKind::Coercion(value, ty) } else { ExpKind::Ascription(value, ty) }, span);
            links += 1;
        }
        inp.state().chain(links);
        Ok(result)
    })
}

/// Types contain expressions (sizes) and expressions types: both from the expressions without ascription. The sizes in
/// types are read without ascription too.
fn layers<'t>(inner: P<'t, Exp>, source: &'t str) -> (P<'t, Exp>, Types<'t>, Patterns<'t>) {
    let types = types(inner.clone());
    let patterns = patterns(types.ty.clone(), source);
    (ascribed(inner, types.ty.clone()), types, patterns)
}

impl<'t> Grammar<'t> {
    /// The grammar; attributes are kept as they are written in `source`.
    pub(crate) fn new(source: &'t str) -> Grammar<'t> {
        let inner = recursive(|inner| {
            let inner = inner.boxed();
            let (exp, types, patterns) = layers(inner.clone(), source);
            let atom = atom(exp.clone(), inner.clone());
            let lambda = lambda(exp.clone(), &types, &patterns);
            let application = application(atom.clone(), lambda.clone());
            let attribute = attribute(source);
            let parts = Parts { exp, inner: inner.clone(), atom, types, patterns, attribute };
            let operand = prefixed(keyword_forms(parts, lambda, application));
            nested(called(Label::Expression, infix(operand, inner)))
        })
        .boxed();
        let (exp, types, patterns) = layers(inner, source);
        let value = value_declaration(&exp, &types, &patterns);
        let declaration = declarations(value, &types, attribute(source));
        Grammar { exp, declaration }
    }
}

/// The left side of a definition.
struct Head {
    name: Ident,
    type_params: Vec<TypeParam>,
    params: Vec<Pattern>,
}

fn head<'t>(patterns: &Patterns<'t>) -> P<'t, Head> {
    let operator = bound_operator().map_with(|name, e| Ident { name, span: place(e) }).boxed();
    let infix = patterns
        .param
        .clone()
        .then(operator.clone())
        .then(patterns.param.clone())
        .map(|((left, name), right)| Head { name, type_params: Vec::new(), params: vec![left, right] });
    let name = ident().or(operator.delimited_by(key(Key::LeftParen), key(Key::RightParen)));
    let prefix = name
        .then(type_param().repeated().collect())
        .then(patterns.param.clone().repeated().collect())
        .map(|((name, type_params), params)| Head { name, type_params, params });
    infix.or(prefix).boxed()
}

/// `def f … = e`.
fn value_declaration<'t>(
    body: &P<'t, Exp>,
    types: &Types<'t>,
    patterns: &Patterns<'t>,
) -> P<'t, Declaration> {
    let head = head(patterns);
    let pattern = patterns.pattern.clone();
    let body = body.clone();
    let ty = types.ty.clone();
    let value_start = key(Key::Def).or(key(Key::Let)).or(key(Key::Entry)).boxed();
    rule(move |inp: &mut In<'t, '_>| {
        let start = position(inp);
        let entry = next_key(inp) == Some(Key::Entry);
        inp.parse(&value_start)?;
        let before = inp.save();
        let at = position(inp);
        let Head { name, type_params, params } = match inp.parse(&head) {
            Ok(head) => head,
            Err(failure) => {
                inp.rewind(before);
                let is_pattern = inp.parse(&pattern).is_ok() && next_key(inp) == Some(Key::Equals);
                let message = "only one name can be defined at the top level, not a pattern";
                return Err(if is_pattern {
                    Failure::special(at, Code::TopLevelPattern, message)
                } else {
                    failure
                });
            }
        };
        let result = match next_key(inp) {
            Some(Key::Colon) => {
                inp.next_ref();
                Some(inp.parse(&ty)?)
            }
            _ => None,
        };
        expect(inp, Key::Equals)?;
        let body = inp.parse(&body)?;
        let span = since(inp, start);
        Ok(Declaration::Value(ValueDeclaration {
            entry,
            name,
            type_params,
            params,
            result,
            body,
            attributes: Vec::new(),
            doc: None,
            span,
        }))
    })
}
