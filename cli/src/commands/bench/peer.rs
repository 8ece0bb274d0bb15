//! Other programs to be timed beside ours.
//!
//! A command is started once for each data set, by `sh -c`, with the variables `FUN_PROGRAM`, `FUN_ENTRY` and `FUN_DATA` saying which. For
//! each line on its standard input it does one run and prints the time of that in microseconds, a number alone on a line. It ends with
//! its input.

use fun_spec::run::data::DataSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running command.
pub(super) struct Peer {
    name: String,
    process: Child,
    /// Closed first when this goes.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Peer {
    /// Starts `NAME=COMMAND`, or a command that is called by its text.
    pub(super) fn start(described: &str, program: &Path, data: &DataSet) -> Result<Peer, String> {
        let (name, command) = name_and_command(described);
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).stdin(Stdio::piped()).stdout(Stdio::piped());
        shell.env("FUN_PROGRAM", program).env("FUN_ENTRY", &data.entry).env("FUN_DATA", &data.name);
        let failed = |why: &str| format!("can't start `{command}`: {why}");
        let mut process = shell.spawn().map_err(|error| failed(&error.to_string()))?;
        let input = process.stdin.take();
        let output = process.stdout.take().ok_or_else(|| failed("it has no output"))?;
        Ok(Peer { name: name.to_owned(), process, input, output: BufReader::new(output) })
    }

    /// What the user calls it.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The time of one run in microseconds.
    pub(super) fn time(&mut self) -> Result<f64, String> {
        let asked = self.input.as_mut().map(|input| input.write_all(b"\n").and_then(|()| input.flush()));
        let mut line = String::new();
        let read = self.output.read_line(&mut line);
        match (asked, read) {
            (Some(Ok(())), Ok(_)) => line.trim().parse().ok().filter(|time| *time > 0.0).ok_or_else(|| {
                format!("`{}` prints `{}` where a time in microseconds is expected", self.name, line.trim())
            }),
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

    #[test]
    fn names() {
        assert_eq!(name_and_command("c-gcc=./reference dot"), ("c-gcc", "./reference dot"));
        assert_eq!(name_and_command("./reference a=b"), ("./reference a=b", "./reference a=b"));
    }
}
