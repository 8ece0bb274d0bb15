//! The case runner that the tests of this crate share.
//!
//! A case is one file: a header line, a program, a separator line, and what is expected, as `TESTING.md` describes:
//!
//! ```text
//! // case: pass simplify
//! fun f (x_0: i32) : (r_1: i32) = { … }
//! // ---
//! (what the command gives)
//! ```

pub mod any_input;
pub mod at_once;
pub mod case;
pub mod command;
