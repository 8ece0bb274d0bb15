//! `#[trace]` and `#[break]`: what the interpreter tells on the way.

mod support;

use support::{Folder, fun};

const PROGRAM: &str = "def f (x: i32) = #[trace(f)] x + 1
def main (xs: []i32) =
  let ys = map f xs
  let (n, {a, b}) = #[trace] (length ys, {a = ys, b = true})
  in #[break] (n, a, b, trace n)
";

#[test]
fn the_interpreter_tells_values_and_places() {
    let folder = Folder::new();
    let path = folder.file("program.fut", PROGRAM);
    let watched = fun(&["run", "--backend", "interp", &path], b"[1, 2]");
    assert_eq!(watched.printed(), "2i64\n[2i32, 3i32]\ntrue\n2i64\n");
    let expected = [
        "f: 2i32",
        "f: 3i32",
        "program.fut:4:21: (2i64, (a = [2i32, 3i32], b = true))",
        "program.fut:5:6",
        "trace: 2i64",
    ];
    for (line, expected) in watched.stderr.lines().zip(expected) {
        assert!(line.ends_with(expected), "{}", watched.stderr);
    }
    assert_eq!(watched.stderr.lines().count(), expected.len(), "{}", watched.stderr);
}

#[test]
fn compiled_code_is_silent() {
    let folder = Folder::new();
    let path = folder.file("program.fut", PROGRAM);
    let run = fun(&["run", &path], b"[1, 2]");
    assert_eq!(run.printed(), "2i64\n[2i32, 3i32]\ntrue\n2i64\n");
    assert_eq!(run.stderr, "");
}
