//! What every other crate shares and that knows no language: names, source locations, diagnostics,
//! primitive types and scalar operators, and values with their file formats.

pub mod diag;
pub mod name;
pub mod prim;
pub mod run;
pub mod source;
pub mod value;
