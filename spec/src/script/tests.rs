//! Tests of FutharkScript.

use super::*;
use fun_base::prim::PrimType;
use fun_base::run::RunError;
use fun_frontend::lower::EntryInfo;

/// Two entry points and one file.
struct Fake(Vec<EntryInfo>);

impl Machine for Fake {
    fn entry(&self, name: &str) -> Option<&EntryInfo> {
        self.0.iter().find(|entry| entry.name == name)
    }

    fn call(&self, name: &str, args: &[Value]) -> Result<Vec<Value>, RunError> {
        match name {
            "swap" => Ok(vec![args[1].clone(), args[0].clone()]),
            "none" => Ok(vec![args[0].clone()]),
            _ => Err(RunError::assert("stopped")),
        }
    }

    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        if name == "f" { Ok(b"1 2i64".to_vec()) } else { Err(format!("no {name}")) }
    }
}

fn fake() -> Fake {
    let prim = Layout::Prim;
    let entry = |name: &str, takes: Vec<Layout>, gives: Layout| EntryInfo {
        name: name.to_owned(),
        params: Vec::new(),
        result: String::new(),
        takes,
        gives,
        attributes: Vec::new(),
    };
    let pair = |a, b| Layout::tuple(vec![prim(a), prim(b)]);
    Fake(vec![
        entry("swap", vec![prim(PrimType::I32), prim(PrimType::I64)], pair(PrimType::I64, PrimType::I32)),
        entry("none", vec![pair(PrimType::I32, PrimType::I32)], prim(PrimType::I32)),
        entry("stop", Vec::new(), prim(PrimType::I32)),
    ])
}

/// Layout and leaves of the value, or the message.
fn shown(text: &str) -> String {
    let exp = match parse(text) {
        Ok(exp) => exp,
        Err(message) => return message,
    };
    match evaluate(&exp, &fake()) {
        Ok(value) => {
            let leaves: Vec<String> = value.leaves.iter().map(ToString::to_string).collect();
            format!("{}: {}", value.layout, leaves.join(" "))
        }
        Err(Stop::Wrong(message) | Stop::Unsupported(message)) => message,
        Err(Stop::Run(name, error)) => format!("{name}: {error}"),
    }
}

#[test]
fn values() {
    for (text, expected) in [
        ("1", "i32: 1i32"),
        (" -2.5 ", "f64: -2.5f64"),
        ("f32.nan", "f32: f32.nan"),
        ("()", "(): "),
        ("(1, true)", "(i32, bool): 1i32 true"),
        ("{b = 1, a = (2, 3)}", "{a: (i32, i32), b: i32}: 2i32 3i32 1i32"),
        ("{b = 1, a = (2, 3)}.a.1", "i32: 3i32"),
        ("[(1, 2i64), (3, 4i64)]", "[](i32, i64): [1i32, 3i32] [2i64, 4i64]"),
        ("let x = [(1, 2i64), (3, 4i64)] in x[1].0", "i32: 3i32"),
        ("let m = [[1, 2], [3, 4]] in (m[1], m[0, 1])", "([]i32, i32): [3i32, 4i32] 2i32"),
        ("empty([0][2]f32)", "[][]f32: empty([0][2]f32)"),
        ("let (x, y) = (1, 2) in let z = y in (z, x)", "(i32, i32): 2i32 1i32"),
        ("\"ab\"", "[]u8: [97u8, 98u8]"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn calls() {
    for (text, expected) in [
        ("swap 1 2i64", "(i64, i32): 2i64 1i32"),
        // a number without a type takes that of the parameter
        ("swap 1 2", "(i64, i32): 2i64 1i32"),
        ("let x = 2 in swap x x", "(i64, i32): 2i64 2i32"),
        ("swap (1, 2i64)", "(i64, i32): 2i64 1i32"),
        ("swap ($loaddata \"f\")", "(i64, i32): 2i64 1i32"),
        ("(swap 1 2i64).1", "i32: 1i32"),
        ("none (3, 4)", "i32: 3i32"),
        ("$loadbytes \"f\"", "[]u8: [49u8, 32u8, 50u8, 105u8, 54u8, 52u8]"),
        ("let swap = 1 in swap", "i32: 1i32"),
        ("stop", "stop: stopped"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn mistakes() {
    for (text, expected) in [
        ("swap 1 2i32", "in the script: argument 1 of `swap` should be i64, but is i32"),
        ("swap 1 2.5", "in the script: argument 1 of `swap` should be i64, but is f64"),
        ("swap 1", "in the script: `swap` takes 2 arguments and is given 1"),
        ("twice 1", "in the script: there is no entry point `twice`"),
        ("let x = 1 in x 2", "in the script: `x` is no function"),
        ("(1, 2", "in the script: expected `)`, found the end"),
        ("1 2", "in the script: expected the end, found `2`"),
        ("let (x, y) = 1 in x", "in the script: 2 names for 1 components"),
        ("[1, 2i64]", "in the script: an array of i32 and i64"),
        ("[[1], [2, 3]]", "in the script: an array with rows of shape [1] and [2]"),
        ("[]", "in the script: the type of `[]` is not known: write it as `empty([0]i32)`"),
        ("(1, 2).2", "in the script: (i32, i32) has no field `2`"),
        ("let x = [1] in x[1]", "in the script: index 1 out of bounds for size 1"),
        ("{a = 1, a = 2}", "in the script: the field `a` is given twice"),
        ("$loadimg \"f\"", "the script uses `$loadimg`, which FUN does not have"),
        ("$loaddata \"g\"", "no g"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
    assert_eq!(shown(&"(".repeat(100_000)), "in the script: nested too deeply");
}

#[test]
fn no_text_is_too_strange() {
    let words = [
        "let ",
        "in ",
        "x",
        "swap",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        "=",
        ".",
        "1",
        "-",
        "2i64",
        "\"",
        "$loaddata",
        "é",
        " ",
        "empty",
        "f32.nan",
        "--",
        "\n",
        "_",
        "0",
    ];
    let mut rng = fun_base::rng::Rng::new(7);
    for _ in 0..5000 {
        let text: String = (0..rng.below(20)).filter_map(|_| rng.pick(&words).copied()).collect();
        // either answer is fine
        let _ = shown(&text);
    }
}
