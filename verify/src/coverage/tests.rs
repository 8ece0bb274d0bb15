//! Generated programs of each language have every construct.

use super::*;
use crate::generated::{Language, generate};

/// The size of programs that the issue and the book mean by default.
const SIZE: usize = 15;

fn generated(stage: Stage, seed: u64) -> Program {
    let language = match stage {
        Stage::Fun => Language::Fun,
        Stage::FunMem => Language::FunMem,
        Stage::Imp => Language::Imp,
    };
    generate(language, seed, SIZE).program
}

/// `FUN_COVERAGE=100000 cargo test --release -p fun-verify coverage -- --nocapture` prints the table of so many programs.
fn coverage(stage: Stage) -> Coverage {
    let asked = std::env::var("FUN_COVERAGE").ok().and_then(|text| text.parse().ok());
    let mut coverage = Coverage::new(stage);
    for seed in 0..asked.unwrap_or(2_000) {
        coverage.add(&generated(stage, seed));
    }
    if asked.is_some() {
        eprintln!("{} programs of {}\n{coverage}", coverage.programs(), stage.name());
    }
    coverage
}

/// What is found is in the table, and what is in the table is found in one program of 200 at least.
fn measure(stage: Stage) {
    let table: Constructs = groups(stage).iter().flat_map(|group| group.names).copied().collect();
    let count: usize = groups(stage).iter().map(|group| group.names.len()).sum();
    assert_eq!(table.len(), count, "a name stands twice");
    let coverage = coverage(stage);
    for name in coverage.counts.keys() {
        assert!(table.contains(name), "{name} is not in the table");
    }
    let rare = coverage.below(0.5);
    assert!(rare.is_empty(), "these are too rare, in percent of programs: {rare:?}");
}

#[test]
fn programs_of_fun_have_every_construct() {
    measure(Stage::Fun);
}

#[test]
fn programs_of_funmem_have_every_construct() {
    measure(Stage::FunMem);
}

#[test]
fn programs_of_imp_have_every_construct() {
    measure(Stage::Imp);
}
