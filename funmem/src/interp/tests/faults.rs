//! Writes through one array that change another, races inside of kernels, blocks that have ended; and what is none of these.

use super::{fails, main, outcome};

/// The lines of a fault: headline, accesses, block.
#[track_caller]
fn accesses(found: &str, wanted: &[&str]) {
    let lines: Vec<&str> = found.lines().map(str::trim).collect();
    assert!(wanted.iter().zip(&lines).all(|(wanted, line)| line.starts_with(wanted)), "{found}");
    assert!(lines.len() >= wanted.len(), "{found}");
}

const TWO: &str = "let (a_mem_0: mem) = alloc [4i64] i64
     let (a_1: [4i64]i64 @ a_mem_0 -> 0 + {(4 : 1)}) = replicate [4i64] 1i64";

#[test]
fn an_update_keeps_what_was_clobbered_before_it() {
    // `b` overwrites `a[3]`; the update of `a[0]` does not make that right.
    let found = fails(&format!(
        "{TWO}
         let (b_2: [1i64]i64 @ a_mem_0 -> 3 + {{(1 : 1)}}) = replicate [1i64] 5i64
         let (c_3: [4i64]i64 @ a_mem_0 -> 0 + {{(4 : 1)}}) = update a_1[0i64] 7i64
         let (d_4: [2i64]i64 @ a_mem_0 -> 2 + {{(2 : 1)}}) = slice c_3[2i64 : 2i64 : 1i64]
         let (x_5: i64) = index d_4[1i64]"
    ));
    accesses(
        &found,
        &[
            "fault: M8: d_4[1] was overwritten through another array (i64 3 of `a_mem_0`) in main",
            "reads d_4[1]: `let (x_5: i64) = index d_4[1i64]`",
            "writes b_2[0]: `let (b_2",
            "`a_mem_0`, 32 bytes, is allocated: `let (a_mem_0: mem) = alloc [4i64] i64`",
        ],
    );
    // The other way round: the update overwrites `b`, which is younger.
    let found = fails(&format!(
        "{TWO}
         let (b_2: [1i64]i64 @ a_mem_0 -> 3 + {{(1 : 1)}}) = replicate [1i64] 5i64
         let (c_3: [4i64]i64 @ a_mem_0 -> 0 + {{(4 : 1)}}) = update a_1[3i64] 7i64
         let (x_5: i64) = index b_2[0i64]"
    ));
    accesses(&found, &["fault: M8: b_2[0] was overwritten", "reads b_2[0]", "writes c_3[3]: `let (c_3"]);
}

#[test]
fn what_is_built_where_an_update_puts_it_stays_readable() {
    let out = main(
        ": (x_10: i64) (y_11: i64)",
        &format!(
            "{TWO}
             let (b_2: [2i64]i64 @ a_mem_0 -> 2 + {{(2 : 1)}}) = iota.i64 2i64 7i64 1i64
             let (c_3: [4i64]i64 @ a_mem_0 -> 0 + {{(4 : 1)}}) = update a_1[2i64 : 2i64 : 1i64] b_2
             let (x_5: i64) = index b_2[1i64]
             let (y_6: i64) = index c_3[3i64]
             in (x_5, y_6)"
        ),
        "",
    );
    assert_eq!(out, "8i64 8i64");
}

#[test]
fn equal_bits_excuse_a_copy_but_nothing_that_was_computed() {
    // The same for each width: two arrays of the same zeros in one block are two arrays.
    for ty in ["i64", "f64", "i32", "u8", "f16", "bool"] {
        let zero = if ty == "bool" {
            "false".to_owned()
        } else {
            format!("0{}{ty}", if ty.starts_with('f') { ".0" } else { "" })
        };
        let found = fails(&format!(
            "let (m_0: mem) = alloc [2i64] {ty}
             let (a_1: [2i64]{ty} @ m_0 -> 0 + {{(2 : 1)}}) = replicate [2i64] {zero}
             let (b_2: [2i64]{ty} @ m_0 -> 0 + {{(2 : 1)}}) = replicate [2i64] {zero}
             let (x_3: {ty}) = index a_1[1i64]"
        ));
        accesses(&found, &["fault: M8: a_1[1] was overwritten", "reads a_1[1]", "writes b_2[1]"]);
    }
    let out = main(
        ": (x_10: i64)",
        &format!(
            "{TWO}
             let (b_mem_2: mem) = alloc [4i64] i64
             let (b_3: [4i64]i64 @ b_mem_2 -> 0 + {{(4 : 1)}}) = copy a_1
             let (c_4: [4i64]i64 @ a_mem_0 -> 0 + {{(4 : 1)}}) = copy b_3
             let (x_5: i64) = index a_1[3i64]
             let (y_6: i64) = index c_4[3i64]
             let (z_7: i64) = add.i64 x_5 y_6
             in (z_7)"
        ),
        "",
    );
    assert_eq!(out, "2i64");
}

