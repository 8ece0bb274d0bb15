//! The lines of a function while it is written: declarations that nothing uses are left out at the end, so that compilers have
//! nothing to warn of.

use std::collections::BTreeSet;

/// A line with what is known of it.
struct Line {
    indent: usize,
    text: String,
    does: Does,
}

/// What a line does to a variable, if that is all it does.
enum Does {
    Other,
    /// Declares one that does not change.
    Declare(String),
    /// Declares one that is assigned.
    DeclareMutable(String),
    /// Assigns one.
    Assign(String),
}

/// Lines, indented as blocks are opened and closed.
#[derive(Default)]
pub(crate) struct Lines {
    lines: Vec<Line>,
    indent: usize,
}

impl Lines {
    /// How many lines there are.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Appends a line.
    pub(crate) fn push(&mut self, text: impl Into<String>) {
        self.insert(text.into(), Does::Other);
    }

    /// Appends a line that declares a variable that does not change.
    pub(crate) fn declare(&mut self, name: &str, text: impl Into<String>) {
        self.insert(text.into(), Does::Declare(name.to_owned()));
    }

    /// Appends a line that declares a variable that is assigned.
    pub(crate) fn declare_mutable(&mut self, name: &str, text: impl Into<String>) {
        self.insert(text.into(), Does::DeclareMutable(name.to_owned()));
    }

    /// Appends a line that assigns a variable.
    pub(crate) fn assign(&mut self, name: &str, value: &str) {
        self.insert(format!("{name} = {value};"), Does::Assign(name.to_owned()));
    }

    fn insert(&mut self, text: String, does: Does) {
        self.lines.push(Line { indent: self.indent, text, does });
    }

    /// Appends a line that opens a block.
    pub(crate) fn open(&mut self, text: impl Into<String>) {
        self.push(text);
        self.indent += 1;
    }

    /// Appends a line that ends a block.
    pub(crate) fn close(&mut self, text: impl Into<String>) {
        self.indent -= 1;
        self.push(text);
    }

    /// Appends a line that ends a block and opens the next.
    pub(crate) fn next_block(&mut self, text: impl Into<String>) {
        self.close(text);
        self.indent += 1;
    }

    /// Puts another text in place of the last line.
    pub(crate) fn replace_last(&mut self, text: impl Into<String>) {
        if let Some(last) = self.lines.last_mut() {
            last.text = text.into();
        }
    }

    /// Drops assignments, of values that no call computes, to variables that nothing reads.
    fn drop_unread(&mut self) {
        loop {
            let mut read: BTreeSet<&str> = BTreeSet::new();
            for line in &self.lines {
                let (text, own) = match &line.does {
                    Does::Assign(name) => (line.text.strip_prefix(name.as_str()).unwrap_or(&line.text), ""),
                    Does::Declare(name) | Does::DeclareMutable(name) => (line.text.as_str(), name.as_str()),
                    Does::Other => (line.text.as_str(), ""),
                };
                read.extend(words(text).filter(|word| *word != own));
            }
            let is_needed = |line: &Line| match &line.does {
                Does::Assign(name) => read.contains(name.as_str()) || line.text.contains('('),
                Does::Other | Does::Declare(_) | Does::DeclareMutable(_) => true,
            };
            let needed: Vec<bool> = self.lines.iter().map(is_needed).collect();
            if needed.iter().all(|needed| *needed) {
                return;
            }
            let mut needed = needed.into_iter();
            self.lines.retain(|_| needed.next().unwrap_or(true));
        }
    }

    /// The text without unneeded declarations, and the words in it. Declarations stand before all uses, so going backwards sees the
    /// uses first.
    pub(crate) fn finish(mut self) -> (String, BTreeSet<String>) {
        self.drop_unread();
        let (mut used, mut assigned) = (BTreeSet::new(), BTreeSet::new());
        let mut kept = Vec::new();
        for line in self.lines.into_iter().rev() {
            let mut read = line.text.as_str();
            match &line.does {
                Does::Declare(name) if !used.contains(name) => continue,
                Does::DeclareMutable(name) if !used.contains(name) => {
                    if !assigned.contains(name) {
                        continue;
                    }
                    // compilers warn of what is only assigned
                    kept.push((line.indent, format!("(void){name};")));
                }
                Does::Assign(name) => {
                    assigned.insert(name.clone());
                    read = read.strip_prefix(name.as_str()).unwrap_or(read);
                }
                Does::Other | Does::Declare(_) | Does::DeclareMutable(_) => {}
            }
            used.extend(words(read).map(str::to_owned));
            kept.push((line.indent, line.text));
        }
        let mut text = String::new();
        for (indent, line) in kept.iter().rev() {
            if line.starts_with('#') || line.ends_with(":;") {
                text.push_str(line);
            } else if !line.is_empty() {
                text.push_str(&"    ".repeat(*indent));
                text.push_str(line);
            }
            text.push('\n');
        }
        (text, used)
    }
}

/// Names, keywords and numbers outside of comments.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("/*").enumerate().map(|(k, part)| match part.split_once("*/") {
        Some((_, code)) if k > 0 => code,
        None if k > 0 => "",
        _ => part,
    });
    code.flat_map(|code| code.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unused_declarations_go_with_what_only_they_use() {
        let mut lines = Lines::default();
        lines.declare("a", "int a = 1;");
        lines.declare("b", "int b = a;");
        lines.declare("c", "int c = 2;");
        lines.open("{");
        lines.push("f(c); /* a */");
        lines.close("}");
        let (text, used) = lines.finish();
        assert_eq!(text, "int c = 2;\n{\n    f(c); /* a */\n}\n");
        assert!(used.contains("c") && !used.contains("b"));
    }

    #[test]
    fn what_is_only_assigned_is_marked() {
        let mut lines = Lines::default();
        for name in ["a", "b", "c"] {
            lines.declare_mutable(name, format!("int {name} = 0;"));
        }
        lines.assign("a", "1");
        lines.assign("b", "f(a)");
        assert_eq!(lines.finish().0, "int a = 0;\nint b = 0;\n(void)b;\na = 1;\nb = f(a);\n");
    }

    #[test]
    fn assignments_that_nothing_reads_go() {
        let mut lines = Lines::default();
        for name in ["a", "b", "c"] {
            lines.declare_mutable(name, format!("int {name} = 0;"));
        }
        lines.assign("a", "1");
        lines.assign("b", "a");
        lines.assign("c", "2");
        lines.push("f(c);");
        assert_eq!(lines.finish().0, "int c = 0;\nc = 2;\nf(c);\n");
    }
}
