//! The parser of FutharkScript.
//!
//! ```text
//! exp  ::= "let" pat "=" exp "in" exp | name atom* | atom
//! atom ::= base ("." field)* | name "[" exp ,* "]"
//! base ::= name | literal | string | "(" exp ,* ")" | "[" exp ,+ "]" | "{" (field "=" exp) ,* "}" | "empty" "(" … ")"
//! pat  ::= name | "(" name ,* ")"
//! ```
//! Names may begin with `$`. An index or field follows without blanks.

use super::Exp;
use fun_base::value::{Value, ValueReader};

/// Deeper nesting is refused.
const MOST_NESTING: usize = 200;

/// The expression that a text is; the error is a message for the user.
pub(crate) fn parse(text: &str) -> Result<Exp, String> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    parser.blanks();
    let exp = parser.exp()?;
    if parser.rest().is_empty() { Ok(exp) } else { parser.expected("the end") }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

type Parsed<T> = Result<T, String>;

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with("--") {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    fn expected<T>(&self, what: &str) -> Parsed<T> {
        let found = self.rest().chars().next().map_or("the end".to_owned(), |_| {
            let word: String = self.rest().chars().take_while(|c| !c.is_whitespace()).take(20).collect();
            format!("`{word}`")
        });
        Err(format!("in the script: expected {what}, found {found}"))
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
            self.blanks();
        }
        found
    }

    fn demand(&mut self, token: &str) -> Parsed<()> {
        if self.take(token) { Ok(()) } else { self.expected(&format!("`{token}`")) }
    }

    /// The name that stands here, or nothing.
    fn peek_name(&self) -> &'a str {
        let rest = self.rest();
        let start = usize::from(rest.starts_with('$'));
        let body = &rest[start..];
        if !body.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return "";
        }
        let end = body.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\'')));
        &rest[..start + end.unwrap_or(body.len())]
    }

    fn name(&mut self) -> Parsed<String> {
        let name = self.peek_name();
        if name.is_empty() || matches!(name, "let" | "in") {
            return self.expected("a name");
        }
        self.at += name.len();
        self.blanks();
        Ok(name.to_owned())
    }

    fn exp(&mut self) -> Parsed<Exp> {
        self.depth += 1;
        if self.depth > MOST_NESTING {
            return Err("in the script: nested too deeply".to_owned());
        }
        let exp = self.open_exp()?;
        self.depth -= 1;
        Ok(exp)
    }

    fn open_exp(&mut self) -> Parsed<Exp> {
        if self.peek_name() == "let" {
            self.name_or_keyword();
            let names = if self.take("(") {
                let mut names = Vec::new();
                while !self.rest().starts_with(')') {
                    names.push(self.name()?);
                    if !self.take(",") {
                        break;
                    }
                }
                self.demand(")")?;
                names
            } else {
                vec![self.name()?]
            };
            self.demand("=")?;
            let value = self.exp()?;
            if self.peek_name() != "in" {
                return self.expected("`in`");
            }
            self.name_or_keyword();
            let body = self.exp()?;
            return Ok(Exp::Let(names, Box::new(value), Box::new(body)));
        }
        let head = self.atom()?;
        let Exp::Apply(name, mut args) = head else { return Ok(head) };
        while self.atom_follows() {
            args.push(self.atom()?);
        }
        Ok(Exp::Apply(name, args))
    }

    fn name_or_keyword(&mut self) {
        self.at += self.peek_name().len();
        self.blanks();
    }

    fn atom_follows(&self) -> bool {
        if matches!(self.peek_name(), "let" | "in") {
            return false;
        }
        let starts = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '(' | '[' | '{' | '"' | '-');
        self.rest().starts_with(starts)
    }

    fn atom(&mut self) -> Parsed<Exp> {
        self.depth += 1;
        if self.depth > MOST_NESTING {
            return Err("in the script: nested too deeply".to_owned());
        }
        let (mut exp, mut end) = self.base()?;
        // what follows belongs to the atom only without blanks between
        while self.at == end {
            if self.rest().starts_with('[') && matches!(exp, Exp::Apply(..) | Exp::Index(..) | Exp::Field(..))
            {
                self.take("[");
                let (indices, after) = self.sequence("]")?;
                exp = Exp::Index(Box::new(exp), indices);
                end = after;
            } else if let Some(field) = self.rest().strip_prefix('.') {
                let stop = field.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\'')));
                let field = &field[..stop.unwrap_or(field.len())];
                if field.is_empty() {
                    return self.expected("a field");
                }
                self.at += 1 + field.len();
                end = self.at;
                exp = Exp::Field(Box::new(exp), field.to_owned());
                self.blanks();
            } else {
                break;
            }
        }
        self.depth -= 1;
        Ok(exp)
    }

    /// An atom without what may follow it, and where its text ends.
    fn base(&mut self) -> Parsed<(Exp, usize)> {
        let rest = self.rest();
        if rest.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '"' | '-')) {
            return self.value();
        }
        if self.take("(") {
            let (mut parts, end) = self.sequence(")")?;
            return Ok(match parts.pop() {
                Some(only) if parts.is_empty() => (only, end),
                last => (Exp::Tuple(parts.into_iter().chain(last).collect()), end),
            });
        }
        if self.take("[") {
            let (elements, end) = self.sequence("]")?;
            return Ok((Exp::Array(elements), end));
        }
        if self.take("{") {
            let mut fields = Vec::new();
            while !self.rest().starts_with('}') {
                let field = self.name()?;
                self.demand("=")?;
                fields.push((field, self.exp()?));
                if !self.take(",") {
                    break;
                }
            }
            let end = self.at + 1;
            self.demand("}")?;
            return Ok((Exp::Record(fields), end));
        }
        match self.peek_name() {
            "true" | "false" => self.value(),
            // f32.nan and the like
            "f16" | "f32" | "f64" => self.value(),
            "empty" if rest["empty".len()..].trim_start().starts_with('(') => self.value(),
            name => {
                let end = self.at + name.len();
                Ok((Exp::Apply(self.name()?, Vec::new()), end))
            }
        }
    }

    /// Expressions with commas between, up to and with `close`; and where that ends.
    fn sequence(&mut self, close: &str) -> Parsed<(Vec<Exp>, usize)> {
        let mut parts = Vec::new();
        while !self.rest().starts_with(close) {
            parts.push(self.exp()?);
            if !self.take(",") {
                break;
            }
        }
        let end = self.at + close.len();
        self.demand(close)?;
        Ok((parts, end))
    }

    /// A value in the notation of data files.
    fn value(&mut self) -> Parsed<(Exp, usize)> {
        let mut reader = ValueReader::new(self.rest().as_bytes());
        let value: Option<Value> = reader.read(None).map_err(|error| format!("in the script: {error}"))?;
        let Some(value) = value else { return self.expected("a value") };
        let text = &self.rest()[..reader.offset()];
        self.at += text.len();
        let end = self.at;
        self.blanks();
        let plain = text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
            && !text.contains(['i', 'u', 'f', 'x', 'b']);
        Ok((if plain { Exp::Number(text.to_owned(), value) } else { Exp::Const(value) }, end))
    }
}
