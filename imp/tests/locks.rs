//! Regions that one thread at a time is in: what they compute, and every broken rule that the interpreter must see (I15).

use fun_base::prim::PrimValue;
use fun_base::run::{Limits, RunError, RunErrorKind};
use fun_base::source::Source;
use fun_base::value::Value;
use imp::check::check;
use imp::interp::{has_orders, run, run_in_order};
use imp::text::parse_program;
use std::collections::BTreeSet;

/// The sum of the cells of `sums` after four blocks of three threads have done this, ten times by different orders; `locks` has the lock cells, which begin
/// as zeros unless they are said to begin with something else, and all cells of `sums` with 1. `n` is the number of the thread, `t` that in its block.
fn run_threads(first: &str, block: &str) -> Result<i64, RunError> {
    let text = format!(
        "entry proc main(): (i64) takes () gives (i64 @ 0) {{
         var last_1: i64
         for again_2: i64 < 10i64 seq {{
           alloc l_3: i32[4i64] alloc s_4: i64[4i64]
           view locks_5: i32 @ l_3 -> 0 + {{(4 : 1)}}
           view sums_6: i64 @ s_4 -> 0 + {{(4 : 1)}}
           for i_7: i64 < 4i64 par {{ {first} sums_6[i_7] := 1i64 }}
           for b_8: i64 < 4i64 block {{ for t_9: i64 < 3i64 thread {{ let n_10: i64 = add.i64(mul.i64(b_8, 3i64), t_9) {block} }} }}
           last_1 := add.i64(add.i64(sums_6[0i64], sums_6[1i64]), add.i64(sums_6[2i64], sums_6[3i64]))
           free l_3 free s_4
         }}
         return (last_1) }}"
    );
    let source = Source { name: "test.imp".into(), text: text.into() };
    let program = parse_program(&source).unwrap_or_else(|error| panic!("{error}\n{}", source.text));
    assert_eq!(check(&program), Ok(()), "{}", source.text);
    run(&program, "main", &[], Limits::default()).map(|values| match values.as_slice() {
        [Value::Prim(PrimValue::I64(value))] => *value,
        _ => panic!("one number: {values:?}"),
    })
}

const ZEROS: &str = "locks_5[i_7] := 0i32";

/// The message of the fault that threads end in.
fn fault(block: &str) -> String {
    let error = run_threads(ZEROS, block).expect_err(block);
    assert_eq!(error.kind, RunErrorKind::Fault, "{error:?}");
    error.message
}

#[test]
fn one_thread_at_a_time_adds() {
    let of = |cell: &str| {
        format!(
            "let c_11: i64 = {cell} lock locks_5[c_11] {{
               let old_12: i64 = sums_6[c_11] if ge.i64(n_10, 0i64) {{ sums_6[c_11] := add.i64(old_12, n_10) }} }}"
        )
    };
    for cell in ["0i64", "rem.i64(n_10, 3i64)", "rem.i64(n_10, 4i64)", "t_9", "b_8"] {
        assert_eq!(run_threads(ZEROS, &of(cell)), Ok(70), "{cell}");
    }
    // under a lock as without: a thread's own cell
    let own = "if lt.i64(n_10, 4i64) { sums_6[n_10] := 5i64 lock locks_5[0i64] { sums_6[n_10] += 1i64 } let x_12: i64 = sums_6[n_10] }";
    assert_eq!(run_threads(ZEROS, own), Ok(24));
    // two cells that have one lock, and cells that all read under different ones
    let both = "lock locks_5[0i64] { sums_6[rem.i64(n_10, 2i64)] += 1i64 } lock locks_5[add.i64(1i64, rem.i64(n_10, 3i64))] { let x_12: i64 = sums_6[3i64] }";
    assert_eq!(run_threads(ZEROS, both), Ok(16));
}

