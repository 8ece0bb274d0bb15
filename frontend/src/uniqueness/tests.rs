//! Programs with the errors of consumption that the language's reference gives them.

use crate::check::check_program;
use crate::parse::parse_program;
use crate::prelude::environment;
use fun_base::diag::Diagnostic;
use fun_base::source::Source;

fn source(text: &str) -> Source {
    Source { name: "t".into(), text: text.into() }
}

fn errors(text: &str) -> Vec<Diagnostic> {
    let shown =
        |errors: Vec<Diagnostic>| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let program = parse_program(&source(text), 0).map_err(shown).unwrap();
    match check_program(environment(), &program) {
        Ok(_) => Vec::new(),
        Err(errors) if errors.iter().all(|e| e.code.starts_with("E04")) => errors,
        Err(errors) => panic!("{text}: {}", shown(errors)),
    }
}

/// `code:line` of each error.
fn codes(text: &str) -> Vec<String> {
    let line = |d: &Diagnostic| source(text).loc(d.span().expect("consumption has a place").start).line;
    errors(text).iter().map(|d| format!("{}:{}", d.code, line(d))).collect()
}

fn check(table: &[(&str, &[&str])]) {
    let wrong: Vec<_> = table
        .iter()
        .map(|(text, expected)| (text, codes(text), expected))
        .filter(|(_, l, r)| l != *r)
        .collect();
    assert!(wrong.is_empty(), "program, errors, expected: {wrong:#?}");
}

#[test]
fn updates() {
    check(&[
        ("def f (xs: *[]i32) = xs with [0] = 1", &[]),
        ("def f (xs: *[]i32) = let xs[0] = 1 in xs", &[]),
        ("def f (xs: []i32) = xs with [0] = 1", &["E0402:1"]),
        ("def f (xs: []i32) = copy xs with [0] = 1", &[]),
        ("def f (xs: *[]i32) =\n let ys = xs with [0] = 1\n in xs[0] + ys[0]", &["E0401:3"]),
        ("def f (xs: *[]i32) =\n let y = xs[0]\n let ys = xs with [0] = y\n in ys", &[]),
        ("def f (xs: *[]i32) =\n let zs = xs\n let ys = xs with [0] = 1\n in zs[0] + ys[0]", &["E0401:4"]),
        (
            "def f (xs: *[]i32) =\n let zs = xs[1:]\n let ys = xs with [0] = 1\n in zs[0] + ys[0]",
            &["E0401:4"],
        ),
        ("def f (xs: *[]i32) =\n let zs = map (+1) xs\n let ys = xs with [0] = 1\n in zs[0] + ys[0]", &[]),
        ("def f (xs: *[][]i32) =\n let row = xs[0]\n in xs with [0, 0] = row[0]", &[]),
        ("def f (xs: *[][]i32) = xs with [0] = xs[1]", &["E0409:1"]),
        ("def f (xs: *[][]i32) = xs with [0] = copy xs[1]", &[]),
        ("def f (xs: *[]i32) = xs with [0] = xs[1]", &[]),
        ("def f (xs: *[]i32) = let xs[0] = 1 let xs[1] = xs[0] in xs", &[]),
        ("def f (n: i64) = let xs = iota n let xs[0] = 1 in xs", &[]),
        ("def f (n: i64) = let xs = iota n in (xs, xs with [0] = 1)", &["E0401:1"]),
        ("def f (xs: *[]i32) = (xs with [0] = 1)[0] + xs[0]", &["E0401:1"]),
        ("def f (xs: *[]i32) = xs[0] + (xs with [0] = 1)[0]", &[]),
        ("def c = [1, 2, 3]\ndef f (i: i64) = c with [i] = 1", &["E0404:2"]),
    ]);
}

