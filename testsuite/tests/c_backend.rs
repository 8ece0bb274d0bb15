//! Programs compiled by way of C give what the JIT gives: generated programs of all languages through their pipelines, many in one
//! file, with the C compiler's warnings as errors. Without a C compiler the test says so and passes.
//!
//! `FUN_C_PROGRAMS=2000` draws that many programs instead of 200, `FUN_SEED=n` starts at seed n. Libraries of such programs are called from
//! C, with AddressSanitizer watching both; `FUN_LIBRARY_PROGRAMS=200` draws that many instead of 20, of which those with blocks on a
//! device are left out. The case files are in `cases.rs`.

#![allow(clippy::print_stderr, reason = "says when there is no C compiler")]

#[path = "c_backend/caller.rs"]
mod caller;
#[path = "c_backend/cases.rs"]
mod cases;

use fun_base::name::Symbol;
use fun_base::value::Value;
use fun_c::{Compiler, RunControl};
use fun_passes::imp::result_sizes::with_result_sizes;
use fun_passes::imp::shared_results::share_results;
use fun_passes::pipeline::run_passes;
use fun_passes::program::Program;
use fun_verify::fuzz::Plan;
use imp::ir::{Space, StatementKind};
use imp::visit::{for_each_statement, rename_procedures};
use std::collections::BTreeMap;

/// Programs in one file.
const BATCH: u64 = 50;

fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} must be a number, not `{text}`")),
        Err(_) => default,
    }
}

/// A program in IMP, and what to run it on.
struct Case {
    seed: u64,
    program: imp::ir::Program,
    inputs: Vec<Value>,
}

fn case(plan: &Plan, seed: u64) -> Case {
    let generated = plan.generate(seed);
    let passes = plan.passes(seed, &generated);
    let last = run_passes(generated.program, &passes, false, &mut Vec::new(), &mut |_, _| {});
    match last.unwrap_or_else(|error| panic!("seed {seed}: {error}")) {
        Program::Imp(program) => Case { seed, program, inputs: generated.inputs },
        Program::Fun(_) | Program::FunMem(_) => panic!("seed {seed}: the pipeline ends in IMP"),
    }
}

/// Whether a program has blocks on a device, whose driver leaks.
fn on_device(program: &imp::ir::Program) -> bool {
    let mut found = false;
    for procedure in &program.procedures {
        for_each_statement(&procedure.body, &mut |statement| {
            found |= matches!(&statement.kind, StatementKind::Alloc { space: Space::Device, .. });
        });
    }
    found
}

/// The procedures of all programs in one, with numbers before their names.
fn together<'p>(programs: impl Iterator<Item = (u64, &'p imp::ir::Program)>) -> imp::ir::Program {
    let mut procedures = Vec::new();
    for (number, program) in programs {
        let mut program = program.clone();
        rename_procedures(&mut program, &|procedure| Symbol::new(&format!("p{number}_{procedure}")));
        procedures.extend(program.procedures);
    }
    imp::ir::Program { procedures }
}

fn numbered(cases: &[Case]) -> impl Iterator<Item = (u64, &imp::ir::Program)> {
    cases.iter().map(|case| (case.seed, &case.program))
}

#[test]
fn programs_give_by_way_of_c_what_the_jit_gives() {
    let options = fun_c::Options { level: 1, strict: true };
    let compiler = match Compiler::find(options) {
        Ok(compiler) => compiler.with_cache(None),
        Err(error) => {
            eprintln!("skipped: {error}");
            return;
        }
    };
    let (plan, first, count) = (Plan::default(), setting("FUN_SEED", 0), setting("FUN_C_PROGRAMS", 200));
    let (mut values, mut errors) = (0, 0);
    for start in (first..first + count).step_by(BATCH as usize) {
        let cases: Vec<Case> =
            (start..(first + count).min(start + BATCH)).map(|seed| case(&plan, seed)).collect();
        let by_c = fun_c::compile(&together(numbered(&cases)), &compiler);
        let by_c = by_c.unwrap_or_else(|error| panic!("programs from seed {start}: {error}"));
        for Case { seed, program, inputs } in &cases {
            let jit = fun_cranelift::compile(program, fun_cranelift::Options::default());
            let jit = jit.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            let control = RunControl::new();
            let wanted = jit.run("main", inputs, &control).map_err(|error| error.to_string());
            let found = by_c.run(&format!("p{seed}_main"), inputs, &control);
            let found = found.map_err(|error| error.to_string().replace(&format!("p{seed}_"), ""));
            let same = match (&wanted, &found) {
                (Ok(wanted), Ok(found)) => {
                    values += 1;
                    wanted.len() == found.len() && wanted.iter().zip(found).all(|(x, y)| x.same(y))
                }
                (Err(wanted), Err(found)) => {
                    errors += 1;
                    wanted == found
                }
                _ => false,
            };
            assert!(same, "seed {seed}: the JIT gives {wanted:?}, C {found:?}");
        }
    }
    assert!(values > errors, "{values} programs give values, {errors} stop");
}

#[test]
fn libraries_give_what_the_jit_gives_and_leak_nothing() {
    let (plan, first, count) = (Plan::default(), setting("FUN_SEED", 0), setting("FUN_LIBRARY_PROGRAMS", 20));
    let (mut values, mut errors) = (0, 0);
    for start in (first..first + count).step_by(BATCH as usize) {
        let seeds = start..(first + count).min(start + BATCH);
        let cases = seeds.map(|seed| case(&plan, seed)).filter(|case| !on_device(&case.program));
        let cases: Vec<Case> = cases.collect();
        let (together, sizes) =
            with_result_sizes(&share_results(together(numbered(&cases))), &BTreeMap::new());
        let from = format!("programs from seed {start}");
        let library =
            fun_c::library::library(&together, &[], &BTreeMap::new(), &sizes, fun_c::Dialect::OpenCl)
                .expect(&from);
        let source = library.c_text(&together, fun_c::Dialect::OpenCl, &|_, _| None).expect(&from);
        let object = fun_cranelift::object(&together, &library.tables(), library.wrappers(), &|name| name);
        let object = object.expect(&from);
        let mut caller = caller::Caller::default();
        for Case { seed, program, inputs } in &cases {
            let jit = fun_cranelift::compile(program, fun_cranelift::Options::default());
            let jit = jit.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            let wanted = jit.run("main", inputs, &RunControl::new());
            *(if wanted.is_ok() { &mut values } else { &mut errors }) += 1;
            caller.call(*seed, inputs, wanted.ok().as_deref());
        }
        let by_c = [("library.c", source.as_bytes())];
        let by_machine_code = [("program.o", &object[..]), ("runtime.o", fun_c::library::RUNTIME)];
        for files in [&by_c[..], &by_machine_code] {
            if let Err(message) = caller.run(&library, files) {
                if message.starts_with("skipped: ") {
                    eprintln!("{message}");
                    return;
                }
                panic!("programs from seed {start}, {}: {message}", files[0].0);
            }
        }
    }
    assert!(values > errors, "{values} programs give values, {errors} stop");
}
