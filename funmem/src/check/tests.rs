//! A correct program with every rule in play, and one change for each rule that breaks it.

use super::check_program;
use fun_base::name::Symbol;
use fun_base::source::Source;

const GOOD: &str = "\
fun view [n_0: i64] [a_mem_1: mem] [off_2: i64] [step_3: i64] (a_4: [n_0]f32 @ a_mem_1 -> off_2 + {(n_0 : step_3)}) : [r_mem_5: mem] (r_6: [n_0]f32 @ r_mem_5 -> 0 + {(n_0 : 1)}) = {
  let (r_mem_7: mem) = alloc [n_0] f32
  let (r_8: [n_0]f32 @ r_mem_7 -> 0 + {(n_0 : 1)}) = copy a_4
  in (r_mem_7, r_8)
}

entry main [n_10: i64] [m_11: i64] [a_mem_12: mem] (*a_13: [n_10][m_11]f32 @ a_mem_12 -> 0 + {(n_10 : m_11)(m_11 : 1)}) : [b_mem_14: mem] (b_15: [n_10]f32 @ b_mem_14 -> 0 + {(n_10 : 1)}) = {
  let (t_16: [m_11][n_10]f32 @ a_mem_12 -> 0 + {(m_11 : 1)(n_10 : m_11)}) = permute (1, 0) a_13
  let (c_17: [n_10]f32 @ a_mem_12 -> 0 + {(n_10 : m_11)}) = slice t_16[0i64, 0i64 : n_10 : 1i64]
  let (d_18: [n_10]f32 @ a_mem_12 -> n_10*m_11 + -1*m_11 + {(n_10 : -1*m_11)}) = reverse 0 c_17
  let (k_19: i64) = mul.i64 n_10 m_11
  let (f_20: [k_19]f32 @ a_mem_12 -> 0 + {(k_19 : 1)}) = reshape [k_19] a_13
  let (q_21: bool) = lt.i64 n_10 m_11
  let (z_mem_22: mem) = alloc [n_10] f32
  let (z_23: [n_10]f32 @ z_mem_22 -> 0 + {(n_10 : 1)}) = replicate [n_10] 0.0f32
  let (w_step_24: i64) (w_mem_25: mem) (w_26: [n_10]f32 @ w_mem_25 -> 0 + {(n_10 : w_step_24)}) = if q_21 {
    in (1i64, z_mem_22, z_23)
  } else {
    in (m_11, a_mem_12, c_17)
  }
  let (v_mem_27: mem) (v_28: [n_10]f32 @ v_mem_27 -> 0 + {(n_10 : 1)}) = call view n_10 w_mem_25 0i64 w_step_24 w_26
  let (l_mem_29: mem) (l_30: [n_10]f32 @ l_mem_29 -> 0 + {(n_10 : 1)}) = loop (p_mem_31: mem = v_mem_27) (p_32: [n_10]f32 @ p_mem_31 -> 0 + {(n_10 : 1)} = v_28) for i_33: i64 < n_10 {
    let (u_34: [n_10]f32 @ p_mem_31 -> 0 + {(n_10 : 1)}) = update p_32[i_33] 1.0f32
    in (p_mem_31, u_34)
  }
  let (s_35: [n_10]f32 @ l_mem_29 -> 0 + {(n_10 : 1)}) = kernel (i_36 < n_10) hist \\(x_37: f32) (y_38: f32) : f32 {
    let (s_39: f32) = add.f32 x_37 y_38
    in (s_39)
  } (0.0f32) (l_30) {
    in (i_36, 2.0f32)
  }
  in (l_mem_29, s_35)
}
";

fn errors(text: &str) -> Vec<(String, String)> {
    let source = Source { name: Symbol::new("t.funmem"), text: text.into() };
    let program = crate::text::parse_program(&source, 0).unwrap_or_else(|error| panic!("{error}"));
    let errors = check_program(&program).err().unwrap_or_default();
    errors.into_iter().map(|error| (error.invariant.to_owned(), error.message)).collect()
}

#[test]
fn a_correct_program_is_accepted() {
    assert_eq!(errors(GOOD), []);
}

/// The change makes these errors and no other.
fn breaks(old: &str, new: &str, expected: &[(&str, &str)]) {
    assert_eq!(GOOD.matches(old).count(), 1, "{old}");
    let found = errors(&GOOD.replace(old, new));
    let expected: Vec<(String, String)> =
        expected.iter().map(|(i, m)| (i.to_string(), m.to_string())).collect();
    assert_eq!(found, expected);
}

#[test]
fn m1_sizes() {
    breaks(
        "z_23: [n_10]f32 @ z_mem_22 -> 0 + {(n_10 : 1)}",
        "z_23: [n_10]f32 @ z_mem_22 -> 0 + {(m_11 : 1)}",
        &[
            ("M1", "the LMAD of z_23 has other sizes than its type"),
            ("M4", "result of the body: z_23 is at 0 + {(m_11 : 1)}, not 0 + {(n_10 : 1)}"),
        ],
    );
}

