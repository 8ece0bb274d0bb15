//! `fun test`.

mod support;

use support::{Folder, Outcome, fun};

/// `fun test` on a file of this text.
fn test(source: &str) -> Outcome {
    let folder = Folder::new();
    fun(&["test", "-v", &folder.file("t.fut", source)], b"")
}

#[track_caller]
fn ends(outcome: &Outcome, status: i32, parts: &[&str]) {
    let text = outcome.text();
    assert_eq!(outcome.status, status, "{text}{}", outcome.stderr);
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
}

#[test]
fn tests_that_hold() {
    let outcome = test(
        "-- Doubles.\n-- ==\n-- entry: f g\n-- input { [1,\n--   2] } output { [2, 4] }\n\n\
         entry f (a: []i32) = map (2*) a\nentry g (a: []i32) = map (\\x -> x + x) a\n",
    );
    ends(&outcome, 0, &["t.fut:4: f", "t.fut:4: g", "3 passed, 0 failed, 0 skipped"]);
}

#[test]
fn a_difference_is_shown_with_its_place() {
    let outcome = test("-- ==\n-- input { 2i64 } output { [0i64, 7] }\n\ndef main (n: i64) = iota n\n");
    ends(&outcome, 1, &["t.fut:2: main: 1i64 instead of 7i64 at [1]", "1 passed, 1 failed"]);
}

#[test]
fn values_that_differ_can_be_kept() {
    let folder = Folder::new();
    let source = "-- ==\n-- input { 2i64 } output { [0i64, 7] }\n\ndef main (n: i64) = iota n\n";
    let (path, kept) = (folder.file("t.fut", source), folder.path("kept"));
    ends(&fun(&["test", "--keep", &kept.display().to_string(), &path], b""), 1, &[]);
    let read = |name: &str| std::fs::read_to_string(kept.join(name)).expect("a file that was kept");
    assert_eq!(read("t.2.main.expected"), "[0i64, 7i64]\n");
    assert_eq!(read("t.2.main.actual"), "[0i64, 1i64]\n");
}

#[test]
fn several_results_are_several_values() {
    ends(&test("-- ==\n-- input { 2 } output { 3 true }\n\ndef main (n: i32) = (n + 1, true)\n"), 0, &[]);
}

#[test]
fn run_time_errors() {
    let source = |pattern| format!("-- ==\n-- input {{ 0 }} error: {pattern}\n\ndef main (n: i32) = 1 / n\n");
    ends(&test(&source("zero")), 0, &[]);
    ends(&test(&source("bounds")), 1, &["does not match `bounds`"]);
    let fine = test("-- ==\n-- input { 1 } error:\n\ndef main (n: i32) = 1 / n\n");
    ends(&fine, 1, &["gives values, but should stop with an error"]);
}

#[test]
fn sizes_that_do_not_fit_are_run_time_errors() {
    let source =
        "-- ==\n-- input { [1] [1, 2] } error: size\n\ndef main [n] (a: [n]i32) (b: [n]i32) = (a, b)\n";
    ends(&test(source), 0, &[]);
    // types that do not fit are mistakes of the test
    let source = "-- ==\n-- input { 1 } error:\n\ndef main (a: i64) = 1 / a\n";
    ends(&test(source), 1, &["argument 0 should be i64, but is i32"]);
}

#[test]
fn random_inputs_are_compared_with_the_interpreter_where_it_is_quick() {
    let source = |n| {
        format!(
            "-- ==\n-- random input {{ [{n}]f32 0.5f32 }} auto output\n\ndef main a x = f32.sum (map (x *) a)\n"
        )
    };
    let small = test(&source(100));
    ends(&small, 0, &["ok "]);
    assert!(!small.text().contains("compared"), "{}", small.text());
    ends(&test(&source(1_000_000)), 0, &["main: compared with one thread, not with the interpreter"]);
    ends(&test("-- ==\n-- random input { [n]f32 }\n\ndef main (a: []f32) = a\n"), 1, &["`n` is no size"]);
}

