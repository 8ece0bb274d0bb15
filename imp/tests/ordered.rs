//! Blocks that do something one after the other: what they are told, and every broken rule that the interpreter must see (I14).

use fun_base::prim::PrimValue;
use fun_base::run::{Limits, RunError, RunErrorKind};
use fun_base::source::Source;
use fun_base::value::Value;
use imp::check::check;
use imp::interp::run;
use imp::text::parse_program;

/// The result of ten runs, by different orders, of eight blocks of two threads that do this; they have `mine` and `carry` each, `out` and `all` together and so many
/// words, which hold `first`, and hand on `sum`. Runs in order give the same where these do not fail.
fn run_words(words: i64, first: i64, block: &str) -> Result<i64, RunError> {
    let zero: String = (0..words).map(|word| format!("words_6[{word}i64, i_9] := {first}i64 ")).collect();
    let text = format!(
        "entry proc main(): (i64) takes () gives (i64 @ 0) {{
         var last_1: i64
         for again_2: i64 < 10i64 seq {{
           alloc w_3: i64[{words}i64][8i64] alloc o_4: i64[8i64] alloc a_18: i64[8i64]
           view words_6: i64 @ w_3 -> 0 + {{({words} : 8)(8 : 1)}}
           view out_7: i64 @ o_4 -> 0 + {{(8 : 1)}}
           view all_19: i64 @ a_18 -> 0 + {{(8 : 1)}}
           for i_9: i64 < 8i64 par {{ {zero} all_19[i_9] := 1i64 }}
           var sum_5: i64 = 0i64
           for b_10: i64 < 8i64 chain {{
             alloc m_11: i64[1i64] in shared alloc c_12: i64[1i64] in shared
             view mine_13: i64 @ m_11 -> 0 + {{(1 : 1)}}
             view carry_14: i64 @ c_12 -> 0 + {{(1 : 1)}}
             {block}
             for t_16: i64 < 2i64 thread {{ if eq.i64(t_16, 1i64) {{ out_7[b_10] := carry_14[0i64] }} }}
             free m_11 free c_12
           }}
           last_1 := out_7[7i64]
           free w_3 free o_4 free a_18
         }}
         return (last_1) }}"
    );
    let source = Source { name: "test.imp".into(), text: text.into() };
    let program = parse_program(&source).unwrap_or_else(|error| panic!("{error}\n{}", source.text));
    assert_eq!(check(&program), Ok(()), "{}", source.text);
    let result = |values: Vec<Value>| match values.as_slice() {
        [Value::Prim(PrimValue::I64(value))] => *value,
        _ => panic!("one number: {values:?}"),
    };
    let found = run(&program, "main", &[], Limits::default()).map(result);
    if let Ok(found) = &found {
        let ordered = imp::in_order::run(&program);
        assert_eq!(check(&ordered), Ok(()), "{ordered:?}");
        assert_eq!(run(&ordered, "main", &[], Limits::default()).map(result).as_ref(), Ok(found));
    }
    found
}

/// The message of the fault that blocks end in.
fn fault(found: Result<i64, RunError>) -> String {
    let error = found.expect_err("a fault");
    assert_eq!(error.kind, RunErrorKind::Fault, "{error:?}");
    error.message
}

const WRITE_MINE: &str =
    "for t_15: i64 < 2i64 thread { if eq.i64(t_15, 0i64) { mine_13[0i64] := add.i64(b_10, 1i64) } }";
const REGION: &str = "ordered words_6 { carry_14[0i64] := sum_5 sum_5 := add.i64(sum_5, mine_13[0i64]) }";

#[test]
fn sums_of_those_before() {
    assert_eq!(run_words(4, 0, &format!("{WRITE_MINE} {REGION}")), Ok(28));
    // more words than needed
    assert_eq!(run_words(5, 0, &format!("{WRITE_MINE} {REGION}")), Ok(28));
}

#[test]
fn any_operation_in_order() {
    // not associative: order is all that decides
    let region = "ordered words_6 { carry_14[0i64] := sum_5
        if gt.i64(b_10, 2i64) { sum_5 := sub.i64(mine_13[0i64], sum_5) } else { sum_5 := mul.i64(mine_13[0i64], all_19[b_10]) } }";
    // 1, 2, 3, 4 - 3, 5 - 1, 6 - 4, 7 - 2
    assert_eq!(run_words(4, 0, &format!("{WRITE_MINE} {region}")), Ok(5));
}

#[test]
fn a_value_that_comes_after_the_region() {
    let message = fault(run_words(4, 0, &format!("{REGION} {WRITE_MINE}")));
    assert!(message.contains("before it is written"), "{message}");
}

#[test]
fn memory_that_the_loop_writes() {
    let write = "for t_15: i64 < 2i64 thread { if eq.i64(t_15, 0i64) { all_19[b_10] := 1i64 } }";
    let region = "ordered words_6 { carry_14[0i64] := sum_5 sum_5 := all_19[b_10] }";
    let message = fault(run_words(4, 0, &format!("{write} {region}")));
    assert_eq!(message, "I14: an `ordered` region reads what its loop writes");
    // a region tells of what is in words alone
    let look = "for t_17: i64 < 2i64 thread { if gt.i64(b_10, 0i64) { let x_20: i64 = all_19[sub.i64(b_10, 1i64)] } }";
    let region = "ordered words_6 { carry_14[0i64] := sum_5 sum_5 := b_10 }";
    let message = fault(run_words(4, 0, &format!("{write} {region} {look}")));
    assert!(message.starts_with("I6: race"), "{message}");
}

#[test]
fn words_that_are_not_as_they_must_be() {
    let block = format!("{WRITE_MINE} {REGION}");
    assert_eq!(fault(run_words(4, 1, &block)), "I14: a word is not zero before the loop");
    let message = fault(run_words(3, 0, &block));
    assert!(message.starts_with("I5: index [3, 0] is outside"), "{message}");
}
