//! The interpreter on small texts: results, and every kind of fault that it must find.

use fun_base::prim::{PrimType, PrimValue};
use fun_base::run::{Limits, RunError, RunErrorKind};
use fun_base::source::Source;
use fun_base::value::{ArrayValue, Value};
use imp::check::check;
use imp::interp::run;
use imp::text::parse_program;

fn run_text(text: &str, args: &[Value], limits: Limits) -> Result<Vec<Value>, RunError> {
    let source = Source { name: "test.imp".into(), text: text.into() };
    let program = parse_program(&source).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(check(&program), Ok(()), "{text}");
    run(&program, "main", args, limits)
}

fn i64s(values: &[i64]) -> Value {
    let elements = values.iter().map(|value| PrimValue::I64(*value));
    Value::from(ArrayValue::from_prims(PrimType::I64, elements).expect("all are i64"))
}

fn i64(value: i64) -> Value {
    Value::Prim(PrimValue::I64(value))
}

/// The error of an entry point of these statements on the argument [10, 20, 30].
fn failure(statements: &str) -> RunError {
    let text = format!(
        "entry proc main(m_1: mem, n_2: i64): (i64) takes (*i64[@1] @ 0) gives (i64 @ 0) {{
         view a_3: i64 @ m_1 -> 0 + {{(n_2 : 1)}}
         {statements}
         return (0i64) }}"
    );
    let limits = Limits { steps: 1000, bytes: 1000 };
    run_text(&text, &[i64s(&[10, 20, 30])], limits).expect_err(statements)
}

fn same(found: &[Value], wanted: &[Value]) -> bool {
    found.len() == wanted.len() && found.iter().zip(wanted).all(|(found, wanted)| found.same(wanted))
}

#[test]
fn reverse_and_sum() {
    let text = "entry proc main(m_1: mem, n_2: i64): (mem, i64, i64) takes (i64[@1] @ 0) gives (i64[@1] @ 0, i64 @ 2) {
        view a_3: i64 @ m_1 -> 0 + {(n_2 : 1)}
        view back_4: i64 @ m_1 -> n_2 + -1 + {(n_2 : -1)}
        alloc r_5: i64[n_2]
        view b_6: i64 @ r_5 -> 0 + {(n_2 : 1)}
        copy b_6 <- back_4
        var sum_7: i64
        for i_8: i64 < n_2 seq { sum_7 := add.i64(sum_7, a_3[i_8]) }
        return (r_5, n_2, sum_7) }";
    let found = run_text(text, &[i64s(&[1, 2, 4])], Limits::default()).unwrap();
    assert!(same(&found, &[i64s(&[4, 2, 1]), i64(7)]), "{found:?}");
    let found = run_text(text, &[i64s(&[])], Limits::default()).unwrap();
    assert!(same(&found, &[i64s(&[]), i64(0)]), "{found:?}");
}

#[test]
fn calls_loops_and_blocks() {
    // Powers of two, each iteration in a fresh block.
    let text = "proc double(m_1: mem): (mem) {
          view a_2: i64 @ m_1 -> 0 + {}
          alloc r_3: i64
          view b_4: i64 @ r_3 -> 0 + {}
          b_4[] := add.i64(a_2[], a_2[])
          return (r_3)
        }
        entry proc main(n_5: u8): (i64) takes (u8 @ 0) gives (i64 @ 0) {
          alloc one_6: i64
          view o_7: i64 @ one_6 -> 0 + {}
          o_7[] := 1i64
          var m_8: mem = one_6
          for i_9: u8 < n_5 seq {
            var next_10: mem
            call next_10 = double(m_8)
            free m_8
            m_8 := next_10
          }
          view r_11: i64 @ m_8 -> 0 + {}
          let x_12: i64 = r_11[]
          free m_8
          return (x_12)
        }";
    let found = run_text(text, &[Value::Prim(PrimValue::U8(10))], Limits { steps: 1000, bytes: 16 }).unwrap();
    assert!(same(&found, &[i64(1024)]), "{found:?}");
}

