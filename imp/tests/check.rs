//! Each invariant that the checker holds, broken once.

use fun_base::source::Source;
use imp::check::check;
use imp::text::parse_program;

/// The messages for a procedure of these statements.
fn errors(statements: &str) -> Vec<String> {
    let text = format!(
        "proc two(m_90: mem, n_91: i64): (i64, mem) {{ return (n_91, m_90) }}
         proc p(m_1: mem, n_2: i64, b_3: bool): () {{
         view a_4: f32 @ m_1 -> 0 + {{(n_2 : 1)}}
         var x_5: i64
         var m_6: mem
         {statements}
         return () }}"
    );
    let source = Source { name: "test.imp".into(), text: text.as_str().into() };
    let program = parse_program(&source).unwrap_or_else(|error| panic!("{error}\n{text}"));
    check(&program).err().unwrap_or_default().into_iter().map(|error| error.message).collect()
}

#[test]
fn good_statements() {
    let good = "call x_5, m_6 = two(m_1, 3i64)
        for i_7: i64 < n_2 par { var y_8: i64 y_8 := i_7 a_4[y_8] := 1.0f32 }
        window w_9 = a_4[x_5 : 2i64 : 1i64]
        copy w_9 <- w_9
        for b_10: i64 < 2i64 block {
            alloc s_11: f32[2i64][3i64] in register
            view v_12: f32 @ s_11 -> 0 + {(2 : 3)(3 : 1)}
            for t_13: i64 < 2i64 thread { v_12[t_13, 2i64] := 1.0f32 }
            for t_14: i64 < 2i64 thread { v_12[t_14, 2i64] += 1.0f32 }
            free s_11
        }";
    assert_eq!(errors(good), Vec::<String>::new());
}

