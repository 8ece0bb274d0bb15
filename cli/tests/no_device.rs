//! Programs for a device on a machine without one: libraries, servers and executables say so at once.

#![allow(clippy::print_stderr, reason = "says what is there")]

mod support;

use std::process::Command;
use support::{Folder, Outcome, fun, outcome, without_c_compiler};

/// Asks for the context's error twice, and then for the sum of the first numbers by a call.
const CALLER: &str = r#"
#include "sum.h"
#include <stdio.h>
int main(void) {
    struct futhark_context_config *config = futhark_context_config_new();
    struct futhark_context *context = futhark_context_new(config);
    int64_t sum = 0;
    for (int time = 0; time < 2; time++) {
        char *error = futhark_context_get_error(context);
        puts(error == NULL ? "nothing" : error);
    }
    const int failed = futhark_entry_main(context, &sum, 5) != 0;
    char *error = futhark_context_get_error(context);
    puts(error == NULL ? "nothing" : error);
    futhark_context_free(context);
    futhark_context_config_free(config);
    return failed;
}
"#;

/// The one has arrays at its interface, and the other none.
const TWICE: &str = "entry main [n] (xs: [n]i32) = map (* 2) xs";
const SUM: &str = "entry main (n: i64): i64 = i64.sum (map (\\i -> i * i % 7) (iota n))";

/// The devices that this machine has not, with how messages about that begin.
fn missing() -> Vec<(&'static str, &'static str)> {
    if without_c_compiler() {
        return Vec::new();
    }
    let folder = Folder::new();
    let program = folder.file("twice.fut", TWICE);
    let mut found = vec![("cuda", "no CUDA"), ("opencl", "no OpenCL")];
    found.retain(|(backend, _)| {
        let is_missing = fun(&["run", "--backend", backend, &program], b"[1, 2]").status != 0;
        if !is_missing {
            eprintln!("skipped: this machine has a device for {backend}");
        }
        is_missing
    });
    found
}

fn compile(folder: &Folder, kind: &str, backend: &str, source: &str, name: &str) {
    let program = folder.file(&format!("{name}.fut"), source);
    let output = folder.path(name).display().to_string();
    fun(&["compile", kind, "--backend", backend, &program, "-o", &output], b"").printed();
}

/// Fails the test unless nothing was printed, and the message is there.
#[track_caller]
fn ended_with(outcome: &Outcome, message: &str) {
    outcome.refused_with(&["Error: ", message]);
    assert_eq!(outcome.text(), "");
}

#[test]
fn contexts_of_libraries_have_the_message() {
    for (backend, message) in missing() {
        let folder = Folder::new();
        compile(&folder, "--lib", backend, SUM, "sum");
        let caller = folder.file("caller.c", CALLER);
        let mut command = Command::new("cc");
        let linked =
            outcome(command.args([&caller, "./sum.so", "-o", "caller"]).current_dir(folder.path("")), b"");
        assert_eq!(linked.status, 0, "{}", linked.stderr);
        let ran = outcome(Command::new("./caller").current_dir(folder.path("")), b"");
        let text = ran.text();
        let lines: Vec<&str> = text.lines().collect();
        let [first, second, after_call] = lines[..] else { panic!("{text}") };
        assert!(first.starts_with("Error: ") && first.contains(message), "{text}");
        assert_eq!(second, "nothing");
        assert!(after_call.contains(message), "{text}");
        assert_eq!(ran.status, 1);
    }
}

#[test]
fn servers_and_executables_end_with_the_message() {
    for (backend, message) in missing() {
        let folder = Folder::new();
        let run = |name: &str, input: &[u8]| outcome(&mut Command::new(folder.path(name)), input);
        compile(&folder, "--server", backend, SUM, "sum");
        ended_with(&run("sum", b"inputs main\n"), message);
        compile(&folder, "--exe", backend, TWICE, "twice");
        ended_with(&run("twice", b"[1, 2]"), message);
        // before the arguments are looked at
        ended_with(&run("twice", b""), message);
    }
}
