//! Every case file is a test of its own: `cargo test --test cases -- FILTER`; `BLESS=1` rewrites expectations.

#![expect(clippy::print_stdout, reason = "a test runner of its own")]

use fun_testsuite::case::{Case, Verdict, find_cases};
use std::path::Path;
use std::process::ExitCode;

/// Folders with cases, relative to this crate.
const FOLDERS: [&str; 3] = ["cases", "../examples/paper", "../examples/corrections"];

fn main() -> ExitCode {
    let filters: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let bless = std::env::var_os("BLESS").is_some_and(|value| value == "1");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cases = FOLDERS.iter().flat_map(|folder| find_cases(&root.join(folder)));
    let (mut passed, mut failed) = (0, 0);
    for path in cases {
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        if !filters.is_empty() && !filters.iter().any(|filter| name.contains(filter)) {
            continue;
        }
        let verdict = match Case::read(&path) {
            Ok(case) => on_big_stack(move || case.run(bless)),
            Err(message) => Verdict::Failed(message),
        };
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

/// The compiler runs on a large stack, as in the `fun` command; a panic is a failure of the case.
fn on_big_stack(run: impl FnOnce() -> Verdict + Send + 'static) -> Verdict {
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(run).expect("a thread starts");
    thread.join().unwrap_or_else(|_| Verdict::Failed("panicked".to_owned()))
}