#[test]
fn each_invariant_is_held() {
    let cases = [
        ("let x_5: i64 = 0i64", "I1: `x_5` is declared twice"),
        ("x_7 := 1i64", "I1: `x_7` is not in scope"),
        ("if b_3 { let y_7: i64 = 1i64 } x_5 := y_7", "I1: `y_7` is not in scope"),
        ("x_5 := add.i64(y_7, 1i64) let y_7: i64 = 1i64", "I1: `y_7` is not in scope"),
        ("x_5 := true", "I2: the value must be i64, but `true` is bool"),
        ("x_5 := add.i64(1i64, 2i32)", "I2: the operand must be i64, but `2i32` is i32"),
        ("let y_7: bool = add.bool(b_3, b_3)", "I2: add is not defined on bool"),
        ("assert b_3 \"none\" (n_2)", "I2: 1 numbers for the message \"none\""),
        ("if n_2 {}", "I2: a condition must be bool, but `n_2` is i64"),
        ("for i_7: i32 < 2i32 par {}", "I2: a par loop over i32"),
        ("x_5 := a_4", "I2: the view `a_4` is used as a scalar or block"),
        ("x_5 := m_6", "I2: the value must be i64, but `m_6` is mem"),
        ("share x_5", "I2: `x_5` must be a block and is i64"),
        ("view v_7: f32 @ n_2 -> 0 + {}", "I2: `n_2` must be a block and is i64"),
        ("view v_7: f32 @ m_1 -> b_3 + {}", "I2: a variable of an LMAD must be i64, but `b_3` is bool"),
        ("n_2 := 1i64", "I3: `n_2` is assigned and not declared by `var`"),
        ("let y_7: i64 = 1i64 y_7 := 2i64", "I3: `y_7` is assigned and not declared by `var`"),
        ("a_4[0i64, 0i64] := 1.0f32", "I4: `a_4` has 1 dimensions and is indexed with 2"),
        ("a_4[0i32] := 1.0f32", "I2: an index must be i64, but `0i32` is i32"),
        ("window w_7 = a_4[0i64, 0i64]", "I4: `a_4` has 1 dimensions and the window 2"),
        (
            "view v_7: f32 @ m_1 -> 0 + {(n_2 : 1)(1 : 1)} copy v_7 <- a_4",
            "I4: `copy` from `a_4` to `v_7` of another type or rank",
        ),
        (
            "for i_7: i64 < n_2 par { x_5 := i_7 }",
            "I6: `x_5` is assigned in a parallel loop and declared outside of it",
        ),
        ("for t_7: i64 < 2i64 thread { }", "I11: a thread loop that is no statement of a block"),
        (
            "for b_7: i64 < 2i64 chain { a_4[0i64] := 1.0f32 }",
            "I11: a statement of a block that is not the same for all of its threads",
        ),
        (
            "view w_60: i64 @ m_1 -> 0 + {(4 : n_2)(n_2 : 1)} for b_7: i64 < 2i64 block { ordered w_60 { x_5 := 1i64 } }",
            "I14: an `ordered` region that is no statement of a block of a chain loop",
        ),
        (
            "view w_60: i64 @ m_1 -> 0 + {(4 : n_2)(n_2 : 1)} for b_7: i64 < 2i64 chain { for t_8: i64 < 2i64 thread { ordered w_60 { x_5 := 1i64 } } }",
            "I14: a second `ordered` region in a loop, or one in a branch or loop",
        ),
        (
            "view w_60: i64 @ m_1 -> 0 + {(4 : n_2)(n_2 : 1)} for b_7: i64 < 2i64 chain { ordered w_60 { x_5 := 1i64 } ordered w_60 { } }",
            "I14: a second `ordered` region in a loop, or one in a branch or loop",
        ),
        (
            "for b_7: i64 < 2i64 chain { ordered a_4 { x_5 := 1i64 } }",
            "I14: `a_4` is no view of words: i64 in two dimensions",
        ),
        (
            "view w_60: i64 @ m_1 -> 0 + {(4 : n_2)(n_2 : 1)} for b_7: i64 < 2i64 chain { ordered w_60 { x_5 := 1i64 } for t_8: i64 < 2i64 thread { w_60[0i64, b_7] := 1i64 } }",
            "I14: words of `w_60` are used in the loop, or a view of them is declared there",
        ),
        (
            "view w_60: i64 @ m_1 -> 0 + {(4 : n_2)(n_2 : 1)} for b_7: i64 < 2i64 chain { let y_11: i64 = add.i64(b_7, 1i64) ordered w_60 { x_5 := y_11 } }",
            "I14: an `ordered` region uses `y_11` of the block, which is no shared memory",
        ),
        (
            "view w_60: i64 @ m_1 -> 0 + {(4 : n_2)(n_2 : 1)} for b_7: i64 < 2i64 chain { ordered w_60 { a_4[0i64] := 1.0f32 } }",
            "I14: a statement that may not be in an `ordered` region",
        ),
        (
            "view w_60: i64 @ m_1 -> 0 + {(4 : n_2)(n_2 : 1)} for b_7: i64 < 2i64 chain { alloc s_8: i64[2i64] in shared view t_9: i64 @ s_8 -> 0 + {(2 : 1)} view c_10: i64 @ s_8 -> 1 + {(1 : 1)} ordered w_60 { t_9[b_7] := 1i64 } }",
            "I14: a statement that may not be in an `ordered` region",
        ),
        (
            "view w_60: i64 @ m_1 -> 0 + {(4 : n_2)(n_2 : 1)} for b_7: i64 < 2i64 chain { alloc s_8: i64[2i64] in shared view t_9: i64 @ s_8 -> 0 + {(2 : 1)} view c_10: i64 @ s_8 -> 1 + {(1 : 1)} ordered w_60 { x_5 := t_9[b_7] } }",
            "I14: what an `ordered` region reads of `t_9` is written there, or no constant cell",
        ),
        (
            "view w_60: i64 @ m_1 -> 0 + {(4 : n_2)(n_2 : 1)} for b_7: i64 < 2i64 chain { alloc s_8: i64[2i64] in shared view t_9: i64 @ s_8 -> 0 + {(2 : 1)} view c_10: i64 @ s_8 -> 1 + {(1 : 1)} ordered w_60 { t_9[0i64] := 1i64 x_5 := t_9[0i64] } }",
            "I14: what an `ordered` region reads of `t_9` is written there, or no constant cell",
        ),
        (
            "view w_60: i64 @ m_1 -> 0 + {(4 : n_2)(n_2 : 1)} for b_7: i64 < 2i64 chain { ordered w_60 { x_5 := 1i64 } } a_4[x_5] := 1.0f32",
            "I14: `x_5` is assigned in an `ordered` region and used outside of it",
        ),
        (
            "view w_60: i64 @ m_1 -> 0 + {(4 : n_2)(n_2 : 1)} for b_7: i64 < 2i64 chain { ordered w_60 { x_5 := w_60[0i64, b_7] } }",
            "I14: words of `w_60` are used in the loop, or a view of them is declared there",
        ),
        (
            "view w_60: i64 @ m_1 -> 0 + {(4 : n_2)(n_2 : 1)} for b_7: i64 < 2i64 chain { window v_11 = w_60[0i64 : 4i64 : 1i64, 0i64 : n_2 : 1i64] ordered v_11 { x_5 := 1i64 } }",
            "I14: words of `v_11` are used in the loop, or a view of them is declared there",
        ),
        (
            "view w_60: i64 @ m_1 -> 0 + {(4 : n_2)(n_2 : 1)} for b_7: i64 < 2i64 chain { alloc s_8: i64[2i64] in shared view t_9: i64 @ s_8 -> 0 + {(2 : 1)} view c_10: i64 @ s_8 -> 1 + {(1 : 1)} ordered w_60 { c_10[0i64] := 1i64 x_5 := t_9[1i64] } }",
            "I14: what an `ordered` region reads of `t_9` is written there, or no constant cell",
        ),
        (
            "view w_60: i64 @ m_1 -> 0 + {(4 : n_2)(n_2 : 1)} for b_7: i64 < 2i64 chain { alloc s_8: i64[2i64] in shared view t_9: i64 @ s_8 -> 0 + {(2 : 1)} view c_10: i64 @ s_8 -> 1 + {(1 : 1)} ordered w_60 { window v_11 = t_9[0i64 : 1i64 : 1i64] x_5 := 1i64 } }",
            "I14: a statement that may not be in an `ordered` region",
        ),
        (
            "view w_60: i64 @ m_1 -> 0 + {(4 : n_2)(n_2 : 1)} for k_11: i64 < 2i64 seq { for b_7: i64 < 2i64 chain { ordered w_60 { x_5 := 1i64 } } }",
            "I14: `x_5`, which an `ordered` region hands on, is not declared beside its loop",
        ),
        (
            "view w_60: i64 @ m_1 -> 0 + {(4 : n_2)(n_2 : 1)} for b_7: i64 < 2i64 chain { ordered w_60 { x_5 := 1i64 } } for b_11: i64 < 2i64 chain { ordered w_60 { x_5 := 1i64 } }",
            "I14: `x_5` is assigned in two `ordered` regions",
        ),
        ("for b_7: i64 < 2i64 par { for c_8: i64 < 2i64 chain { } }", "I11: a chain loop in a parallel loop"),
        ("atomic a_4[0i64] := add(1.0f32)", "I12: `atomic` has no add on f32"),
        (
            "view v_7: i64 @ m_1 -> 0 + {(n_2 : 1)} for i_8: i64 < 2i64 par { atomic v_7[0i64] := add(1i64) }",
            "I12: an `atomic` in a par or simd loop",
        ),
        ("lock a_4[0i64] { a_4[1i64] := 1.0f32 }", "I15: `a_4` has no lock cells: they are not i32"),
        (
            "view v_7: i32 @ m_1 -> 0 + {(n_2 : 1)} for i_8: i64 < 2i64 par { lock v_7[0i64] { a_4[1i64] := 1.0f32 } }",
            "I15: a `lock` in a par, simd or chain loop",
        ),
        (
            "view v_7: i32 @ m_1 -> 0 + {(n_2 : 1)} for b_8: i64 < 2i64 chain { for t_9: i64 < 2i64 thread { lock v_7[0i64] { a_4[1i64] := 1.0f32 } } }",
            "I15: a `lock` in a par, simd or chain loop",
        ),
        (
            "view v_7: i32 @ m_1 -> 0 + {(n_2 : 1)} for b_8: i64 < 2i64 block { lock v_7[0i64] { } }",
            "I11: a statement of a block that is not the same for all of its threads",
        ),
        (
            "view v_7: i32 @ m_1 -> 0 + {(n_2 : 1)} lock v_7[0i64] { let x_8: i64 = quot.i64(1i64, n_2) }",
            "I15: a statement in a `lock` that may fail or does not end by itself",
        ),
        (
            "view v_7: i32 @ m_1 -> 0 + {(n_2 : 1)} lock v_7[0i64] { for i_8: i64 < n_2 seq { a_4[i_8] := 1.0f32 } }",
            "I15: a statement in a `lock` that may fail or does not end by itself",
        ),
        (
            "view v_7: i32 @ m_1 -> 0 + {(n_2 : 1)} lock v_7[0i64] { lock v_7[1i64] { a_4[1i64] := 1.0f32 } }",
            "I15: a statement in a `lock` that may fail or does not end by itself",
        ),
        (
            "view v_7: i32 @ m_1 -> 0 + {(n_2 : 1)} lock v_7[0i64] { assert true \"fine\" }",
            "I15: a statement in a `lock` that may fail or does not end by itself",
        ),
        (
            "for b_7: i64 < 2i64 block { a_4[0i64] := 1.0f32 }",
            "I11: a statement of a block that is not the same for all of its threads",
        ),
        (
            "for b_7: i64 < 2i64 block { let x_8: f32 = a_4[b_7] }",
            "I11: a statement of a block that is not the same for all of its threads",
        ),
        (
            "for b_7: i64 < 2i64 block { alloc s_8: f32[n_2] in shared free s_8 }",
            "I11: a statement of a block that is not the same for all of its threads",
        ),
        (
            "for b_7: i64 < 2i64 block { for t_8: i64 < 2i64 thread { } for t_9: i64 < 3i64 thread { } }",
            "I11: 3 threads in a block of 2",
        ),
        (
            "for b_7: i64 < 2i64 block { for t_8: i64 < 2i64 thread { for t_9: i64 < 2i64 thread { } } }",
            "I11: a thread loop that is no statement of a block",
        ),
        (
            "for b_7: i64 < 2i64 block { for t_8: i64 < n_2 thread { } }",
            "I11: the number of threads is not a positive constant",
        ),
        (
            "for i_7: i64 < 2i64 par { for b_8: i64 < 2i64 block { for t_9: i64 < 2i64 thread { } } }",
            "I11: a block loop in a parallel loop",
        ),
        (
            "alloc s_7: i64[2i64][3i64] in register",
            "I13: `s_7` in registers is not allocated by a block of threads",
        ),
        ("var s_7: mem register", "I13: a variable is a block in registers"),
        (
            "for b_7: i64 < 2i64 block { alloc s_8: f32[2i64][3i64] in register \
             view v_9: f32 @ s_8 -> 0 + {(2 : 1)(3 : 2)} }",
            "I13: a view of `s_8` that is not row-major with its threads first",
        ),
        (
            "for b_7: i64 < 2i64 block { alloc s_8: f32[2i64][3i64] in register \
             view v_9: f32 @ s_8 -> 0 + {(2 : 3)(3 : 1)} \
             for t_10: i64 < 2i64 thread { v_9[1i64, t_10] := 1.0f32 } }",
            "I13: the first index of `v_9` in registers is not the thread's number",
        ),
        (
            "for b_7: i64 < 2i64 block { alloc s_8: f32[2i64][3i64] in register \
             view v_9: f32 @ s_8 -> 0 + {(2 : 3)(3 : 1)} \
             for t_10: i64 < 2i64 thread { window w_11 = v_9[t_10, 0i64 : 3i64 : 1i64] } }",
            "I13: a window of `v_9` in registers",
        ),
        (
            "for b_7: i64 < 2i64 block { alloc s_8: f32[4i64] in register alloc o_9: f32[4i64] in register \
             view v_10: f32 @ s_8 -> 0 + {(4 : 1)} view w_11: f32 @ o_9 -> 0 + {(4 : 1)} \
             view z_12: f32 @ s_8 -> 0 + {(4 : 1)} shuffle v_10 <- z_12 down 1i64 in 2 }",
            "I17: `v_10` and `z_12` are of one block",
        ),
        (
            "for b_7: i64 < 2i64 block { alloc s_8: f32[4i64] in register alloc o_9: f32[4i64] in register \
             view v_10: f32 @ s_8 -> 0 + {(4 : 1)} view w_11: f32 @ o_9 -> 0 + {(4 : 1)} \
             shuffle v_10 <- w_11 down 1i64 in 3 }",
            "I17: 4 threads in groups of 3",
        ),
        (
            "for b_7: i64 < 2i64 block { alloc s_8: f32[4i64] in register alloc o_9: f32[4i64] in register \
             view v_10: f32 @ s_8 -> 0 + {(4 : 1)} view w_11: f32 @ o_9 -> 0 + {(4 : 1)} \
             shuffle v_10 <- w_11 down 1i64 in 8 }",
            "I17: 4 threads in groups of 8",
        ),
        (
            "for b_7: i64 < 2i64 block { alloc s_8: f32[4i64] in register alloc o_9: f32[4i64] in register \
             view v_10: f32 @ s_8 -> 0 + {(4 : 1)} view w_11: f32 @ o_9 -> 0 + {(4 : 1)} \
             for t_12: i64 < 8i64 thread { } shuffle v_10 <- w_11 down 1i64 in 2 }",
            "I17: 8 threads, and `v_10` is of 4",
        ),
        (
            "for b_7: i64 < 2i64 block { alloc s_8: f32[4i64] in register alloc o_9: f32[4i64] in register \
             view v_10: f32 @ s_8 -> 0 + {(4 : 1)} view w_11: f32 @ o_9 -> 0 + {(4 : 1)} \
             shuffle v_10 <- w_11 down 1i64 in 2 for t_12: i64 < 8i64 thread { } }",
            "I11: 8 threads in a block of 4",
        ),
        (
            "for b_7: i64 < 2i64 block { alloc s_8: f32[4i64] in register alloc o_9: f32[4i64] in register \
             view v_10: f32 @ s_8 -> 0 + {(4 : 1)} view w_11: f32 @ o_9 -> 0 + {(4 : 1)} \
             for t_12: i64 < 4i64 thread { shuffle v_10 <- w_11 down 1i64 in 2 } }",
            "I17: a `shuffle` that is no statement of a block",
        ),
        (
            "for b_7: i64 < 2i64 block { alloc s_8: f32[4i64] in register alloc o_9: f32[4i64] in register \
             view v_10: f32 @ s_8 -> 0 + {(4 : 1)} view w_11: f32 @ o_9 -> 0 + {(4 : 1)} \
             view z_12: f32 @ m_1 -> 0 + {(4 : 1)} shuffle v_10 <- z_12 down 1i64 in 2 }",
            "I17: `v_10` or `z_12` is not in registers",
        ),
        (
            "for b_7: i64 < 2i64 block { alloc s_8: f32[4i64] in register alloc o_9: f32[4i64] in register \
             view v_10: f32 @ s_8 -> 0 + {(4 : 1)} view w_11: f32 @ o_9 -> 0 + {(4 : 1)} \
             alloc y_12: i32[4i64] in register view z_13: i32 @ y_12 -> 0 + {(4 : 1)} \
             shuffle v_10 <- z_13 down 1i64 in 2 }",
            "I17: `v_10` and `z_13` are not one value of a type for each thread",
        ),
        (
            "for b_7: i64 < 2i64 block { alloc s_8: f32[4i64] in register alloc o_9: f32[4i64] in register \
             view v_10: f32 @ s_8 -> 0 + {(4 : 1)} view w_11: f32 @ o_9 -> 0 + {(4 : 1)} \
             alloc y_12: f32[2i64] in register view z_13: f32 @ y_12 -> 0 + {(2 : 1)} \
             shuffle v_10 <- z_13 down 1i64 in 2 }",
            "I17: `v_10` and `z_13` are of other numbers of threads",
        ),
        (
            "for b_7: i64 < 2i64 block { alloc s_8: f32[4i64] in register alloc o_9: f32[4i64] in register \
             view v_10: f32 @ s_8 -> 0 + {(4 : 1)} view w_11: f32 @ o_9 -> 0 + {(4 : 1)} \
             shuffle v_10 <- w_11 down convert.i64.f32(a_4[0i64]) in 2 }",
            "I11: a statement of a block that is not the same for all of its threads",
        ),
        (
            "for b_7: i64 < 2i64 block { alloc s_8: f32[4i64] in register alloc o_9: f32[4i64] in register \
             view v_10: f32 @ s_8 -> 0 + {(4 : 1)} view w_11: f32 @ o_9 -> 0 + {(4 : 1)} \
             shuffle v_10 <- w_11 down 1i32 in 2 }",
            "I2: a number of threads must be i64, but `1i32` is i32",
        ),
        ("alloc s_7: i64[n_2] in stack", "I9: `s_7` may be too large for the stack"),
        ("alloc s_7: i64[513i64] in stack", "I9: `s_7` may be too large for the stack"),
        ("alloc s_7: i64[512i64] in stack share s_7", "I9: `s_7` on the stack is shared"),
        ("var s_7: mem stack", "I9: a variable is a block on the stack"),
        ("call = nobody()", "I8: no procedure `nobody` before this one"),
        ("call x_5, m_6 = two(m_1)", "I8: `two` is called with other numbers of arguments or results"),
    ];
    for (statements, wanted) in cases {
        assert_eq!(errors(statements), [wanted], "{statements}");
    }
}

