//! The case files by way of C: every program compiles without a warning, by Clang too where that is, and those that run give what the
//! JIT gives.

use super::{BATCH, together};
use fun_c::{Compiler, RunControl};
use fun_testsuite::at_once;
use fun_testsuite::case::{Case, find_cases};
use fun_testsuite::command::{Lowered, lowered};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the C library and our own elementary functions may differ by.
const TOLERANCE: f64 = 1e-5;

/// How many programs were compiled, gave values, and stopped.
#[derive(Default)]
struct Counts {
    programs: usize,
    values: usize,
    errors: usize,
}

#[test]
fn cases_give_by_way_of_c_what_the_jit_gives() {
    let compiler = match Compiler::find(fun_c::Options { level: 1, strict: true }) {
        Ok(compiler) => compiler.with_cache(None),
        Err(error) => {
            eprintln!("skipped: {error}");
            return;
        }
    };
    let clang = Command::new("clang").arg("--version").output().is_ok_and(|output| output.status.success());
    if !clang {
        eprintln!("skipped: no clang");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files: Vec<PathBuf> = ["cases", "../examples/paper", "../examples/corrections"]
        .iter()
        .flat_map(|folder| find_cases(&root.join(folder)))
        .collect();
    let batches: Vec<&[PathBuf]> = files.chunks(BATCH as usize).collect();
    let counted = at_once::map(&batches, |batch| {
        let mut counts = Counts::default();
        try_batch(batch, &compiler, clang, &mut counts);
        counts
    });
    let all = counted.into_iter().fold(Counts::default(), |all, counts| Counts {
        programs: all.programs + counts.programs,
        values: all.values + counts.values,
        errors: all.errors + counts.errors,
    });
    eprintln!("{} programs, {} with values, {} that stop", all.programs, all.values, all.errors);
    assert!(all.programs > 850 && all.values > 700 && all.errors > 30);
}

/// Compiles these cases in one file and runs them.
fn try_batch(files: &[PathBuf], compiler: &Compiler, clang: bool, counts: &mut Counts) {
    let read = |path: &PathBuf| {
        let name = path.display().to_string();
        let case = Case::read(path).unwrap_or_else(|error| panic!("{name}: {error}"));
        lowered(&case).unwrap_or_else(|error| panic!("{name}: {error}")).map(|lowered| (name, lowered))
    };
    let cases: Vec<(String, Lowered)> = files.iter().filter_map(read).collect();
    if cases.is_empty() {
        return;
    }
    counts.programs += cases.len();
    let program = together((0..).zip(cases.iter().map(|(_, lowered)| &lowered.program)));
    let from = format!("cases from {}", cases[0].0);
    let by_c = fun_c::compile(&program, compiler).unwrap_or_else(|error| panic!("{from}: {error}"));
    if clang {
        let text = fun_c::c_text(&program, &|_, _| None).unwrap_or_else(|error| panic!("{from}: {error}"));
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join("cases.c");
        std::fs::write(&source, text).expect("the source is written");
        let flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "-fsyntax-only"];
        let output = Command::new("clang").args(flags).arg(&source).output().expect("Clang runs");
        assert!(output.status.success(), "{from}: {}", String::from_utf8_lossy(&output.stderr));
    }
    for (number, (name, Lowered { program, call })) in cases.iter().enumerate() {
        let Some((entry, inputs)) = call else { continue };
        let jit = fun_cranelift::compile(program, fun_cranelift::Options::default());
        let jit = jit.unwrap_or_else(|error| panic!("{name}: {error}"));
        let control = RunControl::new();
        let wanted = jit.run(entry, inputs, &control).map_err(|error| error.to_string());
        let found = by_c.run(&format!("p{number}_{entry}"), inputs, &control);
        let found = found.map_err(|error| error.to_string().replace(&format!("p{number}_"), ""));
        let same = match (&wanted, &found) {
            (Ok(wanted), Ok(found)) => {
                counts.values += 1;
                let close = |(x, y): (&fun_base::value::Value, _)| x.close(y, TOLERANCE).is_ok();
                wanted.len() == found.len() && wanted.iter().zip(found).all(close)
            }
            (Err(wanted), Err(found)) => {
                counts.errors += 1;
                wanted == found
            }
            _ => false,
        };
        assert!(same, "{name}: the JIT gives {wanted:?}, C {found:?}");
    }
}
