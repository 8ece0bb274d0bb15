//! Parallel loops.

use crate::common::{compiled, i64, run};
use fun_c::RunControl;
use std::time::{Duration, Instant};

/// The sum of squares up to i for each i, slowly; fails at iteration `bad`.
const SUMS: &str =
    "entry proc main(n_0: i64, bad_1: i64): (i64, mem) takes (i64@0, i64@1) gives (i64[@0]@1) {
    alloc r_2: i64[n_0]
    view R_3: i64 @ r_2 -> 0 + {(n_0 : 1)}
    var k_4: i64 = 1i64
    k_4 := mul.i64(k_4, 2i64)
    for i_5: i64 < n_0 par {
      alloc t_6: i64[1i64]
      view T_7: i64 @ t_6 -> 0 + {(1 : 1)}
      T_7[0i64] := 0i64
      for j_8: i64 < i_5 seq { T_7[0i64] += mul.i64(j_8, k_4) }
      assert ne.i64(i_5, bad_1) \"bad\" # \"p.fut\":1:1
      window W_9 = R_3[i_5]
      W_9[] := T_7[0i64]
      free t_6
    }
    return (n_0, r_2) }";

#[test]
fn results_are_those_of_the_loop_in_order() {
    if crate::common::skipped() {
        return;
    }
    for n in [0, 1, 2, 3, 100, 1000] {
        let found = run(SUMS, &[i64(n), i64(-1)]).unwrap();
        let expected = crate::common::i64s((0..n).map(|i| i * (i - 1)));
        assert!(found[0].same(&expected), "{n}");
    }
}

#[test]
fn an_error_stops_all_threads() {
    if crate::common::skipped() {
        return;
    }
    let code = compiled(SUMS);
    let control = RunControl::new();
    for bad in [0, 500, 3999] {
        let mut run = code.prepare("main", &[i64(4000), i64(bad)], &control).unwrap();
        let error = run.call().unwrap_err();
        assert_eq!(error.to_string(), "bad at p.fut:1:1 in main");
    }
    assert!(code.run("main", &[i64(4000), i64(-1)], &control).is_ok());
}

#[test]
fn small_loops_run_in_order_at_once() {
    if crate::common::skipped() {
        return;
    }
    // A million parallel loops of four cheap iterations: going to other threads each time would take a minute.
    let text = "entry proc main(n_0: i64): (i64) takes (i64@0) gives (i64@0) {
        alloc a_1: i64[4i64]
        view A_2: i64 @ a_1 -> 0 + {(4 : 1)}
        for i_3: i64 < 4i64 seq { A_2[i_3] := 0i64 }
        for k_4: i64 < n_0 seq { for i_5: i64 < 4i64 par { A_2[i_5] += k_4 } }
        let r_6: i64 = A_2[3i64]
        free a_1
        return (r_6) }";
    let start = Instant::now();
    let found = compiled(text).run("main", &[i64(1_000_000)], &RunControl::new()).unwrap();
    assert!(found[0].same(&i64(1_000_000 * 999_999 / 2)));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

/// Squares of the counter, slowly enough for threads.
const SQUARES: &str = "entry proc main(n_0: i64): (i64, mem) takes (i64@0) gives (i64[@0]@1) {
    alloc r_1: i64[n_0]
    view R_2: i64 @ r_1 -> 0 + {(n_0 : 1)}
    for i_3: i64 < n_0 par { R_2[i_3] := mul.i64(i_3, i_3) }
    return (n_0, r_1) }";

#[test]
fn runs_at_once_and_one_after_the_other_are_right() {
    if crate::common::skipped() {
        return;
    }
    let code = compiled(SQUARES);
    let squares = |n: i64| crate::common::i64s((0..n).map(|i| i * i));
    std::thread::scope(|scope| {
        for caller in 0..3 {
            let (code, squares) = (&code, &squares);
            scope.spawn(move || {
                for run in 0..50 {
                    let n = 100_000 + 1000 * caller + run;
                    let found = code.run("main", &[i64(n)], &RunControl::new()).unwrap();
                    assert!(found[0].same(&squares(n)), "{n}");
                }
            });
        }
    });
}

#[test]
fn threads_end_with_their_program() {
    // other tests have threads too, but hardly as many as sixty pools would leave
    let threads = || std::fs::read_dir("/proc/self/task").map(Iterator::count).unwrap_or(0);
    if crate::common::skipped() || threads() == 0 {
        return;
    }
    let most = threads() + 40;
    for _ in 0..60 {
        let code = compiled(SQUARES);
        code.run("main", &[i64(100_000)], &RunControl::new()).unwrap();
    }
    assert!(threads() < most, "{} threads", threads());
}
