//! Other programs to be timed beside ours.
//!
//! A command is started once for each data set, by `sh -c`, with the variables `FUN_PROGRAM`, `FUN_ENTRY` and `FUN_DATA` saying which. For
//! each line on its standard input it does one run and prints the time of that in microseconds, a number alone on a line. It ends with
//! its input, or is ended where a run takes longer than [`LONGEST`].

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// One run of a program that answers: with what it does before its first, it may take a while.
const LONGEST: Duration = Duration::from_secs(300);

/// A running command.
pub(super) struct Peer {
    name: String,
    process: Child,
    /// Closed first when this goes.
    input: Option<ChildStdin>,
    /// Its lines, read by a thread so that nobody waits for ever.
    lines: Receiver<String>,
    longest: Duration,
}

impl Peer {
    /// Starts `NAME=COMMAND`, or a command that is called by its text.
    pub(super) fn start(described: &str, program: &Path, entry: &str, data: &str) -> Result<Peer, String> {
        let (name, command) = name_and_command(described);
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).stdin(Stdio::piped()).stdout(Stdio::piped());
        shell.env("FUN_PROGRAM", program).env("FUN_ENTRY", entry).env("FUN_DATA", data);
        // so that all that the shell starts can be ended
        shell.process_group(0);
        let failed = |why: &str| format!("can't start `{command}`: {why}");
        let mut process = shell.spawn().map_err(|error| failed(&error.to_string()))?;
        let input = process.stdin.take();
        let output = process.stdout.take().ok_or_else(|| failed("it has no output"))?;
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let read = BufReader::new(output).lines().map_while(Result::ok);
            read.take_while(|line| sender.send(line.clone()).is_ok()).for_each(drop);
        });
        Ok(Peer { name: name.to_owned(), process, input, lines, longest: LONGEST })
    }

    /// What the user calls it.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The time of one run in microseconds.
    pub(super) fn time(&mut self) -> Result<f64, String> {
        let asked = self.input.as_mut().map(|input| input.write_all(b"\n").and_then(|()| input.flush()));
        match (asked, self.lines.recv_timeout(self.longest)) {
            (Some(Ok(())), Ok(line)) => {
                line.trim().parse().ok().filter(|time| *time > 0.0).ok_or_else(|| {
                    format!(
                        "`{}` prints `{}` where a time in microseconds is expected",
                        self.name,
                        line.trim()
                    )
                })
            }
            (_, Err(RecvTimeoutError::Timeout)) => {
                let group = format!("-{}", self.process.id());
                let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
                Err(format!("`{}` took longer than {} s for a run", self.name, self.longest.as_secs_f64()))
            }
            (_, _) => Err(format!("`{}` has ended", self.name)),
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        drop(self.input.take());
        // it ends with its input; how does not matter any more
        let _ = self.process.wait();
    }
}

/// The name before the first `=`, if what stands there is a name.
fn name_and_command(described: &str) -> (&str, &str) {
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    described.split_once('=').filter(|(name, _)| is_name(name)).unwrap_or((described, described))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A command that does not answer is ended, and so is one that has nothing more to say.
    #[test]
    fn silent_peers() {
        let start = |command: &str| Peer::start(command, Path::new("x.fut"), "main", "[3]f32").unwrap();
        let mut silent = start("sleep 1000; echo 1");
        silent.longest = Duration::from_millis(50);
        assert_eq!(silent.time(), Err("`sleep 1000; echo 1` took longer than 0.05 s for a run".to_owned()));
        let mut gone = start("gone=read x; echo 5; read x");
        assert_eq!(gone.time(), Ok(5.0));
        assert_eq!(gone.time(), Err("`gone` has ended".to_owned()));
    }

    #[test]
    fn names() {
        assert_eq!(name_and_command("c-gcc=./reference dot"), ("c-gcc", "./reference dot"));
        assert_eq!(name_and_command("./reference a=b"), ("./reference a=b", "./reference a=b"));
    }
}
