//! One input, and what must come of it.

use super::program::Subject;
use super::{Host, Options, Outcome};
use crate::judge::{difference, matches};
use crate::random;
use crate::script::{self, Machine, Stop};
use crate::stanza::{Case, Expect, Input};
use fun_base::run::{RunError, RunErrorKind};
use fun_base::value::{Value, ValueReader};
use fun_frontend::lower::EntryInfo;
use std::io::Read;
use std::time::Instant;

/// Tags of cases that this runner leaves out.
const LEFT_OUT: [&str; 2] = ["notest", "disable"];

impl Subject {
    /// Runs one case on one entry point.
    pub(super) fn case(&mut self, case: &Case, entry: &str, host: &dyn Host, options: &Options) -> Outcome {
        let left_out = |tag: &&String| LEFT_OUT.contains(&tag.as_str()) || options.exclude.contains(tag);
        if let Some(tag) = case.tags.iter().find(left_out) {
            return Outcome::Skipped(format!("tagged `{tag}`"));
        }
        let inputs = match self.inputs(case, entry, host, options) {
            Ok(inputs) => inputs,
            Err(outcome) => return outcome,
        };
        let mut expect = match expected(&case.expect, host) {
            Ok(expect) => expect,
            Err(message) => return Outcome::Failed(message),
        };
        let failed = |how: &str, expect: &Expected, result: &Result<Vec<Value>, RunError>| {
            let why = wrong(expect, result, options.tolerance)?;
            if let (Expected::Values(expected), Ok(found)) = (expect, result) {
                host.keep(case.line, entry, expected, found);
            }
            Some(Outcome::Failed(format!("{how}{why}")))
        };
        let auto = matches!(case.expect, Expect::Auto);
        let mut quick = true;
        if options.compiled {
            let start = Instant::now();
            let result = self.run_code(entry, &inputs, options.time);
            // a file with many large inputs must come to its end as well
            quick = start.elapsed() < options.time / 10 && self.started.elapsed() < options.time / 3;
            if let Some(outcome) = failed("", &expect, &result) {
                return outcome;
            }
            if let (Expected::Same, Ok(found)) = (&expect, result) {
                expect = Expected::Values(found);
            }
        }
        if !auto && (!options.interpreter || case.tags.iter().any(|tag| tag == "compiled")) {
            return match options.compiled {
                true => Outcome::Passed(None),
                false => Outcome::Skipped("tagged `compiled`".to_owned()),
            };
        }
        let result = self.interpret(entry, &inputs, options.steps);
        let unfinished = matches!(&result, Err(error) if error.kind == RunErrorKind::Limit);
        if !unfinished || !options.compiled {
            return failed("interpreter: ", &expect, &result).unwrap_or(Outcome::Passed(None));
        }
        if !auto {
            return Outcome::Passed(None);
        }
        if !quick {
            return Outcome::Passed(Some("it runs; too long to be compared with anything".to_owned()));
        }
        // too long for the interpreter: machine code with itself, on one thread
        let result = self.run_code_alone(entry, &inputs, options.time);
        let remark = "compared with one thread, not with the interpreter".to_owned();
        failed("on one thread: ", &expect, &result).unwrap_or(Outcome::Passed(Some(remark)))
    }

    /// The arguments of a case.
    pub(super) fn inputs(
        &self,
        case: &Case,
        entry: &str,
        host: &dyn Host,
        options: &Options,
    ) -> Result<Vec<Value>, Outcome> {
        let wanted = self.entry(entry).map_err(Outcome::Failed)?;
        let inputs = match &case.input {
            Input::Values(text) => values(text.text.as_bytes()),
            Input::File(name) => file(name, host),
            Input::Random(text) => random::values(&text.text, host),
            Input::Script(text) => return self.script(&text.text, entry, host, options),
            Input::ScriptFile(name) => {
                let text = contents(name, host).map_err(Outcome::Failed)?;
                return self.script(&String::from_utf8_lossy(&text), entry, host, options);
            }
        };
        let inputs = inputs.map_err(Outcome::Failed)?;
        random::fits(&inputs, &wanted.takes).map_err(Outcome::Failed)?;
        Ok(inputs)
    }

