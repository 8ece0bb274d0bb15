//! Deep nesting and long chains: accepted or refused with a message, never a crash.

use super::{listed, source};
use crate::parse::state::NESTING_LIMIT;
use crate::parse::{parse_expression, parse_program};

/// Runs on a thread with the stack that the command line gives the compiler.
fn on_big_stack(body: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(512 << 20).spawn(body).unwrap().join().unwrap();
}

fn problems(text: &str) -> Vec<String> {
    parse_program(&source(text), 0).map_or_else(|problems| listed(text, &problems), |_| Vec::new())
}

#[test]
fn deep_nesting_is_an_error() {
    on_big_stack(|| {
        for (open, close) in [("(", ")"), ("[", "]"), ("{a = ", "}"), ("f (", ")"), ("\\x -> ", "")] {
            let nested = |n: usize| format!("def x = {}1{}", open.repeat(n), close.repeat(n));
            assert_eq!(problems(&nested(NESTING_LIMIT - 2)), [""; 0], "{open} below the limit");
            let found = problems(&nested(10_000));
            let column = 9 + open.len() * NESTING_LIMIT;
            assert_eq!(
                found,
                [format!("1:{column}: E0114: this is nested too deeply")],
                "{open} above the limit"
            );
        }
        for (before, open, close) in [
            ("def f (x: ", "(", ")"),
            ("def f (x: ", "[]", ""),
            ("def f (x: ", "* ", ""),
            ("def f (x: ", "a -> ", ""),
            ("def f ", "(", ")"),
            ("def f = match x case ", "#a (", ")"),
            ("def f = ", "if a then ", " else b"),
            ("def f = ", "let x = ", " in x"),
            ("def f = ", "assert x ", ""),
            ("def f = ", "#[a] ", ""),
            ("def f = ", "a[", "]"),
            ("def f = ", "(.[", "])"),
            ("def f = ", "(+ ", ")"),
        ] {
            let found = problems(&format!("{before}{}x{}", open.repeat(10_000), close.repeat(10_000)));
            assert!(
                found.len() == 1 && found[0].contains("E0114: this is nested too deeply"),
                "{before}{open}: {found:?}"
            );
        }
    });
}

#[test]
fn unclosed_nesting_is_an_error() {
    on_big_stack(|| {
        let found = problems(&format!("def x = {}", "(".repeat(10_000)));
        assert_eq!(found, [format!("1:{}: E0114: this is nested too deeply", 9 + NESTING_LIMIT)]);
        assert_eq!(
            problems(&format!("def x = {}", ")".repeat(10_000))),
            ["1:9: E0112: this `)` closes nothing"]
        );
    });
}

#[test]
fn long_chains_are_fine() {
    on_big_stack(|| {
        let chains = [
            "let x = 1 in ".repeat(5_000) + "x",
            "let x = 1 ".repeat(2_000) + "in x",
            "if a then b else ".repeat(5_000) + "c",
            "1 + ".repeat(5_000) + "1",
            "f <| ".repeat(5_000) + "x",
            "f ".to_string() + &"x ".repeat(5_000),
            "- ".repeat(5_000) + "1",
            "x".to_string() + &".y".repeat(5_000),
            "x".to_string() + &"[0]".repeat(5_000),
            "x".to_string() + &" with [0] = 1".repeat(5_000),
            "x".to_string() + &" : t".repeat(5_000),
            "x".to_string() + &" `f` x".repeat(5_000),
            format!("[{}]", "1, ".repeat(100_000)),
        ];
        for text in chains {
            let short = text[..20].to_string();
            assert!(parse_expression(&source(&text), 0).is_ok(), "{short}");
        }
        let long = "1 + ".repeat(30_000) + "1";
        let problems = parse_expression(&source(&long), 0).unwrap_err();
        assert_eq!(
            listed(&long, &problems),
            [
                "1:1: E0114: this declaration has too long chains of bindings, branches, operators or arguments"
            ]
        );
    });
}

#[test]
fn failing_deep_inside_takes_linear_time() {
    on_big_stack(|| {
        for (open, close) in [
            ("(let x = 1 in let y = ", " in y)"),
            ("(if a then b else if c then ", " else d)"),
            ("f (\\(x: (", ")) -> x)"),
            ("{a = [g (", ")]}"),
            ("(match a case b -> loop x = 1 for i < 2 do ", ")"),
        ] {
            let text = format!("{}) ]{}", open.repeat(60), close.repeat(60));
            let start = std::time::Instant::now();
            assert!(parse_expression(&source(&text), 0).is_err());
            assert!(start.elapsed().as_secs() < 5, "{open}");
        }
    });
}

/// 10,000 lines parse in a moment; the bound is loose for slow machines and unoptimised builds.
#[test]
fn long_files_are_quick() {
    let part = "def f [n] (xs: [n]f32) (k: i64): [n]f32 =\n  let ys = map (\\x -> x * 2 + 1) xs\n  \
                let zs = map2 (+) xs ys with [k] = xs[k] + 1.5f32\n  let (a, b) = (reduce (+) 0 zs, zs[0:k:2])\n  \
                in loop acc = zs for i < k do\n    if acc[i] > a && i != 3 then acc else map (+ f32.i64 (length b)) acc\n";
    let text = part.repeat(10_000 / part.lines().count());
    let start = std::time::Instant::now();
    assert!(parse_program(&source(&text), 0).is_ok());
    let elapsed = start.elapsed();
    println!("{} lines: {elapsed:?}", text.lines().count());
    assert!(elapsed.as_secs() < 5, "{elapsed:?}");
}
