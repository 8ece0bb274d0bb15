//! Symbolic integers: polynomials, LMADs, exact integer sets, and what can be proved of them.

pub mod certificate;
pub mod integer_set;
pub mod lmad;
pub mod poly;
pub mod prove;
pub mod text;
