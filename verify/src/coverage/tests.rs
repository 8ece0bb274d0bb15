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
    for seed in 0..asked.unwrap_or(1_000) {
        coverage.add(&generated(stage, seed));
    }
    if asked.is_some() {
        eprintln!("{} programs of {}\n{coverage}", coverage.programs(), stage.name());
    }
    coverage
}

#[test]
fn what_is_found_is_in_the_table() {
    for stage in Stage::ALL {
        let table: Constructs = groups(stage).iter().flat_map(|group| group.names).copied().collect();
        let count: usize = groups(stage).iter().map(|group| group.names.len()).sum();
        assert_eq!(table.len(), count, "a name stands twice for {}", stage.name());
        for name in coverage(stage).counts.keys() {
            assert!(table.contains(name), "{name} is not in the table of {}", stage.name());
        }
    }
}
