//! `fun explain`: where the memory of a program goes.

mod fusion;
mod json;
mod kernels;

use crate::arguments::ExplainArguments;
use crate::compile::{Failure, Loaded, load, refuse_not_given};
use crate::{files, report as messages};
use fun_base::run::{Limits, RunError, RunErrorKind};
use fun_base::value::{Value, ValueType};
use fun_frontend::lower::EntryInfo;
use fun_library::{explained, report_text};
use fun_passes::program::{Entry, Program};
use fun_spec::constructors::choose_constructors;
use fun_verify::peak::{self, Unmeasured};
use fun_verify::picture;
use funmem::interp::run_traced;
use funmem::trace::Trace;

/// The width of what is printed.
const WIDTH: usize = 96;

/// How many random inputs are tried, and how large their sizes may be: the one that does most in memory is shown.
const TRIES: u64 = 20;
const LARGEST: i64 = 12;

/// Runs on given inputs that take longer are not drawn, random ones are not taken.
const LIMITS: Limits = Limits { steps: 5_000_000, bytes: 1 << 30 };
const RANDOM_LIMITS: Limits = Limits { steps: 300_000, bytes: 1 << 26 };

pub(super) fn run(arguments: &ExplainArguments) -> Result<(), Failure> {
    let Loaded { sources, program, entries, .. } = load(&arguments.program)?;
    let entry = super::run::find_entry(&program, &arguments.entry)?;
    let program = program.with_only(&entry.name);
    let file = arguments.program.file_name().unwrap_or_default().to_string_lossy();
    if arguments.kernels {
        return kernels::explain(&file, &entry.name, program, arguments.json);
    }
    if arguments.fusion {
        return fusion::explain(&file, &entry.name, program, arguments.json);
    }
    let (explained, imp) = if let Program::Imp(program) = program {
        if arguments.svg.is_some() || arguments.trace {
            return Err(Failure::Message(
                "the program is in IMP, where runs are not traced: give the source, .fun or .funmem"
                    .to_owned(),
            ));
        }
        (None, explained::to_imp(Program::Imp(program)).map_err(Failure::Bug)?)
    } else {
        refuse_not_given(&program)?;
        let explained = explained::to_funmem(program).map_err(Failure::Bug)?;
        let imp = explained::to_imp(Program::FunMem(explained.program.clone())).map_err(Failure::Bug)?;
        (Some(explained), imp)
    };
    let file = file.into_owned();
    let (footprint, mut report) = explained::report(file.clone(), explained.as_ref(), &imp, &entry.name)
        .ok_or_else(|| Failure::Bug("bug in FUN: lowering lost an entry point".to_owned()))?;
    let funmem = explained.map(|explained| explained.program);

    let given = if entry.takes.is_empty() {
        Some(Vec::new())
    } else if arguments.input.is_empty() {
        None
    } else {
        Some(files::read_arguments(&arguments.input, &entry.takes)?)
    };
    let mut failed = None;
    let mut picture = String::new();
    let mut figure = None;
    if let Some(program) = funmem.filter(|_| !arguments.json || arguments.svg.is_some()) {
        let Traced { inputs, outcome, trace } =
            trace(&program, &entry, &entries, given.clone(), arguments.seed)?;
        let title = format!("{file}: memory of `{}`{}", entry.name, words(&inputs));
        match outcome {
            Err(error) if error.kind == RunErrorKind::Limit && arguments.svg.is_none() => {
                picture =
                    format!("\nno picture: such a run takes too long to be drawn ({})\n", error.message);
            }
            outcome => {
                picture = format!("\n{title}\n{}", picture::text(&trace, WIDTH));
                if arguments.trace {
                    picture += &format!("\n{}", picture::table(&trace, WIDTH));
                }
                figure = Some(picture::svg(&trace, &title));
                failed = outcome.err();
            }
        }
    }
    // What the heap semantics refuses is not run.
    if let (Some(inputs), None) = (&given, &failed) {
        match peak::measure(&imp, &entry.name, &footprint, inputs) {
            Ok(measured) => report.measured = Some(measured),
            Err(Unmeasured::Failed(error)) => failed = Some(error),
            Err(Unmeasured::Bug(message)) => return Err(Failure::Bug(message)),
        }
    }
    files::write_stdout(&if arguments.json {
        json::report(&report)
    } else {
        format!("{}{picture}", report_text::report(&report))
    })?;
    if let Some(error) = failed {
        messages::run_error(&sources, &error);
        return Err(Failure::Reported);
    }
    match (&arguments.svg, figure) {
        (Some(path), Some(figure)) => Ok(files::write_file(path, figure.as_bytes())?),
        _ => Ok(()),
    }
}

/// A run in the heap semantics.
struct Traced {
    inputs: Vec<Value>,
    outcome: Result<Vec<Value>, RunError>,
    trace: Trace,
}

/// The run on given inputs, or on those of some random ones that do most.
fn trace(
    program: &funmem::ir::Program,
    entry: &Entry,
    entries: &[EntryInfo],
    given: Option<Vec<Value>>,
    seed: u64,
) -> Result<Traced, Failure> {
    let run = |inputs: Vec<Value>, limits| {
        let (outcome, trace) = run_traced(program, &entry.name, &inputs, limits);
        Traced { inputs, outcome, trace }
    };
    if let Some(inputs) = given {
        return Ok(run(inputs, LIMITS));
    }
    let layouts = entries.iter().find(|info| info.name == entry.name);
    let layouts = layouts.map_or(&[][..], |info| &info.takes);
    let whole = Program::FunMem(program.clone());
    let mut best: Option<Traced> = None;
    for seed in (0..TRIES).map(|k| seed.wrapping_add(k)) {
        let mut inputs = fun_verify::random_inputs_up_to(&whole, &entry.name, seed, LARGEST);
        choose_constructors(layouts, &mut inputs);
        let found = run(inputs, RANDOM_LIMITS);
        let worth = |traced: &Traced| (traced.outcome.is_ok(), traced.trace.count);
        if best.as_ref().is_none_or(|other| worth(&found) > worth(other)) {
            best = Some(found);
        }
    }
    best.ok_or_else(|| Failure::Bug("bug in FUN: no input was tried".to_owned()))
}

/// The inputs in a few words: scalars as they are, arrays by their types.
fn words(inputs: &[Value]) -> String {
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
