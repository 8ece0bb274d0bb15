//! Test stanzas in the comments of source files: reading them, running what they ask for, judging the outcome.
//!
//! The grammar is Futhark's (`docs/testing-programs.md`), so that its test programs can be run as they are.

pub mod constructors;
mod judge;
pub mod parse;
mod random;
pub mod run;
mod script;
pub mod stanza;
mod structure;
