//! FUN through FUNMEM to IMP and its interpreter, one case for each construct. Expected values come from the meaning of FUN.

use fun_base::run::{Limits, RunError};
use fun_base::source::Source;
use fun_base::value::{Value, ValueReader};

fn source(text: &str) -> Source {
    Source { name: "case.fun".into(), text: text.into() }
}

/// The program in all three languages.
fn stages(text: &str) -> (fun::ir::Program, funmem::ir::Program, imp::ir::Program) {
    let value: fun::ir::Program =
        fun::text::parse_program(&source(text), 0).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let memory = fun_passes::lower::fun_to_funmem::run(value.clone());
    let program = fun_passes::lower::funmem_to_imp::run(memory.clone());
    let printed = imp::text::print_program(&program);
    assert_eq!(imp::check::check(&program), Ok(()), "{printed}");
    let parsed =
        imp::text::parse_program(&source(&printed)).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert_eq!(parsed, program, "{printed}");
    (value, memory, program)
}

fn lower(text: &str) -> imp::ir::Program {
    stages(text).2
}

fn values(text: &str) -> Vec<Value> {
    ValueReader::new(text.as_bytes()).read_all().unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn run(text: &str, input: &str) -> Result<Vec<Value>, RunError> {
    imp::interp::run(&lower(text), "main", &values(input), Limits::default())
}

/// Runs the program under every semantics and compares what it gives.
fn gives(text: &str, input: &str, output: &str) {
    let (value, memory, program) = stages(text);
    let simple = fun_passes::imp::simplify::run(program.clone());
    let (args, wanted, limits) = (values(input), values(output), Limits::default());
    let outcomes = [
        ("FUN", fun::interp::run(&value, "main", &args, limits)),
        ("FUNMEM", funmem::interp::run(&memory, "main", &args, limits)),
        ("IMP", imp::interp::run(&program, "main", &args, limits)),
        ("simplified IMP", imp::interp::run(&simple, "main", &args, limits)),
    ];
    let printed = imp::text::print_program(&program);
    for (semantics, found) in outcomes {
        let found = found.unwrap_or_else(|error| panic!("{semantics}: {error}\n{printed}"));
        assert_eq!(found.len(), wanted.len(), "{semantics}");
        for (found, wanted) in found.iter().zip(&wanted) {
            assert!(found.same(wanted), "{semantics}: found {found:?}, wanted {wanted:?}\n{printed}");
        }
    }
}

#[test]
fn scalars() {
    gives(
        "entry main (x_0: i32) (y_1: f64) : (r_2: i64) (s_3: f64) (t_4: bool) = {
           let (a_5: i64) = convert.i64.i32 x_0
           let (b_6: i64) = mul.i64 a_5 a_5
           let (c_7: f64) = sqrt.f64 y_1
           let (d_8: bool) = lt.f64 c_7 y_1
           let (e_9: bool) = d_8
           in (b_6, c_7, e_9)
         }",
        "-3i32 6.25f64",
        "9i64 2.5f64 true",
    );
}

#[test]
fn derived_arrays_share_memory() {
    let text = "entry main [n_0: i64] [m_1: i64] (a_2: [n_0][m_1]i32)
           : (r_3: [m_1][n_0]i32) (s_4: [m_1]i32) (x_5: i32) = {
           let (t_6: [m_1][n_0]i32) = permute (1, 0) a_2
           let (v_7: [m_1][n_0]i32) = reverse 0 t_6
           let (last_8: i64) = sub.i64 n_0 1i64
           let (w_9: [m_1]i32) = slice v_7[0i64 : m_1 : 1i64, last_8]
           let (x_10: i32) = index w_9[0i64]
           in (v_7, w_9, x_10)
         }";
    gives(text, "[[1,2,3],[4,5,6]]", "[[3,6],[2,5],[1,4]] [6,5,4] 6i32");
}

