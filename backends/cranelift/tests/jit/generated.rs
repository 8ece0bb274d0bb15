//! Generated programs give what the interpreter gives, or fail as it does.

use fun_base::run::RunErrorKind;
use fun_cranelift::{Options, RunControl, compile};
use imp::r#gen::{ENTRY, Generated, generate};
use imp::text::print_program;

/// What differs between the interpreter and compiled code, if anything does.
fn difference(case: &Generated, options: Options) -> Option<String> {
    let compiled = match compile(&case.program, options) {
        Ok(compiled) => compiled,
        Err(error) => return Some(format!("does not compile: {error:?}")),
    };
    match (case.run(), compiled.run(ENTRY, &case.values(), &RunControl::new())) {
        // the program takes long: there is nothing to compare with
        (Err(wanted), _) if wanted.kind == RunErrorKind::Limit => None,
        (Ok(wanted), Ok(found)) => wanted.iter().zip(&found).enumerate().find_map(|(k, (wanted, found))| {
            (!wanted.same(found)).then(|| format!("result {k} is {found:?}, should be {wanted:?}"))
        }),
        (Err(wanted), Err(found)) => (wanted.to_string() != found.to_string())
            .then(|| format!("fails with {found}, should with {wanted}")),
        (Ok(_), Err(found)) => Some(format!("fails with {found}")),
        (Err(wanted), Ok(_)) => Some(format!("should fail with {wanted}")),
    }
}

#[test]
fn generated_programs_agree_with_the_interpreter() {
    agree(0..150, 60);
}

#[test]
#[ignore = "takes minutes"]
fn many_generated_programs_agree_with_the_interpreter() {
    agree(1000..8000, 60);
    agree(10_000..13_000, 200);
}

fn agree(seeds: std::ops::Range<u64>, size: usize) {
    for seed in seeds {
        let options = Options { optimise: seed % 3 != 0, verify: true, wide: seed % 4 != 1 };
        let case = generate(seed, size);
        if let Some(what) = difference(&case, options) {
            panic!("seed {seed}: {what}\n{}\n{:?}", print_program(&case.program), case.args);
        }
    }
}
