//! True facts pass, a false one is found with the values, and generated programs have facts to look at.

use super::{Fact, Remarks, check_facts};
use crate::generated::{ENTRY, Language, generate};
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimValue;
use fun_base::run::Limits;
use fun_base::source::Source;
use fun_base::value::{ArrayValue, Value};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use fun_index::prove::Division;
use fun_index::prove::derivation::Claim;
use fun_index::prove::exact::Exact;
use fun_passes::pipeline::{PIPELINES, passes_from, run_passes};
use fun_passes::program::Program;

const TEXT: &str = r#"
entry main [xs_mem_7: mem] (n_1: i64) (xs_8: [2i64]i64 @ xs_mem_7 -> 0 + {(2 : 1)}) : (r_2: i64) = {
  let (half_3: i64) = quot.i64 n_1 2i64
  let (less_4: bool) = lt.i64 n_1 10i64
  let (r_5: i64) = if less_4 {
    let (more_6: i64) = add.i64 half_3 1i64
    in (more_6)
  } else {
    in (n_1)
  }
  in (r_5)
}
"#;

fn program() -> funmem::ir::Program {
    let source = Source { name: Symbol::new("test"), text: TEXT.into() };
    funmem::text::parse_program(&source, 0).unwrap_or_else(|error| panic!("{error}"))
}

fn run(remarks: &Remarks, watched: &funmem::ir::Program, n: i64) -> Result<u64, String> {
    let xs = ArrayValue::filled(PrimValue::I64(0), vec![2]).expect("it is small");
    let args = [Value::from(PrimValue::I64(n)), Value::from(xs)];
    remarks.watch(watched, "main", &args, Limits::default()).map_err(|found| found.to_string())
}

#[test]
fn facts_are_looked_at_where_they_hold() {
    let mut remarks = Remarks::default();
    let watched = remarks.program(&program());
    // The array, the division, the branch and the definition in it; in the other arm only its condition.
    assert_eq!(run(&remarks, &watched, 7), Ok(4));
    assert_eq!(run(&remarks, &watched, 12), Ok(3));
    // What is divided is negative: the fact says nothing.
    assert_eq!(run(&remarks, &watched, -12), Ok(3));
}

#[test]
fn false_facts_are_found() {
    let mut remarks = Remarks::default();
    let watched = remarks.program(&program());
    type Kind = fn(&Fact) -> bool;
    let kinds: [(Kind, &str); 4] = [
        (|fact| matches!(fact, Fact::Claim(..)), "n_1 = 9"),
        (|fact| matches!(fact, Fact::Definition(..)), "more_6 = 5"),
        (|fact| matches!(fact, Fact::Division(..)), "n_1 = 9 half_3 = 4"),
        (|fact| matches!(fact, Fact::Addresses(..)), "false where"),
    ];
    for (kind, expected) in kinds {
        let at = remarks.facts.iter().position(|(fact, _)| kind(fact)).expect("one of each kind");
        let before = remarks.facts[at].0.clone();
        remarks.facts[at].0 = match before.clone() {
            Fact::Claim(_, why) => {
                let below_9 = Poly::constant(8).sub(&Poly::var(Var::new("n", 1)));
                Fact::Claim(Claim::Nonneg(Exact::from(&below_9)), why)
            }
            Fact::Definition(var, poly) => Fact::Definition(var, poly.add(&Poly::constant(1))),
            Fact::Division(division) => {
                let dividend = division.dividend.sub(&Poly::constant(2));
                Fact::Division(Division { dividend, ..division })
            }
            Fact::Addresses(var, lmad) => Fact::Addresses(var, Lmad { offset: Poly::constant(-1), ..lmad }),
        };
        let found = run(&remarks, &watched, 9).expect_err("it is false");
        assert!(found.ends_with(expected), "{found}");
        remarks.facts[at].0 = before;
    }
    assert_eq!(run(&remarks, &watched, 9), Ok(4));
}

/// Every generated program once more, with what its passes ask the prover about.
#[test]
fn facts_of_generated_programs_hold() {
    let mut looked = 0;
    for seed in 0..60 {
        for language in [Language::Source, Language::Fun, Language::FunMem] {
            let made = generate(language, seed, 15);
            let program = made.lowered().unwrap_or_else(|message| panic!("{message}"));
            let passes = passes_from(&PIPELINES[0], program.stage());
            let mut programs = Vec::new();
            let all = run_passes(program, &passes, false, &mut Vec::new(), &mut |_, program| {
                programs.push(program.clone());
            });
            all.unwrap_or_else(|error| panic!("{error}"));
            for program in &programs {
                let Program::FunMem(program) = program else { continue };
                let limits = Limits { steps: 20_000_000, ..Limits::default() };
                let found = check_facts(program, ENTRY, &made.inputs, limits);
                looked += found.unwrap_or_else(|found| panic!("{} {seed}: {found}", language.name()));
            }
        }
    }
    assert!(looked > 5_000, "{looked}");
}
