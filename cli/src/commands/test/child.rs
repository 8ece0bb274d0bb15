//! The process that tests one file, and the lines that it writes for the one that started it.

use crate::arguments::{TestArguments, TestBackend};
use crate::data::Data;
use crate::{files, report};
use fun_base::source::Source;
use fun_base::value::Value;
use fun_c::Dialect;
use fun_frontend::compile::Compiled;
use fun_spec::run::{Backend, Host, Options, Outcome, Refusal, Report};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Steps of the interpreter after which a case is left to machine code.
const STEPS: u64 = 300_000;

/// The same where only the interpreter runs.
const STEPS_ALONE: u64 = 100_000_000;

pub(super) fn run(arguments: &TestArguments) -> ExitCode {
    let Some(path) = arguments.paths.first() else { return ExitCode::FAILURE };
    let only_interpreter = arguments.interpreter;
    let options = Options {
        compiled: !only_interpreter,
        backend: match arguments.backend {
            TestBackend::Jit => Backend::Jit,
            TestBackend::C => Backend::C,
            TestBackend::Opencl => Backend::Kernels(Dialect::OpenCl),
            TestBackend::Cuda => Backend::Kernels(Dialect::Cuda),
        },
        interpreter: !arguments.compiled,
        steps: if only_interpreter { STEPS_ALONE } else { STEPS },
        tolerance: arguments.tolerance,
        time: Duration::try_from_secs_f64(arguments.time).unwrap_or(Duration::MAX),
        strict_errors: arguments.strict_errors,
        seed: arguments.seed,
        entries: arguments.entry.clone(),
        exclude: arguments.exclude.clone(),
    };
    let mut tell = |report: Report| send(&line_of(&report));
    let whole =
        |message: String| Report { line: 1, title: "the file".to_owned(), outcome: Outcome::Failed(message) };
    let source = match files::read_source(path) {
        Ok(source) => source,
        Err(message) => {
            tell(whole(message));
            return ExitCode::SUCCESS;
        }
    };
    match fun_spec::parse::parse(&source.text) {
        Err(error) => tell(Report { line: error.line, ..whole(error.message) }),
        Ok(spec) if spec.blocks.is_empty() => {}
        Ok(spec) => fun_spec::run::run(
            &spec,
            &File { path: path.clone(), source, keep: arguments.keep.clone(), data: None },
            &options,
            &mut tell,
        ),
    }
    ExitCode::SUCCESS
}

/// Writes a line for the process that started this one.
fn send(line: &str) {
    let mut out = std::io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        // nobody reads any more: the process that started this one has given up
        std::process::exit(1);
    }
}

/// A source file under test.
pub(in crate::commands) struct File {
    pub(in crate::commands) path: PathBuf,
    pub(in crate::commands) source: Source,
    /// The folder for values that are not as expected.
    pub(in crate::commands) keep: Option<PathBuf>,
    /// Where random data are kept.
    pub(in crate::commands) data: Option<Data>,
}

impl Host for File {
    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        let path = self.path.parent().unwrap_or(Path::new(".")).join(name);
        std::fs::read(&path).map_err(|error| format!("can't read {}: {error}", path.display()))
    }

    fn begin(&self, line: usize, title: &str) {
        send(&format!("begin\t{line}\t{}\t", escaped(title)));
    }

    fn keep(&self, line: usize, entry: &str, expected: &[Value], found: &[Value]) {
        let Some(folder) = &self.keep else { return };
        let stem = self.path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
        for (what, values) in [("expected", expected), ("actual", found)] {
            let mut text = Vec::new();
            let written = values.iter().try_for_each(|value| {
                fun_base::value::write_text(value, &mut text)?;
                text.write_all(b"\n")
            });
            let path = folder.join(format!("{stem}.{line}.{entry}.{what}"));
            let kept = written
                .and_then(|()| std::fs::create_dir_all(folder))
                .map_err(|error| format!("can't write {}: {error}", path.display()))
                .and_then(|()| files::write_file(&path, &text));
            if let Err(message) = kept {
                eprintln!("Error: {message}");
            }
        }
    }

    fn recall(&self, name: &str) -> Option<Value> {
        self.data.as_ref()?.recall(name)
    }

    fn remember(&self, name: &str, value: &Value) {
        if let Some(data) = &self.data {
            data.remember(name, value);
        }
    }

    fn compile(&self) -> Result<Compiled, Refusal> {
        let mut sources = files::sources(self.source.clone(), self.path.parent());
        // Beside a program may stand the values of its tuning parameters.
        let tuning = PathBuf::from(format!("{}.tuning", self.path.display()));
        if tuning.exists() {
            sources.parameters =
                files::read_parameters(&tuning).map_err(|text| Refusal { text, diagnostics: Vec::new() })?;
        }
        fun_frontend::compile::compile_sources(&mut sources).map_err(|diagnostics| Refusal {
            text: report::render(&sources.list, &diagnostics, false),
            diagnostics,
        })
    }
}

/// A report as one line: verdict, line, title and message, separated by tabs.
fn line_of(report: &Report) -> String {
    let (verdict, message) = match &report.outcome {
        Outcome::Passed(None) => ("passed", ""),
        Outcome::Passed(Some(remark)) => ("passed", remark.as_str()),
        Outcome::Failed(why) => ("failed", why.as_str()),
        Outcome::Skipped(why) => ("skipped", why.as_str()),
    };
    format!("{verdict}\t{}\t{}\t{}", report.line, escaped(&report.title), escaped(message))
}

/// What a line says.
#[derive(Debug, PartialEq)]
pub(super) enum Said {
    /// A test begins, at this line and of this title.
    Begin(usize, String),
    /// A test ended.
    Ended(Report),
}

/// What a line says, if it is one of ours.
pub(super) fn said(line: &str) -> Option<Said> {
    let mut parts = line.split('\t');
    let (verdict, line, title, message) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let (line, title, message) = (line.parse().ok()?, unescaped(title), unescaped(message));
    let outcome = match verdict {
        "passed" => Outcome::Passed((!message.is_empty()).then_some(message)),
        "failed" => Outcome::Failed(message),
        "skipped" => Outcome::Skipped(message),
        "begin" => return Some(Said::Begin(line, title)),
        _ => return None,
    };
    Some(Said::Ended(Report { line, title, outcome }))
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r")
}

fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        plain.push(match c {
            '\\' => match rest.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some(other) => other,
                None => '\\',
            },
            c => c,
        });
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_survive_the_way() {
        for outcome in [
            Outcome::Passed(None),
            Outcome::Failed("a\tb\\n\nc".to_owned()),
            Outcome::Skipped("why".to_owned()),
        ] {
            let report = Report { line: 7, title: "f \"x\ty\"".to_owned(), outcome };
            assert_eq!(said(&line_of(&report)), Some(Said::Ended(report)));
        }
        assert_eq!(said("begin\t3\tmain\t"), Some(Said::Begin(3, "main".to_owned())));
        assert_eq!(said("thread panicked"), None);
    }
}
