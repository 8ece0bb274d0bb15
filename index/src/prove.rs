//! The prover: whether inequalities and statements about sets of addresses follow from facts.
//!
//! An answer is [`Answer::Proved`] with a derivation that a separate checker can follow, [`Answer::Refuted`] with values for
//! the variables that satisfy the facts and show the opposite, or [`Answer::Unknown`] with what would have helped. The same
//! question gets the same answer, and a limit on the work makes hard questions `Unknown`.
//!
//! # Integers and wrap-around
//!
//! Facts, goals and the addresses of LMADs are about the mathematical integers: a [`Poly`] given here is read as an integer
//! polynomial with its signed coefficients, and the prover computes with checked arithmetic. At run time polynomials wrap.
//! These rules bring the two together:
//!
//! - Every variable is an i64, so its value is an integer between -2^63 and 2^63 - 1. A fact that compares variables or
//!   polynomials is to be given only where the integers are so: `i < n` of two variables is; `i*n + g < m` where the program
//!   computed the left side modulo 2^64 is not, unless [`Facts::exact`] says that it doesn't wrap. Give it with a variable for
//!   the left side instead, and [`Facts::define`] that variable.
//! - A definition `x = poly` of the program holds modulo 2^64. It becomes an equation between integers only if the facts at
//!   hand show that the integer polynomial is an i64. Otherwise it counts only for equality modulo 2^64 ([`Facts::expand`]).
//! - What makes products bounded is that arrays exist: one of shape `[n][m]` in scope means `n*m ≤ 2^63 - 1`
//!   ([`Why::Extent`]), since no block is larger.
//! - The address polynomial of an LMAD is exact if the offset and, for dimensions of at least two indices, the strides are:
//!   the array lies in a block, so all its addresses are between 0 and 2^63 - 1, and each partial sum towards one is the address
//!   of another index. So the offset must be one of a fresh array (0), moved by slices whose bounds were asserted and whose
//!   polynomials are exact; a caller that puts definitions in for variables of an LMAD asks [`Facts::exact`] first, or has it done by
//!   [`Facts::expand_exactly`]. Empty arrays have no address, whatever their polynomials.

mod affine;
mod aggregate;
mod computed;
mod context;
pub mod derivation;
mod equation;
pub mod exact;
mod facts;
mod inequality;
mod memory;
mod model;
mod node;
mod products;
mod sets;
mod show;
mod simplex;
#[cfg(test)]
mod tests;
mod witness;

pub use aggregate::unite;
pub use computed::Division;
pub use derivation::Derivation;
pub use facts::{Facts, Mark};
pub use memory::Findings;

use crate::lmad::Lmad;
use crate::poly::Poly;
use derivation::Goal;
use facts::Question;
use fun_base::name::Var;
use node::{Node, Writer};
use std::rc::Rc;

/// Where a hypothesis comes from. The variable, where there is one, is what a reader of the program finds it by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Why {
    /// A size is not negative.
    Size(Var),
    /// A counter of a loop or a kernel is within its bounds.
    Bound(Var),
    /// A slice was found within bounds; the variable is what it made.
    Slice(Var),
    /// An index was found within bounds; the variable is what was read or written.
    Index(Var),
    /// What the statement that binds the variable computes.
    Definition(Var),
    /// The condition of a branch that was taken.
    Branch(Var),
    /// An assertion before.
    Assert(Var),
    /// The array exists, so its number of elements is an i64.
    Extent(Var),
    /// Otherwise nothing would happen: a loop, a kernel or an array that matters only where it is not empty.
    Nonempty(Var),
    /// Every iteration of a loop keeps it, by induction; the variable is the first parameter of the loop, or its first result.
    Invariant(Var),
    /// Granted by whoever asks.
    Assumed,
}

/// Values that satisfy the facts and contradict the goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// By variable.
    pub values: Vec<(Var, i64)>,
    /// For sets: the address that both have, that is reached twice, or that is not in the other set or not within bounds.
    pub address: Option<i64>,
}

