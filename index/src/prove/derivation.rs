//! Derivations: the evidence that a proved goal holds, in a small rule language that a separate checker verifies by polynomial
//! arithmetic alone. (The data types are complete; what the search finds grows.)
//!
//! A derivation is a list of numbered lines, each a [`Claim`] about the mathematical integers and the [`Rule`] that gives it
//! from lines before. Every claim holds for all values of the variables that satisfy the facts, where each variable of the
//! program is an i64.
//!
//! ```text
//! derivation ::= goal  line*  "so" number*
//! line       ::= number ": " claim " by " rule
//! claim      ::= poly ≥ 0 | poly = 0 | poly ≠ 0
//! rule       ::= fact WHY                      the program says so
//!              | range VAR                     VAR + 2^63 ≥ 0, or 2^63 - 1 - VAR ≥ 0, for a variable of the program
//!              | premise                       what the goal lets one assume, see below
//!              | assumed                       only the first line of a block
//!              | definition VAR = POLY  (n n)  VAR - POLY = 0, where the lines show POLY + 2^63 ≥ 0 and 2^63 - 1 - POLY ≥ 0,
//!                                              because the program defines VAR as POLY modulo 2^64
//!              | division …  (n n n n)         what a quotient and a remainder satisfy, where the lines show dividend ≥ 0,
//!                                              2^63 - 1 - dividend ≥ 0, divisor - 1 ≥ 0 and 2^63 - 1 - divisor ≥ 0
//!              | sum d  (multiplier n*)*       see below
//!              | cases on POLY  block  block   both blocks show the claim: the first from POLY ≥ 0, the second from -POLY - 1 ≥ 0
//!              | apart n m                     p - 1 ≥ 0, where line n is p ≠ 0 or -p ≠ 0, and line m is p ≥ 0
//!              | both n m                      p = 0, where line n is p ≥ 0 and line m is -p ≥ 0
//! block      ::= "{" line* "}" "so" number
//! ```
//!
//! **Sum** is the only arithmetic. Each term is a multiplier times the polynomials of the lines it names. If one of these lines
//! is an equation, the term is 0, and the multiplier may be any polynomial; otherwise they are inequalities, and the multiplier
//! must be a constant that is not negative, so that the term is not negative. The claim `p ≥ 0` follows if `d ≥ 1` and
//! `d·p - Σ terms` is a constant greater than `-d`: then `d·p > -d`, so `p > -1`. The claim `p = 0` follows if every term names
//! an equation and `d·p - Σ terms` is 0.
//!
//! **Blocks.** The lines of a block continue the numbering of the lines before it, and may name these. After the block its
//! numbers are free again: the line of the `cases` rule itself has the number that the first line of each block has. The first
//! line of a block is its assumption. A block shows a claim if its last number names a line with that claim, or with the
//! claim `-1 ≥ 0`, from which anything follows.
//!
//! **Goals.** A goal brings variables of its own, which must occur neither in facts nor in the LMADs: the indices of a point in
//! a set. The premises for a point with indices `x_k` in the LMAD `t + {(n_k : s_k)}` are `x_k ≥ 0` and `n_k - 1 - x_k ≥ 0`; its
//! address is `t + Σ x_k · s_k`. The goal holds if the lines after `so` have these claims, in this order (or `-1 ≥ 0`):
//!
//! | goal | points | further premise | claims |
//! |---|---|---|---|
//! | `p ≥ 0`, `p = 0` | | | the goal |
//! | left and right disjoint | one in each | address of left - address of right = 0 | `-1 ≥ 0` |
//! | injective | two, x and y | address of x - address of y = 0 | `x_k - y_k = 0` for each dimension |
//! | inner contained in outer | one in inner | | `f_k ≥ 0` and `m_k - 1 - f_k ≥ 0` for the indices `f_k` in outer that the goal gives, for each dimension; then address in inner - address in outer = 0 |
//! | within size | one | | address ≥ 0, size - 1 - address ≥ 0 |
//!
//! So that a set has no address is nothing special: the premises contradict each other.

use super::exact::Exact;
use super::{Division, Why};
use crate::lmad::Lmad;
use crate::poly::Poly;
use fun_base::name::Var;

/// What a line says of the mathematical integers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Claim {
    /// The polynomial is not negative.
    Nonneg(Exact),
    /// The polynomial is zero.
    Zero(Exact),
    /// The polynomial is not zero.
    Nonzero(Exact),
}

