//! Text to syntax trees: a lexer written by hand, then a grammar in chumsky over its tokens.
//!
//! Contract: every text gives a tree or problems, never both and never a panic. Problems are found in as many declarations
//! as there are: after each the parser goes on at the next declaration. Nesting is limited to
//! [`state::NESTING_LIMIT`] levels of brackets and of right-nested forms; long chains of bindings, branches, operators and
//! arguments cost no stack here, yet each element is a level of the tree, so they are limited too
//! ([`state::CHAIN_LIMIT`]). Callers need a stack that fits trees of that depth.
//!
//! Operators bind as in Futhark's implementation: `|>` and `<|` loosest (its manual's table has them elsewhere).

mod atom;
mod bind;
mod common;
mod explain;
mod grammar;
mod lexer;
mod module;
mod number;
mod operators;
mod pattern;
mod problem;
mod state;
#[cfg(test)]
mod tests;
mod token;
mod types;
mod update;

use crate::syntax::{Declaration, Exp, Program};
use chumsky::Parser as _;
use chumsky::primitive::custom;
use common::In;
use explain::{after_declaration, explain, not_a_declaration};
use fun_base::diag::Diagnostic;
use fun_base::source::Source;
use grammar::Grammar;
use lexer::Tokens;
use problem::{Code, Problem};
use state::{CHAIN_LIMIT, Failure, P, State};
use token::{Key, Kind};

/// No more problems than this are reported of one text.
const PROBLEM_LIMIT: usize = 50;

/// What a line of the REPL is.
#[derive(Clone, PartialEq, Debug)]
pub enum Input {
    /// Definitions; none when the line is empty.
    Declarations(Program),
    /// An expression to evaluate.
    Expression(Exp),
}

/// Parses a whole file. `file` is the index that the spans of the tree carry.
pub fn parse_program(source: &Source, file: u32) -> Result<Program, Vec<Diagnostic>> {
    let tokens = lexer::tokenize(&source.text, file);
    let (program, problems) = declarations(&tokens, &source.text);
    finish(program, tokens.problems, problems, source)
}

/// Parses a single expression.
pub fn parse_expression(source: &Source, file: u32) -> Result<Exp, Vec<Diagnostic>> {
    let tokens = lexer::tokenize(&source.text, file);
    let (exp, problems) = match expression(&tokens, &source.text) {
        Ok(exp) => (Some(exp), Vec::new()),
        Err(problem) => (None, vec![problem]),
    };
    match exp {
        Some(exp) => finish(exp, tokens.problems, problems, source),
        None => Err(report(tokens.problems, problems, source)),
    }
}

/// Parses what was typed into a REPL: definitions or an expression.
pub fn parse_declaration_or_expression(source: &Source, file: u32) -> Result<Input, Vec<Diagnostic>> {
    let tokens = lexer::tokenize(&source.text, file);
    match input(&tokens, &source.text) {
        Ok(input) => finish(input, tokens.problems, Vec::new(), source),
        Err(problems) => Err(report(tokens.problems, problems, source)),
    }
}

/// Whether a line of the REPL stops in the middle of something, so that another line should be asked for.
pub fn is_incomplete(text: &str) -> bool {
    let tokens = lexer::tokenize(text, 0);
    tokens.problems.is_empty()
        && input(&tokens, text).is_err_and(|problems| problems.first().is_some_and(|problem| problem.at_end))
}

fn finish<T>(
    tree: T,
    lexical: Vec<Problem>,
    grammatical: Vec<Problem>,
    source: &Source,
) -> Result<T, Vec<Diagnostic>> {
    if lexical.is_empty() && grammatical.is_empty() {
        Ok(tree)
    } else {
        Err(report(lexical, grammatical, source))
    }
}

/// The problems in order of their places. What cannot be read usually confuses the grammar on the same line: that is left out.
fn report(lexical: Vec<Problem>, mut grammatical: Vec<Problem>, source: &Source) -> Vec<Diagnostic> {
    let line = |problem: &Problem| source.loc(problem.span.start).line;
    let bad_lines: Vec<u32> = lexical.iter().map(line).collect();
    grammatical.retain(|problem| !bad_lines.contains(&line(problem)));
    let mut all = lexical;
    all.append(&mut grammatical);
    all.sort_by_key(|problem| problem.span);
    all.into_iter().take(PROBLEM_LIMIT).map(Problem::into_diagnostic).collect()
}

fn input(tokens: &Tokens, text: &str) -> Result<Input, Vec<Problem>> {
    let starts_declaration = match tokens.kinds.first() {
        None => return Ok(Input::Declarations(Program::default())),
        Some(Kind::Key(Key::Let)) => {
            // a definition as at the top level, or an expression: whichever fits, or gets further
            let (program, problems) = declarations(tokens, text);
            let Some(first) = problems.first() else { return Ok(Input::Declarations(program)) };
            return match expression(tokens, text) {
                Ok(exp) => Ok(Input::Expression(exp)),
                Err(problem) if problem.at_end || problem.span >= first.span && !first.at_end => {
                    Err(vec![problem])
                }
                Err(_) => Err(problems),
            };
        }
        Some(Kind::Key(Key::HashBracket)) => {
            tokens.kinds.iter().any(|kind| matches!(kind, Kind::Key(Key::Def | Key::Entry)))
        }
        Some(Kind::Key(key)) => key.starts_declaration(),
        Some(_) => false,
    };
    if starts_declaration {
        let (program, problems) = declarations(tokens, text);
        return if problems.is_empty() { Ok(Input::Declarations(program)) } else { Err(problems) };
    }
    expression(tokens, text).map(Input::Expression).map_err(|problem| vec![problem])
}