/// What is known of a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It holds wherever the facts do.
    Proved(Rc<Derivation>),
    /// The facts do not imply it.
    Refuted(Witness),
    /// Neither was found; polynomials that would have helped if known to be at least 0.
    Unknown(Vec<Poly>),
}

impl Answer {
    /// Whether the goal is known to hold.
    pub fn is_proved(&self) -> bool {
        matches!(self, Answer::Proved(_))
    }
}

/// Whether `poly ≥ 0`.
pub fn nonneg(facts: &Facts, poly: &Poly) -> Answer {
    remembered(facts, (0, vec![poly.clone()]), || inequality::nonneg(facts, poly))
}

/// Whether `poly = 0`.
pub fn zero(facts: &Facts, poly: &Poly) -> Answer {
    remembered(facts, (1, vec![poly.clone()]), || inequality::zero(facts, poly))
}

/// Whether the two sets have no common address. Empty sets are disjoint from all.
pub fn disjoint(facts: &Facts, left: &Lmad, right: &Lmad) -> Answer {
    remembered(facts, (2, question(&[left, right])), || sets::disjoint(facts, left, right))
}

/// Whether every address of one set is in the other.
pub fn contained(facts: &Facts, inner: &Lmad, outer: &Lmad) -> Answer {
    remembered(facts, (3, question(&[inner, outer])), || sets::contained(facts, inner, outer))
}

/// Whether no two indices share an address.
pub fn injective(facts: &Facts, lmad: &Lmad) -> Answer {
    remembered(facts, (4, question(&[lmad])), || sets::injective(facts, lmad))
}

/// Whether every address is at least 0 and less than the size.
pub fn within(facts: &Facts, lmad: &Lmad, size: &Poly) -> Answer {
    let about = [question(&[lmad]), vec![size.clone()]].concat();
    remembered(facts, (5, about), || sets::within(facts, lmad, size))
}

fn remembered(facts: &Facts, question: Question, find: impl FnOnce() -> Answer) -> Answer {
    if let Some(answer) = facts.remembered(&question) {
        return answer;
    }
    let answer = find();
    facts.remember(question, &answer);
    answer
}

/// What tells lists of LMADs apart.
fn question(lmads: &[&Lmad]) -> Vec<Poly> {
    let mut about = Vec::new();
    for lmad in lmads {
        about.push(Poly::constant(i64::try_from(lmad.rank()).unwrap_or(i64::MAX)));
        about.push(lmad.offset.clone());
        about.extend(lmad.dims.iter().flat_map(|dim| [dim.size.clone(), dim.stride.clone()]));
    }
    about
}

/// A set that has every address that the LMAD has for some counter with `0 ≤ counter < bound`: the union itself where possible,
/// and free of the counter. Of the counter only these bounds are used, whatever the facts say of it. `None` where nothing of that
/// shape was found. The facts are as before afterwards.
pub fn aggregate(facts: &mut Facts, lmad: &Lmad, counter: Var, bound: &Poly) -> Option<Lmad> {
    aggregate::aggregate(facts, lmad, counter, &Poly::constant(0), bound)
}

/// As [`aggregate`], for `from ≤ counter < bound`, where the facts show that `from ≥ 0`.
pub fn aggregate_from(
    facts: &mut Facts,
    lmad: &Lmad,
    counter: Var,
    from: &Poly,
    bound: &Poly,
) -> Option<Lmad> {
    aggregate::aggregate(facts, lmad, counter, from, bound)
}

fn answer(goal: Goal, nodes: &[Rc<Node>]) -> Answer {
    match Writer::write(nodes) {
        Some((lines, shows)) => Answer::Proved(Rc::new(Derivation { goal, lines, shows })),
        None => Answer::Unknown(Vec::new()),
    }
}
