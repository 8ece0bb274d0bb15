//! Programs in the source language mean what they were written to mean.
//!
//! `FUN_PROGRAMS=20000` draws that many programs, `FUN_SEED=n` starts at seed n, `FUN_SIZE=n` sets their size.

use fun_base::source::Source;
use fun_verify::source::coverage::{ALL, constructs};
use fun_verify::source::mutate::{judge, mutate};
use fun_verify::source::{GenSource, generate};
use std::collections::BTreeMap;

/// A variable of the environment, as a number.
fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} must be a number, not `{text}`")),
        Err(_) => default,
    }
}

/// The smallest program found that fails, with the message.
fn shrink(mut generated: GenSource, mut message: String) -> (GenSource, String) {
    let mut budget = 3_000;
    'again: loop {
        for candidate in generated.shrink() {
            budget -= 1;
            if budget == 0 {
                return (generated, message);
            }
            if let Err(error) = candidate.check() {
                (generated, message) = (candidate, error);
                continue 'again;
            }
        }
        return (generated, message);
    }
}

fn on_a_large_stack(body: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, body);
        thread.expect("a thread").join().expect("no panic: law 8");
    });
}

#[test]
fn source_programs_mean_what_they_were_written_to_mean() {
    let (count, first) = (setting("FUN_PROGRAMS", 150), setting("FUN_SEED", 0));
    let size = setting("FUN_SIZE", 15) as usize;
    on_a_large_stack(|| {
        for seed in first..first + count {
            let generated = generate(seed, size);
            if let Err(message) = generated.check() {
                let (smallest, message) = shrink(generated, message);
                panic!(
                    "seed {seed}: {message}\n{}\nwritten for\n{}",
                    smallest.text, smallest.reference.program
                );
            }
        }
    });
}

#[test]
fn no_construct_is_rare() {
    let count = setting("FUN_PROGRAMS", 500);
    let mut found: BTreeMap<&str, u64> = ALL.iter().map(|name| (*name, 0)).collect();
    on_a_large_stack(|| {
        for seed in 0..count {
            let text = generate(seed, 15).text;
            assert_eq!(text, generate(seed, 15).text, "the text depends on more than the seed");
            for name in constructs(&Source { name: "generated.fut".into(), text: text.as_str().into() }) {
                *found.get_mut(name).unwrap_or_else(|| panic!("{name} is not in the table")) += 1;
            }
        }
    });
    let rare: Vec<_> = found.into_iter().filter(|(_, times)| times * 200 < count).collect();
    assert!(rare.is_empty(), "in fewer than 0.5 % of {count} programs: {rare:?}");
}

#[test]
fn broken_programs_are_refused_with_a_place() {
    on_a_large_stack(|| {
        for seed in 0..setting("FUN_PROGRAMS", 300) {
            let text = mutate(&generate(seed / 4, 8).text, seed);
            if let Err(message) = judge(&text) {
                panic!("seed {seed}: {message}\n{text}");
            }
        }
    });
}