#[test]
fn scripts_pass_values_of_any_type() {
    let source = "-- ==\n-- entry: total\n-- script input { (make 3i64, {scale = 2f32, unused = true}) } output { 6f32 }\n\n\
                  entry make (n: i64) : [n](i64, bool) = map (\\i -> (i, true)) (iota n)\n\
                  entry total [n] (a: [n](i64, bool)) (r: {scale: f32, unused: bool}) : f32 =\n\
                  f32.sum (map (\\(x, _) -> f32.i64 x * r.scale) a)\n";
    for how in ["-c", "-i"] {
        let folder = Folder::new();
        ends(&fun(&["test", how, &folder.file("t.fut", source)], b""), 0, &["2 passed"]);
    }
    let source = "-- ==\n-- script input { f true }\n\nentry f (n: i64) = n\ndef main (n: i64) = n\n";
    ends(&test(source), 1, &["argument 0 of `f` should be i64, but is bool"]);
    let source = "-- ==\n-- script input { f 0i64 }\n\nentry f (n: i64) = 1 / n\ndef main (n: i64) = n\n";
    ends(&test(source), 1, &["`f`, called by the script, stopped"]);
    let source = "-- ==\n-- script input { (1, 2) } output { 3 }\n\ndef main (n: i32) (m: i32) = n + m\n";
    ends(&test(source), 0, &[]);
}

#[test]
fn properties() {
    let source =
        "-- ==\n-- property: p\n\n#[prop]\nentry p (xs: []i32) = and (map2 (==) (reverse (reverse xs)) xs)\n";
    ends(&test(source), 0, &["property p: 100 arguments tried"]);
    let source =
        "-- ==\n-- property: p\n\n#[prop(size(20))]\nentry p [n] (xs: [n]i32) = n < 3 || xs[0] <= xs[1]\n";
    ends(&test(source), 1, &["the property is false", "[0i32, -1i32, 0i32]"]);
    let source = "-- ==\n-- property: p\n\n\
                  entry make (size: i64) (seed: u64) : []i64 = iota (size + i64.u64 (seed % 2))\n\
                  entry shorter (xs: []i64) (r: u64) : []i64 = take (i64.u64 (r % (1 + u64.i64 (length xs)))) xs\n\n\
                  #[prop(gen(make), shrink(shorter), size(30))]\nentry p (xs: []i64) : bool = length xs < 5\n";
    ends(&test(source), 1, &["the property is false", "[0i64, 1i64, 2i64, 3i64, 4i64]"]);
    // constructors of sums are drawn from those that there are, in payloads too
    let source = "-- ==\n-- property: p\n\n#[prop]\n\
                  entry p (x: #a | #b i32) = match x case #a -> true case #b _ -> false\n";
    ends(&test(source), 1, &["the property is false for the arguments\n     1"]);
    let source = "-- ==\n-- property: p\n\n#[prop]\n\
                  entry p (x: #a u8 | #b (#c | #d)) = match x case #a _ -> true case #b #c -> false case #b #d -> true\n";
    ends(&test(source), 1, &["the property is false for the arguments\n     1u8\n     0u8"]);
    let source = "-- ==\n-- property: p\n\nentry p (x: bool) = x || !x\n";
    ends(&test(source), 1, &["`p` has no attribute `#[prop]`"]);
}

#[test]
fn structure() {
    let source =
        |test: &str| format!("-- ==\n-- structure {test}\n\ndef main [n] (a: [n]i32) = map (+1) a\n");
    ends(&test(&source("fun { /kernel 1 kernel/add 1 reduce 0 }")), 0, &["2 passed"]);
    ends(&test(&source("funmem { alloc 2 }")), 1, &["1 of `alloc` where 2 are expected"]);
    ends(&test(&source("imp { par/write 1 }")), 0, &["2 passed"]);
    ends(&test(&source("funmem { /Alloc 1 /Kernel/Add 1 Copy 0 }")), 0, &["2 passed"]);
    let source = "-- ==\n-- structure funmem { Alloc 1 main:Copy 2 Concat 1 }\n\n\
                  def main [n] (a: [n]i32) (b: [n]i32) = a ++ b\n";
    ends(&test(source), 0, &["2 passed"]);
    let source = "-- ==\n-- structure funmem { other:Copy 0 }\n\ndef main (n: i64) = n\n";
    ends(&test(source), 1, &["`other:Copy`: there is no function `other`"]);
    let bound = |count| {
        format!("-- ==\n-- structure seq-mem {{ Alloc {count} Screma 7 }}\n\ndef main (n: i64) = iota n\n")
    };
    ends(&test(&bound(3)), 0, &["2 passed"]);
    ends(&test(&bound(0)), 1, &["1 of `Alloc` where at most 0 are expected (at 4:21)"]);
    ends(&test("-- ==\n-- structure seq-mem { Screma 0 }\n\ndef main = 1i32\n"), 0, &["skip"]);
    let source =
        |test: &str| format!("-- ==\n-- structure {test}\n\ndef main [n] (a: [n]i32) = map (+1) a\n");
    ends(&test(&source("gpu { SegMap 1 }")), 0, &["skip", "`gpu` is not a stage of FUN"]);
}

