//! Pieces of source text that know how tightly they hold together, so that parentheses stand where they must.

/// How tightly an expression holds together, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Level {
    /// `let`, `if`, `loop`, `match`, lambdas, updates: anything that extends as far as it can.
    Open,
    /// `e : t` and `e :> t`.
    Ascription,
    /// Operators between operands, and signs.
    Operator,
    /// `f x`.
    Apply,
    /// Names, literals, what stands in brackets.
    Atom,
}

/// The text of an expression.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) text: String,
    pub(super) level: Level,
}

impl Code {
    pub(super) fn open(text: impl Into<String>) -> Code {
        Code { text: text.into(), level: Level::Open }
    }

    pub(super) fn ascription(text: impl Into<String>) -> Code {
        Code { text: text.into(), level: Level::Ascription }
    }

    pub(super) fn operator(text: impl Into<String>) -> Code {
        Code { text: text.into(), level: Level::Operator }
    }

    pub(super) fn apply(text: impl Into<String>) -> Code {
        Code { text: text.into(), level: Level::Apply }
    }

    pub(super) fn atom(text: impl Into<String>) -> Code {
        Code { text: text.into(), level: Level::Atom }
    }

    /// `f x y`.
    pub(super) fn call(function: &str, args: &[Code]) -> Code {
        let args = args.iter().map(|arg| format!(" {}", arg.arg()));
        Code::apply(format!("{function}{}", args.collect::<String>()))
    }

    /// `(x, y)`; one alone is itself.
    pub(super) fn tuple(parts: &[Code]) -> Code {
        match parts {
            [one] => one.clone(),
            _ => Code::atom(format!("({})", list(parts))),
        }
    }

    /// As an argument of an application.
    pub(super) fn arg(&self) -> String {
        self.at(Level::Atom)
    }

    /// As an operand of an operator.
    pub(super) fn operand(&self) -> String {
        self.at(Level::Apply)
    }

    /// As the last part of an expression that extends as far as it can: an ascription there may be taken for one of the whole.
    pub(super) fn tail(&self) -> String {
        if self.level == Level::Ascription { format!("({})", self.text) } else { self.text.clone() }
    }

    /// As the operand of an ascription or of `with`.
    pub(super) fn ascribed(&self) -> String {
        self.at(Level::Operator)
    }

    fn at(&self, level: Level) -> String {
        if self.level >= level { self.text.clone() } else { format!("({})", self.text) }
    }
}

/// The texts with commas between them.
pub(super) fn list(parts: &[Code]) -> String {
    parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(", ")
}

/// The text with every line but the first moved to the right.
pub(super) fn nested(text: &str) -> String {
    text.replace('\n', "\n  ")
}
