//! From failures to problems: what was expected, what was found, and what probably went wrong.

use super::lexer::Tokens;
use super::problem::{Code, Problem};
use super::state::{Expected, Failure, Label, NESTING_LIMIT};
use super::token::{Key, Kind};
use fun_base::diag::suggest;
use fun_base::source::Span;

/// How far back a misspelt keyword is looked for.
const LOOK_BACK: usize = 30;

/// What there is to say about a failure in the declaration that starts at token `start`.
pub(super) fn explain(failure: &Failure, tokens: &Tokens, start: usize) -> Problem {
    let at = failure.at.min(tokens.kinds.len());
    let span = tokens.spans[at];
    let found = tokens.kinds.get(at);
    if let Some((code, message)) = failure.special {
        let mut problem = Problem::new(code, span, message);
        problem.at_end = found.is_none();
        if code == Code::TooDeep {
            problem.hint = Some(format!("at most {NESTING_LIMIT} levels; give parts of it names"));
        }
        return problem;
    }
    let ends = found.is_none_or(|kind| match kind {
        Kind::Key(Key::Def | Key::Entry | Key::Type | Key::Module) => true,
        Kind::Key(Key::Let) => tokens.line_starts[at],
        _ => false,
    });
    let open = open_brackets(tokens, start, at);
    if let Some(mut problem) = unbalanced(tokens, &open, at, ends) {
        problem.at_end = found.is_none();
        return problem;
    }
    let mut problem = if failure.expected.has(Key::In) {
        missing_in(tokens, start, at)
    } else {
        let code = if found.is_none() { Code::UnexpectedEnd } else { Code::Unexpected };
        Problem::new(code, span, format!("expected {}, found {}", list(failure.expected), describe(found)))
    };
    problem.at_end = found.is_none();
    if let Some((place, keyword)) = misspelt(failure.expected, tokens, start, at) {
        problem.labels.push((place, format!("did you mean `{keyword}`?")));
        problem.hint = Some(format!("did you mean `{keyword}`?"));
    } else if let Some(hint) = hint(failure.expected, found) {
        problem.hint = Some(hint);
    }
    problem
}

/// What there is to say about the token `at` that follows a complete declaration or expression.
pub(super) fn after_declaration(tokens: &Tokens, start: usize, at: usize, next: &str) -> Problem {
    let found = tokens.kinds.get(at);
    let open = open_brackets(tokens, start, at);
    if let Some(problem) = unbalanced(tokens, &open, at, false) {
        return problem;
    }
    let message = format!("expected an operator or {next}, found {}", describe(found));
    let mut problem = Problem::new(Code::Unexpected, tokens.spans[at], message);
    problem.hint = match found {
        Some(Kind::Key(Key::In)) => Some("there is no `let` or `for` that this `in` belongs to".into()),
        Some(Kind::Key(Key::Then | Key::Else)) => Some("there is no `if` that this belongs to".into()),
        Some(Kind::Key(Key::Do)) => Some("there is no `loop` that this `do` belongs to".into()),
        Some(Kind::Key(Key::Case)) => Some("there is no `match` that this `case` belongs to".into()),
        _ => hint(Expected::default(), found),
    };
    problem
}

/// What there is to say about a token at the top level that starts no declaration.
pub(super) fn not_a_declaration(tokens: &Tokens, at: usize) -> Problem {
    let message = format!(
        "expected a declaration (`def`, `entry` or `type`), found {}",
        describe(tokens.kinds.get(at))
    );
    let mut problem = Problem::new(Code::Unexpected, tokens.spans[at], message);
    if let Some(Kind::Name(name)) = tokens.kinds.get(at) {
        let name = name.as_str();
        let keyword = match name {
            "fun" | "fn" | "func" | "function" | "val" | "var" | "const" | "define" => Some("def"),
            _ => suggest(name, ["def", "entry", "type", "let", "import", "open", "module", "local"]),
        };
        problem.hint = keyword.map(|keyword| format!("did you mean `{keyword}`?"));
    }
    problem
}

/// `a`, `a or b`, `one of a, b and c`.
fn list(expected: Expected) -> String {
    let mut texts = expected.texts();
    match texts.pop() {
        None => "something else".into(),
        Some(only) if texts.is_empty() => only,
        Some(last) => format!("{} or {last}", texts.join(", ")),
    }
}

/// Names longer than this are cut in messages.
const LONGEST_NAME: usize = 60;

/// How messages call a token.
fn describe(found: Option<&Kind>) -> String {
    let text = describe_whole(found);
    match text.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…`", &text[..end]),
        None => text,
    }
}

fn describe_whole(found: Option<&Kind>) -> String {
    match found {
        None => "the end of the text".into(),
        Some(Kind::Key(key)) if key.is_keyword() => format!("the keyword `{}`", key.text()),
        Some(Kind::Key(key)) => format!("`{}`", key.text()),
        Some(Kind::Name(name)) => format!("the name `{name}`"),
        Some(Kind::Nat(text, _)) => format!("the number {text}"),
        Some(Kind::Literal(_)) => "a literal".into(),
        Some(Kind::Constructor(name)) => format!("the constructor `#{name}`"),
        Some(Kind::Op(op)) => match op.qualifier {
            Some(module) => format!("the operator `{module}.{}`", op.name),
            None => format!("the operator `{}`", op.name),
        },
    }
}

fn closer(open: Key) -> Key {
    match open {
        Key::LeftParen => Key::RightParen,
        Key::LeftBrace => Key::RightBrace,
        _ => Key::RightBracket,
    }
}

