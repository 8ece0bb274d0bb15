//! Passes from FUNMEM to FUNMEM, and what they want to know of memory.

pub mod blocks;
pub mod hoist_allocations;
pub mod last_use;
pub mod reuse_memory;
pub mod sink_allocations;
