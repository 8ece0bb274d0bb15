//! Memory introduction: text in, text out. The expected texts follow from the rules in the header of the pass.

use fun::check::{Phase, errors_to_string};
use fun_base::name::Symbol;
use fun_base::source::Source;

fn source(text: &str) -> Source {
    Source { name: Symbol::new("t"), text: text.into() }
}

/// The program after introduction, which must pass the checker and come back from its text.
fn introduce(text: &str) -> funmem::ir::Program {
    let program =
        fun::text::parse_program::<fun::ir::Fun>(&source(text), 0).unwrap_or_else(|error| panic!("{error}"));
    if let Err(errors) = fun::check::check_program(&program, Phase::Kernel) {
        panic!("{}", errors_to_string(&errors));
    }
    let result = fun_passes::lower::fun_to_funmem::run(program);
    if let Err(errors) = funmem::check::check_program(&result) {
        panic!("{}\n{result}", errors_to_string(&errors));
    }
    let back = funmem::text::parse_program(&source(&result.to_string()), 0);
    assert!(back.as_ref() == Ok(&result), "{back:?}\n{result}");
    result
}

/// The statements of the only function are these.
fn statements(head: &str, body: &str, expected: &str) {
    let program = introduce(&format!("entry f {head} = {{\n{body}\n}}\n"));
    let printed = program.to_string();
    let lines: Vec<&str> = printed.lines().map(str::trim).collect();
    let inner = &lines[1..lines.len() - 1];
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(inner, expected, "\n{printed}");
}

#[test]
fn fresh_arrays_get_blocks_and_derived_ones_places() {
    statements(
        "[n_0: i64] [m_1: i64] (a_2: [n_0][m_1]f32) : (r_3: [n_0]i64) (s_4: f32)",
        "let (i_5: [n_0]i64) = iota.i64 n_0 0i64 1i64
         let (t_6: [m_1][n_0]f32) = permute (1, 0) a_2
         let (c_7: [2i64]f32) = slice t_6[0i64, 1i64 : 2i64 : 3i64]
         let (v_8: [2i64]f32) = reverse 0 c_7
         let (w_9: [2i64]f32) = v_8
         let (x_10: f32) = index w_9[0i64]
         in (i_5, x_10)",
        "let (i_mem_12: mem) = alloc [n_0] i64
         let (i_5: [n_0]i64 @ i_mem_12 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 0i64 1i64
         let (t_6: [m_1][n_0]f32 @ a_mem_11 -> 0 + {(m_1 : 1)(n_0 : m_1)}) = permute (1, 0) a_2
         let (c_7: [2i64]f32 @ a_mem_11 -> m_1 + {(2 : 3*m_1)}) = slice t_6[0i64, 1i64 : 2i64 : 3i64]
         let (v_8: [2i64]f32 @ a_mem_11 -> 4*m_1 + {(2 : -3*m_1)}) = reverse 0 c_7
         let (w_9: [2i64]f32 @ a_mem_11 -> 4*m_1 + {(2 : -3*m_1)}) = v_8
         let (x_10: f32) = index w_9[0i64]
         in (i_mem_12, i_5, x_10)",
    );
}

#[test]
fn a_reshape_copies_only_what_no_lmad_expresses() {
    statements(
        "[n_0: i64] [m_1: i64] (a_2: [n_0][m_1]f32) : (r_3: f32)",
        "let (k_4: i64) = mul.i64 n_0 m_1
         let (b_5: [k_4]f32) = reshape [k_4] a_2
         let (t_6: [m_1][n_0]f32) = permute (1, 0) a_2
         let (c_7: [k_4]f32) = reshape [k_4] t_6
         let (x_8: f32) = index c_7[0i64]
         in (x_8)",
        "let (k_4: i64) = mul.i64 n_0 m_1
         let (b_5: [k_4]f32 @ a_mem_9 -> 0 + {(k_4 : 1)}) = reshape [k_4] a_2
         let (t_6: [m_1][n_0]f32 @ a_mem_9 -> 0 + {(m_1 : 1)(n_0 : m_1)}) = permute (1, 0) a_2
         let (t_mem_11: mem) = alloc [m_1][n_0] f32
         let (t_10: [m_1][n_0]f32 @ t_mem_11 -> 0 + {(m_1 : n_0)(n_0 : 1)}) = copy t_6
         let (c_7: [k_4]f32 @ t_mem_11 -> 0 + {(k_4 : 1)}) = reshape [k_4] t_10
         let (x_8: f32) = index c_7[0i64]
         in (x_8)",
    );
}

#[test]
fn branches_return_what_they_differ_in() {
    // The same place: nothing. Another stride: only that. Another block: that too.
    statements(
        "[n_0: i64] (a_2: [n_0][n_0]f32) (c_3: bool) : (r_4: f32)",
        "let (p_5: [n_0]f32) (q_6: [n_0]f32) (s_7: [n_0]f32) = if c_3 {
           let (a_8: [n_0]f32) = slice a_2[0i64, 0i64 : n_0 : 1i64]
           let (z_9: [n_0]f32) = replicate [n_0] 0.0f32
           in (a_8, a_8, z_9)
         } else {
           let (a_10: [n_0]f32) = slice a_2[0i64, 0i64 : n_0 : 1i64]
           let (b_11: [n_0]f32) = slice a_2[0i64 : n_0 : 1i64, 0i64]
           in (a_10, b_11, a_10)
         }
         let (x_12: f32) = index q_6[0i64]
         in (x_12)",
        "let (p_5: [n_0]f32 @ a_mem_13 -> 0 + {(n_0 : 1)}) (q_step_15: i64) (q_6: [n_0]f32 @ a_mem_13 -> 0 + {(n_0 : q_step_15)}) (s_mem_16: mem) (s_7: [n_0]f32 @ s_mem_16 -> 0 + {(n_0 : 1)}) = if c_3 {
           let (a_8: [n_0]f32 @ a_mem_13 -> 0 + {(n_0 : 1)}) = slice a_2[0i64, 0i64 : n_0 : 1i64]
           let (z_mem_14: mem) = alloc [n_0] f32
           let (z_9: [n_0]f32 @ z_mem_14 -> 0 + {(n_0 : 1)}) = replicate [n_0] 0.0f32
           in (a_8, 1i64, a_8, z_mem_14, z_9)
         } else {
           let (a_10: [n_0]f32 @ a_mem_13 -> 0 + {(n_0 : 1)}) = slice a_2[0i64, 0i64 : n_0 : 1i64]
           let (b_11: [n_0]f32 @ a_mem_13 -> 0 + {(n_0 : n_0)}) = slice a_2[0i64 : n_0 : 1i64, 0i64]
           in (a_10, n_0, b_11, a_mem_13, a_10)
         }
         let (x_12: f32) = index q_6[0i64]
         in (x_12)",
    );
}

