//! The checker of certificates. It shares nothing with the prover but the data types of derivations: the rules are those that
//! `index/src/prove/derivation.rs` states, the arithmetic is its own, over i128 and checked.
//!
//! What [`check`] establishes: for all integer values of the variables that satisfy the hypotheses, where each variable of the
//! program is an i64, the goal holds. Whether the hypotheses hold in the program is not part of it; they are listed with their
//! reasons.

mod goal;
mod rules;
mod sum;
mod tally;

pub use tally::{Broken, Tally, check_all};

use fun_index::certificate::{Evidence, Hypotheses};
use fun_index::prove::derivation::Derivation;
use std::fmt;

/// Why a derivation is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// The number of the line that does not follow; none where the fault is in the goal or in what the lines show of it.
    pub line: Option<usize>,
    /// What is wrong there.
    pub reason: String,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl std::error::Error for Refused {}

impl Refused {
    fn goal(reason: impl Into<String>) -> Refused {
        Refused { line: None, reason: reason.into() }
    }
}

/// Whether the derivation proves its goal from the hypotheses.
pub fn check(hypotheses: &Hypotheses, derivation: &Derivation) -> Result<(), Refused> {
    let goal = goal::demands(&derivation.goal, hypotheses)?;
    let mut lines = rules::Lines::new(hypotheses, &goal);
    for line in &derivation.lines {
        lines.add(line)?;
    }
    if goal.wanted.len() != derivation.shows.len() {
        let (wanted, shown) = (goal.wanted.len(), derivation.shows.len());
        return Err(Refused::goal(format!("the goal asks for {wanted} claims, and {shown} are given")));
    }
    for (wanted, line) in goal.wanted.iter().zip(&derivation.shows) {
        if !lines.shows(*line, wanted) {
            return Err(Refused::goal(format!("the goal asks for {wanted}, which line {line} does not say")));
        }
    }
    Ok(())
}

/// The same for an obligation of a certificate.
pub fn check_evidence(evidence: &Evidence) -> Result<(), Refused> {
    check(&evidence.hypotheses, &evidence.derivation)
}

#[cfg(test)]
mod tests;
