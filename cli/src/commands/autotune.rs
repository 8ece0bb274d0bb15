//! `fun autotune`: looks for good thresholds of a program for a device, by runs of its data sets, and writes them beside it.

mod search;

use super::dev::named_passes;
use super::test::child::File;
use crate::arguments::{AutotuneArguments, DeviceBackend};
use crate::compile::{Failure, load_tuned, to_imp_by, to_kernels};
use crate::data::Data;
use crate::files;
use fun_c::{Compiled, Dialect, RunControl};
use fun_spec::run::data::{DataSet, data_sets};
use search::Trial;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Runs of a data set with the same numbers that are timed, at least; the shortest counts.
const FEWEST: u32 = 3;

pub(super) fn run(arguments: &AutotuneArguments) -> Result<(), Failure> {
    let program = &arguments.program;
    let shown = program.display();
    let beside = PathBuf::from(format!("{shown}.tuning"));
    // what it says of other parameters stays
    let mut known = if beside.exists() { files::read_parameters(&beside)? } else { BTreeMap::new() };
    known.extend(files::tuning(&arguments.tuning)?);
    let loaded = load_tuned(program, known.clone())?;
    let sets = data_of(program, arguments)?;
    let passes = named_passes(&[], "gpu", &loaded.program)?;
    let imp = to_imp_by(loaded.program, &passes, &loaded.thresholds, &mut Vec::new())?;
    let dialect = match arguments.backend {
        DeviceBackend::Opencl => Dialect::OpenCl,
        DeviceBackend::Cuda => Dialect::Cuda,
    };
    let code = to_kernels(&imp, dialect)?;
    if !code.params().iter().any(|param| param.compared) {
        eprintln!("{shown} has no thresholds that a run can say: there is nothing to tune");
        return Ok(());
    }
    let mut runner = |at: usize, numbers: &[i64]| trial(&code, &sets[at], numbers, arguments);
    let usual: Vec<i64> = code.params().iter().map(|param| param.usual).collect();
    for (at, data) in sets.iter().enumerate() {
        if runner(at, &usual)?.is_none() {
            return Err(Failure::Message(format!("{shown}: {}: {} stops", data.entry, data.name)));
        }
    }
    let found = search::search(code.params(), sets.len(), &mut runner, &mut |param, number, used| {
        let usual =
            if number == param.usual { String::new() } else { format!(", instead of {}", param.usual) };
        eprintln!("{} = {number}{usual} (by {used} of {} data sets)", param.name, sets.len());
    })?;
    for (param, number) in code.params().iter().zip(found).filter(|(param, _)| param.compared) {
        known.insert(param.name, number);
    }
    let lines: String = known.iter().map(|(name, number)| format!("{name}={number}\n")).collect();
    files::write_file(&beside, lines.as_bytes())?;
    Ok(files::write_stdout(&format!("Wrote {}\n", beside.display()))?)
}

/// The data sets of a program, which must be there.
fn data_of(program: &Path, arguments: &AutotuneArguments) -> Result<Vec<DataSet>, Failure> {
    let shown = program.display();
    let source = files::read_source(program)?;
    let spec = fun_spec::parse::parse(&source.text).map_err(|error| format!("{shown}: {error}"))?;
    let host = File { path: program.to_owned(), source, keep: None, data: Data::of_user() };
    let options = super::bench::options(&arguments.entry, arguments.tolerance);
    let (mut sets, mut wrong) = (Vec::new(), None);
    data_sets(&spec, &host, &options, &mut |data| match data {
        Ok(data) => sets.push(data),
        Err(message) => wrong = wrong.take().or(Some(message)),
    })
    .map_err(|message| format!("{shown}: {message}"))?;
    if let Some(message) = wrong {
        return Err(Failure::Message(format!("{shown}: {message}")));
    }
    if sets.is_empty() {
        let message =
            format!("{shown} has no data sets to run: test stanzas with inputs (docs/benchmarks.md)");
        return Err(Failure::Message(message));
    }
    Ok(sets)
}

/// The shortest of some runs with these numbers; `None` where they stop. All versions must give what the stanza states.
fn trial(
    code: &Compiled,
    data: &DataSet,
    numbers: &[i64],
    arguments: &AutotuneArguments,
) -> Result<Option<Trial>, String> {
    let control = RunControl::new();
    let (start, mut best, mut done) = (Instant::now(), None, 0);
    // the first run warms up
    while done <= FEWEST || start.elapsed().as_secs_f64() < arguments.time {
        let mut run = code.prepare(&data.entry, &data.inputs, &control).map_err(|error| error.to_string())?;
        run.tune(numbers).map_err(|error| error.to_string())?;
        let before = Instant::now();
        if run.call().is_err() {
            return Ok(None);
        }
        let time = before.elapsed();
        if done == 0 {
            let results = run.results().map_err(|error| error.to_string())?;
            if let Some(difference) = data.wrong(&results) {
                let named = code.params().iter().zip(numbers);
                let with: Vec<String> =
                    named.map(|(param, number)| format!("{}={number}", param.name)).collect();
                return Err(format!(
                    "{}: {}: wrong result with {}: {difference}",
                    data.entry,
                    data.name,
                    with.join(" ")
                ));
            }
        } else if best.as_ref().is_none_or(|best: &Trial| time < best.time) {
            best = Some(Trial { time, compared: run.compared().to_vec() });
        }
        done += 1;
    }
    Ok(best)
}