#[test]
fn fresh_arrays() {
    gives(
        "entry main (n_0: i64) (xs_1: [3i64]u8) : (a_2: [n_0]i16) (b_3: [2i64][3i64]u8) (c_4: [2i64][3i64]u8) (d_5: [6i64]u8) (e_6: [2i64][2i64]bool) = {
           let (k_7: i64) = convert.i64.i64 n_0
           let (a_8: [n_0]i16) = iota.i16 n_0 10i16 -3i16
           let (b_9: [2i64][3i64]u8) = replicate [2i64] xs_1
           let (c_10: [2i64][3i64]u8) = array [3i64]u8 [xs_1, xs_1]
           let (r_11: [3i64]u8) = reverse 0 xs_1
           let (d_12: [6i64]u8) = concat 6i64 xs_1 r_11
           let (e_13: [2i64][2i64]bool) = replicate [2i64][2i64] true
           in (a_8, b_9, c_10, d_12, e_13)
         }",
        "4i64 [1u8,2u8,3u8]",
        "[10i16,7i16,4i16,1i16] [[1u8,2u8,3u8],[1u8,2u8,3u8]] [[1u8,2u8,3u8],[1u8,2u8,3u8]]
         [1u8,2u8,3u8,3u8,2u8,1u8] [[true,true],[true,true]]",
    );
}

#[test]
fn updates_in_place() {
    let text = "entry main [n_0: i64] (*a_1: [n_0][2i64]i64) (b_2: [2i64]i64) : (*r_3: [n_0][2i64]i64) = {
           let (c_4: [n_0][2i64]i64) = update a_1[1i64, 0i64 : 2i64 : 1i64] b_2
           let (d_5: [n_0][2i64]i64) = update c_4[0i64, 1i64] 7i64
           in (d_5)
         }";
    gives(text, "[[1i64,2i64],[3i64,4i64],[5i64,6i64]] [8i64,9i64]", "[[1i64,7i64],[8i64,9i64],[5i64,6i64]]");
    let printed = imp::text::print_program(&lower(text));
    assert!(!printed.contains("alloc"), "a consumed argument is changed in place:\n{printed}");
}

#[test]
fn a_value_of_the_same_array_is_read_before_it_is_overwritten() {
    gives(
        "entry main [n_0: i64] (*a_1: [n_0]i64) : (*r_2: [n_0]i64) = {
           let (m_3: i64) = sub.i64 n_0 1i64
           let (b_4: [m_3]i64) = slice a_1[0i64 : m_3 : 1i64]
           let (c_5: [n_0]i64) = update a_1[1i64 : m_3 : 1i64] b_4
           in (c_5)
         }",
        "[1i64,2i64,3i64,4i64]",
        "[1i64,1i64,2i64,3i64]",
    );
}

/// The paper's Figure 2.
const CHOOSE: &str = "entry main (c_0: bool) (x_1: i64) (y_2: i64) : [n_3: i64] (r_4: [n_3]i64) = {
       let (z_5: i64) (a_6: [z_5]i64) = if c_0 {
         let (p_7: [x_1]i64) = iota.i64 x_1 0i64 1i64
         in (x_1, p_7)
       } else {
         let (q_8: [y_2]i64) = iota.i64 y_2 0i64 2i64
         in (y_2, q_8)
       }
       in (z_5, a_6)
     }";

#[test]
fn branches_choose_blocks() {
    gives(CHOOSE, "true 2i64 3i64", "[0i64,1i64]");
    gives(CHOOSE, "false 2i64 3i64", "[0i64,2i64,4i64]");
}

