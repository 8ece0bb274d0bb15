//! Looking for a mutant: programs until one shows the bug, then a small one that does.

use super::Mutant;
use crate::fuzz::{Budget, Plan};
use crate::generated::Generated;
use crate::laws::{Finding, Kind};
use fun_passes::pipeline::{PIPELINES, passes_from};
use fun_passes::program::{Program, Stage};
use fun_passes::registry::Pass;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// A mutant that was found.
#[derive(Debug)]
pub struct Found {
    /// Which.
    pub mutant: &'static Mutant,
    /// The seed of the program that showed it.
    pub seed: u64,
    /// How many programs were drawn.
    pub programs: u64,
    /// The smallest program that shows it.
    pub smallest: Generated,
    /// What is wrong with that.
    pub finding: Finding,
    /// Time until it was found.
    pub searched: Duration,
    /// Time spent on making it small.
    pub shrunk: Duration,
}

/// The plan that puts a mutant into the default pipeline.
pub fn plan(mutant: &'static Mutant) -> Plan {
    let passes = Some(mutant.splice(&passes_from(&PIPELINES[0], Stage::Fun)));
    let mut plan = Plan { passes, ..Plan::default() };
    // The text and the second run are no concern of a mutant.
    (plan.laws.text, plan.laws.repeat) = (false, false);
    plan
}

/// Draws programs from a seed on, at most so many, until one shows the bug; then shrinks it.
pub fn hunt(mutant: &'static Mutant, first: u64, most: u64, budget: Budget) -> Option<Found> {
    let (plan, start) = (plan(mutant), Instant::now());
    for seed in first..first + most {
        let generated = plan.generate(seed);
        if !is_changed(mutant, &plan.passes(seed, &generated), &generated.program) {
            continue;
        }
        let Err(finding) = plan.check(seed, &generated) else { continue };
        // What is wrong before any pass is not the mutant's doing.
        if finding.after.is_none() && finding.kind != Kind::Panic {
            continue;
        }
        let searched = start.elapsed();
        let (smallest, finding) = plan.shrink(seed, generated, finding, budget);
        let shrunk = start.elapsed() - searched;
        return Some(Found { mutant, seed, programs: seed - first + 1, smallest, finding, searched, shrunk });
    }
    None
}

/// Whether the mutant does anything to the program: if not, there is nothing to find. A panic is something.
fn is_changed(mutant: &Mutant, passes: &[&'static Pass], program: &Program) -> bool {
    let changed = || {
        let mut program = program.clone();
        for pass in passes {
            let before = std::ptr::eq(*pass, &mutant.pass).then(|| program.clone());
            let Ok(after) = pass.run(program) else { return true };
            if let Some(before) = before {
                return after != before;
            }
            program = after;
        }
        false
    };
    catch_unwind(AssertUnwindSafe(changed)).unwrap_or(true)
}

/// The number of statements of a program, nested ones included.
pub fn statements(program: &Program) -> usize {
    fn count<R: fun::ir::Rep>(body: &fun::ir::Body<R>) -> usize {
        let mut all = body.statements.len();
        for statement in &body.statements {
            fun::visit::for_each_body(&statement.exp, &mut |inner| all += count(inner));
        }
        all
    }
    match program {
        Program::Fun(program) => program.functions.iter().map(|function| count(&function.body)).sum(),
        Program::FunMem(program) => program.functions.iter().map(|function| count(&function.body)).sum(),
        Program::Imp(program) => {
            let mut all = 0;
            for procedure in &program.procedures {
                imp::visit::for_each_statement(&procedure.body, &mut |_| all += 1);
            }
            all
        }
    }
}

/// The median of some numbers; the lower of two.
fn median(mut numbers: Vec<usize>) -> usize {
    numbers.sort_unstable();
    numbers.get(numbers.len().saturating_sub(1) / 2).copied().unwrap_or(0)
}

/// The table of the book: each mutant with the programs until it was found, who found it, and the size of the smallest program.
pub fn table(results: &[(&'static Mutant, Option<Found>)]) -> String {
    let mut text = String::from(
        "| mutant | the bug | behind | programs | found by | statements |\n|---|---|---|--:|---|--:|\n",
    );
    let mut sizes = Vec::new();
    let mut programs = Vec::new();
    for (mutant, found) in results {
        let behind = mutant.after.map_or_else(|| "(first)".to_owned(), |after| format!("`{after}`"));
        let about = mutant.about.replace('|', "\\|");
        let _ = write!(text, "| `{}` | {about} | {behind} | ", mutant.name);
        let _ = match found {
            Some(found) => {
                let size = statements(&found.smallest.program);
                sizes.push(size);
                programs.push(usize::try_from(found.programs).unwrap_or(usize::MAX));
                writeln!(text, "{} | {}: {} | {size} |", found.programs, found.finding.by, found.finding.kind)
            }
            None => writeln!(text, "not found | | |"),
        };
    }
    let (found, all) = (sizes.len(), results.len());
    let most = programs.iter().max().copied().unwrap_or(0);
    let _ = writeln!(
        text,
        "\n{found} of {all} found. Programs until found: median {}, most {most}. Statements of the smallest programs: median {}, most {}.",
        median(programs),
        median(sizes.clone()),
        sizes.iter().max().copied().unwrap_or(0),
    );
    text
}
