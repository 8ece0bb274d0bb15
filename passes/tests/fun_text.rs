//! The passes on FUN by example: text in, text out.

use fun::check::{Phase, check_program, errors_to_string};
use fun::ir::Program;
use fun_base::source::Source;
use fun_passes::fun::{cse, inline, simplify, soac_to_kernel};

fn parse(text: &str) -> Program {
    let source = Source { name: "t.fun".into(), text: text.into() };
    let program = fun::text::parse_program(&source, 0).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Err(errors) = check_program(&program, Phase::Any) {
        panic!("{}\n{text}", errors_to_string(&errors));
    }
    program
}

/// The pass makes this of that; both are programs, layout does not matter.
#[track_caller]
fn becomes(pass: fn(Program) -> Program, before: &str, after: &str) {
    let found = pass(parse(before)).to_string();
    assert_eq!(found, parse(after).to_string(), "found\n{found}");
}

/// As [`becomes`], for bodies of an entry point with some parameters.
#[track_caller]
fn body_becomes(pass: fn(Program) -> Program, results: &str, before: &str, after: &str) {
    let program = |body: &str| format!("entry main {PARAMS} : {results} = {{ {body} }}");
    becomes(pass, &program(before), &program(after));
}

const PARAMS: &str = "[n_0: i64] [m_1: i64] (xs_2: [n_0]f32) (is_3: [n_0]i64) (a_4: [n_0][m_1]f32) (x_5: i64) (y_6: f32) (c_7: bool) (*u_8: [n_0]i64)";

#[test]
fn simplify_scalars() {
    body_becomes(
        simplify::run,
        "(r_20: i64) (s_21: f32)",
        "let (b_22: i64) = add.i64 x_5 0i64 let (d_23: i64) = mul.i64 b_22 1i64 let (e_24: i64) = sub.i64 2i64 5i64
         let (f_25: i64) = add.i64 d_23 e_24 let (z_26: f32) = add.f32 y_6 0.0f32 in (f_25, z_26)",
        // -0.0 + 0.0 is 0.0, so the float sum stays.
        "let (f_25: i64) = add.i64 x_5 -3i64 let (z_26: f32) = add.f32 y_6 0.0f32 in (f_25, z_26)",
    );
}

#[test]
fn simplify_keeps_what_may_fail() {
    let body = "let (b_22: i64) = div.i64 1i64 x_5 let = assert c_7 \"c\" in (x_5)";
    body_becomes(simplify::run, "(r_20: i64)", body, body);
    body_becomes(
        simplify::run,
        "(r_20: i64)",
        "let (b_22: i64) = div.i64 x_5 2i64 let = assert true \"t\" in (x_5)",
        "in (x_5)",
    );
}

#[test]
fn simplify_branches() {
    body_becomes(
        simplify::run,
        "(r_20: i64) (s_21: i64)",
        "let (p_22: i64) (q_23: i64) (d_24: i64) = if c_7 {
           let (e_25: i64) = if c_7 { in (1i64) } else { in (2i64) } in (x_5, e_25, 4i64)
         } else { in (x_5, x_5, 5i64) } in (p_22, q_23)",
        "let (q_23: i64) = if c_7 { in (1i64) } else { in (x_5) } in (x_5, q_23)",
    );
    body_becomes(
        simplify::run,
        "(r_20: bool)",
        "let (t_22: bool) = lt.i64 x_5 3i64 let (b_23: bool) = if c_7 { in (t_22) } else { in (false) } in (b_23)",
        "let (t_22: bool) = lt.i64 x_5 3i64 let (x_24: bool) = and.bool c_7 t_22 in (x_24)",
    );
}

#[test]
fn simplify_sizes_of_branches() {
    // The size is the same on both sides, so the array has that size, too.
    body_becomes(
        simplify::run,
        "[k_20: i64] (r_21: [k_20]f32)",
        "let (k_22: i64) (ys_23: [k_22]f32) = if c_7 { in (n_0, xs_2) } else {
           let (zs_24: [n_0]f32) = replicate [n_0] y_6 in (n_0, zs_24) } in (k_22, ys_23)",
        "let (ys_23: [n_0]f32) = if c_7 { in (xs_2) } else {
           let (zs_24: [n_0]f32) = replicate [n_0] y_6 in (zs_24) } in (n_0, ys_23)",
    );
}