#[test]
fn functions() {
    let g = "def g (xs: *[]i32): *[]i32 = xs with [0] = 1\n";
    let with_g = |table: &[(&str, &[&str])]| {
        let texts: Vec<String> = table.iter().map(|(text, _)| format!("{g}{text}")).collect();
        let table: Vec<(&str, &[&str])> =
            texts.iter().zip(table).map(|(text, (_, e))| (text.as_str(), *e)).collect();
        check(&table);
    };
    with_g(&[
        ("def f (xs: *[]i32) = g xs", &[]),
        ("def f (xs: []i32) = g xs", &["E0402:2"]),
        ("def f (xs: []i32) = g (copy xs)", &[]),
        ("def f (xs: *[]i32) =\n let ys = g xs\n in xs[0] + ys[0]", &["E0401:4"]),
        ("def f (xs: *[]i32) = g (g xs)", &[]),
        ("def f (xs: *[]i32) = (g xs, xs)", &["E0401:2"]),
        ("def f (xs: *[]i32) = (xs, g xs)", &["E0401:2"]),
        (
            "def h (xs: *[]i32) (ys: []i32) = (xs with [0] = 1)[0] + ys[0]\ndef f (xs: *[]i32) = h xs xs",
            &["E0408:3"],
        ),
        ("def h (xs: *[]i32) (y: i32) = xs with [0] = y\ndef f (xs: *[]i32) = h xs xs[0]", &[]),
        ("def f (xs: *[]i32) (is: []i64) = scatter xs is (map (+1) xs)", &[]),
        ("def f (xs: []i32) (is: []i64) (vs: []i32) = scatter xs is vs", &["E0402:2"]),
        ("def f (xss: *[][]i32) = map (\\xs -> reduce (+) 0 xs) xss", &[]),
        (
            "def id' (xs: []i32) = xs\ndef f (xs: *[]i32) =\n let ys = id' xs\n let zs = ys with [0] = 1\n in xs[0] + zs[0]",
            &["E0401:6"],
        ),
        (
            "def new (xs: []i32) = map (+1) xs\ndef f (xs: []i32) =\n let ys = new xs\n in ys with [0] = xs[0]",
            &[],
        ),
        ("def f (xs: []i32) = map (\\x -> let ys = g xs in ys[0] + x) xs", &["E0403:2"]),
    ]);
}

#[test]
fn results() {
    check(&[
        ("def f (xs: []i32): *[]i32 = xs", &["E0405:1"]),
        ("def f (xs: *[]i32): *[]i32 = xs", &[]),
        ("def f (xs: []i32): *[]i32 = copy xs", &[]),
        ("def f (xs: []i32): *[]i32 = xs[1:]", &["E0405:1"]),
        ("def f (xs: []i32): *[]i32 = map (+1) xs", &[]),
        ("def f (b: bool) (xs: []i32) (ys: *[]i32): *[]i32 = if b then xs else ys", &["E0405:1"]),
        ("def f (n: i64): (*[n]i64, *[n]i64) = let xs = iota n in (xs, xs)", &["E0406:1"]),
        ("def f (n: i64): (*[n]i64, *[n]i64) = (iota n, iota n)", &[]),
        ("def f (p: (*[]i32, []i32)): *[]i32 = p.0", &[]),
        ("def c = [1, 2]\ndef f (i: i64) = if i == 0 then c else c", &["E0411:2"]),
        ("def c = [1, 2]\ndef f (i: i64) = c[i]", &[]),
        ("def c = [1, 2]\ndef f (i: i64) = map (+ i32.i64 i) (copy c)", &[]),
    ]);
}

#[test]
fn branches() {
    check(&[
        ("def f (b: bool) (xs: *[]i32) = if b then xs with [0] = 1 else xs", &[]),
        (
            "def f (b: bool) (xs: *[]i32) =\n let ys = if b then xs with [0] = 1 else [1]\n in xs[0] + ys[0]",
            &["E0401:3"],
        ),
        (
            "def f (b: bool) (xs: *[]i32) (ys: *[]i32) =\n let zs = if b then xs else ys\n let zs[0] = 1\n in zs[0] + ys[0]",
            &["E0401:4"],
        ),
        ("def f (b: bool) (xs: *[]i32) = if b then (xs with [0] = 1)[0] else (xs with [1] = 2)[0]", &[]),
    ]);
}

#[test]
fn loops() {
    check(&[
        ("def f (xs: *[]i32) = loop ys = xs for i < 3 do ys with [i] = 1", &[]),
        ("def f (xs: []i32) = loop ys = xs for i < 3 do ys with [i] = 1", &["E0402:1"]),
        ("def f (xs: []i32) = loop ys = copy xs for i < 3 do ys with [i] = xs[i]", &[]),
        ("def f (xs: *[]i32) = loop ys = xs for i < 3 do ys with [i] = xs[i]", &["E0401:1"]),
        (
            "def f (xs: *[]i32) =\n let ys = loop ys = xs for i < 3 do ys with [i] = 1\n in ys[0] + xs[0]",
            &["E0401:3"],
        ),
        ("def f (xs: *[]i32) = loop s = 0 for i < 3 do s + (xs with [0] = i)[0]", &["E0403:1"]),
        ("def f (xs: *[]i32) = loop ys = [1, 2] :> [2]i32 for i < 3 do let zs = ys with [0] = i in zs", &[]),
        ("def f (xs: *[]i32) = loop (as, bs) = (xs, copy xs) for i < 3 do (bs, as with [0] = i)", &[]),
        (
            "def f (xs: *[2]i32) (ys: [2]i32) = loop zs = xs for i < 3 do let us = zs with [0] = i in if us[0] > 2 then us else ys",
            &["E0407:1"],
        ),
        ("def f (xss: *[][]i32) =\n loop acc = 0 for xs in xss do acc + (xs with [0] = 1)[0]", &["E0402:2"]),
        ("def f (xs: *[]i32) = loop ys = xs while ys[0] < 10 do ys with [0] = ys[0] + 1", &[]),
        (
            "def f [n] (xss: *[n][n]i32) =\n let last = loop row = xss[0] for row' in xss do row'\n let xss[0, 0] = 1\n in last[0] + xss[0, 0]",
            &["E0401:4"],
        ),
    ]);
}

