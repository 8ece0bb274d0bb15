//! What every other crate shares and that knows no language: names, source locations, diagnostics,
//! primitive types and scalar operators, values with their file formats, and the lexer of the intermediate languages.

pub mod diag;
pub mod name;
pub mod prim;
pub mod rng;
pub mod run;
pub mod source;
pub mod text;
pub mod value;