/// The brackets that are open before token `at`.
fn open_brackets(tokens: &Tokens, start: usize, at: usize) -> Vec<(Key, usize)> {
    let mut open: Vec<(Key, usize)> = Vec::new();
    for (i, kind) in tokens.kinds.iter().enumerate().take(at).skip(start) {
        match kind {
            Kind::Key(
                key @ (Key::LeftParen
                | Key::LeftBracket
                | Key::IndexBracket
                | Key::LeftBrace
                | Key::HashBracket),
            ) => open.push((*key, i)),
            Kind::Key(key @ (Key::RightParen | Key::RightBracket | Key::RightBrace))
                if open.last().is_some_and(|(left, _)| closer(*left) == *key) =>
            {
                open.pop();
            }
            _ => {}
        }
    }
    open
}

/// A bracket that is closed by nothing, or that closes nothing.
fn unbalanced(tokens: &Tokens, open: &[(Key, usize)], at: usize, ends: bool) -> Option<Problem> {
    let innermost = open.last().copied();
    if let Some(Kind::Key(key @ (Key::RightParen | Key::RightBracket | Key::RightBrace))) =
        tokens.kinds.get(at)
    {
        let text = key.text();
        return match innermost {
            None => Some(Problem::new(
                Code::Unbalanced,
                tokens.spans[at],
                format!("this `{text}` closes nothing"),
            )),
            Some((left, _)) if closer(left) == *key => None,
            Some((left, place)) => {
                let wanted = closer(left).text();
                let message =
                    format!("this `{text}` stands where `{wanted}` should close the `{}`", left.text());
                let mut problem = Problem::new(Code::Unbalanced, tokens.spans[at], message);
                problem.labels.push((tokens.spans[place], "opened here".into()));
                Some(problem)
            }
        };
    }
    let (left, place) = innermost.filter(|_| ends)?;
    let message = format!("this `{}` is never closed", left.text());
    let mut problem = Problem::new(Code::Unbalanced, tokens.spans[place], message);
    problem.labels.push((tokens.spans[at], format!("`{}` was expected before this", closer(left).text())));
    Some(problem)
}

/// The last `let` before token `at` that has no `in` yet.
fn missing_in(tokens: &Tokens, start: usize, at: usize) -> Problem {
    let mut lets: Vec<usize> = Vec::new();
    let mut fors = 0usize;
    for (i, kind) in tokens.kinds.iter().enumerate().take(at).skip(start + 1) {
        match kind {
            Kind::Key(Key::Let) => lets.push(i),
            Kind::Key(Key::For) => fors += 1,
            Kind::Key(Key::Do) => fors = fors.saturating_sub(1),
            Kind::Key(Key::In) if fors > 0 => fors -= 1,
            Kind::Key(Key::In) => lets.clear(),
            _ => {}
        }
    }
    let found = describe(tokens.kinds.get(at));
    let message = format!("expected `in` and a body after this `let` binding, found {found}");
    let mut problem = Problem::new(Code::MissingIn, tokens.spans[at], message);
    if let Some(place) = lets.last() {
        problem.labels.push((tokens.spans[*place], "the binding starts here".into()));
    }
    problem.hint = Some("write `let x = … in …`; only before another `let` the `in` can be left out".into());
    problem
}

/// A name shortly before the failure that is nearly one of the expected keywords.
fn misspelt(expected: Expected, tokens: &Tokens, start: usize, at: usize) -> Option<(Span, &'static str)> {
    let from = at.saturating_sub(LOOK_BACK).max(start);
    // short keywords are close to too many names
    let keywords =
        || expected.keys().filter(|key| key.is_keyword()).map(Key::text).filter(|text| text.len() > 2);
    (from..=at).rev().find_map(|i| match tokens.kinds.get(i) {
        Some(Kind::Name(name)) => {
            suggest(&name.as_str().to_lowercase(), keywords()).map(|text| (tokens.spans[i], text))
        }
        _ => None,
    })
}

/// What often leads to finding this token.
fn hint(expected: Expected, found: Option<&Kind>) -> Option<String> {
    let text = match found? {
        Kind::Key(Key::Equals) if !expected.has(Key::Equals) => "equality is written `==`",
        Kind::Op(op) if op.name.as_str() == "==" && expected.has(Key::Equals) => {
            "a definition has a single `=`"
        }
        Kind::Op(op) if op.name.as_str() == "=>" && expected.has(Key::Arrow) => "the arrow is written `->`",
        Kind::Op(op) if op.name.as_str() == "<-" && expected.has(Key::Equals) => {
            "a definition is written with `=`"
        }
        Kind::Op(op) if expected.has(Key::Equals) && op.name.as_str().starts_with('=') => {
            return Some(format!("`{}` is one operator; put a space after the `=`", op.name));
        }
        Kind::Op(op) if expected.has(Key::Arrow) && op.name.as_str().starts_with("->") => {
            return Some(format!("`{}` is one operator; put a space after the `->`", op.name));
        }
        Kind::Key(Key::ColonGreater) if expected.has(Key::Colon) => "a type follows a single `:`",
        Kind::Key(Key::Bang) => "`!` stands only before its operand; different is written `!=`",
        Kind::Key(Key::Dollar) => "`f <| x` applies a function to everything on the right",
        Kind::Key(key)
            if key.is_keyword()
                && (expected.has_label(Label::Name) || expected.has_label(Label::Pattern)) =>
        {
            return Some(format!("`{}` is a keyword and cannot be a name", key.text()));
        }
        _ => return None,
    };
    Some(text.into())
}
