//! The same answers as the integer set library (isl), where python3 with islpy is installed.

use super::{Small, Work};
use std::io::Write;
use std::process::{Command, Stdio};

const SCRIPT: &str = r#"
import sys, islpy
for line in sys.stdin:
    op, left, right, answer = line.rstrip("\n").split("|")
    a, b = islpy.Set(left), islpy.Set(right)
    expected = {
        "complement": lambda: a.complement(),
        "subtract": lambda: a.subtract(b),
        "project": lambda: a.project_out(islpy.dim_type.set, 1, 1),
        "least": lambda: a.lexmin(),
        "greatest": lambda: a.lexmax(),
    }[op]()
    print("same" if expected.is_equal(islpy.Set(answer)) else f"{op} of {left} and {right}: isl has {expected}, not {answer}")
"#;

#[test]
fn agrees_with_isl() {
    let python = std::env::var("FUN_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let known = Command::new(&python).args(["-c", "import islpy"]).stderr(Stdio::null()).status();
    if !known.is_ok_and(|status| status.success()) {
        println!(
            "SKIPPED: {python} has no islpy, so nothing was compared with isl (FUN_PYTHON names another python)"
        );
        return;
    }
    let mut g = quickcheck::Gen::new(20);
    let mut lines = String::new();
    for _ in 0..20 {
        let (a, b): (Small, Small) =
            (quickcheck::Arbitrary::arbitrary(&mut g), quickcheck::Arbitrary::arbitrary(&mut g));
        let (left, right) = (a.set(), b.set());
        let mut work = Work::default();
        let answers = [
            ("complement", left.complement(&mut work)),
            ("subtract", left.subtract(&right, &mut work)),
            ("project", left.project_out(1..2, &mut work)),
            ("least", left.least_points(&mut work)),
            ("greatest", left.greatest_points(&mut work)),
        ];
        for (op, answer) in answers {
            lines.push_str(&format!("{op}|{left}|{right}|{}\n", answer.unwrap()));
        }
    }
    let mut child = Command::new(&python)
        .args(["-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python starts");
    let mut input = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().expect("python ends");
    writer.join().expect("no panic").expect("python reads");
    let answers = String::from_utf8_lossy(&output.stdout);
    let different: Vec<&str> = answers.lines().filter(|line| *line != "same").collect();
    assert!(different.is_empty(), "{}", different.join("\n"));
    assert_eq!(answers.lines().count(), 100, "{answers}");
}
