//! Passes from FUN to FUN.

pub mod cse;
pub mod inline;
pub mod soac_to_kernel;
