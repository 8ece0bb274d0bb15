//! Applications, operators and the other forms whose operands stand side by side; precedence.

use super::common::{
    In, accept, exp, expect, is_special, key, next_key, op_name, position, qual_name, rule, second_key, since,
};
use super::problem::Code;
use super::state::{Failure, P};
use super::token::{Key, Kind, Level, Op, Special};
use super::update::{Steps, update};
use crate::syntax::{Exp, ExpKind, QualName, RangeEnd};
use chumsky::prelude::*;

/// `f a b \x -> e`.
pub(super) fn application<'t>(atom: P<'t, Exp>, lambda: P<'t, Exp>) -> P<'t, Exp> {
    rule(move |inp: &mut In<'t, '_>| {
        let mut result = inp.parse(&atom)?;
        let mut args = Vec::new();
        while starts_atom(inp.peek_ref()) {
            args.push(inp.parse(&atom)?);
        }
        if next_key(inp) == Some(Key::Backslash) {
            args.push(inp.parse(&lambda)?);
        }
        if let (ExpKind::Constructor(_, payload), Some(last)) = (&mut result.kind, args.last()) {
            result.span = result.span.to(last.span);
            *payload = args;
            return Ok(result);
        }
        inp.state().chain(args.len());
        Ok(args.into_iter().fold(result, |function, arg| {
            let span = function.span.to(arg.span);
            exp(ExpKind::Apply(Box::new(function), Box::new(arg)), span)
        }))
    })
}

fn starts_atom(kind: Option<&Kind>) -> bool {
    match kind {
        Some(Kind::Name(_) | Kind::Nat(..) | Kind::Literal(_) | Kind::Constructor(_)) => true,
        Some(Kind::Key(key)) => matches!(
            key,
            Key::LeftParen | Key::LeftBracket | Key::LeftBrace | Key::True | Key::False | Key::Hole
        ),
        Some(Kind::Op(_)) | None => false,
    }
}

/// `-e` and `!e`, any number of them, before what binds tighter.
pub(super) fn prefixed<'t>(primary: P<'t, Exp>) -> P<'t, Exp> {
    rule(move |inp: &mut In<'t, '_>| {
        let mut signs = Vec::new();
        loop {
            let minus = is_special(inp.peek_ref(), Special::Minus);
            if !minus && next_key(inp) != Some(Key::Bang) {
                break;
            }
            signs.push((minus, position(inp)));
            inp.next_ref();
        }
        inp.state().chain(signs.len());
        let mut result = inp.parse(&primary)?;
        for (minus, start) in signs.into_iter().rev() {
            let span = since(inp, start);
            let operand = Box::new(result);
            result = exp(if minus { ExpKind::Negate(operand) } else { ExpKind::Not(operand) }, span);
        }
        Ok(result)
    })
}

/// Operands with everything infix between them, loosest first: ranges, backticks, `with`, operators.
pub(super) fn infix<'t>(operand: P<'t, Exp>, inner: P<'t, Exp>) -> P<'t, Exp> {
    let operators = rule(move |inp: &mut In<'t, '_>| operators(inp, &operand));
    let steps = Steps::new(inner);
    let quoted = qual_name().delimited_by(key(Key::Backtick), key(Key::Backtick)).boxed();
    let updates = rule(move |inp: &mut In<'t, '_>| updates(inp, &operators, &steps));
    let quotes = rule(move |inp: &mut In<'t, '_>| {
        let start = position(inp);
        let mut result = inp.parse(&updates)?;
        let mut links = 0;
        // a backtick may also end a section: (x `f`)
        while next_key(inp) == Some(Key::Backtick) && !ends_section(inp, &quoted) {
            let name: QualName = inp.parse(&quoted)?;
            let right = inp.parse(&updates)?;
            result = exp(ExpKind::BinOp(name, Box::new(result), Box::new(right)), since(inp, start));
            links += 1;
        }
        inp.state().chain(links);
        Ok(result)
    });
    rule(move |inp: &mut In<'t, '_>| range(inp, &quotes))
}

fn ends_section<'t>(inp: &mut In<'t, '_>, quoted: &P<'t, QualName>) -> bool {
    let start = inp.save();
    let ends = inp.parse(quoted).is_ok() && next_key(inp) == Some(Key::RightParen);
    inp.rewind(start);
    ends
}

/// `e op e op e`.
fn operators<'t>(inp: &mut In<'t, '_>, operand: &P<'t, Exp>) -> Result<Exp, Failure> {
    let mut operands = vec![inp.parse(operand)?];
    let mut pending: Vec<(Op, QualName)> = Vec::new();
    let mut links = 0;
    while let Some(Kind::Op(op)) = inp.peek_ref() {
        // an operator before `)` belongs to a section
        if second_key(inp) == Some(Key::RightParen) {
            break;
        }
        let start = position(inp);
        inp.next_ref();
        let name = op_name(op, since(inp, start));
        while pending.last().is_some_and(|(last, _)| {
            last.level > op.level || last.level == op.level && op.level != Level::PipeLeft
        }) {
            reduce(&mut operands, &mut pending);
        }
        pending.push((*op, name));
        operands.push(inp.parse(operand)?);
        links += 1;
    }
    inp.state().chain(links);
    while !pending.is_empty() {
        reduce(&mut operands, &mut pending);
    }
    operands
        .pop()
        .ok_or_else(|| Failure::special(position(inp), Code::Unexpected, "an expression was expected here"))
}

/// Joins the last two operands by the last operator.
fn reduce(operands: &mut Vec<Exp>, pending: &mut Vec<(Op, QualName)>) {
    if let (Some((_, name)), Some(right), Some(left)) = (pending.pop(), operands.pop(), operands.pop()) {
        let span = left.span.to(right.span);
        operands.push(exp(ExpKind::BinOp(name, Box::new(left), Box::new(right)), span));
    }
}

/// `e with [i] = e with x.y = e`.
fn updates<'t>(inp: &mut In<'t, '_>, operators: &P<'t, Exp>, steps: &Steps<'t>) -> Result<Exp, Failure> {
    let start = position(inp);
    let mut result = inp.parse(operators)?;
    let mut links = 0;
    while accept(inp, Key::With) {
        let steps = steps.all(inp)?;
        expect(inp, Key::Equals)?;
        let value = inp.parse(operators)?;
        let span = since(inp, start);
        result = update(result, steps, value, span);
        links += 1;
    }
    inp.state().chain(links);
    Ok(result)
}

/// `a..b...c` and its kin.
fn range<'t>(inp: &mut In<'t, '_>, quotes: &P<'t, Exp>) -> Result<Exp, Failure> {
    let start = position(inp);
    let first = inp.parse(quotes)?;
    let second = if accept(inp, Key::Dots2) { Some(Box::new(inp.parse(quotes)?)) } else { None };
    let make = match next_key(inp) {
        Some(Key::Dots3) => RangeEnd::Inclusive,
        Some(Key::DotsLess) => RangeEnd::UpTo,
        Some(Key::DotsGreater) => RangeEnd::DownTo,
        _ if second.is_none() => return Ok(first),
        _ => {
            let message = "a range needs an end: `...` (with it), `..<` or `..>` (without it)";
            return Err(Failure::special(position(inp), Code::Unexpected, message));
        }
    };
    inp.next_ref();
    let end = make(Box::new(inp.parse(quotes)?));
    Ok(exp(ExpKind::Range { first: Box::new(first), second, end }, since(inp, start)))
}
