// case: pass introduce-memory double-buffer
// The caller's `xs_1` must not be overwritten. A value lives for two iterations, as `q_5` and then as `p_4`: three blocks.
entry main [n_0: i64] (xs_1: [n_0]i64) (k_2: i64) : (s_3: i64) = {
  let (x_10: [n_0]i64) (y_11: [n_0]i64) = loop (p_4: [n_0]i64 = xs_1) (q_5: [n_0]i64 = xs_1) for i_6: i64 < k_2 {
    let (z_7: [n_0]i64) = kernel (j_8 < n_0) {
      let (a_9: i64) = index p_4[j_8]
      let (b_12: i64) = index q_5[j_8]
      let (c_13: i64) = add.i64 a_9 b_12
      in (c_13)
    }
    in (q_5, z_7)
  }
  let (u_14: i64) = index x_10[0i64]
  let (v_15: i64) = index y_11[0i64]
  let (w_16: i64) = add.i64 u_14 v_15
  in (w_16)
}
// ---
// entry main [n_0: i64] [xs_mem_17: mem] (xs_1: [n_0]i64 @ xs_mem_17 -> 0 + {(n_0 : 1)}) (k_2: i64) : (s_3: i64) = {
//   let (buffer_mem_24: mem) = alloc [n_0] i64
//   let (buffer_mem_25: mem) = alloc [n_0] i64
//   let (buffer_mem_26: mem) = alloc [n_0] i64
//   let (x_mem_21: mem) (x_10: [n_0]i64 @ x_mem_21 -> 0 + {(n_0 : 1)}) (y_mem_22: mem) (y_11: [n_0]i64 @ y_mem_22 -> 0 + {(n_0 : 1)}) (spare_mem_30: mem) (spare_mem_31: mem) (spare_mem_32: mem) = loop (p_mem_18: mem = xs_mem_17) (p_4: [n_0]i64 @ p_mem_18 -> 0 + {(n_0 : 1)} = xs_1) (q_mem_19: mem = xs_mem_17) (q_5: [n_0]i64 @ q_mem_19 -> 0 + {(n_0 : 1)} = xs_1) (spare_mem_27: mem = buffer_mem_24) (spare_mem_28: mem = buffer_mem_25) (spare_mem_29: mem = buffer_mem_26) for i_6: i64 < k_2 {
//     let (z_7: [n_0]i64 @ spare_mem_27 -> 0 + {(n_0 : 1)}) = kernel (j_8 < n_0) {
//       let (a_9: i64) = index p_4[j_8]
//       let (b_12: i64) = index q_5[j_8]
//       let (c_13: i64) = add.i64 a_9 b_12
//       in (c_13)
//     }
//     in (q_mem_19, q_5, spare_mem_27, z_7, spare_mem_28, spare_mem_29, spare_mem_27)
//   }
//   let (u_14: i64) = index x_10[0i64]
//   let (v_15: i64) = index y_11[0i64]
//   let (w_16: i64) = add.i64 u_14 v_15
//   in (w_16)
// }
