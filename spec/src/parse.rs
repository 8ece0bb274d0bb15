//! Reading the test stanzas of a source text.
//!
//! A stanza is a comment whose lines begin in the first column, after a line `-- ==`. Lines keep their numbers, so that messages
//! can say where.

use crate::stanza::{Block, Case, Expect, Input, Spec, Test, Text};
use std::fmt;

/// What is wrong with a stanza.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StanzaError {
    /// 1-based line.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for StanzaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for StanzaError {}

/// The stanzas of a source text.
pub fn parse(source: &str) -> Result<Spec, StanzaError> {
    let mut spec = Spec::default();
    for (line, text) in comments(source) {
        let mut cursor = Cursor { text: &text, at: 0, line };
        let block = cursor.block(&mut spec.tags)?;
        spec.blocks.push(block);
    }
    Ok(spec)
}

/// The text after `-- ==` of each comment that has such a line, with the number of that line. Comment marks are taken off.
fn comments(source: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (at, line) in source.lines().enumerate() {
        let Some(rest) = line.strip_prefix("--") else {
            found.extend(open.take());
            continue;
        };
        match &mut open {
            Some((_, text)) => {
                text.push('\n');
                text.push_str(rest);
            }
            None if rest.trim() == "==" => open = Some((at + 1, String::new())),
            None => {}
        }
    }
    found.extend(open);
    found
}

