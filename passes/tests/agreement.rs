//! Law 3 on generated programs: FUN, its kernel form, FUNMEM (value and heap), IMP and simplified IMP agree.

use fun::r#gen::{Form, GenProgram, generate};
use fun_base::run::{Limits, RunError, RunErrorKind};
use fun_base::value::Value;
use fun_passes::fun::{ad, soac_to_kernel};
use fun_passes::imp::simplify;
use fun_passes::lower::{fun_to_funmem, funmem_to_imp};

/// Values, or that the program stopped itself. What it says then may depend on the order of statements.
fn outcome(result: Result<Vec<Value>, RunError>) -> Result<Vec<Value>, String> {
    result.map_err(|error| match error.kind {
        RunErrorKind::Assert => "stopped".to_owned(),
        RunErrorKind::Fault | RunErrorKind::Limit | RunErrorKind::Input => error.to_string(),
    })
}

/// What differs from the value semantics, with the program at that stage.
fn difference(case: &GenProgram) -> Option<String> {
    let limits = Limits::default();
    let args = &case.inputs;
    let wanted = outcome(fun::interp::run(&case.program, "main", args, limits));
    let kernels = soac_to_kernel::run(ad::run(case.program.clone()));
    let memory = fun_to_funmem::run(kernels.clone());
    let program = funmem_to_imp::run(memory.clone());
    if let Err(errors) = imp::check::check(&program) {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        return Some(format!("{}\n{}", errors.join("\n"), imp::text::print_program(&program)));
    }
    let simple = simplify::run(program.clone());
    let stages = [
        (fun::interp::run(&kernels, "main", args, limits), fun::text::program_to_string(&kernels)),
        (funmem::interp::run(&memory, "main", args, limits), fun::text::program_to_string(&memory)),
        (imp::interp::run(&program, "main", args, limits), imp::text::print_program(&program)),
        (imp::interp::run(&simple, "main", args, limits), imp::text::print_program(&simple)),
    ];
    stages.into_iter().find_map(|(found, text)| {
        let found = outcome(found);
        let same = match (&wanted, &found) {
            (Ok(wanted), Ok(found)) => {
                wanted.len() == found.len() && wanted.iter().zip(found).all(|(a, b)| a.close(b, 1e-4).is_ok())
            }
            (wanted, found) => wanted.as_ref().err() == found.as_ref().err(),
        };
        (!same).then(|| format!("{found:?} should be {wanted:?}\n{text}"))
    })
}

#[test]
fn all_semantics_agree_on_generated_programs() {
    for seed in 0..200 {
        let form = if seed % 2 == 0 { Form::Soac } else { Form::Kernel };
        let case = generate(seed, 20, form);
        if let Some(what) = difference(&case) {
            let program = fun::text::program_to_string(&case.program);
            panic!("seed {seed}: {what}\n{program}\n{:?}", case.inputs);
        }
    }
}
