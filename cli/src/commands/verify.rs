//! `fun verify`: every semantics agrees, on given, random or all small inputs.

mod print;
mod save;

use super::BUG;
use crate::arguments::VerifyArguments;
use crate::compile::{Failure, Loaded, load};
use crate::files;
use fun_base::prim::PrimType;
use fun_base::run::Limits;
use fun_frontend::lower::Layout;
use fun_passes::pipeline::{self, PIPELINES, PipelineError};
use fun_passes::program::Entry;
use fun_spec::constructors::{choose_constructors, tags};
use fun_verify::validity::{self, Inputs, Plan, Rules};
use fun_verify::{Options, Stages, StagesError, stages};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;

/// Inputs that keep the interpreter longer are skipped, and said to be. Those that are drawn are many, so each may take less.
const LIMITS: Limits = Limits { steps: 20_000_000, bytes: 1 << 30 };
const LIMITS_OF_DRAWN: Limits = Limits { steps: 300_000, bytes: 1 << 26 };

/// Random inputs for a function in the REPL.
const EXPRESSION_INPUTS: u64 = 50;

/// What came of a program, the gravest last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    Agrees,
    /// No input got as far as giving values.
    Untested,
    /// The program or the command line is wrong.
    Wrong,
    Disagrees,
    Bug,
}

impl Status {
    fn exit_code(self) -> ExitCode {
        ExitCode::from(match self {
            Status::Agrees => 0,
            Status::Disagrees => 1,
            Status::Wrong => 2,
            Status::Untested => 3,
            Status::Bug => BUG,
        })
    }
}

pub(super) fn run(arguments: &VerifyArguments) -> ExitCode {
    let status = |path| {
        verify(path, arguments).unwrap_or_else(|failure| {
            failure.report();
            if matches!(failure, Failure::Bug(_)) { Status::Bug } else { Status::Wrong }
        })
    };
    let worst = arguments.programs.iter().map(|path| status(path)).max();
    worst.unwrap_or(Status::Wrong).exit_code()
}

fn verify(path: &Path, arguments: &VerifyArguments) -> Result<Status, Failure> {
    let limits = if arguments.input.is_empty() { LIMITS_OF_DRAWN } else { LIMITS };
    let options = Options { limits, tolerance: arguments.tolerance, jit: true, order: arguments.order };
    let loaded = load(path)?;
    let entries = match &arguments.entry {
        Some(name) => vec![super::run::find_entry(&loaded.program, name)?],
        None => loaded.program.entries(),
    };
    if entries.is_empty() {
        return Err(Failure::Message(format!("{}: the program has no entry points", path.display())));
    }
    let passes = super::dev::named_passes(&arguments.pass, &arguments.pipeline, &loaded.program)?;
    let stages = stages(loaded.program.clone(), &passes, &options).map_err(|error| match error {
        StagesError::Pipeline(PipelineError::WrongStage(error)) => Failure::Message(error.to_string()),
        StagesError::Pipeline(PipelineError::Broken(_))
        | StagesError::Certificate(_)
        | StagesError::Machine(_) => Failure::Bug(format!("{}: {error}", path.display())),
    })?;
    let mut worst = Status::Agrees;
    for entry in &entries {
        worst = worst.max(verify_entry(path, &loaded, &stages, entry, arguments, &options)?);
    }
    Ok(worst)
}

fn verify_entry(
    path: &Path,
    loaded: &Loaded,
    stages: &Stages,
    entry: &Entry,
    arguments: &VerifyArguments,
    options: &Options,
) -> Result<Status, Failure> {
    let inputs = match (arguments.input.as_slice(), arguments.small) {
        ([], Some(largest)) => Inputs::Small { largest, most: arguments.most },
        ([], None) => Inputs::Random { count: arguments.random, seed: arguments.seed },
        (files, _) => Inputs::Given(vec![files::read_arguments(files, &entry.takes)?]),
    };
    let layouts = loaded.entries.iter().find(|info| info.name == entry.name);
    let layouts = layouts.map_or(&[][..], |info| &info.takes);
    let plan =
        Plan { entry: &entry.name, inputs, rules: rules(layouts), first_pass: arguments.passes, options };
    let bar = progress(&entry.name);
    let report = validity::validate(stages, &plan, &mut |report| {
        if let Some(planned) = report.planned {
            bar.set_length(u64::try_from(planned).unwrap_or(u64::MAX));
        }
        bar.set_position(report.done);
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    let name = format!("{}: {}: ", path.display(), entry.name);
    let report = report.map_err(|message| Failure::Message(format!("{name}{message}")))?;
    if arguments.passes {
        print::passes(&name, stages, &report);
    }
    if let Some((found, point)) = &report.found {
        print::disagreement(&name, loaded, found);
        if arguments.passes {
            print::first_broken(stages, found, *point);
        }
        if let Some(folder) = &arguments.save {
            let saved = save::save(folder, path, loaded, found)?;
            println!("saved as {}", saved.display());
        }
        return Ok(Status::Disagrees);
    }
    print::summary(&name, loaded, &plan.inputs, &report);
    Ok(if report.agreed == 0 { Status::Untested } else { Status::Agrees })
}

/// Compares all semantics of an expression of the REPL, which is the only entry point of the program: on random inputs, if it is a
/// function. Says what came of it; ends early when `stop` says so.
pub(crate) fn verify_expression(loaded: &Loaded, stop: &dyn Fn() -> bool) -> Result<(), Failure> {
    let entries = loaded.program.entries();
    let constant = entries.iter().all(|entry| entry.takes.is_empty());
    let limits = if constant { LIMITS } else { LIMITS_OF_DRAWN };
    let options = Options { limits, tolerance: 1e-4, jit: true, order: 0 };
    let passes = pipeline::passes_from(&PIPELINES[0], loaded.program.stage());
    let stages =
        stages(loaded.program.clone(), &passes, &options).map_err(|error| Failure::Bug(error.to_string()))?;
    let layouts = loaded.entries.first().map_or(&[][..], |info| &info.takes);
    for entry in entries {
        let inputs = Inputs::Random { count: EXPRESSION_INPUTS, seed: 0 };
        let rules = rules(layouts);
        let plan = Plan { entry: &entry.name, inputs, rules, first_pass: true, options: &options };
        let report = validity::validate(&stages, &plan, &mut |_| match stop() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        let report = report.map_err(Failure::Message)?;
        match &report.found {
            Some((found, point)) => {
                print::disagreement("", loaded, found);
                print::first_broken(&stages, found, *point);
            }
            None => print::summary("", loaded, &plan.inputs, &report),
        }
    }
    Ok(())
}

/// What makes values those of the source: tags of sums are those of constructors.
fn rules(layouts: &[Layout]) -> Rules<'_> {
    let tags = tags(layouts).into_iter().enumerate();
    let domain = |count: usize| (0..count as i64).map(|tag| PrimType::U8.of_i64(tag)).collect();
    let domains = tags.filter_map(|(k, count)| Some((k, domain(count?)))).collect();
    Rules { amend: Box::new(|values| choose_constructors(layouts, values)), domains }
}

/// A bar on standard error; on anything but a terminal, nothing.
fn progress(entry: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(8));
    let style = ProgressStyle::with_template("{msg} {bar:30} {pos} of {len} inputs, {eta} left");
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar.set_message(entry.to_owned());
    bar
}
