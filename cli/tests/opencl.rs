//! `--backend opencl`: kernels give what the interpreter gives. Where the machine has no OpenCL device the tests say so and do nothing.

#![allow(clippy::print_stderr, reason = "says when there is no device")]

mod support;

use std::path::Path;
use std::process::Command;
use support::{Folder, Outcome, fun, kept, kernels, outcome, stencils, without_c_compiler};

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
fn many_threads_take_few_locks() {
    if !without_device() {
        kernels::wait_for_locks("opencl", &|_, arguments, input| fun(arguments, input));
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

#[test]
fn blocks_work_on_rows() {
    if !without_device() {
        kernels::work_on_rows("opencl", &fun);
    }
}

#[test]
fn stencils_share_tiles() {
    if !without_device() {
        stencils::share_tiles("opencl", &fun);
    }
}

/// Three rows of many tiles: each row begins anew.
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

const ROWS: &str = "-- ==
-- entry: sums
-- random input { [200][3]f32 }
-- random input { [2][3000]f32 }
entry sums [n][m] (a: [n][m]f32) = map f32.sum a
-- ==
-- entry: scans
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 3, 6], [4, 9, 15]] }
entry scans [n][m] (a: [n][m]i32) = map (scan (+) 0) a
entry untold [n][m] (a: [n][m]i32) = map (reduce (+) 0) a
";

/// Which numbers are best is another matter on every machine: that all versions are right is seen here, and that there is a number for each threshold.
#[test]
fn thresholds_are_tuned_by_data_sets() {
    if without_device() {
        return;
    }
    let folder = Folder::new();
    let program = folder.file("rows.fut", ROWS);
    let beside = folder.file("rows.fut.tuning", "-- by hand\nown=3\nsums.device.segments_1=77\n");
    assert!(fun(&["autotune", "--time", "0.01", &program], b"").printed().starts_with("Wrote "));
    let written = std::fs::read_to_string(&beside).expect("the file");
    let names: Vec<&str> = written.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
    let scans = ["scan_rows", "scan_tiles", "segment_values", "segments", "shared_values"]
        .map(|of| format!("scans.device.{of}_1"));
    let rows = ["sums", "untold"].map(|entry| {
        ["piece_segments", "piece_values", "segment_values", "segments", "shared_segments", "shared_values"]
            .map(|of| format!("{entry}.device.{of}_1"))
    });
    let mut wanted = [&["own".to_owned()][..], &scans, &rows.concat()].concat();
    wanted.sort();
    assert_eq!(names, wanted, "{written}");
    // what no data set comes to stays as it is
    assert!(
        written.contains("own=3\n") && written.contains("untold.device.segments_1=4194304\n"),
        "{written}"
    );
    assert!(fun(&["test", "--backend", "opencl", &program], b"").printed().contains(" passed, 0 failed"));
    let run = ["run", "--backend", "opencl", "-e", "scans", "--tuning", &beside, &program];
    assert_eq!(fun(&run, b"[[1, 2], [3, 4]]").printed(), "[[1i32, 3i32], [3i32, 7i32]]\n");
}

#[test]
fn what_cannot_be_tuned_is_refused() {
    if without_device() {
        return;
    }
    let folder = Folder::new();
    let program = folder.file("rows.fut", "entry main [n][m] (a: [n][m]i32) = map (reduce (+) 0) a");
    fun(&["autotune", &program], b"").refused_with(&["rows.fut has no data sets to run"]);
    let wrong = "-- ==\n-- input { [[1, 2]] } output { [4] }\nentry main [n][m] (a: [n][m]i32) = map (reduce (+) 0) a";
    let program = folder.file("wrong.fut", wrong);
    fun(&["autotune", &program], b"")
        .refused_with(&["main: #0: wrong result with main.device.piece_values_1=16384"]);
    let program =
        folder.file("plain.fut", "-- ==\n-- input { [1, 2] } output { [2, 3] }\nentry main = map (+ 1i32)");
    let nothing = fun(&["autotune", &program], b"");
    assert_eq!(nothing.printed(), "");
    assert!(nothing.stderr.contains("there is nothing to tune"), "{}", nothing.stderr);
    assert!(!folder.path("plain.fut.tuning").exists() && !folder.path("wrong.fut.tuning").exists());
}
