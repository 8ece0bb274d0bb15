//! Reading values from a stream that mixes Futhark's text and binary formats and `.npy`, one value after another.

use super::number::{parse_scalar, shorten};
use super::{ArrayData, ArrayValue, SizeError, Value, ValueType, binary, npy};
use crate::prim::PrimType;
use std::fmt;

/// The most dimensions that the formats allow: the binary one counts them in a byte.
const MAX_RANK: usize = 255;

/// What is wrong with a value file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueError {
    /// Byte offset from the start.
    pub offset: usize,
    /// 1-based line.
    pub line: usize,
    /// 1-based column, in bytes.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ValueError {}

/// A problem at an offset; lines are counted only once it is reported.
pub(super) type Problem = (usize, String);

/// Reads values one after another.
///
/// A value is binary where the first byte that is not blank is `b`, `.npy` where it is 0x93, and text otherwise.
/// Text may have `--` comments. Numbers without suffix take the expected type; a suffix must agree with it.
pub struct ValueReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> ValueReader<'a> {
    /// A reader at the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> ValueReader<'a> {
        ValueReader { bytes, at: 0 }
    }

    /// The next value; `None` at the end. With an expectation, a value of another type is an error. After an error
    /// the rest of the stream cannot be trusted.
    pub fn read(&mut self, expected: Option<ValueType>) -> Result<Option<Value>, ValueError> {
        self.read_value(expected).map_err(|problem| self.error(problem))
    }

    /// All values up to the end.
    pub fn read_all(&mut self) -> Result<Vec<Value>, ValueError> {
        let mut values = Vec::new();
        while let Some(value) = self.read(None)? {
            values.push(value);
        }
        Ok(values)
    }

    /// Exactly these values, and then the end.
    pub fn read_exactly(&mut self, expected: &[ValueType]) -> Result<Vec<Value>, ValueError> {
        let mut values = Vec::new();
        for (i, t) in expected.iter().enumerate() {
            match self.read(Some(*t))? {
                Some(value) => values.push(value),
                None => {
                    let message = format!("expected {} values, but only {i} are given", expected.len());
                    return Err(self.error((self.at, message)));
                }
            }
        }
        self.skip_blanks();
        if self.at < self.bytes.len() {
            let message = format!("expected {} values, but more are given", expected.len());
            return Err(self.error((self.at, message)));
        }
        Ok(values)
    }

    /// How far the reader has come.
    pub fn offset(&self) -> usize {
        self.at
    }

    fn error(&self, (offset, message): Problem) -> ValueError {
        let before = &self.bytes[..offset.min(self.bytes.len())];
        let line = before.iter().filter(|b| **b == b'\n').count() + 1;
        let start = before.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        ValueError { offset, line, column: before.len() - start + 1, message }
    }

    fn read_value(&mut self, expected: Option<ValueType>) -> Result<Option<Value>, Problem> {
        self.skip_blanks();
        let start = self.at;
        let rest = &self.bytes[start..];
        let value = match rest {
            [] => return Ok(None),
            [b'b', ..] => {
                let (value, length) = binary::read(rest).map_err(|(at, message)| (start + at, message))?;
                self.at += length;
                value
            }
            [0x93, ..] => {
                let (value, length) = npy::read_prefix(rest).map_err(|message| (start, message))?;
                self.at += length;
                value
            }
            [b'[', ..] => match expected {
                Some(t) if t.rank == 0 => return Err((start, format!("expected {t}, found an array"))),
                _ => self.read_array(expected)?,
            },
            [b'"', ..] => self.read_string()?,
            _ => {
                let word = self.word();
                match (word, expected) {
                    (b"empty", _) => self.read_empty()?,
                    (_, Some(t)) if t.rank > 0 => {
                        return Err((start, format!("expected {t}, found `{}`", shorten(self.shown(start)))));
                    }
                    (b"", _) => {
                        return Err((
                            start,
                            format!("expected a value, found `{}`", shorten(self.shown(start))),
                        ));
                    }
                    _ => parse_scalar(word, expected.map(|t| t.elem))
                        .map_err(|message| (start, message))?
                        .into(),
                }
            }
        };
        match expected {
            Some(t) if t != value.value_type() => Err((
                start,
                format!("expected a value of type {t}, found one of type {}", value.value_type()),
            )),
            _ => Ok(Some(value)),
        }
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = &self.bytes[self.at..];
            let blanks =
                rest.iter().position(|b| !b.is_ascii_whitespace() && *b != 0x0b).unwrap_or(rest.len());
            self.at += blanks;
            if !rest[blanks..].starts_with(b"--") {
                return;
            }
            let rest = &self.bytes[self.at..];
            self.at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        }
    }

    /// The characters that make up a number or name, or `()`; nothing before anything else.
    fn word(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(b"()") {
            self.at += 2;
            return &rest[..2];
        }
        let in_word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'+' | b'_' | b':');
        let mut length = 0;
        while length < rest.len() && in_word(rest[length]) && !rest[length..].starts_with(b"--") {
            length += 1;
        }
        self.at += length;
        &rest[..length]
    }

    /// The word at an offset, or the character there, for messages.
    fn shown(&self, offset: usize) -> &'a [u8] {
        let mut ahead = ValueReader { bytes: self.bytes, at: offset };
        match ahead.word() {
            b"" => &self.bytes[offset..self.bytes.len().min(offset + 1)],
            word => word,
        }
    }

    fn expected_but(&self, what: &str) -> Problem {
        match self.shown(self.at) {
            b"" => (self.at, format!("expected {what}, but the input ends")),
            found => (self.at, format!("expected {what}, found `{}`", shorten(found))),
        }
    }

    fn take(&mut self, punctuation: u8) -> Result<(), Problem> {
        self.skip_blanks();
        if self.bytes.get(self.at) != Some(&punctuation) {
            return Err(self.expected_but(&format!("`{}`", char::from(punctuation))));
        }
        self.at += 1;
        Ok(())
    }

    /// An array in brackets, whose parts may be strings and `empty(…)`. The depth of the first scalar, or the expectation, is the rank; the first row of each
    /// depth fixes the size.
    fn read_array(&mut self, expected: Option<ValueType>) -> Result<Value, Problem> {
        let start = self.at;
        let mut rank = expected.map(|t| t.rank);
        let mut data = expected.map(|t| ArrayData::new(t.elem));
        // Of each depth: the size if known, and the elements so far of the row that is open.
        let mut sizes: Vec<Option<i64>> = Vec::new();
        let mut counts: Vec<i64> = Vec::new();
        let mut deepest = 0;
        // Whether a value may or must come next, or a comma or bracket.
        let mut value_next = true;
        loop {
            self.skip_blanks();
            let here = self.at;
            match self.bytes.get(here) {
                None => return Err((start, "the array that begins here is not closed".to_owned())),
                Some(b']') if !counts.is_empty() && (!value_next || counts.last() == Some(&0)) => {
                    self.at += 1;
                    let depth = counts.len() - 1;
                    let count = counts.pop().unwrap_or_default();
                    let size = *sizes[depth].get_or_insert(count);
                    if size != count {
                        return Err((
                            here,
                            format!("this row has size {count}, but earlier ones have size {size}"),
                        ));
                    }
                    match counts.last_mut() {
                        None => break,
                        Some(count) => *count += 1,
                    }
                    value_next = false;
                }
                Some(b',') if !value_next => {
                    self.at += 1;
                    value_next = true;
                }
                Some(b'[') if value_next => {
                    self.at += 1;
                    counts.push(0);
                    deepest = deepest.max(counts.len());
                    if deepest > sizes.len() {
                        sizes.push(None);
                    }
                    if deepest > MAX_RANK {
                        return Err((here, format!("arrays have at most {MAX_RANK} dimensions")));
                    }
                    if rank.is_some_and(|rank| counts.len() > rank) {
                        return Err((here, self.wrong_depth(expected, "expected a scalar, found `[`")));
                    }
                }
                Some(b) if value_next && (*b == b'"' || *b == b'e' && self.shown(here) == b"empty") => {
                    let part = match self.read_value(None)? {
                        Some(Value::Array(part)) => part,
                        _ => return Err(self.expected_but("a value")),
                    };
                    // An array of its own form: it is a row of what is open, and its rows are those below.
                    deepest = deepest.max(counts.len() + part.rank());
                    sizes.resize(sizes.len().max(deepest), None);
                    if *rank.get_or_insert(deepest) != counts.len() + part.rank() {
                        return Err((here, self.wrong_depth(expected, "found an array of another rank")));
                    }
                    for (known, size) in sizes[counts.len()..].iter_mut().zip(&part.shape) {
                        if *known.get_or_insert(*size) != *size {
                            return Err((here, "this row has another size than earlier ones".to_owned()));
                        }
                    }
                    let data = data.get_or_insert_with(|| ArrayData::new(part.elem_type()));
                    if data.elem_type() != part.elem_type() {
                        return Err((here, format!("expected another type than {}", part.elem_type())));
                    }
                    for x in part.iter() {
                        let _ = data.push(x);
                    }
                    if let Some(count) = counts.last_mut() {
                        *count += 1;
                    }
                    value_next = false;
                }
                Some(_) if value_next => {
                    let word = self.word();
                    if word.is_empty() {
                        return Err(self.expected_but("a value"));
                    }
                    if *rank.get_or_insert(counts.len()) != counts.len() || deepest > counts.len() {
                        return Err((here, self.wrong_depth(expected, "expected `[`, found a scalar")));
                    }
                    let want = data.as_ref().map(ArrayData::elem_type);
                    let x = parse_scalar(word, want).map_err(|message| (here, message))?;
                    let pushed = data.get_or_insert_with(|| ArrayData::new(x.prim_type())).push(x);
                    if pushed.is_none() {
                        return Err((here, format!("expected another type than {}", x.prim_type())));
                    }
                    if let Some(count) = counts.last_mut() {
                        *count += 1;
                    }
                    value_next = false;
                }
                Some(_) => return Err(self.expected_but("`,` or `]`")),
            }
        }
        let (Some(rank), Some(data)) = (rank, data) else {
            let message = "the type of this empty array is not known: write it as `empty([0]i32)`";
            return Err((start, message.to_owned()));
        };
        // Depths that no row opened are below an empty row.
        sizes.resize(rank, None);
        let shape = sizes.into_iter().map(|size| size.unwrap_or(0)).collect();
        make_array(shape, data, start)
    }

    /// The message for a scalar or bracket at the wrong depth.
    fn wrong_depth(&self, expected: Option<ValueType>, what: &str) -> String {
        match expected {
            Some(t) => format!("{what}, in an array of type {t}"),
            None => format!("{what}, as elsewhere in the array at this depth"),
        }
    }

    /// `([0][2]i32)` after `empty`.
    fn read_empty(&mut self) -> Result<Value, Problem> {
        let start = self.at;
        let mut shape = Vec::new();
        self.take(b'(')?;
        loop {
            self.skip_blanks();
            if self.bytes.get(self.at) != Some(&b'[') {
                break;
            }
            self.at += 1;
            self.skip_blanks();
            let here = self.at;
            let digits =
                std::str::from_utf8(self.word()).ok().filter(|d| d.bytes().all(|b| b.is_ascii_digit()));
            let size = digits.and_then(|d| d.parse().ok());
            shape.push(size.ok_or((here, "expected the size of a dimension".to_owned()))?);
            if shape.len() > MAX_RANK {
                return Err((here, format!("arrays have at most {MAX_RANK} dimensions")));
            }
            self.take(b']')?;
        }
        let here = self.at;
        let name = self.word();
        let elem = std::str::from_utf8(name).ok().and_then(PrimType::from_name);
        let elem =
            elem.ok_or_else(|| (here, format!("expected an element type, found `{}`", shorten(name))))?;
        self.take(b')')?;
        if !shape.contains(&0) {
            return Err((start, "this array is not empty: no size is 0".to_owned()));
        }
        make_array(shape, ArrayData::new(elem), start)
    }

    /// `"text"`: its bytes, as an array of u8.
    fn read_string(&mut self) -> Result<Value, Problem> {
        let start = self.at;
        let mut bytes = Vec::new();
        let mut rest = self.bytes[start + 1..].iter();
        loop {
            match rest.next() {
                None | Some(b'\n') => {
                    return Err((start, "the string that begins here is not closed".to_owned()));
                }
                Some(b'"') => break,
                Some(b'\\') => bytes.push(match rest.next() {
                    Some(b'n') => b'\n',
                    Some(b't') => b'\t',
                    Some(b'r') => b'\r',
                    Some(other @ (b'"' | b'\\' | b'\'')) => *other,
                    _ => {
                        let here = self.bytes.len() - rest.as_slice().len() - 1;
                        return Err((here, "unknown escape in a string".to_owned()));
                    }
                }),
                Some(b) => bytes.push(*b),
            }
        }
        self.at = self.bytes.len() - rest.as_slice().len();
        Ok(ArrayValue::vector(ArrayData::U8(bytes)).into())
    }
}

fn make_array(shape: Vec<i64>, data: ArrayData, start: usize) -> Result<Value, Problem> {
    ArrayValue::new(shape, data).map(Value::from).map_err(|e: SizeError| (start, e.to_string()))
}
