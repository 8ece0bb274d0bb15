//! Lowerings from one language to the next.

pub mod fun_to_funmem;
pub mod funmem_to_imp;
