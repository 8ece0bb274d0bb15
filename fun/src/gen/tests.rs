//! Generated programs are well-formed and run; shrinking keeps them so.

use super::*;
use crate::check::{Phase, check_program, errors_to_string};
use crate::interp;
use crate::text::parse_program;
use fun_base::name::Symbol;
use fun_base::run::{Limits, RunErrorKind};
use fun_base::source::Source;
use std::collections::BTreeSet;

/// Programs of both forms from consecutive seeds.
fn programs(count: u64) -> impl Iterator<Item = (u64, Form, GenProgram)> {
    (0..count).map(|seed| {
        let form = if seed % 2 == 0 { Form::Soac } else { Form::Kernel };
        (seed, form, generate(seed, 5 + seed as usize % 25, form))
    })
}

#[test]
fn generated_programs_check() {
    for (seed, form, generated) in programs(300) {
        let phase = if form == Form::Soac { Phase::Soac } else { Phase::Kernel };
        if let Err(errors) = check_program(&generated.program, phase) {
            panic!("seed {seed}: {}\n{}", errors_to_string(&errors), generated.program);
        }
    }
}

#[test]
fn generated_programs_run() {
    let mut stopped = 0;
    for (seed, _, generated) in programs(300) {
        match interp::run(&generated.program, "main", &generated.inputs, Limits::default()) {
            Ok(_) => {}
            Err(error) if error.kind == RunErrorKind::Assert => stopped += 1,
            Err(error) => panic!("seed {seed}: {error}\n{}", generated.program),
        }
    }
    // A few must stop: else nothing tells a dropped assertion.
    assert!((1..30).contains(&stopped), "{stopped} of 300 stop");
}

#[test]
fn generated_programs_come_back_from_text() {
    for (seed, _, generated) in programs(200) {
        let text = generated.program.to_string();
        let source = Source { name: Symbol::new("generated"), text: text.as_str().into() };
        let parsed = parse_program(&source, 0).unwrap();
        assert!(parsed == generated.program, "seed {seed}");
        assert_eq!(parsed.to_string(), text);
    }
}

#[test]
fn the_same_seed_gives_the_same_program() {
    let (a, b) = (generate(7, 20, Form::Soac), generate(7, 20, Form::Soac));
    assert_eq!(a.program, b.program);
    assert!(a.inputs.iter().zip(&b.inputs).all(|(x, y)| x.same(y)));
}

#[test]
fn every_construct_appears() {
    let mut words = BTreeSet::new();
    for (_, _, generated) in programs(300) {
        let text = generated.program.to_string();
        words.extend(text.split([' ', '.', '(', ')', '[', ']', '\n']).map(str::to_owned));
    }
    let constructs = "index slice update iota replicate scratch array concat copy permute reshape reverse if loop while for \
        call assert map reduce reduce_comm scan hist scatter kernel convert i8 u64 f16 bool";
    for construct in constructs.split_whitespace() {
        assert!(words.contains(construct), "{construct} is never generated");
    }
}

#[test]
fn shrinking_keeps_programs_good_and_makes_them_small() {
    // What fails: to have an `if` anywhere.
    let fails = |generated: &GenProgram| generated.program.to_string().contains("= if ");
    let mut found = 0;
    for (_, form, mut generated) in programs(40) {
        if !fails(&generated) {
            continue;
        }
        found += 1;
        let phase = if form == Form::Soac { Phase::Soac } else { Phase::Kernel };
        while let Some(smaller) = generated.shrink_step(fails) {
            check_program(&smaller.program, phase).unwrap();
            generated = smaller;
        }
        let lines = generated.program.to_string().lines().count();
        assert!(lines <= 25, "{}", generated.program);
    }
    assert!(found > 10);
}
