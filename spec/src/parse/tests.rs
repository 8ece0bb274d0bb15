//! Tests of the stanza parser.

use super::*;

fn one(source: &str) -> Vec<Test> {
    let mut spec = parse(source).expect("a stanza");
    assert_eq!(spec.blocks.len(), 1, "{spec:?}");
    spec.blocks.remove(0).tests
}

fn case(test: &Test) -> &Case {
    match test {
        Test::Case(case) => case,
        other => panic!("no case: {other:?}"),
    }
}

#[test]
fn an_input_and_its_output() {
    let tests = one("-- Adds.\n-- ==\n-- input { 1 2 }\n-- output { 3 }\n\ndef main = 1");
    let [test] = tests.as_slice() else { panic!("{tests:?}") };
    let case = case(test);
    assert_eq!(case.line, 3);
    assert_eq!(case.entries, ["main"]);
    assert_eq!(case.input, Input::Values(Text { line: 3, text: " 1 2 ".to_owned() }));
    assert_eq!(case.expect, Expect::Values(Text { line: 4, text: " 3 ".to_owned() }));
}

#[test]
fn values_span_lines_and_contain_strings() {
    let tests = one("-- ==\n-- input { [1,\n--   2] \"}\" } output @ data/f.out.gz\n-- input @ x");
    let first = case(&tests[0]);
    assert_eq!(first.input, Input::Values(Text { line: 2, text: " [1,\n   2] \"}\" ".to_owned() }));
    assert_eq!(first.expect, Expect::File("data/f.out.gz".to_owned()));
    assert_eq!(case(&tests[1]).input, Input::File("x".to_owned()));
    assert_eq!(case(&tests[1]).expect, Expect::Success);
}

#[test]
fn entries_names_tags_and_kinds_of_input() {
    let spec = parse(
        "-- ==\n-- tags { a no_c }\n-- entry: f g\n-- \"small\" compiled random input { [10]f32 } auto output\n\
         -- script input { {a = f 1, b = 2} }\n-- error: out of*\n-- notest input {} error:\n",
    )
    .expect("a stanza");
    assert_eq!(spec.tags, ["a", "no_c"]);
    let tests = &spec.blocks[0].tests;
    let first = case(&tests[0]);
    assert_eq!((first.name.as_deref(), first.tags.as_slice()), (Some("small"), &["compiled".to_owned()][..]));
    assert_eq!(first.entries, ["f", "g"]);
    assert!(matches!(&first.input, Input::Random(text) if text.text == " [10]f32 "));
    assert_eq!(first.expect, Expect::Auto);
    assert!(matches!(&case(&tests[1]).input, Input::Script(text) if text.text == " {a = f 1, b = 2} "));
    assert_eq!(case(&tests[1]).expect, Expect::Error("out of*".to_owned()));
    assert_eq!(case(&tests[2]).expect, Expect::Error(String::new()));
    assert_eq!(case(&tests[2]).tags, ["notest"]);
}

#[test]
fn other_tests() {
    let spec = parse(
        "-- ==\n-- error: Cannot .* x\n\n-- second\n-- ==\n-- structure gpu { /SegMap 1 Loop 0 }\n-- property: p q\n\
         -- warning: unused",
    )
    .expect("stanzas");
    assert_eq!(spec.blocks.len(), 2);
    assert_eq!(spec.blocks[0].tests, [Test::Refused { line: 2, pattern: "Cannot .* x".to_owned() }]);
    let counts = vec![("/SegMap".to_owned(), 1), ("Loop".to_owned(), 0)];
    let names = vec!["p".to_owned(), "q".to_owned()];
    assert_eq!(
        spec.blocks[1].tests,
        [
            Test::Structure { line: 6, pipeline: Some("gpu".to_owned()), counts },
            Test::Property { line: 7, names },
            Test::Warning { line: 8, pattern: "unused".to_owned() },
        ]
    );
}

#[test]
fn files_without_tests() {
    assert_eq!(parse("def main = 1 -- ==\n  -- ==\n--- ==\n").expect("no stanza").blocks, []);
    let empty = parse("-- ==\ndef main = 1").expect("a stanza");
    assert_eq!(empty.blocks, [Block { line: 1, tests: Vec::new() }]);
}

#[test]
fn mistakes_have_lines() {
    for (source, expected) in [
        ("-- ==\n-- input { 1\n-- 2", "line 2: this brace is not closed"),
        ("-- ==\n-- input 1", "line 2: expected `{`"),
        ("-- ==\n-- tags { x }\n-- }{", "line 3: can't read the test case from `}{`"),
        ("-- ==\n-- random {}", "line 2: expected `input` after `random`"),
        ("-- ==\n-- structure { A }", "line 2: expected a node and its count, found `A`"),
        ("-- ==\n-- entry:\n-- input {}", "line 2: `entry:` names no entry point"),
        ("-- ==\n-- \"x\n-- input {}", "line 2: this name is not closed"),
    ] {
        assert_eq!(parse(source).expect_err("a mistake").to_string(), expected);
    }
}

#[test]
fn no_text_is_too_strange() {
    let words = [
        "-- ==\n",
        "--",
        "\n",
        " ",
        "input",
        "output",
        "{",
        "}",
        "\"",
        "\\",
        "@",
        "é",
        "error:",
        "entry:",
        "random",
        "script",
        "auto",
        "structure",
        "tags",
        "property:",
        "1",
        "[",
        "]",
        "warning:",
    ];
    let mut rng = fun_base::rng::Rng::new(7);
    for _ in 0..2000 {
        let text: String = (0..rng.below(30)).filter_map(|_| rng.pick(&words).copied()).collect();
        // either answer is fine
        let _ = parse(&format!("-- ==\n-- {text}"));
    }
}