#[test]
fn branches_choose_layouts_and_outer_blocks() {
    let text =
        "entry main [n_0: i64] (c_1: bool) (a_2: [n_0][n_0]i32) : (r_3: [n_0]i32) (s_4: [n_0][n_0]i32) = {
         let (b_5: [n_0][n_0]i32) = if c_1 {
           let (t_6: [n_0][n_0]i32) = permute (1, 0) a_2
           in (t_6)
         } else {
           let (u_7: [n_0][n_0]i32) = replicate [n_0][n_0] 5i32
           in (u_7)
         }
         let (r_8: [n_0]i32) = slice b_5[0i64, 0i64 : n_0 : 1i64]
         let (d_9: [n_0][n_0]i32) = if c_1 { in (b_5) } else { in (a_2) }
         in (r_8, d_9)
       }";
    gives(text, "true [[1,2],[3,4]]", "[1,3] [[1,3],[2,4]]");
    gives(text, "false [[1,2],[3,4]]", "[5,5] [[1,2],[3,4]]");
}

#[test]
fn loops_pass_blocks() {
    // Fibonacci on two vectors that change places.
    gives(
        "entry main (k_0: i32) (a_1: [2i64]i64) (b_2: [2i64]i64) : (r_3: [2i64]i64) (i_4: i32) = {
           let (x_5: [2i64]i64) (y_6: [2i64]i64) (c_7: i32) =
             loop (p_8: [2i64]i64 = a_1) (q_9: [2i64]i64 = b_2) (c_10: i32 = 0i32) for i_11: i32 < k_0 {
               let (s_12: [2i64]i64) = kernel (j_13 < 2i64) {
                 let (u_14: i64) = index p_8[j_13]
                 let (v_15: i64) = index q_9[j_13]
                 let (w_16: i64) = add.i64 u_14 v_15
                 in (w_16)
               }
               let (d_17: i32) = add.i32 c_10 i_11
               in (q_9, s_12, d_17)
             }
           in (x_5, c_7)
         }",
        "5i32 [0i64,1i64] [1i64,1i64]",
        "[5i64,8i64] 10i32",
    );
}

#[test]
fn loops_swap_and_return_arguments() {
    let text =
        "entry main (k_0: i64) (a_1: [2i64]i64) (b_2: [2i64]i64) : (r_3: [2i64]i64) (s_4: [2i64]i64) = {
         let (x_5: [2i64]i64) (y_6: [2i64]i64) =
           loop (p_7: [2i64]i64 = a_1) (q_8: [2i64]i64 = b_2) for i_9: i64 < k_0 { in (q_8, p_7) }
         in (x_5, y_6)
       }";
    gives(text, "0i64 [1i64,2i64] [3i64,4i64]", "[1i64,2i64] [3i64,4i64]");
    gives(text, "3i64 [1i64,2i64] [3i64,4i64]", "[3i64,4i64] [1i64,2i64]");
}

#[test]
fn while_loops_swap_scalars() {
    // Greatest common divisor.
    gives(
        "entry main (a_0: u32) (b_1: u32) : (r_2: u32) = {
           let (go_3: bool) = ne.u32 b_1 0u32
           let (x_4: u32) (y_5: u32) (z_6: bool) =
             loop (p_7: u32 = a_0) (q_8: u32 = b_1) (g_9: bool = go_3) while g_9 {
               let (m_10: u32) = mod.u32 p_7 q_8
               let (h_11: bool) = ne.u32 m_10 0u32
               in (q_8, m_10, h_11)
             }
           in (x_4)
         }",
        "48u32 180u32",
        "12u32",
    );
}

