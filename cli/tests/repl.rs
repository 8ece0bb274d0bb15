//! The REPL, driven through its standard input.

mod support;

use support::{Folder, fun};

/// Everything that a session of these lines prints.
fn session(lines: &str) -> String {
    let outcome = fun(&["repl"], lines.as_bytes());
    assert!(!outcome.stderr.contains("panicked"), "{}", outcome.stderr);
    outcome.printed() + &outcome.stderr
}

#[track_caller]
fn says(lines: &str, parts: &[&str]) {
    let printed = session(lines);
    for part in parts {
        assert!(printed.contains(part), "`{part}` is not in:\n{printed}");
    }
}

#[test]
fn expressions_and_definitions() {
    says("1 + 2\n", &["3"]);
    says("def square (x: f32) = x * x\nmap square [1, 2, 3]\n", &["square : f32 -> f32", "[1.0, 4.0, 9.0]"]);
    says("let x = 10i64\nlet y = x + 1\nx * y\n", &["110"]);
    says("(1i32, {a = true, b = [2u8]})\n", &["(1i32, {a = true, b = [2] : [1]u8})"]);
}

#[test]
fn sums_print_as_constructors() {
    says("(#a 1 true) : #a i32 bool | #b\n", &["#a 1i32 true"]);
    says(
        "[(#some [1,2], 1u8), (#none, 2)] : [](#some ([2]i32) | #none, u8)\n",
        &["[(#some [1, 2], 1u8), (#none, 2u8)]"],
    );
}

#[test]
fn definitions_can_be_replaced() {
    says("def f (x: i32) = x + 1\ndef g (x: i32) = f x\ndef f (x: i32) = x * 100\ng 7\n", &["700"]);
}

#[test]
fn input_may_span_lines() {
    says("def f (x: i32) =\n  x + 1\n\nf 41\n", &["42"]);
    says("(1 +\n2)\n", &["3"]);
}

#[test]
fn errors_leave_it_alive() {
    says("1 +* 2\n1 + true\n[1, 2][7]\nnope\n:nope\nassert false 1\n40 + 2\n", &["out of bounds", "42"]);
}

#[test]
fn commands() {
    says(":type map (+ 1i32)\n", &["i32"]);
    says(":ir fun 1i32 + 2\n", &["entry"]);
    says(":ir funmem iota 10\n", &["alloc"]);
    says(":ir imp iota 10\n", &["proc"]);
    says(":mem iota 1000\n", &["1 block, 8000 B", "█", "alive", "8000 bytes at the peak"]);
    says("def ys = scan (+) 0i32 [1, 2, 3]\n:trace ys[1]\n", &["reads", "3 writes", "1 read ", "alloc"]);
    says(":time reduce (+) 0 (iota 1000)\n", &["compiled in", "ran in"]);
    says(":verify scan (+) 0 (iota 10)\n", &["semantics agree"]);
    says(":help\n", &[":reload", ":verify"]);
    says(":quit\n1 + 1000\n", &[]);
    assert!(!session(":quit\n1 + 1000\n").contains("1001"));
}

#[test]
fn verifying() {
    says(":verify scan (+) 0 (iota 10)\n", &["semantics agree"]);
    // functions, on random inputs; definitions are seen
    says("def sq (x: i32) = x * x\n:verify map sq\n", &["50 inputs agree under"]);
    says(
        ":verify \\(xs: []i32) (i: i64) -> xs[i]\n",
        &["50 inputs agree under", "not counted: the program stops at an assertion"],
    );
    says(":verify assert false 1i32\n", &["nothing was tested", "assert"]);
    says(":verify \\x -> x\n1 + 1\n", &["give its parameters types", "2"]);
    says(":verify nope\n1 + 1\n", &["nope", "2"]);
}

#[test]
fn the_semantics_that_evaluates() {
    says(":semantics\n", &["evaluated by machine code"]);
    let lines = "let xs = [3, 1, 2]\nmap (* 2) xs\n";
    for (name, about) in [("value", "FUN"), ("heap", "FUNMEM"), ("imp", "IMP"), ("jit", "machine code")] {
        says(&format!(":semantics {name}\n{lines}"), &[about, "[6, 2, 4]"]);
        says(&format!(":semantics {name}\n[1, 2][7]\n(1i32, 2u8)\n"), &["out of bounds", "(1i32, 2u8)"]);
    }
    says(":semantics hep\n1 + 1\n", &["did you mean `heap`", "2"]);
}

#[test]
fn files_are_loaded_and_reloaded() {
    let folder = Folder::new();
    let path = folder.file("lib.fut", "def answer = 42i32\nentry main (x: i32) = x + answer\n");
    says(&format!(":load {path}\nmain 1\n:reload\nanswer\n"), &["43", "42"]);
    says(":load no/such/file\n1 + 1\n", &["no/such/file", "2"]);
    says(":reload\n", &["nothing has been loaded"]);
    let outcome = fun(&["repl", &path], b"main 2\n");
    assert!(outcome.printed().contains("44"));
}

#[test]
fn large_arrays_are_abridged() {
    let printed = session("iota 100000\n");
    assert!(printed.len() < 2000, "{} bytes", printed.len());
    assert!(printed.contains("[100000]i64"), "{printed}");
}
