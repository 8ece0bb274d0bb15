//! Syntax errors: stable codes and what is said about them.

use fun_base::diag::Diagnostic;
use fun_base::source::Span;

/// The kinds of syntax errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Code {
    /// A character that starts no token.
    BadCharacter,
    /// A number that is not one, or has an unknown suffix.
    BadNumber,
    /// A number that does not fit its type.
    NumberOutOfRange,
    /// A string without its closing quote.
    UnterminatedString,
    /// A character literal without its closing quote.
    BadCharacterLiteral,
    /// An unknown escape in a string or character.
    BadEscape,
    /// A token that cannot stand where it does.
    Unexpected,
    /// The text ends within a construct.
    UnexpectedEnd,
    /// A bracket without its partner.
    Unbalanced,
    /// A `let` without `in`.
    MissingIn,
    /// Nesting deeper than the limit.
    TooDeep,
    /// A pattern where only a name can be defined.
    TopLevelPattern,
}

impl Code {
    /// The number that messages show and that never changes.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Code::BadCharacter => "E0101",
            Code::BadNumber => "E0102",
            Code::NumberOutOfRange => "E0103",
            Code::UnterminatedString => "E0104",
            Code::BadCharacterLiteral => "E0105",
            Code::BadEscape => "E0106",
            Code::Unexpected => "E0110",
            Code::UnexpectedEnd => "E0111",
            Code::Unbalanced => "E0112",
            Code::MissingIn => "E0113",
            Code::TooDeep => "E0114",
            Code::TopLevelPattern => "E0116",
        }
    }
}

/// A syntax error.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Problem {
    /// Its kind.
    pub(crate) code: Code,
    /// Where it is.
    pub(crate) span: Span,
    /// What is wrong.
    pub(crate) message: String,
    /// Further places with what they have to do with it.
    pub(crate) labels: Vec<(Span, String)>,
    /// What probably helps.
    pub(crate) hint: Option<String>,
    /// Whether more text could have continued it.
    pub(crate) at_end: bool,
}

impl Problem {
    /// A problem with nothing but a place and a message.
    pub(crate) fn new(code: Code, span: Span, message: impl Into<String>) -> Problem {
        Problem { code, span, message: message.into(), labels: Vec::new(), hint: None, at_end: false }
    }
    /// As the tools show it.
    pub(crate) fn into_diagnostic(self) -> Diagnostic {
        let diagnostic = Diagnostic::error(self.code.text(), self.message).at(self.span);
        let labelled = self.labels.into_iter().fold(diagnostic, |d, (span, text)| d.label(span, text));
        match self.hint {
            Some(hint) => labelled.help(hint),
            None => labelled,
        }
    }
}