#[test]
fn functions_pass_views_and_give_blocks() {
    gives(
        "fun sums [n_0: i64] (a_1: [n_0]i64) : (r_2: [n_0]i64) (t_3: i64) = {
           let (b_4: [n_0]i64) = kernel (i_5 < n_0) scan \\(x_6: i64) (y_7: i64): i64 {
             let (z_8: i64) = add.i64 x_6 y_7
             in (z_8)
           } (0i64) {
             let (e_9: i64) = index a_1[i_5]
             in (e_9)
           }
           let (last_10: i64) = sub.i64 n_0 1i64
           let (t_11: i64) = index b_4[last_10]
           in (b_4, t_11)
         }
         entry main [n_12: i64] [m_13: i64] (a_14: [n_12][m_13]i64) : (r_15: [n_12]i64) (t_16: i64) = {
           let (c_17: [n_12]i64) = slice a_14[0i64 : n_12 : 1i64, 1i64]
           let (s_18: [n_12]i64) (t_19: i64) = call sums n_12 c_17
           in (s_18, t_19)
         }",
        "[[1i64,2i64],[3i64,4i64],[5i64,6i64]]",
        "[2i64,6i64,12i64] 12i64",
    );
}

/// An entry point whose result has the size of its argument gives that size back, also to whom calls it.
#[test]
fn entry_points_can_be_called() {
    gives(
        "entry twice [n_0: i64] (a_1: [n_0]i64) : (r_2: [n_0]i64) = {
           let (b_3: [n_0]i64) = kernel (i_4 < n_0) {
             let (x_5: i64) = index a_1[i_4]
             let (y_6: i64) = add.i64 x_5 x_5
             in (y_6)
           }
           in (b_3)
         }
         entry main [n_7: i64] (a_8: [n_7]i64) : (r_9: [n_7]i64) (s_10: [n_7]i64) = {
           let (b_11: [n_7]i64) = call twice n_7 a_8
           let (c_12: [n_7]i64) = call twice n_7 b_11
           in (c_12, a_8)
         }",
        "[1i64,2i64]",
        "[4i64,8i64] [1i64,2i64]",
    );
}

#[test]
fn branches_between_known_scalars_choose() {
    let text = "entry main (c_0: bool) (x_1: i32) : (r_2: i32) (s_3: i32) = {
         let (r_4: i32) (s_5: i32) = if c_0 { in (x_1, 1i32) } else { in (2i32, x_1) }
         in (r_4, s_5)
       }";
    gives(text, "true 7i32", "7i32 1i32");
    gives(text, "false 7i32", "2i32 7i32");
    assert!(!imp::text::print_program(&lower(text)).contains("if "));
}

#[test]
fn kernels_of_arrays() {
    // Each row of the product is computed on its own; the inner kernel reads a column.
    gives(
        "entry main [n_0: i64] [m_1: i64] [k_2: i64] (a_3: [n_0][m_1]i32) (b_4: [m_1][k_2]i32) : (c_5: [n_0][k_2]i32) = {
           let (bt_6: [k_2][m_1]i32) = permute (1, 0) b_4
           let (c_7: [n_0][k_2]i32) = kernel (i_8 < n_0) {
             let (row_9: [m_1]i32) = slice a_3[i_8, 0i64 : m_1 : 1i64]
             let (r_10: [k_2]i32) = kernel (j_11 < k_2) {
               let (col_12: [m_1]i32) = slice bt_6[j_11, 0i64 : m_1 : 1i64]
               let (d_13: i32) = kernel (l_14 < m_1) reduce \\(x_15: i32) (y_16: i32): i32 {
                 let (z_17: i32) = add.i32 x_15 y_16
                 in (z_17)
               } (0i32) {
                 let (u_18: i32) = index row_9[l_14]
                 let (v_19: i32) = index col_12[l_14]
                 let (w_20: i32) = mul.i32 u_18 v_19
                 in (w_20)
               }
               in (d_13)
             }
             in (r_10)
           }
           in (c_7)
         }",
        "[[1,2,3],[4,5,6]] [[7,8],[9,10],[11,12]]",
        "[[58,64],[139,154]]",
    );
}