impl Claim {
    /// What the claim is about.
    pub fn poly(&self) -> &Exact {
        match self {
            Claim::Nonneg(poly) | Claim::Zero(poly) | Claim::Nonzero(poly) => poly,
        }
    }
}

/// What a derivation proves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The polynomial is not negative.
    Nonneg(Exact),
    /// The polynomial is zero.
    Zero(Exact),
    /// No common address.
    Disjoint {
        /// One set.
        left: Lmad,
        /// The other.
        right: Lmad,
        /// The indices of a point in the left one.
        left_point: Vec<Var>,
        /// The indices of a point in the right one.
        right_point: Vec<Var>,
    },
    /// Every address of one set is in the other.
    Contained {
        /// The smaller set.
        inner: Lmad,
        /// The larger set.
        outer: Lmad,
        /// The indices of a point of the smaller one.
        point: Vec<Var>,
        /// The indices of the same address in the larger one.
        image: Vec<Exact>,
    },
    /// No two indices share an address.
    Injective {
        /// The set.
        lmad: Lmad,
        /// Indices of a point.
        first: Vec<Var>,
        /// Indices of a point at the same address.
        second: Vec<Var>,
    },
    /// Every address is at least 0 and less than the size.
    Within {
        /// The set.
        lmad: Lmad,
        /// What addresses stay below.
        size: Poly,
        /// The indices of a point.
        point: Vec<Var>,
    },
}

/// A goal and the lines that show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Derivation {
    /// What is proved.
    pub goal: Goal,
    /// Numbered from 0.
    pub lines: Vec<Line>,
    /// The lines with the claims that the goal asks for.
    pub shows: Vec<usize>,
}

/// One step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// What holds.
    pub claim: Claim,
    /// Why.
    pub rule: Rule,
}

/// Why a line holds. Numbers name lines before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rule {
    /// A fact of the program.
    Given(Why),
    /// A bound of i64 on a variable of the program.
    Range(Var),
    /// Granted by the goal.
    Premise,
    /// Granted within this block.
    Assumed,
    /// The program defines the variable as the polynomial modulo 2^64, and the lines show that it does not wrap: that it is an i64, or
    /// less than 2^64 away from the variable.
    Definition {
        /// What is defined.
        var: Var,
        /// Its definition.
        poly: Poly,
        /// Shows that it is at least -2^63, or that the variable is at most 2^64 - 1 more.
        low: usize,
        /// Shows that it is at most 2^63 - 1, or that the variable is at most 2^64 - 1 less.
        high: usize,
    },
    /// The program divides.
    Division {
        /// What by what.
        division: Division,
        /// The four lines: dividend ≥ 0, 2^63 - 1 - dividend ≥ 0, divisor - 1 ≥ 0, 2^63 - 1 - divisor ≥ 0. The claim is one of:
        /// quotient ≥ 0 (where it is rounded down: the first line is dividend + c ≥ 0, and this quotient + c ≥ 0, for some c ≥ 0); with a remainder: dividend - quotient · divisor - remainder = 0, remainder ≥ 0,
        /// divisor - 1 - remainder ≥ 0; without: dividend - quotient · divisor ≥ 0,
        /// quotient · divisor + divisor - 1 - dividend ≥ 0.
        shown: [usize; 4],
    },
    /// `scale · claim` is a sum of terms and a constant greater than `-scale`.
    Sum {
        /// At least 1.
        scale: i128,
        /// The terms.
        terms: Vec<Term>,
    },
    /// Holds whether the polynomial is negative or not.
    Cases {
        /// What is not negative in the first case, and negative in the second.
        on: Exact,
        /// Shows the claim from `on ≥ 0`.
        first: Block,
        /// Shows the claim from `-on - 1 ≥ 0`.
        second: Block,
    },
    /// Not zero and not negative, so positive.
    Apart {
        /// Says `≠ 0`.
        nonzero: usize,
        /// Says `≥ 0`.
        nonneg: usize,
    },
    /// Neither negative nor positive.
    Both {
        /// Says `p ≥ 0`.
        low: usize,
        /// Says `-p ≥ 0`.
        high: usize,
    },
}

/// A multiplier times the polynomials of some lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Term {
    /// Any polynomial if one of the lines is an equation, otherwise a constant that is not negative.
    pub multiplier: Exact,
    /// The lines.
    pub factors: Vec<usize>,
}

/// Lines under an assumption, which is the first of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Numbered on from the line that the block belongs to, whose number the first of them has.
    pub lines: Vec<Line>,
    /// The line with the claim.
    pub shows: usize,
}