#[test]
fn records() {
    check(&[
        ("def f (r: *{a: []i32, b: []i32}) = r.a with [0] = r.b[0]", &[]),
        ("def f (r: *{a: []i32, b: []i32}) =\n let as = r.a with [0] = 1\n in as[0] + r.a[0]", &["E0401:3"]),
        ("def f (r: *{a: []i32, b: []i32}) =\n let as = r.a with [0] = 1\n in as[0] + r.b[0]", &[]),
        ("def f (r: *{a: []i32, b: []i32}) = r with a = (r.a with [0] = 1)", &[]),
        ("def f (r: *{a: []i32, b: []i32}) = r with a[0] = 1", &[]),
        ("def f (r: {a: []i32, b: []i32}) = r with a[0] = 1", &["E0402:1"]),
        ("def f (r: {a: []i32, b: []i32}) = r with a = [1, 2, 3]", &[]),
        ("def f (xs: *[]i32) =\n let (a, b) = (xs, 1)\n let a[0] = b\n in (a, xs)", &["E0401:4"]),
        ("def f (xs: *[]i32) (ys: *[]i32) =\n let p = (xs, ys)\n let xs[0] = 1\n in p.1[0] + xs[0]", &[]),
    ]);
}

#[test]
fn closures() {
    check(&[
        ("def f (xs: *[]i32) = map (\\i -> (xs with [0] = i)[0]) [1, 2]", &["E0403:1"]),
        ("def f (xs: *[]i32) =\n let g (i: i64) = xs[i]\n let xs[0] = 1\n in g 0 + xs[0]", &["E0401:4"]),
        ("def f (xs: *[]i32) =\n let g (i: i64) = xs[i]\n let y = g 0\n let xs[0] = y\n in xs", &[]),
        ("def f (xss: [][]i32) = map (\\xs -> xs with [0] = 1) xss", &["E0402:1"]),
        ("def f (xss: [][]i32) = map (\\xs -> copy xs with [0] = 1) xss", &[]),
        ("def f (n: i64) = map (\\i -> let xs = iota 3 in xs with [0] = i) (iota n)", &[]),
        ("def g (xs: *[]i32) = xs with [0] = 1\ndef f (xss: [][]i32) = map g xss", &["E0412:2"]),
        ("def f (xs: *[]i32) =\n let g = let ys = xs with [0] = 1 in \\i -> ys[i]\n in g 0i64", &["E0410:2"]),
    ]);
}

#[test]
fn texts() {
    let text = "def g (xs: *[]i32) = xs with [0] = 1\ndef f (xs: *[]i32) =\n  let zs = xs[1:]\n  let ys = g xs\n  in zs[0] + ys[0]";
    let [error] = &errors(text)[..] else { panic!("one error") };
    assert_eq!(error.message, "`zs` is used after `xs`, which may be the same array, was consumed");
    let place = |span: fun_base::source::Span| {
        let loc = source(text).loc(span.start);
        (loc.line, loc.column)
    };
    assert_eq!(error.span().map(place), Some((5, 6)));
    let [(span, label)] = &error.labels[..] else { panic!("one label") };
    assert_eq!((place(*span), label.as_str()), ((4, 14), "consumed here, by passing it to `g`"));
}

#[test]
fn the_prelude_consumes_nothing_that_it_must_not() {
    for name in crate::prelude::prelude().names() {
        let program = parse_program(&source(&format!("def it = ({name})")), 0).unwrap();
        let errors = check_program(environment(), &program).err().unwrap_or_default();
        assert!(errors.is_empty(), "{name}: {errors:?}");
    }
}