#[test]
fn two_results_of_a_kernel_in_one_place() {
    let found = fails(
        "let (r_mem_0: mem) = alloc [6i64] i64
         let (r_1: [2i64]i64 @ r_mem_0 -> 0 + {(2 : 3)}) (s_2: [2i64]i64 @ r_mem_0 -> 0 + {(2 : 3)}) = kernel (i_3 < 2i64) {
           let (j_4: i64) = add.i64 i_3 1i64
           in (i_3, j_4)
         }",
    );
    accesses(
        &found,
        &[
            "fault: M8: s_2[0] was overwritten",
            "writes s_2[0], iteration (0) of a kernel: `let (r_1",
            "writes r_1[0], iteration (0) of a kernel: `let (r_1",
        ],
    );
    // A result stored over the array that the next result comes from.
    let found = fails(
        "let (r_mem_0: mem) = alloc [4i64] i64
         let (s_mem_1: mem) = alloc [4i64] i64
         let (r_2: [2i64]i64 @ r_mem_0 -> 0 + {(2 : 1)}) (s_3: [2i64][1i64]i64 @ s_mem_1 -> 0 + {(2 : 1)(1 : 1)}) =
           kernel (i_4 < 2i64) {
             let (t_5: [1i64]i64 @ r_mem_0 -> i_4 + {(1 : 1)}) = replicate [1i64] 9i64
             in (i_4, t_5)
           }",
    );
    accesses(
        &found,
        &[
            "fault: M8: t_5[0] was overwritten",
            "reads t_5[0], iteration (0) of a kernel: `let (r_2",
            "writes r_2[0], iteration (0) of a kernel: `let (r_2",
        ],
    );
}

#[test]
fn the_rows_of_a_kernel_may_lie_where_its_result_does() {
    let out = main(
        ": [r_mem_0: mem] (r_1: [2i64][3i64]i64 @ r_mem_0 -> 0 + {(2 : 3)(3 : 1)})",
        "let (r_mem_2: mem) = alloc [6i64] i64
         let (r_3: [2i64][3i64]i64 @ r_mem_2 -> 0 + {(2 : 3)(3 : 1)}) = kernel (i_4 < 2i64) {
           let (o_5: i64) = mul.i64 i_4 3i64
           let (t_6: [3i64]i64 @ r_mem_2 -> o_5 + {(3 : 1)}) = iota.i64 3i64 i_4 1i64
           let (u_7: [3i64]i64 @ r_mem_2 -> o_5 + {(3 : 1)}) = update t_6[1i64] 9i64
           in (u_7)
         }
         in (r_mem_2, r_3)",
        "",
    );
    assert_eq!(out, "[[0i64, 9i64, 2i64], [1i64, 9i64, 3i64]]");
}

#[test]
fn reductions_race_with_their_results_and_operators() {
    let op = "\\(x_20: i64) (y_21: i64) : i64 {
      let (s_22: i64) = add.i64 x_20 y_21
      in (s_22)
    } (0i64)";
    // The result of a row lies on a cell that the points of the row read.
    let found = fails(&format!(
        "{TWO}
         let (b_2: [2i64]i64 @ a_mem_0 -> 0 + {{(2 : 2)}}) = kernel (i_6 < 2i64, j_7 < 1i64) reduce {op} {{
           let (k_8: i64) = mul.i64 i_6 2i64
           let (x_9: i64) = index a_1[k_8]
           in (x_9)
         }}"
    ));
    accesses(
        &found,
        &[
            "fault: M8: race on i64 0 of `a_mem_0`",
            "writes b_2[0], the result of a kernel at (0): `let (b_2",
            "reads a_1[0], iteration (0, 0) of a kernel: `let (x_9",
        ],
    );
    // The operator reads what the points write.
    let found = fails(
        "let (t_mem_0: mem) = alloc [4i64] i64
         let (t_1: [4i64]i64 @ t_mem_0 -> 0 + {(4 : 1)}) = replicate [4i64] 0i64
         let (r_2: i64) = kernel (i_6 < 1i64) reduce \\(x_20: i64) (y_21: i64) : i64 {
             let (s_22: i64) = add.i64 x_20 y_21
             let (u_23: i64) = index t_1[3i64]
             let (v_24: i64) = add.i64 s_22 u_23
             in (v_24)
           } (0i64) {
           let (c_25: [1i64]i64 @ t_mem_0 -> 3 + {(1 : 1)}) = replicate [1i64] 0i64
           in (i_6)
         }",
    );
    accesses(
        &found,
        &[
            "fault: M8: race on i64 3 of `t_mem_0`",
            "reads t_1[3], the operator of a kernel at (0): `let (u_23",
            "writes c_25[0], iteration (0) of a kernel: `let (c_25",
        ],
    );
}

