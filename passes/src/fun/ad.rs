//! Derivatives: `jvp`, `vjp` and `with_vjp` become the code that computes them ([`fun::ad`] says how).
//!
//! ```text
//! let (y_1: f64) (dy_2: f64) = jvp \(x_3: f64): f64 { let (r_4: f64) = sin.f64 x_3 in (r_4) } (a_5) (1f64)
//! ```
//! becomes
//! ```text
//! let (x_3: f64) = a_5
//! let (r_4: f64) = sin.f64 x_3
//! let (c_6: f64) = cos.f64 x_3
//! let (d_7: f64) = mul.f64 c_6 1f64
//! let (y_1: f64) = r_4
//! let (dy_2: f64) = d_7
//! ```
//!
//! Maps whose return sweep adds to arrays as it likes run in chunks, as many as suit who runs them (`fun/src/ad/reverse/chunks.rs`).
//!
//! Requires F1–F9 and SOAC form inside of what is differentiated. Ensures F8: no derivatives are left. Cost: `fun::ad`.

use fun::ad::Chunks;
use fun::ir::Program;

/// For processors. Many more chunks than there are threads, so that uneven ones even out; a parallel loop takes as long as some thousand steps, and what
/// chunks make besides is a sixteenth of their work at most. Elements are 128 MB at most.
const USUAL: Chunks = Chunks {
    least_iterations: 32,
    least_work: 4096,
    work_for_each_element: 32,
    most: 64,
    most_elements: 1 << 24,
    is_device: false,
};
/// For devices, which have thousands of threads, and for which a loop in order is a kernel, or several, for each iteration.
const DEVICE: Chunks = Chunks {
    least_iterations: 4,
    least_work: 16,
    work_for_each_element: 4,
    most: 1 << 14,
    most_elements: 1 << 26,
    is_device: true,
};
/// Chunks of whatever there is.
const EASY: Chunks = Chunks { least_iterations: 1, least_work: 1, work_for_each_element: 1, ..USUAL };
/// What small test programs come to.
const SMALL: Chunks = Chunks { most: 2, ..EASY };
/// The same on devices.
const DEVICE_SMALL: Chunks = Chunks { is_device: true, most: 3, ..EASY };

/// Takes all derivatives.
pub fn run(program: Program) -> Program {
    take(program, USUAL)
}

/// The same with few chunks, of small inputs too.
pub fn run_small(program: Program) -> Program {
    take(program, SMALL)
}

/// The same with as many chunks as a device has threads for.
pub fn run_device(program: Program) -> Program {
    take(program, DEVICE)
}

/// The same with few chunks, of small inputs too.
pub fn run_device_small(program: Program) -> Program {
    take(program, DEVICE_SMALL)
}

fn take(program: Program, chunks: Chunks) -> Program {
    if fun::ad::has_derivatives(&program) { fun::ad::eliminate(&program, Some(chunks)) } else { program }
}
