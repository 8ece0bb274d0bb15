//! Generated programs: valid by construction, in places that memory introduction never chooses.
//!
//! A program of FUN in kernel form comes from `fun::gen`; then every array gets a place by chance. That keeps the program valid,
//! because FUN's rules of consumption (F5) say which arrays may change and who may look at them: fresh arrays are put where
//! nothing lives, derived ones where their operand is, and whatever a branch, a loop or a call cannot say in advance comes back
//! as a block, an offset and strides.
//!
//! - *Layouts*: dimensions in any order, gaps, offsets, backwards (`layout`).
//! - *Blocks*: one for each array, two arrays side by side, the block of an array that nobody uses any more, also for elements
//!   of another type; in any space; allocated outside of a loop or branch, or once for all points of a kernel (`blocks`).
//! - *In place*: parts of an update built where they will lie, results of a kernel's body built in their row (`statement`).
//! - *Existential* blocks, offsets and strides from `if`, loops and calls; loops that swap two blocks (`control`, `repeat`).
//!
//! A program is determined by a seed and a size.

mod blocks;
mod control;
mod function;
mod layout;
mod maker;
mod repeat;
mod shrink;
mod statement;

use crate::ir::Program;
use fun::r#gen::Form;
use fun_base::rng::Rng;
use fun_base::value::Value;
use quickcheck::{Arbitrary, Gen};

/// A program with the entry point `main`, and arguments for it.
#[derive(Clone, Debug)]
pub struct GenProgram {
    /// The program.
    pub program: Program,
    /// Arguments.
    pub inputs: Vec<Value>,
    /// Where shrinking goes on.
    next: usize,
}

/// The program of a seed; `size` is what it is for `fun::gen::generate`.
pub fn generate(seed: u64, size: usize) -> GenProgram {
    let source = fun::r#gen::generate(seed, size, Form::Kernel);
    // not the numbers that the program of FUN came from
    let program = maker::place(source.program, Rng::new(!seed));
    GenProgram { program, inputs: source.inputs, next: 0 }
}

impl Arbitrary for GenProgram {
    fn arbitrary(g: &mut Gen) -> GenProgram {
        generate(u64::arbitrary(g), usize::arbitrary(g) % (g.size() / 4 + 2))
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = GenProgram>> {
        shrink::shrink(self)
    }
}

#[cfg(test)]
mod tests;
