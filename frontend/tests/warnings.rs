//! What the front end warns of, and what it does not.

use fun_base::source::Source;

/// The warnings of a program as `CODE:line`.
fn warnings(text: &str) -> Vec<String> {
    let source = Source { name: "test.fut".into(), text: text.into() };
    let checked = fun_frontend::compile::check(&source).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
    let line = |at: usize| text[..at].matches('\n').count() + 1;
    let warnings = checked.warnings.iter();
    warnings
        .map(|warning| {
            format!(
                "{}:{}",
                warning.code,
                warning.primary.as_ref().map_or(0, |(span, _)| line(span.start as usize))
            )
        })
        .collect()
}

#[test]
fn names_that_nothing_uses() {
    assert_eq!(warnings("def f (x: i32) =\n  let y = x\n  let z = y\n  in y"), ["W0503:3"]);
    assert_eq!(warnings("def f (x: i32) =\n  let g y = y + x\n  in x"), ["W0503:2"]);
    assert_eq!(warnings("def f (x: i32) = let (a, b) = (x, x) in a"), ["W0503:1"]);
    assert_eq!(warnings("def f (x: i32) = let {a, b = c} = {a = x, b = x} in a"), ["W0503:1"]);
    // the inner name hides the outer one
    assert_eq!(warnings("def f (x: i32) =\n  let y = x\n  let y = 1 + x\n  in y"), ["W0503:2"]);
}

#[test]
fn names_that_something_uses() {
    let nothing: [&str; 10] = [
        "def f (x: i32) = let _y = x in x",
        "def f (x: i32) = let _ = x in x",
        "def f (x: i32) = let y = x in {y}",
        "def f (x: i32) = let r = {a = x} in r.a",
        "def f (xs: *[]i32) = let ys = xs let ys[0] = 1 in ys",
        "def f (n: i64) = let m = n in (iota n) :> [m]i64",
        "def f (n: i32) = let acc = 0 in loop acc for i < n do acc + i",
        "def f (x: i32) = let add a b = a + b in x `add` x",
        "def f (n: i64) = let m = n let k (xs: [m]i32) = xs[0] in k (replicate m 1)",
        "def f (x: i32) y = x",
    ];
    for text in nothing {
        assert_eq!(warnings(text), [""; 0], "{text}");
    }
}

#[test]
fn types_by_default() {
    assert_eq!(warnings("def plus x y = x + y"), ["W0504:1"]);
    assert_eq!(warnings("def plus (x: i32) y = x + y"), [""; 0]);
    assert_eq!(warnings("def three = 3"), [""; 0]);
}

#[test]
fn stars_without_effect_and_comparison_of_arrays() {
    assert_eq!(warnings("type t = (i32, f32)\ndef f (x: *t) = x.0"), ["W0505:2"]);
    assert_eq!(warnings("def f 'a (x: *a) = x\ndef g (x: *[]i32) = x"), [""; 0]);
    assert_eq!(warnings("def f [n] (x: [n]i32) (y: [n]i32) =\n  x == y"), ["W0506:2"]);
    assert_eq!(warnings("def f (x: i32) = x == 1 && (x, 2) != (1, 2)"), [""; 0]);
}
