//! Whole programs: control, memory, errors. Each also runs in the interpreter.

use crate::common::{array, compiled, i64, i64s, run};
use fun_base::prim::PrimType;
use fun_cranelift::RunControl;

fn shown(result: Result<Vec<fun_base::value::Value>, fun_base::run::RunError>) -> String {
    let values = result.unwrap();
    values.iter().map(|value| format!("{value}")).collect::<Vec<_>>().join(" ")
}

#[test]
fn scalars_and_loops() {
    let text = "entry proc main(n_0: i64): (i64) takes (i64@0) gives (i64@0) {
        var s_1: i64 = 0i64
        for i_2: i64 < n_0 seq { s_1 := add.i64(s_1, mul.i64(i_2, i_2)) }
        return (s_1) }";
    assert_eq!(shown(run(text, &[i64(10)])), "285i64");
    assert_eq!(shown(run(text, &[i64(0)])), "0i64");
    assert_eq!(shown(run(text, &[i64(-5)])), "0i64");
    assert_eq!(shown(run(text, &[i64(200_000)])), "2666646666700000i64");
}

#[test]
fn reads_and_writes_through_views() {
    let text = "entry proc main(n_0: i64, m_1: i64, xs_2: mem): (i64, i64, mem)
        takes (i32[@0][@1]@2) gives (i32[@0][@1]@2) {
        alloc ys_3: i32[n_0][m_1]
        view X_4: i32 @ xs_2 -> 0 + {(n_0 : m_1)(m_1 : 1)}
        view Y_5: i32 @ ys_3 -> 0 + {(m_1 : n_0)(n_0 : 1)}
        for i_6: i64 < n_0 seq { for j_7: i64 < m_1 seq {
            Y_5[j_7, i_6] := X_4[i_6, j_7]
            Y_5[j_7, i_6] += 100i32 } }
        return (m_1, n_0, ys_3) }";
    let xs = array(PrimType::I32, &[2, 3], 0..6);
    assert_eq!(shown(run(text, &[xs])), "[[100i32, 103i32], [101i32, 104i32], [102i32, 105i32]]");
}

#[test]
fn branches_and_mutable_variables() {
    // The length of the Collatz sequence.
    let text = "entry proc main(n_0: i64): (i64) takes (i64@0) gives (i64@0) {
        var x_1: i64 = n_0
        var k_2: i64
        while ne.i64(x_1, 1i64) {
          if eq.i64(rem.i64(x_1, 2i64), 0i64) { x_1 := quot.i64(x_1, 2i64) }
          else { x_1 := add.i64(mul.i64(x_1, 3i64), 1i64) }
          k_2 := add.i64(k_2, 1i64)
        }
        return (k_2) }";
    assert_eq!(shown(run(text, &[i64(27)])), "111i64");
}

/// What comes after the last use of a variable may stand where it stood; what a loop uses stays for its next iteration.
#[test]
fn variables_that_follow_each_other() {
    let text = "entry proc main(n_0: i64): (i64, i64) takes (i64@0) gives (i64@0, i64@1) {
        var a_1: i64 = n_0
        var total_2: i64 = 0i64
        for i_3: i64 < n_0 seq {
          total_2 := add.i64(total_2, a_1)
          var b_4: i64 = mul.i64(i_3, 10i64)
          if gt.i64(b_4, 20i64) { b_4 := sub.i64(b_4, 1i64) } else { }
          total_2 := add.i64(total_2, b_4)
          var c_5: i64 = b_4
          c_5 := add.i64(c_5, 1i64)
          var d_6: i64 = 7i64
          d_6 := add.i64(d_6, c_5)
          total_2 := add.i64(total_2, d_6)
        }
        var e_7: i64 = 100i64
        e_7 := add.i64(e_7, 1i64)
        return (total_2, e_7) }";
    // b: 0, 10, 20, 29; d is 8 more
    assert_eq!(shown(run(text, &[i64(4)])), "166i64 101i64");
}