/// The sum and the place of the maximum of `(i * 7919) mod 10007`, as one reduction of three results.
const REDUCE: &str = "entry main (n_0: i64) : (s_1: i64) (m_2: i64) (at_3: i64) = {
       let (s_4: i64) (m_5: i64) (p_6: i64) = kernel (i_7 < n_0)
         reduce \\(s_8: i64) (m_9: i64) (p_10: i64) (t_11: i64) (k_12: i64) (q_13: i64): i64, i64, i64 {
           let (u_14: i64) = add.i64 s_8 t_11
           let (g_15: bool) = gt.i64 k_12 m_9
           let (v_16: i64) (w_17: i64) = if g_15 { in (k_12, q_13) } else { in (m_9, p_10) }
           in (u_14, v_16, w_17)
         } (0i64, -1i64, -1i64) {
           let (x_18: i64) = mul.i64 i_7 7919i64
           let (y_19: i64) = mod.i64 x_18 10007i64
           in (y_19, y_19, i_7)
         }
       in (s_4, m_5, p_6)
     }";

#[test]
fn reductions_small_and_in_chunks() {
    for n in [0i64, 1, 5, 4095, 4096, 4097, 10_000] {
        let element = |i: i64| i * 7919 % 10007;
        let sum: i64 = (0..n).map(element).sum();
        let largest = (0..n).map(element).max().unwrap_or(-1);
        let at = (0..n).position(|i| element(i) == largest).map_or(-1, |at| at as i64);
        gives(REDUCE, &format!("{n}i64"), &format!("{sum}i64 {largest}i64 {at}i64"));
    }
}

#[test]
fn reductions_and_scans_of_rows() {
    let text =
        "entry main [n_0: i64] [m_1: i64] (a_2: [n_0][m_1]i32) : (r_3: [n_0]i32) (s_4: [n_0][m_1]i32) = {
         let (r_5: [n_0]i32) = kernel (i_6 < n_0, j_7 < m_1) reduce_comm \\(x_8: i32) (y_9: i32): i32 {
           let (z_10: i32) = max.i32 x_8 y_9
           in (z_10)
         } (-9i32) {
           let (e_11: i32) = index a_2[i_6, j_7]
           in (e_11)
         }
         let (s_12: [n_0][m_1]i32) = kernel (i_13 < n_0, j_14 < m_1) scan \\(x_15: i32) (y_16: i32): i32 {
           let (z_17: i32) = mul.i32 x_15 y_16
           in (z_17)
         } (1i32) {
           let (e_18: i32) = index a_2[i_13, j_14]
           in (e_18)
         }
         in (r_5, s_12)
       }";
    gives(text, "[[1,5,2],[4,-3,6]]", "[5,6] [[1,5,10],[4,-12,-72]]");
}

#[test]
fn histograms_and_scatters_skip_what_is_outside() {
    let text = "entry main [n_0: i64] (*d_1: [4i64]i32) (*e_2: [3i64][2i64]i32) (is_3: [n_0]i64) : (r_4: [4i64]i32) (s_5: [3i64][2i64]i32) = {
         let (h_6: [4i64]i32) = kernel (i_7 < n_0) hist \\(x_8: i32) (y_9: i32): i32 {
           let (z_10: i32) = add.i32 x_8 y_9
           in (z_10)
         } (0i32) (d_1) {
           let (at_11: i64) = index is_3[i_7]
           in (at_11, 10i32)
         }
         let (t_12: [3i64][2i64]i32) = kernel (j_13 < n_0) scatter (e_2) {
           let (at_14: i64) = index is_3[j_13]
           let (k_15: i32) = convert.i32.i64 j_13
           let (row_16: [2i64]i32) = replicate [2i64] k_15
           in (at_14, row_16)
         }
         in (h_6, t_12)
       }";
    gives(
        text,
        "[1,2,3,4] [[7,7],[7,7],[7,7]] [1i64,3i64,-1i64,1i64,4i64,0i64]",
        "[11,22,3,14] [[5,5],[3,3],[7,7]]",
    );
}

