//! Passes from FUNMEM to FUNMEM, and what they want to know of memory.

pub mod blocks;
pub mod choose_layouts;
pub mod copies_left;
pub mod double_buffer;
pub mod facts;
pub mod hoist_allocations;
pub mod hoist_scalars;
pub mod interfaces;
pub mod join_blocks;
pub mod join_kernels;
pub mod last_use;
pub mod pass_destinations;
pub mod remove_checks;
pub mod reuse_memory;
pub mod short_circuit;
pub mod sink_allocations;

mod trips;
pub mod turn_arrays;
