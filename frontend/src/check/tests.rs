//! Source snippets with the types, or the errors with their lines, that the language's reference gives them.

use super::*;
use crate::prelude::{environment, prelude};
use crate::types::scheme_to_string;
use fun_base::source::Source;

fn source(text: &str) -> Source {
    Source { name: Symbol::new("test.fut"), text: text.into() }
}

fn check(text: &str) -> Result<Checked, Vec<Diagnostic>> {
    let source = source(text);
    let program = crate::parse::parse_program(&source, 0).unwrap_or_else(|errors| {
        panic!("{text}: {}", errors.iter().map(ToString::to_string).collect::<String>())
    });
    check_program(environment(), &program)
}

/// The type of the last definition.
fn type_of(text: &str) -> String {
    match check(text) {
        Ok(checked) => scheme_to_string(&checked.program.definitions.last().expect("a definition").scheme),
        Err(errors) => errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    }
}

/// `code:line` of each error.
fn errors(text: &str) -> Vec<String> {
    match check(text) {
        Ok(checked) => {
            let last = checked.program.definitions.last().expect("a definition");
            vec![format!("no error: {}", scheme_to_string(&last.scheme))]
        }
        Err(errors) => {
            let line = |d: &Diagnostic| source(text).loc(d.span().expect("a place").start).line;
            errors.iter().map(|d| format!("{}:{}", d.code, line(d))).collect()
        }
    }
}

