//! `fun run --backend c` and `fun compile --emit c`.

mod support;

use std::process::Command;
use support::{Folder, fun, outcome, repository, without_c_compiler};

/// Examples with inputs of some size, made of the formats that they take.
fn examples() -> Vec<(&'static str, String)> {
    let numbers = |count: u32, of: &dyn Fn(u32) -> String| {
        format!("[{}]", (0..count).map(of).collect::<Vec<_>>().join(", "))
    };
    let vector = |seed: u32| numbers(1000, &|k| format!("{}f64", f64::from(k * seed % 97) / 8.0));
    let matrix = |rows: u32, columns: u32, of: &dyn Fn(u32, u32) -> String| {
        numbers(rows, &|i| numbers(columns, &|j| of(i, j)))
    };
    let floats = |n: u32| {
        matrix(n, n, &|i, j| {
            format!("{}f32", f64::from((i * 7 + j * 3) % 11) + if i == j { 50.0 } else { 0.5 })
        })
    };
    let points = matrix(40, 2, &|i, j| format!("{}f32", f64::from((i * 13 + j * 5) % 29) / 4.0));
    vec![
        ("bfs.fut", "[0, 2, 3, 3] [2, 1, 0, 0] [1, 2, 2]".to_owned()),
        ("dot_product.fut", format!("{} {}", vector(3), vector(5))),
        ("heat.fut", "8i64 100i32".to_owned()),
        ("kmeans.fut", format!("3 {points}")),
        ("life.fut", format!("{} 7i32", matrix(20, 30, &|i, j| format!("{}u8", (i * j + i) % 3 % 2)))),
        ("lud.fut", floats(32)),
        ("matmul.fut", format!("{} {}", floats(24), floats(24))),
    ]
}

#[test]
fn examples_give_what_the_jit_gives() {
    if without_c_compiler() {
        return;
    }
    for (name, input) in examples() {
        let path = repository("examples").join(name).display().to_string();
        let run = |backend| fun(&["run", "--backend", backend, &path], input.as_bytes()).printed();
        assert_eq!(run("c"), run("jit"), "{name}");
    }
}

/// The programs of the memory suite and the examples, on the inputs of their stanzas.
#[test]
fn stanzas_hold_by_way_of_c() {
    if without_c_compiler() {
        return;
    }
    for (folder, least) in [("testsuite/memory", 500), ("examples", 20)] {
        let folder = repository(folder).display().to_string();
        let options =
            ["test", "-c", "--backend", "c", "--tolerance", "1e-5", "--time", "120", "--file-time", "300"];
        let outcome = fun(&[&options[..], &[&folder]].concat(), b"");
        let printed = outcome.text();
        let passed = printed.lines().last().and_then(|line| line.split_once(" passed, 0 failed"));
        let passed = passed.and_then(|(count, _)| count.parse::<usize>().ok());
        assert!(outcome.status == 0 && passed.is_some_and(|passed| passed >= least), "{printed}");
    }
}

#[test]
fn the_text_names_source_lines_and_compiles_without_warnings() {
    let path = repository("examples").join("dot_product.fut").display().to_string();
    let text = fun(&["compile", "--emit", "c", &path], b"").printed();
    assert!(text.contains("dot_product.fut:") && text.contains("def main"), "{text}");
    if without_c_compiler() {
        return;
    }
    let folder = Folder::new();
    let source = folder.file("program.c", &text);
    let output = Command::new("cc")
        .args([
            "-std=c11",
            "-O2",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-ffp-contract=off",
            "-c",
            "-o",
            "/dev/null",
        ])
        .arg(&source)
        .output()
        .expect("the compiler starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn failures_have_message_and_place() {
    if without_c_compiler() {
        return;
    }
    let folder = Folder::new();
    let path = folder.file("program.fut", "def main (xs: []i32) (i: i64) = xs[i]\n");
    let refused = fun(&["run", "--backend", "c", &path], b"[1, 2] 5i64");
    refused.refused_with(&["Index [5] out of bounds for array of shape [2]", "program.fut:1:"]);
    assert_eq!(fun(&["run", "--backend", "c", &path], b"[1, 2] 1i64").printed(), "2i32\n");
}

#[test]
fn a_missing_compiler_is_named() {
    let folder = Folder::new();
    let path = folder.file("program.fut", "def main (x: i32) = x\n");
    let outcome = Command::new(env!("CARGO_BIN_EXE_fun"))
        .args(["run", "--backend", "c", &path])
        .env("CC", "no-such-compiler")
        .output()
        .expect("the binary starts");
    let said = String::from_utf8_lossy(&outcome.stderr);
    assert!(outcome.status.code() == Some(1) && said.contains("no-such-compiler"), "{said}");
}

/// A cache is a help, no need: where it can't be written programs are compiled all the same, and what is damaged in it is compiled anew.
#[test]
fn a_cache_that_is_none_and_one_that_is_damaged_do_no_harm() {
    if without_c_compiler() {
        return;
    }
    let folder = Folder::new();
    let program = folder.file("double.fut", "entry main (x: i64): i64 = x * 2\n");
    let run = |cache: &std::path::Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fun"));
        command.args(["run", "--backend", "c", &program]).env("XDG_CACHE_HOME", cache);
        outcome(&mut command, b"21").printed()
    };
    // no folder can be made below a file
    let file = folder.file("file", "");
    assert_eq!(run(file.as_ref()), "42i64\n");
    let cache = folder.path("cache");
    assert_eq!(run(&cache), "42i64\n");
    let kept = std::fs::read_dir(cache.join("fun/c")).expect("it was made");
    let paths: Vec<_> = kept.map(|entry| entry.expect("readable").path()).collect();
    let mut libraries = paths.iter().filter(|path| path.extension().is_some_and(|end| end == "so"));
    let library = libraries.next().expect("it was kept");
    std::fs::write(library, b"").expect("writable");
    assert_eq!(run(&cache), "42i64\n");
    assert!(std::fs::metadata(library).expect("it is there").len() > 0, "it was made anew");
}

/// Only by the level that programs are compiled at does a C compiler make the vectors that it gets wrong.
#[test]
fn groups_of_six_doubles_are_themselves_from_the_end() {
    if without_c_compiler() {
        return;
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../testsuite/cases/language/soacs/groups_of_six.fut");
    let arguments = b"[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0] 1i64";
    let by = |backend: &str| fun(&["run", "-w", "--backend", backend, path], arguments).printed();
    assert_eq!(by("c"), by("interp"));
}
