//! What two semantics disagree about, and how users are told.

use super::{How, Semantics};
use fun_base::run::fault::FaultRule;
use fun_base::run::{RunError, RunErrorKind};
use fun_base::value::Value;
use fun_passes::program::Program;
use std::fmt;

/// What two semantics disagree about.
#[derive(Clone, Debug)]
pub enum Difference {
    /// Results differ: what `Value::close` or the counts say.
    Values(String),
    /// One gave values (or stopped at an assertion), the other did something else.
    Outcome {
        /// What the reference did.
        expected: String,
        /// What the other did.
        found: String,
        /// The error of the other, when it stopped, with its place.
        error: Option<RunError>,
    },
}

/// Two semantics of one program that disagree on some inputs.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The entry point.
    pub entry: String,
    /// Its arguments.
    pub inputs: Vec<Value>,
    /// The semantics that differs from the reference.
    pub semantics: Semantics,
    /// The seed of the order in which it ran, where orders may make a difference.
    pub order: Option<u64>,
    /// How.
    pub difference: Difference,
    /// The program that was run.
    pub program: Box<Program>,
}

/// What distinguishes two outcomes; `None` when they agree.
pub(super) fn difference(
    expected: &Result<Vec<Value>, RunError>,
    found: &Result<Vec<Value>, RunError>,
    tolerance: f64,
) -> Option<Difference> {
    match (expected, found) {
        (Ok(expected), Ok(found)) => {
            if expected.len() != found.len() {
                let text = format!("{} results instead of {}", found.len(), expected.len());
                return Some(Difference::Values(text));
            }
            let pairs = expected.iter().zip(found).enumerate();
            pairs.into_iter().find_map(|(i, (expected, found))| {
                let error = found.close(expected, tolerance).err()?;
                Some(Difference::Values(format!("result {i}: {error}")))
            })
        }
        (Err(expected), Err(found)) if expected.kind == found.kind => None,
        (expected, found) => Some(Difference::Outcome {
            expected: outcome_text(expected),
            found: outcome_text(found),
            error: found.as_ref().err().cloned(),
        }),
    }
}

fn outcome_text(outcome: &Result<Vec<Value>, RunError>) -> String {
    match outcome {
        Ok(_) => "values".to_owned(),
        Err(error) => error.to_string(),
    }
}

impl Disagreement {
    /// Whether it is the reference itself that stops at a fault, so that there is nothing to compare with.
    pub fn is_stuck(&self) -> bool {
        let reference = [How::Value.name(), How::Imp.name()].contains(&self.semantics.how);
        self.semantics.after.is_none() && reference
    }

    /// Who disagrees with whom.
    pub fn headline(&self) -> String {
        if self.is_stuck() {
            let language = self.program.stage().name();
            return format!("the program as given breaks a rule of {language} on entry `{}`", self.entry);
        }
        let reference = match &self.semantics.after {
            None => "its value semantics",
            Some(_) => "the value semantics of the program as given",
        };
        format!("{} disagrees with {reference} on entry `{}`", self.semantics, self.entry)
    }
}

impl Disagreement {
    /// What smaller inputs must have in common with these to show the same: how it stopped, if it did, and the rule that it broke.
    pub(crate) fn kind(&self) -> (Option<RunErrorKind>, Option<FaultRule>, Option<String>) {
        match &self.difference {
            Difference::Values(_) => (None, None, None),
            Difference::Outcome { error, .. } => {
                let rule = error.as_ref().and_then(|error| Some(error.fault.as_ref()?.rule));
                // other faults begin with the number of the invariant: `F6: …`
                let invariant = error.as_ref().filter(|error| error.kind == RunErrorKind::Fault);
                let invariant = invariant.and_then(|error| Some(error.message.split_once(':')?.0.to_owned()));
                (error.as_ref().map(|error| error.kind), rule, invariant)
            }
        }
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.headline())?;
        match &self.difference {
            Difference::Values(text) => write!(f, "  {text}"),
            Difference::Outcome { expected, found, .. } => {
                write!(f, "  expected {expected}\n  found {found}")
            }
        }?;
        match self.order {
            Some(order) => write!(f, "\n  blocks and threads in the order of seed {order}"),
            None => Ok(()),
        }
    }
}