#[test]
fn loops_update_in_place_without_copies() {
    statements(
        "[n_0: i64] : (r_1: [n_0]i64)",
        "let (z_2: [n_0]i64) = replicate [n_0] 0i64
         let (l_3: [n_0]i64) = loop (p_4: [n_0]i64 = z_2) for i_5: i64 < n_0 {
           let (q_6: [n_0]i64) = loop (s_7: [n_0]i64 = p_4) for j_8: i64 < n_0 {
             let (t_9: [n_0]i64) = update s_7[j_8] i_5
             in (t_9)
           }
           let (u_10: [n_0]i64) = update q_6[0i64] 1i64
           in (u_10)
         }
         in (l_3)",
        "let (z_mem_11: mem) = alloc [n_0] i64
         let (z_2: [n_0]i64 @ z_mem_11 -> 0 + {(n_0 : 1)}) = replicate [n_0] 0i64
         let (l_3: [n_0]i64 @ z_mem_11 -> 0 + {(n_0 : 1)}) = loop (p_4: [n_0]i64 @ z_mem_11 -> 0 + {(n_0 : 1)} = z_2) for i_5: i64 < n_0 {
           let (q_6: [n_0]i64 @ z_mem_11 -> 0 + {(n_0 : 1)}) = loop (s_7: [n_0]i64 @ z_mem_11 -> 0 + {(n_0 : 1)} = p_4) for j_8: i64 < n_0 {
             let (t_9: [n_0]i64 @ z_mem_11 -> 0 + {(n_0 : 1)}) = update s_7[j_8] i_5
             in (t_9)
           }
           let (u_10: [n_0]i64 @ z_mem_11 -> 0 + {(n_0 : 1)}) = update q_6[0i64] 1i64
           in (u_10)
         }
         in (z_mem_11, l_3)",
    );
}

