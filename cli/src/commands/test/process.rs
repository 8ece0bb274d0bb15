//! Running the tests of a file in a process of its own.

use super::child::{Said, said};
use crate::arguments::{TestArguments, TestBackend};
use fun_spec::run::Report;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What came of a file.
pub(super) struct FileResult {
    /// The tests that ended.
    pub(super) reports: Vec<Report>,
    /// The test that began and did not end: its line and title.
    pub(super) open: Option<(usize, String)>,
    /// How the process ended.
    pub(super) ended: Ended,
    /// What it printed to standard error.
    pub(super) messages: String,
}

/// How the process of a file ended.
pub(super) enum Ended {
    /// After all tests.
    Well,
    /// It was stopped after so many seconds.
    Late(f64),
    /// Otherwise.
    Crashed(String),
}

/// Runs the tests of a file.
pub(super) fn test(path: &Path, arguments: &TestArguments) -> FileResult {
    let failed = |how: String| FileResult {
        reports: Vec::new(),
        open: None,
        ended: Ended::Crashed(how),
        messages: String::new(),
    };
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => return failed(format!("could not be started: {error}")),
    };
    let started = Command::new(program)
        .args(flags(arguments))
        .arg("--")
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match started {
        Ok(child) => child,
        Err(error) => return failed(format!("could not be started: {error}")),
    };
    let (Some(out), Some(err)) = (child.stdout.take(), child.stderr.take()) else {
        return failed("has no output".to_owned());
    };
    let reports = std::thread::spawn(move || {
        let (mut reports, mut open) = (Vec::new(), None);
        for line in BufReader::new(out).lines().map_while(Result::ok) {
            match said(&line) {
                Some(Said::Begin(line, title)) => open = Some((line, title)),
                Some(Said::Ended(report)) => {
                    open = None;
                    reports.push(report);
                }
                None => {}
            }
        }
        (reports, open)
    });
    let messages = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // what was read before an error is still worth showing
        let _ = BufReader::new(err).read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let ended = wait(&mut child, arguments.file_time);
    let (reports, open) = reports.join().unwrap_or_default();
    FileResult { reports, open, messages: messages.join().unwrap_or_default(), ended }
}

/// The command line of the process, up to the file.
fn flags(arguments: &TestArguments) -> Vec<String> {
    let mut flags = vec!["test".to_owned(), "--in-process".to_owned()];
    let mut flag = |set: bool, name: &str| flags.extend(set.then(|| name.to_owned()));
    flag(arguments.interpreter, "--interpreter");
    flag(arguments.compiled, "--compiled");
    flag(arguments.backend == TestBackend::C, "--backend=c");
    flag(arguments.backend == TestBackend::Opencl, "--backend=opencl");
    flag(arguments.backend == TestBackend::Cuda, "--backend=cuda");
    flag(arguments.strict_errors, "--strict-errors");
    flags.push(format!("--seed={}", arguments.seed));
    flags.push(format!("--time={}", arguments.time));
    flags.push(format!("--tolerance={}", arguments.tolerance));
    flags.extend(arguments.entry.iter().map(|name| format!("--entry={name}")));
    flags.extend(arguments.keep.iter().map(|folder| format!("--keep={}", folder.display())));
    flags.extend(arguments.exclude.iter().map(|tag| format!("--exclude={tag}")));
    flags
}

/// Waits for a process to end, and ends it when it takes too long.
fn wait(child: &mut Child, seconds: f64) -> Ended {
    let limit = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ended::Well,
            Ok(Some(status)) => return Ended::Crashed(how(status)),
            Err(error) => return Ended::Crashed(format!("is out of reach: {error}")),
            Ok(None) => {}
        }
        if start.elapsed() > limit {
            // it may have ended just now, which is as good
            let _ = child.kill();
            let _ = child.wait();
            return Ended::Late(seconds);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn how(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("was ended by signal {signal}");
    }
    status.code().map_or("ended".to_owned(), |code| format!("ended with status {code}"))
}
