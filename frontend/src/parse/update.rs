//! Updates: `e with [i] = v`, `r with x.y = v`, and through fields and indices together.
//!
//! The tree has updates through either kind alone. Mixed ones become updates in updates, which is what they mean:
//! `r with f[i] = v` is `r with f = (r.f with [i] = v)`.

use super::atom::indices;
use super::common::{In, accept, exp, field, next_key, pat};
use super::state::{Failure, P};
use super::token::Key;
use crate::check::INTRINSICS;
use crate::syntax::{DimIndex, Exp, ExpKind, Ident, PatternKind, QualName};
use chumsky::prelude::*;
use fun_base::name::Symbol;
use fun_base::source::Span;

/// Consecutive steps of one kind.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// `[i, j]`.
    Indices(Vec<DimIndex>),
    /// `x.y`.
    Fields(Vec<Ident>),
}

/// The parsers of steps.
#[derive(Clone)]
pub(super) struct Steps<'t> {
    touching: P<'t, Vec<DimIndex>>,
    apart: P<'t, Vec<DimIndex>>,
    field: P<'t, Ident>,
}

/// What stands for the value in `(.x[i])`; it is not likely to be a name of the program's.
const SECTION_ARGUMENT: &str = "it'''";
/// What an updated expression is called that is no name.
const UPDATED: &str = "updated'''";

impl<'t> Steps<'t> {
    pub(super) fn new(inner: P<'t, Exp>) -> Steps<'t> {
        Steps {
            touching: indices(inner.clone(), Key::IndexBracket),
            apart: indices(inner, Key::LeftBracket),
            field: field().boxed(),
        }
    }

    /// Steps that start with a field or an index (after `with`, or after the dot of a section).
    pub(super) fn all(&self, inp: &mut In<'t, '_>) -> Result<Vec<Step>, Failure> {
        let first = match next_key(inp) {
            Some(Key::LeftBracket) => Step::Indices(inp.parse(&self.apart)?),
            Some(Key::IndexBracket) => Step::Indices(inp.parse(&self.touching)?),
            _ => Step::Fields(vec![inp.parse(&self.field)?]),
        };
        self.more(inp, vec![first])
    }

    /// Steps that follow directly on a name; none if there are none.
    pub(super) fn more(&self, inp: &mut In<'t, '_>, mut steps: Vec<Step>) -> Result<Vec<Step>, Failure> {
        loop {
            if accept(inp, Key::Dot) {
                let field = inp.parse(&self.field)?;
                match steps.last_mut() {
                    Some(Step::Fields(fields)) => fields.push(field),
                    _ => steps.push(Step::Fields(vec![field])),
                }
            } else if next_key(inp) == Some(Key::IndexBracket) {
                let more = inp.parse(&self.touching)?;
                match steps.last_mut() {
                    // `a[i][j]` is `a[i, j]` as long as each index takes a dimension away
                    Some(Step::Indices(indices)) if indices.iter().all(|d| matches!(d, DimIndex::Fix(_))) => {
                        indices.extend(more);
                    }
                    _ => steps.push(Step::Indices(more)),
                }
            } else {
                return Ok(steps);
            }
        }
    }
}

/// `base` with the part that the steps lead to replaced.
pub(super) fn update(base: Exp, steps: Vec<Step>, value: Exp, span: Span) -> Exp {
    let is_name = matches!(base.kind, ExpKind::Name(_));
    if is_name || steps.len() == 1 {
        return replaced(base, steps, value, span);
    }
    let name = Symbol::new(UPDATED);
    let variable = named(name, base.span);
    let pattern = pat(PatternKind::Name(name), base.span);
    let body = Box::new(replaced(variable, steps, value, span));
    exp(ExpKind::Let { sizes: Vec::new(), pattern, value: Box::new(base), body }, span)
}

fn replaced(base: Exp, mut steps: Vec<Step>, value: Exp, span: Span) -> Exp {
    if steps.is_empty() {
        return value;
    }
    let first = steps.remove(0);
    let again = steps.iter().any(|step| matches!(step, Step::Indices(_)));
    let value = match &first {
        _ if steps.is_empty() => value,
        // The part shares memory with the whole, which is still needed when the part has been updated.
        Step::Indices(_) if again => {
            let copy =
                QualName { qualifiers: vec![Symbol::new(INTRINSICS)], name: Symbol::new("copy"), span };
            let copy = Box::new(exp(ExpKind::Name(copy), span));
            let old = exp(ExpKind::Apply(copy, Box::new(part(base.clone(), &first))), span);
            let name = Symbol::new(UPDATED);
            let pattern = pat(PatternKind::Name(name), base.span);
            let body = Box::new(replaced(named(name, base.span), steps, value, span));
            exp(ExpKind::Let { sizes: Vec::new(), pattern, value: Box::new(old), body }, span)
        }
        Step::Indices(_) | Step::Fields(_) => replaced(part(base.clone(), &first), steps, value, span),
    };
    let (old, value) = (Box::new(base), Box::new(value));
    let kind = match first {
        Step::Indices(indices) => ExpKind::With { array: old, indices, value },
        Step::Fields(fields) => ExpKind::WithField { record: old, fields, value },
    };
    exp(kind, span)
}

/// What the step leads to.
fn part(base: Exp, step: &Step) -> Exp {
    match step {
        Step::Indices(indices) => {
            let span = base.span;
            exp(ExpKind::Index(Box::new(base), indices.clone()), span)
        }
        Step::Fields(fields) => fields.iter().fold(base, |record, field| {
            let span = record.span.to(field.span);
            exp(ExpKind::Project(Box::new(record), *field), span)
        }),
    }
}

fn named(name: Symbol, span: Span) -> Exp {
    exp(ExpKind::Name(QualName { qualifiers: Vec::new(), name, span }), span)
}

/// `(.x.y)`, `(.[i])`, or a lambda for sections of both.
pub(super) fn section(mut steps: Vec<Step>, span: Span) -> ExpKind {
    if steps.len() == 1
        && let Some(only) = steps.pop()
    {
        return match only {
            Step::Indices(indices) => ExpKind::SectionIndex(indices),
            Step::Fields(fields) => ExpKind::SectionProject(fields),
        };
    }
    let name = Symbol::new(SECTION_ARGUMENT);
    let body = steps.iter().fold(named(name, span), part);
    ExpKind::Lambda { params: vec![pat(PatternKind::Name(name), span)], result: None, body: Box::new(body) }
}
