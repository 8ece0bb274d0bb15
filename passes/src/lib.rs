//! Passes on FUN, FUNMEM and IMP, the lowerings between them, the registry and the pipelines.

pub mod fun;
pub mod imp;
pub mod lower;
