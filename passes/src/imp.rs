//! Passes from IMP to IMP.

pub mod footprint;
pub mod hoist_blocks;
mod private;
pub mod simplify;
pub mod stack_blocks;