#[test]
fn while_windows_and_accumulation() {
    let text = "entry proc main(): (mem) takes () gives (i32[2][3] @ 0) {
        alloc m_1: i32[6i64]
        view a_2: i32 @ m_1 -> 0 + {(2 : 3)(3 : 1)}
        var i_3: i64
        while lt.i64(i_3, 2i64) {
          window row_4 = a_2[i_3, 2i64 : 3i64 : -1i64]
          for j_5: i64 < 3i64 par {
            row_4[j_5] := convert.i32.i64(j_5)
            row_4[j_5] += convert.i32.i64(mul.i64(10i64, i_3))
          }
          i_3 := add.i64(i_3, 1i64)
        }
        return (m_1) }";
    let found = run_text(text, &[], Limits::default()).unwrap();
    let elements = [2, 1, 0, 12, 11, 10].map(PrimValue::I32);
    let mut wanted = ArrayValue::from_prims(PrimType::I32, elements).unwrap();
    wanted.shape = vec![2, 3];
    assert!(same(&found, &[Value::from(wanted)]), "{found:?}");
}

#[test]
fn the_program_stops_itself() {
    let cases = [
        ("assert lt.i64(n_2, 0i64) \"too large\" # \"x.fut\":4:2", "too large at x.fut:4:2 in main"),
        ("let x_9: i64 = div.i64(1i64, sub.i64(n_2, n_2))", "division by zero in main"),
        ("alloc x_9: i8[0i64][-4i64]", "allocation of negative size -4 in main"),
        (
            "alloc x_9: f64[1073741824i64][1073741824i64]",
            "allocation of [1073741824][1073741824]f64 is more than the machine has in main",
        ),
    ];
    for (statements, wanted) in cases {
        let error = failure(statements);
        assert_eq!((error.kind, error.to_string().as_str()), (RunErrorKind::Assert, wanted));
    }
}

#[test]
fn faults_are_found() {
    let cases = [
        ("a_3[3i64] := 1i64", "I5: index [3] is outside a view of shape [3]"),
        ("let x_9: i64 = a_3[-1i64]", "I5: index [-1] is outside a view of shape [3]"),
        ("window w_9 = a_3[1i64 : 2i64 : 2i64]", "I5: the window is outside a view of shape [3]"),
        (
            "view v_9: i64 @ m_1 -> 1 + {(n_2 : 1)} v_9[2i64] := 0i64",
            "I5: address 3 of i64 is outside a block of 24 bytes",
        ),
        (
            "alloc x_9: i64[2i64] view v_10: i64 @ x_9 -> 0 + {(2 : 1)} let y_11: i64 = v_10[1i64]",
            "I5: i64 at address 1 is read before it is written",
        ),
        (
            "alloc x_9: i64[2i64] view v_10: i64 @ x_9 -> 0 + {(2 : 1)} free x_9 v_10[0i64] := 1i64",
            "I5: the block is no longer alive (freed by its last owner)",
        ),
        (
            "alloc x_9: i64[2i64] free x_9 free x_9",
            "I5: the block is no longer alive (freed by its last owner)",
        ),
        ("var x_9: mem view v_10: i64 @ x_9 -> 0 + {}", "I5: `x_9` holds no block"),
        ("alloc x_9: i64[2i64]", "1 blocks of 16 bytes in all are never freed"),
        ("share m_1", "1 blocks of 24 bytes in all are never freed"),
        (
            "for i_9: i64 < n_2 par { a_3[0i64] := i_9 }",
            "I6: race: iteration 1 of a parallel loop writes i64 at address 0, which another iteration accesses too",
        ),
        (
            "var s_9: i64 for i_10: i64 < 2i64 scan { s_9 := add.i64(s_9, a_3[0i64]) a_3[i_10] := s_9 }",
            "I6: race: iteration 1 of a parallel loop reads i64 at address 0, which another iteration accesses too",
        ),
        (
            "for i_9: i64 < 2i64 par { a_3[i_9] := a_3[add.i64(i_9, 1i64)] }",
            "I6: race: iteration 1 of a parallel loop writes i64 at address 1, which another iteration accesses too",
        ),
        (
            "for i_9: i64 < 3i64 par { for j_10: i64 < 1i64 par { a_3[j_10] += 1i64 } }",
            "I6: race: iteration 1 of a parallel loop reads i64 at address 0, which another iteration accesses too",
        ),
        (
            "alloc x_9: i64 for i_10: i64 < 1i64 par { free x_9 }",
            "I6: an iteration of a parallel loop frees a block from outside",
        ),
        (
            "window x_9 = a_3[0i64 : 2i64 : 1i64] window y_10 = a_3[2i64 : 2i64 : -1i64] copy x_9 <- y_10",
            "I7: source and destination of a copy overlap",
        ),
        (
            // rows that lie in each other
            "alloc m_9: i64[13i64] view x_10: i64 @ m_9 -> 0 + {(3 : 2)(3 : 3)} view y_11: i64 @ m_9 -> 2 + {(3 : 2)(3 : 3)} \
             copy x_10 <- y_11 free m_9",
            "I7: source and destination of a copy overlap",
        ),
        ("window x_9 = a_3[0i64 : 2i64 : 1i64] copy x_9 <- a_3", "I7: copy of [3]i64 to [2]i64"),
    ];
    for (statements, wanted) in cases {
        let error = failure(statements);
        assert_eq!((error.kind, error.message.as_str()), (RunErrorKind::Fault, wanted), "{statements}");
    }
}

