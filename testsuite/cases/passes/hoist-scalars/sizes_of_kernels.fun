// case: pass introduce-memory hoist-scalars
// What the size of a kernel's block is computed from goes in front of it; what other scalars are, each point computes for itself.
entry main [n_0: i64] (k_1: i64) (xs_2: [n_0]i64) : (ys_3: [n_0]i64) = {
  let (ys_4: [n_0]i64) = kernel (i_5 < n_0) {
    let (l_6: i64) = mul.i64 k_1 2i64
    let (m_7: i64) = max.i64 l_6 1i64
    let (other_8: i64) = mul.i64 k_1 3i64
    let (x_9: i64) = index xs_2[i_5]
    let (own_10: i64) = max.i64 x_9 1i64
    let (t_11: [m_7]i64) = replicate [m_7] x_9
    let (u_12: [own_10]i64) = replicate [own_10] other_8
    let (y_13: i64) = index t_11[0i64]
    let (z_14: i64) = index u_12[0i64]
    let (r_15: i64) = add.i64 y_13 z_14
    in (r_15)
  }
  in (ys_4)
}
// ---
// entry main [n_0: i64] (k_1: i64) [xs_mem_16: mem] (xs_2: [n_0]i64 @ xs_mem_16 -> 0 + {(n_0 : 1)}) : [ys_mem_20: mem] (ys_3: [n_0]i64 @ ys_mem_20 -> 0 + {(n_0 : 1)}) = {
//   let (l_6: i64) = mul.i64 k_1 2i64
//   let (m_7: i64) = max.i64 l_6 1i64
//   let (ys_mem_17: mem) = alloc [n_0] i64
//   let (ys_4: [n_0]i64 @ ys_mem_17 -> 0 + {(n_0 : 1)}) = kernel (i_5 < n_0) {
//     let (other_8: i64) = mul.i64 k_1 3i64
//     let (x_9: i64) = index xs_2[i_5]
//     let (own_10: i64) = max.i64 x_9 1i64
//     let (t_mem_18: mem) = alloc [m_7] i64
//     let (t_11: [m_7]i64 @ t_mem_18 -> 0 + {(m_7 : 1)}) = replicate [m_7] x_9
//     let (u_mem_19: mem) = alloc [own_10] i64
//     let (u_12: [own_10]i64 @ u_mem_19 -> 0 + {(own_10 : 1)}) = replicate [own_10] other_8
//     let (y_13: i64) = index t_11[0i64]
//     let (z_14: i64) = index u_12[0i64]
//     let (r_15: i64) = add.i64 y_13 z_14
//     in (r_15)
//   }
//   in (ys_mem_17, ys_4)
// }