#[test]
fn what_is_locked_otherwise_races() {
    for block in [
        // no lock
        "sums_6[0i64] += 1i64",
        // a lock of the thread
        "lock locks_5[t_9] { sums_6[0i64] += 1i64 }",
        "lock locks_5[b_8] { sums_6[0i64] += 1i64 }",
        // some have one, some another, or none
        "lock locks_5[select(eq.i64(n_10, 7i64), 1i64, 0i64)] { sums_6[0i64] += 1i64 }",
        "if eq.i64(n_10, 7i64) { sums_6[0i64] := 1i64 } else { lock locks_5[0i64] { sums_6[0i64] += 1i64 } }",
        "lock locks_5[0i64] { sums_6[0i64] += 1i64 } let x_12: i64 = sums_6[0i64]",
        "let x_12: i64 = sums_6[0i64] lock locks_5[0i64] { sums_6[0i64] := 1i64 }",
        "lock locks_5[0i64] { let x_12: i64 = sums_6[0i64] } if eq.i64(n_10, 7i64) { sums_6[0i64] := 1i64 }",
        "lock locks_5[0i64] { sums_6[0i64] += 1i64 } atomic sums_6[0i64] := add(1i64)",
        "lock locks_5[0i64] { sums_6[0i64] += 1i64 } if eq.i64(n_10, 7i64) { lock locks_5[1i64] { sums_6[0i64] += 1i64 } }",
        // something else touches the lock cells
        "lock locks_5[0i64] { let x_12: i32 = locks_5[0i64] }",
        "if eq.i64(n_10, 7i64) { locks_5[0i64] := 0i32 } else { lock locks_5[0i64] { sums_6[0i64] += 1i64 } }",
    ] {
        let message = fault(block);
        assert!(message.starts_with("I6: race"), "{block}: {message}");
    }
}

#[test]
fn lock_cells_begin_as_zeros() {
    let block = "lock locks_5[0i64] { sums_6[0i64] += 1i64 }";
    let error = run_threads("locks_5[i_7] := 1i32", block).expect_err("it never ends");
    assert_eq!(error.message, "I15: a lock cell is not zero before the loop");
    let error = run_threads("", block).expect_err("nobody knows what is there");
    assert_eq!(error.message, "I5: i32 at address 0 is read before it is written");
    assert!(fault("lock locks_5[4i64] { sums_6[0i64] += 1i64 }").starts_with("I5:"));
}

#[test]
fn who_comes_last_depends_on_the_seed() {
    // no two threads race, but the cell has what the last of them leaves there
    let text = "entry proc main(): (i64) takes () gives (i64 @ 0) {
      alloc l_1: i32[1i64] alloc s_2: i64[1i64]
      view locks_3: i32 @ l_1 -> 0 + {(1 : 1)}
      view last_4: i64 @ s_2 -> 0 + {(1 : 1)}
      locks_3[0i64] := 0i32
      last_4[0i64] := -1i64
      for b_5: i64 < 2i64 block { for t_6: i64 < 3i64 thread {
        lock locks_3[0i64] { last_4[0i64] := add.i64(mul.i64(b_5, 3i64), t_6) } } }
      let r_7: i64 = last_4[0i64]
      free l_1 free s_2
      return (r_7) }";
    let parse = |text: &str| {
        let source = Source { name: "test.imp".into(), text: text.into() };
        parse_program(&source).unwrap_or_else(|error| panic!("{error}"))
    };
    let program = parse(text);
    assert_eq!(check(&program), Ok(()));
    assert!(has_orders(&program));
    assert!(!has_orders(&parse(&text.replace("thread", "seq").replace("block {", "par {"))));
    let last = |order| match run_in_order(&program, "main", &[], Limits::default(), order).as_deref() {
        Ok([Value::Prim(PrimValue::I64(value))]) => *value,
        found => panic!("one number: {found:?}"),
    };
    let found: BTreeSet<i64> = (0..60).map(last).collect();
    assert_eq!(found, (0..6).collect());
    assert_eq!(last(7), last(7));
}