#[test]
fn counters_of_every_type() {
    for (ty, n) in [
        ("i8", 127),
        ("u8", 255),
        ("i16", 300),
        ("u16", 40000),
        ("i32", 70000),
        ("u32", 70000),
        ("u64", 70000),
    ] {
        let text = format!(
            "entry proc main(n_0: {ty}): (i64) takes ({ty}@0) gives (i64@0) {{
             var s_1: i64
             for i_2: {ty} < n_0 seq {{ s_1 := add.i64(s_1, convert.i64.{ty}(i_2)) }}
             return (s_1) }}"
        );
        let prim = PrimType::NUMERIC_AND_BOOL.into_iter().find(|t| t.to_string() == ty).unwrap();
        let arg = fun_base::value::Value::Prim(prim.of_i64(n));
        assert_eq!(shown(run(&text, &[arg])), format!("{}i64", n * (n - 1) / 2), "{ty}");
    }
}

#[test]
fn windows_compose_and_copies_follow_strides() {
    // Even rows of the input, columns backwards, transposed.
    let text = "entry proc main(n_0: i64, m_1: i64, xs_2: mem): (i64, i64, mem)
        takes (i16[@0][@1]@2) gives (i16[@0][@1]@2) {
        let h_3: i64 = quot.i64(add.i64(n_0, 1i64), 2i64)
        alloc ys_4: i16[m_1][h_3]
        view X_5: i16 @ xs_2 -> 0 + {(n_0 : m_1)(m_1 : 1)}
        window E_6 = X_5[0i64 : h_3 : 2i64, sub.i64(m_1, 1i64) : m_1 : -1i64]
        view Y_7: i16 @ ys_4 -> 0 + {(h_3 : 1)(m_1 : h_3)}
        copy Y_7 <- E_6
        if gt.i64(h_3, 1i64) {
          window R_8 = E_6[1i64, 0i64 : m_1 : 1i64]
          window C_9 = Y_7[0i64 : h_3 : 1i64, 0i64]
          C_9[0i64] := R_8[0i64]
        }
        return (m_1, h_3, ys_4) }";
    let found = shown(run(text, &[array(PrimType::I16, &[3, 2], 0..6)]));
    assert_eq!(found, "[[5i16, 5i16], [0i16, 4i16]]");
    assert_eq!(shown(run(text, &[array(PrimType::I16, &[1, 3], 0..3)])), "[[2i16], [1i16], [0i16]]");
}

#[test]
fn rows_move_over_each_other() {
    // The middle columns of some rows go to other rows: sizes that only the run knows, and few cells.
    for (to, from, count) in
        [(0, 1, 7), (1, 0, 7), (3, 0, 5), (0, 3, 5), (2, 2, 4), (0, 1, 3), (1, 0, 3), (0, 4, 4)]
    {
        let mut rows: Vec<Vec<i64>> = (0..8).map(|i| (0..4).map(|j| 4 * i + j).collect()).collect();
        let before = rows.clone();
        for k in 0..count {
            rows[to + k][1..3].copy_from_slice(&before[from + k][1..3]);
        }
        let rows: Vec<String> = rows
            .iter()
            .map(|row| format!("[{}]", row.iter().map(|n| format!("{n}i64")).collect::<Vec<_>>().join(", ")))
            .collect();
        let wanted = format!("[{}]", rows.join(", "));
        for count_text in ["c_3".to_owned(), format!("{count}i64")] {
            let text = format!(
                "entry proc main(xs_0: mem, t_1: i64, f_2: i64, c_3: i64): (mem)
                takes (i64[8][4]@0, i64@1, i64@2, i64@3) gives (i64[8][4]@0) {{
                alloc ys_4: i64[8i64][4i64]
                view X_5: i64 @ xs_0 -> 0 + {{(8 : 4)(4 : 1)}}
                view Y_6: i64 @ ys_4 -> 0 + {{(8 : 4)(4 : 1)}}
                copy Y_6 <- X_5
                view Z_9: i64 @ ys_4 -> 0 + {{(8 : 4)(4 : 1)}}
                window D_7 = Z_9[t_1 : {count_text} : 1i64, 1i64 : 2i64 : 1i64]
                window S_8 = Y_6[f_2 : {count_text} : 1i64, 1i64 : 2i64 : 1i64]
                copy D_7 <- S_8
                return (ys_4) }}"
            );
            let [to, from, count] = [to, from, count].map(|n| i64(n as i64));
            let xs = array(PrimType::I64, &[8, 4], 0..32);
            assert_eq!(shown(run(&text, &[xs, to, from, count])), wanted, "{text}");
        }
    }
}

