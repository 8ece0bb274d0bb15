//! `fun compile --exe`: executables behave as Futhark's do.

mod support;

use std::process::Command;
use support::{Folder, Outcome, fun, outcome, repository, without_c_compiler};

/// Entry points that take and give what the formats have.
const PROGRAM: &str = "
entry main [n] (xs: [n]i32) (k: i64) : ([n]i32, i32) = (map (+ 1) xs, xs[k])
entry scalars (x: f32) (y: f64) (b: bool) (h: f16) = (x, y, b, h)
entry small (a: i8) (b: u8) (c: i16) (d: u16) (e: u32) (f: u64) = (a, b, c, d, e, f)
entry matrix (m: [2][3]f64) = m
entry none (n: i64) = replicate n (replicate 0 1i32)
entry positive (x: i32) : i32 = assert (x > 0) x
entry same [n] (xs: [n]f32) (ys: [n]f32) = (xs, map2 (+) xs ys)
entry change [n] (xs: *[n]i64) : *[n]i64 = xs with [0] = xs[0] + 1
entry two (n: i64) = let a = iota n in (a, a)
";

/// An executable of a program, in a folder that it lives in.
struct Executable {
    folder: Folder,
}

impl Executable {
    /// With these flags for the C compiler besides FUN's own.
    fn new(source: &str, flags: &str) -> Executable {
        let folder = Folder::new();
        let program = folder.file("program.fut", source);
        let made = outcome(
            Command::new(env!("CARGO_BIN_EXE_fun"))
                .args(["compile", "-w", "--exe", &program])
                .env("CFLAGS", format!("-O1 {flags}")),
            b"",
        );
        assert_eq!(made.printed(), "");
        Executable { folder }
    }

    fn run(&self, arguments: &[&str], input: impl AsRef<[u8]>) -> Outcome {
        outcome(Command::new(self.folder.path("program")).args(arguments), input.as_ref())
    }
}

#[test]
fn values_go_in_and_out_in_both_formats() {
    if without_c_compiler() {
        return;
    }
    let program = Executable::new(PROGRAM, "");
    let text = |arguments: &[&str], input: &str| program.run(arguments, input).printed();
    assert_eq!(text(&[], "[1, 2, 3] 1i64"), "[2i32, 3i32, 4i32]\n2i32\n");
    assert_eq!(
        text(&[], "-- a comment\n[0x10,\n 0b11i32, 1_000,] -- another\n 2"),
        "[17i32, 4i32, 1001i32]\n1000i32\n"
    );
    assert_eq!(text(&["-e", "scalars"], "1e30 0.1 true 2"), "1e30f32\n0.1f64\ntrue\n2.0f16\n");
    let special = "f32.nan -f64.inf false f16.inf";
    assert_eq!(text(&["-e", "scalars"], special), "f32.nan\n-f64.inf\nfalse\nf16.inf\n");
    let extremes = "-128 255 -32768 65535 4294967295 18446744073709551615";
    assert_eq!(
        text(&["-e", "small"], extremes),
        "-128i8\n255u8\n-32768i16\n65535u16\n4294967295u32\n18446744073709551615u64\n"
    );
    let rows = "[[1.5, 2, 3], [-4, 5e-9, 6f64]]";
    assert_eq!(text(&["-e", "matrix"], rows), "[[1.5f64, 2.0f64, 3.0f64], [-4.0f64, 5e-9f64, 6.0f64]]\n");
    assert_eq!(text(&["-e", "none"], "3"), "empty([3][0]i32)\n");
    assert_eq!(text(&["-e", "same"], "empty([0]f32) []"), "empty([0]f32)\nempty([0]f32)\n");
    // the bytes that Futhark's executable writes, a line end after each value included
    let mut bytes = b"b\x02\x01 i32\x03\0\0\0\0\0\0\0".to_vec();
    bytes.extend([2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]);
    bytes.extend(b"\nb\x02\x00 i32\x02\0\0\0\n");
    assert_eq!(program.run(&["-b"], "[1, 2, 3] 1i64").stdout, bytes);
    let again = [&bytes[..28], b"b\x02\x00 i64\x02\0\0\0\0\0\0\0"].concat();
    assert_eq!(program.run(&[], again).printed(), "[3i32, 4i32, 5i32]\n4i32\n");
}

