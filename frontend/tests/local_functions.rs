//! Local functions that are called: chains of them, each of which applies the one before twice. Expected values come from sums of binomial
//! coefficients: what the last of k functions gives is the sum over j of `k over j` times what the first gives at `x + j`.

use fun::check::{Phase, check_program, errors_to_string};
use fun_base::run::Limits;
use fun_base::source::Source;
use fun_base::value::{Value, ValueReader};
use fun_frontend::{check, lower, parse, prelude, uniqueness};

fn values(text: &str) -> Vec<Value> {
    ValueReader::new(text.as_bytes()).read_all().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn lowered(source: &str) -> fun::ir::Program {
    let file = Source { name: "test.fut".into(), text: source.into() };
    let syntax = parse::parse_program(&file, 0).unwrap_or_else(|errors| panic!("{errors:?}"));
    let checked =
        check::check_program(prelude::environment(), &syntax).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert!(uniqueness::check_consumption(&checked.program, 0).is_empty(), "{source}");
    let lowered = lower::lower_program(&checked.program, std::slice::from_ref(&file));
    let program = lowered.unwrap_or_else(|errors| panic!("{errors:?}")).program;
    if let Err(errors) = check_program(&program, Phase::Soac) {
        panic!("{source}\n{}\n{program}", errors_to_string(&errors));
    }
    program
}

/// A chain of `count` functions behind a first one: `step` is what the function `f` of the body gives, with `g` for the one before.
fn chain(start: &str, first: &str, count: usize, step: &str, end: &str) -> String {
    let mut text = format!("{start}\n  {first}\n");
    for k in 1..=count {
        let (f, g) = (format!("f{k}"), format!("f{}", k - 1));
        text += &format!("  {}\n", step.replace("$f", &f).replace("$g", &g));
    }
    text + &format!("  in {}\n", end.replace("$f", &format!("f{count}")))
}

fn lines(program: &fun::ir::Program) -> usize {
    program.to_string().lines().count()
}

#[track_caller]
fn gives(program: &fun::ir::Program, input: &str, output: &str) {
    let results = fun::interp::run(program, "main", &values(input), Limits::default());
    let results = results.unwrap_or_else(|error| panic!("{error}\n{program}"));
    let expected = values(output);
    let same = results.len() == expected.len() && results.iter().zip(&expected).all(|(a, b)| a.same(b));
    assert!(same, "{results:?}\nexpected {expected:?}\n{program}");
}

fn of_scalars(count: usize) -> String {
    chain(
        "entry main (n: i64) (x: i64) (ys: []i64): i64 =",
        "let f0 (x: i64) = x * n + ys[0]",
        count,
        "let $f (x: i64) = $g x + $g (x + 1)",
        "$f x + $f (x + 1)",
    )
}

#[test]
fn captured_scalars_and_arrays() {
    // the sum of `11 over j` times `(x + j) * n + y`: 2^11 * (x * n + y) + 11 * 2^10 * n
    gives(&lowered(&of_scalars(10)), "5i64 3i64 [7i64, 1i64]", "101376i64");
}

#[test]
fn chains_are_as_long_as_their_text() {
    let (once, twice) = (lines(&lowered(&of_scalars(40))), lines(&lowered(&of_scalars(80))));
    assert!(twice < 3 * once, "{once} lines, then {twice}");
}

/// Each applies the two before: what several have captured must be gone through once.
#[test]
fn functions_that_share_what_they_capture() {
    let mut text =
        "entry main (n: i64) (x: i64): i64 =\n  let f0 (x: i64) = x + n\n  let f1 (x: i64) = f0 x + 1\n"
            .to_owned();
    for k in 2..=60 {
        text += &format!("  let f{k} (x: i64) = f{} x + f{} x\n", k - 1, k - 2);
    }
    let program = lowered(&format!("{text}  in f60 x + f60 (x + 1)\n"));
    assert!(lines(&program) < 20_000, "{} lines", lines(&program));
}

#[test]
fn arrays_of_any_size() {
    // 2^10 * (y + n) for the array, and the same for the other size
    let source = chain(
        "entry main (n: i64) (xs: []i64) (zs: []i64): ([]i64, []i64) =",
        "let f0 (ys: []i64) = map (+ n) ys",
        10,
        "let $f (ys: []i64) = map2 (+) ($g ys) ($g ys)",
        "($f xs, $f zs)",
    );
    gives(&lowered(&source), "1i64 [0i64, 1i64] [2i64]", "[1024i64, 2048i64] [3072i64]");
}

#[test]
fn inside_of_maps_and_loops() {
    // 2^10 * (x * n) + 10 * 2^9 * n for each x, and the loop adds the one for 0 three times: n + 10 * 2^9 * n * 3
    let source = chain(
        "entry main (n: i64) (xs: []i64): ([]i64, i64) =",
        "let f0 (x: i64) = x * n",
        10,
        "let $f (x: i64) = $g x + $g (x + 1)",
        "(map $f xs, loop sum = n for _i < 3 do sum + $f 0)",
    );
    gives(&lowered(&source), "2i64 [0i64, 1i64]", "[10240i64, 12288i64] 30722i64");
}

#[test]
fn types_and_sizes_of_functions_around() {
    // 2^10 copies of the first element, summed by the operator that is given
    let source = chain(
        "def pick 't [k] (op: t -> t -> t) (xs: [k]t): t =",
        "let f0 (i: i64) = xs[i % k]",
        10,
        "let $f (i: i64) = op ($g i) ($g i)",
        "op ($f 0) ($f 1)",
    ) + "entry main (xs: []i64) (ys: []f64): (i64, f64) = (pick (+) xs, pick (*) ys)\n";
    gives(&lowered(&source), "[3i64, 4i64] [1f64, 1f64]", "7168i64 1f64");
}

#[test]
fn functions_that_fail_do_so_where_they_are_called() {
    let source = chain(
        "entry main (xs: []i64) (i: i64): i64 =",
        "let f0 (i: i64) = xs[i]",
        10,
        "let $f (i: i64) = $g i + $g (i + 1)",
        "$f i + $f i",
    );
    let error = fun::interp::run(&lowered(&source), "main", &values("[1i64, 2i64] 0i64"), Limits::default());
    let error = error.expect_err("index 2 is out of bounds");
    assert_eq!(error.kind, fun_base::run::RunErrorKind::Assert, "{error}");
    assert!(error.message.contains("out of bounds"), "{error}");
}
