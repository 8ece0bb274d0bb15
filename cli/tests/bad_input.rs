//! Bad input of every kind: a clear error with its place, exit status 1 (2 for wrong usage), no panic, nothing half-written.

mod support;

use support::{Folder, fun, run_source};

#[test]
fn syntax_error() {
    run_source("def main (x: i32) = x +\ndef g = 1\n", "1").refused_with(&["program.fut:2:1"]);
}

#[test]
fn several_errors_in_one_go() {
    let outcome = run_source("def f = 1 + true\n\ndef main = nothing_such\n", "");
    outcome.refused_with(&["program.fut:1:", "program.fut:3:12", "nothing_such"]);
}

#[test]
fn type_error() {
    run_source("def main (x: i32): f32 = x + 1\n", "1").refused_with(&["program.fut:1:", "f32", "i32"]);
}

#[test]
fn unknown_name_with_a_suggestion() {
    run_source("def main (n: i64) = iotta n\n", "1").refused_with(&["iotta", "iota"]);
}

#[test]
fn ambiguous_type() {
    let source = "def f r = r.x\ndef main (x: i32) = f {x}\n";
    run_source(source, "1").refused_with(&["program.fut:1:11", "ambiguous"]);
}

#[test]
fn size_mismatch() {
    let source = "def main [n] [m] (xs: [n]i32) (ys: [m]i32) = map2 (+) xs ys\n";
    run_source(source, "[1] [2]").refused_with(&["program.fut:1:", "n", "m"]);
}

#[test]
fn size_mismatch_of_arguments() {
    let source = "def main [n] (xs: [n]i32) (ys: [n]i32) = map2 (+) xs ys\n";
    run_source(source, "[1, 2] [2]").refused_with(&["size"]);
}

#[test]
fn consumed_array_used_again() {
    let source = "def main (xs: *[3]i32) =\n  let ys = xs with [0] = 1\n  in (xs[0], ys)\n";
    run_source(source, "[1, 2, 3]").refused_with(&["program.fut:3:", "xs"]);
}

#[test]
fn index_out_of_bounds() {
    let source = "def main (xs: []i32) (i: i64) =\n  xs[i]\n";
    run_source(source, "[1, 2] 2i64").refused_with(&["program.fut:2:3", "out of bounds"]);
    run_source(source, "[1, 2] -1i64").refused_with(&["program.fut:2:3", "out of bounds"]);
    run_source(source, "empty([0]i32) 0i64").refused_with(&["program.fut:2:3", "out of bounds"]);
    assert_eq!(run_source(source, "[1, 2] 1i64").printed(), "2i32\n");
}

#[test]
fn division_by_zero() {
    run_source("def main (x: i32) (y: i32) = x / y\n", "1 0")
        .refused_with(&["program.fut:1:", "ivision by zero"]);
    assert_eq!(
        run_source("def main (x: i32) (y: i32) = x / y\n", "-2147483648 -1").printed(),
        "-2147483648i32\n"
    );
}

#[test]
fn failed_assertion() {
    run_source("def main (x: i32) = assert (x > 0) x\n", "0").refused_with(&["program.fut:1:", "x > 0"]);
}

#[test]
fn huge_allocation() {
    let source = "def main (n: i64) = replicate n 1i64 |> scan (+) 0\n";
    run_source(source, "144115188075855872").refused_with(&["program.fut:1:"]); // 2^57 elements of 8 bytes
    run_source("def main (n: i64) (m: i64) = replicate n (replicate m 1u8)\n", "4294967296 4294967296")
        .refused_with(&["program.fut:1:"]);
    run_source(source, "-1").refused_with(&["program.fut:1:"]);
}

#[test]
fn malformed_values() {
    let source = "def main (xs: [][]i32) = xs\n";
    run_source(source, "[[1, 2], [3]]").refused_with(&["standard input", "argument 0"]);
    run_source(source, "[[1, 2], [3, ").refused_with(&["standard input", "argument 0"]);
    run_source(source, "[[1, 2.5]]").refused_with(&["standard input", "argument 0"]);
    run_source(source, "[[1, 99999999999]]").refused_with(&["standard input", "argument 0"]);
    run_source(source, "[1]").refused_with(&["standard input", "argument 0"]);
    run_source(source, "").refused_with(&["argument 0", "missing"]);
    run_source(source, "[[1]] 5").refused_with(&["too much input"]);
    run_source(source, &"[".repeat(100_000)).refused_with(&["standard input"]);
}

#[test]
fn truncated_binary_values() {
    let folder = Folder::new();
    let program = folder.file("program.fut", "def main (xs: []i32) = xs\n");
    let mut bytes = b"b\x02\x01 i32".to_vec();
    bytes.extend(3u64.to_le_bytes());
    bytes.extend(1i32.to_le_bytes());
    let file = folder.file("values", &bytes);
    fun(&["run", &program, "-i", &file], b"").refused_with(&["values", "argument 0"]);
    bytes.extend(2i32.to_le_bytes());
    bytes.extend(3i32.to_le_bytes());
    let file = folder.file("values", &bytes);
    assert_eq!(fun(&["run", &program, "-i", &file], b"").printed(), "[1i32, 2i32, 3i32]\n");
    // a size that no machine has
    let mut bytes = b"b\x02\x01 i32".to_vec();
    bytes.extend(u64::MAX.to_le_bytes());
    let file = folder.file("values", &bytes);
    fun(&["run", &program, "-i", &file], b"").refused_with(&["values", "argument 0"]);
}