/// Reads one tree from where the input is. What follows is not looked at. Gives the furthest failure in any case.
fn read<'t, T: 't>(inp: &mut In<'t, '_>, rule: &P<'t, T>) -> (Result<T, Failure>, Option<Failure>) {
    let start = common::position(inp);
    inp.state().restart();
    let result = inp.parse(rule);
    let state = inp.state();
    match result {
        Ok(_) if state.chained > CHAIN_LIMIT => {
            let message =
                "this declaration has too long chains of bindings, branches, operators or arguments";
            (Err(Failure::special(start, Code::TooDeep, message)), None)
        }
        Ok(tree) => (Ok(tree), state.furthest.take()),
        Err(failure) => {
            state.record(&failure);
            (Err(state.furthest.take().unwrap_or(failure)), None)
        }
    }
}

/// Runs a hand-written rule over all tokens; it must read them all.
fn over_all<'t, T: 't>(tokens: &'t Tokens, rule: impl Fn(&mut In<'t, '_>) -> T + 't) -> T {
    let mut state = State::new(&tokens.spans, &tokens.docs);
    let whole = custom(move |inp: &mut In<'t, '_>| {
        let result = rule(inp);
        skip_to(inp, tokens.kinds.len());
        Ok(result)
    });
    let output = whole.parse_with_state(&tokens.kinds, &mut state).into_output();
    output.expect("invariant: the rule never fails and reads every token")
}

/// Steps forward to this token.
fn skip_to(inp: &mut In<'_, '_>, at: usize) {
    while common::position(inp) < at && inp.next_ref().is_some() {}
}

fn expression(tokens: &Tokens, text: &str) -> Result<Exp, Problem> {
    let grammar = Grammar::new(text);
    over_all(tokens, move |inp| {
        let (result, furthest) = read(inp, &grammar.exp);
        let end = common::position(inp);
        match result {
            Ok(exp) if end == tokens.kinds.len() => Ok(exp),
            Ok(_) => Err(match furthest.filter(|failure| failure.at >= end) {
                Some(failure) => explain(&failure, tokens, 0),
                None => after_declaration(tokens, 0, end, "the end of the expression"),
            }),
            Err(failure) => Err(explain(&failure, tokens, 0)),
        }
    })
}

fn declarations(tokens: &Tokens, text: &str) -> (Program, Vec<Problem>) {
    let grammar = Grammar::new(text);
    over_all(tokens, move |inp| {
        let mut program = Program::default();
        let mut problems = Vec::new();
        while let at = common::position(inp)
            && at < tokens.kinds.len()
        {
            match top_level(inp, tokens, &grammar, at) {
                Ok(declaration) => {
                    program.declarations.push(declaration);
                    program.spans.push(common::since(inp, at));
                }
                Err(problem) => problems.push(problem),
            }
        }
        (program, problems)
    })
}

/// The declaration at token `at`. Steps over it, or after a problem to where the next one probably starts.
fn top_level<'t>(
    inp: &mut In<'t, '_>,
    tokens: &'t Tokens,
    grammar: &Grammar<'t>,
    at: usize,
) -> Result<Declaration, Problem> {
    if !starts_declaration(&tokens.kinds[at]) {
        skip_to(inp, next_declaration(tokens, at + 1));
        return Err(not_a_declaration(tokens, at));
    }
    let before = inp.save();
    let (result, furthest) = read(inp, &grammar.declaration);
    let end = common::position(inp);
    match result {
        Ok(declaration) if tokens.kinds.get(end).is_none_or(starts_declaration) => Ok(declaration),
        Ok(_) => {
            skip_to(inp, next_declaration(tokens, end));
            Err(match furthest.filter(|failure| failure.at >= end) {
                Some(failure) => explain(&failure, tokens, at),
                None => after_declaration(tokens, at, end, "the next declaration"),
            })
        }
        Err(failure) => {
            inp.rewind(before);
            skip_to(inp, after_module(tokens, at, next_declaration(tokens, failure.at.max(at + 1))));
            Err(explain(&failure, tokens, at))
        }
    }
}

fn starts_declaration(kind: &Kind) -> bool {
    matches!(kind, Kind::Key(key) if key.starts_declaration() || *key == Key::HashBracket)
}

/// The first token from `at` on where a declaration probably starts: at a keyword that only declarations have, or at a
/// `let` at the start of a line.
fn next_declaration(tokens: &Tokens, at: usize) -> usize {
    let starts = |i: &usize| match &tokens.kinds[*i] {
        Kind::Key(Key::Let) => tokens.line_starts.get(*i).copied().unwrap_or(false),
        Kind::Key(Key::Type) => *i == 0 || tokens.kinds[*i - 1] != Kind::Key(Key::Module),
        Kind::Key(key) => key.starts_declaration(),
        _ => false,
    };
    (at..tokens.kinds.len()).find(starts).unwrap_or(tokens.kinds.len())
}

/// Where to go on after a problem in a declaration from `at` on: at `next`, unless that is still in braces that the
/// declaration opened and that are closed later.
fn after_module(tokens: &Tokens, at: usize, next: usize) -> usize {
    let in_module =
        tokens.kinds[at..].iter().take(2).any(|kind| matches!(kind, Kind::Key(Key::Module | Key::Open)));
    if !in_module {
        return next;
    }
    let mut depth = 0usize;
    for (i, kind) in tokens.kinds.iter().enumerate().skip(at) {
        match kind {
            Kind::Key(Key::LeftBrace) => depth += 1,
            Kind::Key(Key::RightBrace) => depth = depth.saturating_sub(1),
            Kind::Key(_) if depth == 0 && i >= next && next_declaration(tokens, i) == i => return i,
            _ => {}
        }
    }
    if depth == 0 { tokens.kinds.len() } else { next }
}
