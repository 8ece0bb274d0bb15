//! The laws on generated programs: text round trips and the checker accepts after every pass (1, 2), all semantics agree (3, 4),
//! and compiling twice gives the same (7). That nothing panics (8) shows on the way.
//!
//! `FUN_PROGRAMS=20000` draws that many programs instead of 500, `FUN_SEED=n` starts at seed n, `FUN_SIZE=n` sets their size.

use fun::r#gen::{Form, GenProgram, generate};
use fun_base::run::Limits;
use fun_passes::pipeline::{PIPELINES, passes_from, run_passes};
use fun_passes::program::Program;
use fun_passes::registry;
use fun_testsuite::command::laws;
use fun_verify::{Agreement, Options, agree, stages};
use quickcheck::Arbitrary;
use std::sync::atomic::{AtomicU64, Ordering};

/// A variable of the environment, as a number.
fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} must be a number, not `{text}`")),
        Err(_) => default,
    }
}

fn options() -> Options {
    let limits = Limits { steps: 20_000_000, ..Limits::default() };
    Options { limits, tolerance: 0.0, jit: true }
}

/// Whether one pipeline keeps the laws on a program; the error says which law it breaks.
fn check(generated: &GenProgram) -> Result<(), String> {
    let program = Program::Fun(generated.program.clone());
    laws(&program)?;
    for pipeline in PIPELINES {
        let passes = passes_from(pipeline, program.stage());
        let mut broken = Ok(());
        let observed = run_passes(program.clone(), &passes, true, &mut Vec::new(), &mut |pass, program| {
            let law = laws(program).map_err(|message| format!("after pass `{}`: {message}", pass.name));
            broken = std::mem::replace(&mut broken, Ok(())).and(law);
        });
        let last = observed.map_err(|error| error.to_string())?;
        broken?;
        let again = run_passes(program.clone(), &passes, false, &mut Vec::new(), &mut |_, _| {});
        if again.map_err(|error| error.to_string())?.print() != last.print() {
            return Err(format!("pipeline `{}` gives another program the second time", pipeline.name));
        }
        let stages = stages(program.clone(), &passes, &options())?;
        if let Agreement::Disagreed(found) = agree(&stages, "main", &generated.inputs, &options()) {
            return Err(format!("pipeline `{}`: {found}\n{}", pipeline.name, found.program.print()));
        }
    }
    Ok(())
}

/// The smallest program found that breaks a law, with the message.
fn shrink(mut generated: GenProgram, mut message: String) -> (GenProgram, String) {
    let mut budget = 2_000;
    'again: loop {
        for candidate in generated.shrink() {
            budget -= 1;
            if budget == 0 {
                return (generated, message);
            }
            if let Err(error) = check(&candidate) {
                (generated, message) = (candidate, error);
                continue 'again;
            }
        }
        return (generated, message);
    }
}

/// A failure as a case file.
fn case_text(generated: &GenProgram, message: &str) -> String {
    let inputs: Vec<String> = generated.inputs.iter().map(ToString::to_string).collect();
    let program = Program::Fun(generated.program.clone()).print();
    format!("// case: run main ( {} )\n{program}// ---\n{message}", inputs.join(" "))
}

#[test]
fn generated_programs_keep_the_laws() {
    let (count, first) = (setting("FUN_PROGRAMS", 500), setting("FUN_SEED", 0));
    let size = setting("FUN_SIZE", 15) as usize;
    let next = AtomicU64::new(0);
    let worker = || -> Result<(), String> {
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            if k >= count {
                return Ok(());
            }
            if count > 1000 && k.is_multiple_of(1000) {
                eprintln!("{k} of {count} programs");
            }
            let form = if k.is_multiple_of(4) { Form::Kernel } else { Form::Soac };
            let generated = generate(first + k, size, form);
            if let Err(message) = check(&generated) {
                let seed = first + k;
                let (smallest, message) = shrink(generated, message);
                return Err(format!("seed {seed} breaks a law:\n{}", case_text(&smallest, &message)));
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