#[test]
fn simplify_loops() {
    body_becomes(
        simplify::run,
        "(r_20: i64) (s_21: i64)",
        "let (p_22: i64) (q_23: i64) (d_24: i64) = loop (e_25: i64 = x_5) (f_26: i64 = 0i64) (g_27: i64 = 1i64) for i_28: i64 < n_0 {
           let (h_29: i64) = mul.i64 f_26 e_25 in (e_25, h_29, i_28) } in (p_22, q_23)",
        "let (q_23: i64) = loop (f_26: i64 = 0i64) for i_28: i64 < n_0 {
           let (h_29: i64) = mul.i64 f_26 x_5 in (h_29) } in (x_5, q_23)",
    );
    // a sum of the same in every iteration is a product
    body_becomes(
        simplify::run,
        "(r_20: i64) (s_21: i64)",
        "let (p_22: i64) (q_23: i64) (d_24: i64) = loop (e_25: i64 = x_5) (f_26: i64 = 0i64) (g_27: i64 = 1i64) for i_28: i64 < n_0 {
           let (h_29: i64) = add.i64 f_26 e_25 in (e_25, h_29, i_28) } in (p_22, q_23)",
        "let (x_30: i64) = max.i64 n_0 0i64 let (x_31: i64) = mul.i64 x_30 x_5 in (x_5, x_31)",
    );
    body_becomes(
        simplify::run,
        "(r_20: i64) (s_21: i64)",
        "let (p_22: i64) = loop (e_25: i64 = x_5) for i_28: i32 < -1i32 { in (7i64) }
         let (q_23: i64) = loop (f_26: i64 = x_5) for i_29: i64 < 1i64 {
           let (h_30: i64) = add.i64 f_26 i_29 let (j_31: i64) = add.i64 h_30 2i64 in (j_31) } in (p_22, q_23)",
        "let (j_31: i64) = add.i64 x_5 2i64 in (x_5, j_31)",
    );
}

#[test]
fn simplify_arrays() {
    body_becomes(
        simplify::run,
        "(r_20: i64) (s_21: f32)",
        "let (j_22: [n_0]i64) = iota.i64 n_0 5i64 2i64 let (p_23: i64) = index j_22[x_5]
         let (v_24: [n_0][3i64]f32) = replicate [n_0][3i64] y_6 let (q_25: f32) = index v_24[x_5, 1i64] in (p_23, q_25)",
        "let (x_26: i64) = mul.i64 x_5 2i64 let (x_27: i64) = add.i64 5i64 x_26 in (x_27, y_6)",
    );
    body_becomes(
        simplify::run,
        "(r_20: [n_0][m_1]f32) (s_21: [n_0]f32)",
        "let (p_22: [m_1][n_0]f32) = permute (1, 0) a_4 let (q_23: [n_0][m_1]f32) = permute (1, 0) p_22
         let (s_24: [n_0]f32) = slice xs_2[0i64 : n_0 : 1i64] let (t_25: [n_0]f32) = reshape [n_0] s_24 in (q_23, t_25)",
        "in (a_4, xs_2)",
    );
}

#[test]
fn cse_shares_scalars_reads_and_views() {
    body_becomes(
        cse::run,
        "(r_20: i64) (s_21: f32)",
        "let (p_22: i64) = add.i64 x_5 n_0 let (q_23: i64) = add.i64 n_0 x_5 let (d_24: i64) = sub.i64 p_22 q_23
         let (e_25: f32) = index xs_2[p_22] let (f_26: f32) = index xs_2[q_23] let (g_27: f32) = sub.f32 e_25 f_26
         let = assert c_7 \"first\" let = assert c_7 \"second\" in (d_24, g_27)",
        "let (p_22: i64) = add.i64 x_5 n_0
         let (e_25: f32) = index xs_2[p_22] let (g_27: f32) = sub.f32 e_25 e_25
         let = assert c_7 \"first\" in (0i64, g_27)",
    );
}

#[test]
fn cse_leaves_fresh_arrays_and_other_branches() {
    let body = "let (p_22: [n_0]f32) = copy xs_2 let (q_23: [n_0]f32) = copy xs_2
        let (d_24: [n_0]f32) = update p_22[0i64] y_6
        let (e_25: i64) = if c_7 { let (f_26: i64) = add.i64 x_5 1i64 in (f_26) } else {
          let (g_27: i64) = add.i64 x_5 1i64 in (g_27) }
        let (h_28: i64) = add.i64 x_5 1i64 in (d_24, q_23, h_28)";
    body_becomes(cse::run, "(r_20: [n_0]f32) (s_21: [n_0]f32) (t_29: i64)", body, body);
}

