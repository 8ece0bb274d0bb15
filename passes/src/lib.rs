//! Passes on FUN, FUNMEM and IMP, the lowerings between them, the registry and the pipelines.
//!
//! A pass is a named pure value: a function from program to program, registered once in [`registry`]. The command line,
//! its help and the tests are made from that list; [`pipeline`] says which passes run by default and why.

mod classes;
pub mod evidence;
pub mod fun;
pub mod funmem;
pub mod imp;
pub mod lower;
pub mod pipeline;
pub mod program;
pub mod registry;
pub mod thresholds;
pub mod views;
