//! Generated programs give what the interpreter gives, or fail as it does. Many go to the C compiler in one file.

use crate::common::compiler;
use fun_base::name::Symbol;
use fun_base::run::RunErrorKind;
use fun_base::value::Value;
use fun_c::{Compiled, RunControl, compile};
use imp::r#gen::{ENTRY, Generated, generate};
use imp::ir::Program;
use imp::text::print_program;
use imp::visit::rename_procedures;

/// Programs in one file.
const BATCH: u64 = 50;

/// The programs as one: each procedure has the number of its program before its name.
fn together(cases: &[Generated]) -> Program {
    let mut procedures = Vec::new();
    for (k, case) in cases.iter().enumerate() {
        let mut program = case.program.clone();
        rename_procedures(&mut program, &|procedure| name(k, procedure.as_str()));
        procedures.extend(program.procedures);
    }
    Program { procedures }
}

fn name(program: usize, procedure: &str) -> Symbol {
    Symbol::new(&format!("p{program}_{procedure}"))
}

/// Functions that compiled code computes otherwise than the interpreter, to within units in the last place (`math.rs` and `exact.rs` count them).
const INEXACT: [&str; 24] = [
    "exp", "log", "tanh", "sin", "cos", "tan", "asin", "acos", "atan", "exp2", "exp10", "log2", "log10",
    "expm1", "log1p", "sinh", "cosh", "asinh", "acosh", "atanh", "cbrt", "pow", "atan2", "hypot",
];

/// How far floats may be from the interpreter's: not at all, in programs without such functions.
fn tolerance(program: &Program) -> f64 {
    let text = print_program(program);
    if INEXACT.iter().any(|name| text.contains(&format!("{name}.f"))) { 1e-5 } else { 0.0 }
}

/// What differs between the interpreter and compiled code, if anything does.
fn difference(k: usize, case: &Generated, compiled: &Compiled) -> Option<String> {
    let prefix = format!("p{k}_");
    let shown = |text: String| text.replace(&prefix, "");
    let found = compiled.prepare(name(k, ENTRY).as_str(), &case.values(), &RunControl::new());
    let found = found.and_then(|mut run| {
        run.call()?;
        run.results()
    });
    match (case.run(), found) {
        // the program takes long: there is nothing to compare with
        (Err(wanted), _) if wanted.kind == RunErrorKind::Limit => None,
        (Ok(wanted), Ok(found)) => {
            let tolerance = tolerance(&case.program);
            let same = |wanted: &Value, found: &Value| {
                wanted.same(found) || tolerance > 0.0 && found.close(wanted, tolerance).is_ok()
            };
            wanted.iter().zip(&found).enumerate().find_map(|(k, (wanted, found))| {
                (!same(wanted, found)).then(|| format!("result {k} is {found:?}, should be {wanted:?}"))
            })
        }
        (Err(wanted), Err(found)) => (wanted.to_string() != shown(found.to_string()))
            .then(|| format!("fails with {found}, should with {wanted}")),
        (Ok(_), Err(found)) => Some(format!("fails with {found}")),
        (Err(wanted), Ok(_)) => Some(format!("should fail with {wanted}")),
    }
}

#[test]
fn generated_programs_agree_with_the_interpreter() {
    agree(0..200, 60);
}

#[test]
#[ignore = "takes minutes"]
fn many_generated_programs_agree_with_the_interpreter() {
    agree(1000..4000, 60);
    agree(10_000..11_000, 200);
}

fn agree(seeds: std::ops::Range<u64>, size: usize) {
    let Some(compiler) = compiler() else { return };
    for first in seeds.clone().step_by(BATCH as usize) {
        let cases: Vec<Generated> =
            (first..seeds.end.min(first + BATCH)).map(|seed| generate(seed, size)).collect();
        let compiled =
            compile(&together(&cases), &compiler).unwrap_or_else(|error| panic!("from {first}: {error}"));
        for (k, case) in cases.iter().enumerate() {
            if let Some(what) = difference(k, case, &compiled) {
                let seed = first + k as u64;
                panic!("seed {seed}: {what}\n{}\n{:?}", print_program(&case.program), case.args);
            }
        }
    }
}
