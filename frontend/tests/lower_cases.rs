//! Source programs of every construct, lowered and run in the FUN interpreter. Expected values come from the meaning of the
//! language.

use fun::check::{Phase, check_program, errors_to_string};
use fun_base::diag::Diagnostic;
use fun_base::run::Limits;
use fun_base::source::Source;
use fun_base::value::{Value, ValueReader};
use fun_frontend::{check, lower, parse, prelude, uniqueness};

fn values(text: &str) -> Vec<Value> {
    ValueReader::new(text.as_bytes()).read_all().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn compile(file: &Source) -> Result<lower::Lowered, Vec<Diagnostic>> {
    let syntax = parse::parse_program(file, 0)?;
    let checked = check::check_program(prelude::environment(), &syntax)?;
    let faults = uniqueness::check_consumption(&checked.program, 0);
    if !faults.is_empty() {
        return Err(faults);
    }
    lower::lower_program(&checked.program, std::slice::from_ref(file))
}

/// The values that the program gives, or the message with which it stops.
fn run(source: &str, input: &str) -> Result<Vec<Value>, String> {
    let file = Source { name: "test.fut".into(), text: source.into() };
    let compiled = compile(&file).unwrap_or_else(|errors| {
        let errors: Vec<String> = errors.iter().map(|error| format!("{error} {:?}", error.primary)).collect();
        panic!("{source}\n{}", errors.join("\n"))
    });
    let text = compiled.program.to_string();
    if let Err(errors) = check_program(&compiled.program, Phase::Soac) {
        panic!("{source}\n{}\n{text}", errors_to_string(&errors));
    }
    fun::interp::run(&compiled.program, "main", &values(input), Limits::default()).map_err(|error| {
        assert_eq!(error.kind, fun_base::run::RunErrorKind::Assert, "{source}\n{error}\n{text}");
        error.message
    })
}

#[track_caller]
fn expect(source: &str, input: &str, output: &str) {
    match run(source, input) {
        Ok(results) => {
            let expected = values(output);
            let same =
                results.len() == expected.len() && results.iter().zip(&expected).all(|(a, b)| a.same(b));
            assert!(same, "{source}\n{results:?}\nexpected {expected:?}");
        }
        Err(message) => panic!("{source}\n{message}"),
    }
}

#[track_caller]
fn expect_failure(source: &str, input: &str, message: &str) {
    match run(source, input) {
        Ok(results) => panic!("{source}\ngave {results:?}"),
        Err(actual) => assert!(actual.to_lowercase().contains(&message.to_lowercase()), "{source}\n{actual}"),
    }
}

#[test]
fn scalars_and_operators() {
    expect("def main (x: i32) (y: i32): i32 = x * y - 3", "6i32 7i32", "39i32");
    expect(
        "def main (x: i32) (y: i32) = (x / y, x % y, x // y, x %% y)",
        "-7i32 2i32",
        "-4i32 1i32 -3i32 -1i32",
    );
    expect("def main (x: f64): f64 = -x ** 2 + f64.sqrt 4", "3f64", "11f64");
    expect("def main (x: u8): (u8, i32, f32) = (x + 250, i32.u8 x, f32.u8 x)", "10u8", "4u8 10i32 10f32");
    expect(
        "def main (x: bool) (y: bool) = (x && y, x || y, !x, x == y)",
        "true false",
        "false true false false",
    );
    expect("def main (x: i64): i64 = x << 3 ^ 1 | 4 & 6", "2i64", "4i64");
    expect("def main (x: i32): i32 = i32.max (i32.abs x) 3", "-9i32", "9i32");
    expect(
        "def main = (0x1Fi32, 0b101u8, 1_000i64, ('a': u8), 0x1.0p3f64)",
        "",
        "31i32 5u8 1000i64 97u8 8f64",
    );
}

#[test]
fn operators_that_fail() {
    expect_failure("def main (x: i32) (y: i32) = x / y", "1i32 0i32", "division by zero");
    expect_failure("def main (x: i32) (y: i32) = x %% y", "1i32 0i32", "division by zero");
    expect_failure("def main (x: i32) (y: i32) = x ** y", "1i32 -1i32", "negative exponent");
    expect("def main (x: f32) (y: f32) = x / y", "1f32 0f32", "f32.inf");
}

#[test]
fn let_functions_and_lambdas() {
    expect("def main (x: i32) = let y = x + 1 let (a, b) = (y, y * 2) in a + b", "3i32", "12i32");
    expect("def main (x: i32) = let f a b = a * x + b in f 2 3 + f 4 5", "10i32", "68i32");
    expect(
        "def twice 'a (f: a -> a) (x: a): a = f (f x) def main (x: i32) = twice (+ 3) x |> twice (2 *)",
        "1i32",
        "28i32",
    );
    expect(
        "def apply 'a 'b (f: a -> b) (x: a) = f x def main (x: i32) = (apply (\\y -> y + 1) x, apply f32.i32 x)",
        "4i32",
        "5i32 4f32",
    );
    expect("def compose f g x = f (g x) def main (x: i64) = compose (* 2) (+ 1) x", "4i64", "10i64");
    expect("def main (x: i32) = (>->) (+ 1) (* 2) x", "4i32", "10i32");
    expect("def main (x: i32) = ((x -), 1i32) |> \\(f, _) -> f 3", "10i32", "7i32");
    expect("def f (x: i32) (y: i32) = x - y def main (x: i32) = map (f x) [1, 2]", "10i32", "[9i32, 8i32]");
    expect("def main (x: i32) = let id 'a (y: a) = y in (id x, id true)", "1i32", "1i32 true");
}

#[test]
fn records() {
    expect("def main (x: i32) = let r = {a = x, b = 2f32} in (r.b, r.a)", "1i32", "2f32 1i32");
    expect(
        "def main (x: i32) = let r = {a = x, b = {c = 1i32, d = true}} with b.c = 7 in (r.a, r.b.c, r.b.d)",
        "5i32",
        "5i32 7i32 true",
    );
    expect("def main (x: i32) = (x, (x + 1, x + 2)).1.0", "1i32", "2i32");
    expect("def main (x: i32) = map (.b) [{a = x, b = 1i32}, {a = 2, b = x}]", "9i32", "[1i32, 9i32]");
    expect("def f {x: i32, y: i32} = x - y def main (a: i32) = f {y = 1, x = a}", "9i32", "8i32");
}

#[test]
fn branches() {
    expect("def main (x: i32) = if x > 0 then x else -x", "-4i32", "4i32");
    expect(
        "def main [n] (b: bool) (xs: [n]i32): [n]i32 = if b then xs else map (+ 1) xs",
        "false [1i32, 2i32]",
        "[2i32, 3i32]",
    );
    expect(
        "def main (b: bool) (n: i64) = if b then iota n else iota (n + 1)",
        "false 2i64",
        "[0i64, 1i64, 2i64]",
    );
    expect("def main (x: i32) = x > 0 && 10 / x > 2", "0i32", "false");
    expect("def main (x: i32) = x == 0 || 10 / x > 2", "0i32", "true");
    expect(
        "def main (b: bool) (x: i32) = let (p, q) = if b then (x, [x]) else (2, [x + 1]) in q[0] - p",
        "false 5i32",
        "4i32",
    );
}

#[test]
fn loops() {
    expect("def main (n: i32) = loop acc = 1 for i < n do acc * (i + 1)", "5i32", "120i32");
    expect("def main (n: i32) = loop (a, b) = (0i32, 1i32) for _i < n do (b, a + b)", "10i32", "55i32 89i32");
    expect(
        "def main [n] (xs: [n]i32) = loop acc = 0 for x in xs do acc * 10 + x",
        "[1i32, 2i32, 3i32]",
        "123i32",
    );
    expect(
        "def main [n] (xs: [n](i32, i32)) = loop acc = 0 for (x, y) in xs do acc + x * y",
        "[1i32, 2i32] [3i32, 4i32]",
        "11i32",
    );
    expect(
        "def main (n: i64) = (loop (n, k) = (n, 0i32) while n != 1 do (if n % 2 == 0 then n / 2 else 3 * n + 1, k + 1)).1",
        "6i64",
        "8i32",
    );
    expect("def main (n: i64) = loop xs = iota n for _i < 2i32 do map (+ 1) xs", "2i64", "[2i64, 3i64]");
    expect("def main (k: i32) = loop xs = [1i32] for _i < k do xs ++ xs", "2i32", "[1i32, 1i32, 1i32, 1i32]");
    expect(
        "def main (n: i64) = length (loop xs = iota n while length xs > 3 do take (length xs / 2) xs)",
        "20i64",
        "2i64",
    );
    expect("def main (n: i8) = loop acc = 0i32 for i < n do acc + i32.i8 i", "4i8", "6i32");
    expect("def main (x: i32) = let n = 3 in loop x for i < n do x + i", "1i32", "4i32");
}

#[test]
fn literals_and_ranges() {
    expect("def main (x: i32) = [x, 2, x + 1]", "1i32", "[1i32, 2i32, 2i32]");
    expect("def main (x: i32) = [[x, 2], [3, 4]]", "1i32", "[[1i32, 2i32], [3i32, 4i32]]");
    expect("def main: []u8 = \"ab\\n\"", "", "[97u8, 98u8, 10u8]");
    expect(
        "def main (n: i64) = (0..<n, 1...n, n..>0)",
        "3i64",
        "[0i64, 1i64, 2i64] [1i64, 2i64, 3i64] [3i64, 2i64, 1i64]",
    );
    expect(
        "def main (n: i32) = (1i32..3...n, n..4...0)",
        "6i32",
        "[1i32, 3i32, 5i32] [6i32, 4i32, 2i32, 0i32]",
    );
    expect(
        "def main (a: u8) (b: u8) = (a..<b, b..(b - 2)..>a)",
        "250u8 255u8",
        "[250u8, 251u8, 252u8, 253u8, 254u8] [255u8, 253u8, 251u8]",
    );
    expect_failure("def main (n: i64) = 0..<n", "-1i64", "Range");
    expect_failure("def main (n: i64) = 0..n..<5", "0i64", "Range");
    expect("def main: [0]i32 = []", "", "empty([0]i32)");
}

#[test]
fn indexing_and_slices() {
    expect("def main [n] (xs: [n]i32) (i: i64) = xs[i]", "[5i32, 6i32, 7i32] 2i64", "7i32");
    expect_failure("def main [n] (xs: [n]i32) (i: i64) = xs[i]", "[5i32, 6i32, 7i32] 3i64", "out of bounds");
    expect_failure("def main [n] (xs: [n]i32) (i: i64) = xs[i]", "[5i32, 6i32, 7i32] -1i64", "out of bounds");
    expect(
        "def main [n][m] (xs: [n][m]i32) = (xs[1], xs[1, 0], xs[:, 1])",
        "[[1i32, 2i32], [3i32, 4i32]]",
        "[3i32, 4i32] 3i32 [2i32, 4i32]",
    );
    expect(
        "def main [n] (xs: [n]i32) = (xs[1:3], xs[:2], xs[2:], xs[::2])",
        "[1i32, 2i32, 3i32, 4i32]",
        "[2i32, 3i32] [1i32, 2i32] [3i32, 4i32] [1i32, 3i32]",
    );
    expect(
        "def main [n] (xs: [n]i32) = (xs[::-1], xs[2:0:-1], xs[3::-2], xs[1:1])",
        "[1i32, 2i32, 3i32, 4i32]",
        "[4i32, 3i32, 2i32, 1i32] [3i32, 2i32] [4i32, 2i32] empty([0]i32)",
    );
    expect(
        "def main [n] (xs: [n]i32) (a: i64) (b: i64) (s: i64) = xs[a:b:s]",
        "[1i32, 2i32, 3i32, 4i32, 5i32] 4i64 -1i64 -3i64",
        "[5i32, 2i32]",
    );
    expect_failure(
        "def main [n] (xs: [n]i32) (a: i64) (b: i64) = xs[a:b]",
        "[1i32, 2i32] 1i64 3i64",
        "out of bounds",
    );
    expect_failure(
        "def main [n] (xs: [n]i32) (a: i64) (b: i64) = xs[a:b]",
        "[1i32, 2i32] 2i64 1i64",
        "out of bounds",
    );
    expect_failure("def main [n] (xs: [n]i32) (s: i64) = xs[::s]", "[1i32, 2i32] 0i64", "out of bounds");
    expect(
        "def main [n] (xs: [n](i32, f32)) = let (a, b) = xs[1] in (b, a)",
        "[1i32, 2i32] [3f32, 4f32]",
        "4f32 2i32",
    );
}

#[test]
fn updates() {
    expect(
        "def main [n] (xs: *[n]i32) (i: i64) = xs with [i] = 9",
        "[1i32, 2i32, 3i32] 1i64",
        "[1i32, 9i32, 3i32]",
    );
    expect(
        "def main [n] (xs: *[n]i32) = let xs[0] = 5 let xs[1:] = [7, 8] in xs",
        "[1i32, 2i32, 3i32]",
        "[5i32, 7i32, 8i32]",
    );
    expect(
        "def main [n] (xs: [n]i32) = let ys = copy xs let ys[0] = 5 in (xs, ys)",
        "[1i32, 2i32]",
        "[1i32, 2i32] [5i32, 2i32]",
    );
    expect(
        "def main (n: i64) = loop xs = replicate n 0i64 for i < n do xs with [i] = i * i",
        "4i64",
        "[0i64, 1i64, 4i64, 9i64]",
    );
    expect(
        "def main [n][m] (xs: *[n][m]i32) = xs with [1] = replicate m 0",
        "[[1i32, 2i32], [3i32, 4i32]]",
        "[[1i32, 2i32], [0i32, 0i32]]",
    );
    expect(
        "def main (n: i64) = let ps = replicate n (1i32, true) in ps with [1] = (7, false)",
        "2i64",
        "[1i32, 7i32] [true, false]",
    );
    expect_failure("def main [n] (xs: *[n]i32) (i: i64) = xs with [i] = 9", "[1i32] 1i64", "out of bounds");
    expect_failure(
        "def main [n][m] (xs: *[n]i32) (ys: [m]i32) = xs with [0:2] = (ys :> [2]i32)",
        "[1i32, 2i32] [1i32]",
        "shape",
    );
}

#[test]
fn maps() {
    expect("def main [n] (xs: [n]i32) = map (\\x -> x * x) xs", "[1i32, 2i32, 3i32]", "[1i32, 4i32, 9i32]");
    expect(
        "def main [n] (xs: [n]i32) (ys: [n]i32) = map2 (+) xs ys",
        "[1i32, 2i32] [3i32, 4i32]",
        "[4i32, 6i32]",
    );
    expect(
        "def main [n] (xs: [n]i32) = map3 (\\a b c -> a + b * c) xs xs xs",
        "[1i32, 2i32]",
        "[2i32, 6i32]",
    );
    expect(
        "def main [n] (xs: [n]i32) = map4 (\\a b c d -> a + b + c + d) xs xs xs xs",
        "[1i32, 2i32]",
        "[4i32, 8i32]",
    );
    expect(
        "def main [n] (xs: [n]i32) = map5 (\\a b c d e -> a + b + c + d + e) xs xs xs xs xs",
        "[1i32, 2i32]",
        "[5i32, 10i32]",
    );
    expect("def main [n][m] (xs: [n][m]i32) = map (map (+ 1)) xs", "[[1i32], [2i32]]", "[[2i32], [3i32]]");
    expect(
        "def main [n] (xs: [n]i32) = map (\\x -> (x, f32.i32 x)) xs",
        "[1i32, 2i32]",
        "[1i32, 2i32] [1f32, 2f32]",
    );
    expect(
        "def main (n: i64) (m: i64) = map (\\i -> map (\\j -> i * m + j) (iota m)) (iota n)",
        "2i64 3i64",
        "[[0i64, 1i64, 2i64], [3i64, 4i64, 5i64]]",
    );
    expect("def main (n: i64) = map (\\i -> iota (n + 1)) (iota n)", "1i64", "[[0i64, 1i64]]");
    expect(
        "def main [n] (xs: [n]i32) = map (\\x -> loop a = x for i < 3i32 do a + i) xs",
        "[1i32, 2i32]",
        "[4i32, 5i32]",
    );
    expect(
        "def main [n] (xs: [n]i32) = unzip (zip xs (map (* 2) xs))",
        "[1i32, 2i32]",
        "[1i32, 2i32] [2i32, 4i32]",
    );
    expect(
        "def main [n] (xs: [n]i32) = let (a, b, c) = unzip3 (zip3 xs xs (iota n)) in (c, b, a)",
        "[5i32, 6i32]",
        "[0i64, 1i64] [5i32, 6i32] [5i32, 6i32]",
    );
    expect("def main (n: i64) = tabulate n (\\i -> i + 1)", "2i64", "[1i64, 2i64]");
    expect("def main (n: i64) = tabulate_2d n 2 (\\i j -> i - j)", "2i64", "[[0i64, -1i64], [1i64, 0i64]]");
    expect(
        "def main (n: i64) = tabulate_3d 1 n 2 (\\i j k -> i + j * k)",
        "2i64",
        "[[[0i64, 0i64], [0i64, 1i64]]]",
    );
}

#[test]
fn folds() {
    expect("def main [n] (xs: [n]i32) = reduce (+) 0 xs", "[1i32, 2i32, 3i32]", "6i32");
    expect("def main [n] (xs: [n]i32) = reduce_comm i32.max i32.lowest xs", "[1i32, 5i32, 3i32]", "5i32");
    expect("def main [n] (xs: [n]i32) = scan (+) 0 xs", "[1i32, 2i32, 3i32]", "[1i32, 3i32, 6i32]");
    expect(
        "def main [n] (xs: [n]i32) = reduce (\\(a, i) (b, j) -> if a < b || (a == b && i < j) then (b, j) else (a, i)) (i32.lowest, -1) (zip xs (iota n))",
        "[1i32, 7i32, 3i32]",
        "7i32 1i64",
    );
    expect(
        "def main [n][m] (xs: [n][m]i32) = reduce (map2 (+)) (replicate m 0) xs",
        "[[1i32, 2i32], [3i32, 4i32]]",
        "[4i32, 6i32]",
    );
    expect("def main [n] (xs: [n]i32) = foldl (\\a x -> a * 10 + x) 0 xs", "[1i32, 2i32, 3i32]", "123i32");
    expect("def main [n] (xs: [n]i32) = (all (> 0) xs, any (> 2) xs)", "[1i32, 2i32, 3i32]", "true true");
    expect("def main [n] (xs: [n]f64) = f64.sum xs / f64.i64 n", "[1f64, 2f64, 3f64]", "2f64");
    expect("def main [n] (xs: [n]i32) = reduce (+) 0 (map (\\x -> x * x) xs)", "empty([0]i32)", "0i32");
}

#[test]
fn filter_and_writes() {
    expect("def main [n] (xs: [n]i32) = filter (> 1) xs", "[1i32, 2i32, 3i32]", "[2i32, 3i32]");
    expect("def main [n] (xs: [n]i32) = filter (> 1) xs", "empty([0]i32)", "empty([0]i32)");
    expect(
        "def main [n] (xs: [n]i32) = filter (\\(x, _) -> x > 1) (zip xs (iota n)) |> map (.1) |> length",
        "[1i32, 2i32, 3i32]",
        "2i64",
    );
    expect(
        "def main [n] (xs: [n]i32) = let ys = filter (> 1) xs in map2 (+) ys (map (* 2) ys)",
        "[1i32, 2i32, 3i32]",
        "[6i32, 9i32]",
    );
    expect(
        "def main [n] (is: [n]i64) (vs: [n]i32) = scatter (replicate 3 0) is vs",
        "[2i64, 0i64, 5i64] [7i32, 8i32, 9i32]",
        "[8i32, 0i32, 7i32]",
    );
    expect(
        "def main [n] (is: [n]i64) (vs: [n]i32) = reduce_by_index (replicate 2 0) (+) 0 is vs",
        "[1i64, 0i64, 1i64, -1i64] [1i32, 2i32, 3i32, 4i32]",
        "[2i32, 4i32]",
    );
}

#[test]
fn layout() {
    expect(
        "def main [n][m] (xs: [n][m]i32) = transpose xs",
        "[[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]]",
        "[[1i32, 3i32, 5i32], [2i32, 4i32, 6i32]]",
    );
    expect(
        "def main [n][m] (xs: [n][m]i32) = flatten xs",
        "[[1i32, 2i32], [3i32, 4i32]]",
        "[1i32, 2i32, 3i32, 4i32]",
    );
    expect(
        "def main (xs: [6]i32): [2][3]i32 = unflatten xs",
        "[1i32, 2i32, 3i32, 4i32, 5i32, 6i32]",
        "[[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]]",
    );
    expect("def main [n] (xs: [n]i32) = reverse xs", "[1i32, 2i32]", "[2i32, 1i32]");
    expect(
        "def main [n] (xs: [n]i32) (k: i64) = rotate k xs",
        "[1i32, 2i32, 3i32] 1i64",
        "[2i32, 3i32, 1i32]",
    );
    expect(
        "def main [n] (xs: [n]i32) (k: i64) = rotate k xs",
        "[1i32, 2i32, 3i32] -4i64",
        "[3i32, 1i32, 2i32]",
    );
    expect("def main [n] (xs: [n]i32) = xs ++ xs ++ [9]", "[1i32]", "[1i32, 1i32, 9i32]");
    expect("def main [n] (xs: [n]i32) = concat xs (take 1 xs)", "[1i32, 2i32]", "[1i32, 2i32, 1i32]");
    expect(
        "def main [n] (xs: [n]i32) = (take 2 xs, drop 2 xs, head xs, last xs, length xs)",
        "[1i32, 2i32, 3i32]",
        "[1i32, 2i32] [3i32] 1i32 3i32 3i64",
    );
    expect(
        "def main (xs: [3]i32) = let (a: [1]i32, b: [2]i32) = split xs in (b, a)",
        "[1i32, 2i32, 3i32]",
        "[2i32, 3i32] [1i32]",
    );
    expect("def main (n: i64) = (iota n, replicate n true)", "2i64", "[0i64, 1i64] [true, true]");
    expect_failure("def main (n: i64) = iota n", "-1i64", "negative size");
}

#[test]
fn sizes() {
    expect("def main [n] (xs: [n]i32) = n", "[1i32, 2i32]", "2i64");
    expect("def main [n] (xs: [n]i32) = (xs :> [2]i32)[1]", "[1i32, 2i32]", "2i32");
    expect_failure("def main [n] (xs: [n]i32) = (xs :> [2]i32)[1]", "[1i32]", "shape");
    expect(
        "def dot [n] (xs: [n]i32) (ys: [n]i32) = reduce (+) 0 (map2 (*) xs ys) def main [n][m] (a: [n][m]i32) (b: [m][n]i32) = map (\\r -> map (dot r) (transpose b)) a",
        "[[1i32, 2i32]] [[3i32], [4i32]]",
        "[[11i32]]",
    );
    expect(
        "def pairs 'a [n] (xs: [n]a): [n](a, a) = map (\\x -> (x, x)) xs def main (x: i32) = map (\\p -> p.0 + p.1) (pairs [x, 2]) |> pairs |> unzip",
        "1i32",
        "[2i32, 4i32] [2i32, 4i32]",
    );
    expect("def f (n: i64): [n]i64 = iota n def main (k: i64) = f (k + 1)", "1i64", "[0i64, 1i64]");
    expect(
        "def evens [n] (xs: [n]i32): []i32 = filter (\\x -> x % 2 == 0) xs def main [n] (xs: [n]i32) = map (+ 1) (evens xs)",
        "[1i32, 2i32, 4i32]",
        "[3i32, 5i32]",
    );
    expect(
        "def main [n] (xs: [n]i32) = let [k] (ys: [k]i32) = filter (> 1) xs in k",
        "[1i32, 2i32, 4i32]",
        "2i64",
    );
}

#[test]
fn equality() {
    expect(
        "def main [n][m] (xs: [n]i32) (ys: [m]i32) = xs == (ys :> [n]i32)",
        "[1i32, 2i32] [1i32, 2i32]",
        "true",
    );
    expect("def main (x: i32) = ((x, true) == (1, true), (x, 2f32) != (1, 3))", "1i32", "true true");
    expect(
        "def main [n][m] (xs: [n][m]i32) = xs == map (map (+ 0)) xs && !(xs == map (map (+ 1)) xs)",
        "[[1i32, 2i32]]",
        "true",
    );
}

#[test]
fn definitions() {
    expect("def k = 3i32 def xs = [k, k + 1] def main (x: i32) = map (+ x) xs", "1i32", "[4i32, 5i32]");
    expect("def f (x: i32) = x + 1 entry main (x: i32) = f (f x)", "1i32", "3i32");
    expect(
        "def f [n] (xs: *[n]i32): *[n]i32 = xs with [0] = 9 def main (n: i64) = f (replicate n 1)",
        "2i64",
        "[9i32, 1i32]",
    );
    expect("def main (x: i32) = assert (x > 0) (x + 1)", "1i32", "2i32");
    expect_failure("def main (x: i32) = assert (x > 0) (x + 1)", "0i32", "x > 0");
    expect("def main [n] (xs: [n]i32) (i: i64) = #[unsafe] xs[i]", "[4i32, 5i32] 1i64", "5i32");
}

#[test]
fn a_constant_is_computed_by_the_entry_point_alone() {
    let source =
        "def table = map (* 3) (iota 1000)\n#[noinline] def f (i: i64) = table[i]\ndef main = map f (iota 5)";
    expect(source, "", "[0i64, 3i64, 6i64, 9i64, 12i64]");
    let file = Source { name: "test.fut".into(), text: source.into() };
    let program = compile(&file).expect("well-typed").program;
    let (entries, others): (Vec<_>, Vec<_>) = program.functions.iter().partition(|f| f.entry);
    assert!(entries.iter().all(|entry| entry.to_string().contains("1000i64")), "{program}");
    assert!(others.iter().all(|other| !other.to_string().contains("map")), "{program}");
    assert!(!others.is_empty(), "{program}");
}

/// Code, line and column of each warning.
fn warnings(text: &str) -> Vec<(&'static str, u32, u32)> {
    let file = Source { name: "case.fut".into(), text: text.into() };
    let lowered = compile(&file).expect("well-typed");
    let place = |span: fun_base::source::Span| file.loc(span.start);
    let warnings = lowered.warnings.iter().filter_map(|warning| Some((warning.code, place(warning.span()?))));
    warnings.map(|(code, loc)| (code, loc.line, loc.column)).collect()
}

#[test]
fn attributes_ask_for_warnings() {
    let checks = "def f (xs: []i32) (i: i64) = xs[i]\n\
                  def main (xs: []i32) (is: []i64) = #[warn(safety_checks)] map (f xs) is\n";
    assert_eq!(warnings(checks), [("W0501", 1, 30)]);
    assert_eq!(warnings("def main (xs: []i32) = #[warn(safety_checks)] map (\\i -> xs[i]) (indices xs)"), []);
    assert_eq!(warnings("def main (xs: []i32) i = (#[warn(safety_checks)] #[unsafe] xs[i], xs[i])"), []);
    let unrolled = |bound: &str| format!("def main (n: i64) = #[unroll] loop x = 1 for i < {bound} do x + i");
    assert_eq!(warnings(&unrolled("n")), [("W0502", 1, 31)]);
    assert_eq!(warnings(&unrolled("2 * 4")), []);
    let inner = "def main (n: i64) = #[unroll] loop x = (loop y = 1 for i < n do y * 2) for i < 3 do x + i";
    assert_eq!(warnings(inner), []);
}

#[test]
fn a_derivative_that_would_be_exponentially_large_is_refused() {
    let chain = |n: usize| {
        let next = |i: usize| format!("def f{i} (x: f64) = f{} (f{} x * 0.5)\n", i - 1, i - 1);
        let functions: String = (1..=n).map(next).collect();
        format!("def f0 (x: f64) = x * x\n{functions}def main (x: f64) = vjp f{n} x 1")
    };
    let compiled = |n| compile(&Source { name: "test.fut".into(), text: chain(n).into() });
    assert!(compiled(4).is_ok());
    let errors = compiled(40).expect_err("far too large");
    assert!(errors[0].to_string().contains("derivative of a function that calls others"), "{errors:?}");
}
