//! Why an array is not built where it is copied to: what the pass says when somebody asks.

use super::accesses::Region;
use super::candidate::Circuit;
use super::{Circuits, Summaries};
use crate::funmem::blocks::Blocks;
use crate::funmem::facts::PointFacts;
use crate::funmem::interfaces::Interfaces;
use fun::visit::names::name_source;
use fun_base::name::Var;
use fun_base::source::Loc;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use fun_index::prove::{Answer, Witness};
use funmem::ir::{Body, Program, Statement};

/// A copy that stays, with the reason.
#[derive(Clone, PartialEq, Debug)]
pub struct Refusal {
    /// What is copied.
    pub value: Var,
    /// The array that it is copied into, by the first binder of the statement; `None` at the end of a kernel's body.
    pub into: Option<Var>,
    /// Why.
    pub reason: Reason,
}

/// Why an array is not built at the place that it is copied to.
#[derive(Clone, PartialEq, Debug)]
pub enum Reason {
    /// It is a scalar.
    Scalar,
    /// It lies in an argument of the function.
    Argument,
    /// A call gives it.
    OfCall,
    /// A branch or loop gives it, in a block that depends on how that goes.
    OfBranchOrLoop,
    /// Its block goes to a branch, a loop, a call or the caller.
    PassedOn,
    /// Its block is in another kind of memory.
    OtherSpace,
    /// It may lie in the destination's block already, at another place.
    SameBlock,
    /// The destination has an element twice.
    Repeats,
    /// It, or an array that shares its block, is made outside of the body that has the copy.
    MadeElsewhere,
    /// It, or an array that shares its block, is used besides for the copy.
    UsedElsewhere,
    /// The destination, or a number that says where in it, comes later than the array's first element.
    Late {
        /// What comes later.
        loc: Option<Loc>,
    },
    /// The program may stop in between, before the place of the copy was checked.
    MayStop {
        /// Where.
        loc: Option<Loc>,
    },
    /// Another part of the concatenation is read from the destination's block and goes elsewhere in it.
    PartMoves {
        /// The concatenation.
        loc: Option<Loc>,
    },
    /// The arrays of its block can't be laid out at the destination.
    OtherLayout,
    /// It is not known which cells of the destination's block a statement in between accesses.
    UnknownAccesses {
        /// The statement.
        loc: Option<Loc>,
    },
    /// Something in between accesses the part of the destination, or is not known not to.
    Met(Box<Met>),
}

/// An access in between that was not shown to leave the destination alone.
#[derive(Clone, PartialEq, Debug)]
pub struct Met {
    /// The array that is accessed.
    pub array: Var,
    /// Where in the source.
    pub loc: Option<Loc>,
    /// The cells that are accessed.
    pub accessed: Lmad,
    /// The cells of the destination.
    pub wanted: Lmad,
    /// Values for which both have an address.
    pub witness: Option<Witness>,
    /// Without them: polynomials that would have helped if they were known not to be negative.
    pub lacking: Vec<Poly>,
}

impl Reason {
    /// The reason in a sentence without its end. `name` gives the names of variables.
    pub fn describe(&self, name: &dyn Fn(Var) -> String) -> String {
        let at =
            |loc: &Option<Loc>| loc.map_or(String::new(), |loc| format!(" at {}:{}", loc.line, loc.column));
        match self {
            Reason::Scalar => "it is a scalar".to_owned(),
            Reason::Argument => "it lies in an argument".to_owned(),
            Reason::OfCall => "it is the result of a call".to_owned(),
            Reason::OfBranchOrLoop => {
                "a branch or loop gives it, in a block that depends on how that goes".to_owned()
            }
            Reason::PassedOn => "its block is given to a branch, a loop, a call or the caller".to_owned(),
            Reason::OtherSpace => "its block is in another kind of memory".to_owned(),
            Reason::SameBlock => "it may lie in the destination's block already, elsewhere in it".to_owned(),
            Reason::Repeats => "the destination has an element twice".to_owned(),
            Reason::MadeElsewhere => {
                "it, or an array in its block, is made outside of the body that has the copy".to_owned()
            }
            Reason::UsedElsewhere => "it, or an array in its block, is used by more than the copy".to_owned(),
            Reason::Late { loc } => {
                format!(
                    "the destination, or where in it, is known only{} after the array's first write",
                    at(loc)
                )
            }
            Reason::MayStop { loc } => {
                format!("the program may stop{} before the place of the copy was checked", at(loc))
            }
            Reason::PartMoves { loc } => {
                format!("another part of the concatenation{} moves within the destination's block", at(loc))
            }
            Reason::OtherLayout => {
                "it is a part of what is in its block, or in an order that the destination can't have"
                    .to_owned()
            }
            Reason::UnknownAccesses { loc } => {
                format!("it is not known what the statement{} accesses of the destination's block", at(loc))
            }
            Reason::Met(met) => met.describe(name),
        }
    }
}

