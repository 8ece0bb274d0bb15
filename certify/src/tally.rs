//! All certificates of a pipeline: how many of each kind hold, and which do not.

use crate::{Refused, check_evidence};
use fun_index::certificate::{Certificate, Decision};
use std::fmt;

/// What came of the certificates of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// By decision, in the order of [`Decision::ALL`]: how many were made, and how many obligations they had.
    pub counts: Vec<(Decision, usize, usize)>,
    /// Those that do not hold.
    pub broken: Vec<Broken>,
}

/// A certificate that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The pass that gave it.
    pub pass: &'static str,
    /// The whole of it.
    pub certificate: Certificate,
    /// Which of its obligations, from 0.
    pub obligation: usize,
    /// What is wrong.
    pub refused: Refused,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Certificate { decision, at, loc, .. } = &self.certificate;
        let place = loc.map_or(String::new(), |loc| format!(" ({loc})"));
        let (pass, obligation) = (self.pass, self.obligation);
        let (decision, refused) = (decision.name(), &self.refused);
        write!(
            f,
            "pass `{pass}` at {at}{place}: {decision}: obligation {obligation} is not proved: {refused}"
        )
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (decision, made, obligations) in &self.counts {
            writeln!(f, "{:24} {made:6}   obligations {obligations:6}", decision.name())?;
        }
        writeln!(f, "{:24} {:6}", "not proved", self.broken.len())?;
        self.broken.iter().try_for_each(|broken| writeln!(f, "{broken}"))
    }
}

/// Checks all certificates, each with the pass that gave it.
pub fn check_all(certificates: &[(&'static str, Certificate)]) -> Tally {
    let mut tally = Tally::default();
    for decision in Decision::ALL {
        let of_kind = || certificates.iter().filter(|(_, certificate)| certificate.decision == decision);
        let obligations = of_kind().map(|(_, certificate)| certificate.evidence.len()).sum();
        tally.counts.push((decision, of_kind().count(), obligations));
    }
    for (pass, certificate) in certificates {
        for (obligation, evidence) in certificate.evidence.iter().enumerate() {
            if let Err(refused) = check_evidence(evidence) {
                let certificate = certificate.clone();
                tally.broken.push(Broken { pass, certificate, obligation, refused });
            }
        }
    }
    tally
}