#[test]
fn rows_move_over_each_other() {
    let moved = |dest: &str, source: &str| {
        let text = format!(
            "entry proc main(m_1: mem): (mem) takes (i64[6] @ 0) gives (i64[6] @ 0) {{
             view a_3: i64 @ m_1 -> 0 + {{(6 : 1)}} alloc r_2: i64[6i64] view b_6: i64 @ r_2 -> 0 + {{(6 : 1)}} copy b_6 <- a_3
             window x_4 = b_6[{dest}] window y_5 = b_6[{source}] copy x_4 <- y_5 return (r_2) }}"
        );
        run_text(&text, &[i64s(&[0, 1, 2, 3, 4, 5])], Limits::default()).unwrap()
    };
    let cases = [
        ("0i64 : 5i64 : 1i64", "1i64 : 5i64 : 1i64", [1, 2, 3, 4, 5, 5]),
        ("1i64 : 5i64 : 1i64", "0i64 : 5i64 : 1i64", [0, 0, 1, 2, 3, 4]),
        ("2i64 : 2i64 : 2i64", "0i64 : 2i64 : 2i64", [0, 1, 0, 3, 2, 5]),
        ("5i64 : 4i64 : -1i64", "3i64 : 4i64 : -1i64", [0, 1, 0, 1, 2, 3]),
    ];
    for (dest, source, wanted) in cases {
        let found = moved(dest, source);
        assert!(same(&found, &[i64s(&wanted)]), "{dest} <- {source}: {found:?}");
    }
}

#[test]
fn disjoint_iterations_are_no_race() {
    // Bytes of one word, a block of its own for each iteration, and reads by everyone.
    let text = "entry proc main(m_1: mem, n_2: i64): (mem) takes (i64[@1] @ 0) gives (i64[2] @ 0) {
        view a_3: i64 @ m_1 -> 0 + {(n_2 : 1)}
        alloc r_4: i64[2i64]
        view bytes_5: u8 @ r_4 -> 0 + {(16 : 1)}
        for i_6: i64 < 16i64 par {
          alloc t_7: i64
          view s_8: i64 @ t_7 -> 0 + {}
          s_8[] := add.i64(a_3[0i64], i_6)
          bytes_5[i_6] := convert.u8.i64(s_8[])
          free t_7
        }
        return (r_4) }";
    let found = run_text(text, &[i64s(&[0x10])], Limits::default()).unwrap();
    let wanted = [0x1716_1514_1312_1110, 0x1f1e_1d1c_1b1a_1918];
    assert!(same(&found, &[i64s(&wanted)]), "{found:?}");
}

#[test]
fn limits_stop_the_run() {
    let error = failure("while true {}");
    assert_eq!((error.kind, error.message.as_str()), (RunErrorKind::Limit, "more than 1000 steps"));
    let error = failure("alloc x_9: i64[200i64]");
    assert_eq!((error.kind, error.message.as_str()), (RunErrorKind::Limit, "more than 1000 bytes of memory"));
}

