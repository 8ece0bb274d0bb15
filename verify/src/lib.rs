//! Agreement (laws 3 and 4): one program, one set of inputs, every semantics.
//!
//! The reference is the value semantics of the program as it was given (for FUNMEM, of its erasure). Every program that a
//! pipeline makes from it is run in its own interpreter (FUNMEM under value and heap semantics), and the last one as machine
//! code. All must give the same values, floats within a tolerance, or all must stop with an assertion.

mod compare;
pub mod coverage;
pub mod facts;
pub mod fuzz;
pub mod generated;
mod inputs;
pub mod laws;
pub mod mutants;
pub mod peak;
pub mod picture;
mod shrink;
mod small;
pub mod source;
pub mod validity;

pub use compare::{
    Agreement, Difference, Disagreement, ORDERS, Options, Semantics, Stages, StagesError, Verdict, agree,
    agree_watched, stages,
};
pub use inputs::{Manner, Signature, random_inputs, random_inputs_up_to};
pub use shrink::shrink_inputs;
pub use small::SmallInputs;
