//! Passes from IMP to IMP.

pub mod carry_cells;
pub mod coalescing;
mod copy;
mod different_blocks;
pub mod drop_dead_cells;
pub mod footprint;
pub mod fuse_loops;
pub mod hoist_blocks;
pub mod keep_scalars;
pub mod kernels;
mod numbers;
pub mod pair_steps;
pub(crate) mod private;
pub mod result_sizes;
pub mod shared_results;
pub mod simplify;
pub mod split_folds;
pub mod split_histograms;
pub mod split_rims;
pub mod spread_lanes;
pub mod stack_blocks;
mod sweeps;
pub mod tile_kernels;
pub mod tile_products;
pub mod tile_stencils;
pub mod tile_sweeps;
pub mod unroll_loops;
