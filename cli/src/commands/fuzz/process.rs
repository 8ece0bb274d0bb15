//! Starting a worker, and reading what it says.

use super::tally::{PROGRAMS, Tally};
use fun_verify::laws::{Finding, Kind};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// A program that keeps a worker longer than this, shrinking included, does not end.
const LONGEST: Duration = Duration::from_secs(120);

/// A smallest program that breaks a law.
pub(super) struct Found {
    /// The seed that it comes from.
    pub(super) seed: u64,
    /// The language, which is the extension of its file.
    pub(super) language: String,
    /// What findings with the same cause have in common.
    pub(super) key: String,
    /// The case file.
    pub(super) case: String,
}

/// What findings with the same cause probably have in common: `values differ, the heap semantics, after pass cse`. Panics have their
/// place, which is the end of the first line of what they say.
pub(super) fn key(finding: &Finding, message: &str) -> String {
    let Finding { kind, after, by, .. } = finding;
    match (kind, after) {
        (Kind::Panic, _) => format!("{kind}, {}", message.lines().next().unwrap_or_default()),
        (_, Some(pass)) => format!("{kind}, {by}, after pass {pass}"),
        (_, None) => format!("{kind}, {by}"),
    }
}

/// A worker that has ended or was ended.
pub(super) struct Crash {
    /// The seed that it was at.
    pub(super) seed: Option<u64>,
    /// How.
    pub(super) how: String,
}

/// A process that checks programs.
pub(super) struct Worker {
    child: Child,
    to: ChildStdin,
    from: Receiver<(String, String)>,
}

impl Worker {
    /// Starts one with these flags.
    pub(super) fn start(settings: &[String]) -> Result<Worker, String> {
        let failed = |error: std::io::Error| format!("a process can't be started: {error}");
        let program = std::env::current_exe().map_err(failed)?;
        let mut command = Command::new(program);
        // An interrupt at the terminal is for us: workers that died of it would count as crashes.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .args(["fuzz", "--worker"])
            .args(settings)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("a process can't be talked to".to_owned());
        };
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let mut from = BufReader::new(from);
            while let Some(said) = read(&mut from) {
                if sender.send(said).is_err() {
                    return;
                }
            }
        });
        Ok(Worker { child, to, from: receiver })
    }

    /// Has it check `count` programs. Its counts, and what it found even if it crashed.
    pub(super) fn batch(
        &mut self,
        first: u64,
        count: u64,
        found: &mut dyn FnMut(Found),
    ) -> Result<Tally, Crash> {
        let mut seed = None;
        if writeln!(self.to, "{first} {count}").and_then(|()| self.to.flush()).is_err() {
            return Err(self.crash(seed, None));
        }
        loop {
            let (line, text) = match self.from.recv_timeout(LONGEST) {
                Ok(said) => said,
                Err(RecvTimeoutError::Timeout) => {
                    let how = format!("a program took longer than {} s", LONGEST.as_secs());
                    return Err(self.crash(seed, Some(how)));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.crash(seed, None)),
            };
            match line.split_once(' ') {
                Some(("at", number)) => seed = number.parse().ok(),
                Some(("found", rest)) => {
                    let mut parts = rest.splitn(3, ' ');
                    let (number, language, key) = (parts.next(), parts.next(), parts.next());
                    let number = number.and_then(|number| number.parse().ok());
                    if let (Some(seed), Some(language), Some(key)) = (number, language, key) {
                        found(Found { seed, language: language.to_owned(), key: key.to_owned(), case: text });
                    }
                }
                _ if line == "done" => {
                    let mut tally = Tally::default();
                    if text.lines().all(|line| tally.read(line)) && tally.get(PROGRAMS) == count {
                        return Ok(tally);
                    }
                    return Err(self.crash(seed, Some("the process counts wrongly".to_owned())));
                }
                _ => return Err(self.crash(seed, Some(format!("the process says `{line}`")))),
            }
        }
    }

    fn crash(&mut self, seed: Option<u64>, how: Option<String>) -> Crash {
        // what no longer talks is ending, and has some time to say how
        for _ in 0..100 {
            if how.is_some() || !matches!(self.child.try_wait(), Ok(None)) {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        // it may have ended just now, which is as good
        let _ = self.child.kill();
        let ended = self.child.wait();
        let how = how.unwrap_or_else(|| match ended {
            Ok(status) => format!("the process ended: {status}"),
            Err(error) => format!("the process is out of reach: {error}"),
        });
        Crash { seed, how }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // it has nothing more to do: what it would still say nobody reads
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A line without the length at its end, and the text after it.
fn read(from: &mut impl BufRead) -> Option<(String, String)> {
    let mut line = String::new();
    if from.read_line(&mut line).ok()? == 0 {
        return None;
    }
    let (line, length) = line.trim_end().rsplit_once(' ')?;
    let mut text = vec![0; length.parse().ok()?];
    from.read_exact(&mut text).ok()?;
    Some((line.to_owned(), String::from_utf8(text).ok()?))
}
