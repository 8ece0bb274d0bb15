//! The source language: syntax, types, sizes and uniqueness; lowering to FUN.

pub mod check;
pub mod compile;
pub mod files;
pub mod lower;
pub mod parse;
pub mod prelude;
pub mod syntax;
pub mod typed;
pub mod types;
pub mod uniqueness;
mod unused;
