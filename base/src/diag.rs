//! Diagnostics: what the tools tell the user about a source text. Rendering them is the command line's business.

use crate::source::Span;
use std::fmt;

/// Whether compilation can go on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// No program comes out.
    Error,
    /// Likely a mistake, but the program has a meaning.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        })
    }
}

/// One message about a source text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// A stable short name of the kind of message, for documentation and tests.
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// The message, one sentence without a final dot.
    pub message: String,
    /// Where, and what is said at that place (possibly nothing).
    pub primary: Option<(Span, String)>,
    /// Other places that matter.
    pub labels: Vec<(Span, String)>,
    /// Facts that explain the message.
    pub notes: Vec<String>,
    /// What the user can do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error, nowhere yet.
    pub fn error(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            primary: None,
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// A warning, nowhere yet.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, message) }
    }

    /// At this place, with nothing more said there.
    pub fn at(self, span: Span) -> Diagnostic {
        self.at_saying(span, "")
    }

    /// At this place, with a label.
    pub fn at_saying(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.primary = Some((span, label.into()));
        self
    }

    /// Another place that matters.
    pub fn label(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.labels.push((span, label.into()));
        self
    }

    /// A fact that explains the message.
    pub fn note(mut self, note: impl Into<String>) -> Diagnostic {
        self.notes.push(note.into());
        self
    }

    /// What the user can do.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Help of the form "did you mean `x`?" where one of the names that could stand here is close to `name`.
    pub fn did_you_mean<'a>(self, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Diagnostic {
        match suggest(name, candidates) {
            Some(close) => self.help(format!("did you mean `{close}`?")),
            None => self,
        }
    }

    /// The place, if any.
    pub fn span(&self) -> Option<Span> {
        self.primary.as_ref().map(|(span, _)| *span)
    }
}

/// `severity[code]: message`, then notes and help on lines of their own: for logs and tests.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity, self.code, self.message)?;
        for note in &self.notes {
            write!(f, "\nnote: {note}")?;
        }
        if let Some(help) = &self.help {
            write!(f, "\nhelp: {help}")?;
        }
        Ok(())
    }
}

/// Orders by place (those without come first), then errors before warnings; otherwise as reported.
pub fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by_key(|d| (d.span(), d.severity));
}

/// Whether any is an error.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

/// The candidate closest to a name that is not known: at most a third of its characters (at least one) inserted,
/// deleted, replaced or swapped with their neighbour. The first of several equally close ones.
pub fn suggest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    let limit = (length / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate.chars().count().abs_diff(length) > limit || candidate == name {
            continue;
        }
        let distance = edit_distance(name, candidate);
        // One character replaced in a name of one character is another name, not a misspelling.
        let plausible = distance <= limit && distance < length;
        if plausible && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours that make one text of the other.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // Three rows of the table: swaps look two back.
    let mut before = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replace = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replace.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions() {
        let names = ["map", "map2", "reduce", "replicate", "scan", "length", "x"];
        for (name, close) in [
            ("mpa", Some("map")),
            ("reduec", Some("reduce")),
            ("replicat", Some("replicate")),
            ("lenght", Some("length")),
            ("scna", Some("scan")),
            ("map3", Some("map")),
            ("foo", None),
            ("y", None),
            ("", None),
            // A name that is known is no misspelling of itself.
            ("map", Some("map2")),
        ] {
            assert_eq!(suggest(name, names), close, "{name}");
        }
    }

    #[test]
    fn places_order_diagnostics() {
        let span = |start| Span { file: 0, start, end: start + 1 };
        let mut all = vec![
            Diagnostic::warning("b", "second").at(span(5)),
            Diagnostic::error("c", "third").at(span(9)),
            Diagnostic::error("a", "first").at(span(5)),
            Diagnostic::warning("n", "nowhere"),
        ];
        assert!(has_errors(&all));
        sort(&mut all);
        let messages: Vec<&str> = all.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(messages, ["nowhere", "first", "second", "third"]);
    }

    #[test]
    fn diagnostics_print() {
        let d = Diagnostic::error("unknown-name", "unknown name `mpa`")
            .note("a note")
            .did_you_mean("mpa", ["map"]);
        let expected = "error[unknown-name]: unknown name `mpa`\nnote: a note\nhelp: did you mean `map`?";
        assert_eq!(d.to_string(), expected);
        assert_eq!(d.did_you_mean("zzz", ["map"]).to_string(), expected);
    }
}
