//! Blocks that wait for one another: what they find, and every broken rule that the interpreter must see (I14).

use fun_base::prim::PrimValue;
use fun_base::run::{Limits, RunError, RunErrorKind};
use fun_base::source::Source;
use fun_base::value::Value;
use imp::check::check;
use imp::interp::run;
use imp::text::parse_program;

/// The result of ten runs, by different orders, of eight blocks of two threads that do this; they have `flags`, `own` and `sums`, a cell for each.
/// Runs in order give the same where these do not fail.
fn run_blocks(block: &str) -> Result<i64, RunError> {
    let text = format!(
        "entry proc main(): (i64) takes () gives (i64 @ 0) {{
         var last_1: i64
         for again_2: i64 < 10i64 seq {{
           alloc f_3: i32[8i64] alloc o_4: i64[8i64] alloc s_5: i64[8i64]
           view flags_6: i32 @ f_3 -> 0 + {{(8 : 1)}}
           view own_7: i64 @ o_4 -> 0 + {{(8 : 1)}}
           view sums_8: i64 @ s_5 -> 0 + {{(8 : 1)}}
           for i_9: i64 < 8i64 par {{ flags_6[i_9] := 0i32 }}
           for b_10: i64 < 8i64 chain {{ {block} }}
           last_1 := sums_8[7i64]
           free f_3 free o_4 free s_5
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
fn fault(block: &str) -> String {
    let error = run_blocks(block).expect_err(block);
    assert_eq!(error.kind, RunErrorKind::Fault, "{error:?}");
    error.message
}

const WRITE_OWN: &str =
    "for t_11: i64 < 2i64 thread { if eq.i64(t_11, 0i64) { own_7[b_10] := add.i64(b_10, 1i64) } }";
const LOOK_BACK: &str = "for t_14: i64 < 2i64 thread { if eq.i64(t_14, 0i64) {
    var sum_15: i64 = own_7[b_10]
    if ge.i64(at_12, 0i64) { sum_15 := add.i64(sum_15, sums_8[at_12]) }
    for k_16: i64 < sub.i64(sub.i64(b_10, at_12), 1i64) seq { sum_15 := add.i64(sum_15, own_7[add.i64(add.i64(at_12, 1i64), k_16)]) }
    sums_8[b_10] := sum_15 } }";

#[test]
fn sums_of_those_before() {
    let block = format!(
        "{WRITE_OWN} publish flags_6[b_10] := 1i32 await at_12 = flags_6[0i64 : b_10] {LOOK_BACK} publish flags_6[b_10] := 2i32"
    );
    assert_eq!(run_blocks(&block), Ok(36));
}

#[test]
fn waits_in_loops_and_branches() {
    let block = "for k_11: i64 < b_10 seq { if gt.i64(k_11, 2i64) { await at_12 = flags_6[k_11 : 1i64] } }
        for t_13: i64 < 2i64 thread { if eq.i64(t_13, 1i64) { sums_8[b_10] := b_10 } }
        publish flags_6[b_10] := 2i32";
    assert_eq!(run_blocks(block), Ok(7));
}

#[test]
fn a_value_that_comes_after_its_flag() {
    let block =
        format!("publish flags_6[b_10] := 1i32 {WRITE_OWN} await at_12 = flags_6[0i64 : b_10] {LOOK_BACK}");
    let message = fault(&block);
    assert!(message.starts_with("I6: race") || message.contains("before it is written"), "{message}");
}

#[test]
fn a_state_that_comes_too_early() {
    let block =
        format!("{WRITE_OWN} publish flags_6[b_10] := 2i32 await at_12 = flags_6[0i64 : b_10] {LOOK_BACK}");
    let message = fault(&block);
    assert!(message.starts_with("I6: race") || message.contains("before it is written"), "{message}");
}

#[test]
fn a_value_that_nobody_waits_for() {
    let block = format!("{WRITE_OWN} let at_12: i64 = -1i64 {LOOK_BACK}");
    let message = fault(&block);
    assert!(message.starts_with("I6: race") || message.contains("before it is written"), "{message}");
}

#[test]
fn a_flag_that_nobody_sets() {
    let message = fault("await at_12 = flags_6[0i64 : b_10]");
    assert!(message.starts_with("I14: blocks wait for flags that nobody sets"), "{message}");
}

#[test]
fn a_flag_of_a_later_block() {
    let next = "rem.i64(add.i64(b_10, 1i64), 8i64)";
    let message = fault(&format!("publish flags_6[b_10] := 1i32 await at_12 = flags_6[{next} : 1i64]"));
    assert!(message.starts_with("I14: "), "{message}");
}

#[test]
fn flags_are_no_cells() {
    let message = fault(
        "publish flags_6[b_10] := 1i32 for t_11: i64 < 2i64 thread { if eq.i64(t_11, 0i64) { flags_6[b_10] := 1i32 } }",
    );
    assert!(message.starts_with("I6: race"), "{message}");
    assert_eq!(fault("publish flags_6[b_10] := 0i32"), "I14: a flag is set to 0, and was 0");
    let message = fault("publish flags_6[b_10] := 2i32 publish flags_6[b_10] := 1i32");
    assert_eq!(message, "I14: a flag is set to 1, and was 2");
    let message = fault("publish flags_6[0i64] := 1i32");
    assert!(message.starts_with("I14: block"), "{message}");
}
