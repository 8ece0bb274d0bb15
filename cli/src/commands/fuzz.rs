//! `fun fuzz`: the laws on generated programs, on all processors, until something is found.
//!
//! The programs are checked in processes of their own (`worker`), so that one that brings the compiler down, or never ends, is a
//! finding too. This process hands out seeds (`driver`), counts (`tally`) and keeps the corpus (`corpus`).

mod corpus;
mod driver;
mod mutants;
mod process;
mod tally;
mod worker;

use crate::arguments::FuzzArguments;
use crate::compile::Failure;
use fun_passes::pipeline::{self, PIPELINES};
use fun_passes::program::Stage;
use fun_verify::fuzz::Plan;
use std::process::ExitCode;

/// Exit status when the flags, or the corpus, are not right.
const USAGE: u8 = 2;

pub(super) fn run(arguments: &FuzzArguments) -> ExitCode {
    match fuzz(arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            failure.report();
            ExitCode::from(USAGE)
        }
    }
}

/// Whether nothing was found; or, of a seeded bug, whether it was.
fn fuzz(arguments: &FuzzArguments) -> Result<bool, Failure> {
    let jobs = arguments.jobs.unwrap_or_else(|| {
        std::thread::available_parallelism().map_or(1, |n| u32::try_from(n.get()).unwrap_or(1))
    });
    if let Some(name) = &arguments.mutant {
        return mutants::run(name, arguments, jobs);
    }
    let plan = plan(arguments)?;
    if arguments.worker {
        worker::run(&plan);
        return Ok(true);
    }
    driver::run(arguments, &plan, jobs)
}

/// What the flags ask for.
fn plan(arguments: &FuzzArguments) -> Result<Plan, Failure> {
    let mut plan = Plan { size: arguments.size, ..Plan::default() };
    if !arguments.language.is_empty() {
        plan.languages = arguments.language.clone();
    }
    if let Some(name) = &arguments.pipeline {
        let found = pipeline::find(name).ok_or_else(|| {
            let names: Vec<&str> = PIPELINES.iter().map(|pipeline| pipeline.name).collect();
            Failure::Message(format!("there is no pipeline `{name}`; there are {}", names.join(", ")))
        })?;
        plan.passes = Some(pipeline::passes_from(found, Stage::Fun));
    }
    Ok(plan)
}

/// The flags that make another process check the same programs in the same way; they also say whether a corpus was begun so.
fn settings(arguments: &FuzzArguments) -> Vec<String> {
    let mut flags = vec![format!("--seed={}", arguments.seed), format!("--size={}", arguments.size)];
    flags.extend(arguments.language.iter().map(|language| format!("--language={}", language.name())));
    flags.extend(arguments.pipeline.iter().map(|name| format!("--pipeline={name}")));
    flags
}
