//! `fun test`: the tests in the comments of source files.
//!
//! Every file is tested in a process of its own: compiled code and the compiler's recursion can end a process in ways that Rust cannot
//! catch (a stack overflow, a wild access, a loop that never polls), and a file must never take others down with it.

pub(super) mod child;
mod files;
mod process;
mod tally;

use crate::arguments::TestArguments;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use tally::Tally;

pub(super) fn run(arguments: &TestArguments) -> ExitCode {
    if arguments.in_process {
        return child::run(arguments);
    }
    let paths = match files::programs(&arguments.paths) {
        Ok(paths) => paths,
        Err(message) => {
            eprintln!("Error: {message}");
            return ExitCode::FAILURE;
        }
    };
    let tally = Mutex::new(Tally::new(paths.len(), arguments.verbose));
    let next = AtomicUsize::new(0);
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = arguments.concurrency.map_or(processors, |n| n as usize).min(paths.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = process::test(path, arguments);
                    // a worker that panics has printed its message; the others go on
                    tally.lock().unwrap_or_else(PoisonError::into_inner).add(path, &result);
                }
            });
        }
    });
    tally.into_inner().unwrap_or_else(PoisonError::into_inner).finish()
}