#[test]
fn the_whole_prelude_checks() {
    let mut failed = Vec::new();
    for name in prelude().names() {
        let text = format!(
            "def it = {}",
            if name.as_str().starts_with(char::is_alphabetic) {
                name.to_string()
            } else {
                format!("({name})")
            }
        );
        if let Err(errors) = check(&text) {
            for error in errors.iter().filter(|error| error.code == "E0299") {
                failed.push(error.to_string());
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn the_examples_check() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");
    for entry in std::fs::read_dir(folder).expect("the examples") {
        let path = entry.expect("an example").path();
        if path.extension().is_some_and(|e| e == "fut") {
            let text = std::fs::read_to_string(&path).expect("an example");
            if let Err(errors) = check(&text) {
                let all: Vec<String> = errors
                    .iter()
                    .map(|e| format!("{:?} {e}", e.span().map(|s| source(&text).loc(s.start))))
                    .collect();
                panic!("{}: {}", path.display(), all.join("\n"));
            }
        }
    }
}

#[test]
fn types_of_definitions() {
    let mut wrong = Vec::new();
    for (text, expected) in [
        ("def f x = x + 1", "i32 -> i32"),
        ("def f x = x + 1.5", "f64 -> f64"),
        ("def f (x: u8) = x + 1", "u8 -> u8"),
        ("def f x = x", "'^a. a -> a"),
        ("def f 'a (x: a) = x", "'a. a -> a"),
        ("def f [n] (xs: [n]i32) = map (+ 1) xs", "[n]. [n]i32 -> [n]i32"),
        ("def f (xs: []i32) = length xs", "[n]. [n]i32 -> i64"),
        ("def f xs = map (+ 1i32) xs", "[n]. [n]i32 -> [n]i32"),
        ("def f (n: i64) = iota n", "(n: i64) -> [n]i64"),
        ("def f (n: i64) = iota (n + 1)", "(n: i64) -> [n + 1]i64"),
        ("def f p (xs: []i32) = filter p xs", "[n]. (i32 -> bool) -> [n]i32 -> ?[k].[k]i32"),
        ("def f (xs: []i32) = xs |> filter (> 0) |> map (* 2)", "[n]. [n]i32 -> ?[k].[k]i32"),
        ("def f = 1 + 2", "i32"),
        ("def f = (1, 2.0, true)", "(i32, f64, bool)"),
        ("def f = {a = 1u8, b = 'x'}", "{a: u8, b: i32}"),
        ("def f (p: (i32, f32)) = p.1", "(i32, f32) -> f32"),
        ("def f (r: {x: i32, y: bool}) = r.x", "{x: i32, y: bool} -> i32"),
        ("def f = f32.sum [1, 2, 3]", "f32"),
        ("def f [n] (xs: [n]f32) (ys: [n]f32) = f32.sum (map2 (*) xs ys)", "[n]. [n]f32 -> [n]f32 -> f32"),
        ("def f xs = zip xs", "[n] 'a 'b. [n]a -> [n]b -> [n](a, b)"),
        ("def f [n] (xs: [n]i32) = xs[:2]", "[n]. [n]i32 -> [2]i32"),
        ("def f [n] (xs: [n]i32) (k: i64) = xs[k:]", "[n]. [n]i32 -> (k: i64) -> [n - k]i32"),
        ("def f [n] (xs: [n]i32) = xs[::-1]", "[n]. [n]i32 -> [n]i32"),
        ("def f [n] (xs: [n]i32) = xs[::2]", "[n]. [n]i32 -> ?[k].[k]i32"),
        ("def f [n][m] (xs: [n][m]i32) = flatten xs", "[n] [m]. [n][m]i32 -> [n * m]i32"),
        ("def f (b: bool) = if b then [1, 2] else [3]", "bool -> ?[k].[k]i32"),
        ("def f (b: bool) = if b then [[1, 2], [3, 4]] else [[5, 6]]", "bool -> ?[k].[k][2]i32"),
        ("def f (n: i32) = loop xs = [1] for _i < n do xs ++ xs", "i32 -> ?[m].[m]i32"),
        ("def f [n] (xs: [n]i32) = loop ys = xs for i < 10 do map (+ i) ys", "[n]. [n]i32 -> [n]i32"),
        ("def f = \"abc\"", "[3]u8"),
        ("def f [n] (xs: [n]i32) (ys: [n]i32): []i32 = map2 (+) xs ys", "[n]. [n]i32 -> [n]i32 -> [n]i32"),
        ("type t [n] 'a = ([n]a, i32)\ndef f [n] (x: t [n] f32) = x", "[n]. ([n]f32, i32) -> ([n]f32, i32)"),
        ("def f (g: (n: i64) -> [n]i32) = g 3", "((n: i64) -> [n]i32) -> [3]i32"),
        ("def f 'a (g: a -> a) = g >-> g", "'a. (a -> a) -> a -> a"),
        ("def f [n] (xs: *[n]i32): *[n]i32 = xs with [0] = 1", "[n]. *[n]i32 -> *[n]i32"),
        ("def (+++) (a: i32) (b: i32) = a + b\ndef f = 1 +++ 2", "i32"),
        ("def f x y = if x < y then x else y", "i32 -> i32 -> i32"),
        ("def f (n: i64) = replicate n (replicate n 0u8)", "(n: i64) -> [n][n]u8"),
        ("def f [n] (xs: [n]i64) = map (\\i -> xs[i]) (iota n)", "[n]. [n]i64 -> [n]i64"),
        ("def f (x: i32) = i64.i32 x", "i32 -> i64"),
        ("def f = 0..<10", "[10]i32"),
        ("def f (n: i64) = 0..<n", "(n: i64) -> [n]i64"),
        ("def f (n: i64) = 1...n", "(n: i64) -> [n]i64"),
        ("def f (n: i64): [n + 1]i64 = let m = n + 1 in replicate m 0", "(n: i64) -> [n + 1]i64"),
        ("def f (n: i64): [n / 2]i64 = iota (n / 2)", "(n: i64) -> [n / 2]i64"),
        ("def f [n] (xs: [n]i32) = partition (> 0) xs", "[n]. [n]i32 -> ?[k].([k]i32, [n - k]i32)"),
        ("def f (xs: [6]i32): [2][3]i32 = unflatten xs", "[6]i32 -> [2][3]i32"),
        ("def f [n] [m] (xs: [n * m]i32): [n][m]i32 = unflatten xs", "[n] [m]. [n * m]i32 -> [n][m]i32"),
        ("def f (xss: [][]i32) = map (\\xs -> i32.sum xs) xss", "[n] [n1]. [n][n1]i32 -> [n]i32"),
        ("def f (xs: []i32) = let ys = filter (> 0) xs in zip ys ys", "[n]. [n]i32 -> ?[k].[k](i32, i32)"),
        ("def f x = let g y = x + y in g 1i64", "i64 -> i64"),
        (
            "def f (xs: []i32) (ys: []i32) = let g zs = length zs in g xs + g ys",
            "[n] [n1]. [n]i32 -> [n1]i32 -> i64",
        ),
        ("def f = let g 'a (x: a) = x in (g 1i8, g true)", "(i8, bool)"),
    ] {
        let found = type_of(text);
        if found != expected {
            wrong.push(format!("{text}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn wrong_programs() {
    let mut wrong = Vec::new();
    for (text, expected) in [
        ("def f (x: i32) = x + 1.5", vec!["E0209:1"]),
        ("def f (x: i32) (y: i64) = x + y", vec!["E0204:1"]),
        ("def f = foo 1\ndef g = 1 + true", vec!["E0201:1", "E0209:2"]),
        ("def f (x: i33) = x", vec!["E0202:1"]),
        ("def f [n] [m] (xs: [n]i32) (ys: [m]i32) = map2 (+) xs ys", vec!["E0301:1"]),
        ("def f (x: i32) = x 1", vec!["E0205:1"]),
        ("def g (x: i32) = x\ndef f = g 1 2", vec!["E0205:2"]),
        ("def f (r: {x: i32}) = r.y", vec!["E0206:1"]),
        ("def f x = x x", vec!["E0208:1"]),
        ("def f = (.a)", vec!["E0207:1"]),
        ("def f [n] (x: i32) = n", vec!["E0305:1"]),
        ("def f = [1, true]", vec!["E0209:1"]),
        ("def f = [[1, 2], [3]]", vec!["E0301:1"]),
        ("def f = map (\\i -> iota i) [1, 2]", vec!["E0302:1"]),
        ("def f [n] [m] (xss: [n][m]i32) = map (\\xs -> filter (> 0) xs) xss", vec!["E0302:1"]),
        ("def f = 300 : u8", vec!["E0212:1"]),
        ("def f x x = x", vec!["E0211:1"]),
        ("def f (b: bool) = if b then (\\x -> x + 1i32) else (\\x -> x)", vec!["E0215:1"]),
        ("def f x = x.foo", vec!["E0207:1"]),
        ("def f = i32.foo 1", vec!["E0203:1"]),
        ("def f (xs: []i32) = xs[0, 1]", vec!["E0216:1"]),
        ("entry f x = x", vec!["E0217:1"]),
        ("def f 1 = 2", vec!["E0213:1"]),
        ("def f (n: i64): [n]i32 = replicate (n + 1) 0", vec!["E0301:1"]),
        ("def f [n] (xs: [n]i32): [n]i32 = filter (> 0) xs", vec!["E0301:1"]),
    ] {
        let found = errors(text);
        if found != expected {
            wrong.push(format!("{text}\n  expected {expected:?}\n  found    {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
