//! What the grammar carries through chumsky: the state of a parse and its error type.

use super::problem::Code;
use super::token::{Key, Kind};
use chumsky::DefaultExpected;
use chumsky::error::Error;
use chumsky::extra;
use chumsky::input::{Checkpoint, Cursor, MapExtra};
use chumsky::inspector::Inspector;
use chumsky::label::LabelError;
use chumsky::prelude::*;
use chumsky::util::MaybeRef;
use fun_base::source::Span;

/// The input of the grammar: token kinds; spans are ranges of token indices until [`State::span`] translates them.
pub(crate) type Input<'t> = &'t [Kind];
/// Chumsky's configuration.
pub(crate) type Extra<'t> = extra::Full<Failure, State<'t>, ()>;
/// A parser, boxed: keeps types and compile times small.
pub(crate) type P<'t, O> = Boxed<'t, 't, Input<'t>, O, Extra<'t>>;

/// How deep expressions, types and patterns may nest in each other.
pub(crate) const NESTING_LIMIT: usize = 500;
/// How many elements the long chains of one declaration may have together (`let … let …`, `a + b + …`); each adds a level
/// to the tree, though not to the parser's stack.
pub(crate) const CHAIN_LIMIT: usize = 20_000;
/// Chains up to this length do not count.
const SHORT_CHAIN: usize = 50;

/// The state of a parse.
#[derive(Debug)]
pub(crate) struct State<'t> {
    /// The place of each token, then of the end.
    pub(crate) spans: &'t [Span],
    /// Documentation comments with the index of the token that follows.
    pub(crate) docs: &'t [(usize, String)],
    /// Whether a module type ends before `->`.
    pub(crate) no_arrow: bool,
    /// Levels of nesting at the moment.
    pub(crate) nesting: usize,
    /// Elements of long chains so far.
    pub(crate) chained: usize,
    /// The furthest failure so far.
    pub(crate) furthest: Option<Failure>,
}

impl<'t> State<'t> {
    /// The start of a parse.
    pub(crate) fn new(spans: &'t [Span], docs: &'t [(usize, String)]) -> State<'t> {
        State { spans, docs, no_arrow: false, nesting: 0, chained: 0, furthest: None }
    }

    /// The place of the tokens `from..to`.
    pub(crate) fn span(&self, from: usize, to: usize) -> Span {
        let first = self.spans[from.min(self.spans.len() - 1)];
        if from >= to {
            return Span { end: first.start, ..first };
        }
        first.to(self.spans[(to - 1).min(self.spans.len() - 1)])
    }

    /// Forgets what was counted, before another declaration.
    pub(crate) fn restart(&mut self) {
        *self = State::new(self.spans, self.docs);
    }

    /// Remembers a failure.
    pub(crate) fn record(&mut self, failure: &Failure) {
        self.furthest = Some(match self.furthest.take() {
            Some(known) => known.merge(failure.clone()),
            None => failure.clone(),
        });
    }

    /// Counts a chain of this many elements.
    pub(crate) fn chain(&mut self, length: usize) {
        if length > SHORT_CHAIN {
            self.chained += length;
        }
    }
}

impl<'t> Inspector<'t, Input<'t>> for State<'t> {
    type Checkpoint = ();
    fn on_token(&mut self, _: &Kind) {}
    fn on_save<'parse>(&self, _: &Cursor<'t, 'parse, Input<'t>>) {}
    fn on_rewind<'parse>(&mut self, _: &Checkpoint<'t, 'parse, Input<'t>, ()>) {}
}

/// The place of what a parser has just read.
pub(crate) fn place<'t>(extra: &mut MapExtra<'t, '_, Input<'t>, Extra<'t>>) -> Span {
    let range: SimpleSpan = extra.span();
    extra.state().span(range.start, range.end)
}

/// What can be expected besides single tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Label {
    Expression,
    Pattern,
    Type,
    Name,
    Operator,
    Field,
    Attribute,
    Module,
    ModuleType,
    File,
}

impl Label {
    const ALL: [Label; 10] = [
        Label::Expression,
        Label::Pattern,
        Label::Type,
        Label::Name,
        Label::Operator,
        Label::Field,
        Label::Attribute,
        Label::Module,
        Label::ModuleType,
        Label::File,
    ];

    /// How messages name it.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Label::Expression => "an expression",
            Label::Pattern => "a pattern",
            Label::Type => "a type",
            Label::Name => "a name",
            Label::Operator => "an operator",
            Label::Field => "a field",
            Label::Attribute => "an attribute",
            Label::Module => "a module",
            Label::ModuleType => "a module type",
            Label::File => "a file name in quotes",
        }
    }
}

/// A set of keys and labels as bits: cheap to merge while alternatives fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Expected(u128);

