//! The common part of the text forms of the intermediate languages: tokens, and a cursor over them that the
//! hand-written recursive-descent parsers are made of.
//!
//! Every error names its place. Nesting is limited, so no input overflows the stack of the parser.

mod lex;

use crate::diag::Diagnostic;
use crate::name::{Symbol, Var};
use crate::prim::{PrimType, PrimValue};
use crate::source::{Loc, Source, Span};
use std::fmt;

/// How deep bodies and expressions may nest: far beyond what the compiler itself makes, and little enough for the stack of a
/// main thread.
pub const NESTING_LIMIT: usize = 500;

/// Why a text is not a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// What is wrong.
    pub message: String,
    /// Where, for people.
    pub loc: Loc,
    /// Where, in bytes of the source.
    pub span: Span,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.loc, self.message)
    }
}

impl std::error::Error for TextError {}

impl From<TextError> for Diagnostic {
    fn from(error: TextError) -> Diagnostic {
        Diagnostic::error("ir-syntax", error.message).at(error.span)
    }
}

/// The smallest units of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// A keyword or name: a letter or `_`, then letters, digits, `_` and `'`.
    Word(Symbol),
    /// A word that ends in `_` and a number: a variable, or a name where the grammar has one.
    Var(Var),
    /// An integer without suffix.
    Int(i64),
    /// A scalar with its type, or `true` or `false`. (`()` is two punctuation tokens.)
    Literal(PrimValue),
    /// A string, without its quotes and escapes.
    Text(String),
    /// One of [`PUNCTUATION`].
    Punct(&'static str),
    /// The end of the text.
    End,
}

/// The punctuation of all languages, longer ones before their prefixes.
pub const PUNCTUATION: [&str; 22] = [
    ":=", "->", "<-", "+=", "(", ")", "[", "]", "{", "}", ":", ",", "=", "<", "\\", "*", "+", "#", "@", ".",
    "-", ";",
];

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(word) => write!(f, "`{word}`"),
            Token::Var(var) => write!(f, "`{var}`"),
            Token::Int(n) => write!(f, "`{n}`"),
            Token::Literal(value) => write!(f, "`{value}`"),
            Token::Text(text) => f.write_str(&quote(text)),
            Token::Punct(punct) => write!(f, "`{punct}`"),
            Token::End => f.write_str("the end of the text"),
        }
    }
}

/// The text as a string token: in quotes, with escapes where needed. Reads back to the same text.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A location as statements carry it: `"file":line:column`.
pub fn print_loc(loc: Loc) -> String {
    format!("{}:{}:{}", quote(loc.file.as_str()), loc.line, loc.column)
}

/// A position in the tokens of a source.
pub struct Cursor<'s> {
    source: &'s Source,
    tokens: Vec<(Token, Span)>,
    at: usize,
    depth: usize,
}

/// What parsing gives.
pub type Parse<T> = Result<T, TextError>;