#[test]
fn results_may_share_memory_with_arguments_and_each_other() {
    if without_c_compiler() {
        return;
    }
    let program = Executable::new(PROGRAM, "-g -fsanitize=address,undefined -fno-sanitize-recover=all");
    let text = |arguments: &[&str], input: &str| program.run(arguments, input).printed();
    assert_eq!(text(&["-e", "same"], "[1, 2] [3, 4]"), "[1.0f32, 2.0f32]\n[4.0f32, 6.0f32]\n");
    assert_eq!(text(&["-e", "two"], "3"), "[0i64, 1i64, 2i64]\n[0i64, 1i64, 2i64]\n");
    // consumed arguments are as they were in each run
    assert_eq!(text(&["-e", "change", "-r", "5"], "[10, 20]"), "[11i64, 20i64]\n");
    assert_eq!(text(&["-e", "change"], "[10, 20]"), "[11i64, 20i64]\n");
    // more than the buffers, so that the array grows and moves
    let many = |of: &dyn Fn(u32) -> String| (0..20_000).map(of).collect::<Vec<_>>().join(", ");
    let expected = format!("[{}]\n19999i32\n", many(&|k| format!("{}i32", k + 1)));
    assert_eq!(text(&[], &format!("[{}] 19999", many(&|k| k.to_string()))), expected);
    let binary = program.run(&["-b"], format!("[{}] 19999", many(&|k| k.to_string()))).stdout;
    let array = &binary[..15 + 80_000];
    let input = [array, b" 0"].concat();
    assert_eq!(program.run(&["-n"], input).printed(), "");
    // failures leave nothing behind either
    program.run(&[], "[1] 5").refused_with(&["out of bounds"]);
}

#[test]
fn failures_end_with_status_1_and_say_what_is_wrong() {
    if without_c_compiler() {
        return;
    }
    let program = Executable::new(PROGRAM, "");
    let refused = |arguments: &[&str], input: &str, parts: &[&str]| {
        program.run(arguments, input).refused_with(parts);
    };
    refused(
        &[],
        "[1, 2, 3] 7i64",
        &["Error: Index [7] out of bounds for array of shape [3]", "program.fut:2:"],
    );
    refused(&["-e", "positive"], "-3", &["Error: Assertion is false: (x > 0)", "program.fut:7:"]);
    refused(&[], "[1, 2, 3]", &["Error when reading input #1 of type i64", "the input ends"]);
    refused(&[], "\n[1, 2, 3i64] 1", &["Cannot read input #0 of type []i32", "line 2", "3i64"]);
    refused(&[], "[[1, 2], [3, 4]] 1", &["Cannot read input #0 of type []i32"]);
    refused(&["-e", "matrix"], "[[1, 2], [3]]", &["Cannot read input #0 of type [][]f64"]);
    refused(&[], "[1, 2", &["Cannot read input #0", "not closed"]);
    refused(&[], "[1, 2, 3000000000] 1", &["3000000000", "does not fit i32"]);
    refused(&[], "[1, 2, 3] 1i64 5", &["Expected EOF on stdin after reading input for \"main\"."]);
    refused(&[], "b\x07\x01 i32", &["version 2", "found 7"]);
    refused(&[], "b\x02\x01 i32\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f", &["Cannot read input #0"]);
    refused(
        &["-e", "matrix"],
        "[[1, 2], [3, 4]]",
        &["entry point arguments have invalid sizes", "dimension 1"],
    );
    refused(&["-e", "none"], "-1", &["Error: ", "-1", "program.fut:6:"]);
    refused(&["-e", "two"], "1000000000000000", &["Error: ", "8000000000000000 bytes", "program.fut:10:"]);
    let unknown = program.run(&["-e", "nope"], "");
    unknown.refused_with(&[
        "No entry point 'nope'.  Select another with --entry-point.  Options are:\n",
        "\nmatrix\n",
    ]);
}

#[test]
fn options_are_those_of_futhark() {
    if without_c_compiler() {
        return;
    }
    let program = Executable::new(PROGRAM, "");
    let times = program.folder.path("times").display().to_string();
    let input = "[1, 2, 3] 1i64";
    assert_eq!(program.run(&["-n", "-t", &times, "-r", "3"], input).printed(), "");
    let lines =
        || std::fs::read_to_string(&times).expect("the times").lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(lines().len() == 3 && lines().iter().all(|line| line.parse::<u64>().is_ok()), "{:?}", lines());
    let one = program.run(&["--write-runtime-to", &times, "--no-print-result", "--num-threads=2"], input);
    assert_eq!((one.printed().as_str(), lines().len()), ("", 1));
    let logged = program.run(&["-L"], input);
    assert_eq!(logged.printed(), "[2i32, 3i32, 4i32]\n2i32\n");
    assert!(logged.stderr.contains("Allocating 12 bytes at"), "{}", logged.stderr);
    let debugged = program.run(&["-D", "-P"], input);
    assert!(
        debugged.stderr.contains("Peak memory usage for default space: 24 bytes."),
        "{}",
        debugged.stderr
    );
    assert!(program.run(&["--help"], "").printed().starts_with("Usage: "));
    assert_eq!(program.run(&["--print-params"], "").printed(), "");
    let refused = |arguments: &[&str], part: &str| program.run(arguments, input).refused_with(&[part]);
    refused(&["-r", "0"], "Need a positive number of runs, not 0");
    refused(&["-r", "x"], "Need a positive number of runs, not x");
    refused(&["--param", "x"], "Invalid argument for size option: x");
    refused(&["--param", "x=3"], "Unknown size: x");
    refused(&["--tuning", "/nonexistent"], "When loading tuning file '/nonexistent': Cannot open file");
    refused(&["-t", "/nonexistent/file"], "Cannot open /nonexistent/file");
    refused(&["--num-threads", "0"], "Need a positive number of threads, not 0");
    refused(&["-t", "/dev/full"], "Cannot write the times: No space left on device");
    refused(&["--nonsense"], "Unknown option: --nonsense");
    refused(&["argument"], "Excess non-option: argument");
    let missing = program.run(&["-r"], input);
    assert_eq!(missing.status, 255);
    assert!(missing.stderr.contains("Missing argument for option -r"), "{}", missing.stderr);
}

