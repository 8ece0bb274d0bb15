//! Every case file is a test of its own: `cargo test --test cases -- FILTER`; `BLESS=1` rewrites expectations.

#![expect(clippy::print_stdout, reason = "a test runner of its own")]

use fun_testsuite::case::{Case, Verdict, find_cases};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

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
    for_each_in_order(
        &chosen,
        |(_, path)| verdict(path, bless),
        |(name, _), verdict| match verdict {
            Verdict::Passed => passed += 1,
            Verdict::Blessed => {
                passed += 1;
                println!("blessed {name}");
            }
            Verdict::Failed(message) => {
                failed += 1;
                println!("FAILED  {name}\n{message}");
            }
        },
    );
    println!("cases: {passed} passed, {failed} failed");
    if failed > 0 || (passed == 0 && filters.is_empty()) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn verdict(path: &Path, bless: bool) -> Verdict {
    match Case::read(path) {
        Ok(case) => on_big_stack(move || case.run(bless)),
        Err(message) => Verdict::Failed(message),
    }
}

/// Does something with as many of these at a time as there are processors, and tells what came of each, in order.
fn for_each_in_order<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    mut tell: impl FnMut(&T, R),
) {
    let next = AtomicUsize::new(0);
    let (done, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            let (done, next, work) = (done.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    // (who listens goes after all others)
                    let _ = done.send((at, work(item)));
                }
            });
        }
        drop(done);
        let (mut early, mut told) = (BTreeMap::new(), 0);
        for (at, result) in results {
            early.insert(at, result);
            while let Some(result) = early.remove(&told) {
                tell(&items[told], result);
                told += 1;
            }
        }
    });
}

/// The compiler runs on a large stack, as in the `fun` command; a panic is a failure of the case.
fn on_big_stack(run: impl FnOnce() -> Verdict + Send + 'static) -> Verdict {
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(run).expect("a thread starts");
    thread.join().unwrap_or_else(|_| Verdict::Failed("panicked".to_owned()))
}
