//! `fun verify`: what it finds, what it says, and its exit statuses.

mod support;

use support::{Folder, Outcome, fun, repository};

/// Two live arrays in one block; right for no elements, and where `xs` is what `iota` gives.
const OVERLAP: &str = "\
entry main [n_0: i64] [xs_mem_1: mem] (xs_2: [n_0]i64 @ xs_mem_1 -> 0 + {(n_0 : 1)}) : [r_mem_3: mem] (*r_4: [n_0]i64 @ r_mem_3 -> 0 + {(n_0 : 1)}) = {
  let (m_5: mem) = alloc [n_0]i64
  let (a_6: [n_0]i64 @ m_5 -> 0 + {(n_0 : 1)}) = copy xs_2
  let (b_7: [n_0]i64 @ m_5 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 0i64 1i64
  let (r_mem_8: mem) = alloc [n_0]i64
  let (r_9: [n_0]i64 @ r_mem_8 -> 0 + {(n_0 : 1)}) = kernel (i_10 < n_0) {
    let (x_11: i64) = index a_6[i_10]
    let (y_12: i64) = index b_7[i_10]
    let (z_13: i64) = add.i64 x_11 y_12
    in (z_13)
  }
  in (r_mem_8, r_9)
}
";

fn verify(name: &str, text: &str, flags: &[&str]) -> Outcome {
    let folder = Folder::new();
    let path = folder.file(name, text);
    let arguments: Vec<&str> = ["verify", &path].iter().chain(flags).copied().collect();
    let outcome = fun(&arguments, b"");
    assert!(!outcome.stderr.contains("panicked"), "{}", outcome.stderr);
    outcome
}

#[track_caller]
fn says(outcome: &Outcome, status: i32, parts: &[&str]) {
    let said = outcome.text() + &outcome.stderr;
    assert_eq!(outcome.status, status, "{said}");
    for part in parts {
        assert!(said.contains(part), "`{part}` is not in:\n{said}");
    }
}

/// What the last thread leaves in a cell: under a lock, no two threads race.
const LAST: &str = "entry proc main(): (i64) takes () gives (i64 @ 0) {
  alloc l_1: i32[1i64] alloc s_2: i64[1i64]
  view locks_3: i32 @ l_1 -> 0 + {(1 : 1)}
  view last_4: i64 @ s_2 -> 0 + {(1 : 1)}
  locks_3[0i64] := 0i32
  last_4[0i64] := -1i64
  for b_5: i64 < 2i64 block { for t_6: i64 < 3i64 thread {
    lock locks_3[0i64] { last_4[0i64] := add.i64(mul.i64(b_5, 3i64), t_6) } } }
  let r_7: i64 = last_4[0i64]
  free l_1 free s_2
  return (r_7) }
";

#[test]
fn orders_of_kernels_have_seeds() {
    let folder = Folder::new();
    let path = folder.file("last.imp", LAST);
    let run = |order: u64| {
        fun(&["run", "--backend", "interp", "--order", &order.to_string(), &path], b"").printed()
    };
    let first = run(0);
    let seed = (1..4).find(|seed| run(*seed) != first).expect("another order");
    let told = format!("order of seed {seed} (`--order {seed}`)");
    let values = format!("result 0: {} instead of {}", run(seed).trim(), first.trim());
    says(&verify("last.imp", LAST, &[]), 1, &[&values, &told]);
    let told = format!("{} instead of", run(8).trim());
    says(&verify("last.imp", LAST, &["--order", "7"]), 1, &[&told, "order of seed 8"]);
    // compiled code has an order of its own
    fun(&["run", "--order", "1", &path], b"").refused_with(&["--order is for the interpreter"]);
}

