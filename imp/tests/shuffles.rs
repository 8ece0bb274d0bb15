//! What the threads of a block exchange (I17): what each gets, on devices and in order, and what the interpreter must see.

use fun_base::prim::PrimValue;
use fun_base::run::{Limits, RunError, RunErrorKind};
use fun_base::source::Source;
use fun_base::value::Value;
use imp::check::check;
use imp::interp::run;
use imp::text::parse_program;

/// What eight threads get of one another in one block, by default of the squares of their numbers.
fn exchanged(loops: &str, shuffle: &str, kind: &str) -> Result<[i64; 8], RunError> {
    let text = format!(
        "entry proc main(): ({results}) takes () gives ({gives}) {{
         alloc r_1: i64[8i64]
         view result_2: i64 @ r_1 -> 0 + {{(8 : 1)}}
         for b_3: i64 < 1i64 {kind} {{
           alloc g_4: i64[8i64] in register alloc h_5: i64[8i64] in register
           view given_6: i64 @ g_4 -> 0 + {{(8 : 1)}}
           view got_7: i64 @ h_5 -> 0 + {{(8 : 1)}}
           {loops}
           {shuffle}
           for t_9: i64 < 8i64 thread {{ result_2[t_9] := got_7[t_9] }}
           free g_4 free h_5
         }}
         {lets} free r_1
         return ({values}) }}",
        results = ["i64"; 8].join(", "),
        gives = (0..8).map(|k| format!("i64 @ {k}")).collect::<Vec<_>>().join(", "),
        lets = (0..8).map(|k| format!("let x_{}: i64 = result_2[{k}i64]\n", 20 + k)).collect::<String>(),
        values = (0..8).map(|k| format!("x_{}", 20 + k)).collect::<Vec<_>>().join(", "),
    );
    let source = Source { name: "test.imp".into(), text: text.into() };
    let program = parse_program(&source).unwrap_or_else(|error| panic!("{error}\n{}", source.text));
    assert_eq!(check(&program), Ok(()), "{}", source.text);
    let numbers = |values: Vec<Value>| {
        let number = |value: &Value| match value {
            Value::Prim(PrimValue::I64(value)) => *value,
            _ => panic!("a number: {value:?}"),
        };
        <[i64; 8]>::try_from(values.iter().map(number).collect::<Vec<_>>()).expect("eight numbers")
    };
    let found = run(&program, "main", &[], Limits::default()).map(numbers);
    if let Ok(found) = &found {
        let ordered = imp::in_order::run(&program);
        assert_eq!(check(&ordered), Ok(()), "{ordered:?}");
        assert_eq!(run(&ordered, "main", &[], Limits::default()).map(numbers).as_ref(), Ok(found));
    }
    found
}

const SQUARES: &str = "for t_8: i64 < 8i64 thread { given_6[t_8] := mul.i64(t_8, t_8) }";

#[test]
fn each_gets_what_another_has() {
    let cases = [
        ("down 1i64 in 8", [1, 4, 9, 16, 25, 36, 49, 49]),
        ("up 1i64 in 8", [0, 0, 1, 4, 9, 16, 25, 36]),
        ("down 1i64 in 4", [1, 4, 9, 9, 25, 36, 49, 49]),
        ("up 2i64 in 4", [0, 1, 0, 1, 16, 25, 16, 25]),
        ("down 3i64 in 4", [9, 1, 4, 9, 49, 25, 36, 49]),
        ("down 0i64 in 2", [0, 1, 4, 9, 16, 25, 36, 49]),
        ("up 0i64 in 1", [0, 1, 4, 9, 16, 25, 36, 49]),
    ];
    for (how, wanted) in cases {
        for kind in ["block", "chain"] {
            let shuffle = format!("shuffle got_7 <- given_6 {how}");
            assert_eq!(exchanged(SQUARES, &shuffle, kind), Ok(wanted), "{how} {kind}");
        }
    }
}

#[test]
fn in_loops() {
    // one further, then two: three in all, but not beyond the group
    let shuffle = "for s_10: i64 < 2i64 seq {
        shuffle got_7 <- given_6 down shl.i64(1i64, s_10) in 8
        for t_11: i64 < 8i64 thread { given_6[t_11] := got_7[t_11] } }";
    assert_eq!(exchanged(SQUARES, shuffle, "block"), Ok([9, 16, 25, 36, 49, 49, 49, 49]));
}

#[test]
fn broken_rules() {
    let fault = |loops: &str, shuffle: &str| {
        let error = exchanged(loops, shuffle, "block").expect_err(shuffle);
        assert_eq!(error.kind, RunErrorKind::Fault, "{error:?}");
        error.message
    };
    let too_far = fault(SQUARES, "shuffle got_7 <- given_6 down 4i64 in 4");
    assert_eq!(too_far, "I17: 4 threads down in groups of 4");
    let backwards = fault(SQUARES, "shuffle got_7 <- given_6 up -1i64 in 4");
    assert_eq!(backwards, "I17: -1 threads up in groups of 4");
    let some = "for t_8: i64 < 8i64 thread { if lt.i64(t_8, 7i64) { given_6[t_8] := t_8 } }";
    let unwritten = fault(some, "shuffle got_7 <- given_6 down 1i64 in 8");
    assert!(unwritten.starts_with("I5: "), "{unwritten}");
}
