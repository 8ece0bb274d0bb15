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
        ("def f xs = zip xs", "[n] 'a 'b. [n]a -> [n]b -> *[n](a, b)"),
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
        ("def f (xs: []i32) = (map (+ 1) >-> filter (> 3) >-> length) xs", "[n]. [n]i32 -> i64"),
        ("def f 'a 'b 'c (g: a -> b) (h: b -> c) = g >-> h", "'a 'b 'c. (a -> b) -> (b -> c) -> a -> c"),
        (
            "def f [n] (xs: [n]i32) = let [m] (ys: [m]i32) = filter (> 0) xs in (m, zip ys (iota m))",
            "[n]. [n]i32 -> ?[k].(i64, [k](i32, i64))",
        ),
        ("def f = let g [n] (xs: [n]i32) = n in g [1, 2] + g [3]", "i64"),
        (
            "def f (xs: []i32) = let n = length xs in let ys = xs :> [n]i32 in zip ys (iota n)",
            "[n]. (xs: [n]i32) -> [length xs](i32, i64)",
        ),
        ("def f (x: i32) = if x > 0 then iota 3 else if x < 0 then iota 4 else iota 5", "i32 -> ?[k].[k]i64"),
        ("def f (b: bool) = if b then ([1, 2], [3u8, 4]) else ([1], [2])", "bool -> ?[k].([k]i32, [k]u8)"),
        ("def f (xs: [][]f32) = map (.[1:3]) xs", "[n] [n1]. [n][n1]f32 -> [n][2]f32"),
        (
            "def f 'a [n] (p: a -> bool) (xs: [n]a) = let (a, b) = partition p xs in a ++ b",
            "[n] 'a. (a -> bool) -> [n]a -> [n]a",
        ),
        (
            "def f (m: i64) (n: i64) = tabulate_2d m n (\\i j -> i * n + j) |> transpose |> flatten",
            "(m: i64) -> (n: i64) -> [n * m]i64",
        ),
        (
            "def f 't (xs: []t) (i: i64) (y: t) = concat (take i xs) (concat [y] (drop i xs))",
            "[n] 't. [n]t -> i64 -> t -> [n + 1]t",
        ),
        (
            "def f (n: i64) = map (\\i -> let m = n + 1 in replicate m i) (iota n)",
            "(n: i64) -> [n][n + 1]i64",
        ),
        (
            "def f [n] [m] (r: {xs: [n]i32, y: bool}) (ys: [m]i32) = r with xs = ys",
            "[n] [m]. {xs: [n]i32, y: bool} -> [m]i32 -> {xs: [m]i32, y: bool}",
        ),
        ("type~ opened = []i32\ndef f (xs: opened): opened = filter (> 0) xs", "[n]. [n]i32 -> ?[k].[k]i32"),
        (
            "def halve [n] (xs: [n]i32) = xs[0:n / 2]\ndef f (xs: []i32) = zip (halve xs) (halve xs)",
            "[n]. [n]i32 -> [n / 2](i32, i32)",
        ),
        (
            "def tail [n] 't (xs: [2 ** n]t) = xs[0]\ndef f [k] (xs: [2 ** k]bool) = tail xs",
            "[k]. [2 ** k]bool -> bool",
        ),
        ("def f (n: i64): [n]i64 = iota (assert (n > 10) n)", "(n: i64) -> [n]i64"),
        (
            "def apply '^a '^b (f: a -> b) (x: a): b = f x\ndef f (xs: []i32) = apply (filter (> 1)) xs",
            "[n]. [n]i32 -> ?[k].[k]i32",
        ),
        (
            "def g (n: i64): []i64 = iota n\ndef f (k: i64) = map (\\i -> map (+ i) (g 3)) (iota k)",
            "(k: i64) -> [k][3]i64",
        ),
        ("def f = {f = reverse, g = length}", "[n] [n1] 'a 'b. {f: [n]a -> [n]a, g: [n1]b -> i64}"),
        ("def f (x: i32) (y: i32) = let g v = v.0 in g (x, y)", "i32 -> i32 -> i32"),
        (
            "def f (n: i64) (xs: [n]i32) = loop ys = xs while ys[0] < 9 do map (+ 1) ys",
            "(n: i64) -> [n]i32 -> [n]i32",
        ),
        (
            "def f (cs: []i32) (m: []bool) = loop (cs, m) = (cs, m) while m[0] do unzip (zip cs m)",
            "[n]. [n]i32 -> [n]bool -> ([n]i32, [n]bool)",
        ),
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
        ("def f [m] (m: [m]i64) = m", vec!["E0211:1"]),
        ("type t [n] [n] = [n][n]i32", vec!["E0211:1"]),
        ("type t [n] = i32", vec!["E0305:1"]),
        ("type t = [](i32)", vec!["E0303:1"]),
        ("def f (_x: i32) = _x", vec!["E0218:1"]),
        ("def (&&) (a: bool) (b: bool) = a", vec!["E0211:1"]),
        (
            "def f (b: bool) (xs: []i32) =\n  let a = [] : [][]i32\n  let b = [filter (> 0) xs]\n  in a[0] == b[0]",
            vec!["E0306:2"],
        ),
        ("def f xs n = zip xs (iota n)", vec!["E0306:1"]),
        ("def main xs = zip xs (iota xs[0])", vec!["E0301:1"]),
        ("def f = let [n] [m] (xss: [n][m]i64) = [] in (n, m)", vec!["E0304:1"]),
        ("def f x = let g 'b (y: b) = if true then y else x in g", vec!["E0302:1"]),
        (
            "def f (x: bool) = let (n, _) = if x then (10, true) else (20, true) in \\(_: [n]bool) -> true",
            vec!["E0302:1"],
        ),
        (
            "def f [n] (xs: [n]i32) (ys: [n]i32) =\n  loop (xs, ys) = (xs, ys) for i < 10 do\n    let zs = filter (> 0) (map2 (+) xs ys)\n    in (xs, zs)",
            vec!["E0301:4"],
        ),
        ("entry f [x] (_: [x + 1]i32) = x", vec!["E0217:1"]),
        ("def main (f: i32 -> i32) = f 1", vec!["E0217:1"]),
        ("def f = foo\ndef g = f + 1\ndef h = g * 2", vec!["E0201:1"]),
        ("def f (x: i32) = match x case 0 -> 1 case 2 -> 2", vec!["E0220:1"]),
        ("def f (n: i64): i64 -> i64 = \\m -> if n == 0 then m else f (n - 1) m", vec!["E0219:1"]),
        ("module m = { def x = 1 }\ndef f = m.y + y", vec!["E0203:2", "E0201:2"]),
        ("def f = map (\\x y -> x + y) [1, 2, 3]", vec!["E0215:1"]),
        ("def f (xs: []i32) (b: bool) = zip (if b then xs else filter (> 0) xs) xs", vec!["E0302:1"]),
        ("type^ fs = i32 -> i32\ndef f (xs: [3]fs) = 1", vec!["E0215:2"]),
    ] {
        let found = errors(text);
        if found != expected {
            wrong.push(format!("{text}\n  expected {expected:?}\n  found    {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_book_lists_every_name_of_the_prelude() {
    let page = include_str!("../../../docs/prelude.md").replace("\\|", "|");
    let members =
        fun_base::prim::PrimType::NUMERIC_AND_BOOL.into_iter().flat_map(super::module::member_names);
    let mut missing: Vec<String> = environment()
        .scope
        .values
        .keys()
        .map(|name| name.as_str().to_owned())
        .chain(crate::prelude::prelude().names().map(|name| name.as_str().to_owned()))
        .chain(members.map(str::to_owned))
        .filter(|name| !page.contains(&format!("`{name}`")))
        .collect();
    missing.sort();
    missing.dedup();
    assert!(missing.is_empty(), "docs/prelude.md does not list {missing:?}");
}
