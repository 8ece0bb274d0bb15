//! Runs that fail: messages, places, and that the compiled program stays usable.

use crate::common::{array, compiled, i64, i64s, run};
use fun_base::prim::PrimType;
use fun_base::run::RunErrorKind;
use fun_c::RunControl;
use std::time::{Duration, Instant};

#[test]
fn asserts_stop_with_message_and_place() {
    if crate::common::skipped() {
        return;
    }
    let text = "proc inner(n_0: i64): (i64) {
        alloc a_1: i64[n_0]
        assert lt.i64(n_0, 10i64) \"too many\" # \"x.fut\":3:7
        free a_1
        return (add.i64(n_0, 1i64)) }
      entry proc main(n_2: i64): (i64) takes (i64@0) gives (i64@0) {
        var r_3: i64
        alloc b_4: f32[100i64]
        for i_5: i64 < 3i64 seq { call r_3 = inner(n_2) }
        free b_4
        return (r_3) }";
    let error = run(text, &[i64(10)]).unwrap_err();
    assert_eq!(error.to_string(), "too many at x.fut:3:7 in inner");
    assert_eq!(error.kind, RunErrorKind::Assert);
    let code = compiled(text);
    let control = RunControl::new();
    for n in 0..20 {
        let mut run = code.prepare("main", &[i64(n)], &control).unwrap();
        let result = run.call();
        assert_eq!(result.is_ok(), n < 10);
        assert_eq!(run.live_blocks(), if n < 10 { 0 } else { 2 });
    }
}

#[test]
fn division_by_zero_stops() {
    if crate::common::skipped() {
        return;
    }
    let text = "entry proc main(x_0: i32, y_1: i32): (i32) takes (i32@0, i32@1) gives (i32@0) {
        let q_2: i32 = div.i32(x_0, y_1) # \"a.fut\":1:2
        return (q_2) }";
    let int = |n| fun_base::value::Value::Prim(PrimType::I32.of_i64(n));
    assert_eq!(
        run(text, &[int(1), int(0)]).unwrap_err().to_string(),
        "division by zero at a.fut:1:2 in main"
    );
    assert!(run(text, &[int(i64::from(i32::MIN)), int(-1)]).unwrap()[0].same(&int(i64::from(i32::MIN))));
}

#[test]
fn arguments_must_fit() {
    if crate::common::skipped() {
        return;
    }
    let text = "entry proc main(n_0: i64, xs_1: mem, ys_2: mem): (i64)
        takes (i64[@0]@1, i64[@0][2]@2) gives (i64@0) { return (n_0) }";
    let pair = |n| array(PrimType::I64, &[n, 2], 0..2 * n);
    assert!(run(text, &[i64s(0..3), pair(3)]).is_ok());
    let message = |args: &[_]| run(text, args).unwrap_err();
    let error = message(&[i64s(0..3), pair(2)]);
    assert_eq!(error.kind, RunErrorKind::Input);
    assert_eq!(
        error.message,
        "entry point arguments have invalid sizes: dimension 0 of argument 1 has size 2 where 3 is needed"
    );
    assert_eq!(message(&[i64s(0..3), array(PrimType::I64, &[3, 3], 0..9)]).kind, RunErrorKind::Input);
    assert_eq!(message(&[i64(3), pair(3)]).message, "argument 0 must have type []i64 and has type i64");
    assert_eq!(message(&[i64s(0..3)]).message, "`main` takes 2 values and is given 1");
    let unknown = compiled(text).run("other", &[], &RunControl::new()).unwrap_err();
    assert_eq!(unknown.kind, RunErrorKind::Input);
}

#[test]
fn impossible_allocations() {
    if crate::common::skipped() {
        return;
    }
    let text = "entry proc main(n_0: i64, m_1: i64): (i64) takes (i64@0, i64@1) gives (i64@0) {
        alloc a_2: f64[n_0][m_1] # \"big.fut\":1:1
        free a_2
        alloc b_3: u8[n_0] # \"big.fut\":2:1
        free b_3
        return (n_0) }";
    let code = compiled(text);
    let run = |n, m| code.run("main", &[i64(n), i64(m)], &RunControl::new());
    let error = run(1 << 30, 1 << 27).unwrap_err();
    assert_eq!(error.kind, RunErrorKind::Assert);
    assert_eq!(
        error.to_string(),
        "allocation of 1152921504606846976 bytes failed: more than the machine has at big.fut:1:1 in main"
    );
    assert!(run(1 << 62, 1 << 62).unwrap_err().message.contains("failed"));
    assert!(run(i64::MAX, i64::MAX).unwrap_err().message.contains("failed"));
    assert_eq!(run(-1, 5).unwrap_err().message, "allocation of negative size -1");
    assert_eq!(run(1 << 60, 0).unwrap_err().loc.unwrap().line, 2);
    assert!(run(3, 5).is_ok());
}

#[test]
fn memory_cap_and_usage() {
    if crate::common::skipped() {
        return;
    }
    let text = "entry proc main(n_0: i64): (i64) takes (i64@0) gives (i64@0) {
        for i_1: i64 < 10i64 seq {
          alloc a_2: u8[n_0] # \"cap.fut\":1:1
          alloc b_3: u8[100i64]
          free a_2 free b_3 }
        return (n_0) }";
    let code = compiled(text);
    let control = RunControl::new().with_memory_cap(1000);
    let error = code.run("main", &[i64(901)], &control).unwrap_err();
    assert_eq!(error.kind, RunErrorKind::Limit);
    assert!(code.run("main", &[i64(1001)], &control).unwrap_err().to_string().contains("cap.fut:1:1"));
    let mut run = code.prepare("main", &[i64(900)], &control).unwrap();
    run.call().unwrap();
    let usage = run.usage();
    assert_eq!((usage.allocations, usage.bytes, usage.peak_bytes), (20, 0, 1000));
}

/// Loops look at the stop flag where they contain loops or calls, or have a condition; innermost counted ones run to their end.
#[test]
fn cancelled_from_another_thread() {
    if crate::common::skipped() {
        return;
    }
    let loops = [
        "while true { s_1 := add.i64(s_1, 1i64) }",
        "for i_2: i64 < n_0 seq { for j_3: i64 < 10i64 seq { s_1 := xor.i64(s_1, j_3) } }",
        "for i_2: i64 < n_0 par { var t_3: i64 for j_4: i64 < 10000i64 seq { t_3 := xor.i64(t_3, j_4) } }",
    ];
    for statement in loops {
        let text = format!(
            "entry proc main(n_0: i64): (i64) takes (i64@0) gives (i64@0) {{
             var s_1: i64 {statement} return (s_1) }}"
        );
        let code = compiled(&text);
        let control = RunControl::new();
        let canceller = control.clone();
        let start = Instant::now();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            canceller.cancel();
        });
        let error = code.run("main", &[i64(1 << 30)], &control).unwrap_err();
        thread.join().unwrap();
        assert_eq!(error.message, "interrupted");
        assert!(start.elapsed() < Duration::from_secs(10));
        assert_eq!(code.run("main", &[i64(0)], &control).unwrap_err().message, "interrupted");
        control.reset();
        if !statement.starts_with("while") {
            assert!(code.run("main", &[i64(1)], &control).is_ok());
        }
    }
}
