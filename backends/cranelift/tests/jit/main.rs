//! Tests of compiled programs.
#![allow(clippy::unwrap_used, reason = "tests stop at what is unexpected")]

mod common;
mod conversions;
mod elementary;
mod errors;
mod gathers;
mod generated;
mod operators;
mod parallel;
mod programs;
mod quotients;
mod ranges;
mod shifts;
mod speed;
mod text;
mod vectors;
mod wide;