#[test]
fn inline_renames_and_replaces_sizes() {
    becomes(
        inline::run,
        "fun pad [n_0: i64] (xs_1: [n_0]i64) : [k_2: i64] (r_3: [k_2]i64) = {
           let (k_4: i64) = add.i64 n_0 n_0 let (ys_5: [k_4]i64) = concat k_4 xs_1 xs_1 in (k_4, ys_5) }
         entry main [n_6: i64] (xs_7: [n_6]i64) : [k_8: i64] (r_9: [k_8]i64) = {
           let (k_10: i64) (ys_11: [k_10]i64) = call pad n_6 xs_7
           let (k_12: i64) (zs_13: [k_12]i64) = call pad k_10 ys_11
           in (k_12, zs_13) }",
        "entry main [n_6: i64] (xs_7: [n_6]i64) : [k_8: i64] (r_9: [k_8]i64) = {
           let (k_14: i64) = add.i64 n_6 n_6 let (ys_15: [k_14]i64) = concat k_14 xs_7 xs_7
           let (k_16: i64) = add.i64 k_14 k_14 let (ys_17: [k_16]i64) = concat k_16 ys_15 ys_15
           in (k_16, ys_17) }",
    );
}

#[test]
fn kernels_of_nested_maps_are_merged() {
    body_becomes(
        soac_to_kernel::run,
        "(r_20: [n_0][m_1]f32)",
        "let (b_22: [n_0][m_1]f32) = map n_0 \\(row_23: [m_1]f32) (z_24: f32) : [m_1]f32 {
           let (q_25: [m_1]f32) = map m_1 \\(e_26: f32) : f32 { let (f_27: f32) = mul.f32 e_26 z_24 in (f_27) } row_23
           in (q_25) } a_4 xs_2 in (b_22)",
        "let (b_22: [n_0][m_1]f32) = kernel (i_29 < n_0, i_28 < m_1) {
           let (row_23: [m_1]f32) = slice a_4[i_29, 0i64 : m_1 : 1i64] let (z_24: f32) = index xs_2[i_29]
           let (e_26: f32) = index row_23[i_28] let (f_27: f32) = mul.f32 e_26 z_24 in (f_27) } in (b_22)",
    );
}

const ADD: &str =
    "\\(p_90: f32) (q_91: f32) : f32 { let (s_92: f32) = add.f32 p_90 q_91 in (s_92) } (0.0f32)";

#[test]
fn a_map_that_only_a_reduction_reads_is_part_of_it() {
    let map = "let (ys_22: [n_0]f32) = map n_0 \\(e_23: f32) : f32 { let (f_24: f32) = mul.f32 e_23 e_23 in (f_24) } xs_2";
    body_becomes(
        soac_to_kernel::run,
        "(r_20: f32)",
        &format!("{map} let (t_25: f32) = reduce n_0 {ADD} ys_22 in (t_25)"),
        &format!(
            "let (t_25: f32) = kernel (i_93 < n_0) reduce {ADD} {{
               let (e_23: f32) = index xs_2[i_93] let (f_24: f32) = mul.f32 e_23 e_23 in (f_24) }} in (t_25)"
        ),
    );
    // Not if something else reads it as well.
    let found = soac_to_kernel::run(parse(&format!(
        "entry main {PARAMS} : (r_20: f32) (s_21: [n_0]f32) = {{ {map} let (t_25: f32) = reduce n_0 {ADD} ys_22 in (t_25, ys_22) }}"
    )));
    assert_eq!(found.to_string().matches("kernel").count(), 2);
}

#[test]
fn reductions_of_rows_are_loops() {
    let found = soac_to_kernel::run(parse(&format!(
        "entry main {PARAMS} : (*r_20: [m_1]f32) = {{
           let (zero_22: [m_1]f32) = replicate [m_1] 0.0f32
           let (s_23: [m_1]f32) = reduce n_0 \\(p_24: [m_1]f32) (q_25: [m_1]f32) : [m_1]f32 {{
             let (t_26: [m_1]f32) = map m_1 \\(e_27: f32) (f_28: f32) : f32 {{
               let (g_29: f32) = add.f32 e_27 f_28 in (g_29) }} p_24 q_25 in (t_26) }} (zero_22) a_4
           in (s_23) }}"
    )));
    assert_eq!(check_program(&found, Phase::Kernel), Ok(()), "{found}");
    let text = found.to_string();
    assert!(text.contains("= loop (p_24: [m_1]f32 = zero_22)") && !text.contains("reduce"), "{text}");
}
