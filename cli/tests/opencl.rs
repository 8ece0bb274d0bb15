//! `--backend opencl`: kernels give what the interpreter gives. Where the machine has no OpenCL device the tests say so and do nothing.

#![allow(clippy::print_stderr, reason = "says when there is no device")]

mod support;

use support::{Folder, fun, repository, without_c_compiler};

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

/// The outcome of an entry point with kernels, and by the interpreter.
fn both(program: &str, entry: &str, input: &str) -> [String; 2] {
    ["opencl", "interp"].map(|backend| {
        fun(&["run", "-w", "--backend", backend, "-e", entry, program], input.as_bytes()).printed()
    })
}

const PROGRAM: &str = "
entry triple [n] (xs: [n]i32) = map (* 3) xs
entry rows [n][m] (a: [n][m]i32) = map (reduce (+) 0) a
entry sums [n] (xs: [n]i32) = (reduce (+) 0 xs, scan (+) 0 xs)
entry counts [n] (is: [n]i64) = hist (+) 0 4 is (replicate n 1i32)
entry put [n] (is: [n]i64) = scatter (replicate 5 0i64) is (iota n)
entry sorted [n][m] (a: [n][m]i32) = map (\\r -> scan i32.max i32.lowest (reverse r)) a
entry steps [n] (xs: [n]i32) (k: i32) = loop ys = copy xs for i < k do map2 (\\y j -> y + i + ys[n - 1 - j]) ys (iota n)
entry place [n] (xs: *[n]i32) (i: i64) (x: i32) : *[n]i32 = xs with [i] = x
entry half (x: f16) (n: i64) = map (\\i -> x * f16.i64 i) (iota n)
entry divide [n] (xs: [n]i32) (y: i32) = map (/ y) xs
entry at [n] (xs: [n]i32) (is: [n]i64) = map (\\i -> xs[i]) is
";

#[test]
fn kernels_give_what_the_interpreter_gives() {
    if without_device() {
        return;
    }
    let folder = Folder::new();
    let program = folder.file("program.fut", PROGRAM);
    for (entry, input) in [
        ("triple", "[1, -2, 2147483647]"),
        ("triple", "empty([0]i32)"),
        ("rows", "[[1, 2, 3], [4, 5, 6]]"),
        ("rows", "empty([0][3]i32)"),
        ("sums", "[3, 1, 4, 1, 5]"),
        ("counts", "[0i64, 3i64, 3i64, 9i64, -1i64]"),
        ("put", "[4i64, 0i64, 7i64]"),
        ("sorted", "[[3, 1, 2], [7, 9, 8]]"),
        ("steps", "[1, 2, 3] 4"),
        ("place", "[1, 2, 3] 1i64 9"),
        ("half", "1.5f16 5i64"),
        ("divide", "[7, -7] 2"),
    ] {
        let [device, interpreter] = both(&program, entry, input);
        assert_eq!(device, interpreter, "{entry} {input}");
    }
}

#[test]
fn failures_in_kernels_have_a_message_and_a_place() {
    if without_device() {
        return;
    }
    let folder = Folder::new();
    let program = folder.file("program.fut", PROGRAM);
    let failure = |entry: &str, input: &str| {
        fun(&["run", "-w", "--backend", "opencl", "-e", entry, &program], input.as_bytes())
    };
    failure("divide", "[1, 2] 0").refused_with(&["division by zero", "program.fut:11"]);
    failure("at", "[1, 2] [0i64, 5i64]").refused_with(&["Index [5] out of bounds", "program.fut:12"]);
}

#[test]
fn examples_hold_with_kernels() {
    if without_device() {
        return;
    }
    let folder = repository("examples").display().to_string();
    let outcome =
        fun(&["test", "-c", "--backend", "opencl", "--time", "120", "--file-time", "200", &folder], b"");
    outcome.printed();
}