impl Met {
    fn describe(&self, name: &dyn Fn(Var) -> String) -> String {
        let place = self.loc.map_or(String::new(), |loc| format!(" at {}:{}", loc.line, loc.column));
        let what = format!("the access to {}{place}", name(self.array));
        let poly = |poly: &Poly| poly.show(name);
        match &self.witness {
            Some(Witness { values, address }) => {
                let values: Vec<String> =
                    values.iter().map(|(var, value)| format!("{} = {value}", name(*var))).collect();
                let address =
                    address.map_or(String::new(), |address| format!("element {address} of the block, "));
                let given = if values.is_empty() { "always".to_owned() } else { values.join(", ") };
                format!("{what} meets the destination, {address}with {given}")
            }
            None if self.lacking.is_empty() => format!("{what} was not shown to leave the destination alone"),
            None => {
                let lacking: Vec<String> = self.lacking.iter().map(|p| format!("{} ≥ 0", poly(p))).collect();
                format!(
                    "{what} was not shown to leave the destination alone; what would help: {}",
                    lacking.join(", ")
                )
            }
        }
    }

    pub(super) fn new(region: &Region, wanted: &Lmad, answer: Answer) -> Met {
        let (witness, lacking) = match answer {
            Answer::Refuted(witness) => (Some(witness), Vec::new()),
            Answer::Unknown(lacking) => (None, lacking),
            Answer::Proved(_) => (None, Vec::new()),
        };
        let Region { array, loc, lmad } = region;
        Met { array: *array, loc: *loc, accessed: lmad.clone(), wanted: wanted.clone(), witness, lacking }
    }
}

/// The copies that the pass leaves in a program, with reasons. Answers of the prover come with witnesses, which takes longer than
/// the pass itself.
pub fn refusals(mut program: Program) -> Vec<Refusal> {
    let interfaces = Interfaces::of_program(&program);
    let mut summaries = Summaries::default();
    let mut names = name_source(&program);
    let mut all = Vec::new();
    for function in &mut program.functions {
        let blocks = Blocks::of_function(function, &mut summaries);
        let facts = PointFacts::with_witnesses();
        let mut circuits = Circuits::with_facts(function, &blocks, &interfaces, names, facts);
        circuits.refusals = Some(Vec::new());
        circuits.body(&mut function.body, &[]);
        names = circuits.names;
        all.extend(circuits.refusals.into_iter().flatten());
    }
    all
}

impl Circuits<'_> {
    /// Notes why a copy stays, if somebody asks.
    pub(super) fn refuse(&mut self, body: &Body, circuit: &Circuit, reason: Reason) {
        let reason = self.with_met(reason);
        let Some(refusals) = &mut self.refusals else { return };
        let into = body.statements.get(circuit.end).and_then(|statement| statement.pattern.first());
        refusals.push(Refusal { value: circuit.value, into: into.map(|binder| binder.var), reason });
    }

    /// The reason with what was last met, if that is the reason.
    pub(super) fn with_met(&mut self, reason: Reason) -> Reason {
        match (reason, self.met.take()) {
            (Reason::UnknownAccesses { .. }, Some(met)) => Reason::Met(Box::new(met)),
            (reason, _) => reason,
        }
    }

    /// Why this statement was not shown to leave the destination alone; what it met is put in by [`Circuits::with_met`].
    pub(super) fn why_not_apart(&self, statement: &Statement) -> Reason {
        Reason::UnknownAccesses { loc: statement.loc }
    }
}
