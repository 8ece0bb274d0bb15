//! What is said about wrong programs: message, place, labels and help.

use super::{listed, source};
use crate::parse::parse_program;

/// Message, then labels as `line:column: text`, then help.
fn explained(text: &str) -> Vec<String> {
    let problems = parse_program(&source(text), 0).expect_err(text);
    assert_eq!(problems.len(), 1, "one problem in {text}: {:?}", listed(text, &problems));
    let mut lines = listed(text, &problems);
    for (span, label) in &problems[0].labels {
        let place = source(text).loc(span.start);
        lines.push(format!("{}:{}: {label}", place.line, place.column));
    }
    lines.extend(problems[0].help.clone());
    lines
}

#[test]
fn explanations() {
    let table: &[(&str, &[&str])] = &[
        (
            "def f x =\n  let y = x\n  y + 1\ndef g = 1",
            &[
                "4:1: E0113: expected `in` and a body after this `let` binding, found the keyword `def`",
                "2:3: the binding starts here",
                "write `let x = … in …`; only before another `let` the `in` can be left out",
            ],
        ),
        (
            "def f x = if x thn 1 else 2",
            &[
                "1:22: E0110: expected `then`, found the keyword `else`",
                "1:16: did you mean `then`?",
                "did you mean `then`?",
            ],
        ),
        (
            "def f x = if x then 1 esle 2",
            &[
                "1:29: E0111: expected `else`, found the end of the text",
                "1:23: did you mean `else`?",
                "did you mean `else`?",
            ],
        ),
        (
            "def f x = if x = 1 then 2 else 3",
            &["1:16: E0110: expected `then`, found `=`", "equality is written `==`"],
        ),
        (
            "def f x = x = 1",
            &[
                "1:13: E0110: expected an operator or the next declaration, found `=`",
                "equality is written `==`",
            ],
        ),
        (
            "fun f x = x",
            &[
                "1:1: E0110: expected a declaration (`def`, `entry` or `type`), found the name `fun`",
                "did you mean `def`?",
            ],
        ),
        (
            "entyr f x = x",
            &[
                "1:1: E0110: expected a declaration (`def`, `entry` or `type`), found the name `entyr`",
                "did you mean `entry`?",
            ],
        ),
        ("1 + 2", &["1:1: E0110: expected a declaration (`def`, `entry` or `type`), found the number 1"]),
        (
            "def f x =- 1",
            &[
                "1:9: E0110: expected a pattern or `=`, found the operator `=-`",
                "`=-` is one operator; put a space after the `=`",
            ],
        ),
        (
            "def f = \\x => x",
            &[
                "1:12: E0110: expected a pattern, `->` or `:`, found the operator `=>`",
                "the arrow is written `->`",
            ],
        ),
        ("def f = (1, 2", &["1:9: E0112: this `(` is never closed", "1:14: `)` was expected before this"]),
        (
            "def f = [1, 2)",
            &["1:14: E0112: this `)` stands where `]` should close the `[`", "1:9: opened here"],
        ),
        ("def f = 1)", &["1:10: E0112: this `)` closes nothing"]),
        (
            "def f x = x in x",
            &[
                "1:13: E0110: expected an operator or the next declaration, found the keyword `in`",
                "there is no `let` or `for` that this `in` belongs to",
            ],
        ),
        (
            "def f x = x else x",
            &[
                "1:13: E0110: expected an operator or the next declaration, found the keyword `else`",
                "there is no `if` that this belongs to",
            ],
        ),
        ("def (a, b) = f", &["1:5: E0116: only one name can be defined at the top level, not a pattern"]),
        (
            "def loop = 1",
            &[
                "1:5: E0110: expected a pattern, a name or `(`, found the keyword `loop`",
                "`loop` is a keyword and cannot be a name",
            ],
        ),
        (
            "def f x = loop y = 1 for i <= 3 do y",
            &["1:28: E0110: expected `< bound` or `in array` to drive this loop"],
        ),
        (
            "def f = 1..2",
            &["1:13: E0110: a range needs an end: `...` (with it), `..<` or `..>` (without it)"],
        ),
        ("def f x = match x", &["1:18: E0111: expected `case`, found the end of the text"]),
        ("def f = x.", &["1:11: E0111: expected a field, found the end of the text"]),
        ("def f = (f x).(y)", &["1:15: E0110: only a module can be opened with `.( … )`"]),
        (
            "def f (x: i32 = x",
            &["1:15: E0110: expected `)`, `,` or `->`, found `=`", "equality is written `==`"],
        ),
        (
            "def f = 1;",
            &[
                "1:10: E0101: the character `;` has no meaning here",
                "declarations and bindings need no separator",
            ],
        ),
        ("def f = x ≤ 1", &["1:11: E0101: the character `≤` has no meaning here", "at most is written <="]),
        ("def f (x: ) = x", &["1:11: E0110: expected a type, found `)`"]),
        ("def f = [1, , 2]", &["1:13: E0110: expected an expression or `]`, found `,`"]),
        ("def f = let 1 + x = 2 in x", &["1:15: E0110: expected `:` or `=`, found the operator `+`"]),
    ];
    let wrong: Vec<_> = table
        .iter()
        .map(|(text, expected)| (text, explained(text), expected))
        .filter(|(_, l, r)| l != *r)
        .collect();
    assert!(wrong.is_empty(), "text, explanation, expected: {wrong:#?}");
}