#[test]
fn assertions_carry_message_and_place() {
    let text = "entry main (n_0: i64) : (r_1: i64) = {
         let (c_2: bool) = lt.i64 n_0 10i64
         let = assert c_2 \"n is too large\" # \"a.fut\":3:5
         in (n_0)
       }";
    gives(text, "9i64", "9i64");
    assert_eq!(run(text, "10i64").unwrap_err().to_string(), "n is too large at a.fut:3:5 in main");
}

#[test]
fn memory_does_not_grow_with_iterations() {
    // A kernel inside a loop, with a branch that keeps or replaces the array: at any time few arrays of 1000 i64 live.
    let text = "entry main (k_0: i64) : (r_1: [1000i64]i64) = {
         let (a_2: [1000i64]i64) = iota.i64 1000i64 0i64 1i64
         let (b_3: [1000i64]i64) = loop (p_4: [1000i64]i64 = a_2) for i_5: i64 < k_0 {
           let (two_6: i64) = mod.i64 i_5 2i64
           let (even_7: bool) = eq.i64 two_6 0i64
           let (q_8: [1000i64]i64) = if even_7 { in (p_4) } else {
             let (n_9: [1000i64]i64) = kernel (j_10 < 1000i64) {
               let (row_11: [3i64]i64) = iota.i64 3i64 j_10 1i64
               let (u_12: i64) = index row_11[1i64]
               let (v_13: i64) = index p_4[j_10]
               let (w_14: i64) = add.i64 u_12 v_13
               in (w_14)
             }
             in (n_9)
           }
           in (q_8)
         }
         in (b_3)
       }";
    let limits = Limits { steps: u64::MAX, bytes: 40_000 };
    let found = imp::interp::run(&lower(text), "main", &values("50i64"), limits);
    let wanted: Vec<String> = (0..1000).map(|j| format!("{}i64", j + 25 * (j + 1))).collect();
    let wanted = values(&format!("[{}]", wanted.join(",")));
    assert!(found.unwrap()[0].same(&wanted[0]));
}

#[test]
fn one_parallel_loop_at_a_time() {
    let text = "entry main (n_0: i64) : (r_1: [n_0][n_0]i64) = {
         let (a_2: [n_0][n_0]i64) = kernel (i_3 < n_0, j_4 < n_0) {
           let (b_5: [2000i64]i64) = iota.i64 2000i64 i_3 1i64
           let (c_6: i64) = index b_5[j_4]
           in (c_6)
         }
         in (a_2)
       }";
    let printed = imp::text::print_program(&lower(text));
    assert_eq!(printed.matches(" par {").count(), 1, "{printed}");
    gives(text, "2i64", "[[0i64,1i64],[1i64,2i64]]");
}

/// The paper's Figure 13 from its Figure 7 (which introduction makes of Figure 2); `y_2` counts in steps of 2 here, blocks have
/// views, and the array's place is copied to no variable since both branches are row-major.
#[test]
fn figure_13_from_figure_7() {
    let wanted = "\
entry proc main(c_0: bool, x_1: i64, y_2: i64): (i64, mem)
  takes (bool @ 0, i64 @ 1, i64 @ 2)
  gives (i64[@0] @ 1)
{
  var z_5: i64
  var a_mem_11: mem
  if c_0 {
    alloc p_mem_9: i64[x_1]
    view p_7: i64 @ p_mem_9 -> 0 + {(x_1 : 1)}
    for i_13: i64 < x_1 par {
      p_7[i_13] := i_13
    }
    z_5 := x_1
    a_mem_11 := p_mem_9
  } else {
    alloc q_mem_10: i64[y_2]
    view q_8: i64 @ q_mem_10 -> 0 + {(y_2 : 1)}
    for i_14: i64 < y_2 par {
      q_8[i_14] := mul.i64(i_14, 2i64)
    }
    z_5 := y_2
    a_mem_11 := q_mem_10
  }
  return (z_5, a_mem_11)
}
";
    assert_eq!(imp::text::print_program(&lower(CHOOSE)), wanted);
}