#[test]
fn scans_may_be_in_place_and_not_elsewhere() {
    let scan = |result: &str, index: &str| {
        main(
            ": (r_30: i64)",
            &format!(
                "{TWO}
                 let (b_2: [3i64]i64 @ a_mem_0 -> {result} + {{(3 : 1)}}) = kernel (i_6 < 3i64) scan \\(x_20: i64) (y_21: i64) : i64 {{
                   let (s_22: i64) = add.i64 x_20 y_21
                   in (s_22)
                 }} (0i64) {{
                   let (k_8: i64) = add.i64 i_6 {index}i64
                   let (x_9: i64) = index a_1[k_8]
                   in (x_9)
                 }}
                 let (z_10: i64) = index b_2[2i64]
                 in (z_10)"
            ),
            "",
        )
    };
    assert_eq!(scan("0", "0"), "3i64");
    accesses(
        &scan("1", "0"),
        &[
            "fault: M8: race on i64 1 of `a_mem_0`",
            "reads a_1[1], iteration (1) of a kernel: `let (x_9",
            "writes b_2[0], iteration (0) of a kernel: `let (b_2",
        ],
    );
}

#[test]
fn scatters_race_with_reads_of_their_destination() {
    let found = fails(&format!(
        "{TWO}
         let (b_2: [4i64]i64 @ a_mem_0 -> 0 + {{(4 : 1)}}) = kernel (i_6 < 3i64) scatter (a_1) {{
           let (o_7: [4i64]i64 @ a_mem_0 -> 0 + {{(4 : 1)}}) = scratch [4i64]i64
           let (p_8: [4i64]i64 @ a_mem_0 -> 0 + {{(4 : 1)}}) = update o_7[0i64] i_6
           let (x_9: i64) = index p_8[0i64]
           in (1i64, x_9)
         }}"
    ));
    accesses(
        &found,
        &[
            "fault: M8: race on i64 0 of `a_mem_0`",
            "writes p_8[0], iteration (1) of a kernel",
            "writes p_8[0], iteration (0) of a kernel",
        ],
    );
}

#[test]
fn scratch_space_over_an_array_ends_it() {
    let found = fails(&format!(
        "{TWO}
         let (b_2: [2i64]i64 @ a_mem_0 -> 2 + {{(2 : 1)}}) = scratch [2i64]i64
         let (x_3: i64) = index a_1[2i64]"
    ));
    accesses(&found, &["fault: M8: a_1[2] was overwritten", "reads a_1[2]", "writes b_2[0]: `let (b_2"]);
}

#[test]
fn iterations_of_loops_are_told() {
    let found = fails(&format!(
        "{TWO}
         let (x_2: i64) = loop (s_3: i64 = 0i64) for i_4: i64 < 4i64 {{
           let (k_5: i64) = sub.i64 3i64 i_4
           let (b_6: [1i64]i64 @ a_mem_0 -> k_5 + {{(1 : 1)}}) = replicate [1i64] i_4
           let (y_7: i64) = index a_1[i_4]
           in (y_7)
         }}"
    ));
    accesses(
        &found,
        &[
            // what is written there is equal, by accident
            "fault: M8: a_1[2] was overwritten",
            "reads a_1[2], iteration 2 of a loop: `let (y_7",
            "writes b_6[0], iteration 1 of a loop: `let (b_6",
        ],
    );
}

#[test]
fn blocks_that_have_ended() {
    // The checker refuses this: `t_4` is out of scope.
    let text = "entry main : (r_0: i64) = {
      let (x_1: i64) = if true {
        let (t_mem_2: mem) = alloc [2i64] i64
        let (t_4: [2i64]i64 @ t_mem_2 -> 0 + {(2 : 1)}) = replicate [2i64] 1i64
        in (0i64)
      } else {
        in (1i64)
      }
      let (y_5: i64) = index t_4[1i64]
      in (y_5)
    }";
    accesses(
        &outcome(text, ""),
        &[
            "fault: M8: t_4[1] is used after its block `t_mem_2` has ended in main",
            "reads t_4[1]: `let (y_5: i64) = index t_4[1i64]`",
            "`t_mem_2`, 16 bytes, is allocated: `let (t_mem_2: mem) = alloc [2i64] i64`",
            "and ends with a body of `let (x_1: i64) = if true { …`",
        ],
    );
}

#[test]
fn types_of_other_widths_in_one_block() {
    // Two i32 over an i64 that is read afterwards.
    let found = fails(&format!(
        "{TWO}
         let (b_2: [1i64]i32 @ a_mem_0 -> 3 + {{(1 : 1)}}) = replicate [1i64] 5i32
         let (x_3: i64) = index a_1[0i64]
         let (y_4: i64) = index a_1[1i64]"
    ));
    accesses(
        &found,
        &[
            "fault: M8: a_1[1] was overwritten through another array (i64 1 of `a_mem_0`)",
            "reads a_1[1]: `let (y_4",
            "writes b_2[0]: `let (b_2",
        ],
    );
}
