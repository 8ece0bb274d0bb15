//! The laws on generated programs of every language: text round trips and the checker accepts after every pass (1, 2), all
//! semantics agree (3, 4), and compiling twice gives the same (7). That nothing panics (8) shows on the way.
//!
//! `FUN_PROGRAMS=20000` draws that many programs instead of 2,000, `FUN_SEED=n` starts at seed n, `FUN_SIZE=n` sets their size.

use fun::r#gen::{Form, generate};
use fun_passes::pipeline::{PIPELINES, passes_from, run_passes};
use fun_passes::program::Program;
use fun_passes::registry;
use fun_verify::fuzz::{Budget, DEFAULT_SIZE, Plan};
use std::sync::atomic::{AtomicU64, Ordering};

/// A variable of the environment, as a number.
fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} must be a number, not `{text}`")),
        Err(_) => default,
    }
}

#[test]
fn generated_programs_keep_the_laws() {
    let (count, first) = (setting("FUN_PROGRAMS", 2000), setting("FUN_SEED", 0));
    let plan = Plan { size: setting("FUN_SIZE", DEFAULT_SIZE as u64) as usize, ..Plan::default() };
    let next = AtomicU64::new(0);
    let worker = || -> Result<(), String> {
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            if k >= count {
                return Ok(());
            }
            if count > 10_000 && k.is_multiple_of(5000) {
                eprintln!("{k} of {count} programs");
            }
            let seed = first + k;
            let generated = plan.generate(seed);
            if let Err(finding) = plan.check(seed, &generated) {
                let (smallest, finding) = plan.shrink(seed, generated, finding, Budget::default());
                let case = smallest.case_text(&finding.message);
                return Err(format!("seed {seed} breaks a law:\n{case}\n{}", finding.broken));
            }
        }
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let spawn = || {
            std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, worker).expect("a thread")
        };
        let threads: Vec<_> = (0..2).map(|_| spawn()).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic: law 8")).collect()
    });
    for result in results {
        if let Err(message) = result {
            panic!("{message}");
        }
    }
}

#[test]
fn machine_code_is_deterministic() {
    for seed in 0..20 {
        let program = Program::Fun(generate(seed, 15, Form::Soac).program);
        let text = || {
            let passes = passes_from(&PIPELINES[0], program.stage());
            let last = run_passes(program.clone(), &passes, false, &mut Vec::new(), &mut |_, _| {});
            match last.unwrap_or_else(|error| panic!("{error}")) {
                Program::Imp(imp) => fun_cranelift::asm_text(&imp).unwrap_or_else(|error| panic!("{error}")),
                Program::Fun(_) | Program::FunMem(_) => panic!("the pipeline ends in IMP"),
            }
        };
        assert_eq!(text(), text(), "seed {seed}");
    }
}

#[test]
fn every_pass_is_in_a_pipeline() {
    for pass in registry::PASSES {
        assert!(PIPELINES.iter().any(|pipeline| pipeline.passes.contains(&pass.name)), "{}", pass.name);
    }
}
