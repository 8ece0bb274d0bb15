//! Running the tests of one file.

mod case;
pub mod data;
mod program;
mod property;

use crate::judge::matches;
use crate::stanza::{Spec, Test};
use fun_base::diag::{Diagnostic, Severity};
use fun_base::value::Value;
use fun_frontend::compile::Compiled;
use program::Subject;
use std::time::Duration;

/// What running the tests of a file needs from outside.
pub trait Host {
    /// The contents of a file that a test names, relative to the program's folder.
    fn read(&self, name: &str) -> Result<Vec<u8>, String>;
    /// A test begins, at this line and of this title: the one to blame if the process does not survive it.
    fn begin(&self, line: usize, title: &str);
    /// A case on this line gives other values than expected for an entry point: whoever wants them can keep them.
    fn keep(&self, line: usize, entry: &str, expected: &[Value], found: &[Value]);
    /// Random data that [`Host::remember`] was given under this name, if it is still there.
    fn recall(&self, name: &str) -> Option<Value> {
        let _ = name;
        None
    }
    /// Random data, under a name that says all that decides it, so that they need not be made again.
    fn remember(&self, name: &str, value: &Value) {
        let _ = (name, value);
    }
    /// The front end's answer to the program.
    fn compile(&self) -> Result<Compiled, Refusal>;
}

/// The front end refuses the program.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// Why.
    pub diagnostics: Vec<Diagnostic>,
    /// The same as text for the user.
    pub text: String,
}

/// Codes of refusals that say something about FUN and nothing about the program: a test that expects an error is not fulfilled
/// by one of them.
const NOT_OF_THE_PROGRAM: [&str; 5] = ["E0115", "E0210", "E0299", "limitation", "internal"];

impl Refusal {
    /// Whether the program itself is wrong, as opposed to beyond what FUN can take. What is not supported makes further errors,
    /// such as names that are unknown, so there must be nothing of the kind.
    pub fn is_user_error(&self) -> bool {
        let mut errors = self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        errors.all(|diagnostic| !NOT_OF_THE_PROGRAM.contains(&diagnostic.code))
    }

    /// The messages without rendering, for patterns and short reports.
    fn messages(&self) -> String {
        let of = |d: &Diagnostic| {
            let labels =
                d.primary.iter().map(|(_, label)| label).chain(d.labels.iter().map(|(_, label)| label));
            let parts = std::iter::once(&d.message).chain(labels).chain(&d.notes).chain(&d.help);
            parts.filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join("\n")
        };
        self.diagnostics.iter().map(of).collect::<Vec<_>>().join("\n")
    }
}

/// What makes compiled code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Backend {
    /// Cranelift, in memory.
    Jit,
    /// The system's C compiler.
    C,
    /// The system's C compiler, and the driver of the machine's device, for kernels in this language.
    Kernels(fun_c::Dialect),
}

/// How tests are run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Run compiled code.
    pub compiled: bool,
    /// What makes it.
    pub backend: Backend,
    /// Run the interpreter of the value semantics.
    pub interpreter: bool,
    /// Bound on the steps of the interpreter.
    pub steps: u64,
    /// Relative tolerance on floats.
    pub tolerance: f64,
    /// Time for one run.
    pub time: Duration,
    /// Whether messages of the compiler must match the patterns of the tests.
    pub strict_errors: bool,
    /// Where the random arguments of properties begin.
    pub seed: u64,
    /// The entry points to test; all when empty.
    pub entries: Vec<String>,
    /// Files and cases with one of these tags are left out.
    pub exclude: Vec<String>,
}

/// How a test ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It holds; possibly with a remark.
    Passed(Option<String>),
    /// It does not hold, and why.
    Failed(String),
    /// It was not run, and why.
    Skipped(String),
}

/// A test and how it ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// 1-based line of the test.
    pub line: usize,
    /// What was tested.
    pub title: String,
    /// How it ended.
    pub outcome: Outcome,
}

/// Runs all tests of a file, telling each outcome as soon as it is known.
pub fn run(spec: &Spec, host: &dyn Host, options: &Options, tell: &mut dyn FnMut(Report)) {
    let line = spec.blocks.first().map_or(1, |block| block.line);
    let mut report = |line, title: &str, outcome| tell(Report { line, title: title.to_owned(), outcome });
    if let Some(tag) = spec.tags.iter().find(|tag| *tag == "disable" || options.exclude.contains(tag)) {
        report(line, "the file", Outcome::Skipped(format!("tagged `{tag}`")));
        return;
    }
    let tests = || spec.blocks.iter().flat_map(|block| &block.tests);
    host.begin(line, "compiles");
    let front = host.compile();
    if tests().any(|test| matches!(test, Test::Refused { .. })) {
        for test in tests() {
            if let Test::Refused { line, pattern } = test {
                report(*line, "error", refused(&front, pattern, options));
            }
        }
        return;
    }
    let mut subject =
        match front.map_err(|refusal| refusal.text).and_then(|front| Subject::new(front, options.backend)) {
            Ok(subject) => subject,
            Err(text) => {
                report(line, "compiles", Outcome::Failed(text));
                return;
            }
        };
    report(line, "compiles", Outcome::Passed(None));
    let wanted = |entry: &String| options.entries.is_empty() || options.entries.contains(entry);
    for test in tests() {
        match test {
            Test::Refused { .. } => {}
            Test::Warning { line, pattern } => report(*line, "warning", subject.warns(pattern, options)),
            Test::Case(case) => {
                for entry in case.entries.iter().filter(|entry| wanted(entry)) {
                    let name = case.name.as_ref().map_or(String::new(), |name| format!(" \"{name}\""));
                    let title = format!("{entry}{name}");
                    host.begin(case.line, &title);
                    let outcome = subject.case(case, entry, host, options);
                    report(case.line, &title, outcome);
                }
            }
            Test::Structure { line, pipeline, counts } => {
                report(*line, "structure", subject.structure(pipeline.as_deref(), counts));
            }
            Test::Property { line, names } => {
                for name in names.iter().filter(|name| wanted(name)) {
                    host.begin(*line, &format!("property {name}"));
                    let outcome = subject.property(name, options);
                    report(*line, &format!("property {name}"), outcome);
                }
            }
        }
    }
}

/// A test that expects the program to be refused.
fn refused(front: &Result<Compiled, Refusal>, pattern: &str, options: &Options) -> Outcome {
    match front {
        Ok(_) => Outcome::Failed("the program should be refused, but compiles".to_owned()),
        Err(refusal) if !refusal.is_user_error() => {
            Outcome::Failed(format!("refused, but not for an error in the program:\n{}", refusal.text))
        }
        Err(refusal) if matches(pattern, &refusal.messages()) => Outcome::Passed(None),
        Err(refusal) => {
            let remark = format!("the message does not match `{pattern}`:\n{}", refusal.text);
            if options.strict_errors { Outcome::Failed(remark) } else { Outcome::Passed(Some(remark)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_supported_is_no_error_of_the_program() {
        let refusal = |codes: &[&'static str]| {
            let diagnostics = codes.iter().map(|code| Diagnostic::error(code, "message")).collect();
            Refusal { diagnostics, text: String::new() }
        };
        assert!(refusal(&["E0201"]).is_user_error());
        // the unknown name follows from what is not supported
        assert!(!refusal(&["E0210", "E0201"]).is_user_error());
        assert!(!refusal(&["limitation"]).is_user_error());
    }
}