#[test]
fn copies_of_every_element_size_and_layout() {
    for ty in [PrimType::I8, PrimType::U16, PrimType::F32, PrimType::F64, PrimType::Bool] {
        for (layout, name) in [
            ("0 + {(a_0 : b_1*c_2)(b_1 : c_2)(c_2 : 1)}", "row-major"),
            ("0 + {(a_0 : 1)(b_1 : a_0)(c_2 : a_0*b_1)}", "column-major"),
            ("0 + {(a_0 : c_2)(b_1 : a_0*c_2)(c_2 : 1)}", "outer two swapped"),
            ("0 + {(a_0 : b_1*c_2)(b_1 : 1)(c_2 : b_1)}", "inner two swapped"),
            ("a_0*b_1*c_2 + -1 + {(a_0 : -1*b_1*c_2)(b_1 : -1*c_2)(c_2 : -1)}", "backwards"),
        ] {
            let text = format!(
                "entry proc main(a_0: i64, b_1: i64, c_2: i64, xs_3: mem): (i64, i64, i64, mem)
                 takes ({ty}[@0][@1][@2]@3) gives ({ty}[@0][@1][@2]@3) {{
                 alloc t_4: {ty}[a_0][b_1][c_2]
                 alloc y_5: {ty}[a_0][b_1][c_2]
                 view X_6: {ty} @ xs_3 -> 0 + {{(a_0 : b_1*c_2)(b_1 : c_2)(c_2 : 1)}}
                 view T_7: {ty} @ t_4 -> {layout}
                 view Y_8: {ty} @ y_5 -> 0 + {{(a_0 : b_1*c_2)(b_1 : c_2)(c_2 : 1)}}
                 copy T_7 <- X_6
                 copy Y_8 <- T_7
                 free t_4
                 return (a_0, b_1, c_2, y_5) }}"
            );
            for shape in [[2, 3, 4], [1, 3, 1], [3, 1, 2], [0, 2, 2], [1, 1, 1]] {
                let xs = array(ty, &shape, 0..shape.iter().product());
                let found = run(&text, std::slice::from_ref(&xs)).unwrap();
                assert!(found[0].same(&xs), "{ty} {name} {shape:?}: {found:?}");
            }
        }
    }
}

#[test]
fn blocks_live_as_long_as_their_owners() {
    // A list of blocks that are swapped and shared; none is left at the end.
    let text = "proc make(n_0: i64): (mem) {
        alloc m_1: i64[n_0]
        view M_2: i64 @ m_1 -> 0 + {(n_0 : 1)}
        for i_3: i64 < n_0 seq { M_2[i_3] := i_3 }
        return (m_1) }
      entry proc main(n_4: i64): (i64, mem) takes (i64@0) gives (i64[@0]@1) {
        var a_5: mem
        var b_6: mem
        free a_5 share b_6
        call a_5 = make(n_4)
        for i_7: i64 < n_4 seq {
          call b_6 = make(n_4)
          share b_6
          var t_8: mem = a_5
          a_5 := b_6
          b_6 := t_8
          free b_6
          free a_5
        }
        return (n_4, a_5) }";
    assert_eq!(shown(run(text, &[i64(5)])), "[0i64, 1i64, 2i64, 3i64, 4i64]");
    let code = compiled(text);
    let mut run = code.prepare("main", &[i64(5)], &RunControl::new()).unwrap();
    run.call().unwrap();
    assert_eq!(run.live_blocks(), 1);
    // six blocks of five numbers
    assert_eq!((run.usage().allocations, run.usage().allocated_bytes), (6, 240));
    assert_eq!((run.usage().bytes, run.usage().peak_bytes), (40, 80));
}

