//! Law 2 and 3 for the passes on FUN: on generated programs every pass keeps the invariants and the values, and what it gives
//! comes back from its text.

use fun::check::{Phase, check_program, errors_to_string};
use fun::r#gen::{Form, GenProgram, generate};
use fun::ir::Program;
use fun_base::run::Limits;
use fun_base::source::Source;
use fun_base::value::Value;

type Pass = fn(Program) -> Program;

fn run(program: &Program, inputs: &[Value]) -> Result<Vec<Value>, String> {
    fun::interp::run(program, "main", inputs, Limits::default()).map_err(|error| error.to_string())
}

/// What is wrong with the pass on this program, if anything.
fn problem(pass: Pass, phase: Phase, generated: &GenProgram) -> Option<String> {
    let after = pass(generated.program.clone());
    if let Err(errors) = check_program(&after, phase) {
        return Some(format!("{}\n{after}", errors_to_string(&errors)));
    }
    let (expected, found) = (run(&generated.program, &generated.inputs), run(&after, &generated.inputs));
    let same = match (&expected, &found) {
        (Ok(a), Ok(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b)),
        (Err(a), Err(b)) => a == b,
        (Ok(_), Err(_)) | (Err(_), Ok(_)) => false,
    };
    if !same {
        return Some(format!("{expected:?} became {found:?}\n{after}"));
    }
    let source = Source { name: "after".into(), text: after.to_string().into() };
    (fun::text::parse_program(&source, 0).as_ref() != Ok(&after)).then(|| format!("another text\n{after}"))
}

/// Tests a pass on programs of both forms; `kernel` says whether it takes programs to the kernel phase.
fn keeps_meaning(pass: Pass, kernel: bool) {
    let count: u64 = std::env::var("FUN_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(150);
    for seed in 0..count {
        let form = if seed % 2 == 0 { Form::Soac } else { Form::Kernel };
        let phase = if kernel || form == Form::Kernel { Phase::Kernel } else { Phase::Soac };
        let mut generated = generate(seed, 5 + seed as usize % 20, form);
        if problem(pass, phase, &generated).is_none() {
            continue;
        }
        while let Some(smaller) = generated.shrink_step(|candidate| problem(pass, phase, candidate).is_some())
        {
            generated = smaller;
        }
        let problem = problem(pass, phase, &generated).unwrap_or_default();
        panic!("seed {seed}: {problem}\nfrom\n{}\non {:?}", generated.program, generated.inputs);
    }
}

#[test]
fn ad() {
    keeps_meaning(fun_passes::fun::ad::run, false);
}

#[test]
fn simplify() {
    keeps_meaning(fun_passes::fun::simplify::run, false);
}

#[test]
fn cse() {
    keeps_meaning(fun_passes::fun::cse::run, false);
}

#[test]
fn inline() {
    keeps_meaning(fun_passes::fun::inline::run, false);
}

#[test]
fn soac_to_kernel() {
    keeps_meaning(|program| fun_passes::fun::soac_to_kernel::run(fun_passes::fun::ad::run(program)), true);
}

#[test]
fn together() {
    fn all(program: Program) -> Program {
        use fun_passes::fun::{ad, cse, inline, simplify, soac_to_kernel};
        let program = cse::run(simplify::run(inline::run(program)));
        simplify::run(cse::run(soac_to_kernel::run(simplify::run(ad::run(program)))))
    }
    keeps_meaning(all, true);
}