#[test]
fn a_program_on_which_all_agree() {
    let source = "entry main (xs: []i32) = (i32.sum xs, map (* 2) xs)\n";
    let outcome = verify("p.fut", source, &[]);
    says(&outcome, 0, &["p.fut: main: 50 inputs agree under"]);
    assert!(outcome.stderr.is_empty(), "no bar where there is no terminal: {}", outcome.stderr);
    says(&verify("p.fut", source, &["--random", "7", "--seed", "3"]), 0, &["7 inputs agree"]);
    says(
        &verify("p.fut", source, &["--small", "2"]),
        0,
        &["all 21 inputs with sizes up to 2: 21 agree under"],
    );
    says(
        &verify("p.fut", source, &["--small", "9", "--most", "5"]),
        0,
        &["the first 5 inputs with sizes up to 9: 5 agree"],
    );
    says(&verify("p.fut", source, &["--small", "9"]), 2, &["there are 349525 inputs", "`--most N`"]);
}

#[test]
fn a_line_for_each_pass() {
    let source = "entry main (xs: []i32) = i32.sum (map (* 2) xs)\n";
    let outcome = verify("p.fut", source, &["--passes", "--random", "9"]);
    says(&outcome, 0, &["(as given)", "introduce-memory   value semantics, heap semantics   9 inputs"]);
    says(
        &outcome,
        0,
        &["simplify           leaves it as it was", "IMP interpreter, machine code     9 inputs", " ms\n"],
    );
    // where the last pass has nothing to do, machine code alone is new
    let outcome = verify("p.fut", "entry main (xs: []i32) = map (* 2) xs\n", &["--passes", "--random", "9"]);
    says(&outcome, 0, &["simplify-imp       machine code                      9 inputs"]);
    let outcome = verify("p.fut", source, &["--passes", "--pipeline", "none"]);
    assert!(!outcome.text().contains("simplify"), "{}", outcome.text());
    says(&outcome, 0, &["lower-to-imp"]);
    let outcome = verify("p.fut", source, &["--passes", "--pass", "simplify,inline", "--pass", "cse"]);
    says(&outcome, 0, &["inline", "cse                leaves it as it was", "there was nothing to compare"]);
}

#[test]
fn wrong_memory_is_found_on_the_smallest_input() {
    let outcome = verify("idea.funmem", OVERLAP, &["--small", "2"]);
    says(
        &outcome,
        1,
        &[
            "the heap semantics of the program as given disagrees with its value semantics on entry `main`",
            "reads a_6[0]",
            "writes b_7[0]",
            "inputs:\n  [0i64]\n",
        ],
    );
    // random inputs find the same
    says(&verify("idea.funmem", OVERLAP, &[]), 1, &["inputs:\n  [0i64]\n"]);
    let passes = verify("idea.funmem", OVERLAP, &["--small", "2", "--passes"]);
    says(&passes, 1, &["(as given)", "DISAGREES", "no pass is to blame"]);
    // with a block of its own it is right
    let right = OVERLAP.replace(
        "  let (b_7: [n_0]i64 @ m_5",
        "  let (m_15: mem) = alloc [n_0]i64\n  let (b_7: [n_0]i64 @ m_15",
    );
    says(&verify("idea.funmem", &right, &["--small", "2"]), 0, &["all 21 inputs"]);
}

#[test]
fn a_program_that_is_stuck() {
    let program = "entry main (n_0: i64) : (m_1: i64) = {\n  let (xs_2: [n_0]i64) = replicate [n_0] 1i64\n  in (n_0)\n}\n";
    let parts = [
        "breaks a rule of fun on entry `main`",
        "negative size -1",
        "needs an `assert`",
        "inputs:\n  -1i64\n",
    ];
    says(&verify("p.fun", program, &[]), 1, &parts);
    let asserted = program.replace(
        "{\n",
        "{\n  let (c_3: bool) = le.i64 0i64 n_0\n  let = assert c_3 \"negative\" #\"p.fut\":1:1\n",
    );
    says(&verify("p.fun", &asserted, &[]), 0, &["50 inputs agree under"]);
}

