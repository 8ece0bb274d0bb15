//! The memory programs: their values, and the numbers of allocations and copies that their stanzas state. `BLESS=1` writes the
//! numbers that are found into the stanzas.

mod support;

use std::path::Path;
use support::{Outcome, fun, repository};

/// `fun test` on a folder: everything holds, and there are at least this many tests.
fn folder(path: &str, tolerance: &str, least: usize) {
    let path = repository(path).display().to_string();
    let test = || fun(&["test", "--tolerance", tolerance, "--time", "120", "--file-time", "300", &path], b"");
    let mut outcome = test();
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        bless(&outcome);
        outcome = test();
    }
    let printed = outcome.text();
    assert_eq!(outcome.status, 0, "{printed}");
    let passed = printed.lines().last().and_then(|line| line.split_once(" passed, 0 failed, 0 skipped"));
    let passed = passed.and_then(|(count, _)| count.parse::<usize>().ok());
    assert!(passed.is_some_and(|passed| passed >= least), "{printed}");
}

/// Replaces expected numbers by those found: `FAIL FILE:LINE: structure: 1 of `Alloc` where 2 are expected …`, and further numbers
/// of the same stanza on lines of their own.
fn bless(outcome: &Outcome) {
    let mut stanza: Option<(String, usize)> = None;
    for line in outcome.text().lines() {
        let mut difference = line.trim();
        if let Some((place, rest)) =
            line.strip_prefix("FAIL ").and_then(|line| line.split_once(": structure:"))
        {
            let (file, line) = place.rsplit_once(':').expect("a place");
            stanza = Some((file.to_owned(), line.parse().expect("a line")));
            difference = rest.trim();
        } else if line.starts_with("FAIL ") {
            stanza = None;
        }
        let words: Vec<&str> = difference.split(['`', ' ']).filter(|word| !word.is_empty()).collect();
        if let (Some((file, line)), [found, "of", name, "where", expected, "are", "expected", ..]) =
            (&stanza, &words[..])
        {
            replace(Path::new(file), *line, &format!(" {name} {expected} "), &format!(" {name} {found} "));
        }
    }
}

fn replace(file: &Path, line: usize, old: &str, new: &str) {
    let text = std::fs::read_to_string(file).expect("the program");
    let lines = text.lines().enumerate();
    let lines: Vec<String> = lines
        .map(|(at, text)| if at + 1 == line { text.replace(old, new) } else { text.to_owned() })
        .collect();
    std::fs::write(file, lines.join("\n") + "\n").expect("the program can be written");
}

#[test]
fn ideas() {
    folder("testsuite/memory", "1e-6", 480);
}

#[test]
fn benchmarks() {
    folder("bench/memory", "1e-3", 30);
}