#[test]
fn arguments_must_fit() {
    let text = "entry proc main(m_1: mem, n_2: i64, k_3: mem): () takes (i64[@1] @ 0, i64[@1] @ 2, i64 @ 1) gives () {
        return () }
        proc inner(): () { return () }";
    let limits = Limits::default();
    assert!(run_text(text, &[i64s(&[1]), i64s(&[2]), i64(1)], limits).is_ok());
    let cases: [(Vec<Value>, &str); 4] = [
        (
            vec![i64s(&[1]), i64s(&[2, 3]), i64(1)],
            "entry point arguments have invalid sizes: dimension 0 of argument 1 has size 2 where 1 is needed",
        ),
        (
            vec![i64s(&[1]), i64s(&[2]), i64(2)],
            "entry point arguments have invalid sizes: dimension 0 of argument 0 has size 1 where 2 is needed",
        ),
        (vec![i64(1), i64s(&[2]), i64(1)], "argument 0 must have type []i64 and has type i64"),
        (vec![i64s(&[1])], "`main` takes 3 values and is given 1"),
    ];
    for (args, wanted) in cases {
        let error = run_text(text, &args, limits).unwrap_err();
        assert_eq!((error.kind, error.message.as_str()), (RunErrorKind::Input, wanted));
    }
    let source = Source { name: "test.imp".into(), text: text.into() };
    let error = run(&parse_program(&source).unwrap(), "inner", &[], limits).unwrap_err();
    assert_eq!((error.kind, error.message.as_str()), (RunErrorKind::Input, "no entry point `inner`"));
}

#[test]
fn arguments_that_are_not_consumed_are_protected() {
    let text = "entry proc main(m_1: mem): () takes (i64[1] @ 0) gives () {
        view a_2: i64 @ m_1 -> 0 + {(1 : 1)}
        a_2[0i64] := 1i64
        return () }";
    let error = run_text(text, &[i64s(&[1])], Limits::default()).unwrap_err();
    assert_eq!(error.message, "an argument that is not consumed is overwritten");
}

#[test]
fn far_apart_tags_are_fine() {
    let text =
        "entry proc main(n_4000000000: i64): (i64) takes (i64 @ 0) gives (i64 @ 0) { return (n_4000000000) }";
    assert!(same(&run_text(text, &[i64(3)], Limits::default()).unwrap(), &[i64(3)]));
}

/// The sum of 1 to 4 by a block of four threads, which share memory: `wait` stands where a barrier belongs.
fn sum_in_a_block(wait: &str) -> String {
    format!(
        "for b_10: i64 < 1i64 block {{
           alloc lanes_11: i64[4i64] in shared
           view l_12: i64 @ lanes_11 -> 0 + {{(4 : 1)}}
           for t_13: i64 < 4i64 thread {{
             l_12[t_13] := add.i64(t_13, 1i64)
           {wait}
             if lt.i64(T, 2i64) {{ l_12[T] := add.i64(l_12[T], l_12[add.i64(T, 2i64)]) }}
           }}
           for t_15: i64 < 4i64 thread {{
             if eq.i64(t_15, 0i64) {{ a_3[0i64] := add.i64(l_12[0i64], l_12[1i64]) }}
           }}
           free lanes_11
         }}"
    )
}

#[test]
fn threads_of_a_block_share_memory() {
    let statements = sum_in_a_block("} for t_14: i64 < 4i64 thread {").replace('T', "t_14");
    let text = format!(
        "entry proc main(m_1: mem, n_2: i64): (i64) takes (*i64[@1] @ 0) gives (i64 @ 0) {{
         view a_3: i64 @ m_1 -> 0 + {{(n_2 : 1)}}
         {statements}
         return (a_3[0i64]) }}"
    );
    let found = run_text(&text, &[i64s(&[0])], Limits::default()).unwrap();
    assert!(same(&found, &[i64(10)]), "{found:?}");
}

#[test]
fn a_missing_barrier_is_a_race_or_a_read_of_nothing() {
    let error = failure(&sum_in_a_block("").replace('T', "t_13"));
    assert_eq!(error.kind, RunErrorKind::Fault);
    assert!(
        error.message.starts_with("I6: race") || error.message.starts_with("I5: i64 at address"),
        "{}",
        error.message
    );
}

