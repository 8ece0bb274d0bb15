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
//! Requires F1–F9 and SOAC form inside of what is differentiated. Ensures F8: no derivatives are left. Cost: `fun::ad`.

use fun::ir::Program;

/// Takes all derivatives.
pub fn run(program: Program) -> Program {
    if fun::ad::has_derivatives(&program) { fun::ad::eliminate(&program) } else { program }
}
