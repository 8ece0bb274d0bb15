//! Programs in the source language mean what they were written to mean.
//!
//! `FUN_PROGRAMS=20000` draws that many programs, `FUN_SEED=n` starts at seed n, `FUN_SIZE=n` sets their size.

use fun_verify::source::{GenSource, generate};

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
