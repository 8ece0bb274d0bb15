// case: pass introduce-memory hoist-scalars hoist-allocations join-blocks
// An arm that gives the argument, arms with blocks of different sizes, and an arm that may stop the program before it knows how much it
// needs: all keep their blocks.
entry main [n_0: i64] (xs_1: [n_0]i64) (c_2: bool) (k_3: i64) : (a_4: i64) (b_5: i64) (d_6: i64) = {
  let (r_7: [n_0]i64) = if c_2 {
    in (xs_1)
  } else {
    let (s_8: [n_0]i64) = replicate [n_0] 7i64
    in (s_8)
  }
  let (m_9: i64) (t_10: [m_9]i64) = if c_2 {
    let (u_11: [n_0]i64) = replicate [n_0] 1i64
    in (n_0, u_11)
  } else {
    let (v_12: [2i64]i64) = replicate [2i64] 2i64
    in (2i64, v_12)
  }
  let (w_13: [k_3]i64) = if c_2 {
    let (x_14: bool) = le.i64 0i64 k_3
    let = assert x_14 "negative"
    let (y_15: [k_3]i64) = replicate [k_3] 3i64
    in (y_15)
  } else {
    let (z_16: bool) = le.i64 0i64 k_3
    let = assert z_16 "negative, too"
    let (o_17: [k_3]i64) = replicate [k_3] 4i64
    in (o_17)
  }
  let (p_18: bool) = lt.i64 0i64 k_3
  let (q_19: bool) = lt.i64 0i64 n_0
  let (e_20: bool) = and.bool p_18 q_19
  let = assert e_20 "empty"
  let (f_21: i64) = index r_7[0i64]
  let (g_22: i64) = index t_10[0i64]
  let (h_23: i64) = index w_13[0i64]
  in (f_21, g_22, h_23)
}
// ---
// entry main [n_0: i64] [xs_mem_24: mem] (xs_1: [n_0]i64 @ xs_mem_24 -> 0 + {(n_0 : 1)}) (c_2: bool) (k_3: i64) : (a_4: i64) (b_5: i64) (d_6: i64) = {
//   let (p_18: bool) = lt.i64 0i64 k_3
//   let (q_19: bool) = lt.i64 0i64 n_0
//   let (e_20: bool) = and.bool p_18 q_19
//   let (r_mem_26: mem) (r_7: [n_0]i64 @ r_mem_26 -> 0 + {(n_0 : 1)}) = if c_2 {
//     in (xs_mem_24, xs_1)
//   } else {
//     let (s_mem_25: mem) = alloc [n_0] i64
//     let (s_8: [n_0]i64 @ s_mem_25 -> 0 + {(n_0 : 1)}) = replicate [n_0] 7i64
//     in (s_mem_25, s_8)
//   }
//   let (m_9: i64) (t_mem_29: mem) (t_10: [m_9]i64 @ t_mem_29 -> 0 + {(m_9 : 1)}) = if c_2 {
//     let (u_mem_27: mem) = alloc [n_0] i64
//     let (u_11: [n_0]i64 @ u_mem_27 -> 0 + {(n_0 : 1)}) = replicate [n_0] 1i64
//     in (n_0, u_mem_27, u_11)
//   } else {
//     let (v_mem_28: mem) = alloc [2i64] i64
//     let (v_12: [2i64]i64 @ v_mem_28 -> 0 + {(2 : 1)}) = replicate [2i64] 2i64
//     in (2i64, v_mem_28, v_12)
//   }
//   let (w_mem_32: mem) (w_13: [k_3]i64 @ w_mem_32 -> 0 + {(k_3 : 1)}) = if c_2 {
//     let (x_14: bool) = le.i64 0i64 k_3
//     let = assert x_14 "negative"
//     let (y_mem_30: mem) = alloc [k_3] i64
//     let (y_15: [k_3]i64 @ y_mem_30 -> 0 + {(k_3 : 1)}) = replicate [k_3] 3i64
//     in (y_mem_30, y_15)
//   } else {
//     let (z_16: bool) = le.i64 0i64 k_3
//     let = assert z_16 "negative, too"
//     let (o_mem_31: mem) = alloc [k_3] i64
//     let (o_17: [k_3]i64 @ o_mem_31 -> 0 + {(k_3 : 1)}) = replicate [k_3] 4i64
//     in (o_mem_31, o_17)
//   }
//   let = assert e_20 "empty"
//   let (f_21: i64) = index r_7[0i64]
//   let (g_22: i64) = index t_10[0i64]
//   let (h_23: i64) = index w_13[0i64]
//   in (f_21, g_22, h_23)
// }
