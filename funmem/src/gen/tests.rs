//! Generated programs are well-formed and agree under both semantics.

use super::{GenProgram, generate};
use crate::check::{check_program, errors_to_string};
use crate::erase::erase;
use fun_base::name::Symbol;
use fun_base::run::{Limits, RunErrorKind};
use fun_base::source::Source;
use quickcheck::quickcheck;

fn checked(case: &GenProgram) {
    if let Err(errors) = check_program(&case.program) {
        panic!("{}\n{}", errors_to_string(&errors), case.program);
    }
}

quickcheck! {
    fn generated_programs_check(case: GenProgram) -> bool {
        checked(&case);
        true
    }

    fn text_comes_back(case: GenProgram) -> bool {
        let text = case.program.to_string();
        let source = Source { name: Symbol::new("t.funmem"), text: text.clone().into() };
        let back = crate::text::parse_program(&source, 0);
        back.as_ref() == Ok(&case.program) && back.is_ok_and(|program| program.to_string() == text)
    }

    fn heap_and_value_semantics_agree(case: GenProgram) -> bool {
        checked(&case);
        let heap = crate::interp::run(&case.program, "main", &case.inputs, Limits::default());
        let value = fun::interp::run(&erase(&case.program), "main", &case.inputs, Limits::default());
        match (heap, value) {
            (Ok(heap), Ok(value)) => {
                heap.len() == value.len() && heap.iter().zip(&value).all(|(a, b)| a.same(b))
            }
            (Err(heap), Err(value)) if heap.kind == RunErrorKind::Assert => value.kind == heap.kind,
            (Err(error), _) => panic!("{error}\n{}", case.program),
            (Ok(_), Err(error)) => panic!("value semantics: {error}\n{}", case.program),
        }
    }
}

/// The text with one word replaced by another word of it.
fn mutated(text: &str, rng: &mut fun_base::rng::Rng) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices() {
        match (start, is_word(c)) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                words.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    let (Some(target), Some(source)) = (rng.pick(&words), rng.pick(&words)) else { return text.to_owned() };
    format!("{}{}{}", &text[..target.start], &text[source.clone()], &text[target.end..])
}

/// Whatever a text says, parser, checker and interpreter answer; what checks runs to values or an error.
#[test]
fn damaged_programs_are_refused_without_panic() {
    let (mut refused, mut accepted) = (0, 0);
    for seed in 0..600 {
        let case = generate(seed, 12);
        let mut rng = fun_base::rng::Rng::new(seed);
        let text = mutated(&case.program.to_string(), &mut rng);
        let source = Source { name: Symbol::new("t.funmem"), text: text.into() };
        let Ok(program) = crate::text::parse_program(&source, 0) else { continue };
        match check_program(&program) {
            Ok(()) => accepted += 1,
            Err(_) => refused += 1,
        }
        let limits = Limits { steps: 100_000, bytes: 1 << 20 };
        let _ = crate::interp::run(&program, "main", &case.inputs, limits);
    }
    assert!(refused > 50 && accepted > 5, "{refused} refused, {accepted} accepted");
}

/// Large programs too.
#[test]
fn sizes_scale() {
    for seed in 0..6 {
        let case = generate(seed, 200);
        checked(&case);
        let result = crate::interp::run(&case.program, "main", &case.inputs, Limits::default());
        if let Err(error) = result {
            assert!(
                matches!(error.kind, RunErrorKind::Assert | RunErrorKind::Limit),
                "{error}\n{}",
                case.program
            );
        }
    }
}
