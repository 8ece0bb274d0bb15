//! `fun dev`: chosen passes, and the program between them.

use crate::arguments::DevArguments;
use crate::compile::{Failure, load, print_times, to_imp_by};
use crate::files;
use fun_base::diag::suggest;
use fun_passes::pipeline::{self, PIPELINES};
use fun_passes::program::Program;
use fun_passes::registry::{self, PASSES, Pass};
use fun_passes::thresholds::Threshold;
use std::path::Path;

/// The table of passes and pipelines, made from the registry.
pub(crate) fn passes_help() -> String {
    let mut text = "Passes:\n".to_owned();
    for pass in PASSES {
        text +=
            &format!("  {:18} {:>6} -> {:6}  {}\n", pass.name, pass.from.name(), pass.to.name(), pass.about);
    }
    text += "\nPipelines:\n";
    for pipeline in PIPELINES {
        text += &format!("  {:18} {}\n    {}\n", pipeline.name, pipeline.about, pipeline.passes.join(" "));
    }
    text
}

/// Lists the thresholds of a program's places.
fn thresholds_of(path: &Path) -> Result<(), Failure> {
    let loaded = load(path)?;
    let passes = named_passes(&[], "gpu", &loaded.program)?;
    to_imp_by(loaded.program, &passes, &loaded.thresholds, &mut Vec::new())?;
    let mut text = String::new();
    for place in loaded.thresholds.places() {
        let name = place.name();
        let at = place.loc.map_or_else(String::new, |loc| format!("{loc}: "));
        let fixed = if place.fixed { "; the size is a constant, so the compiler chooses" } else { "" };
        text += &format!("{name} = {:<6} {at}{}{fixed}\n", place.value, place.threshold.about());
    }
    Ok(files::write_stdout(&text)?)
}

pub(super) fn run(arguments: &DevArguments) -> Result<(), Failure> {
    if arguments.thresholds {
        if let Some(path) = &arguments.program {
            return thresholds_of(path);
        }
        let line = |threshold: Threshold| {
            format!("{} = {:<6} {}\n", threshold.name(), threshold.usual(), threshold.about())
        };
        return Ok(files::write_stdout(&Threshold::ALL.map(line).concat())?);
    }
    let path = match &arguments.program {
        Some(path) if !arguments.list => path,
        _ => {
            return Ok(files::write_stdout(&passes_help())?);
        }
    };
    let loaded = load(path)?;
    let passes = chosen_passes(arguments, &loaded.program)?;
    for name in arguments.print_before.iter().chain(&arguments.print_after).filter(|name| *name != "all") {
        find_pass(name)?;
    }
    let wants = |list: &[String], name: &str| list.iter().any(|wanted| wanted == "all" || wanted == name);
    let mut times = Vec::new();
    let mut shown = String::new();
    let mut last = loaded.program.print();
    if let Some(first) = passes.first()
        && wants(&arguments.print_before, first.name)
    {
        shown += &format!("// before {}\n{last}", first.name);
    }
    let mut next = passes.iter().skip(1);
    let result = pipeline::run_passes(
        loaded.program,
        &passes,
        !arguments.no_check,
        &mut times,
        &mut |pass, program| {
            last = program.print();
            if wants(&arguments.print_after, pass.name) {
                shown += &format!("// after {}\n{last}", pass.name);
            }
            if let Some(next) = next.next()
                && wants(&arguments.print_before, next.name)
            {
                shown += &format!("// before {}\n{last}", next.name);
            }
        },
    );
    files::write_stdout(if shown.is_empty() && result.is_ok() { &last } else { &shown })?;
    result.map_err(|error| match error {
        pipeline::PipelineError::WrongStage(error) => Failure::Message(error.to_string()),
        broken @ pipeline::PipelineError::Broken(_) => Failure::Bug(format!("{broken}\n{last}")),
    })?;
    if arguments.time_passes {
        print_times(&loaded.times, &times, None);
    }
    Ok(())
}

fn chosen_passes(arguments: &DevArguments, program: &Program) -> Result<Vec<&'static Pass>, Failure> {
    let mut passes = named_passes(&arguments.passes, &arguments.pipeline, program)?;
    for name in &arguments.disable {
        find_pass(name)?;
        passes.retain(|pass| pass.name != name);
    }
    if let Some(name) = &arguments.stop_after {
        find_pass(name)?;
        let Some(at) = passes.iter().position(|pass| pass.name == name) else {
            return Err(Failure::Message(format!("pass `{name}` is not among those that run")));
        };
        passes.truncate(at + 1);
    }
    Ok(passes)
}

/// The passes of these names, or those of a pipeline from the program's stage on when there are none.
pub(super) fn named_passes(
    names: &[String],
    pipeline: &str,
    program: &Program,
) -> Result<Vec<&'static Pass>, Failure> {
    if !names.is_empty() {
        return names.iter().map(|name| find_pass(name)).collect();
    }
    let known = PIPELINES.iter().map(|pipeline| pipeline.name);
    let found = pipeline::find(pipeline).ok_or_else(|| unknown("pipeline", pipeline, known.collect()))?;
    Ok(pipeline::passes_from(found, program.stage()))
}

fn find_pass(name: &str) -> Result<&'static Pass, Failure> {
    registry::find(name).ok_or_else(|| unknown("pass", name, PASSES.iter().map(|pass| pass.name).collect()))
}

fn unknown(what: &str, name: &str, known: Vec<&str>) -> Failure {
    let hint = match suggest(name, known.iter().copied()) {
        Some(close) => format!("did you mean `{close}`?"),
        None => format!("there is {}", known.join(", ")),
    };
    Failure::Message(format!("there is no {what} `{name}`; {hint}"))
}
