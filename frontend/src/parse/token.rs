//! Tokens of the source language.

use crate::syntax::Literal;
use fun_base::name::Symbol;

/// What a token is. Its place is kept beside it, so that the grammar compares kinds alone.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Kind {
    /// A keyword or a fixed piece of punctuation.
    Key(Key),
    /// An identifier.
    Name(Symbol),
    /// A decimal integer without suffix: a number, or a field of a tuple.
    Nat(Symbol, i128),
    /// Every other literal.
    Literal(Literal),
    /// `#name`.
    Constructor(Symbol),
    /// An operator.
    Op(Op),
}

/// An operator token, possibly qualified: `+`, `M.+`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Op {
    /// `M.N`, when qualified.
    pub(crate) qualifier: Option<Symbol>,
    /// The operator itself.
    pub(crate) name: Symbol,
    /// How tightly it binds.
    pub(crate) level: Level,
    /// The operators that the grammar also uses for other things.
    pub(crate) special: Option<Special>,
}

/// Binding strength of infix operators, loosest first. All but [`Level::PipeLeft`] associate to the left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Level {
    PipeRight,
    PipeLeft,
    LogOr,
    LogAnd,
    Compare,
    Bits,
    Shift,
    Add,
    Multiply,
    Power,
}

/// Operators with a second meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Special {
    /// `-`: also negation.
    Minus,
    /// `*`: also uniqueness.
    Star,
    /// `<`: also in `for i < n`.
    Less,
    /// `^`: also in `type^`.
    Hat,
    /// `|`: also between constructors of a sum type.
    Bar,
}

/// Operators by prefix, longest first: the first that an operator starts with decides its level.
const LEVELS: &[(&str, Level)] = &[
    ("||", Level::LogOr),
    ("&&", Level::LogAnd),
    ("|>", Level::PipeRight),
    ("<|", Level::PipeLeft),
    ("<=", Level::Compare),
    (">=", Level::Compare),
    ("==", Level::Compare),
    ("!=", Level::Compare),
    ("<<", Level::Shift),
    (">>", Level::Shift),
    ("**", Level::Power),
    ("<", Level::Compare),
    (">", Level::Compare),
    ("=", Level::Compare),
    ("!", Level::Compare),
    ("&", Level::Bits),
    ("^", Level::Bits),
    ("|", Level::Bits),
    ("+", Level::Add),
    ("-", Level::Add),
    ("*", Level::Multiply),
    // `/`, `//`, `%` and `%%` bind alike
    ("", Level::Multiply),
];

impl Op {
    /// The operator with this text.
    pub(crate) fn new(qualifier: Option<Symbol>, text: &str) -> Op {
        let level =
            LEVELS.iter().find(|(prefix, _)| text.starts_with(prefix)).map_or(Level::Multiply, |(_, l)| *l);
        let special = match text {
            _ if qualifier.is_some() => None,
            "-" => Some(Special::Minus),
            "*" => Some(Special::Star),
            "<" => Some(Special::Less),
            "^" => Some(Special::Hat),
            "|" => Some(Special::Bar),
            _ => None,
        };
        Op { qualifier, name: Symbol::new(text), level, special }
    }
}

macro_rules! keys {
    ($($variant:ident $text:literal,)*) => {
        /// Keywords and fixed punctuation.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub(crate) enum Key { $($variant,)* }

        impl Key {
            /// All of them, in order of their numbers.
            pub(crate) const ALL: &'static [Key] = &[$(Key::$variant,)*];

            /// How it is written.
            pub(crate) fn text(self) -> &'static str {
                match self { $(Key::$variant => $text,)* }
            }
        }
    };
}

keys! {
    True "true", False "false", If "if", Then "then", Else "else", Def "def", Let "let", Loop "loop", In "in", Val "val",
    For "for", Do "do", With "with", Local "local", Open "open", Include "include", Import "import", Type "type",
    Entry "entry", Module "module", While "while", Assert "assert", Match "match", Case "case",
    LeftParen "(", RightParen ")", LeftBracket "[", IndexBracket "[", RightBracket "]", LeftBrace "{", RightBrace "}",
    Comma ",", Underscore "_", Question "?", Arrow "->", Colon ":", ColonGreater ":>", Backslash "\\", Tilde "~",
    Quote "'", QuoteHat "'^", QuoteTilde "'~", Backtick "`", HashBracket "#[", DotsLess "..<", DotsGreater "..>",
    Dots3 "...", Dots2 "..", Dot ".", Bang "!", Equals "=", Hole "???", Dollar "$",
}

/// The number of keywords among [`Key::ALL`]; they come first.
const KEYWORDS: usize = 24;

impl Key {
    /// The keyword with this text.
    pub(crate) fn keyword(text: &str) -> Option<Key> {
        Key::ALL[..KEYWORDS].iter().copied().find(|key| key.text() == text)
    }

    /// Whether it is a word.
    pub(crate) fn is_keyword(self) -> bool {
        (self as usize) < KEYWORDS
    }

    /// Whether a declaration starts with it (`let` only at the top level).
    pub(crate) fn starts_declaration(self) -> bool {
        matches!(
            self,
            Key::Def | Key::Let | Key::Entry | Key::Type | Key::Module | Key::Open | Key::Import | Key::Local
        )
    }
}
