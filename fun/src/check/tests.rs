//! Programs that the checker takes, and one for each rule that it refuses.

use super::*;
use crate::text::parse_program;
use fun_base::source::Source;

fn check(text: &str, phase: Phase) -> String {
    let source = Source { name: Symbol::new("t.fun"), text: text.into() };
    let program = parse_program(&source, 0).unwrap();
    check_program(&program, phase).map_or_else(|errors| errors_to_string(&errors), |()| String::new())
}

/// Checks a body in a function of these parameters and results.
fn check_body(params: &str, results: &str, body: &str) -> String {
    check(&format!("fun f {params} : {results} = {{ {body} }}"), Phase::Any)
}

#[track_caller]
fn good(params: &str, results: &str, body: &str) {
    assert_eq!(check_body(params, results, body), "");
}

#[track_caller]
fn bad(params: &str, results: &str, body: &str, error: &str) {
    let errors = check_body(params, results, body);
    assert!(errors.lines().next().unwrap_or_default() == error, "got: {errors}");
}

const XS: &str = "[n_1: i64] (xs_2: [n_1]f32) (*ys_3: [n_1]f32) (i_4: i64) (c_5: bool)";

#[test]
fn scopes() {
    bad("", "(r_1: i64)", "in (x_2)", "F1 in f: x_2 is not in scope");
    bad(
        "(x_1: i64)",
        "(r_2: i64)",
        "let (x_1: i64) = 1i64 in (x_1)",
        "F1 in f: x_1 is bound twice in the program",
    );
    let inner = "let (y_6: i64) = if c_5 { let (z_7: i64) = i_4 in (z_7) } else { in (i_4) }";
    good(XS, "(r_8: i64)", &format!("{inner} in (y_6)"));
    bad(XS, "(r_8: i64)", &format!("{inner} in (z_7)"), "F1 in f: z_7 is not in scope");
    bad("", "", "let = call g in ()", "F9 in f: there is no function g before this one");
}

#[test]
fn operand_types() {
    bad(XS, "", "let (a_6: i64) = add.i64 i_4 1i32 in ()", "F2 in f: operand: 1i32 has type i32, not i64");
    good(XS, "", "let = assert c_5 \"{} of {}\" i_4 n_1 in ()");
    bad(XS, "", "let = assert c_5 \"{}\" i_4 n_1 in ()", "F2 in f: 2 numbers for the message \"{}\"");
    bad(XS, "", "let (a_6: i64) = sqrt.i64 i_4 in ()", "F2 in f: sqrt is not defined on i64");
    bad(XS, "", "let (a_6: f32) = index xs_2[i_4, i_4] in ()", "F2 in f: 2 instead of 1: indices");
    bad(XS, "", "let (a_6: f64) = index xs_2[i_4] in ()", "F2 in f: a_6 is bound with type f64, not f32");
    bad(
        XS,
        "",
        "let (a_6: [i_4]f32) = copy xs_2 in ()",
        "F2 in f: a_6 is bound with type [i_4]f32, not [n_1]f32",
    );
    bad(
        XS,
        "",
        "let (a_6: [3i32]f32) = scratch [3i32]f32 in ()",
        "F3 in f: the size 3i32 has type i32, not i64",
    );
    bad(
        XS,
        "",
        "let (a_6: [n_1]f32) = permute (1) xs_2 in ()",
        "F2 in f: [1] is no permutation of 1 dimensions",
    );
    good(
        XS,
        "",
        "let (a_6: [i_4][n_1]f32) = replicate [i_4] xs_2 let (b_7: [n_1][i_4]f32) = permute (1, 0) a_6 in ()",
    );
}

#[test]
fn sizes_come_back_with_arrays() {
    let body = "let (k_6: i64) (zs_7: [k_6]f32) = if c_5 { in (n_1, xs_2) } else {
        let (t_8: [2i64]f32) = array f32 [1.0f32, 2.0f32] in (2i64, t_8) } in (k_6, zs_7)";
    good(XS, "[k_9: i64] (zs_10: [k_9]f32)", body);
    bad(
        XS,
        "[k_9: i64] (zs_10: [k_9]f32)",
        &body.replace("in (2i64", "in (3i64"),
        "F4 in f: result of the body: t_8 has type [2i64]f32, not [3i64]f32",
    );
    let grow = "let (k_6: i64) (zs_7: [k_6]f32) = loop (m_8: i64 = n_1) (ws_9: [m_8]f32 = xs_2) for j_10: i32 < 3i32 {
        let (m2_11: i64) = add.i64 m_8 m_8 let (w_12: [m2_11]f32) = concat m2_11 ws_9 ws_9 in (m2_11, w_12) }
        in (zs_7)";
    bad(XS, "(zs_13: [n_1]f32)", grow, "F4 in f: result of the body: zs_7 has type [k_6]f32, not [n_1]f32");
    good(XS, "[k_14: i64] (zs_13: [k_14]f32)", &grow.replace("in (zs_7)", "in (k_6, zs_7)"));
}

