//! `fun bench`: the run times of entry points on the data sets of their stanzas, alone or beside other programs.

mod compare;
mod measure;
mod peer;
mod record;
mod statistics;
mod table;

use super::dev::named_passes;
use super::test::child::File;
use crate::arguments::{Backend, BenchArguments};
use crate::compile::{Failure, load_tuned, print_times, to_c, to_imp_by, to_kernels, to_machine_code};
use crate::data::Data;
use crate::files;
use fun_c::Dialect;
use fun_passes::pipeline::PIPELINES;
use fun_spec::run::Options;
use fun_spec::run::data::{DataSet, data_sets};
use measure::{Code, Limits};
use record::{Compile, File as Recorded, Row};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// Variables that say how many threads parallel loops have: ours, and those of peers.
const THREADS: [&str; 2] = ["FUN_NUM_THREADS", "OMP_NUM_THREADS"];

pub(super) fn run(arguments: &BenchArguments) -> Result<ExitCode, Failure> {
    if let [old, new] = arguments.compare.as_slice() {
        return compare::run(old, new).map(|()| ExitCode::SUCCESS);
    }
    if let Some(threads) = arguments.threads {
        let wanted = threads.to_string();
        if THREADS.iter().any(|name| std::env::var(name).ok().as_deref() != Some(&wanted)) {
            return again_with(&wanted);
        }
    }
    let mut files = Vec::new();
    let mut wrong = false;
    for program in &arguments.programs {
        if let Some(path) = &arguments.json {
            files::keep_input(program, path)?;
        }
        let file = bench(program, arguments)?;
        wrong |= file.rows.iter().any(|row| row.error.is_some()) || !file.errors.is_empty();
        files.push(file);
    }
    if let Some(path) = &arguments.json {
        files::write_file(path, record::to_json(&files, arguments.threads).as_bytes())?;
    }
    Ok(if wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Libraries read the number of threads from their environment when they start, so it is set for a process of its own.
fn again_with(threads: &str) -> Result<ExitCode, Failure> {
    let started = std::env::current_exe().and_then(|own| {
        let mut command = Command::new(own);
        command.args(std::env::args_os().skip(1));
        command.envs(THREADS.map(|name| (name, threads))).status()
    });
    let status = started.map_err(|error| format!("can't start a process with {threads} threads: {error}"))?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}

/// Times one program.
fn bench(program: &Path, arguments: &BenchArguments) -> Result<Recorded, Failure> {
    let source = files::read_source(program)?;
    let shown = program.display();
    let spec = fun_spec::parse::parse(&source.text).map_err(|error| format!("{shown}: {error}"))?;
    let start = Instant::now();
    let loaded = load_tuned(program, files::tuning(&arguments.tuning)?)?;
    let mut passes = Vec::new();
    let pipeline = match arguments.backend {
        Backend::C => "c",
        Backend::Opencl | Backend::Cuda => "gpu",
        Backend::Jit | Backend::Interp => PIPELINES[0].name,
    };
    let chosen = named_passes(&[], pipeline, &loaded.program)?;
    let imp = to_imp_by(loaded.program, &chosen, &loaded.thresholds, &mut passes)?;
    let before = Instant::now();
    let (backend, code) = match arguments.backend {
        Backend::C => ("c", Code::C(to_c(&imp)?)),
        Backend::Jit => ("jit", Code::Jit(Box::new(to_machine_code(&imp)?))),
        Backend::Opencl => ("opencl", Code::C(to_kernels(&imp, Dialect::OpenCl)?)),
        Backend::Cuda => ("cuda", Code::C(to_kernels(&imp, Dialect::Cuda)?)),
        Backend::Interp => {
            let message = "`fun bench` times compiled code: --backend jit, c, opencl or cuda";
            return Err(Failure::Message(message.to_owned()));
        }
    };
    let compile = Compile::of(start.elapsed(), &loaded.times, &passes, before.elapsed());
    if arguments.time_passes {
        print_times(&loaded.times, &passes, Some(before.elapsed()));
    }
    let host = File { path: program.to_owned(), source, keep: None, data: Data::of_user() };
    let options = options(&arguments.entry, arguments.tolerance);
    let limits = Limits {
        runs: arguments.runs.map(|runs| runs as usize),
        time: Duration::try_from_secs_f64(arguments.time).unwrap_or(Duration::MAX),
        precision: arguments.precision,
    };
    let mut file = Recorded::new(program, backend, compile);
    table::heading(&file);
    let outcome = data_sets(&spec, &host, &options, &mut |data| match data {
        Ok(data) => {
            let row = row(&code, program, &data, &arguments.vs, &limits);
            table::row(&row);
            file.rows.push(row);
        }
        Err(message) => {
            eprintln!("Error: {shown}: {message}");
            file.errors.push(message);
        }
    });
    outcome.map_err(|message| format!("{shown}: {message}"))?;
    if file.rows.is_empty() && file.errors.is_empty() {
        let of = arguments.entry.first().map(|entry| format!(" of `{entry}`")).unwrap_or_default();
        let message = format!("no data set{of} to time");
        if arguments.programs.len() == 1 {
            return Err(Failure::Message(format!("{shown}: {message}")));
        }
        eprintln!("Error: {shown}: {message}");
        file.errors.push(message);
    }
    Ok(file)
}

/// How data sets are found and judged.
pub(super) fn options(entries: &[String], tolerance: f64) -> Options {
    Options {
        compiled: true,
        backend: fun_spec::run::Backend::Jit,
        interpreter: false,
        steps: 0,
        tolerance,
        time: Duration::from_secs(3600),
        strict_errors: false,
        seed: 0,
        entries: entries.to_vec(),
        exclude: Vec::new(),
    }
}

/// Times one data set.
fn row(code: &Code, program: &Path, data: &DataSet, peers: &[String], limits: &Limits) -> Row {
    let measured = measure::alternately(code, program, data, peers, limits);
    let (measured, error) = match measured {
        Ok(measured) => (Some(measured), None),
        Err(message) => (None, Some(message)),
    };
    Row { line: data.line, entry: data.entry.clone(), data: data.name.clone(), measured, error }
}
