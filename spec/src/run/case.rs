//! One input, and what must come of it.

use super::program::Subject;
use super::{Host, Options, Outcome};
use crate::judge::{difference, matches};
use crate::stanza::{Case, Expect, Input};
use fun_base::run::{RunError, RunErrorKind};
use fun_base::value::{Value, ValueReader};
use std::io::Read;

/// Tags of cases that this runner leaves out.
const LEFT_OUT: [&str; 2] = ["notest", "disable"];

impl Subject {
    /// Runs one case on one entry point.
    pub(super) fn case(&mut self, case: &Case, entry: &str, host: &dyn Host, options: &Options) -> Outcome {
        let left_out = |tag: &&String| LEFT_OUT.contains(&tag.as_str()) || options.exclude.contains(tag);
        if let Some(tag) = case.tags.iter().find(left_out) {
            return Outcome::Skipped(format!("tagged `{tag}`"));
        }
        let inputs = match self.inputs(case, entry, host) {
            Ok(inputs) => inputs,
            Err(outcome) => return outcome,
        };
        let expect = match expected(&case.expect, host) {
            Ok(expect) => expect,
            Err(message) => return Outcome::Failed(message),
        };
        let mut passed = false;
        if options.jit {
            let result = self.run_code(entry, &inputs, options.time);
            if let Some(why) = wrong(&expect, &result, options.tolerance) {
                return Outcome::Failed(why);
            }
            passed = true;
        }
        let interpretable = !case.tags.iter().any(|tag| tag == "compiled");
        if options.interpreter && interpretable {
            let result = self.interpret(entry, &inputs, options.steps);
            let unfinished = matches!(&result, Err(error) if error.kind == RunErrorKind::Limit);
            if !(unfinished && passed && !options.interpreter_must_finish) {
                if let Some(why) = wrong(&expect, &result, options.tolerance) {
                    return Outcome::Failed(format!("interpreter: {why}"));
                }
                passed = true;
            }
        }
        if passed { Outcome::Passed(None) } else { Outcome::Skipped("tagged `compiled`".to_owned()) }
    }

    fn inputs(&self, case: &Case, entry: &str, host: &dyn Host) -> Result<Vec<Value>, Outcome> {
        let entry = self.entry(entry).map_err(Outcome::Failed)?;
        match &case.input {
            Input::Values(text) => values(text.text.as_bytes()).map_err(Outcome::Failed),
            Input::File(name) => file(name, host).map_err(Outcome::Failed),
            Input::Random(_) | Input::Script(_) | Input::ScriptFile(_) => {
                let _ = entry;
                Err(Outcome::Skipped("random and script inputs are not made yet".to_owned()))
            }
        }
    }
}

/// What must come out, with its values read.
pub(super) enum Expected {
    Values(Vec<Value>),
    Error(String),
    Success,
}

fn expected(expect: &Expect, host: &dyn Host) -> Result<Expected, String> {
    Ok(match expect {
        Expect::Values(text) => Expected::Values(values(text.text.as_bytes())?),
        Expect::File(name) => Expected::Values(file(name, host)?),
        Expect::Auto | Expect::Success => Expected::Success,
        Expect::Error(pattern) => Expected::Error(pattern.clone()),
    })
}

fn values(bytes: &[u8]) -> Result<Vec<Value>, String> {
    ValueReader::new(bytes).read_all().map_err(|error| format!("can't read the values: {error}"))
}

/// The values of a file, which may be compressed.
fn file(name: &str, host: &dyn Host) -> Result<Vec<Value>, String> {
    let mut bytes = host.read(name)?;
    if name.ends_with(".gz") {
        let mut plain = Vec::new();
        let read = flate2::read::MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut plain);
        read.map_err(|error| format!("can't decompress {name}: {error}"))?;
        bytes = plain;
    }
    values(&bytes).map_err(|error| format!("{name}: {error}"))
}

/// Why a run is not what was expected; `None` when it is.
fn wrong(expect: &Expected, result: &Result<Vec<Value>, RunError>, tolerance: f64) -> Option<String> {
    match (expect, result) {
        (Expected::Success, Ok(_)) => None,
        (Expected::Values(expected), Ok(found)) => difference(found, expected, tolerance),
        (Expected::Error(pattern), Err(error)) if error.kind == RunErrorKind::Assert => {
            let message = error.to_string();
            (!matches(pattern, &message))
                .then(|| format!("stopped, but the message does not match `{pattern}`: {message}"))
        }
        (Expected::Error(pattern), Ok(_)) => {
            Some(format!("gives values, but should stop with an error that matches `{pattern}`"))
        }
        (_, Err(error)) => Some(format!("stopped: {error}")),
    }
}