    /// The arguments that a script makes for an entry point.
    fn script(
        &self,
        text: &str,
        entry: &str,
        host: &dyn Host,
        options: &Options,
    ) -> Result<Vec<Value>, Outcome> {
        let stage = Stage { subject: self, host, options };
        let exp = script::parse(text).map_err(Outcome::Failed)?;
        let wanted = stage.entry(entry).map_or(&[][..], |info| &info.takes);
        script::arguments(&exp, wanted, &stage).map_err(|stop| match stop {
            Stop::Wrong(message) => Outcome::Failed(message),
            Stop::Unsupported(message) => Outcome::Skipped(message),
            Stop::Run(name, error) => {
                Outcome::Failed(format!("`{name}`, called by the script, stopped: {error}"))
            }
        })
    }
}

/// What a script can use: the entry points of the program under test, and its folder.
struct Stage<'a> {
    subject: &'a Subject,
    host: &'a dyn Host,
    options: &'a Options,
}

impl Machine for Stage<'_> {
    fn entry(&self, name: &str) -> Option<&EntryInfo> {
        self.subject.infos.iter().find(|info| info.name == name)
    }

    fn call(&self, name: &str, args: &[Value]) -> Result<Vec<Value>, RunError> {
        if self.options.compiled {
            self.subject.run_code(name, args, self.options.time)
        } else {
            self.subject.interpret(name, args, self.options.steps)
        }
    }

    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        contents(name, self.host)
    }
}

/// What must come out, with its values read.
enum Expected {
    Values(Vec<Value>),
    Error(String),
    /// Any values.
    Success,
    /// The same values everywhere.
    Same,
}

fn expected(expect: &Expect, host: &dyn Host) -> Result<Expected, String> {
    Ok(match expect {
        Expect::Values(text) => Expected::Values(values(text.text.as_bytes())?),
        Expect::File(name) => Expected::Values(file(name, host)?),
        Expect::Auto => Expected::Same,
        Expect::Success => Expected::Success,
        Expect::Error(pattern) => Expected::Error(pattern.clone()),
    })
}

/// The values that must come out, where they are stated.
pub(super) fn stated(expect: &Expect, host: &dyn Host) -> Result<Option<Vec<Value>>, String> {
    Ok(match expected(expect, host)? {
        Expected::Values(values) => Some(values),
        Expected::Error(_) | Expected::Success | Expected::Same => None,
    })
}

fn values(bytes: &[u8]) -> Result<Vec<Value>, String> {
    ValueReader::new(bytes).read_all().map_err(|error| format!("can't read the values: {error}"))
}

/// The values of a file, which may be compressed.
fn file(name: &str, host: &dyn Host) -> Result<Vec<Value>, String> {
    values(&contents(name, host)?).map_err(|error| format!("{name}: {error}"))
}

/// The contents of a file, decompressed.
fn contents(name: &str, host: &dyn Host) -> Result<Vec<u8>, String> {
    let bytes = host.read(name)?;
    if !name.ends_with(".gz") {
        return Ok(bytes);
    }
    let mut plain = Vec::new();
    let read = flate2::read::MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut plain);
    read.map_err(|error| format!("can't decompress {name}: {error}"))?;
    Ok(plain)
}

/// Why a run is not what was expected; `None` when it is.
fn wrong(expect: &Expected, result: &Result<Vec<Value>, RunError>, tolerance: f64) -> Option<String> {
    match (expect, result) {
        (Expected::Success | Expected::Same, Ok(_)) => None,
        (Expected::Values(expected), Ok(found)) => difference(found, expected, tolerance),
        // arguments have the right types: what the entry point does not take is their sizes
        (Expected::Error(pattern), Err(error))
            if matches!(error.kind, RunErrorKind::Assert | RunErrorKind::Input) =>
        {
            let message = format!("Error: {error}");
            (!matches(pattern, &message))
                .then(|| format!("stopped, but the message does not match `{pattern}`: {error}"))
        }
        (Expected::Error(pattern), Ok(_)) => {
            Some(format!("gives values, but should stop with an error that matches `{pattern}`"))
        }
        (_, Err(error)) => Some(format!("stopped: {error}")),
    }
}