#[test]
fn m2_scope_and_kind() {
    breaks(
        "(r_8: [n_0]f32 @ r_mem_7 -> 0",
        "(r_8: [n_0]f32 @ r_mem_7 -> i_33",
        &[
            ("M2", "i_33 in the LMAD of r_8 is no i64 in scope"),
            ("M4", "result of the body: r_8 is at i_33 + {(n_0 : 1)}, not 0 + {(n_0 : 1)}"),
        ],
    );
    breaks("mul.i64 n_10 m_11", "mul.i64 n_10 a_mem_12", &[("M2", "a_mem_12 is a block, not a number")]);
    breaks(
        "w_26: [n_10]f32 @ w_mem_25 -> 0 + {(n_10 : w_step_24)}",
        "w_26: [n_10]f32 @ w_mem_25 -> w_mem_25 + {(n_10 : w_step_24)}",
        &[
            ("M4", "result of the body: z_23 is at 0 + {(n_10 : 1)}, not z_mem_22 + {(n_10 : 1)}"),
            ("M4", "result of the body: c_17 is at 0 + {(n_10 : m_11)}, not a_mem_12 + {(n_10 : m_11)}"),
            ("M2", "w_mem_25 in the LMAD of w_26 is no i64 in scope"),
            ("M4", "argument: w_26 is at w_mem_25 + {(n_10 : w_step_24)}, not 0 + {(n_10 : w_step_24)}"),
        ],
    );
}

#[test]
fn m3_derived_places() {
    breaks(
        "t_16: [m_11][n_10]f32 @ a_mem_12 -> 0 + {(m_11 : 1)(n_10 : m_11)}) = permute (1, 0) a_13\n  let (c_17",
        "t_16: [m_11][n_10]f32 @ a_mem_12 -> 0 + {(m_11 : n_10)(n_10 : 1)}) = permute (1, 0) a_13\n  let (c_17",
        &[
            ("M3", "t_16 is at 0 + {(m_11 : n_10)(n_10 : 1)}, not 0 + {(m_11 : 1)(n_10 : m_11)}"),
            ("M3", "c_17 is at 0 + {(n_10 : m_11)}, not 0 + {(n_10 : 1)}"),
        ],
    );
    breaks(
        "d_18: [n_10]f32 @ a_mem_12 -> n_10*m_11 + -1*m_11",
        "d_18: [n_10]f32 @ a_mem_12 -> n_10*m_11",
        &[("M3", "d_18 is at n_10*m_11 + {(n_10 : -1*m_11)}, not n_10*m_11 + -1*m_11 + {(n_10 : -1*m_11)}")],
    );
    breaks(
        "reshape [k_19] a_13",
        "reshape [k_19] t_16",
        &[("M3", "no LMAD expresses this of 0 + {(m_11 : 1)(n_10 : m_11)}: it needs a copy")],
    );
    breaks(
        "(s_35: [n_10]f32 @ l_mem_29",
        "(s_35: [n_10]f32 @ z_mem_22",
        &[
            ("M3", "s_35 is in block z_mem_22, its operand in l_mem_29"),
            ("M4", "result of the body: s_35 is in block z_mem_22, not l_mem_29"),
        ],
    );
    breaks(
        "(z_23: [n_10]f32 @ z_mem_22 -> 0 + {(n_10 : 1)}) = replicate [n_10]",
        "(z_23: [n_10]f32 @ z_mem_22 -> 0 + {(n_10 : 1)}) = replicate [n_10] 0.0f32
  let (zz_50: [7i64]f32 @ z_mem_22 -> 0 + {(7 : 0)}) = replicate [7i64]",
        &[("M3", "two indices of zz_50 have the same cell")],
    );
}

#[test]
fn m4_results() {
    breaks(
        "in (1i64, z_mem_22, z_23)",
        "in (2i64, z_mem_22, z_23)",
        &[("M4", "result of the body: z_23 is at 0 + {(n_10 : 1)}, not 0 + {(n_10 : 2)}")],
    );
    breaks(
        "in (m_11, a_mem_12, c_17)",
        "in (m_11, z_mem_22, c_17)",
        &[("M4", "result of the body: c_17 is in block a_mem_12, not z_mem_22")],
    );
    breaks(
        "in (m_11, a_mem_12, c_17)",
        "in (m_11, 5i64, c_17)",
        &[("M4", "result of the body: 5i64 is of another kind than w_mem_25")],
    );
    breaks(
        "loop (p_mem_31: mem = v_mem_27)",
        "loop (p_mem_31: mem = z_mem_22)",
        &[("M4", "initial value: v_28 is in block v_mem_27, not z_mem_22")],
    );
    breaks(
        "call view n_10 w_mem_25 0i64",
        "call view n_10 w_mem_25 1i64",
        &[("M4", "argument: w_26 is at 0 + {(n_10 : w_step_24)}, not 1 + {(n_10 : w_step_24)}")],
    );
    breaks(
        "v_28: [n_10]f32 @ v_mem_27 -> 0 + {(n_10 : 1)}",
        "v_28: [n_10]f32 @ v_mem_27 -> 0 + {(n_10 : -1)}",
        &[
            ("M4", "result of the call: v_28 is at 0 + {(n_10 : -1)}, not 0 + {(n_10 : 1)}"),
            ("M4", "initial value: v_28 is at 0 + {(n_10 : -1)}, not 0 + {(n_10 : 1)}"),
        ],
    );
}

