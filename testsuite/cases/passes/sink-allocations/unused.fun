// case: pass introduce-memory hoist-allocations sink-allocations
// The sum of the sizes is in scope from the beginning; there the block of `c_6` could be used for `a_4`. It is not, so it sinks again.
entry main [n_0: i64] (xs_1: [n_0]i64) [m_2: i64] (ys_3: [m_2]i64) : [k_7: i64] (r_8: [k_7]i64) = {
  let (a_4: [n_0]i64) = kernel (i_9 < n_0) {
    let (x_10: i64) = index xs_1[i_9]
    let (y_11: i64) = add.i64 x_10 1i64
    in (y_11)
  }
  let (k_5: i64) = add.i64 n_0 m_2
  let (c_6: [k_5]i64) = concat k_5 a_4 ys_3
  in (k_5, c_6)
}
// ---
// entry main [n_0: i64] [xs_mem_12: mem] (xs_1: [n_0]i64 @ xs_mem_12 -> 0 + {(n_0 : 1)}) [m_2: i64] [ys_mem_13: mem] (ys_3: [m_2]i64 @ ys_mem_13 -> 0 + {(m_2 : 1)}) : [k_7: i64] [r_mem_16: mem] (r_8: [k_7]i64 @ r_mem_16 -> 0 + {(k_7 : 1)}) = {
//   let (k_5: i64) = add.i64 n_0 m_2
//   let (a_mem_14: mem) = alloc [n_0] i64
//   let (a_4: [n_0]i64 @ a_mem_14 -> 0 + {(n_0 : 1)}) = kernel (i_9 < n_0) {
//     let (x_10: i64) = index xs_1[i_9]
//     let (y_11: i64) = add.i64 x_10 1i64
//     in (y_11)
//   }
//   let (c_mem_15: mem) = alloc [k_5] i64
//   let (c_6: [k_5]i64 @ c_mem_15 -> 0 + {(k_5 : 1)}) = concat k_5 a_4 ys_3
//   in (k_5, c_mem_15, c_6)
// }
