//! The inputs of a file's stanzas as data sets for benchmarks.

use super::program::Subject;
use super::{Backend, Host, Options, Outcome};
use crate::judge::difference;
use crate::stanza::{Case, Expect, Input, Spec, Test};
use fun_base::value::Value;

/// An input of an entry point that is worth timing.
#[derive(Debug)]
pub struct DataSet {
    /// 1-based line of its stanza.
    pub line: usize,
    /// The entry point.
    pub entry: String,
    /// The name that the user gave, or else the file, the types or the script; values are numbered.
    pub name: String,
    /// The arguments.
    pub inputs: Vec<Value>,
    /// What must come out, where the stanza says so.
    pub expected: Option<Vec<Value>>,
    tolerance: f64,
}

impl DataSet {
    /// What distinguishes results from those that the stanza states, if it states any.
    pub fn wrong(&self, found: &[Value]) -> Option<String> {
        difference(found, self.expected.as_deref()?, self.tolerance)
    }
}

/// Tags of cases that are not timed.
const LEFT_OUT: [&str; 2] = ["nobench", "disable"];

/// Gives all data sets of a file to `each`, one after the other; cases that expect an error are none. The error is a message for the
/// user, and so is that of a single case.
pub fn data_sets(
    spec: &Spec,
    host: &dyn Host,
    options: &Options,
    each: &mut dyn FnMut(Result<DataSet, String>),
) -> Result<(), String> {
    let tests = || spec.blocks.iter().flat_map(|block| &block.tests);
    if spec.tags.iter().any(|tag| LEFT_OUT.contains(&tag.as_str())) {
        return Ok(());
    }
    let front = host.compile().map_err(|refusal| refusal.text)?;
    let subject = Subject::new(front, Backend::Jit)?;
    let wanted = |entry: &String| options.entries.is_empty() || options.entries.contains(entry);
    let mut values = 0;
    for test in tests() {
        let Test::Case(case) = test else { continue };
        let number = values;
        values += usize::from(matches!(case.input, Input::Values(_)));
        let left_out = |tag: &String| LEFT_OUT.contains(&tag.as_str()) || options.exclude.contains(tag);
        if case.tags.iter().any(left_out) || matches!(case.expect, Expect::Error(_)) {
            continue;
        }
        for entry in case.entries.iter().filter(|entry| wanted(entry)) {
            each(data_set(&subject, case, entry, number, host, options));
        }
    }
    Ok(())
}

fn data_set(
    subject: &Subject,
    case: &Case,
    entry: &str,
    number: usize,
    host: &dyn Host,
    options: &Options,
) -> Result<DataSet, String> {
    let of_case = |why: String| format!("line {}: {entry}: {why}", case.line);
    let inputs = subject.inputs(case, entry, host, options).map_err(|outcome| match outcome {
        Outcome::Failed(why) | Outcome::Skipped(why) => of_case(why),
        Outcome::Passed(_) => of_case("no input".to_owned()),
    })?;
    let expected = super::case::stated(&case.expect, host).map_err(of_case)?;
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = case.name.clone().unwrap_or_else(|| match &case.input {
        Input::Values(_) => format!("#{number}"),
        Input::File(name) | Input::ScriptFile(name) => name.clone(),
        Input::Random(text) | Input::Script(text) => words(&text.text),
    });
    let (line, entry, tolerance) = (case.line, entry.to_owned(), options.tolerance);
    Ok(DataSet { line, entry, name, inputs, expected, tolerance })
}
