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

/// Each passes the one before to a function that applies it twice.
fn through_another(start: &str, count: usize) -> String {
    chain(start, "let f0 (x: i64) = x * n + y", count, "let $f (x: i64) = twice $g x", "$f x + $f (x + 1)")
}

#[test]
fn passed_to_functions_that_apply_them_twice() {
    let entry = "entry main (n: i64) (x: i64) (y: i64): i64 =";
    let local = format!("{entry}\n  let twice f (x: i64): i64 = f (f x)");
    let global = format!("def twice f (x: i64): i64 = f (f x)\n{entry}");
    for start in [local, global] {
        // with n = 1 each application adds y, and there are 2^10 of them for each of x and x + 1
        gives(&lowered(&through_another(&start, 10)), "1i64 4i64 3i64", "6153i64");
        let (once, twice) =
            (lines(&lowered(&through_another(&start, 15))), lines(&lowered(&through_another(&start, 30))));
        assert!(twice < 3 * once, "{once} lines, then {twice}\n{start}");
    }
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

/// That an argument has the size that was captured is known inside: nothing is asserted, and results are added without a check.
#[test]
fn sizes_of_parameters_may_be_captured() {
    // 2^10 * (y + n), with the size of the others, which is no parameter; then 2^10 more for each of `ones`
    let source = chain(
        "entry main [n] (xs: [n]i64) (ys: [n]i64): [n]i64 =",
        "let f0 (z: [n]i64) = map2 (+) (map (+ n) z) ys",
        10,
        "let $f (z: [n]i64) = map2 (+) ($g z) ($g (map (\\x -> x) z))",
        "map2 (+) ($f xs) ($f (map (+ 1) xs))",
    );
    let program = lowered(&source);
    assert!(program.functions.len() > 1, "{program}");
    assert!(!program.to_string().contains("assert"), "{program}");
    // twice 2^10 * (x + 2 + y), and 2^10 more
    gives(&program, "[0i64, 1i64] [10i64, 20i64]", "[25600i64, 48128i64]");
}

#[test]
fn sizes_of_captured_arrays_that_were_computed() {
    // k = length xs + 1; 2^10 * (sum of 0 .. k - 1 + z) for each z
    let source = chain(
        "entry main (xs: []i64): []i64 =\n  let k = length xs + 1\n  let ys = iota k",
        "let f0 (z: [k]i64) = map (+ reduce (+) 0 ys) z",
        10,
        "let $f (z: [k]i64) = map2 (+) ($g z) ($g z)",
        "map2 (+) ($f ys) ($f (replicate k 1))",
    );
    // sum is 3: 2^10 * (3 + i) + 2^10 * 4
    gives(&lowered(&source), "[5i64, 5i64]", "[7168i64, 8192i64, 9216i64]");
}

/// One of them is polymorphic and is used at types of values and of functions, the latter inside of another that is called.
#[test]
fn polymorphic_functions_and_functions_of_functions() {
    let id = chain(
        "entry main (n: i64) (x: i64): i64 =",
        "let f0 (x: i64) = x + n",
        10,
        "let $f (x: i64) = $g x + $g x",
        "",
    );
    let source = format!(
        "{}  let keep '^a (y: a): a = let _ = f10 0 in let _ = f10 1 in y\n  \
         let twice (g: i64 -> i64) (y: i64): i64 = g (f10 y) + g (f10 y)\n  \
         let all (y: i64): i64 = keep (f10 y) + keep (\\z -> z + 1) y + twice (\\z -> z - 1) y\n  \
         in all x + all (x + 1)\n",
        id.trim_end().trim_end_matches("in")
    );
    let of = |n: i64, x: i64| 1024 * (x + n) + (x + 1) + 2 * (1024 * (x + n) - 1);
    let expected = of(2, 3) + of(2, 4);
    gives(&lowered(&source), "2i64 3i64", &format!("{expected}i64"));
}

/// What a function inside of another has captured is among what the other has.
#[test]
fn functions_inside_of_functions() {
    let of = |count: usize| {
        chain(
            "entry main (n: i64) (x: i64): i64 =",
            "let f0 (x: i64) = x + n",
            count,
            "let $f (x: i64) =\n    let h (y: i64) = $g (y + x) + $g (y - x)\n    in h 1 + h 2",
            "$f x + $f x",
        )
    };
    let (once, twice) = (lines(&lowered(&of(15))), lines(&lowered(&of(30))));
    assert!(twice < 3 * once, "{once} lines, then {twice}");
    // The first gives 6 + 4 * n for each x, each further one four times as much.
    gives(&lowered(&of(6)), "5i64 3i64", "53248i64");
}
