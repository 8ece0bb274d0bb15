//! `fun fuzz --mutant`: how many programs it takes to find seeded bugs of the compiler.

use crate::arguments::FuzzArguments;
use crate::compile::Failure;
use fun_verify::fuzz::Budget;
use fun_verify::mutants::hunt::{Found, hunt, statements, table};
use fun_verify::mutants::{MUTANTS, Mutant, find};
use std::path::Path;

/// Programs that must be enough to find one.
const MOST: u64 = 20_000;

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
    let most = arguments.programs.unwrap_or(MOST);
    let seeds = arguments.seed..arguments.seed.saturating_add(most);
    let tell = |mutant: &'static Mutant, found: Option<&Found>| {
        if arguments.table {
            // the table comes last and alone on standard output
            eprintln!("{}", line(mutant, found, most));
            return;
        }
        println!("{}", line(mutant, found, most));
        if let (1, Some(found)) = (mutants.len(), found) {
            println!("{}", found.smallest.case_text(&found.finding.message));
        }
    };
    let results = hunt(&mutants, seeds, jobs as usize, Budget::default(), &tell);
    let _ = std::panic::take_hook();
    if arguments.table {
        println!("{}", table(&results));
    }
    if let Some(folder) = &arguments.corpus {
        results.iter().filter_map(|(_, found)| found.as_ref()).try_for_each(|found| keep(folder, found))?;
    }
    Ok(results.iter().all(|(_, found)| found.is_some()))
}

/// What is said of one mutant.
fn line(mutant: &Mutant, found: Option<&Found>, most: u64) -> String {
    let Some(found) = found else { return format!("{}: not found in {most} programs", mutant.name) };
    format!(
        "{}: found by program {} ({}, {}), {} statements",
        mutant.name,
        found.programs,
        found.finding.by,
        found.finding.kind,
        statements(&found.smallest.program)
    )
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
