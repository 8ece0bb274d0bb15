//! Seeded bugs are found. CI looks for a few; `FUN_MUTANTS=all cargo test --release -p fun-verify --test mutants -- --nocapture` looks
//! for all and prints the table of the book; `FUN_MUTANTS=name,name` for some. `FUN_PROGRAMS=n` draws at most so many programs for
//! each, `FUN_SHRINK=n` spends at most so many seconds on making one small.

#![allow(clippy::print_stderr, reason = "a long search tells how it goes")]

use fun_passes::registry;
use fun_verify::fuzz::Budget;
use fun_verify::mutants::hunt::{Found, hunt, statements, table};
use fun_verify::mutants::{MUTANTS, Mutant, find};
use std::collections::BTreeSet;
use std::time::Duration;

/// Found by the checker, by values, by the heap semantics, by the interpreter of IMP: each soon.
const FEW: [&str; 5] = [
    "comparison-by-difference",
    "fresh-arrays-shared",
    "expansion-one-based",
    "scan-exclusive",
    "freed-before-views",
];

/// Those of kernels, each with the seed from which on it is looked for: on the way there from the first one nothing shows it, which would take
/// minutes to find out. A barrier, a stride, a guard and the state of blocks that look back at those before them.
const OF_KERNELS: [(&str, u64); 4] = [
    ("barrier-missing", 1180),
    ("expansion-not-strided", 100),
    ("tail-not-guarded", 0),
    ("words-not-zero", 0),
];

/// So many programs must be enough.
const MOST: u64 = 20_000;

#[test]
fn names_are_unique_and_passes_exist() {
    let names: BTreeSet<&str> = MUTANTS.iter().map(|mutant| mutant.name).collect();
    assert_eq!(names.len(), MUTANTS.len());
    assert!(MUTANTS.len() >= 60);
    for mutant in MUTANTS {
        assert_eq!(mutant.name, mutant.pass.name);
        assert!(registry::find(mutant.name).is_none(), "{} is a pass of the compiler", mutant.name);
        let after = mutant.after.map(|name| registry::find(name).expect("a pass of the compiler"));
        assert!(after.is_none_or(|pass| pass.to == mutant.pass.from), "{}", mutant.name);
    }
}

/// A variable of the environment, as a number.
fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} must be a number, not `{text}`")),
        Err(_) => default,
    }
}

fn tell(mutant: &'static Mutant, found: Option<&Found>) {
    match found {
        Some(found) => eprintln!(
            "// {}: program {}, shrunk in {:.1?} to {} statements; {}: {}\n{}",
            mutant.name,
            found.programs,
            found.shrunk,
            statements(&found.smallest.program),
            found.finding.by,
            found.finding.kind,
            found.smallest.case_text(&found.finding.message)
        ),
        None => eprintln!("// {}: not found", mutant.name),
    }
}

#[test]
fn mutants_are_found() {
    let wanted = std::env::var("FUN_MUTANTS").ok();
    let mutants: Vec<&'static Mutant> = match wanted.as_deref() {
        None => FEW.iter().map(|name| find(name).expect("a mutant")).collect(),
        Some("all") => MUTANTS.iter().collect(),
        Some(names) => names.split(',').map(|name| find(name).expect("a mutant")).collect(),
    };
    let budget = match &wanted {
        None => Budget { candidates: 0, time: Duration::ZERO },
        Some(_) => Budget { candidates: 20_000, time: Duration::from_secs(setting("FUN_SHRINK", 10)) },
    };
    let most = setting("FUN_PROGRAMS", MOST);
    let mut results = hunt(&mutants, 0..most, 2, budget, &tell);
    for (name, first) in OF_KERNELS.into_iter().filter(|_| wanted.is_none()) {
        results.extend(hunt(&[find(name).expect("a mutant")], first..first + most, 2, budget, &tell));
    }
    eprintln!("{}", table(&results));
    let missed: Vec<&str> =
        results.iter().filter(|(_, found)| found.is_none()).map(|(mutant, _)| mutant.name).collect();
    assert!(missed.is_empty(), "not found in {MOST} programs: {}", missed.join(", "));
}
