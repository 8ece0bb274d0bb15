//! `fun fuzz` as a user runs it.

mod support;

use support::fun;

/// Runs `fun fuzz` with these arguments: status, standard output, standard error.
fn fuzz(arguments: &[&str]) -> (i32, String, String) {
    let outcome = fun(&[&["fuzz"], arguments].concat(), b"");
    let text = outcome.text();
    (outcome.status, text, outcome.stderr)
}

#[test]
fn a_count_of_programs() {
    let (status, out, _) = fuzz(&["--programs", "60", "--jobs", "2", "--coverage"]);
    assert_eq!(status, 0, "{out}");
    assert!(out.starts_with("60 programs in "), "{out}");
    assert!(out.contains("% of programs: fun: loop"), "{out}");
}

#[test]
fn a_corpus_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let corpus = folder.path().join("found").display().to_string();
    let common = ["--jobs", "1", "--language", "imp", "--corpus", &corpus, "--programs"];
    let (status, out, _) = fuzz(&[&common[..], &["20"]].concat());
    assert_eq!((status, out.starts_with("20 programs")), (0, true), "{out}");
    let (status, out, _) = fuzz(&[&common[..], &["50"]].concat());
    assert_eq!((status, out.starts_with("30 programs")), (0, true), "{out}");
    assert!(out.contains("50 in all"), "{out}");
    let state = std::fs::read_to_string(folder.path().join("found/state.txt")).expect("a state");
    assert!(state.contains("\nnext 50\n") && state.contains("\n50\tprograms\n"), "{state}");
    let (status, _, err) = fuzz(&[&common[..], &["60", "--size", "3"]].concat());
    assert_eq!(status, 2, "{err}");
    assert!(err.contains("was begun with"), "{err}");
    std::fs::write(folder.path().join("found/state.txt"), "nonsense\n").expect("written");
    let (status, _, err) = fuzz(&[&common[..], &["60"]].concat());
    assert_eq!(status, 2, "{err}");
    assert!(err.contains("no state"), "{err}");
}

#[test]
fn wrong_usage() {
    assert_eq!(fuzz(&["--language", "pascal"]).0, 2);
    assert_eq!(fuzz(&["--time", "-1"]).0, 2);
    let (status, _, err) = fuzz(&["--pipeline", "fast"]);
    assert_eq!(status, 2);
    assert!(
        err.contains(
            "there is no pipeline `fast`; there are default, no-memory, small, small-tiles, c, views, gpu, gpu-no-memory, gpu-small, gpu-library, none"
        ),
        "{err}"
    );
    assert_eq!(fuzz(&["--programs", "0"]).0, 2);
    assert_eq!(fuzz(&["--programs", "9", "--seed", "18446744073709551610"]).0, 2);
    let (status, _, err) = fuzz(&["--mutant", "nobody"]);
    assert_eq!(status, 2);
    assert!(err.contains("there is no mutant `nobody`"), "{err}");
}

#[test]
fn a_seeded_bug_is_found_and_made_small() {
    let (status, out, _) = fuzz(&["--mutant", "comparison-by-difference"]);
    assert_eq!(status, 0, "{out}");
    assert!(out.starts_with("comparison-by-difference: found by program "), "{out}");
    assert!(out.contains("case: run main ("), "{out}");
    let (status, out, _) = fuzz(&["--mutant", "comparison-by-difference", "--programs", "1"]);
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("not found in 1 programs"), "{out}");
}

/// A worker that is brought down is a finding, and another one goes on.
#[cfg(target_os = "linux")]
#[test]
fn a_crash_is_a_finding() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().expect("a folder");
    let parent = Command::new(env!("CARGO_BIN_EXE_fun"))
        .args(["fuzz", "--first", "--jobs", "1", "--programs", "100000", "--corpus"])
        .arg(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let children = |pid: u32| {
        let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
        let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
        lists
            .flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    let mut worker = None;
    for _ in 0..500 {
        std::thread::sleep(std::time::Duration::from_millis(10));
        worker = children(parent.id()).pop();
        if worker.is_some() {
            break;
        }
    }
    let worker = worker.expect("a worker");
    // while it starts there is no program to blame
    std::thread::sleep(std::time::Duration::from_secs(2));
    let killed = Command::new("kill").args(["-ABRT", &worker]).status().expect("kill runs");
    assert!(killed.success());
    let output = parent.wait_with_output().expect("it ends");
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{out}");
    assert!(out.contains("crashed: the process ended: signal: 6"), "{out}");
    let kept = std::fs::read_dir(folder.path().join("findings")).expect("a folder").count();
    assert_eq!(kept, 1, "{out}");
}
