//! Certificates: what a pass decided, and the derivations that make that right, for a checker that knows neither pass nor prover.
//!
//! A pass adds one [`Certificate`] for each decision that it bases on a proof, with an [`Evidence`] for each obligation that it
//! met. The hypotheses are those of the [`Facts`] that the pass proved from, cut down to what the derivation names: a checker
//! takes nothing else for given.

use crate::poly::Poly;
use crate::prove::derivation::{Block, Claim, Derivation, Line, Rule};
use crate::prove::{Division, Facts, Why};
use fun_base::name::Var;
use fun_base::source::Loc;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What was decided.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Decision {
    /// An array is made where it would have been copied to.
    ElidedCopy,
    /// Arrays that lived in blocks of their own share one.
    SharedBlock,
    /// A kernel writes over an array that it reads.
    InPlaceKernel,
    /// A loop goes to and fro between blocks that exist before it.
    DoubleBuffer,
    /// An index or a slice is not tested at run time.
    RemovedBoundsCheck,
    /// A number is known: the one that a selection gives, or a sign.
    KnownScalar,
}

impl Decision {
    /// All of them, in the order in which they are counted.
    pub const ALL: [Decision; 6] = [
        Decision::ElidedCopy,
        Decision::SharedBlock,
        Decision::InPlaceKernel,
        Decision::DoubleBuffer,
        Decision::RemovedBoundsCheck,
        Decision::KnownScalar,
    ];

    /// For people, in the plural.
    pub fn name(self) -> &'static str {
        match self {
            Decision::ElidedCopy => "elided copies",
            Decision::SharedBlock => "shared blocks",
            Decision::InPlaceKernel => "in-place kernels",
            Decision::DoubleBuffer => "double buffers",
            Decision::RemovedBoundsCheck => "removed bounds checks",
            Decision::KnownScalar => "known scalars",
        }
    }
}

/// What a derivation may take for given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hypotheses {
    /// What holds of the integers, and why.
    pub claims: Vec<(Claim, Why)>,
    /// Variables that the program defines as polynomials modulo 2^64.
    pub definitions: Vec<(Var, Poly)>,
    /// Divisions of the program.
    pub divisions: Vec<Division>,
}

/// One obligation that was met. The goal is that of the derivation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// From what.
    pub hypotheses: Hypotheses,
    /// How.
    pub derivation: Rc<Derivation>,
}

impl Evidence {
    /// A derivation with those of the facts that it names. What it names and the facts lack stays without hypothesis, which the
    /// checker then finds.
    pub fn new(facts: &Facts, derivation: Rc<Derivation>) -> Evidence {
        let mut named = Named::default();
        derivation.lines.iter().for_each(|line| named.line(line));
        let mut hypotheses = Hypotheses::default();
        for (claim, why) in facts.assumed() {
            if named.claims.remove(claim) {
                hypotheses.claims.push((claim.clone(), why));
            }
        }
        for (var, poly) in facts.definitions() {
            if named.definitions.remove(&(*var, poly)) {
                hypotheses.definitions.push((*var, poly.clone()));
            }
        }
        for division in facts.divisions() {
            if named.divisions.contains(&division) && !hypotheses.divisions.contains(division) {
                hypotheses.divisions.push(division.clone());
            }
        }
        Evidence { hypotheses, derivation }
    }
}

/// A decision of a pass and why it is right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// What.
    pub decision: Decision,
    /// What the statement that it is about binds, in the program that the pass made.
    pub at: Var,
    /// Where in the source, if the statement says so.
    pub loc: Option<Loc>,
    /// One for each obligation; none where nothing had to be proved.
    pub evidence: Vec<Evidence>,
}

/// What a derivation takes for given.
#[derive(Default)]
struct Named<'d> {
    claims: BTreeSet<&'d Claim>,
    definitions: BTreeSet<(Var, &'d Poly)>,
    divisions: Vec<&'d Division>,
}

impl<'d> Named<'d> {
    fn line(&mut self, line: &'d Line) {
        match &line.rule {
            Rule::Given(_) => {
                self.claims.insert(&line.claim);
            }
            Rule::Definition { var, poly, .. } => {
                self.definitions.insert((*var, poly));
            }
            Rule::Division { division, .. } => self.divisions.push(division),
            Rule::Cases { first, second, .. } => {
                [first, second].into_iter().for_each(|block| self.block(block))
            }
            Rule::Range(_)
            | Rule::Premise
            | Rule::Assumed
            | Rule::Sum { .. }
            | Rule::Apart { .. }
            | Rule::Both { .. } => {}
        }
    }

    fn block(&mut self, block: &'d Block) {
        block.lines.iter().for_each(|line| self.line(line));
    }
}
