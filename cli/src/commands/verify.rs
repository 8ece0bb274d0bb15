//! `fun verify`: every semantics agrees, on given or random inputs.

use crate::arguments::VerifyArguments;
use crate::compile::{Failure, Loaded, load};
use crate::{files, report};
use fun_base::run::Limits;
use fun_base::value::Value;
use fun_passes::pipeline;
use fun_passes::program::Entry;
use fun_verify::{Agreement, Disagreement, Options, Stages, agree, random_inputs, shrink_inputs, stages};
use std::path::Path;

/// Inputs that keep the interpreter longer are skipped, and said to be.
const LIMITS: Limits = Limits { steps: 2_000_000, bytes: 1 << 28 };

/// Runs that shrinking may spend on one disagreement.
const SHRINK_BUDGET: usize = 500;

pub(super) fn run(arguments: &VerifyArguments) -> Result<(), Failure> {
    let mut failed = false;
    for path in &arguments.programs {
        match verify(path, arguments) {
            Ok(agreed) => failed |= !agreed,
            Err(failure) => {
                failure.report();
                failed = true;
            }
        }
    }
    if failed { Err(Failure::Reported) } else { Ok(()) }
}

/// Whether all semantics of one program agree.
fn verify(path: &Path, arguments: &VerifyArguments) -> Result<bool, Failure> {
    let options = Options { limits: LIMITS, tolerance: arguments.tolerance, jit: true };
    let loaded = load(path)?;
    let entries = match &arguments.entry {
        Some(name) => vec![super::run::find_entry(&loaded.program, name)?],
        None => loaded.program.entries(),
    };
    if entries.is_empty() {
        return Err(Failure::Message(format!("{}: the program has no entry points", path.display())));
    }
    let passes = pipeline::passes_from(&pipeline::PIPELINES[0], loaded.program.stage());
    let stages =
        stages(loaded.program.clone(), &passes, &options).map_err(|error| Failure::Bug(error.to_string()))?;
    let mut all_agree = true;
    for entry in &entries {
        all_agree &= verify_entry(path, &loaded, &stages, entry, arguments, &options)?;
    }
    Ok(all_agree)
}

fn verify_entry(
    path: &Path,
    loaded: &Loaded,
    stages: &Stages,
    entry: &Entry,
    arguments: &VerifyArguments,
    options: &Options,
) -> Result<bool, Failure> {
    let given = match arguments.input.as_slice() {
        [] => None,
        files => Some(files::read_arguments(files, &entry.takes)?),
    };
    let count = if given.is_some() || entry.takes.is_empty() { 1 } else { arguments.random };
    let (mut agreed, mut asserted, mut skipped) = (0, 0, 0);
    for k in 0..count {
        let inputs: Vec<Value> = match &given {
            Some(inputs) => inputs.clone(),
            None => random_inputs(&loaded.program, &entry.name, arguments.seed.wrapping_add(k)),
        };
        match agree(stages, &entry.name, &inputs, options) {
            Agreement::Agreed(_) => agreed += 1,
            Agreement::AllFailed(_) => asserted += 1,
            Agreement::Skipped(_) => skipped += 1,
            Agreement::Disagreed(found) => {
                let smallest = shrink(stages, *found, options);
                print_disagreement(path, loaded, &smallest);
                return Ok(false);
            }
        }
    }
    let mut line = format!("{}: {}: {agreed} of {count} inputs agree", path.display(), entry.name);
    if asserted > 0 {
        line += &format!(", {asserted} stop at the same assertion everywhere");
    }
    if skipped > 0 {
        line += &format!(", {skipped} skipped (too long for the interpreter, or refused)");
    }
    println!("{line}");
    Ok(true)
}

/// The disagreement on the smallest inputs found that show one.
fn shrink(stages: &Stages, found: Disagreement, options: &Options) -> Disagreement {
    let mut best = found.clone();
    shrink_inputs(found.inputs, SHRINK_BUDGET, &mut |inputs| match agree(
        stages,
        &found.entry,
        inputs,
        options,
    ) {
        Agreement::Disagreed(smaller) => {
            best = *smaller;
            true
        }
        Agreement::Agreed(_) | Agreement::AllFailed(_) | Agreement::Skipped(_) => false,
    });
    best
}

fn print_disagreement(path: &Path, loaded: &Loaded, disagreement: &Disagreement) {
    println!("{}: {disagreement}", path.display());
    if let fun_verify::Difference::Outcome { error: Some(error), .. } = &disagreement.difference {
        println!("{}", report::run_error_text(&loaded.sources, error));
    }
    println!("inputs:");
    for value in &disagreement.inputs {
        println!("  {value}");
    }
}
