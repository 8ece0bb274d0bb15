//! The runtime that compiled code calls: blocks of memory, parallel loops, copies, scalar functions and the end of a run.
//!
//! One [`context::Context`] per sequential strand of a run (the main one, and one for each chunk of a parallel loop) is
//! passed through all compiled procedures. Nothing here unwinds: what goes wrong is recorded in the run's
//! [`context::Shared`], its stop flag is raised, and compiled code returns a nonzero status through all frames. Blocks are
//! linked into their context, so that whatever way a run ends all of them are released.
//!
//! [`symbols`] is the whole interface: every function with the machine types of its parameters.
#![allow(
    unsafe_code,
    reason = "manages raw memory for compiled code and is called by it through C signatures"
)]

pub mod block;
pub mod context;
pub mod control;
pub mod copy;
pub mod data;
pub mod library;
pub mod par;
pub mod pool;
pub mod scalar;
pub mod site;
pub mod spare;
pub mod symbols;
#[cfg(test)]
mod tests;