#[test]
fn given_inputs() {
    let folder = Folder::new();
    let path = folder.file("idea.funmem", OVERLAP);
    let run = |values: &str| fun(&["verify", &path, "-i", &folder.file("values", values)], b"");
    says(&run("empty([0]i64)"), 0, &["1 input agrees"]);
    // what `b` writes is equal to what is there, by accident
    says(&run("[0i64, 1i64]"), 1, &["writes b_7[0]"]);
    says(&run("[5i64, 6i64, 7i64]"), 1, &["inputs:\n  [0i64]\n"]);
    says(&run("[5i32]"), 2, &["argument 0"]);
    says(&run(""), 2, &["argument 0", "missing"]);
    says(&fun(&["verify", &path, "-i", "no/such/values"], b""), 2, &["no/such/values"]);
}

/// What is asserted of sizes, of an index, of elements.
const PICKY: &str = "\
entry main [n] (xs: [n]i64) (ys: [n+1]i64) (i: i64) =
  assert (n > 2) (assert (all (>= 0) xs) (xs[i] + ys[i + 1]))
";

#[test]
fn preconditions_are_respected() {
    let outcome = verify("p.fut", PICKY, &[]);
    says(&outcome, 0, &["50 inputs agree", "not counted: the program stops at an assertion"]);
    // of all small inputs, those that stop are counted; sizes that cannot be are left out
    let source = "entry main [n] (xs: [n]bool) (ys: [n+1]bool) = assert xs[0] ys[0]\n";
    let outcome = verify("p.fut", source, &["--small", "2"]);
    says(&outcome, 0, &["all 8 inputs with sizes up to 2: 4 agree", "4 stop at an assertion in each"]);
}

#[test]
fn nothing_tested_is_not_success() {
    let never = "entry main (x: f32) = assert (x > 2 && x < 1) x\n";
    let outcome = verify("p.fut", never, &[]);
    says(&outcome, 3, &["nothing was tested", "p.fut:1:23", "the first of these assertions"]);
    says(&verify("p.fut", never, &["--small", "2"]), 3, &["nothing was tested", "4 stop at an assertion"]);
    let source = "entry main [n] (xs: [n]i32) = assert (n > 3) xs[0]\n";
    says(&verify("p.fut", source, &["--small", "2"]), 3, &["what it asserts of sizes leaves no input"]);
    // too long for the interpreters; machine code is not run, which would never end
    let endless = "entry main (x: i32) = loop y = x while true do y + 1\n";
    says(&verify("p.fut", endless, &["--random", "1"]), 3, &["nothing was tested", "steps"]);
}

#[test]
fn entries_without_parameters_and_several() {
    let source = "entry one = 1i32\nentry two (x: i32) = x\n";
    says(&verify("p.fut", source, &[]), 0, &["one: ", "two: 50 inputs agree"]);
    let only = verify("p.fut", source, &["-e", "two"]);
    assert!(!only.text().contains("one"), "{}", only.text());
    says(&verify("p.fut", source, &["-e", "tow"]), 2, &["tow", "did you mean `two`"]);
    says(&verify("p.fut", "def f (x: i32) = x\n", &[]), 2, &["no entry points"]);
    says(&verify("p.fut", "entry f (x: i32) = x + true\n", &[]), 2, &["p.fut:1:"]);
    says(&fun(&["verify", "no/such/file.fut"], b""), 2, &["no/such/file.fut"]);
}

#[test]
fn the_worst_of_several_programs_decides() {
    let folder = Folder::new();
    let good = folder.file("good.fut", "entry main (x: i32) = x\n");
    let bad = folder.file("bad.funmem", OVERLAP);
    let wrong = folder.file("wrong.fut", "entry main = y\n");
    says(&fun(&["verify", &good, &wrong], b""), 2, &["good.fut: main: 50 inputs agree"]);
    says(&fun(&["verify", &bad, &wrong, &good], b""), 1, &["good.fut: main: 50 inputs agree"]);
}

#[test]
fn tags_of_sums_are_those_of_constructors() {
    let source = "\
entry main (x: #a | #b (#c | #d)) : i32 = match x case #a -> 1 case #b #c -> 2 case #b #d -> 3\n";
    let outcome = verify("p.fut", source, &["--small", "1"]);
    // `#a` with the four numbers that its blank payload may have, `#b` with the two tags that are constructors
    says(&outcome, 0, &["all 6 inputs with sizes up to 1: 6 agree under"]);
}

