//! Symbolic integers: polynomials and LMADs.

pub mod lmad;
pub mod poly;
pub mod text;
