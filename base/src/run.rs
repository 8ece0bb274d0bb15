//! How running a program ends when it doesn't end with values, and how long and large it may grow: shared by the
//! interpreters of all three languages and by compiled code, so that their outcomes can be compared.

pub mod fault;

use crate::name::Symbol;
use crate::source::Loc;
use fault::Fault;
use std::fmt;

/// Why a run stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum RunErrorKind {
    /// The program stopped itself: a failed assertion, a failing operator, a negative or impossible allocation.
    Assert,
    /// The program broke a rule of its language (stuck, a race, a read of undefined memory): a fault of whoever made it.
    Fault,
    /// A [`Limits`] bound was reached.
    Limit,
    /// The arguments don't fit the entry point, or there is no such entry point.
    Input,
}

/// A run that stopped without values.
#[derive(Clone, PartialEq, Debug)]
pub struct RunError {
    /// Why.
    pub kind: RunErrorKind,
    /// What the user is told.
    pub message: String,
    /// The source text being executed, where known.
    pub loc: Option<Loc>,
    /// The function or procedure being executed, where known.
    pub function: Option<Symbol>,
    /// The accesses that broke a rule of memory, where the message is about one.
    pub fault: Option<Box<Fault>>,
}

/// How the messages of all interpreters and of compiled code about such arrays end.
const TOO_LARGE: &str = "more than the machine has";

impl RunError {
    /// An error of a kind, nowhere yet.
    pub fn new(kind: RunErrorKind, message: impl Into<String>) -> RunError {
        RunError { kind, message: message.into(), loc: None, function: None, fault: None }
    }

    /// Kind [`RunErrorKind::Assert`].
    pub fn assert(message: impl Into<String>) -> RunError {
        RunError::new(RunErrorKind::Assert, message)
    }

    /// Kind [`RunErrorKind::Fault`].
    pub fn fault(message: impl Into<String>) -> RunError {
        RunError::new(RunErrorKind::Fault, message)
    }

    /// Kind [`RunErrorKind::Fault`], with all that is known of it.
    pub fn memory(fault: Fault) -> RunError {
        let message = fault.headline();
        RunError { fault: Some(Box::new(fault)), ..RunError::fault(message) }
    }

    /// Kind [`RunErrorKind::Limit`].
    pub fn limit(message: impl Into<String>) -> RunError {
        RunError::new(RunErrorKind::Limit, message)
    }

    /// Kind [`RunErrorKind::Input`].
    pub fn input(message: impl Into<String>) -> RunError {
        RunError::new(RunErrorKind::Input, message)
    }

    /// Whether an array was asked for that no machine has room for. That is [`RunErrorKind::Assert`], but not what the program says:
    /// a pass may drop an array that nobody reads.
    pub fn is_too_large(&self) -> bool {
        self.kind == RunErrorKind::Assert && self.message.ends_with(TOO_LARGE)
    }

    /// At this place, unless an inner place is known already.
    pub fn at(mut self, loc: Option<Loc>) -> RunError {
        self.loc = self.loc.or(loc);
        self
    }

    /// In this function, unless an inner one is known already.
    pub fn in_function(mut self, function: Symbol) -> RunError {
        self.function = self.function.or(Some(function));
        self
    }
}

/// `message`, then ` at file:line:column` and ` in function` where known; faults say that they are one, and what is known of them
/// follows on lines of its own.
impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind == RunErrorKind::Fault {
            f.write_str("fault: ")?;
        }
        f.write_str(&self.message)?;
        if let Some(loc) = self.loc {
            write!(f, " at {loc}")?;
        }
        if let Some(function) = self.function {
            write!(f, " in {function}")?;
        }
        match &self.fault {
            Some(fault) => write!(f, "{fault}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for RunError {}

/// The message of a failed assertion: each `{}` is replaced by the next number; those beyond the last number stand as they are.
pub fn fill_message(message: &str, numbers: &[i64]) -> String {
    let mut filled = String::with_capacity(message.len());
    let mut rest = message;
    for number in numbers {
        let Some((before, after)) = rest.split_once("{}") else { break };
        filled.push_str(before);
        filled.push_str(&number.to_string());
        rest = after;
    }
    filled.push_str(rest);
    filled
}

/// Calls within each other that interpreters run; what recurses deeper ends with [`too_deep`].
pub const MAX_CALL_DEPTH: usize = 10_000;

/// What a program that recurses too deeply is told, by interpreters and by compiled code.
pub fn too_deep() -> RunError {
    RunError::limit("too many calls within each other: the recursion does not end, or not soon enough")
}

/// Runs `f` on more stack where there is not much left: recursion of a program is recursion of its interpreter.
pub fn with_stack<T>(f: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(512 << 10, 16 << 20, f)
}

/// Bounds on a run of an interpreter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Statements executed.
    pub steps: u64,
    /// Bytes of arrays alive at once, counted as compiled code would store them.
    pub bytes: u64,
}

impl Limits {
    /// No bound but what the machine has.
    pub const NONE: Limits = Limits { steps: u64::MAX, bytes: u64::MAX };
}

/// Enough for any test, small enough to end one that doesn't.
impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 100_000_000, bytes: 1 << 30 }
    }
}
