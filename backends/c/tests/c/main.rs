//! Tests of programs that a C compiler compiled, with its warnings as errors. Without a C compiler they say so and pass.
#![allow(clippy::unwrap_used, reason = "tests stop at what is unexpected")]
#![allow(clippy::print_stderr, reason = "says when there is no C compiler")]

mod common;
mod errors;
mod exact;
mod fixed;
mod generated;
mod math;
mod operators;
mod parallel;
mod programs;
mod rows;
