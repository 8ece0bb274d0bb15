//! From a source text to a library: what `fun compile --lib`, `fun explain` and the Python package have in common.
//!
//! [`interfaces`] finds the names of the types of entry points, [`LibraryProgram`] prepares a program for being one of a library, [`InMemory`]
//! is a library in memory, and [`explained`] and [`report`] say where the memory of an entry point goes.
#![allow(unsafe_code, reason = "frees the code of libraries in memory")]

pub mod explained;
mod in_memory;
mod interface;
mod prepare;
pub mod report;
pub mod report_text;

pub use in_memory::{InMemory, Refused};
pub use interface::interfaces;
pub use prepare::LibraryProgram;
