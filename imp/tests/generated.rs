//! Laws on generated programs.

use fun_base::run::RunErrorKind;
use fun_base::source::Source;
use imp::check::check;
use imp::r#gen::{Generated, generate};
use imp::text::{parse_program, print_program};
use quickcheck::{Arbitrary, QuickCheck};

fn parse(text: &str) -> imp::ir::Program {
    let source = Source { name: "generated.imp".into(), text: text.into() };
    parse_program(&source).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn round_trip_and_check() {
    fn law(case: Generated) -> bool {
        let text = print_program(&case.program);
        assert_eq!(check(&case.program), Ok(()), "{text}");
        parse(&text) == case.program && print_program(&parse(&text)) == text
    }
    QuickCheck::new().tests(300).quickcheck(law as fn(Generated) -> bool);
}

/// They run without a fault, and nearly all to the end.
#[test]
fn generated_programs_are_valid() {
    let mut stopped = 0;
    for seed in 0..300 {
        let case = generate(seed, 60);
        match case.run() {
            Ok(_) => {}
            Err(error) if error.kind == RunErrorKind::Assert => stopped += 1,
            Err(error) => panic!("seed {seed}: {error}\n{}", print_program(&case.program)),
        }
    }
    assert!(stopped < 60, "{stopped} of 300 stop at assertions");
}

#[test]
fn equal_seeds_give_equal_programs() {
    for seed in 0..20 {
        assert_eq!(generate(seed, 50), generate(seed, 50));
    }
    assert_ne!(generate(1, 50), generate(2, 50));
}

/// Shrinking keeps what a property demands and gets rid of most of the rest.
#[test]
fn shrinking_finds_small_programs() {
    let writes = |case: &Generated| print_program(&case.program).contains("while ");
    let size = |case: &Generated| print_program(&case.program).lines().count();
    let mut case =
        (0..100).map(|seed| generate(seed, 60)).find(writes).expect("one of them has a while loop");
    let before = size(&case);
    while let Some(smaller) = case.shrink().find(writes) {
        case = smaller;
    }
    assert!(case.is_valid());
    assert!(
        size(&case) < before / 2,
        "from {before} lines to {}:\n{}",
        size(&case),
        print_program(&case.program)
    );
}
