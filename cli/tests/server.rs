//! `fun compile --server`: Futhark's server protocol.

mod support;

use std::process::Command;
use support::{Folder, outcome, repository, without_c_compiler};

/// What a server of the program in `libraries/` says to each of these commands, `%%% OK` left out. Its memory is watched.
fn answers(commands: &[&str]) -> Vec<Vec<String>> {
    let folder = Folder::new();
    let source = std::fs::read_to_string(repository("cli/tests/libraries/program.fut")).expect("the program");
    let program = folder.file("program.fut", source);
    folder.file("xs", "[1, 2, 3] 1i64");
    folder.file("fields", "10i32 [1f32, 2f32]");
    let mut compile = Command::new(env!("CARGO_BIN_EXE_fun"));
    compile.args(["compile", "-w", "--server", &program]);
    let sanitized = "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all";
    if outcome(compile.env("CFLAGS", sanitized), b"").status != 0 {
        assert_eq!(outcome(compile.env("CFLAGS", "-O1"), b"").printed(), "");
    }
    let mut server = Command::new(folder.path("program"));
    let input = commands.join("\n") + "\n";
    let text = outcome(server.current_dir(folder.path("")), input.as_bytes()).printed();
    let mut said: Vec<Vec<String>> = Vec::new();
    let mut lines = Vec::new();
    for line in text.lines() {
        if line == "%%% OK" {
            said.push(std::mem::take(&mut lines));
        } else {
            lines.push(line.to_owned());
        }
    }
    // the first comes before the first command
    assert_eq!((said.len(), said.remove(0)), (commands.len() + 1, Vec::new()));
    said
}

#[test]
fn commands_do_what_the_protocol_says() {
    if without_c_compiler() {
        return;
    }
    // each command with the lines that it is answered by; `…` for the rest of a line
    let script: &[(&str, &[&str])] = &[
        (
            "types",
            &[
                "i8",
                "i16",
                "i32",
                "i64",
                "u8",
                "u16",
                "u32",
                "u64",
                "f16",
                "f32",
                "f64",
                "bool",
                "[]i64",
                "[]f64",
                "[]i32",
                "([]i32, i32)",
                "[][]f64",
                "[]f32",
                "r",
                "s",
                "pt",
                "[]pt",
                "([]i64, []i64)",
            ],
        ),
        ("inputs main", &["[]i32", "i64"]),
        ("output main", &["([]i32, i32)"]),
        ("inputs upd", &["*[]i64"]),
        ("output upd", &["*[]i64"]),
        ("restore xs xs []i32 k i64", &[]),
        ("call main out xs k", &["runtime: …"]),
        ("project ys out 0", &[]),
        ("project \"y\" out 1", &[]),
        ("type ys", &["[]i32"]),
        ("shape ys", &["3"]),
        ("store ys ys", &[]),
        ("restore ys zs []i32", &[]),
        ("call main again zs k", &["runtime: …"]),
        ("restore fields a i32 b []f32", &[]),
        ("fields r", &["a i32", "b []f32"]),
        ("new r r a b", &[]),
        ("call unr sum r", &["runtime: …"]),
        ("index first sum 0", &[]),
        ("kind r", &["record"]),
        ("kind s", &["sum"]),
        ("kind []pt", &["array"]),
        ("kind f16", &["primitive"]),
        ("variants s", &["none", "one", "- i32", "some", "- []i32", "- bool"]),
        ("construct v s one a", &[]),
        ("variant v", &["one"]),
        ("destruct v payload", &[]),
        ("zip ps []pt b b", &[]),
        ("rank []pt", &["1"]),
        ("elemtype []pt", &["pt"]),
        ("fields []pt", &["x []f32", "y []f32"]),
        ("index p ps 1", &[]),
        ("set ps p 0", &[]),
        ("unzip ps px py", &[]),
        ("new_array qs []pt 2 p p", &[]),
        ("new_array is [][]f64 0 3", &[]),
        ("shape is", &["0", "3"]),
        ("call mat turned is", &["runtime: …"]),
        ("shape turned", &["3", "0"]),
        ("rename qs rs", &[]),
        ("free rs ps", &[]),
        ("clear", &[]),
        ("pause_profiling", &[]),
        ("unpause_profiling", &[]),
        ("report", &["{…"]),
        ("tuning_params main", &[]),
        ("attributes main", &[]),
        ("", &[]),
    ];
    let commands: Vec<&str> = script.iter().map(|(command, _)| *command).collect();
    for ((command, expected), said) in script.iter().zip(answers(&commands)) {
        let fits = said.len() == expected.len()
            && said.iter().zip(*expected).all(|(line, expected)| match expected.strip_suffix('…') {
                Some(start) => line.starts_with(start),
                None => line == expected,
            });
        assert!(fits, "{command}: {said:?}");
    }
}

#[test]
fn failures_are_told_and_the_server_goes_on() {
    if without_c_compiler() {
        return;
    }
    let script: &[(&str, &str)] = &[
        ("frobnicate", "Unknown command: frobnicate"),
        ("call", "needs 2 arguments"),
        ("call nope out", "Unknown entry point: nope"),
        ("restore missing x i32", "Failed to open missing"),
        ("restore xs xs []i32", "Expected EOF after reading 1 values from xs"),
        ("restore xs k i64", "Failed to restore variable k."),
        ("restore xs m nope", "Unknown type: nope"),
        ("call main xs xs xs", "Variable already exists: xs"),
        ("call main out xs nope", "Unknown variable: nope"),
        ("call main out xs xs", "expected type i64, got []i32"),
        ("call main out xs", "Expected 2 values, but got 1."),
        ("call bad out five", "Unknown variable: five"),
        ("index e xs 3", "out of bounds"),
        ("index e xs 1 1", "1 indices expected but 2 values provided."),
        ("index e xs one", "Invalid index `one` of dimension 1."),
        ("fields s", "Not a record type"),
        ("variants r", "Not a sum type"),
        ("rank r", "Not an array type"),
        ("zip z []f32 xs", "Cannot zip this array type"),
        ("set_tuning_param x 3", "Failed to set tuning parameter x to 3"),
        ("tuning_param_class x", "Unknown tuning parameter: x"),
        ("free nope", "Unknown variable: nope"),
    ];
    let mut commands: Vec<&str> = script.iter().map(|(command, _)| *command).collect();
    commands.push("shape xs");
    let said = answers(&commands);
    for ((command, part), said) in script.iter().zip(&said) {
        let failed = said.iter().position(|line| line == "%%% FAILURE");
        let told = failed.is_some_and(|at| said[at + 1..].join("\n").contains(part));
        assert!(told, "{command}: {said:?}");
    }
    assert_eq!(said.last(), Some(&vec!["3".to_owned()]));
}
