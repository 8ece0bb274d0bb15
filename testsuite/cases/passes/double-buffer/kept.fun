// case: pass introduce-memory double-buffer
// What the first loop passes on through a branch, to another parameter too, may live for any number of iterations, and the sizes in the second one
// change: both allocate in each iteration. The third one still reads its initial value after its beginning, so it has two blocks of its own.
entry main [n_0: i64] (k_1: i64) : (s_2: i64) = {
  let (a_3: [n_0]i64) = iota.i64 n_0 0i64 1i64
  let (x_4: [n_0]i64) (x_26: [n_0]i64) = loop (p_5: [n_0]i64 = a_3) (p_27: [n_0]i64 = a_3) for i_6: i64 < k_1 {
    let (z_7: [n_0]i64) = replicate [n_0] i_6
    let (c_8: bool) = lt.i64 i_6 3i64
    let (y_9: [n_0]i64) (y_28: [n_0]i64) = if c_8 {
      in (z_7, p_5)
    } else {
      in (p_5, p_27)
    }
    in (y_9, y_28)
  }
  let (o_29: i64) = index x_4[0i64]
  let (o_30: i64) = index x_26[0i64]
  let (u_10: i64) = add.i64 o_29 o_30
  let (m_11: i64) (w_12: [m_11]i64) = loop (m_13: i64 = n_0) (q_14: [m_13]i64 = a_3) for i_15: i64 < k_1 {
    let (l_16: i64) = add.i64 m_13 1i64
    let (t_17: [l_16]i64) = replicate [l_16] u_10
    in (l_16, t_17)
  }
  let (v_18: i64) = index w_12[0i64]
  let (b_25: [n_0]i64) = iota.i64 n_0 0i64 v_18
  let (d_19: [n_0]i64) = loop (e_20: [n_0]i64 = b_25) for i_21: i64 < k_1 {
    let (f_22: i64) = index b_25[i_21]
    let (g_23: [n_0]i64) = replicate [n_0] f_22
    in (g_23)
  }
  let (h_24: i64) = index d_19[0i64]
  in (h_24)
}
// ---
// entry main [n_0: i64] (k_1: i64) : (s_2: i64) = {
//   let (a_mem_31: mem) = alloc [n_0] i64
//   let (a_3: [n_0]i64 @ a_mem_31 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 0i64 1i64
//   let (x_mem_37: mem) (x_4: [n_0]i64 @ x_mem_37 -> 0 + {(n_0 : 1)}) (x_mem_38: mem) (x_26: [n_0]i64 @ x_mem_38 -> 0 + {(n_0 : 1)}) = loop (p_mem_32: mem = a_mem_31) (p_5: [n_0]i64 @ p_mem_32 -> 0 + {(n_0 : 1)} = a_3) (p_mem_33: mem = a_mem_31) (p_27: [n_0]i64 @ p_mem_33 -> 0 + {(n_0 : 1)} = a_3) for i_6: i64 < k_1 {
//     let (z_mem_34: mem) = alloc [n_0] i64
//     let (z_7: [n_0]i64 @ z_mem_34 -> 0 + {(n_0 : 1)}) = replicate [n_0] i_6
//     let (c_8: bool) = lt.i64 i_6 3i64
//     let (y_mem_35: mem) (y_9: [n_0]i64 @ y_mem_35 -> 0 + {(n_0 : 1)}) (y_mem_36: mem) (y_28: [n_0]i64 @ y_mem_36 -> 0 + {(n_0 : 1)}) = if c_8 {
//       in (z_mem_34, z_7, p_mem_32, p_5)
//     } else {
//       in (p_mem_32, p_5, p_mem_33, p_27)
//     }
//     in (y_mem_35, y_9, y_mem_36, y_28)
//   }
//   let (o_29: i64) = index x_4[0i64]
//   let (o_30: i64) = index x_26[0i64]
//   let (u_10: i64) = add.i64 o_29 o_30
//   let (m_11: i64) (w_mem_41: mem) (w_12: [m_11]i64 @ w_mem_41 -> 0 + {(m_11 : 1)}) = loop (m_13: i64 = n_0) (q_mem_39: mem = a_mem_31) (q_14: [m_13]i64 @ q_mem_39 -> 0 + {(m_13 : 1)} = a_3) for i_15: i64 < k_1 {
//     let (l_16: i64) = add.i64 m_13 1i64
//     let (t_mem_40: mem) = alloc [l_16] i64
//     let (t_17: [l_16]i64 @ t_mem_40 -> 0 + {(l_16 : 1)}) = replicate [l_16] u_10
//     in (l_16, t_mem_40, t_17)
//   }
//   let (v_18: i64) = index w_12[0i64]
//   let (b_mem_42: mem) = alloc [n_0] i64
//   let (b_25: [n_0]i64 @ b_mem_42 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 0i64 v_18
//   let (buffer_mem_46: mem) = alloc [n_0] i64
//   let (buffer_mem_47: mem) = alloc [n_0] i64
//   let (d_mem_45: mem) (d_19: [n_0]i64 @ d_mem_45 -> 0 + {(n_0 : 1)}) (spare_mem_50: mem) (spare_mem_51: mem) = loop (e_mem_43: mem = b_mem_42) (e_20: [n_0]i64 @ e_mem_43 -> 0 + {(n_0 : 1)} = b_25) (spare_mem_48: mem = buffer_mem_46) (spare_mem_49: mem = buffer_mem_47) for i_21: i64 < k_1 {
//     let (f_22: i64) = index b_25[i_21]
//     let (g_23: [n_0]i64 @ spare_mem_48 -> 0 + {(n_0 : 1)}) = replicate [n_0] f_22
//     in (spare_mem_48, g_23, spare_mem_49, spare_mem_48)
//   }
//   let (h_24: i64) = index d_19[0i64]
//   in (h_24)
// }
