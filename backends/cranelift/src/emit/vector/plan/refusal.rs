//! Reasons for loops to run one by one.

use std::fmt;

/// Why a loop does not run in vectors.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Refusal {
    /// The machine has no vectors that are worth it.
    Machine,
    /// There is a statement of this kind in the body.
    Statement(&'static str),
    /// An operator has no form for vectors.
    Operator(String),
    /// Evaluation may stop the program.
    CanFail,
    /// Elements are written where other elements say, or all iterations write one.
    Gather,
    /// A number in lanes grows by what is known only when the loop runs.
    Step,
    /// More elements lie apart than next to each other.
    Strided,
    /// A branch depends on elements and has reads or writes.
    Branch,
    /// There are fewer iterations than lanes.
    Short,
    /// Nothing is computed in lanes.
    Nothing,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Machine => f.write_str("the machine has no fitting vectors"),
            Refusal::Statement(what) => write!(f, "{what} in the body"),
            Refusal::Operator(what) => write!(f, "{what} has no form for vectors"),
            Refusal::CanFail => f.write_str("an operator may fail"),
            Refusal::Gather => f.write_str("an index of what is written is not linear in the counter"),
            Refusal::Step => f.write_str("a number grows by what is known only at run time"),
            Refusal::Strided => f.write_str("most elements lie apart"),
            Refusal::Branch => f.write_str("a branch on elements reads or writes"),
            Refusal::Short => f.write_str("fewer iterations than lanes"),
            Refusal::Nothing => f.write_str("nothing to compute in lanes"),
        }
    }
}