#[test]
fn loops_carry_blocks_and_copy_what_is_not_row_major() {
    statements(
        "[n_0: i64] (a_1: [n_0][n_0]i64) : (r_2: i64)",
        "let (l_3: [n_0][n_0]i64) = loop (p_4: [n_0][n_0]i64 = a_1) for i_5: i64 < n_0 {
           let (t_6: [n_0][n_0]i64) = permute (1, 0) p_4
           in (t_6)
         }
         let (x_7: i64) = index l_3[0i64, 0i64]
         in (x_7)",
        "let (l_mem_12: mem) (l_3: [n_0][n_0]i64 @ l_mem_12 -> 0 + {(n_0 : n_0)(n_0 : 1)}) = loop (p_mem_9: mem = a_mem_8) (p_4: [n_0][n_0]i64 @ p_mem_9 -> 0 + {(n_0 : n_0)(n_0 : 1)} = a_1) for i_5: i64 < n_0 {
           let (t_6: [n_0][n_0]i64 @ p_mem_9 -> 0 + {(n_0 : 1)(n_0 : n_0)}) = permute (1, 0) p_4
           let (t_mem_11: mem) = alloc [n_0][n_0] i64
           let (t_10: [n_0][n_0]i64 @ t_mem_11 -> 0 + {(n_0 : n_0)(n_0 : 1)}) = copy t_6
           in (t_mem_11, t_10)
         }
         let (x_7: i64) = index l_3[0i64, 0i64]
         in (x_7)",
    );
}

#[test]
fn an_update_through_a_step_that_may_be_zero_acts_on_a_copy() {
    statements(
        "(s_0: i64) (*a_1: [9i64]i64) : (r_2: [3i64]i64)",
        "let (b_3: [3i64]i64) = slice a_1[0i64 : 3i64 : s_0]
         let (c_4: [3i64]i64) = update b_3[1i64] 7i64
         in (c_4)",
        "let (b_3: [3i64]i64 @ a_mem_5 -> 0 + {(3 : s_0)}) = slice a_1[0i64 : 3i64 : s_0]
         let (b_mem_7: mem) = alloc [3i64] i64
         let (b_6: [3i64]i64 @ b_mem_7 -> 0 + {(3 : 1)}) = copy b_3
         let (c_4: [3i64]i64 @ b_mem_7 -> 0 + {(3 : 1)}) = update b_6[1i64] 7i64
         in (b_mem_7, c_4)",
    );
}

#[test]
fn results_have_blocks_of_their_own() {
    // An unchanged parameter is copied, and so is another array in the block of a result; a consumed parameter is not, nor is an array that is
    // a result once more.
    statements(
        "[n_0: i64] (a_1: [n_0]i64) (*b_2: [n_0]i64) : (r_3: [n_0]i64) (s_4: [n_0]i64) (t_5: [n_0]i64) (u_6: [n_0]i64)",
        "let (c_7: [n_0]i64) = update b_2[0i64] 7i64
         let (d_8: [n_0]i64) = reverse 0 c_7
         in (a_1, c_7, d_8, c_7)",
        "let (c_7: [n_0]i64 @ b_mem_10 -> 0 + {(n_0 : 1)}) = update b_2[0i64] 7i64
         let (d_8: [n_0]i64 @ b_mem_10 -> n_0 + -1 + {(n_0 : -1)}) = reverse 0 c_7
         let (a_mem_12: mem) = alloc [n_0] i64
         let (a_11: [n_0]i64 @ a_mem_12 -> 0 + {(n_0 : 1)}) = copy a_1
         let (d_mem_14: mem) = alloc [n_0] i64
         let (d_13: [n_0]i64 @ d_mem_14 -> 0 + {(n_0 : 1)}) = copy d_8
         in (a_mem_12, a_11, b_mem_10, c_7, d_mem_14, d_13, b_mem_10, c_7)",
    );
}

#[test]
fn calls_pass_places() {
    let program = introduce(
        "fun look [n_0: i64] (xs_1: [n_0]f32) : (r_2: f32) = {
           let (x_3: f32) = index xs_1[0i64]
           in (x_3)
         }
         fun change [n_4: i64] (*xs_5: [n_4]f32) : (r_6: [n_4]f32) = {
           let (ys_7: [n_4]f32) = update xs_5[0i64] 1.0f32
           in (ys_7)
         }
         entry main [n_8: i64] (a_9: [n_8][n_8]f32) : (r_10: [n_8]f32) (s_11: f32) = {
           let (c_12: [n_8]f32) = slice a_9[0i64 : n_8 : 1i64, 1i64]
           let (x_13: f32) = call look n_8 c_12
           let (d_14: [n_8][n_8]f32) = copy a_9
           let (e_15: [n_8]f32) = slice d_14[0i64 : n_8 : 1i64, 1i64]
           let (f_16: [n_8]f32) = call change n_8 e_15
           in (f_16, x_13)
         }",
    );
    let calls: Vec<String> = program
        .to_string()
        .lines()
        .filter(|line| line.contains("call"))
        .map(|line| line.trim().to_owned())
        .collect();
    let expected = [
        "let (x_13: f32) = call look n_8 a_mem_22 1i64 n_8 c_12",
        "let (f_mem_26: mem) (f_16: [n_8]f32 @ f_mem_26 -> 0 + {(n_8 : 1)}) = call change n_8 e_mem_25 e_24",
    ];
    assert_eq!(calls, expected);
}
