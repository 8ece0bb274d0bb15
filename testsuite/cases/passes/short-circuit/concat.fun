// case: pass introduce-memory hoist-scalars hoist-allocations short-circuit
// The parts of a concatenation are made in it, one of them by way of a permutation; one that is used again is copied, and so is an argument.
entry main [n_0: i64] [m_1: i64] (xs_2: [n_0][m_1]i32) (a_3: [m_1][m_1]i32) : [t_4: i64] (ys_5: [t_4][m_1]i32) (y_6: i32) = {
  let (b_7: [m_1][n_0]i32) = kernel (i_8 < m_1, j_9 < n_0) {
    let (e_10: i32) = index xs_2[j_9, i_8]
    in (e_10)
  }
  let (p_11: [n_0][m_1]i32) = permute (1,0) b_7
  let (c_12: [2i64][m_1]i32) = replicate [2i64][m_1] 7i32
  let (s_13: i64) = add.i64 n_0 2i64
  let (t_14: i64) = add.i64 s_13 m_1
  let (ys_15: [t_14][m_1]i32) = concat t_14 p_11 c_12 a_3
  let (k_16: i64) = max.i64 0i64 0i64
  let (e_17: [m_1]i32) = slice c_12[k_16, 0i64 : m_1 : 1i64]
  let (r_18: i32) = kernel (i_19 < m_1) reduce \(x_20: i32) (y_21: i32) : i32 {
    let (z_22: i32) = add.i32 x_20 y_21
    in (z_22)
  } (0i32) {
    let (e_23: i32) = index e_17[i_19]
    in (e_23)
  }
  in (t_14, ys_15, r_18)
}
// ---
// entry main [n_0: i64] [m_1: i64] [xs_mem_24: mem] (xs_2: [n_0][m_1]i32 @ xs_mem_24 -> 0 + {(n_0 : m_1)(m_1 : 1)}) [a_mem_25: mem] (a_3: [m_1][m_1]i32 @ a_mem_25 -> 0 + {(m_1 : m_1)(m_1 : 1)}) : [t_4: i64] [ys_mem_29: mem] (ys_5: [t_4][m_1]i32 @ ys_mem_29 -> 0 + {(t_4 : m_1)(m_1 : 1)}) (y_6: i32) = {
//   let (s_13: i64) = add.i64 n_0 2i64
//   let (t_14: i64) = add.i64 s_13 m_1
//   let (c_mem_27: mem) = alloc [2i64][m_1] i32
//   let (ys_mem_28: mem) = alloc [t_14][m_1] i32
//   let (k_16: i64) = max.i64 0i64 0i64
//   let (b_7: [m_1][n_0]i32 @ ys_mem_28 -> 0 + {(m_1 : 1)(n_0 : m_1)}) = kernel (i_8 < m_1, j_9 < n_0) {
//     let (e_10: i32) = index xs_2[j_9, i_8]
//     in (e_10)
//   }
//   let (p_11: [n_0][m_1]i32 @ ys_mem_28 -> 0 + {(n_0 : m_1)(m_1 : 1)}) = permute (1, 0) b_7
//   let (c_12: [2i64][m_1]i32 @ c_mem_27 -> 0 + {(2 : m_1)(m_1 : 1)}) = replicate [2i64][m_1] 7i32
//   let (ys_15: [t_14][m_1]i32 @ ys_mem_28 -> 0 + {(t_14 : m_1)(m_1 : 1)}) = concat t_14 p_11 c_12 a_3
//   let (e_17: [m_1]i32 @ c_mem_27 -> m_1*k_16 + {(m_1 : 1)}) = slice c_12[k_16, 0i64 : m_1 : 1i64]
//   let (r_18: i32) = kernel (i_19 < m_1) reduce \(x_20: i32) (y_21: i32) : i32 {
//     let (z_22: i32) = add.i32 x_20 y_21
//     in (z_22)
//   } (0i32) {
//     let (e_23: i32) = index e_17[i_19]
//     in (e_23)
//   }
//   in (t_14, ys_mem_28, ys_15, r_18)
// }
