//! Symbolic integers: polynomials and LMADs
