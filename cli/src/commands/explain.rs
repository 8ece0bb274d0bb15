//! `fun explain`: where the memory of a program goes.

mod text;

use crate::arguments::ExplainArguments;
use crate::compile::{Failure, InMemory, load, to_funmem_explained};
use crate::{files, report};
use fun_base::run::Limits;
use fun_base::value::{Value, ValueType};
use fun_passes::funmem::copies_left::copies_left;
use fun_passes::program::Program;
use fun_spec::constructors::choose_constructors;
use fun_verify::picture;
use funmem::interp::run_traced;
use funmem::trace::Trace;

/// The width of what is printed.
const WIDTH: usize = 96;

/// How many random inputs are tried, and how large their sizes may be: the one that does most in memory is shown.
const TRIES: u64 = 20;
const LARGEST: i64 = 12;

/// Given inputs that take longer are refused, random ones are not taken.
const LIMITS: Limits = Limits { steps: 20_000_000, bytes: 1 << 30 };
const RANDOM_LIMITS: Limits = Limits { steps: 300_000, bytes: 1 << 26 };

pub(super) fn run(arguments: &ExplainArguments) -> Result<(), Failure> {
    let loaded = load(&arguments.program)?;
    let entry = super::run::find_entry(&loaded.program, &arguments.entry)?;
    let InMemory { program: funmem, refusals } = to_funmem_explained(loaded.program)?;
    let run = |inputs: &[Value], limits| run_traced(&funmem, &entry.name, inputs, limits);
    let (inputs, (outcome, trace)) = if entry.takes.is_empty() {
        (Vec::new(), run(&[], LIMITS))
    } else if arguments.input.is_empty() {
        let layouts = loaded.entries.iter().find(|info| info.name == entry.name);
        let layouts = layouts.map_or(&[][..], |info| &info.takes);
        let program = Program::FunMem(funmem.clone());
        let mut best = None;
        for seed in (0..TRIES).map(|k| arguments.seed.wrapping_add(k)) {
            let mut inputs = fun_verify::random_inputs_up_to(&program, &entry.name, seed, LARGEST);
            choose_constructors(layouts, &mut inputs);
            let found = run(&inputs, RANDOM_LIMITS);
            let worth = |(outcome, trace): &(Result<_, _>, Trace)| (outcome.is_ok(), trace.count);
            if best.as_ref().is_none_or(|(_, other)| worth(&found) > worth(other)) {
                best = Some((inputs, found));
            }
        }
        best.ok_or_else(|| Failure::Bug("bug in FUN: no input was tried".to_owned()))?
    } else {
        let inputs = files::read_arguments(&arguments.input, &entry.takes)?;
        let found = run(&inputs, LIMITS);
        (inputs, found)
    };
    let file = arguments.program.file_name().unwrap_or_default().to_string_lossy();
    let title = format!("{file}: memory of `{}`{}", entry.name, given(&inputs));
    let copies = copies_left(&funmem, &refusals);
    let mut text = format!("{title}\n{}\n{}", text::copies(&copies), picture::text(&trace, WIDTH));
    if arguments.trace {
        text += &format!("\n{}", picture::table(&trace, WIDTH));
    }
    files::write_stdout(&text)?;
    if let Err(error) = outcome {
        report::run_error(&loaded.sources, &error);
        return Err(Failure::Reported);
    }
    match &arguments.svg {
        Some(path) => Ok(files::write_file(path, picture::svg(&trace, &title).as_bytes())?),
        None => Ok(()),
    }
}

/// The inputs in a few words: scalars as they are, arrays by their types.
fn given(inputs: &[Value]) -> String {
    if inputs.is_empty() {
        return String::new();
    }
    let word = |value: &Value| match value {
        Value::Prim(value) => value.to_string(),
        Value::Array(_) => {
            let sizes: String = value.shape().iter().map(|size| format!("[{size}]")).collect();
            let ValueType { elem, .. } = value.value_type();
            format!("{sizes}{elem}")
        }
    };
    format!(" on {}", inputs.iter().map(word).collect::<Vec<_>>().join(" "))
}