#[test]
fn disagreements_are_saved_as_cases() {
    let folder = Folder::new();
    let path = folder.file("idea.funmem", OVERLAP);
    let save = folder.path("cases").display().to_string();
    for name in ["idea_main.funmem", "idea_main_1.funmem"] {
        let outcome = fun(&["verify", &path, "--save", &save], b"");
        says(&outcome, 1, &["saved as", name]);
        let case = std::fs::read_to_string(folder.path("cases").join(name)).expect("a case");
        assert!(case.starts_with("// case: run main ( [0i64] )\n// the heap semantics"), "{case}");
        assert!(case.contains("\n  in (r_mem_8, r_9)\n}\n// ---\n// [0i64]\n"), "{case}");
    }
    // a case file is a program, and what is saved of one has one header
    let case = folder.path("cases").join("idea_main.funmem").display().to_string();
    says(&fun(&["verify", &case, "--save", &save], b""), 1, &["idea_main_main.funmem"]);
    let text = std::fs::read_to_string(folder.path("cases").join("idea_main_main.funmem")).expect("a case");
    assert_eq!(text.matches("case:").count(), 1, "{text}");
    assert_eq!(text.matches("// ---").count(), 1, "{text}");
}

#[test]
fn wrong_usage() {
    for flags in [
        &["--small", "-1"][..],
        &["--most", "3"],
        &["--small", "1", "--random", "3"],
        &["--random", "0"],
        &["--pass", "cse", "--pipeline", "none"],
    ] {
        says(&verify("p.fut", "entry main = 1i32\n", flags), 2, &[]);
    }
    let source = "entry main = 1i32\n";
    says(&verify("p.fut", source, &["--pass", "simplfy"]), 2, &["did you mean `simplify`"]);
    says(&verify("p.fut", source, &["--pass", "lower-to-imp"]), 2, &["lower-to-imp", "funmem"]);
    says(&verify("p.fut", source, &["--pipeline", "nope"]), 2, &["there is no pipeline `nope`"]);
}

/// The worked example of the book: what it shows is what the command prints.
#[test]
fn the_example_of_the_book() {
    let book = std::fs::read_to_string(repository("docs/agreement.md")).expect("the book");
    let run = |name: &str, flags: &[&str]| {
        let path = repository("examples/agreement").join(name).display().to_string();
        let arguments: Vec<&str> = ["verify", &path].iter().chain(flags).copied().collect();
        let outcome = fun(&arguments, b"");
        (outcome.status, outcome.text().replace(&path, name))
    };
    // without the times
    let shown = |line: &str| match line.strip_suffix(" ms").and_then(|line| line.rsplit_once("  ")) {
        Some((rest, _)) => rest.trim_end().to_owned(),
        None => line.trim_end().to_owned(),
    };
    let (status, text) = run("short_circuit.funmem", &["--small", "4", "--passes"]);
    assert_eq!(status, 0, "{text}");
    let (wrong, fault) = run("short_circuit_wrong.funmem", &["--small", "4"]);
    assert_eq!(wrong, 1, "{fault}");
    for line in text.lines().chain(fault.lines()).map(shown) {
        assert!(book.lines().any(|known| shown(known) == line), "not in the book: {line}");
    }
    // the race takes two iterations
    assert_eq!(run("short_circuit_wrong.funmem", &["--small", "3"]).0, 0);
    assert_eq!(run("short_circuit_wrong.funmem", &[]).0, 1);
    assert_eq!(run("in_place.funmem", &["--small", "3"]).0, 0);
    // the program that the book shows is the one in the folder
    let program = std::fs::read_to_string(repository("examples/agreement/short_circuit.funmem")).expect("it");
    for line in program.lines().skip(1) {
        assert!(book.lines().any(|known| known == line), "not in the book: {line}");
    }
}
