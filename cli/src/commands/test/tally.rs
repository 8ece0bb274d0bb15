//! Counting and printing what came of the files.

use super::process::{Ended, FileResult};
use crate::commands::BUG;
use fun_spec::run::{Outcome, Report};
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

/// Exit status when there was nothing to run.
const NOTHING: u8 = 2;

/// What has been seen so far.
pub(super) struct Tally {
    files: usize,
    verbose: bool,
    /// Whether a line at the bottom of the terminal says how far we are.
    progress: bool,
    done: usize,
    failed_files: usize,
    crashed: bool,
    /// By folder.
    folders: BTreeMap<String, Counts>,
}

#[derive(Clone, Copy, Default)]
struct Counts {
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Tally {
    /// Nothing seen, of so many files.
    pub(super) fn new(files: usize, verbose: bool) -> Tally {
        let progress = files > 1 && std::io::stderr().is_terminal();
        Tally { files, verbose, progress, done: 0, failed_files: 0, crashed: false, folders: BTreeMap::new() }
    }

    /// Counts and prints the result of a file.
    pub(super) fn add(&mut self, path: &Path, result: &FileResult) {
        self.erase_progress();
        let mut counts = Counts::default();
        for report in &result.reports {
            self.print(path, report);
            match report.outcome {
                Outcome::Passed(_) => counts.passed += 1,
                Outcome::Failed(_) => counts.failed += 1,
                Outcome::Skipped(_) => counts.skipped += 1,
            }
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
            counts.failed += 1;
            let place = match &result.open {
                Some((line, title)) => format!("{}:{line}: {title}", path.display()),
                None => path.display().to_string(),
            };
            println!("FAIL {place}: {message}");
        }
        eprint!("{}", result.messages);
        self.done += 1;
        self.failed_files += usize::from(counts.failed > 0);
        let folder = path.parent().map_or(String::new(), |folder| folder.display().to_string());
        let of_folder = self.folders.entry(folder).or_default();
        of_folder.passed += counts.passed;
        of_folder.failed += counts.failed;
        of_folder.skipped += counts.skipped;
        self.show_progress();
    }

    fn print(&self, path: &Path, report: &Report) {
        let place = format!("{}:{}: {}", path.display(), report.line, report.title);
        match &report.outcome {
            Outcome::Passed(remark) if self.verbose => println!("ok   {place}{}", said(remark.as_deref())),
            Outcome::Skipped(why) if self.verbose => println!("skip {place}{}", said(Some(why))),
            Outcome::Failed(why) => println!("FAIL {place}{}", said(Some(why))),
            Outcome::Passed(_) | Outcome::Skipped(_) => {}
        }
    }

    fn erase_progress(&self) {
        if self.progress {
            eprint!("\r\x1b[K");
        }
    }

    fn show_progress(&self) {
        if !self.progress || self.done == self.files {
            return;
        }
        const WIDTH: usize = 30;
        let full = WIDTH * self.done / self.files;
        let bar: String = (0..WIDTH).map(|k| if k < full { '#' } else { '.' }).collect();
        eprint!("[{bar}] {}/{} files, {} with failures", self.done, self.files, self.failed_files);
        // the bar is only for the eye: if it can't be shown, nothing is lost
        let _ = std::io::stderr().flush();
    }

    /// Prints a table of folders, if there are several, and the last line; gives the exit status.
    pub(super) fn finish(&self) -> ExitCode {
        let all = self.folders.values().fold(Counts::default(), |a, b| Counts {
            passed: a.passed + b.passed,
            failed: a.failed + b.failed,
            skipped: a.skipped + b.skipped,
        });
        let width = self.folders.keys().map(String::len).max().unwrap_or(0).max("folder".len());
        if self.folders.len() > 1 {
            println!("{:width$}  {:>7} {:>7} {:>7}", "folder", "passed", "failed", "skipped");
            for (folder, Counts { passed, failed, skipped }) in &self.folders {
                println!("{folder:width$}  {passed:7} {failed:7} {skipped:7}");
            }
        }
        let of_files = match (self.files, self.failed_files) {
            (1, _) => String::new(),
            (files, 0) => format!(" in {files} files"),
            (files, failed) => format!(" in {files} files, {failed} of which have failures"),
        };
        println!("{} passed, {} failed, {} skipped{of_files}", all.passed, all.failed, all.skipped);
        if self.crashed {
            ExitCode::from(BUG)
        } else if all.failed > 0 {
            ExitCode::FAILURE
        } else if all.passed == 0 {
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
