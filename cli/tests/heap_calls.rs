//! Heap calls in loops, counted at run time: `testsuite/heap_calls.txt` lists the programs of the corpus that still have some, and
//! how many at most. All others have none. `BLESS=1` writes the list.

mod support;

use fun_spec::stanza::{Input, Test};
use std::fmt::Write;
use std::path::Path;
use support::{corpus, fun, repository};

/// What the list begins with.
const HEADER: &str = "\
# Heap calls in loops at run time: program, entry point, line of the input, most calls. What is not here has none.
# Where array sizes do not change from one iteration to the next, there should be none but those of the iteration that comes first
# behind a check: one for each block, and for each piece of a parallel loop.
";

/// A line for each input of the program with which there are heap calls in loops, and how many inputs there are.
fn of_program(path: &Path, name: &str) -> (String, usize) {
    let source = std::fs::read_to_string(path).expect("the program");
    let spec = fun_spec::parse::parse(&source).expect("the stanzas are well-formed");
    let (mut lines, mut inputs) = (String::new(), 0);
    let cases = spec.blocks.iter().flat_map(|block| &block.tests).filter_map(|test| match test {
        Test::Case(case) => Some(case),
        _ => None,
    });
    for case in cases {
        let Input::Values(values) = &case.input else { continue };
        for entry in &case.entries {
            let program = path.display().to_string();
            let outcome = fun(&["run", "-w", "-n", "--mem", "-e", entry, &program], values.text.as_bytes());
            let calls = outcome.stderr.lines().find_map(|line| line.strip_prefix("heap_calls_in_loops "));
            // programs that are meant to stop have no count
            let Some(calls) = calls else {
                assert!(outcome.status != 0, "{name}: no count in\n{}", outcome.stderr);
                continue;
            };
            inputs += 1;
            if calls != "0" {
                writeln!(lines, "{name} {entry} {} {calls}", case.line).expect("text grows");
            }
        }
    }
    (lines, inputs)
}

#[test]
fn heap_calls_in_loops_are_no_more_than_listed() {
    let (mut found, mut inputs) = (HEADER.to_owned(), 0);
    for (name, path) in corpus() {
        let (lines, count) = of_program(&path, &name);
        found += &lines;
        inputs += count;
    }
    assert!(inputs > 150, "only {inputs} inputs were run");
    let list = repository("testsuite/heap_calls.txt");
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&list, &found).expect("the list can be written");
    }
    let listed = std::fs::read_to_string(&list).expect("the list");
    let worse: Vec<&str> = found.lines().filter(|line| !is_listed(line, &listed)).collect();
    assert!(worse.is_empty(), "more heap calls in loops than are listed: {worse:#?}");
}

/// Whether the list has a line for the same input with at least as many calls.
fn is_listed(line: &str, list: &str) -> bool {
    let parts = |line: &str| {
        let (input, calls) = line.rsplit_once(' ')?;
        Some((input.to_owned(), calls.parse::<u64>().ok()?))
    };
    let Some((input, calls)) = parts(line) else { return true };
    list.lines().filter_map(parts).any(|(other, most)| other == input && calls <= most)
}

#[test]
fn more_calls_than_listed_are_told_apart() {
    let list = "# comment\na.fut main 3 4\n";
    assert!(is_listed("a.fut main 3 4", list) && is_listed("a.fut main 3 2", list));
    assert!(!is_listed("a.fut main 3 5", list) && !is_listed("a.fut main 4 1", list));
}
