//! `#[param(name)]`: values given when a program is run or tested.

mod support;

use support::{Folder, fun};

const PROGRAM: &str = "-- ==
-- input { 2i64 } output { 9i64 }

def main (n: i64) = #[param(factor)] n * 3
";

#[test]
fn parameters_replace_values() {
    let folder = Folder::new();
    let path = folder.file("program.fut", PROGRAM);
    assert_eq!(fun(&["run", &path], b"2").printed(), "6i64\n");
    assert_eq!(fun(&["run", "--param", "factor=7", "--param", "other=1", &path], b"2").printed(), "7i64\n");
    fun(&["run", "--param", "factor", &path], b"2").refused_with(&["`factor` is not `NAME=NUMBER`"]);
    let tuning = folder.file("program.fut.tuning", "factor = 9\n\n");
    assert_eq!(fun(&["run", "--tuning", &tuning, &path], b"2").printed(), "9i64\n");
    assert_eq!(fun(&["run", "--tuning", &tuning, "--param", "factor=1", &path], b"2").printed(), "1i64\n");
    assert!(fun(&["test", &path], b"").printed().contains(" passed, 0 failed"));
    folder.file("program.fut.tuning", "factor = nine\n");
    assert_eq!(fun(&["test", &path], b"").status, 1);
}