#[test]
fn blocks_that_write_one_cell_race() {
    let error = failure(
        "for b_10: i64 < 3i64 block { for t_11: i64 < 2i64 thread { if eq.i64(t_11, 0i64) { a_3[0i64] := b_10 } } }",
    );
    assert!(error.message.starts_with("I6: race"), "{}", error.message);
}

#[test]
fn atomics_go_together_with_those_of_one_operator() {
    let text = "entry proc main(m_1: mem, n_2: i64): (i64) takes (*i64[@1] @ 0) gives (i64 @ 0) {
        view a_3: i64 @ m_1 -> 0 + {(n_2 : 1)}
        for b_10: i64 < 3i64 block { for t_11: i64 < 2i64 thread { atomic a_3[0i64] := add(add.i64(t_11, b_10)) } }
        return (a_3[0i64]) }";
    let found = run_text(text, &[i64s(&[100])], Limits::default()).unwrap();
    assert!(same(&found, &[i64(109)]), "{found:?}");
    for other in ["a_3[0i64] := b_10", "let x_12: i64 = a_3[0i64]", "atomic a_3[0i64] := max(b_10)"] {
        let error = failure(&format!(
            "for b_10: i64 < 3i64 block {{ for t_11: i64 < 2i64 thread {{
               if eq.i64(b_10, 0i64) {{ atomic a_3[0i64] := add(1i64) }} else {{ {other} }}
             }} }}"
        ));
        assert!(error.message.starts_with("I6: race"), "{other}: {}", error.message);
    }
}

#[test]
fn narrow_atomics_leave_no_room_for_writes_beside_them() {
    let main = |other: &str| {
        format!(
            "entry proc main(m_1: mem, n_2: i64): () takes (*i8[@1] @ 0) gives () {{
            view a_3: i8 @ m_1 -> 0 + {{(n_2 : 1)}}
            for b_10: i64 < 3i64 block {{ for t_11: i64 < 2i64 thread {{
               if eq.i64(b_10, 0i64) {{ atomic a_3[1i64] := add(1i8) }} else {{ {other} }}
             }} }}
            return () }}"
        )
    };
    let elements = (0..7i8).map(PrimValue::I8);
    let bytes = Value::from(ArrayValue::from_prims(PrimType::I8, elements).expect("all are i8"));
    let run = |other: &str| run_text(&main(other), std::slice::from_ref(&bytes), Limits::default());
    for fine in [
        "let x_12: i8 = a_3[0i64]",
        "atomic a_3[2i64] := mul(3i8)",
        "if eq.i64(add.i64(t_11, b_10), 1i64) { a_3[4i64] := 1i8 }",
    ] {
        assert!(run(fine).is_ok(), "{fine}: {:?}", run(fine));
    }
    for beside in ["0i64", "2i64", "3i64"] {
        let error =
            run(&format!("if eq.i64(add.i64(t_11, b_10), 1i64) {{ a_3[{beside}] := 1i8 }}")).unwrap_err();
        assert!(error.message.starts_with("I6: race"), "{beside}: {}", error.message);
    }
}

/// What a run says for a name may be anything, and another number each time, so that what depends on it shows.
#[test]
fn parameters_vary() {
    let text = r#"entry proc main(n_0: i64): (i64, i64, i64) takes (i64 @ 0) gives (i64 @ 0, i64 @ 1, i64 @ 2) {
      var usual_1: i64
      var least_2: i64
      var most_3: i64
      for i_4: i64 < n_0 seq {
        let number_5: i64 = param "main.device.rows_1" 5
        usual_1 := add.i64(usual_1, convert.i64.bool(eq.i64(number_5, 5i64)))
        least_2 := add.i64(least_2, convert.i64.bool(lt.i64(number_5, 5i64)))
        most_3 := add.i64(most_3, convert.i64.bool(gt.i64(number_5, 5i64)))
      }
      return (usual_1, least_2, most_3) }"#;
    let found = run_text(text, &[i64(90)], Limits { steps: 10_000, bytes: 1000 }).expect("a result");
    for count in found {
        let Value::Prim(PrimValue::I64(count)) = count else { panic!("{count:?}") };
        assert!((15..=45).contains(&count), "{count} of 90");
    }
}
