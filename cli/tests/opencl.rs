//! `--backend opencl`: kernels give what the interpreter gives. Where the machine has no OpenCL device the tests say so and do nothing.

#![allow(clippy::print_stderr, reason = "says when there is no device")]

mod support;

use std::path::Path;
use std::process::Command;
use support::{Folder, Outcome, fun, kept, kernels, outcome, without_c_compiler};

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
fn each_run_gives_the_same_bits() {
    if !without_device() {
        kernels::give_the_same_bits("opencl", &|_, arguments, input| fun(arguments, input));
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

#[test]
fn arrays_are_turned() {
    if !without_device() {
        kernels::turn_arrays("opencl", &fun);
    }
}

/// Three rows of many tiles: blocks look back within their row.
#[test]
fn long_rows_are_scanned_by_many_blocks_each() {
    if without_device() {
        return;
    }
    let program = r"entry main [n_0: i64] [m_1: i64] (a_2: [n_0][m_1]i32) : (*res_3: [n_0][m_1]i32) = {
  let (s_4: [n_0][m_1]i32) = kernel (i_5 < n_0, j_6 < m_1) scan \(x_7: i32) (y_8: i32) : i32 {
    let (z_9: i32) = add.i32 x_7 y_8
    in (z_9)
  } (0i32) {
    let (e_10: i32) = index a_2[i_5, j_6]
    in (e_10)
  }
  in (s_4)
}
";
    let folder = Folder::new();
    let path = folder.file("rows.fun", program);
    let row = |of: &dyn Fn(i32) -> i32| {
        format!("[{}]", (0..30_000).map(|k| format!("{}i32", of(k))).collect::<Vec<_>>().join(", "))
    };
    let rows = |of: &dyn Fn(i32) -> i32| format!("[{0}, {0}, {0}]", row(of));
    let found = fun(&["run", "--backend", "opencl", &path], rows(&|k| k % 5).as_bytes()).printed();
    let wanted = rows(&|k| (0..5).map(|r| r * ((k - r + 5) / 5)).sum());
    assert_eq!(found, wanted + "\n");
}

/// Runs `fun`, or an executable, with these variables.
fn run_with(program: &Path, variables: &[(&str, &str)], arguments: &[&str], input: &[u8]) -> Outcome {
    let path = if program.as_os_str().is_empty() { Path::new(env!("CARGO_BIN_EXE_fun")) } else { program };
    outcome(Command::new(path).args(arguments).envs(variables.iter().copied()), input)
}

#[test]
fn compiled_kernels_are_kept() {
    if !without_device() {
        kept::in_the_folder("opencl", &run_with);
    }
}

#[test]
fn compiled_kernels_are_kept_by_executables() {
    if !without_device() {
        kept::by_executables("opencl", &run_with);
    }
}

#[test]
fn large_arrays_are_turned_through_tiles() {
    if without_device() {
        return;
    }
    let folder = Folder::new();
    let program = folder.file(
        "turned.fut",
        "entry turned [n][m] (a: [n][m]i32) = transpose a
entry by_index [n][m] (a: [n][m]i32) = tabulate_2d m n (\\i j -> a[j, i])",
    );
    let copies = |entry: &str, n: usize, m: usize| {
        let row = format!("[{}]", vec!["7i32"; m].join(","));
        let input = format!("[{}]", vec![row; n].join(","));
        let arguments = ["run", "--backend", "opencl", "-e", entry, &program];
        let outcome = run_with(Path::new(""), &[("FUN_DEVICE_TIMES", "1")], &arguments, input.as_bytes());
        outcome.printed();
        ["fun_turn4", "fun_copy4"].map(|kernel| outcome.stderr.contains(&format!("kernel {kernel}:")))
    };
    for entry in ["turned", "by_index"] {
        assert_eq!(copies(entry, 33, 16), [true, false], "{entry}");
        assert_eq!(copies(entry, 33, 15), [false, true], "{entry}");
    }
}
