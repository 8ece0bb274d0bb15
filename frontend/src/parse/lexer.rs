//! The lexer: text to tokens, without regard to what they mean together.
//!
//! It never fails: what it cannot read becomes a problem and, where that keeps the grammar going, a token that stands for
//! what was probably meant. As in Futhark, `a[` with no space between is an index, `a [` is not.

use super::number;
use super::problem::{Code, Problem};
use super::token::{Key, Kind, Op};
use crate::syntax::Literal;
use fun_base::name::Symbol;
use fun_base::source::Span;
use std::collections::HashMap;

/// The tokens of a text.
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    /// What they are.
    pub(crate) kinds: Vec<Kind>,
    /// Where they are; one more than `kinds`: the last is the end of the text.
    pub(crate) spans: Vec<Span>,
    /// Whether each is the first of its line, in the first column.
    pub(crate) line_starts: Vec<bool>,
    /// Documentation comments with the index of the token that follows, in order.
    pub(crate) docs: Vec<(usize, String)>,
    /// What could not be read.
    pub(crate) problems: Vec<Problem>,
}

/// Reads a whole text.
pub(crate) fn tokenize(text: &str, file: u32) -> Tokens {
    let mut lexer =
        Lexer { text, bytes: text.as_bytes(), at: 0, file, names: HashMap::new(), tokens: Tokens::default() };
    if u32::try_from(text.len()).is_err() {
        lexer.problem(Code::BadCharacter, 0, 0, "the text is longer than 4 GiB");
        lexer.at = text.len();
    }
    while lexer.at < text.len() {
        lexer.token();
    }
    let end = text.len() as u32;
    lexer.tokens.spans.push(Span { file, start: end, end });
    lexer.tokens
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    file: u32,
    /// Symbols met so far: saves the lock of the global table.
    names: HashMap<&'t str, Symbol>,
    tokens: Tokens,
}

pub(super) fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

pub(super) fn is_name_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'\''
}

fn is_op_start(byte: u8) -> bool {
    matches!(byte, b'+' | b'-' | b'*' | b'/' | b'%' | b'=' | b'!' | b'>' | b'<' | b'|' | b'&' | b'^')
}

fn is_op_part(byte: u8) -> bool {
    is_op_start(byte) || byte == b'.'
}