#[test]
fn warnings() {
    ends(&test("-- ==\n-- warning: ^$\n\ndef main (n: i32) = n\n"), 0, &["2 passed"]);
    ends(&test("-- ==\n-- warning: odd\n\ndef main (n: i32) = n\n"), 1, &["no warning matches `odd`"]);
}

#[test]
fn compile_time_errors() {
    ends(&test("-- ==\n-- error: unknown\n\ndef main = y\n"), 0, &["1 passed"]);
    ends(&test("-- ==\n-- error: strange\n\ndef main = y\n"), 0, &["does not match `strange`", "E0201"]);
    ends(&test("-- ==\n-- error:\n\ndef main = 1i32\n"), 1, &["should be refused, but compiles"]);
    ends(&test("-- ==\n\ndef main = y\n"), 1, &["compiles:", "unknown name"]);
}

#[test]
fn nothing_to_run() {
    ends(&test("def main = 1i32\n"), 2, &["0 passed, 0 failed, 0 skipped"]);
    let disabled = test("-- ==\n-- tags { disable }\n-- input {} output { 2 }\n\ndef main = 1i32\n");
    ends(&disabled, 2, &["1 skipped"]);
}

#[test]
fn only_some_tests() {
    let folder = Folder::new();
    let source = "-- ==\n-- tags { big }\n-- entry: f g\n-- input { 1 } output { 1 }\n-- slow input { 1 } output { 2 }\n\n\
                  entry f (x: i32) = x\nentry g (x: i32) = x + 1\n";
    let path = folder.file("t.fut", source);
    ends(
        &fun(&["test", "--entry", "f", "--exclude", "slow", &path], b""),
        0,
        &["2 passed, 0 failed, 1 skipped"],
    );
    ends(
        &fun(&["test", "-e", "g", &path], b""),
        1,
        &["t.fut:4: g: 2i32 instead of 1i32", "2 passed, 1 failed"],
    );
    ends(&fun(&["test", "--exclude", "big", &path], b""), 2, &["0 passed, 0 failed, 1 skipped"]);
}

#[test]
fn endless_programs_end() {
    let folder = Folder::new();
    let source = "-- ==\n-- input { 1 }\n\ndef main (n: i32) = loop n while n != 0 do n\n";
    let path = folder.file("t.fut", source);
    ends(&fun(&["test", "-c", "--time", "0.2", &path], b""), 1, &["no result after 0.2 s"]);
}

#[test]
fn folders_and_files_of_values() {
    let folder = Folder::new();
    folder.file("a.fut", "-- ==\n-- input @ a.in output { 1 }\n\ndef main (n: i32) = n\n");
    folder.file("a.in", "1");
    folder.file("b.fut", "-- ==\n-- input { 3 } output { 1 }\n\ndef main (n: i32) = n\n");
    folder.file("c.fut", "-- ==\n-- input {\n\ndef main (n: i32) = n\n");
    let outcome = fun(&["test", &folder.path("").display().to_string()], b"");
    let told = [
        "b.fut:2: main: 3i32 instead of 1i32",
        "c.fut:2: the file: this brace is not closed",
        "3 passed, 2 failed",
    ];
    ends(&outcome, 1, &told);
}
