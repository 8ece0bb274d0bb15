//! Every case file is a test of its own: `cargo test --test cases -- FILTER`; `BLESS=1` rewrites expectations.

#![expect(clippy::print_stdout, reason = "a test runner of its own")]

use fun_testsuite::at_once;
use fun_testsuite::case::{Case, Verdict, find_cases};
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Folders with cases, relative to this crate.
const FOLDERS: [&str; 3] = ["cases", "../examples/paper", "../examples/corrections"];

fn main() -> ExitCode {
    let filters: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let bless = std::env::var_os("BLESS").is_some_and(|value| value == "1");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cases = FOLDERS.iter().flat_map(|folder| find_cases(&root.join(folder)));
    let named = cases.map(|path| (path.strip_prefix(root).unwrap_or(&path).display().to_string(), path));
    let chosen: Vec<(String, PathBuf)> = named
        .filter(|(name, _)| filters.is_empty() || filters.iter().any(|filter| name.contains(filter)))
        .collect();
    let (mut passed, mut failed) = (0, 0);
    let verdicts = at_once::map(&chosen, |(_, path)| verdict(path, bless));
    for ((name, _), verdict) in chosen.iter().zip(verdicts) {
        match verdict {
            Verdict::Passed => passed += 1,
            Verdict::Blessed => {
                passed += 1;
                println!("blessed {name}");
            }
            Verdict::Failed(message) => {
                failed += 1;
                println!("FAILED  {name}\n{message}");
            }
        }
    }
    println!("cases: {passed} passed, {failed} failed");
    if failed > 0 || (passed == 0 && filters.is_empty()) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// A panic is a failure of the case.
fn verdict(path: &Path, bless: bool) -> Verdict {
    match Case::read(path) {
        Ok(case) => {
            catch_unwind(|| case.run(bless)).unwrap_or_else(|_| Verdict::Failed("panicked".to_owned()))
        }
        Err(message) => Verdict::Failed(message),
    }
}