#[test]
fn floats_are_written_with_the_digits_that_read_back() {
    if without_c_compiler() {
        return;
    }
    let program = Executable::new("entry main [n] (a: [n]f64) (b: [n]f32) (c: [n]f16) = (a, b, c)", "");
    let edge = "1e15, 1e16, 123456789012345680000, 1e-4, 0.00009, 5e-324, 2.2250738585072014e-308, -0.0, 0.3, 1234567.125";
    let narrow = "1e15, 1e16, 16777216, 1e-4, 0.00009, 1e-45, 3.4028235e38, -0.0, 0.3, 1234567.125";
    let half = "1e3, 65504, 0.1, 1e-4, 6e-8, 2048, 0.333, -0.0, 0.3, 7";
    let input = format!("[{edge}] [{narrow}] [{half}]");
    let printed = program.run(&[], &input).printed();
    let folder = Folder::new();
    let source = folder.file("id.fut", "entry main [n] (a: [n]f64) (b: [n]f32) (c: [n]f16) = (a, b, c)");
    let reference = fun(&["run", &source], input.as_bytes()).printed();
    assert_eq!(printed, reference);
    // what was printed means the same bits
    assert_eq!(program.run(&["-b"], &printed).stdout, program.run(&["-b"], &input).stdout);
}

#[test]
fn the_text_is_one_file_without_warnings_and_hides_everything() {
    if without_c_compiler() {
        return;
    }
    let folder = Folder::new();
    let program = folder.file("program.fut", PROGRAM);
    let text = fun(&["compile", "-w", "--exe", "--emit", "c", &program], b"").printed();
    let source = folder.file("one.c", &text);
    let object = folder.path("one.o").display().to_string();
    let flags = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "-c", "-o", &object];
    let made = outcome(Command::new("cc").args(flags).arg(&source), b"");
    assert_eq!(made.status, 0, "{}", made.stderr);
    if let Ok(symbols) = Command::new("nm").args(["-g", "--defined-only", &object]).output() {
        let text = String::from_utf8_lossy(&symbols.stdout).into_owned();
        let names: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next_back()).collect();
        assert_eq!(names, ["main"]);
    }
}

#[test]
fn outputs_are_whole_or_absent() {
    if without_c_compiler() {
        return;
    }
    let folder = Folder::new();
    let program = folder.file("program.fut", "def main (x: i32) = x");
    let output = folder.path("made").display().to_string();
    let compile = |compiler: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fun"));
        outcome(command.args(["compile", "--exe", &program, "-o", &output]).env("CC", compiler), b"")
    };
    // a compiler that answers and then makes nothing
    let broken = folder.file("broken", "#!/bin/sh\ntest \"$1\" = --version\n");
    assert_eq!(
        Command::new("chmod").args(["+x", &broken]).status().map(|status| status.success()).ok(),
        Some(true)
    );
    assert_ne!(compile(&broken).status, 0);
    let left = || {
        let entries = std::fs::read_dir(folder.path("")).expect("the folder");
        let mut names: Vec<_> = entries
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
            .collect();
        names.sort();
        names
    };
    assert_eq!(left(), ["broken", "program.fut"]);
    assert_eq!(compile("cc").printed(), "");
    assert_eq!(left(), ["broken", "made", "made.c", "program.fut"]);
    assert_eq!(outcome(&mut Command::new(&output), b"7").printed(), "7i32\n");
    fun(&["compile", "--exe", "--emit", "imp", &program], b"").refused_with(&["--emit c"]);
    // a folder of that name
    std::fs::create_dir(folder.path("made")).expect_err("there is a file");
    let taken = folder.path("taken").display().to_string();
    std::fs::create_dir(&taken).expect("a folder");
    fun(&["compile", "--exe", &program, "-o", &taken], b"").refused_with(&["taken is there and no file"]);
    assert_eq!(left(), ["broken", "made", "made.c", "program.fut", "taken"]);
    // flags that the compiler does not know are the user's
    let mut command = Command::new(env!("CARGO_BIN_EXE_fun"));
    let flags = outcome(command.args(["compile", "--exe", &program]).env("CFLAGS", "-nosuch"), b"");
    assert_eq!(flags.status, 1);
    assert!(flags.stderr.contains("with CFLAGS=-nosuch"), "{}", flags.stderr);
}

