// case: pass introduce-memory hoist-scalars hoist-allocations pass-destinations
// The caller allocates what the function gives.
fun ramp [n_0: i64] (c_1: i64) (xs_2: [n_0]i64) : (r_3: [n_0]i64) = {
  let (a_4: [n_0]i64) = kernel (i_5 < n_0) {
    let (x_6: i64) = index xs_2[i_5]
    let (y_7: i64) = add.i64 x_6 c_1
    in (y_7)
  }
  in (a_4)
}

entry main [n_10: i64] (xs_11: [n_10]i64) : [m_12: i64] (r_13: [m_12]i64) = {
  let (b_14: [n_10]i64) = call ramp n_10 1i64 xs_11
  let (s_15: [n_10]i64) = reverse 0 xs_11
  let (c_16: [n_10]i64) = call ramp n_10 2i64 s_15
  let (m_17: i64) = add.i64 n_10 n_10
  let (d_18: [m_17]i64) = concat m_17 b_14 c_16
  in (m_17, d_18)
}
// ---
// fun ramp [n_0: i64] (c_1: i64) [xs_mem_19: mem] [xs_off_20: i64] [xs_step_21: i64] (xs_2: [n_0]i64 @ xs_mem_19 -> xs_off_20 + {(n_0 : xs_step_21)}) [r_mem_30: mem] [r_off_31: i64] : (r_3: [n_0]i64 @ r_mem_30 -> r_off_31 + {(n_0 : 1)}) = {
//   let (a_4: [n_0]i64 @ r_mem_30 -> r_off_31 + {(n_0 : 1)}) = kernel (i_5 < n_0) {
//     let (x_6: i64) = index xs_2[i_5]
//     let (y_7: i64) = add.i64 x_6 c_1
//     in (y_7)
//   }
//   in (a_4)
// }
//
// entry main [n_10: i64] [xs_mem_24: mem] (xs_11: [n_10]i64 @ xs_mem_24 -> 0 + {(n_10 : 1)}) : [m_12: i64] [r_mem_29: mem] (r_13: [m_12]i64 @ r_mem_29 -> 0 + {(m_12 : 1)}) = {
//   let (m_17: i64) = add.i64 n_10 n_10
//   let (d_mem_28: mem) = alloc [m_17] i64
//   let (off_26: i64) = add.i64 -1i64 n_10
//   let (b_mem_25: mem) = alloc [n_10] i64
//   let (b_14: [n_10]i64 @ b_mem_25 -> 0 + {(n_10 : 1)}) = call ramp n_10 1i64 xs_mem_24 0i64 1i64 xs_11 b_mem_25 0i64
//   let (s_15: [n_10]i64 @ xs_mem_24 -> n_10 + -1 + {(n_10 : -1)}) = reverse 0 xs_11
//   let (c_mem_27: mem) = alloc [n_10] i64
//   let (c_16: [n_10]i64 @ c_mem_27 -> 0 + {(n_10 : 1)}) = call ramp n_10 2i64 xs_mem_24 off_26 -1i64 s_15 c_mem_27 0i64
//   let (d_18: [m_17]i64 @ d_mem_28 -> 0 + {(m_17 : 1)}) = concat m_17 b_14 c_16
//   in (m_17, d_mem_28, d_18)
// }
