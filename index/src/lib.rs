//! Symbolic integers: polynomials, LMADs, and what can be proved of them.

pub mod lmad;
pub mod poly;
pub mod prove;
pub mod text;