const LABEL_BITS: u32 = 96;
const _: () = assert!(Key::ALL.len() <= LABEL_BITS as usize);

impl Expected {
    fn key(key: Key) -> Expected {
        Expected(1 << key as u32)
    }

    fn label(label: Label) -> Expected {
        Expected(1 << (LABEL_BITS + label as u32))
    }

    /// Whether this key is in the set.
    pub(crate) fn has(self, key: Key) -> bool {
        self.0 & Expected::key(key).0 != 0
    }

    /// Whether this label is in the set.
    pub(crate) fn has_label(self, label: Label) -> bool {
        self.0 & Expected::label(label).0 != 0
    }

    /// The keys of the set.
    pub(crate) fn keys(self) -> impl Iterator<Item = Key> {
        Key::ALL.iter().copied().filter(move |key| self.has(*key))
    }

    /// Whether this is expected to end or divide what stands before it: what could merely go on is not worth naming then.
    fn has_structure(self) -> bool {
        let structure = [
            Key::RightParen,
            Key::RightBracket,
            Key::RightBrace,
            Key::Comma,
            Key::Equals,
            Key::Arrow,
            Key::Then,
            Key::Else,
            Key::In,
            Key::Do,
        ];
        structure.into_iter().any(|key| self.has(key))
    }

    /// How messages name the members, labels first.
    pub(crate) fn texts(self) -> Vec<String> {
        let structure = self.has_structure();
        let goes_on = |key: Key| {
            matches!(key, Key::LeftParen | Key::LeftBracket | Key::IndexBracket | Key::LeftBrace | Key::Dot)
        };
        let labels = Label::ALL.into_iter().filter(|label| {
            self.has_label(*label) && !(structure && matches!(label, Label::Name | Label::Operator))
        });
        let keys = self.keys().filter(|key| {
            // both left brackets are written alike
            !(structure && goes_on(*key) || *key == Key::IndexBracket && self.has(Key::LeftBracket))
        });
        labels.map(|l| l.text().to_string()).chain(keys.map(|key| format!("`{}`", key.text()))).collect()
    }
}

/// Why a parse failed: at the token with this index something else was expected, or the message says it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Failure {
    /// Index of the token.
    pub(crate) at: usize,
    /// What could have stood there.
    pub(crate) expected: Expected,
    /// A message of its own.
    pub(crate) special: Option<(Code, &'static str)>,
}

impl Failure {
    /// A failure with its own message.
    pub(crate) fn special(at: usize, code: Code, message: &'static str) -> Failure {
        Failure { at, expected: Expected::default(), special: Some((code, message)) }
    }

    /// Whether it counts more than failures further on.
    fn is_decisive(&self) -> bool {
        matches!(self.special, Some((Code::TooDeep | Code::TopLevelPattern, _)))
    }

    /// The failure with this label instead of what was expected, if it is at the token `start`.
    pub(crate) fn labelled(self, start: usize, label: Label) -> Failure {
        if self.at == start { Failure { expected: Expected::label(label), ..self } } else { self }
    }
}

impl<'t> Error<'t, Input<'t>> for Failure {
    fn merge(self, other: Failure) -> Failure {
        // whatever else was tried, these say what is wrong
        if self.is_decisive() || other.is_decisive() {
            return if self.is_decisive() { self } else { other };
        }
        match self.at.cmp(&other.at) {
            std::cmp::Ordering::Greater => self,
            std::cmp::Ordering::Less => other,
            std::cmp::Ordering::Equal => Failure {
                at: self.at,
                expected: Expected(self.expected.0 | other.expected.0),
                special: self.special.or(other.special),
            },
        }
    }
}

impl<'t> LabelError<'t, Input<'t>, DefaultExpected<'t, Kind>> for Failure {
    fn expected_found<I: IntoIterator<Item = DefaultExpected<'t, Kind>>>(
        expected: I,
        _: Option<MaybeRef<'t, Kind>>,
        span: SimpleSpan,
    ) -> Failure {
        let mut set = Expected::default();
        for item in expected {
            if let DefaultExpected::Token(token) = item
                && let Kind::Key(key) = &*token
            {
                set.0 |= Expected::key(*key).0;
            }
        }
        Failure { at: span.start, expected: set, special: None }
    }
}

impl<'t> LabelError<'t, Input<'t>, Label> for Failure {
    fn expected_found<I: IntoIterator<Item = Label>>(
        expected: I,
        _: Option<MaybeRef<'t, Kind>>,
        span: SimpleSpan,
    ) -> Failure {
        let set = expected.into_iter().fold(0, |set, label| set | Expected::label(label).0);
        Failure { at: span.start, expected: Expected(set), special: None }
    }

    fn label_with(&mut self, label: Label) {
        self.expected = Expected::label(label);
    }
}
