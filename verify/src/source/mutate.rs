//! Broken programs: edits of source texts that mostly make them ill-formed, and the law about what the front end says then.
//!
//! Whatever the text is, the front end ends, with a well-formed program or with errors that say where; it never panics, and never
//! blames itself.

use fun::check::{Phase, check_program};
use fun_base::rng::Rng;
use fun_base::source::{Source, Span};
use fun_frontend::syntax::{Declaration, Exp, ExpKind};
use std::time::{Duration, Instant};

/// A text takes at most this long; generated ones take milliseconds.
const LONGEST: Duration = Duration::from_secs(10);

/// Words that are put where they do not belong.
const WORDS: [&str; 60] = [
    "let",
    "in",
    "loop",
    "for",
    "while",
    "do",
    "if",
    "then",
    "else",
    "match",
    "case",
    "def",
    "entry",
    "type",
    "module",
    "open",
    "local",
    "with",
    "val",
    "include",
    "assert",
    "*",
    ":",
    ":>",
    "->",
    "\\",
    "|>",
    "..",
    "...",
    "..<",
    "#",
    "#[",
    "'",
    "'a",
    "'^a",
    "'~",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ".",
    "=",
    "?",
    "???",
    "_",
    "`",
    "-",
    "!",
    "0",
    "9223372036854775808",
    "1i8",
    "i64",
    "f32",
    "\"",
    "true",
    "--",
    "#some",
];

/// The text with some edits, of tokens or of whole expressions, that the seed chooses.
pub fn mutate(text: &str, seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut text = text.to_owned();
    for _ in 0..1 + rng.below(3) {
        text = if rng.chance(50) { edit_tokens(&mut rng, &text) } else { edit_tree(&mut rng, &text) };
    }
    text
}

/// The text cut into words, numbers and names, and single other characters.
fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let kind = |c: char| (c.is_alphanumeric() || c == '_' || c == '\'', c == ' ', c == '\n');
        let same = rest.find(|c| kind(c) != kind(first)).unwrap_or(rest.len());
        // Punctuation is cut after each character.
        let end = if kind(first) == (false, false, false) { first.len_utf8() } else { same };
        let (token, after) = rest.split_at(end);
        found.push(token);
        rest = after;
    }
    found
}

fn edit_tokens(rng: &mut Rng, text: &str) -> String {
    let tokens = tokens(text);
    if tokens.is_empty() {
        return WORDS[rng.below(WORDS.len())].to_owned();
    }
    let solid: Vec<usize> = (0..tokens.len()).filter(|k| !tokens[*k].trim().is_empty()).collect();
    let at = *rng.pick(&solid).unwrap_or(&0);
    let other = *rng.pick(&solid).unwrap_or(&0);
    let word = *rng.pick(&WORDS).unwrap_or(&"in");
    let mut edited: Vec<String> = tokens.iter().map(|token| (*token).to_owned()).collect();
    match rng.below(9) {
        0 | 1 => edited[at].clear(),
        2 => edited[at] = tokens[other].to_owned(),
        3 => edited.swap(at, other),
        4 => edited[at] = word.to_owned(),
        5 => edited.insert(at, format!(" {word} ")),
        6 => edited.truncate(at),
        7 => drop(edited.drain(at.min(other)..(at.min(other) + rng.below(8)).min(tokens.len()))),
        _ => {
            let copied = edited[other..(other + 1 + rng.below(12)).min(tokens.len())].concat();
            edited.insert(at, copied);
        }
    }
    edited.concat()
}