#[test]
fn phases() {
    let map = "fun f (n_1: i64) : = { let (a_2: [n_1]i64) = map n_1 \\: i64 { in (n_1) } in () }";
    let kernel = "fun f (n_1: i64) : = { let (a_2: [n_1]i64) = kernel (i_3 < n_1) { in (i_3) } in () }";
    assert_eq!(check(map, Phase::Soac), "");
    assert_eq!(check(kernel, Phase::Kernel), "");
    assert!(check(map, Phase::Kernel).starts_with("F8 in f: a SOAC form"));
    assert!(check(kernel, Phase::Soac).starts_with("F8 in f: a kernel"));
}

#[test]
fn epilogues() {
    let scan = |then: &str| {
        format!(
            "let (s_20: [n_1]f32) = kernel (p_21 < n_1) scan \\(a_22: i64) (b_23: i64) : i64 {{ let (z_24: i64) = add.i64 a_22 b_23 in (z_24) }}
             (0i64) then {then} {{ in (p_21) }} in (s_20)"
        )
    };
    let read = "\\(t_25: i64) : f32 { let (x_26: f32) = index xs_2[p_21] in (x_26) }";
    good(XS, "(r_30: [n_1]f32)", &scan(read));
    bad(
        XS,
        "(r_30: [n_1]f32)",
        &scan("\\(t_25: i64) : i64 { in (t_25) }"),
        "F2 in f: the epilogue's results have not the types of the kernel's",
    );
    bad(
        XS,
        "(r_30: [n_1]f32)",
        &scan("\\(t_25: f32) : f32 { in (t_25) }"),
        "F2 in f: the parameter t_25 has type f32, not i64",
    );
    let branch =
        "\\(t_25: i64) : f32 { let (x_26: f32) = if true { in (1f32) } else { in (2f32) } in (x_26) }";
    bad(
        XS,
        "(r_30: [n_1]f32)",
        &scan(branch),
        "F8 in f: an epilogue has scalar operators and reads of elements only",
    );
}

#[test]
fn kernels() {
    good(XS, "", "let (a_6: [n_1][i_4]bool) = kernel (p_7 < n_1, q_8 < i_4) { in (c_5) } in ()");
    bad(
        XS,
        "",
        "let (a_6: [n_1]i64) = kernel (p_7 < n_1, q_8 < i_4) { in (p_7) } in ()",
        "F2 in f: a result of type [n_1]i64 does not extend over the kernel's space",
    );
    // A cell's size may not be made inside the kernel.
    let rows = "let (k_6: i64) (a_7: [n_1][k_6]i64) = kernel (p_8 < n_1) {
        let (r_9: [p_8]i64) = iota.i64 p_8 0i64 1i64 in (p_8, r_9) } in ()";
    bad(XS, "", rows, "F2 in f: a result of type i64 does not extend over the kernel's space");
    let op = "\\(a_6: f32) (b_7: f32) : f32 { let (s_8: f32) = add.f32 a_6 b_7 in (s_8) } (0.0f32)";
    good(
        XS,
        "(s_9: f32)",
        &format!("let (t_10: f32) = kernel (p_11 < n_1) reduce {op} {{ in (1.0f32) }} in (t_10)"),
    );
    bad(
        XS,
        "(s_9: i64)",
        &format!("let (t_10: i64) = kernel (p_11 < n_1) reduce {op} {{ in (1i64) }} in (t_10)"),
        "F2 in f: the parameter a_6 has type f32, not i64",
    );
}

#[test]
fn consumption() {
    let update = "let (zs_6: [n_1]f32) = update ys_3[i_4] 1.0f32";
    good(XS, "(*r_9: [n_1]f32)", &format!("{update} in (zs_6)"));
    bad(
        XS,
        "(r_9: [n_1]f32)",
        &format!("{update} in (ys_3)"),
        "F5 in f: ys_3 is used after it has been consumed",
    );
    bad(
        XS,
        "(r_9: [n_1]f32)",
        &format!("let (vs_7: [n_1]f32) = reverse 0 ys_3 {update} in (vs_7)"),
        "F5 in f: vs_7 is used after it has been consumed (through ys_3)",
    );
    bad(
        XS,
        "",
        "let (zs_6: [n_1]f32) = update xs_2[i_4] 1.0f32 in ()",
        "F5 in f: xs_2 may not be consumed here",
    );
    bad(
        XS,
        "",
        "let (vs_7: [n_1]f32) = reverse 0 ys_3
         let (zs_6: [n_1]f32) = update ys_3[0i64 : n_1 : 1i64] vs_7 in ()",
        "F5 in f: vs_7 is used after it has been consumed (through ys_3)",
    );
    bad(XS, "(*r_9: [n_1]f32)", "in (xs_2)", "F5 in f: the unique result r_9 may alias xs_2");
}