#[test]
fn no_output_replaces_its_input() {
    let folder = Folder::new();
    let source = "def main (x: i32) = x";
    let program = folder.file("program.fut", source);
    for arguments in [
        &["compile", "--exe", &program, "-o", &program][..],
        &["compile", "--lib", "--emit", "c", &program, "-o", &program],
        &["compile", "--emit", "fun", &program, "-o", &program],
        &["bench", "--json", &program, &program],
    ] {
        fun(arguments, b"").refused_with(&["the output would replace the input"]);
    }
    let text = folder.path("linked.imp");
    std::os::unix::fs::symlink(&text, folder.path("link")).expect("a link");
    std::fs::write(&text, "old").expect("a file");
    let link = folder.path("link").display().to_string();
    assert_eq!(fun(&["compile", "--emit", "imp", &program, "-o", &link], b"").printed(), "");
    assert!(folder.path("link").is_symlink());
    assert!(std::fs::read_to_string(&text).expect("the file").contains("proc"));
    assert_eq!(std::fs::read_to_string(&program).expect("the program"), source);
}

#[test]
fn examples_give_what_fun_run_gives() {
    if without_c_compiler() {
        return;
    }
    for (name, input) in [("lud.fut", "[[4f32, 3], [6, 3]]"), ("heat.fut", "8i64 100i32")] {
        let path = repository("examples").join(name).display().to_string();
        let folder = Folder::new();
        let output = folder.path("made").display().to_string();
        assert_eq!(fun(&["compile", "-w", "--exe", &path, "-o", &output], b"").printed(), "");
        let found = outcome(&mut Command::new(&output), input.as_bytes()).printed();
        assert_eq!(found, fun(&["run", "-w", &path], input.as_bytes()).printed(), "{name}");
    }
}

/// Steps over a grid, each made of the rows above and two below: several run at a time, on pieces for threads (`tile-steps`).
const GRID: &str = "
entry main (h: i64) (w: i64) (steps: i32) =
  let step [h][w] (grid: [h][w]i64) (t: i32) = tabulate_2d h w (\\i j ->
    (grid[i64.max (i - 1) 0, j] + 2 * grid[i, j] + grid[i64.min (i + 2) (h - 1), i64.max (j - 1) 0] + i64.i32 t) % 1009)
  in loop grid = tabulate_2d h w (\\i j -> (i * 71 + j * 13) % 101) for t < steps do step grid t
";

/// The same by the definition.
fn grid(h: usize, w: usize, steps: i64) -> String {
    let mut grid: Vec<Vec<i64>> =
        (0..h).map(|i| (0..w).map(|j| ((i * 71 + j * 13) % 101) as i64).collect()).collect();
    for t in 0..steps {
        let below = |i: usize| (i + 2).min(h - 1);
        let cell = |i: usize, j: usize| {
            grid[i.saturating_sub(1)][j] + 2 * grid[i][j] + grid[below(i)][j.saturating_sub(1)] + t
        };
        grid = (0..h).map(|i| (0..w).map(|j| cell(i, j) % 1009).collect()).collect();
    }
    let rows = grid.iter().map(|row| {
        let cells: Vec<String> = row.iter().map(|x| format!("{x}i64")).collect();
        format!("[{}]", cells.join(", "))
    });
    format!("[{}]\n", rows.collect::<Vec<_>>().join(", "))
}

#[test]
fn steps_of_a_grid_are_the_same_on_any_number_of_threads() {
    if without_c_compiler() {
        return;
    }
    let program = Executable::new(GRID, "");
    let source = program.folder.path("program.fut").display().to_string();
    // a row and a step more and fewer than pieces and rounds have, and grids that stay as they are
    for (h, w, steps) in
        [(40, 70, 0), (40, 70, 1), (33, 64, 9), (32, 65, 4), (97, 64, 23), (129, 70, 8), (31, 70, 7)]
    {
        let (input, expected) = (format!("{h}i64 {w}i64 {steps}i32"), grid(h, w, steps as i64));
        for threads in ["1", "2", "3"] {
            let found = program.run(&["--num-threads", threads], &input).printed();
            assert_eq!(found, expected, "{input} on {threads} threads");
        }
        let found = fun(&["run", "-w", &source], input.as_bytes()).printed();
        assert_eq!(found, expected, "{input} by machine code");
    }
}