#[test]
fn m6_entry_points() {
    // offset and strides of what is only read are the caller's choice
    breaks("fun view [n_0: i64]", "entry view [n_0: i64]", &[]);
    let usual = "fun view [n_0: i64] [a_mem_1: mem] [off_2: i64] [step_3: i64] (a_4: [n_0]f32 @ a_mem_1 -> off_2 + {(n_0 : step_3)})";
    for changed in [
        "[off_2: i64] [step_3: i64] (*a_4: [n_0]f32 @ a_mem_1 -> off_2 + {(n_0 : step_3)})",
        "[off_2: i64] (step_3: i64) (a_4: [n_0]f32 @ a_mem_1 -> off_2 + {(n_0 : step_3)})",
        "[off_2: i64] [step_3: i64] (a_4: [n_0]f32 @ a_mem_1 -> off_2 + {(n_0 : off_2)})",
        "[off_2: i64] [step_3: i64] (a_4: [n_0]f32 @ a_mem_1 -> off_2 + {(n_0 : n_0)})",
        "[off_2: i64] [step_3: i64] (a_4: [n_0]f32 @ a_mem_1 -> 0 + {(n_0 : step_3)})",
    ] {
        let found = errors(&GOOD.replace(usual, &format!("entry view [n_0: i64] [a_mem_1: mem] {changed}")));
        let misplaced = ("M6".to_owned(), "a_4 of an entry point is not row-major from offset 0".to_owned());
        assert!(found.contains(&misplaced), "{changed}: {found:?}");
    }
    breaks(
        "[b_mem_14: mem] (b_15",
        "(b_mem_14: mem) (b_15",
        &[("M6", "b_mem_14, the block of b_15, is not implicit next to it")],
    );
}

#[test]
fn m9_blocks_of_others() {
    breaks(
        "(r_8: [n_0]f32 @ r_mem_7 -> 0 + {(n_0 : 1)}) = copy a_4
  in (r_mem_7, r_8)",
        "(r_8: [n_0]f32 @ r_mem_7 -> 0 + {(n_0 : 1)}) = copy a_4
  let (w_50: [n_0]f32 @ a_mem_1 -> 0 + {(n_0 : 1)}) = copy r_8
  in (r_mem_7, r_8)",
        &[("M9", "w_50 is written to a_mem_1, the block of an array that is only read")],
    );
}

/// The destination of a result is the caller's choice, and the call's arguments say so.
#[test]
fn m4_destinations() {
    let function = "fun fill [n_0: i64] [r_mem_1: mem] [off_2: i64] : (r_3: [n_0]f32 @ r_mem_1 -> off_2 + {(n_0 : 1)}) = {
  let (r_4: [n_0]f32 @ r_mem_1 -> off_2 + {(n_0 : 1)}) = replicate [n_0] 0.0f32
  in (r_4)
}

entry main [n_5: i64] [a_mem_6: mem] (*a_7: [n_5]f32 @ a_mem_6 -> 0 + {(n_5 : 1)}) : [b_mem_8: mem] (b_9: [n_5]f32 @ b_mem_8 -> 0 + {(n_5 : 1)}) = {
  let (b_mem_10: mem) = alloc [n_5] f32
  let (b_11: [n_5]f32 @ b_mem_10 -> 0 + {(n_5 : 1)}) = call fill n_5 b_mem_10 0i64
  in (b_mem_10, b_11)
}
";
    assert_eq!(errors(function), []);
    let elsewhere = function.replace("call fill n_5 b_mem_10 0i64", "call fill n_5 b_mem_10 1i64");
    let message = "result of the call: b_11 is at 0 + {(n_5 : 1)}, not 1 + {(n_5 : 1)}";
    assert_eq!(errors(&elsewhere), [("M4".to_owned(), message.to_owned())]);
    let other = function.replace("call fill n_5 b_mem_10 0i64", "call fill n_5 a_mem_6 0i64");
    let message = "result of the call: b_11 is in block b_mem_10, not a_mem_6";
    assert_eq!(errors(&other), [("M4".to_owned(), message.to_owned())]);
}

#[test]
fn rules_of_fun_come_first() {
    // A type error and a wrong place: only the rule of FUN is reported.
    let broken = GOOD.replace("1.0f32", "1.0f64").replace("permute (1, 0)", "permute (0, 1)");
    let found = errors(&broken);
    assert!(!found.is_empty() && found.iter().all(|(invariant, _)| invariant.starts_with('F')), "{found:?}");
}
