//! Parallel loops.

use crate::common::{compiled, i64, run};
use fun_cranelift::{RunControl, with_threads};
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
    for n in [0, 1, 2, 3, 100, 1000] {
        let found = run(SUMS, &[i64(n), i64(-1)]).unwrap();
        let expected = crate::common::i64s((0..n).map(|i| i * (i - 1)));
        assert!(found[0].same(&expected), "{n}");
    }
}

#[test]
fn an_error_stops_all_strands_and_releases_blocks() {
    let code = compiled(SUMS);
    let control = RunControl::new();
    for bad in [0, 500, 3999] {
        let mut run = code.prepare("main", &[i64(4000), i64(bad)], &control).unwrap();
        let error = with_threads(3, || run.call()).unwrap_err();
        assert_eq!(error.to_string(), "bad at p.fut:1:1 in main");
        assert_eq!(run.live_blocks(), 1);
    }
    assert!(code.run("main", &[i64(4000), i64(-1)], &control).is_ok());
}

#[test]
fn several_threads_work() {
    // Each iteration waits until the other has begun: only with two threads does that end.
    let text = "entry proc main(n_0: i64): (i64) takes (i64@0) gives (i64@0) {
        alloc flags_1: i64[n_0]
        view F_2: i64 @ flags_1 -> 0 + {(n_0 : 1)}
        for i_3: i64 < n_0 seq { F_2[i_3] := 0i64 }
        for i_4: i64 < n_0 par {
          F_2[i_4] := 1i64
          while eq.i64(F_2[sub.i64(1i64, i_4)], 0i64) { }
          for k_5: i64 < 1000000i64 seq { F_2[i_4] += k_5 }
        }
        let s_6: i64 = add.i64(F_2[0i64], F_2[1i64])
        free flags_1
        return (s_6) }";
    let code = compiled(text);
    let control = RunControl::new();
    let guard = control.clone();
    let (done, wait) = std::sync::mpsc::channel::<()>();
    let watch = std::thread::spawn(move || {
        if wait.recv_timeout(Duration::from_secs(60)).is_err() {
            guard.cancel();
        }
    });
    let found = with_threads(4, || code.run("main", &[i64(2)], &control)).unwrap();
    done.send(()).unwrap();
    watch.join().unwrap();
    assert!(found[0].same(&i64(2 * (1 + 999_999 * 500_000))));
}

#[test]
fn small_loops_run_in_order_at_once() {
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