/// A place in the text of a block.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
    /// Of the start of the text.
    line: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn line(&self) -> usize {
        self.line + self.text[..self.at].matches('\n').count()
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, StanzaError> {
        Err(StanzaError { line: self.line(), message: message.into() })
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Takes `token` and the blanks after it, if it stands here.
    fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
            self.skip_blanks();
        }
        found
    }

    /// The letters, digits, dashes and underscores that stand here.
    fn peek_word(&self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '\'' | '.')));
        &rest[..end.unwrap_or(rest.len())]
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == word;
        if found {
            self.at += word.len();
            self.skip_blanks();
        }
        found
    }

    /// The rest of the line after `token`, if it stands here.
    fn line_after(&mut self, token: &str) -> Option<&'a str> {
        let rest = self.rest().strip_prefix(token)?;
        let line = rest.split('\n').next().unwrap_or_default();
        self.at += token.len() + line.len();
        self.skip_blanks();
        Some(line.trim())
    }

    fn block(&mut self, tags: &mut Vec<String>) -> Result<Block, StanzaError> {
        let mut block = Block { line: self.line(), tests: Vec::new() };
        let mut entries = vec!["main".to_owned()];
        self.skip_blanks();
        while !self.rest().is_empty() {
            let line = self.line();
            if self.peek_word() == "tags" && self.rest()[4..].trim_start().starts_with('{') {
                self.take_word("tags");
                tags.extend(self.braces()?.text.split_whitespace().map(str::to_owned));
            } else if let Some(names) = self.line_after("entry:") {
                entries = names.split_whitespace().map(str::to_owned).collect();
                if entries.is_empty() {
                    return Err(StanzaError { line, message: "`entry:` names no entry point".to_owned() });
                }
            } else if let Some(names) = self.line_after("property:") {
                let names = names.split_whitespace().map(str::to_owned).collect();
                block.tests.push(Test::Property { line, names });
            } else if let Some(pattern) = self.line_after("error:") {
                block.tests.push(Test::Refused { line, pattern: pattern.to_owned() });
            } else if let Some(pattern) = self.line_after("warning:") {
                block.tests.push(Test::Warning { line, pattern: pattern.to_owned() });
            } else if self.take_word("structure") {
                block.tests.push(self.structure(line)?);
            } else {
                block.tests.push(Test::Case(self.case(line, &entries)?));
            }
        }
        Ok(block)
    }

    /// `["name"] tag… (random input … | script input … | input …) [output … | auto output | error: …]`
    fn case(&mut self, line: usize, entries: &[String]) -> Result<Case, StanzaError> {
        let mut name = None;
        if self.rest().starts_with('"') {
            let quoted = &self.rest()[1..];
            let Some(end) = quoted.find(['"', '\n']).filter(|end| quoted[*end..].starts_with('"')) else {
                return self.error("this name is not closed");
            };
            name = Some(quoted[..end].to_owned());
            self.at += end + 2;
            self.skip_blanks();
        }
        let mut tags = Vec::new();
        let input = loop {
            match self.peek_word() {
                "input" => {
                    self.take_word("input");
                    break match self.file()? {
                        Some(file) => Input::File(file),
                        None => Input::Values(self.braces()?),
                    };
                }
                kind @ ("random" | "script") => {
                    self.take_word(kind);
                    while !self.take_word("input") {
                        let tag = self.peek_word();
                        if tag.is_empty() {
                            return self.error(format!("expected `input` after `{kind}`"));
                        }
                        self.take_word(tag);
                        tags.push(tag.to_owned());
                    }
                    if kind == "random" {
                        break Input::Random(self.braces()?);
                    }
                    break match self.file()? {
                        Some(file) => Input::ScriptFile(file),
                        None => Input::Script(self.braces()?),
                    };
                }
                "" => {
                    let line = self.rest().lines().next().unwrap_or_default();
                    return self.error(format!("can't read the test case from `{}`", line.trim_end()));
                }
                tag => {
                    self.take_word(tag);
                    tags.push(tag.to_owned());
                }
            }
        };
        let expect = if let Some(pattern) = self.line_after("error:") {
            Expect::Error(pattern.to_owned())
        } else if self.peek_word() == "auto" {
            self.take_word("auto");
            if !self.take_word("output") {
                return self.error("expected `output` after `auto`");
            }
            Expect::Auto
        } else if self.take_word("output") {
            match self.file()? {
                Some(file) => Expect::File(file),
                None => Expect::Values(self.braces()?),
            }
        } else {
            Expect::Success
        };
        Ok(Case { line, entries: entries.to_vec(), name, tags, input, expect })
    }

    /// `@ file`.
    fn file(&mut self) -> Result<Option<String>, StanzaError> {
        if !self.take("@") {
            return Ok(None);
        }
        let rest = self.rest();
        let name = rest.split_whitespace().next().unwrap_or_default();
        if name.is_empty() {
            return self.error("expected the name of a file after `@`");
        }
        self.at += name.len();
        self.skip_blanks();
        Ok(Some(name.to_owned()))
    }

    /// The text between braces, which may contain braces in pairs, strings and comments.
    fn braces(&mut self) -> Result<Text, StanzaError> {
        if !self.rest().starts_with('{') {
            return self.error("expected `{`");
        }
        let start = self.at + 1;
        let bytes = self.text.as_bytes();
        let (mut depth, mut at, mut quoted) = (0, self.at, false);
        while at < bytes.len() {
            match bytes[at] {
                b'"' => quoted = !quoted,
                b'\\' if quoted => at += 1,
                _ if quoted => {}
                b'-' if bytes[at..].starts_with(b"--") => {
                    at += bytes[at..].iter().position(|b| *b == b'\n').unwrap_or(bytes.len() - at);
                    continue;
                }
                b'{' => depth += 1,
                b'}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let text = Text { line: self.line(), text: self.text[start..at].to_owned() };
                self.at = at + 1;
                self.skip_blanks();
                return Ok(text);
            }
            at += 1;
        }
        self.error("this brace is not closed")
    }

    /// `structure [pipeline] { Node count … }`
    fn structure(&mut self, line: usize) -> Result<Test, StanzaError> {
        let word = self.peek_word();
        let pipeline = (!word.is_empty()).then(|| word.to_owned());
        self.take_word(word);
        let text = self.braces()?;
        let words: Vec<&str> = text.text.split_whitespace().collect();
        let mut counts = Vec::new();
        for pair in words.chunks(2) {
            match pair {
                [name, count] if count.parse::<usize>().is_ok() => {
                    counts.push(((*name).to_owned(), count.parse().unwrap_or_default()));
                }
                _ => {
                    let message = format!("expected a node and its count, found `{}`", pair.join(" "));
                    return Err(StanzaError { line, message });
                }
            }
        }
        Ok(Test::Structure { line, pipeline, counts })
    }
}

#[cfg(test)]
mod tests;
