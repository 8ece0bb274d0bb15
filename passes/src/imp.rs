//! Passes from IMP to IMP.

pub mod simplify;
