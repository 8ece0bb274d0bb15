//! Passes from FUNMEM to FUNMEM, and what they want to know of memory.

pub mod blocks;
pub mod last_use;
