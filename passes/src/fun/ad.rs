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

/// For processors: many more than there are threads, so that uneven ones even out.
const USUAL: Chunks =
    Chunks { least: 32, least_work: 4096, most: 64, most_elements: 1 << 24, by_reductions: false };
/// For devices, which have thousands of threads.
const DEVICE: Chunks =
    Chunks { least: 4, least_work: 16, most: 1 << 14, most_elements: 1 << 26, by_reductions: true };
/// What small test programs come to.
const SMALL: Chunks = Chunks { least: 1, least_work: 1, most: 2, ..USUAL };
/// The same on devices.
const DEVICE_SMALL: Chunks = Chunks { least: 1, least_work: 1, most: 3, ..DEVICE };

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
