//! `fun fuzz --mutant`: how many programs it takes to find seeded bugs of the compiler.

use crate::arguments::FuzzArguments;
use crate::compile::Failure;
use fun_verify::fuzz::Budget;
use fun_verify::mutants::hunt::{Found, hunt, statements, table};
use fun_verify::mutants::{MUTANTS, Mutant, find};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Programs that must be enough to find one.
const MOST: u64 = 20_000;

/// The compiler's passes recurse, and so do generators.
const STACK_BYTES: usize = 256 << 20;

/// Looks for a mutant, or `all` of them; whether all are found. `list` names them.
pub(super) fn run(name: &str, arguments: &FuzzArguments, jobs: u32) -> Result<bool, Failure> {
    let mutants: Vec<&'static Mutant> = match name {
        "list" => {
            MUTANTS.iter().for_each(|mutant| println!("{:28} {}", mutant.name, mutant.about));
            return Ok(true);
        }
        "all" => MUTANTS.iter().collect(),
        name => {
            let unknown = || format!("there is no mutant `{name}`; `--mutant list` names them");
            vec![find(name).ok_or_else(unknown)?]
        }
    };
    // a panic of a mutant is a finding, which is told as one
    std::panic::set_hook(Box::new(|_| {}));
    let results = look_for(&mutants, arguments, jobs);
    let _ = std::panic::take_hook();
    let results = results?;
    if arguments.table {
        println!("{}", table(&results));
    }
    if let Some(folder) = &arguments.corpus {
        results.iter().filter_map(|(_, found)| found.as_ref()).try_for_each(|found| keep(folder, found))?;
    }
    Ok(results.iter().all(|(_, found)| found.is_some()))
}

type Results = Vec<(&'static Mutant, Option<Found>)>;

/// Looks for mutants on some threads; the results in their order.
fn look_for(mutants: &[&'static Mutant], arguments: &FuzzArguments, jobs: u32) -> Result<Results, Failure> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let most = arguments.programs.unwrap_or(MOST);
    let worker = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(mutant) = mutants.get(at) else { return };
            let found = hunt(mutant, arguments.seed, most, Budget::default());
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            if !arguments.table {
                print(mutant, found.as_ref(), most, mutants.len() == 1);
            }
            results.push((at, *mutant, found));
        }
    };
    let started: Result<(), std::io::Error> = std::thread::scope(|scope| {
        for _ in 0..jobs.min(u32::try_from(mutants.len()).unwrap_or(1)) {
            std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, worker)?;
        }
        Ok(())
    });
    started.map_err(|error| Failure::Message(format!("a thread can't be started: {error}")))?;
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(at, ..)| *at);
    Ok(results.into_iter().map(|(_, mutant, found)| (mutant, found)).collect())
}

fn print(mutant: &Mutant, found: Option<&Found>, most: u64, alone: bool) {
    match found {
        None => println!("{}: not found in {most} programs", mutant.name),
        Some(found) => {
            println!(
                "{}: found by program {} ({}, {}), {} statements",
                mutant.name,
                found.programs,
                found.finding.by,
                found.finding.kind,
                statements(&found.smallest.program)
            );
            if alone {
                println!("{}", found.smallest.case_text(&found.finding.message));
            }
        }
    }
}

/// Keeps the smallest program that shows a mutant.
fn keep(folder: &Path, found: &Found) -> Result<(), Failure> {
    let name = format!("{}.{}", found.mutant.name, found.smallest.language.name());
    let path = folder.join("mutants").join(name);
    let write = || {
        std::fs::create_dir_all(folder.join("mutants"))?;
        std::fs::write(&path, found.smallest.case_text(&found.finding.message))
    };
    write().map_err(|error| Failure::Message(format!("{}: {error}", path.display())))
}
