//! `fun run`.

use super::dev::named_passes;
use crate::arguments::{Backend, Format, RunArguments};
use crate::compile::{
    Failure, load_tuned, print_times, run_c, run_code, to_c, to_imp_by, to_kernels, to_machine_code,
};
use crate::{files, report};
use fun_base::diag::suggest;
use fun_base::run::{Limits, RunError};
use fun_base::value::Value;
use fun_c::Dialect;
use fun_cranelift::{RunControl, Usage};
use fun_passes::pipeline::PIPELINES;
use fun_passes::program::{Entry, Program, Remark};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// A program that was compiled.
enum Code {
    Jit(Box<fun_cranelift::Compiled>),
    C(fun_c::Compiled),
}

pub(super) fn run(arguments: &RunArguments) -> Result<(), Failure> {
    let loaded = load_tuned(&arguments.program, files::tuning(&arguments.tuning)?)?;
    let entry = find_entry(&loaded.program, &arguments.entry)?;
    let failed = |error: RunError| {
        report::run_error(&loaded.sources, &error);
        Failure::Reported
    };
    if arguments.order.is_some() && !matches!(arguments.backend, Backend::Interp) {
        let message = "--order is for the interpreter (`--backend interp`): compiled code has its own order";
        return Err(Failure::Message(message.to_owned()));
    }
    let (results, times) = match arguments.backend {
        Backend::Jit | Backend::C | Backend::Opencl | Backend::Cuda => {
            let mut passes = Vec::new();
            let chosen = named_passes(&[], &arguments.pipeline, &loaded.program)?;
            let imp =
                to_imp_by(loaded.program.with_only(&entry.name), &chosen, &loaded.thresholds, &mut passes)?;
            let start = Instant::now();
            let code = match arguments.backend {
                Backend::C => Code::C(to_c(&imp)?),
                Backend::Opencl => Code::C(to_kernels(&imp, Dialect::OpenCl)?),
                Backend::Cuda => Code::C(to_kernels(&imp, Dialect::Cuda)?),
                Backend::Jit | Backend::Interp => Code::Jit(Box::new(to_machine_code(&imp)?)),
            };
            if arguments.time_passes {
                print_times(&loaded.times, &passes, Some(start.elapsed()));
            }
            let values = files::read_arguments(&arguments.input, &entry.takes)?;
            let mut used = Usage::default();
            let outcome = repeat(arguments, &mut || {
                let control = match arguments.memory_limit {
                    Some(limit) => RunControl::new().with_memory_cap(limit << 20),
                    None => RunControl::new(),
                };
                let finished = match &code {
                    Code::Jit(code) => run_code(code, &entry.name, &values, &control),
                    Code::C(code) => run_c(code, &entry.name, &values, &control),
                };
                let finished = finished.map_err(failed)?;
                used = finished.usage;
                Ok((finished.values, finished.time))
            })?;
            if arguments.mem {
                print_usage(&values, &used);
            }
            outcome
        }
        Backend::Interp => {
            let for_compiled_code = arguments.mem || arguments.memory_limit.is_some();
            if for_compiled_code || arguments.pipeline != PIPELINES[0].name {
                let message = "the interpreter runs the program as it is: --pipeline, --mem and --memory-limit are for compiled code";
                return Err(Failure::Message(message.to_owned()));
            }
            if arguments.time_passes {
                print_times(&loaded.times, &[], None);
            }
            let values = files::read_arguments(&arguments.input, &entry.takes)?;
            let order = arguments.order.unwrap_or(0);
            repeat(arguments, &mut || {
                let start = Instant::now();
                let results = loaded
                    .program
                    .interpret_watched(&entry.name, &values, Limits::default(), order, &mut watch)
                    .map_err(failed)?;
                Ok((results, start.elapsed()))
            })?
        }
    };
    if let Some(path) = &arguments.write_runtime_to {
        let lines: String = times.iter().map(|time| format!("{}\n", time.as_micros())).collect();
        files::keep_input(&arguments.program, path)?;
        files::write_file(path, lines.as_bytes())?;
    }
    if !arguments.no_print_result {
        let format = if arguments.binary_output { Format::Binary } else { arguments.output };
        files::write_results(&results, format)?;
    }
    Ok(())
}

/// Prints one number a line, each after its name.
fn print_usage(arguments: &[Value], used: &Usage) {
    let bytes = |value: &Value| match value {
        Value::Prim(_) => 0,
        Value::Array(_) => {
            let elem = value.value_type().elem;
            value.shape().iter().product::<i64>() as u64 * u64::from(elem.bytes())
        }
    };
    eprintln!("peak_bytes {}", used.peak_bytes);
    eprintln!("argument_bytes {}", arguments.iter().map(bytes).sum::<u64>());
    eprintln!("heap_calls {}", used.allocations);
    eprintln!("heap_calls_in_loops {}", used.loop_allocations);
    eprintln!("allocated_bytes {}", used.allocated_bytes);
    eprintln!("copied_bytes {}", used.copied_bytes);
}

/// Shows what the program says of itself; where it wants to pause, waits for a line if someone is there to write it.
fn watch(remark: &Remark) {
    eprintln!("{}", remark.text);
    if remark.pause && std::io::stdin().is_terminal() {
        eprint!("Enter continues. ");
        let _ = std::io::stdin().read_line(&mut String::new());
    }
}

/// Results and time of each run; with `-r`, one run before them is not counted.
fn repeat(
    arguments: &RunArguments,
    once: &mut dyn FnMut() -> Result<(Vec<Value>, Duration), Failure>,
) -> Result<(Vec<Value>, Vec<Duration>), Failure> {
    let (mut results, time) = once()?;
    let Some(runs) = arguments.runs else { return Ok((results, vec![time])) };
    let mut times = Vec::new();
    for _ in 0..runs {
        let (again, time) = once()?;
        results = again;
        times.push(time);
    }
    Ok((results, times))
}

/// The entry point of this name, or an error that names those there are.
pub(super) fn find_entry(program: &Program, name: &str) -> Result<Entry, Failure> {
    let mut entries = program.entries();
    if let Some(at) = entries.iter().position(|entry| entry.name == name) {
        return Ok(entries.swap_remove(at));
    }
    let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    let mut message = format!("there is no entry point `{name}`");
    if let Some(close) = suggest(name, names.iter().copied()) {
        message += &format!("; did you mean `{close}`?");
    } else if names.is_empty() {
        message += ": the program has none (`entry f …`, or `def main …`)";
    } else {
        message += &format!("; there is {}", names.join(", "));
    }
    Err(Failure::Message(message))
}