#[test]
fn interfaces_must_fit() {
    let with = |interface: &str| {
        let text = format!("entry proc p(m_1: mem, n_2: i64): (mem) {interface} {{ return (m_1) }}");
        let source = Source { name: "test.imp".into(), text: text.as_str().into() };
        let program = parse_program(&source).unwrap_or_else(|error| panic!("{error}"));
        check(&program).err().unwrap_or_default().into_iter().map(|error| error.message).collect::<Vec<_>>()
    };
    assert_eq!(with("takes (f32[@1] @ 0) gives (f32[2] @ 0)"), Vec::<String>::new());
    assert_eq!(with("takes (f32[3] @ 0) gives ()"), ["I2: the interface does not say what parameter 1 is"]);
    assert_eq!(
        with("takes (f32[@1] @ 0, i32 @ 1) gives ()"),
        ["I2: the interface gives `i32 @ 1`, but parameter 1 has another type"]
    );
    assert_eq!(
        with("takes (f32[@1] @ 0) gives (f32[@7] @ 0)"),
        ["I2: the interface needs result 7 to be i64"]
    );
}

#[test]
fn places_are_parameters_of_their_own() {
    let with = |interface: &str| {
        let params = "m_1: mem, n_2: i64, o_3: i64, s_4: i64, x_5: i32";
        let text =
            format!("entry proc p({params}): () takes ({interface}, i32 @ 4) gives () {{ return () }}");
        let source = Source { name: "test.imp".into(), text: text.as_str().into() };
        let program = parse_program(&source).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(imp::text::print_program(&program).split_whitespace().collect::<Vec<_>>(), {
            text.split_whitespace().collect::<Vec<_>>()
        });
        check(&program).err().unwrap_or_default().into_iter().map(|error| error.message).collect::<Vec<_>>()
    };
    assert_eq!(with("f32[@1] @ 0 -> 2 + {3}"), Vec::<String>::new());
    let needs = |value: &str, at: usize| {
        format!("I2: `{value}` of the interface needs parameter {at} as an i64 of its own")
    };
    let cannot = |value: &str| format!("I2: `{value}` of the interface cannot have that place");
    let missing = |at: usize| format!("I2: the interface does not say what parameter {at} is");
    let consumed = "*f32[@1] @ 0 -> 2 + {3}";
    assert_eq!(with(consumed), [cannot(consumed)]);
    let rank = "f32[@1] @ 0 -> 2 + {}";
    assert_eq!(with(rank), [cannot(rank), missing(3)]);
    for (value, at) in
        [("f32[@1] @ 0 -> 2 + {2}", 2), ("f32[@1] @ 0 -> 2 + {1}", 1), ("f32[@1] @ 0 -> 2 + {4}", 4)]
    {
        assert_eq!(with(value), [needs(value, at), missing(3)]);
    }
    let beyond = "f32[@1] @ 0 -> 9 + {3}";
    assert_eq!(with(beyond), [needs(beyond, 9), missing(2)]);
}
