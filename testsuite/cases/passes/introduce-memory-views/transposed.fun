// case: pass introduce-memory-views
// An entry point reads an array where the caller has it; what it consumes lies in row order.
entry turned [n_0: i64] [m_1: i64] (xs_2: [n_0][m_1]i32) (*ys_3: [m_1]i32) : (zs_4: [m_1][n_0]i32) (*ws_5: [m_1]i32) = {
  let (t_6: [m_1][n_0]i32) = permute (1, 0) xs_2
  let (x_7: i32) = index xs_2[0i64, 0i64]
  let (u_8: [m_1]i32) = update ys_3[0i64] x_7
  in (t_6, u_8)
}
// ---
// entry turned [n_0: i64] [m_1: i64] [xs_mem_9: mem] [xs_off_10: i64] [xs_step_11: i64] [xs_step_12: i64] (xs_2: [n_0][m_1]i32 @ xs_mem_9 -> xs_off_10 + {(n_0 : xs_step_11)(m_1 : xs_step_12)}) [ys_mem_13: mem] (*ys_3: [m_1]i32 @ ys_mem_13 -> 0 + {(m_1 : 1)}) : [zs_mem_16: mem] (zs_4: [m_1][n_0]i32 @ zs_mem_16 -> 0 + {(m_1 : n_0)(n_0 : 1)}) [ws_mem_17: mem] (*ws_5: [m_1]i32 @ ws_mem_17 -> 0 + {(m_1 : 1)}) = {
//   let (t_6: [m_1][n_0]i32 @ xs_mem_9 -> xs_off_10 + {(m_1 : xs_step_12)(n_0 : xs_step_11)}) = permute (1, 0) xs_2
//   let (x_7: i32) = index xs_2[0i64, 0i64]
//   let (u_8: [m_1]i32 @ ys_mem_13 -> 0 + {(m_1 : 1)}) = update ys_3[0i64] x_7
//   let (t_mem_15: mem) = alloc [m_1][n_0] i32
//   let (t_14: [m_1][n_0]i32 @ t_mem_15 -> 0 + {(m_1 : n_0)(n_0 : 1)}) = copy t_6
//   in (t_mem_15, t_14, ys_mem_13, u_8)
// }