#[test]
fn consumption_in_branches() {
    // One branch changes the array in place, the other leaves it.
    let body = "let (zs_6: [n_1]f32) = if c_5 { let (t_7: [n_1]f32) = update ys_3[i_4] 1.0f32 in (t_7) }
        else { in (ys_3) }";
    good(XS, "(*r_9: [n_1]f32)", &format!("{body} let (w_8: [n_1]f32) = update zs_6[i_4] 2.0f32 in (w_8)"));
    bad(
        XS,
        "(r_9: [n_1]f32)",
        &format!("{body} in (ys_3)"),
        "F5 in f: ys_3 is used after it has been consumed",
    );
    let twice = "let (zs_6: [n_1]f32) (ws_10: [n_1]f32) = if c_5 { in (ys_3, ys_3) } else { in (xs_2, ys_3) }
        let (w_8: [n_1]f32) = update ws_10[i_4] 2.0f32 in (zs_6)";
    bad(XS, "(r_9: [n_1]f32)", twice, "F5 in f: zs_6 is used after it has been consumed (through ys_3)");
}

#[test]
fn consumption_in_loops() {
    let body = |init: &str, inner: &str, next: &str| {
        format!(
            "let (zs_6: [n_1]f32) = loop (p_7: [n_1]f32 = {init}) for j_8: i64 < n_1 {{
            {inner} let (q_9: [n_1]f32) = update p_7[j_8] 1.0f32 in ({next}) }} in (zs_6)"
        )
    };
    good(XS, "(*r_10: [n_1]f32)", &body("ys_3", "", "q_9"));
    bad(XS, "(r_10: [n_1]f32)", &body("xs_2", "", "q_9"), "F5 in f: xs_2 may not be consumed here");
    bad(
        XS,
        "(r_10: [n_1]f32)",
        &body("ys_3", "let (u_11: f32) = index ys_3[j_8]", "q_9"),
        "F5 in f: the loop consumes the initial value ys_3 of p_7, and its body uses it",
    );
    bad(
        XS,
        "(r_10: [n_1]f32)",
        &body("ys_3", "", "xs_2"),
        "F5 in f: the next value of p_7, which the loop consumes, may alias xs_2 from outside",
    );
    let free = "let (k_6: i64) = loop (s_7: i64 = 0i64) for j_8: i64 < n_1 {
        let (q_9: [n_1]f32) = update ys_3[j_8] 1.0f32 in (s_7) } in ()";
    bad(XS, "", free, "F5 in f: ys_3 may not be consumed here");
    // A swap: the parameter that is read is consumed in the next iteration.
    let swap = "let (a_6: [n_1]f32) (b_7: [n_1]f32) = loop (p_8: [n_1]f32 = ys_3) (q_9: [n_1]f32 = xs_2)
        for j_10: i64 < n_1 { let (u_11: [n_1]f32) = update p_8[j_10] 1.0f32 in (q_9, u_11) } in ()";
    bad(XS, "", swap, "F5 in f: xs_2 may not be consumed here");
    good(
        XS,
        "",
        &swap
            .replace("= xs_2", "= copy_12")
            .replace("let (a_6", "let (copy_12: [n_1]f32) = copy xs_2 let (a_6"),
    );
}

#[test]
fn consumption_in_kernels_and_calls() {
    let kernel = "let (a_6: [n_1][n_1]f32) = kernel (p_7 < n_1) { let (t_8: [n_1]f32) = copy xs_2
        let (u_9: [n_1]f32) = update SRC[p_7] 1.0f32 in (u_9) } in ()";
    good(XS, "", &kernel.replace("SRC", "t_8"));
    bad(XS, "", &kernel.replace("SRC", "ys_3"), "F5 in f: ys_3 may not be consumed here");
    let program = |body: &str| {
        format!(
            "fun g [n_1: i64] (*a_2: [n_1]f32) (b_3: [n_1]f32) : (*r_4: [n_1]f32) (s_5: [n_1]f32) = {{
               let (t_6: [n_1]f32) = update a_2[0i64] 1.0f32 in (t_6, b_3) }}
             fun f [n_10: i64] (x_11: [n_10]f32) : = {{
               let (c_12: [n_10]f32) = copy x_11
               let (t_13: [n_10]f32) (u_14: [n_10]f32) = call g n_10 c_12 x_11
               {body} in () }}"
        )
    };
    assert_eq!(check(&program("let (v_15: [n_10]f32) = update t_13[0i64] 1.0f32"), Phase::Any), "");
    let errors = check(&program("let (v_15: [n_10]f32) = update u_14[0i64] 1.0f32"), Phase::Any);
    assert!(errors.starts_with("F5 in f: u_14, an alias of x_11, may not be consumed here"), "{errors}");
    let errors = check(&program("let (v_15: f32) = index c_12[0i64]"), Phase::Any);
    assert!(errors.starts_with("F5 in f: c_12 is used after it has been consumed"), "{errors}");
}
