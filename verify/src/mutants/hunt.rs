//! Looking for a mutant: programs until one shows the bug, then a small one that does.

use super::Mutant;
use crate::compare::{Agreement, Options, agree, stages};
use crate::fuzz::{Budget, Plan};
use crate::generated::{ENTRY, Generated};
use crate::laws::{Finding, Kind};
use fun_base::value::Value;
use fun_passes::pipeline::{PIPELINES, Pipeline, passes_from, run_passes};
use fun_passes::program::{Program, Stage};
use fun_passes::registry::Pass;
use std::fmt::Write as _;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
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
    /// Time spent on making it small.
    pub shrunk: Duration,
}

/// The stack of a thread: programs nest deep.
const STACK: usize = 256 << 20;

/// The first pipeline that has the pass behind which a mutant stands.
fn pipeline(mutant: &Mutant) -> &'static Pipeline {
    let has = |pipeline: &&Pipeline| mutant.after.is_none_or(|after| pipeline.passes.contains(&after));
    PIPELINES.iter().find(has).unwrap_or(&PIPELINES[0])
}

/// The plan that puts a mutant into a pipeline.
pub fn plan(mutant: &'static Mutant) -> Plan {
    let passes = Some(mutant.splice(&passes_from(pipeline(mutant), Stage::Fun)));
    let mut plan = Plan { passes, ..Plan::default() };
    // The text and the second run are no concern of a mutant, and machine code is made from the IMP that the interpreter runs.
    (plan.laws.text, plan.laws.repeat, plan.laws.compare.jit) = (false, false, false);
    plan
}

/// What was found first, by the number of the mutant.
type First = Mutex<Vec<Option<(u64, Generated, Finding)>>>;

/// Draws programs from a seed on, at most so many, until each of the mutants has been shown by one; then shrinks those. All
/// mutants are looked for at once, on as many threads as asked for; what is found does not depend on their number. `tell` hears of
/// each mutant when it is done with.
pub fn hunt(
    mutants: &[&'static Mutant],
    seeds: Range<u64>,
    threads: usize,
    budget: Budget,
    tell: &(dyn Fn(&'static Mutant, Option<&Found>) + Sync),
) -> Vec<(&'static Mutant, Option<Found>)> {
    let plans: Vec<Plan> = mutants.iter().map(|mutant| plan(mutant)).collect();
    let first: First = Mutex::new(vec![None; mutants.len()]);
    let next = AtomicU64::new(seeds.start);
    on_threads(threads, &|| {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            let wanted: Vec<usize> = {
                let first = locked(&first);
                let open = |k: &usize| first[*k].as_ref().is_none_or(|(found, _, _)| seed < *found);
                (0..mutants.len()).filter(open).collect()
            };
            if seed >= seeds.end || wanted.is_empty() {
                return;
            }
            try_seed(mutants, &plans, seed, &wanted, &first);
        }
    });
    let first = first.into_inner().unwrap_or_else(PoisonError::into_inner);
    let results: Mutex<Vec<Option<Found>>> = Mutex::new(mutants.iter().map(|_| None).collect());
    let next = AtomicUsize::new(0);
    on_threads(threads, &|| {
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            let Some((mutant, found)) = mutants.get(k).zip(first.get(k)) else { return };
            let found = found.clone().map(|(seed, generated, finding)| {
                let start = Instant::now();
                let (smallest, finding) = plans[k].shrink(seed, generated, finding, budget);
                let programs = seed - seeds.start + 1;
                Found { mutant, seed, programs, smallest, finding, shrunk: start.elapsed() }
            });
            tell(mutant, found.as_ref());
            locked(&results)[k] = found;
        }
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    mutants.iter().copied().zip(results).collect()
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs the same on some threads with a large stack.
fn on_threads(threads: usize, work: &(dyn Fn() + Sync)) {
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            if thread.is_err() {
                // No further thread is to be had: those that run do it all, or this one.
                work();
            }
        }
    });
}

/// Checks the program of a seed with each mutant that changes it.
fn try_seed(mutants: &[&'static Mutant], plans: &[Plan], seed: u64, wanted: &[usize], first: &First) {
    let generated = Plan::default().generate(seed);
    for used in PIPELINES {
        let wanted: Vec<usize> =
            wanted.iter().copied().filter(|k| pipeline(mutants[*k]).name == used.name).collect();
        if !wanted.is_empty() {
            try_pipeline(used, mutants, plans, (seed, &generated), &wanted, first);
        }
    }
}

/// The same with those mutants that belong to a pipeline.
fn try_pipeline(
    used: &Pipeline,
    mutants: &[&'static Mutant],
    plans: &[Plan],
    (seed, generated): (u64, &Generated),
    wanted: &[usize],
    first: &First,
) {
    let Ok(program) = generated.lowered() else { return };
    let passes = passes_from(used, program.stage());
    let places: Vec<(usize, usize)> =
        wanted.iter().filter_map(|k| Some((*k, mutants[*k].place(&passes)?))).collect();
    let Some(last) = places.iter().map(|(_, place)| *place).max() else { return };
    let mut programs = vec![program.clone()];
    let mut times = Vec::new();
    let run = run_passes(program, &passes[..last], false, &mut times, &mut |_, program| {
        programs.push(program.clone());
    });
    if run.is_err() {
        return;
    }
    for (k, place) in places {
        if !is_changed(mutants[k], &programs[place]) {
            continue;
        }
        // What comes before the mutant is right, so it is enough to look from there on.
        let rest: Vec<&'static Pass> =
            std::iter::once(&mutants[k].pass).chain(passes[place..].iter().copied()).collect();
        if !shows(&programs[place], &generated.inputs, &rest, &plans[k].compare(seed)) {
            continue;
        }
        let Err(finding) = plans[k].check(seed, generated) else { continue };
        // What is wrong before any pass is not the mutant's doing.
        if finding.after.is_none() && finding.kind != Kind::Panic {
            continue;
        }
        let slot = &mut locked(first)[k];
        if slot.as_ref().is_none_or(|(found, _, _)| seed < *found) {
            *slot = Some((seed, generated.clone(), finding));
        }
    }
}

/// Whether the passes break anything in a program.
fn shows(program: &Program, inputs: &[Value], passes: &[&'static Pass], options: &Options) -> bool {
    let broken = || match stages(program.clone(), passes, options) {
        Ok(stages) => matches!(agree(&stages, ENTRY, inputs, options), Agreement::Disagreed(_)),
        Err(_) => true,
    };
    catch_unwind(AssertUnwindSafe(broken)).unwrap_or(true)
}

/// Whether the mutant does anything to the program: if not, there is nothing to find. A panic is something.
fn is_changed(mutant: &Mutant, program: &Program) -> bool {
    let changed = || mutant.pass.run(program.clone()).is_ok_and(|after| after != *program);
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
