//! Source texts, spans in them, and the compact locations that the intermediate languages carry.

use crate::name::Symbol;
use std::fmt;

/// A source text: a `.fut` file, a line of the REPL, or an intermediate-language file.
#[derive(Clone, Debug)]
pub struct Source {
    /// What messages call it, usually the path as the user gave it.
    pub name: Symbol,
    /// The whole text.
    pub text: std::sync::Arc<str>,
}

/// The half-open byte range `start..end` of a source text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Span {
    /// Index of the text in the list of sources at hand (0: the main file; the prelude has its own).
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// First byte after.
    pub end: u32,
}

impl Span {
    /// The smallest span that covers both (of the file of `self`).
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A place in a source file that survives into the intermediate languages and compiled code; printed
/// as `file:line:column`, both 1-based, columns counted in characters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Loc {
    /// The source's name.
    pub file: Symbol,
    /// 1-based line.
    pub line: u32,
    /// 1-based column.
    pub column: u32,
}

impl fmt::Display for Loc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl Source {
    /// The location of a byte offset; offsets past the end give the end.
    pub fn loc(&self, offset: u32) -> Loc {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &self.text[..offset];
        let line = before.bytes().filter(|b| *b == b'\n').count() as u32 + 1;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        Loc { file: self.name, line, column: before[start..].chars().count() as u32 + 1 }
    }
}
