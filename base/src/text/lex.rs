//! From characters to tokens. `//` starts a comment that lasts until the end of the line.

use super::{PUNCTUATION, Parse, TextError, Token, split_var};
use crate::name::Symbol;
use crate::prim::{PrimType, PrimValue};
use crate::source::{Source, Span};

/// All tokens of a source with their places; the last one is [`Token::End`].
pub(super) fn tokens(source: &Source, file: u32) -> Parse<Vec<(Token, Span)>> {
    let mut lexer = Lexer { source, file, at: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blank();
        let start = lexer.at;
        let token = lexer.token()?;
        let done = token == Token::End;
        tokens.push((token, lexer.span_from(start)));
        if done {
            return Ok(tokens);
        }
    }
}

struct Lexer<'s> {
    source: &'s Source,
    file: u32,
    at: usize,
}

impl<'s> Lexer<'s> {
    fn rest(&self) -> &'s str {
        &self.source.text[self.at..]
    }

    fn span_from(&self, start: usize) -> Span {
        Span { file: self.file, start: start as u32, end: self.at as u32 }
    }

    fn error(&self, start: usize, message: impl Into<String>) -> TextError {
        let loc = self.source.loc(start as u32);
        TextError { message: message.into(), loc, span: self.span_from(start) }
    }

    fn skip_blank(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with("//") {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    /// Passes characters as long as they satisfy the test.
    fn take_while(&mut self, test: impl Fn(char) -> bool) -> &'s str {
        let rest = self.rest();
        let length = rest.find(|c| !test(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn token(&mut self) -> Parse<Token> {
        let rest = self.rest();
        let unsigned = rest.strip_prefix('-').unwrap_or(rest);
        let Some(first) = rest.chars().next() else { return Ok(Token::End) };
        if unsigned.starts_with(|c: char| c.is_ascii_digit()) {
            return self.number();
        }
        if let Some(length) = special_float(unsigned) {
            let start = self.at;
            self.at += rest.len() - unsigned.len() + length;
            let text = &self.source.text[start..self.at];
            let value = PrimValue::parse(text);
            return value
                .map(Token::Literal)
                .ok_or_else(|| self.error(start, format!("`{text}` is no value")));
        }
        if is_word_start(first) {
            return Ok(match self.take_while(is_word_char) {
                "true" => Token::Literal(PrimValue::Bool(true)),
                "false" => Token::Literal(PrimValue::Bool(false)),
                word => split_var(word).map_or_else(|| Token::Word(Symbol::new(word)), Token::Var),
            });
        }
        if first == '"' {
            return self.string();
        }
        if let Some(punct) = PUNCTUATION.into_iter().find(|punct| rest.starts_with(punct)) {
            self.at += punct.len();
            return Ok(Token::Punct(punct));
        }
        let start = self.at;
        self.at += first.len_utf8();
        Err(self.error(start, format!("the character {first:?} has no meaning here")))
    }

    /// `-? digits (. digits)? (e [+-]? digits)? suffix?`
    fn number(&mut self) -> Parse<Token> {
        let start = self.at;
        let digit = |c: char| c.is_ascii_digit();
        self.at += usize::from(self.rest().starts_with('-'));
        self.take_while(digit);
        if self.rest().strip_prefix('.').is_some_and(|rest| rest.starts_with(digit)) {
            self.at += 1;
            self.take_while(digit);
        }
        if let Some(exponent) = self.rest().strip_prefix('e') {
            let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if digits.starts_with(digit) {
                self.at = self.source.text.len() - digits.len();
                self.take_while(digit);
            }
        }
        self.take_while(is_word_char);
        let text = &self.source.text[start..self.at];
        if let Ok(n) = text.parse() {
            return Ok(Token::Int(n));
        }
        let value = PrimValue::parse(text);
        value
            .map(Token::Literal)
            .ok_or_else(|| self.error(start, format!("`{text}` is no number, or too large")))
    }

    fn string(&mut self) -> Parse<Token> {
        let start = self.at;
        let mut text = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        let unfinished = "the string does not end";
        loop {
            let (at, c) = chars.next().ok_or_else(|| self.error(start, unfinished))?;
            match c {
                '"' => {
                    self.at += at + 1;
                    return Ok(Token::Text(text));
                }
                '\\' => {
                    let (at, escape) = chars.next().ok_or_else(|| self.error(start, unfinished))?;
                    text.push(match escape {
                        'n' => '\n',
                        'r' => '\r',
                        't' => '\t',
                        '"' | '\\' => escape,
                        'u' => {
                            let hex: String =
                                chars.by_ref().map(|(_, c)| c).take_while(|c| *c != '}').collect();
                            let code =
                                hex.strip_prefix('{').and_then(|hex| u32::from_str_radix(hex, 16).ok());
                            let code = code.and_then(char::from_u32);
                            code.ok_or_else(|| self.error(start + at, "no character has this code"))?
                        }
                        _ => return Err(self.error(start + at, format!("unknown escape {escape:?}"))),
                    });
                }
                c => text.push(c),
            }
        }
    }
}

fn is_word_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '\''
}

/// The length of `f32.inf`, `f32.nan` or `f32.nan:0x…` at the start of the text.
fn special_float(text: &str) -> Option<usize> {
    let (t, rest) = text.split_at_checked(3)?;
    let mut after = rest.strip_prefix(".inf").or_else(|| rest.strip_prefix(".nan"))?;
    PrimType::from_name(t).filter(|t| t.is_float())?;
    if after.starts_with(is_word_char) {
        return None;
    }
    if let Some(hex) = after.strip_prefix(":0x") {
        after = hex.trim_start_matches(|c: char| c.is_ascii_hexdigit());
    }
    Some(text.len() - after.len())
}
