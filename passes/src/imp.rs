//! Passes from IMP to IMP.

pub mod hoist_blocks;
pub mod simplify;
