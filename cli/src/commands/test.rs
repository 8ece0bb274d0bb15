//! `fun test`: the tests in the comments of source files.
//!
//! Every file is tested in a process of its own: compiled code and the compiler's recursion can end a process in ways that Rust cannot
//! catch (a stack overflow, a wild access, a loop that never polls), and a file must never take others down with it.

mod child;
mod files;
mod process;

use crate::arguments::TestArguments;
use fun_spec::run::{Outcome, Report};
use process::{Ended, FileResult};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Exit status when there was nothing to run.
const NOTHING: u8 = 2;

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
    let totals = Mutex::new(Totals::default());
    let next = AtomicUsize::new(0);
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = arguments.concurrency.map_or(processors, |n| n as usize).min(paths.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = process::test(path, arguments);
                    // a worker that panics has printed its message; the others go on
                    let mut totals = totals.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    totals.add(path, &result, arguments.verbose);
                }
            });
        }
    });
    let totals = totals.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    totals.finish(paths.len())
}

/// What has been seen so far.
#[derive(Default)]
struct Totals {
    passed: usize,
    failed: usize,
    skipped: usize,
    failed_files: usize,
    crashed: bool,
}

impl Totals {
    /// Counts and prints the result of a file.
    fn add(&mut self, path: &Path, result: &FileResult, verbose: bool) {
        let failed_before = self.failed;
        for report in &result.reports {
            self.add_report(path, report, verbose);
        }
        let message = match &result.ended {
            Ended::Well => None,
            Ended::Late(seconds) => Some(format!("the file's tests took longer than {seconds} s")),
            Ended::Crashed(how) => {
                self.crashed = true;
                Some(format!("bug in FUN: the process that ran the tests {how}"))
            }
        };
        if let Some(message) = message {
            self.failed += 1;
            println!("FAIL {}: {message}", path.display());
        }
        eprint!("{}", result.messages);
        self.failed_files += usize::from(self.failed > failed_before);
    }

    fn add_report(&mut self, path: &Path, report: &Report, verbose: bool) {
        let place = format!("{}:{}: {}", path.display(), report.line, report.title);
        match &report.outcome {
            Outcome::Passed(remark) => {
                self.passed += 1;
                if verbose {
                    println!("ok   {place}{}", said(remark.as_deref()));
                }
            }
            Outcome::Failed(why) => {
                self.failed += 1;
                println!("FAIL {place}{}", said(Some(why)));
            }
            Outcome::Skipped(why) => {
                self.skipped += 1;
                if verbose {
                    println!("skip {place}{}", said(Some(why)));
                }
            }
        }
    }

    /// Prints the last line and gives the exit status.
    fn finish(&self, files: usize) -> ExitCode {
        let of_files = match (files, self.failed_files) {
            (1, _) => String::new(),
            (files, 0) => format!(" in {files} files"),
            (files, failed) => format!(" in {files} files, {failed} of which have failures"),
        };
        println!("{} passed, {} failed, {} skipped{of_files}", self.passed, self.failed, self.skipped);
        if self.crashed {
            ExitCode::from(super::BUG)
        } else if self.failed > 0 {
            ExitCode::FAILURE
        } else if self.passed == 0 {
            ExitCode::from(NOTHING)
        } else {
            ExitCode::SUCCESS
        }
    }
}

/// A remark behind a place: on the same line when it is one line.
fn said(remark: Option<&str>) -> String {
    match remark.map(str::trim_end) {
        None => String::new(),
        Some(text) if text.contains('\n') => format!(":\n     {}", text.replace('\n', "\n     ")),
        Some(text) => format!(": {text}"),
    }
}
