//! Passes from FUN to FUN.

pub mod cse;
pub mod inline;
pub mod simplify;
pub mod soac_to_kernel;
