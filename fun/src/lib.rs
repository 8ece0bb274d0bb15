//! FUN: the value-semantics array language (paper Figures 1-5, grown to a real core).

pub mod ad;
pub mod build;
pub mod check;
pub mod r#gen;
pub mod interp;
pub mod ir;
pub mod text;
pub mod types;
pub mod visit;
