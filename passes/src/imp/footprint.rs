//! What an entry point of IMP uses of the heap: its allocations with sizes, lifetimes and arrays, and its peak as a formula.
//!
//! ```text
//! alloc a : f32[n]
//! …                      a peak of 4*n bytes, then of 8*n
//! alloc b : f32[n]
//! free a
//! ```
//! The program is executed once on a heap whose blocks have symbolic sizes (`world`) and scalars that are polynomials (`sizes`). At
//! branches the states of both sides go on, as one where they have the same shape: the same variables share blocks, with as many
//! owners. A loop is executed until the states at its head stay the same; scalars that it changes become variables of the formula,
//! and the sizes of blocks that it carries along are said in terms of these where that holds in each iteration.
//!
//! What a parallel loop allocates counts once for each strand. A formula is a maximum of polynomials, one for each allocation where the
//! peak may be reached, without those that others are always larger than. Counters and choices are replaced by bounds, so the
//! formula may be larger than the peak of a run, and is not smaller. It holds where i64 arithmetic does not wrap.
//!
//! Cost: the size of the program, for each call and for each time that a loop around is executed; there is a limit.

mod ends;
mod execute;
pub mod ghosts;
mod loops;
pub mod sizes;
mod world;

use fun_base::name::{Symbol, Var};
use fun_base::source::Loc;
use fun_index::poly::Poly;
use imp::ir::{InterfaceSize, InterfaceValue, Procedure, Program, Space};
use sizes::Sizes;
use std::collections::BTreeMap;

/// What an entry point uses.
pub struct Footprint {
    /// What the formulas are made of.
    pub sizes: Sizes,
    /// Allocations and arguments, in the order in which they are reached.
    pub sites: Vec<Site>,
    /// The largest of these is the peak; or why there is no formula.
    pub peaks: Result<Vec<Peak>, String>,
}

/// A place where the peak may be reached.
#[derive(Clone, PartialEq, Debug)]
pub struct Peak {
    /// How many bytes there are in blocks then.
    pub bytes: Poly,
    /// The allocation after which that is so.
    pub at: Var,
}

/// An allocation, or the block of an argument.
#[derive(Clone, PartialEq, Debug)]
pub struct Site {
    /// The block.
    pub var: Var,
    /// Where it is allocated; `None` for arguments, and where the source has no place for it.
    pub loc: Option<Loc>,
    /// Whether it is an argument.
    pub argument: bool,
    /// The kind of memory.
    pub space: Space,
    /// Its size in bytes, for each strand; the largest counts.
    pub bytes: Vec<Poly>,
    /// The loops around it, outermost first.
    pub loops: Vec<Around>,
    /// Whether each strand of a parallel loop has its own.
    pub strands: bool,
    /// The arrays that lie in it, in the order in which they are bound.
    pub arrays: Vec<(Var, Option<Loc>)>,
    /// The last statement that uses it, by its number and place.
    pub last: Option<(u64, Loc)>,
    /// Whether it may be (part of) a result.
    pub result: bool,
}

impl Site {
    /// How often it is allocated at most; `None` if that is not known.
    pub fn times(&self) -> Option<Poly> {
        let one = Poly::constant(1);
        self.loops.iter().try_fold(one, |product, around| Some(product.mul(around.trips.as_ref()?)))
    }
}

/// A loop around an allocation.
#[derive(Clone, PartialEq, Debug)]
pub struct Around {
    /// How often it runs; `None` for those with a condition, and where that is not known.
    pub trips: Option<Poly>,
    /// Where it is.
    pub loc: Option<Loc>,
}

/// The footprint of an entry point; `None` if there is none of this name.
pub fn of_entry(program: &Program, entry: &str) -> Option<Footprint> {
    let procedures: BTreeMap<Symbol, &Procedure> =
        program.procedures.iter().map(|procedure| (procedure.name, procedure)).collect();
    let procedure = program.procedures.iter().find(|procedure| procedure.name.as_str() == entry)?;
    procedure.interface.as_ref()?;
    let mut machine = execute::Machine::new(procedures, imp::visit::names_after(program));
    machine.entry(procedure);
    Some(machine.finish())
}

/// The parameters of an entry point whose values a user's arguments give: scalars by position, sizes by argument and dimension.
pub fn parameters(procedure: &Procedure) -> Vec<(Var, Given)> {
    let mut found = Vec::new();
    let takes = procedure.interface.iter().flat_map(|interface| &interface.takes);
    let param = |at: usize| procedure.params.get(at).map(|(var, _)| *var);
    for (argument, value) in takes.enumerate() {
        match value {
            InterfaceValue::Scalar { at, .. } => {
                found.extend(param(*at).map(|var| (var, Given::Scalar { argument })))
            }
            InterfaceValue::Array { shape, .. } => {
                for (dim, size) in shape.iter().enumerate() {
                    if let InterfaceSize::At(at) = size {
                        found.extend(param(*at).map(|var| (var, Given::Size { argument, dim })));
                    }
                }
            }
        }
    }
    found
}

/// Where the value of a parameter comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    /// An argument.
    Scalar {
        /// Which one.
        argument: usize,
    },
    /// A size of an argument.
    Size {
        /// Which argument.
        argument: usize,
        /// Which of its dimensions.
        dim: usize,
    },
}

#[cfg(test)]
mod tests;