#[test]
fn results_may_be_arguments_and_arguments_are_kept() {
    let text = "entry proc main(n_0: i64, xs_1: mem): (i64, mem, mem)
        takes (*i64[@0]@1) gives (i64[@0]@1, i64[@0]@2) {
        view X_2: i64 @ xs_1 -> 0 + {(n_0 : 1)}
        for i_3: i64 < n_0 seq { X_2[i_3] += 1i64 }
        share xs_1 share xs_1
        return (n_0, xs_1, xs_1) }";
    let xs = i64s([1, 2, 3]);
    assert_eq!(shown(run(text, std::slice::from_ref(&xs))), "[2i64, 3i64, 4i64] [2i64, 3i64, 4i64]");
    assert!(xs.same(&i64s([1, 2, 3])));
}

#[test]
fn bool_arrays_and_unit_scalars() {
    let text = "entry proc main(n_0: i64, u_1: unit, bs_2: mem): (i64, mem, unit)
        takes (unit@1, bool[@0]@2) gives (bool[@0]@1, unit@2) {
        alloc cs_4: bool[n_0]
        view B_7: bool @ bs_2 -> 0 + {(n_0 : 1)}
        view C_8: bool @ cs_4 -> 0 + {(n_0 : 1)}
        for i_9: i64 < n_0 seq { C_8[i_9] := not.bool(B_7[i_9]) }
        return (n_0, cs_4, u_1) }";
    let unit = fun_base::value::Value::Prim(fun_base::prim::PrimValue::Unit);
    let found = run(text, &[unit, array(PrimType::Bool, &[3], [1, 0, 1])]);
    assert_eq!(shown(found), "[false, true, false] ()");
}

#[test]
fn calls_with_many_parameters_and_results() {
    let params: Vec<String> =
        (0..20).map(|i| format!("x_{i}: {}", if i % 2 == 0 { "i64" } else { "f64" })).collect();
    let types: Vec<&str> = (0..20).map(|i| if i % 2 == 0 { "f64" } else { "i64" }).collect();
    let results: Vec<String> = (0..20).map(|i| format!("x_{}", 19 - i)).collect();
    let vars: String = (0..20).map(|i| format!("var r_{}: {}\n", 40 + i, types[i])).collect();
    let text = format!(
        "proc turn({}): ({}) {{ return ({}) }}
         entry proc main(n_30: i64): (i64, f64, i64) takes (i64@0) gives (i64@0, f64@1, i64@2) {{
         let f_31: f64 = convert.f64.i64(n_30)
         {vars}
         call {} = turn({})
         return (r_59, r_58, r_41) }}",
        params.join(", "),
        types.join(", "),
        results.join(", "),
        (0..20).map(|i| format!("r_{}", 40 + i)).collect::<Vec<_>>().join(", "),
        (0..20)
            .map(|i| if i % 2 == 0 {
                format!("add.i64(n_30, {i}i64)")
            } else {
                format!("add.f64(f_31, {i}f64)")
            })
            .collect::<Vec<_>>()
            .join(", "),
    );
    assert_eq!(shown(run(&text, &[i64(100)])), "100i64 101.0f64 118i64");
}

#[test]
fn user_names_do_not_meet_those_of_the_runtime() {
    let text = "proc fun_free(x_0: i64): (i64) { return (x_0) }
      proc sinf(x_1: i64): (i64) { return (x_1) }
      entry proc main(n_2: i64): (i64) takes (i64@0) gives (i64@0) {
        var r_3: i64
        call r_3 = fun_free(n_2)
        call r_3 = sinf(r_3)
        alloc a_4: i64[r_3]
        free a_4
        return (r_3) }";
    assert_eq!(shown(run(text, &[i64(3)])), "3i64");
}

#[test]
fn huge_procedures() {
    let count = 2000;
    let body: String = (0..count)
        .map(|i| format!("if lt.i64(rem.i64(x_1, 3i64), 1i64) {{ x_1 := add.i64(x_1, {i}i64) }} else {{ x_1 := add.i64(x_1, n_0) }}\n"))
        .collect();
    let text = format!(
        "entry proc main(n_0: i64): (i64) takes (i64@0) gives (i64@0) {{
         var x_1: i64 = n_0
         for i_2: i64 < n_0 seq {{ {body} }}
         return (x_1) }}"
    );
    run(&text, &[i64(7)]).unwrap();
}