impl<'t> Lexer<'t> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn symbol(&mut self, text: &'t str) -> Symbol {
        *self.names.entry(text).or_insert_with(|| Symbol::new(text))
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start: start as u32, end: end as u32 }
    }

    fn problem(&mut self, code: Code, start: usize, end: usize, message: impl Into<String>) {
        let span = self.span(start, end);
        self.tokens.problems.push(Problem::new(code, span, message));
    }

    /// Adds the token that runs from `start` to the current place.
    fn push(&mut self, kind: Kind, start: usize) {
        let span = self.span(start, self.at);
        self.tokens.kinds.push(kind);
        self.tokens.line_starts.push(start == 0 || self.bytes[start - 1] == b'\n');
        self.tokens.spans.push(span);
    }

    fn key(&mut self, key: Key, length: usize) {
        let start = self.at;
        self.at += length;
        self.push(Kind::Key(key), start);
    }

    fn token(&mut self) {
        let rest = &self.bytes[self.at..];
        match rest[0] {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => self.at += 1,
            b'-' if rest.starts_with(b"--") => self.comment(),
            b'0'..=b'9' => self.number(),
            b'_' if !(is_name_part(self.peek(1))) => self.key(Key::Underscore, 1),
            byte if is_name_start(byte) => self.name(),
            b'"' => self.string(),
            b'\'' => self.quote(),
            b'#' if self.peek(1) == b'[' => self.key(Key::HashBracket, 2),
            b'#' if is_name_start(self.peek(1)) => self.constructor(),
            b'(' => self.key(Key::LeftParen, 1),
            b')' => self.key(Key::RightParen, 1),
            b'[' => {
                let key = if self.index_follows() { Key::IndexBracket } else { Key::LeftBracket };
                self.key(key, 1);
            }
            b']' => self.key(Key::RightBracket, 1),
            b'{' => self.key(Key::LeftBrace, 1),
            b'}' => self.key(Key::RightBrace, 1),
            b',' => self.key(Key::Comma, 1),
            b'?' if rest.starts_with(b"???") => self.key(Key::Hole, 3),
            b'?' => self.key(Key::Question, 1),
            b':' if self.peek(1) == b'>' => self.key(Key::ColonGreater, 2),
            b':' => self.key(Key::Colon, 1),
            b'\\' => self.key(Key::Backslash, 1),
            b'~' => self.key(Key::Tilde, 1),
            b'`' => self.key(Key::Backtick, 1),
            b'$' => self.key(Key::Dollar, 1),
            b'.' if rest.starts_with(b"..<") => self.key(Key::DotsLess, 3),
            b'.' if rest.starts_with(b"..>") => self.key(Key::DotsGreater, 3),
            b'.' if rest.starts_with(b"...") => self.key(Key::Dots3, 3),
            b'.' if rest.starts_with(b"..") => self.key(Key::Dots2, 2),
            b'.' => self.key(Key::Dot, 1),
            byte if is_op_start(byte) => self.operator(None, self.at),
            _ => self.unknown(),
        }
    }

    /// Whether a `[` here touches something that can be indexed.
    fn index_follows(&self) -> bool {
        let touches = self.at > 0
            && matches!(self.bytes[self.at - 1], b')' | b']' | b'\'' | b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9');
        touches
            && match self.tokens.kinds.last() {
                Some(Kind::Key(key)) => matches!(key, Key::RightParen | Key::RightBracket),
                Some(Kind::Name(_) | Kind::Nat(..) | Kind::Literal(_) | Kind::Constructor(_)) => true,
                Some(Kind::Op(_)) | None => false,
            }
    }

    /// `-- …`; a block that starts with `-- |` documents what follows.
    fn comment(&mut self) {
        let line_end = |from: usize| {
            self.bytes[from..].iter().position(|b| *b == b'\n').map_or(self.bytes.len(), |n| from + n)
        };
        let mut end = line_end(self.at);
        let Some(first) = self.text[self.at..end].strip_prefix("-- |") else {
            self.at = end;
            return;
        };
        let mut lines = vec![first.trim()];
        loop {
            let next = &self.text[(end + 1).min(self.text.len())..];
            let indent = next.len() - next.trim_start_matches([' ', '\t']).len();
            if !next[indent..].starts_with("--") {
                break;
            }
            let start = end + 1 + indent;
            end = line_end(start);
            let line = &self.text[start + 2..end];
            lines.push(line.strip_prefix(' ').unwrap_or(line).trim_end());
        }
        self.tokens.docs.push((self.tokens.kinds.len(), lines.join("\n").trim().to_string()));
        self.at = end;
    }

    fn word(&self, from: usize) -> &'t str {
        let length =
            self.bytes[from..].iter().position(|b| !is_name_part(*b)).unwrap_or(self.bytes.len() - from);
        &self.text[from..from + length]
    }

    fn name(&mut self) {
        let start = self.at;
        let word = self.word(start);
        if let Some(key) = Key::keyword(word) {
            self.key(key, word.len());
            return;
        }
        // `M.N.+` is one token; `M.N.x` is not
        let mut end = start + word.len();
        while self.bytes.get(end) == Some(&b'.') {
            match self.bytes.get(end + 1) {
                Some(byte) if is_op_start(*byte) => {
                    let qualifier = self.symbol(&self.text[start..end]);
                    self.at = end + 1;
                    self.operator(Some(qualifier), start);
                    return;
                }
                Some(byte) if is_name_start(*byte) => end += 1 + self.word(end + 1).len(),
                _ => break,
            }
        }
        self.at = start + word.len();
        let symbol = self.symbol(word);
        self.push(Kind::Name(symbol), start);
    }

    fn constructor(&mut self) {
        let start = self.at;
        let word = self.word(start + 1);
        self.at = start + 1 + word.len();
        let symbol = self.symbol(word);
        self.push(Kind::Constructor(symbol), start);
    }

    /// The operator at the current place, of a token that starts at `start`.
    fn operator(&mut self, qualifier: Option<Symbol>, start: usize) {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|b| !is_op_part(*b)).unwrap_or(rest.len());
        let text = &self.text[self.at..self.at + length];
        self.at += length;
        let kind = match text {
            "->" if qualifier.is_none() => Kind::Key(Key::Arrow),
            "=" if qualifier.is_none() => Kind::Key(Key::Equals),
            "!" if qualifier.is_none() => Kind::Key(Key::Bang),
            _ => Kind::Op(Op::new(qualifier, text)),
        };
        self.push(kind, start);
    }

    fn number(&mut self) {
        let start = self.at;
        let after_dot = matches!(self.tokens.kinds.last(), Some(Kind::Key(Key::Dot)))
            && self.tokens.spans.last().is_some_and(|span| span.end as usize == start);
        let (length, result) = number::scan(&self.text[start..], after_dot);
        self.at = start + length;
        let text = &self.text[start..self.at];
        match result {
            Ok(number::Number::Nat(value)) => {
                let symbol = self.symbol(text);
                self.push(Kind::Nat(symbol, value), start);
            }
            Ok(number::Number::Literal(literal)) => self.push(Kind::Literal(literal), start),
            Err((code, message)) => {
                self.problem(code, start, self.at, message);
                self.push(Kind::Literal(Literal::Int(0)), start);
            }
        }
    }

    /// A character literal or the quote of a type parameter.
    fn quote(&mut self) {
        let start = self.at;
        let rest = &self.text[start + 1..];
        let mut chars = rest.chars();
        match chars.next() {
            Some('\\') => {
                self.at += 1;
                if let Some(value) = self.escape() {
                    if self.peek(0) == b'\'' {
                        self.at += 1;
                        self.push(Kind::Literal(Literal::Char(value)), start);
                        return;
                    }
                    self.problem(
                        Code::BadCharacterLiteral,
                        start,
                        self.at,
                        "this character literal has no closing `'`",
                    );
                }
                self.push(Kind::Literal(Literal::Char(0)), start);
            }
            Some(c) if c != '\'' && c != '\n' && chars.next() == Some('\'') => {
                self.at += 2 + c.len_utf8();
                self.push(Kind::Literal(Literal::Char(c as u32)), start);
            }
            Some('^') => self.key(Key::QuoteHat, 2),
            Some('~') => self.key(Key::QuoteTilde, 2),
            _ => self.key(Key::Quote, 1),
        }
    }

    fn string(&mut self) {
        let start = self.at;
        let mut bytes = Vec::new();
        self.at += 1;
        loop {
            match self.text[self.at..].chars().next() {
                Some('"') => {
                    self.at += 1;
                    break;
                }
                None | Some('\n') => {
                    self.problem(
                        Code::UnterminatedString,
                        start,
                        self.at,
                        "this string has no closing `\"` on its line",
                    );
                    break;
                }
                Some('\\') => {
                    if let Some(value) = self.escape() {
                        let c = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
                        bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                    }
                }
                Some(c) => {
                    self.at += c.len_utf8();
                    bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
            }
        }
        self.push(Kind::Literal(Literal::String(bytes)), start);
    }

    /// The escape at the current `\`; steps over it. A problem is recorded when there is no such escape.
    fn escape(&mut self) -> Option<u32> {
        let start = self.at;
        let next = self.text[start + 1..].chars().next();
        self.at += 1 + next.map_or(0, char::len_utf8);
        let (radix, from) = match next {
            Some('n') => return Some(10),
            Some('t') => return Some(9),
            Some('r') => return Some(13),
            Some('a') => return Some(7),
            Some('b') => return Some(8),
            Some('f') => return Some(12),
            Some('v') => return Some(11),
            Some(c @ ('\\' | '\'' | '"')) => return Some(c as u32),
            Some('x') => (16, self.at),
            Some('o') => (8, self.at),
            Some('0'..='9') => (10, self.at - 1),
            _ => {
                self.problem(Code::BadEscape, start, self.at, "there is no such escape");
                if let Some(problem) = self.tokens.problems.last_mut() {
                    problem.hint = Some(
                        "known are \\n \\t \\r \\a \\b \\f \\v \\\\ \\' \\\" and codes: \\65 \\x41 \\o101"
                            .into(),
                    );
                }
                return None;
            }
        };
        let digits = self.bytes[from..].iter().take_while(|b| (**b as char).is_digit(radix)).count();
        self.at = from + digits;
        let value = u32::from_str_radix(&self.text[from..self.at], radix).ok().and_then(char::from_u32);
        if value.is_none() {
            self.problem(Code::BadEscape, start, self.at, "this escape is not the code of a character");
        }
        value.map(|c| c as u32)
    }

    fn unknown(&mut self) {
        let start = self.at;
        let c = self.text[start..].chars().next().unwrap_or(' ');
        self.at += c.len_utf8();
        let code = c as u32;
        let message = if c.is_control() || c.is_whitespace() {
            format!("the character U+{code:04X} has no meaning here")
        } else {
            format!("the character `{c}` has no meaning here")
        };
        self.problem(Code::BadCharacter, start, self.at, message);
        let hint = match c {
            ';' => Some("declarations and bindings need no separator"),
            '“' | '”' | '„' => Some("strings stand between straight quotes: \"…\""),
            '‘' | '’' => Some("characters stand between straight quotes: 'x'"),
            'λ' => Some("a lambda is written \\x -> …"),
            '→' => Some("the arrow is written ->"),
            '×' => Some("multiplication is written *"),
            '≤' => Some("at most is written <="),
            '≥' => Some("at least is written >="),
            '≠' => Some("different is written !="),
            '−' => Some("minus is written -"),
            '@' | '#' => None,
            _ if c.is_alphabetic() => Some("names consist of the letters a-z and A-Z, digits, `_` and `'`"),
            _ => None,
        };
        if let (Some(hint), Some(problem)) = (hint, self.tokens.problems.last_mut()) {
            problem.hint = Some(hint.into());
        }
    }
}