impl<'s> Cursor<'s> {
    /// The start of a source. Spans say that the source is number `file` of the list at hand.
    pub fn new(source: &'s Source, file: u32) -> Parse<Cursor<'s>> {
        let tokens = lex::tokens(source, file)?;
        Ok(Cursor { source, tokens, at: 0, depth: 0 })
    }

    /// The next token.
    pub fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    /// The token after the next.
    pub fn peek_second(&self) -> &Token {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + 1).min(last)].0
    }

    /// The span of the next token.
    pub fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    /// The next token, which is passed (the end stays).
    pub fn advance(&mut self) -> Token {
        let token = self.tokens[self.at].0.clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    /// An error at the next token.
    pub fn error(&self, message: impl Into<String>) -> TextError {
        self.error_at(self.span(), message)
    }

    /// An error at a span.
    pub fn error_at(&self, span: Span, message: impl Into<String>) -> TextError {
        TextError { message: message.into(), loc: self.source.loc(span.start), span }
    }

    /// The error that the next token is not what the grammar demands.
    pub fn expected(&self, what: &str) -> TextError {
        self.error(format!("expected {what}, found {}", self.peek()))
    }

    /// Whether the next token is this punctuation.
    pub fn is_punct(&self, punct: &str) -> bool {
        matches!(self.peek(), Token::Punct(p) if *p == punct)
    }

    /// Whether the next token is this word.
    pub fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(w) if w.as_str() == word)
    }

    /// Passes this punctuation if it is next, and says whether it was.
    pub fn eat_punct(&mut self, punct: &str) -> bool {
        let found = self.is_punct(punct);
        if found {
            self.advance();
        }
        found
    }

    /// Passes this word if it is next, and says whether it was.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    /// Demands this punctuation.
    pub fn expect_punct(&mut self, punct: &str) -> Parse<()> {
        if self.eat_punct(punct) { Ok(()) } else { Err(self.expected(&format!("`{punct}`"))) }
    }

    /// Demands this word.
    pub fn expect_word(&mut self, word: &str) -> Parse<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    /// Any word; `what` is how the error calls it.
    pub fn word(&mut self, what: &str) -> Parse<Symbol> {
        let word = match self.peek() {
            Token::Word(word) => *word,
            Token::Var(var) => Symbol::new(&var.to_string()),
            _ => return Err(self.expected(what)),
        };
        self.advance();
        Ok(word)
    }

    /// Whether the next token is a variable.
    pub fn is_var(&self) -> bool {
        matches!(self.peek(), Token::Var(_))
    }

    /// A variable, `text_tag`.
    pub fn var(&mut self) -> Parse<Var> {
        let Token::Var(var) = *self.peek() else { return Err(self.expected("a variable (`name_1`)")) };
        self.advance();
        Ok(var)
    }

    /// An integer without suffix.
    pub fn int(&mut self) -> Parse<i64> {
        let Token::Int(n) = *self.peek() else { return Err(self.expected("a plain integer")) };
        self.advance();
        Ok(n)
    }

    /// An integer without suffix that fits its purpose (a dimension, a line).
    pub fn natural<T: TryFrom<i64>>(&mut self) -> Parse<T> {
        let span = self.span();
        let n = self.int()?;
        T::try_from(n).map_err(|_| self.error_at(span, format!("{n} is out of range here")))
    }

    /// Whether a scalar literal is next, `()` included.
    pub fn is_literal(&self) -> bool {
        matches!(self.peek(), Token::Literal(_))
            || (self.is_punct("(") && matches!(self.peek_second(), Token::Punct(")")))
    }

    /// A scalar literal, `()` included.
    pub fn literal(&mut self) -> Parse<PrimValue> {
        if let Token::Literal(value) = *self.peek() {
            self.advance();
            return Ok(value);
        }
        if !self.is_literal() {
            return Err(self.expected("a literal"));
        }
        self.advance();
        self.advance();
        Ok(PrimValue::Unit)
    }

    /// Whether the name of a primitive type is next.
    pub fn is_prim_type(&self) -> bool {
        matches!(self.peek(), Token::Word(word) if PrimType::from_name(word.as_str()).is_some())
    }

    /// A primitive type.
    pub fn prim_type(&mut self) -> Parse<PrimType> {
        let t = if let Token::Word(word) = self.peek() { PrimType::from_name(word.as_str()) } else { None };
        let t = t.ok_or_else(|| self.expected("a primitive type"))?;
        self.advance();
        Ok(t)
    }

    /// A string.
    pub fn text(&mut self) -> Parse<String> {
        let Token::Text(text) = self.peek() else { return Err(self.expected("a string")) };
        let text = text.clone();
        self.advance();
        Ok(text)
    }

    /// `# "file":line:column` if it is next.
    pub fn optional_loc(&mut self) -> Parse<Option<Loc>> {
        if !self.eat_punct("#") {
            return Ok(None);
        }
        let file = Symbol::new(&self.text()?);
        self.expect_punct(":")?;
        let line = self.natural()?;
        self.expect_punct(":")?;
        Ok(Some(Loc { file, line, column: self.natural()? }))
    }

    /// `open item, item, … close`; may be empty.
    pub fn comma_list<T>(
        &mut self,
        open: &str,
        close: &str,
        mut item: impl FnMut(&mut Cursor<'s>) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        self.expect_punct(open)?;
        let mut items = Vec::new();
        while !self.eat_punct(close) {
            if !items.is_empty() {
                self.expect_punct(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// One level of nesting: whatever recurses goes through here.
    pub fn nested<T>(&mut self, parse: impl FnOnce(&mut Cursor<'s>) -> Parse<T>) -> Parse<T> {
        if self.depth == NESTING_LIMIT {
            return Err(self.error(format!("nested deeper than {NESTING_LIMIT} levels")));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// Demands that everything has been read.
    pub fn end(&self) -> Parse<()> {
        if *self.peek() == Token::End { Ok(()) } else { Err(self.expected("the end of the text")) }
    }
}

/// The variable that a word is: `text_tag`, the tag in decimal without leading zeros.
fn split_var(word: &str) -> Option<Var> {
    let (text, digits) = word.rsplit_once('_')?;
    let plain = digits == "0" || digits.starts_with(|digit: char| ('1'..='9').contains(&digit));
    let tag: u32 = digits.parse().ok().filter(|_| plain)?;
    (!text.is_empty()).then(|| Var::new(text, tag))
}

#[cfg(test)]
mod tests;
