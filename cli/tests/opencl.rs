//! `--backend opencl`: kernels give what the interpreter gives. Where the machine has no OpenCL device the tests say so and do nothing.

#![allow(clippy::print_stderr, reason = "says when there is no device")]

mod support;

use support::{Folder, fun, kernels, without_c_compiler};

/// Whether there is no device; says so.
fn without_device() -> bool {
    if without_c_compiler() {
        return true;
    }
    let folder = Folder::new();
    let program = folder.file("probe.fut", "entry main (x: i32) : i32 = x");
    let outcome = fun(&["run", "--backend", "opencl", &program], b"1");
    let missing = outcome.stderr.contains("no OpenCL");
    if missing {
        eprintln!("skipped: no OpenCL: {}", outcome.stderr.trim());
    }
    missing
}

#[test]
fn kernels_give_what_the_interpreter_gives() {
    if !without_device() {
        kernels::agree_with_the_interpreter("opencl", &fun);
    }
}

#[test]
fn failures_in_kernels_have_a_message_and_a_place() {
    if !without_device() {
        kernels::fail_with_a_place("opencl", &fun);
    }
}

#[test]
fn examples_hold_with_kernels() {
    if !without_device() {
        kernels::examples_hold("opencl", &fun);
    }
}
