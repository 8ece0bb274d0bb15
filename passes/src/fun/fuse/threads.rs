//! Fusion in what is one thread's on a device: the values of reductions, scans, histograms and scatters.
//!
//! ```text
//! kernel (i_1 < n_0) reduce \… (0.0f32) {
//!   let (zs_2: [m_3]f32) = kernel (j_4 < m_3) { … exp.f32 … }
//!   let (ws_5: [m_3]f32) = kernel (k_6 < m_3) scan \… (0.0f32) { … index zs_2[k_6] … }
//!   …
//! }
//! ```
//! On hosts `zs` stays, as its loop runs in vectors and that of the scan does not. A thread has no vectors, and its arrays are in memory that all threads share: there
//! the scan computes what it reads, and what is made of each of its sums is its epilogue, also where that takes long. The bodies of maps stay as they are, and what loops read: `merge-rows` and
//! `iteration-blocks` may have a block of threads for what is inside. So do operators.
//!
//! Conditions are those of [`super`], but for the fifth, and of [`super::epilogues`]. Requires F8; ensures it. Cost: as there.

use super::{Facts, ROUNDS, Seen, consuming_params, epilogues, fuse_in};
use fun::ir::{Body, Combine, Exp, Program};
use fun::visit::for_each_body_mut;
use fun::visit::names::name_source;

/// Fuses in the whole program.
pub fn run(mut program: Program) -> Program {
    let mut facts = Facts { one_thread: true, ..Facts::new(consuming_params(&program)) };
    let mut names = name_source(&program);
    for _ in 0..ROUNDS {
        facts.take(&program);
        let mut seen = Seen::default();
        for function in &mut program.functions {
            in_threads(&mut function.body, &mut |body| fuse_in(body, &[], &facts, &mut names, &mut seen));
        }
        if !seen.fused {
            break;
        }
    }
    facts.take(&program);
    for function in &mut program.functions {
        in_threads(&mut function.body, &mut |body| epilogues::fuse_in(body, &[], &facts, &mut names));
    }
    program
}

/// The bodies that are a thread's.
fn in_threads(body: &mut Body, f: &mut dyn FnMut(&mut Body)) {
    for statement in &mut body.statements {
        match &mut statement.exp {
            Exp::Kernel { combine: Combine::Map, body, .. } => in_threads(body, f),
            Exp::Kernel { body, .. } => f(body),
            exp => for_each_body_mut(exp, &mut |inner| in_threads(inner, f)),
        }
    }
}