#[test]
fn missing_files() {
    fun(&["run", "no/such/file.fut"], b"").refused_with(&["no/such/file.fut"]);
    let folder = Folder::new();
    let program = folder.file("program.fut", "def main (x: i32) = x\n");
    fun(&["run", &program, "-i", "no/such/values"], b"").refused_with(&["no/such/values"]);
    let program = folder.file("program.txt", "def main (x: i32) = x\n");
    fun(&["run", &program], b"").refused_with(&["program.txt", ".fut"]);
    let program = folder.file("latin.fut", b"def main = \"\xe9\"\n");
    fun(&["run", &program], b"").refused_with(&["latin.fut", "UTF-8"]);
}

#[test]
fn missing_entry_point() {
    let folder = Folder::new();
    let program = folder.file("program.fut", "entry count (x: i32) = x\n");
    fun(&["run", &program, "-e", "cuont"], b"1").refused_with(&["cuont", "did you mean `count`"]);
    fun(&["run", &program], b"1").refused_with(&["main", "count"]);
    let program = folder.file("none.fut", "def helper (x: i32) = x\n");
    fun(&["run", &program], b"1").refused_with(&["no entry point"]);
}

#[test]
fn deep_nesting() {
    let source = format!("def main = {}1{}\n", "(".repeat(10_000), ")".repeat(10_000));
    run_source(&source, "").refused_with(&["program.fut:1:", "nest"]);
    let source = format!("def main = {}\n", "[".repeat(10_000));
    run_source(&source, "").refused_with(&["program.fut:1:"]);
    let source = format!("def main = {}true\n", "!".repeat(10_000));
    run_source(&source, "").refused_with(&["program.fut:1:"]);
}

#[test]
fn bad_intermediate_programs() {
    let folder = Folder::new();
    let program =
        folder.file("bad.fun", "entry main (x_0: i32) : (r_1: i32) = {\n  let (y_2: i32) = add.i32 x_0\n}\n");
    fun(&["run", &program], b"1").refused_with(&["bad.fun:"]);
    let program = folder.file("unbound.fun", "entry main : (r_1: i32) = {\n  in (y_7)\n}\n");
    fun(&["run", &program], b"").refused_with(&["y_7"]);
    let program = folder.file("bad.imp", "proc f (");
    fun(&["run", &program], b"").refused_with(&["bad.imp:"]);
}

/// Statements of intermediate programs say where they come from; nothing is there in these.
#[test]
fn places_that_are_nowhere() {
    let folder = Folder::new();
    for place in ["0:0", "1:0", "0:1", "1:4000000000", "4000000000:1", "3:1"] {
        let failing =
            format!("entry main : = {{\n  let = assert false \"no\" # \"PATH\":{place}\n  in ()\n}}\n");
        let faulty = format!(
            "entry main : (r_0: i64) = {{
               let (a_mem_1: mem) = alloc [2i64] i64 # \"PATH\":{place}
               let (a_2: [3i64]i64 @ a_mem_1 -> 0 + {{(3 : 1)}}) = replicate [3i64] 1i64 # \"PATH\":{place}
               let (x_3: i64) = index a_2[0i64]
               in (x_3)
             }}"
        );
        let path = folder.path("p.funmem").display().to_string();
        for (text, part) in [(failing, "no at"), (faulty, "outside of its block")] {
            let program = folder.file("p.funmem", text.replace("PATH", &path));
            let outcome = fun(&["run", &program, "--backend", "interp"], b"");
            outcome.refused_with(&[part]);
            assert!(outcome.stderr.len() < 4000, "{} bytes", outcome.stderr.len());
        }
    }
}

#[test]
fn sizes_that_no_argument_gives() {
    let folder = Folder::new();
    let program = folder.file(
        "p.fun",
        "entry main [n_0: i64] (m_1: i64) : (r_2: i64) = {\n  let (x_3: i64) = add.i64 n_0 m_1\n  in (x_3)\n}\n",
    );
    assert_eq!(fun(&["check", &program], b"").printed(), "");
    for command in
        [&["run", &program][..], &["compile", "--emit", "c", &program], &["compile", "--lib", &program]]
    {
        fun(command, b"1i64").refused_with(&["entry point main", "parameter n_0"]);
    }
}

#[test]
fn wrong_usage() {
    for arguments in
        [&["run"][..], &["frobnicate"], &["run", "x.fut", "--no-such-flag"], &["run", "x.fut", "-r", "0"]]
    {
        let outcome = fun(arguments, b"");
        assert_eq!(outcome.status, 2, "{arguments:?}: {}", outcome.stderr);
    }
    let folder = Folder::new();
    let program = folder.file("program.fut", "def main (x: i32) = x\n");
    fun(&["dev", &program, "-p", "simplfy"], b"").refused_with(&["simplfy", "did you mean `simplify`"]);
    fun(&["dev", &program, "-p", "lower-to-imp"], b"").refused_with(&["lower-to-imp", "funmem"]);
}

#[test]
fn nothing_half_written() {
    let folder = Folder::new();
    let program = folder.file("program.fut", "def main (x: i32) = x + true\n");
    let output = folder.path("out.imp");
    let out = output.display().to_string();
    fun(&["compile", "--emit", "imp", &program, "-o", &out], b"").refused_with(&["program.fut:1:"]);
    assert!(!output.exists());
}

#[test]
fn a_mark_of_the_byte_order_is_no_part_of_the_text() {
    assert_eq!(run_source("\u{feff}def main (x: i32) = x + 1", "2").text().trim(), "3i32");
}