/// Puts one expression of the text in the place of another, or takes one away.
fn edit_tree(rng: &mut Rng, text: &str) -> String {
    let mut spans = Vec::new();
    let source = Source { name: "mutated.fut".into(), text: text.into() };
    if let Ok(program) = fun_frontend::parse::parse_program(&source, 0) {
        spans.extend(program.spans.iter().copied());
        for declaration in &program.declarations {
            if let Declaration::Value(value) = declaration {
                spans_of(&value.body, &mut spans);
                spans.extend(value.params.iter().map(|param| param.span));
                spans.extend(value.result.iter().map(|ty| ty.span));
            }
        }
    }
    let (Some(to), Some(from)) = (rng.pick(&spans).copied(), rng.pick(&spans).copied()) else {
        return edit_tokens(rng, text);
    };
    let part = |span: Span| text.get(span.start as usize..span.end as usize).unwrap_or_default();
    let (before, after) = (&text[..to.start as usize], &text[to.end as usize..]);
    let new = match rng.below(6) {
        0..3 => format!("({})", part(from)),
        3 => part(from).to_owned(),
        4 => "()".to_owned(),
        _ => format!("({} {})", part(from), part(to)),
    };
    format!("{before}{new}{after}")
}

/// The places of an expression and of some of those in it.
fn spans_of(exp: &Exp, spans: &mut Vec<Span>) {
    spans.push(exp.span);
    match &exp.kind {
        ExpKind::Let { value, body, pattern, .. } => {
            spans.push(pattern.span);
            spans_of(value, spans);
            spans_of(body, spans);
        }
        ExpKind::LetFunction(function) => {
            spans_of(&function.function, spans);
            spans_of(&function.body, spans);
        }
        ExpKind::Apply(a, b) | ExpKind::BinOp(_, a, b) => {
            spans_of(a, spans);
            spans_of(b, spans);
        }
        ExpKind::Parens(inner)
        | ExpKind::Lambda { body: inner, .. }
        | ExpKind::Negate(inner)
        | ExpKind::Not(inner)
        | ExpKind::Project(inner, _)
        | ExpKind::Index(inner, _)
        | ExpKind::Attribute(_, inner) => spans_of(inner, spans),
        ExpKind::Ascription(inner, ty) | ExpKind::Coercion(inner, ty) => {
            spans.push(ty.span);
            spans_of(inner, spans);
        }
        ExpKind::If(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().for_each(|part| spans_of(part, spans));
        }
        ExpKind::Tuple(parts) | ExpKind::ArrayLiteral(parts) => {
            parts.iter().for_each(|part| spans_of(part, spans));
        }
        ExpKind::Loop(repeated) => {
            spans.push(repeated.pattern.span);
            repeated.init.iter().for_each(|init| spans_of(init, spans));
            spans_of(&repeated.body, spans);
        }
        ExpKind::Match(subject, cases) => {
            spans_of(subject, spans);
            cases.iter().for_each(|case| spans_of(&case.body, spans));
        }
        ExpKind::With { array, value, .. } | ExpKind::WithField { record: array, value, .. } => {
            spans_of(array, spans);
            spans_of(value, spans);
        }
        // What is left is small, or made of what the others are made of.
        _ => {}
    }
}

/// Whether the front end keeps the law on a text. The error says what it did instead.
pub fn judge(text: &str) -> Result<(), String> {
    let source = Source { name: "mutated.fut".into(), text: text.into() };
    let start = Instant::now();
    let outcome = fun_frontend::compile::compile(&source);
    if start.elapsed() > LONGEST {
        return Err(format!("it takes {:?}", start.elapsed()));
    }
    match outcome {
        Ok(compiled) => check_program(&compiled.program, Phase::Any).map_err(|errors| {
            let first = errors.first().map(ToString::to_string);
            format!("it gives a program that is not well-formed: {}", first.unwrap_or_default())
        }),
        Err(errors) if errors.is_empty() => Err("it refuses without an error".to_owned()),
        Err(errors) => {
            for error in errors {
                let what = format!("{} {}", error.code, error.message);
                match error.primary {
                    None => return Err(format!("an error without a place: {what}")),
                    Some((span, _)) if span.file == 0 && span.end as usize > text.len() => {
                        return Err(format!("an error outside of the text: {what}"));
                    }
                    Some(_) => {}
                }
                // Derivatives of functions that call themselves, and entry points of types that no value has, are documented.
                let known = ["the derivative of", "an entry point"];
                let is_known = known.iter().any(|known| error.message.contains(known));
                if error.code == "limitation" && !is_known
                    || what.contains("bug in FUN")
                    || error.code == "internal"
                {
                    return Err(what);
                }
            }
            Ok(())
        }
    }
}
