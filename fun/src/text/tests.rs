//! Round trips of the text form, and its errors.

use super::*;
use fun_base::name::Symbol;
use fun_base::source::Source;

fn parse(text: &str) -> Result<Program, String> {
    let source = Source { name: Symbol::new("t.fun"), text: text.into() };
    parse_program(&source, 0).map_err(|error| error.to_string())
}

/// Every construct, in canonical layout.
const ALL: &str = include_str!("all.fun");

#[test]
fn canonical_text_comes_back() {
    assert_eq!(parse(ALL).unwrap().to_string(), ALL);
}

#[test]
fn layout_and_comments_do_not_matter() {
    let canonical = parse(ALL).unwrap();
    let loose = ALL.replace('\n', " // note\n\n   ").replace("  ", "\t");
    assert!(parse(&loose) == Ok(canonical));
}

#[test]
fn errors_name_place_and_expectation() {
    let cases = [
        (
            "fun f : = { in (x) }",
            "t.fun:1:17: expected a variable (`name_1`) or a literal (`1i32`), found `x`",
        ),
        ("fun f : = {\n  let = frob x_1\n in () }", "t.fun:2:9: expected an expression, found `frob`"),
        ("fun f : = { in ()", "t.fun:1:18: expected `}`, found the end of the text"),
        ("fun f (x_1: i65) : = { in () }", "t.fun:1:13: expected a primitive type, found `i65`"),
        ("let x", "t.fun:1:1: expected `fun` or `entry`, found `let`"),
    ];
    for (text, message) in cases {
        assert_eq!(parse(text).unwrap_err(), message);
    }
}

/// Runs on a thread with as much stack as a main thread has; other test threads have less.
fn on_main_stack(test: fn()) {
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(test).unwrap();
    thread.join().unwrap();
}

#[test]
fn deep_nesting_is_an_error() {
    on_main_stack(|| {
        let deep = format!("fun f : = {}", "{ let = if true ".repeat(100_000));
        assert!(parse(&deep).unwrap_err().contains("nested deeper"));
    });
}

#[test]
fn what_can_be_parsed_can_be_handled() {
    on_main_stack(|| {
        let depth = fun_base::text::NESTING_LIMIT - 1;
        let mut inner = "in (1i64)".to_owned();
        for i in 1..=depth {
            inner = format!("let (x_{i}: i64) = if true {{ {inner} }} else {{ in (0i64) }} in (x_{i})");
        }
        let program = parse(&format!("entry main : (r_0: i64) = {{ {inner} }}")).unwrap();
        assert!(crate::check::check_program(&program, crate::check::Phase::Any).is_ok());
        assert!(parse(&program.to_string()) == Ok(program.clone()));
        let results = crate::interp::run(&program, "main", &[], fun_base::run::Limits::default()).unwrap();
        assert_eq!(results[0].as_prim(), Some(fun_base::prim::PrimValue::I64(1)));
    });
}
