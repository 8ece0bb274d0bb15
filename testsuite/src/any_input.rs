//! What the readers must do with any bytes: end with a program or an error, and agree with their own printers. The targets in `fuzz/`
//! and the test over `fuzz/seeds/` share these.

use fun_base::source::Source;
use fun_base::value::binary::write_binary;
use fun_base::value::npy::{read_npy, write_npy};
use fun_base::value::{Value, ValueReader};
use fun_passes::program::Stage;

/// A function that panics when a reader misbehaves on these bytes.
pub type Target = fn(&[u8]);

/// The targets by name, which is also that of their folder of seeds.
pub const TARGETS: [(&str, Target); 6] = [
    ("source", source),
    ("front_end", front_end),
    ("fun", |bytes| intermediate(Stage::Fun, bytes)),
    ("funmem", |bytes| intermediate(Stage::FunMem, bytes)),
    ("imp", |bytes| intermediate(Stage::Imp, bytes)),
    ("values", values),
];

/// The target of this name.
pub fn target(name: &str) -> Target {
    let found = TARGETS.iter().find(|(known, _)| *known == name);
    found.map(|(_, target)| *target).unwrap_or_else(|| panic!("there is no target `{name}`"))
}

fn text_of(bytes: &[u8]) -> Option<Source> {
    let text = std::str::from_utf8(bytes).ok()?;
    Some(Source { name: "fuzz".into(), text: text.into() })
}

/// The parser of the source language.
fn source(bytes: &[u8]) {
    let Some(source) = text_of(bytes) else { return };
    if let Err(errors) = fun_frontend::parse::parse_program(&source, 0) {
        assert!(!errors.is_empty(), "refused without a reason");
    }
}

/// The whole front end: what it takes, the checker of FUN takes.
fn front_end(bytes: &[u8]) {
    let Some(source) = text_of(bytes) else { return };
    match fun_frontend::compile::compile(&source) {
        Ok(compiled) => {
            let program = fun_passes::program::Program::Fun(compiled.program);
            let errors = program.check();
            assert!(errors.is_empty(), "{}\n{}", errors.join("\n"), program.print());
        }
        Err(errors) => assert!(!errors.is_empty(), "refused without a reason"),
    }
}

/// Parser, printer and checker of an intermediate language.
fn intermediate(stage: Stage, bytes: &[u8]) {
    let Some(source) = text_of(bytes) else { return };
    let Ok(program) = stage.parse(&source) else { return };
    let text = program.print();
    let again = stage.parse(&Source { name: "printed".into(), text: text.as_str().into() });
    match again {
        // by text, since NaN is not equal to itself
        Ok(again) => assert_eq!(again.print(), text),
        Err(errors) => panic!("the printed program does not parse: {errors:?}\n{text}"),
    }
    program.check();
}

/// The readers of values: Futhark's text and binary formats, and `.npy`.
fn values(bytes: &[u8]) {
    if let Ok(values) = ValueReader::new(bytes).read_all() {
        for value in &values {
            comes_back(value, value.to_string().as_bytes());
            let mut binary = Vec::new();
            // the binary format has no unit
            if write_binary(value, &mut binary).is_ok() {
                comes_back(value, &binary);
            }
        }
    }
    if let Ok(value) = read_npy(bytes) {
        let mut npy = Vec::new();
        write_npy(&value, &mut npy).expect("a vector takes all bytes");
        let again = read_npy(&npy);
        assert!(again.as_ref().is_ok_and(|again| again.same(&value)), "{value} comes back as {again:?}");
    }
}

fn comes_back(value: &Value, bytes: &[u8]) {
    let again = ValueReader::new(bytes).read_all();
    let same = again.as_ref().is_ok_and(|again| matches!(again.as_slice(), [again] if again.same(value)));
    assert!(same, "{value} comes back as {again:?}");
}
