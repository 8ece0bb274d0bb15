use super::{GenProgram, generate};
use crate::check::{check_program, errors_to_string};
use crate::erase::erase;
use fun_base::name::Symbol;
use fun_base::run::Limits;
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
        let (heap, value) = (heap.unwrap_or_else(|error| panic!("{error}\n{}", case.program)), value.unwrap());
        heap.len() == value.len() && heap.iter().zip(&value).all(|(a, b)| a.same(b))
    }
}

/// The generator reaches every construct that it knows.
#[test]
fn all_constructs_come_up() {
    let mut text = String::new();
    for seed in 0..60 {
        text.push_str(&generate(seed, 30).program.to_string());
    }
    for word in [
        "permute",
        "reverse",
        "slice",
        "reshape",
        "iota",
        "replicate",
        "copy",
        "concat",
        "array",
        "kernel",
        "reduce_comm",
        "scan",
        "hist",
        "scatter",
        "update",
        "if ",
        "alloc",
    ] {
        assert!(text.contains(word), "{word}");
    }
}
