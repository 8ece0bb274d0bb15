//! The errors of consumption: codes that never change, and their texts.

use fun_base::diag::Diagnostic;
use fun_base::source::Span;

/// How something was consumed.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum How {
    /// By an update.
    Update,
    /// As the argument of a function.
    Argument(Option<String>),
    /// As the initial value of a loop.
    Loop,
}

impl How {
    fn text(&self) -> String {
        match self {
            How::Update => "by this update".into(),
            How::Argument(Some(function)) => format!("by passing it to {function}"),
            How::Argument(None) => "by passing it to this function".into(),
            How::Loop => "as the initial value of this loop".into(),
        }
    }
}

/// A consumption: where and how.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Consumption {
    pub(super) span: Span,
    pub(super) how: How,
}

/// Why something cannot be consumed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Obstacle {
    /// A parameter without `*`.
    Parameter,
    /// An element of the array that a loop runs over.
    Element,
    /// Bound outside the function at hand.
    OutsideFunction,
    /// Bound outside the loop at hand.
    OutsideLoop,
    /// A top-level constant.
    Constant,
}

const COPY: &str = "`copy` makes a value that can be consumed";

/// `E0401`: used after it was consumed. `through` is the other name by which it was consumed.
pub(super) fn used_after(what: &str, through: Option<&str>, at: Span, consumed: &Consumption) -> Diagnostic {
    let message = match through {
        None => format!("{what} is used after it was consumed"),
        Some(other) => format!("{what} is used after {other}, which may be the same array, was consumed"),
    };
    Diagnostic::error("E0401", message)
        .at_saying(at, "used here")
        .label(consumed.span, format!("consumed here, {}", consumed.how.text()))
        .help(COPY)
}

/// `E0402`–`E0404`: consumed although it must stay.
pub(super) fn not_consumable(
    what: &str,
    obstacle: Obstacle,
    binding: Option<Span>,
    by: &Consumption,
) -> Diagnostic {
    let (code, reason, help) = match obstacle {
        Obstacle::Parameter => (
            "E0402",
            "a parameter without `*`",
            "write `*` before the type of the parameter, or `copy` its value",
        ),
        Obstacle::Element => ("E0402", "an element of the array that the loop runs over", COPY),
        Obstacle::OutsideFunction => {
            ("E0403", "bound outside this function, which may run more than once", COPY)
        }
        Obstacle::OutsideLoop => (
            "E0403",
            "bound outside this loop, whose body may run more than once",
            "make it a parameter of the loop, or `copy` its value",
        ),
        Obstacle::Constant => ("E0404", "a top-level constant", COPY),
    };
    let error = Diagnostic::error(code, format!("{what} is consumed, but it is {reason}"))
        .at_saying(by.span, format!("consumed {}", by.how.text()))
        .help(help);
    match binding {
        Some(span) => error.label(span, "bound here"),
        None => error,
    }
}

/// `E0405`: a `*` result that may be a parameter or something from outside.
pub(super) fn result_aliases(what: &str, at: Span) -> Diagnostic {
    Diagnostic::error(
        "E0405",
        format!("the result is declared `*`, but it may be {what}, which the caller keeps"),
    )
    .at(at)
    .help(format!("declare {what} with `*`, or return a `copy`"))
}

/// `E0406`: two components of a result are the same array, and one is declared `*`.
pub(super) fn result_shares(at: Span) -> Diagnostic {
    Diagnostic::error(
        "E0406",
        "a component of the result is declared `*`, but it may be the same array as another component",
    )
    .at(at)
    .help("return a `copy` of one of them")
}

/// `E0407`: the new value of a consumed loop parameter is not free.
pub(super) fn loop_value(parameter: &str, what: &str, at: Span) -> Diagnostic {
    Diagnostic::error("E0407", format!("the loop consumes {parameter}, but its next value may be {what}"))
        .at(at)
        .help("return a `copy` from the body of the loop")
}

/// `E0408`: an argument that is consumed shares memory with another, or with itself.
pub(super) fn argument_aliases(at: Span, other: Option<Span>) -> Diagnostic {
    match other {
        Some(other) => Diagnostic::error(
            "E0408",
            "this argument is consumed, but it may be the same array as another argument",
        )
        .at(at)
        .label(other, "the other argument"),
        None => Diagnostic::error(
            "E0408",
            "this argument is consumed, but two of its components may be the same array",
        )
        .at(at),
    }
    .help(COPY)
}

/// `E0409`: the new elements of an update are part of the array that is updated.
pub(super) fn value_aliases(at: Span, array: Span) -> Diagnostic {
    Diagnostic::error("E0409", "the value may be part of the array that is updated with it")
        .at(at)
        .label(array, "the array")
        .help("write `copy` before the value")
}

/// `E0410`: consumption hidden in a value of functional type.
pub(super) fn function_consumes(at: Span) -> Diagnostic {
    Diagnostic::error("E0410", "an expression whose value is a function must not consume anything").at(at)
}

/// `E0411`: the result of a function is a top-level constant.
pub(super) fn result_is_constant(what: &str, at: Span) -> Diagnostic {
    Diagnostic::error("E0411", format!("the result of this function may be {what}, a top-level constant"))
        .at(at)
        .help("return a `copy`")
}

/// `E0412`: a function that consumes, or promises too little, where another is expected.
pub(super) fn function_differs(at: Span) -> Diagnostic {
    Diagnostic::error(
        "E0412",
        "this function consumes its argument or gives a result that is not `*`, unlike what is expected here",
    )
    .at(at)
    .note("functions that consume an argument cannot be passed to functions that do not say so")
}
