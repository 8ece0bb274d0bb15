// case: pass introduce-memory in-place-loops
// Each iteration starts a new array, which the loop inside adds to in place: what the iteration before left in a block of the same allocation is another block.
entry main [n_0: i64] (k_1: i64) (a_2: [n_0]f32) : (r_3: [n_0]f32) = {
  let (x_4: [n_0]f32) = replicate [n_0] 1.0f32
  let (y_5: [n_0]f32) = loop (p_6: [n_0]f32 = x_4) for i_7: i64 < k_1 {
    let (z_8: [n_0]f32) = replicate [n_0] 0.0f32
    let (s_9: [n_0]f32) = loop (q_10: [n_0]f32 = z_8) for j_11: i64 < n_0 {
      let (b_12: f32) = index p_6[j_11]
      let (c_13: [n_0]f32) = kernel (l_14 < n_0) {
        let (d_15: f32) = index q_10[l_14]
        let (e_16: f32) = index a_2[l_14]
        let (f_17: f32) = mul.f32 b_12 e_16
        let (g_18: f32) = add.f32 d_15 f_17
        in (g_18)
      }
      in (c_13)
    }
    in (s_9)
  }
  in (y_5)
}

// Not where the loop inside starts from what the iteration before left: that is still read.
entry kept [n_20: i64] (k_21: i64) (a_22: [n_20]f32) : (r_23: [n_20]f32) = {
  let (x_24: [n_20]f32) = replicate [n_20] 1.0f32
  let (y_25: [n_20]f32) = loop (p_26: [n_20]f32 = x_24) for i_27: i64 < k_21 {
    let (s_29: [n_20]f32) = loop (q_30: [n_20]f32 = p_26) for j_31: i64 < n_20 {
      let (b_32: f32) = index p_26[j_31]
      let (c_33: [n_20]f32) = kernel (l_34 < n_20) {
        let (d_35: f32) = index q_30[l_34]
        let (g_38: f32) = add.f32 d_35 b_32
        in (g_38)
      }
      in (c_33)
    }
    in (s_29)
  }
  in (y_25)
}
// ---
// entry main [n_0: i64] (k_1: i64) [a_mem_39: mem] (a_2: [n_0]f32 @ a_mem_39 -> 0 + {(n_0 : 1)}) : [r_mem_47: mem] (r_3: [n_0]f32 @ r_mem_47 -> 0 + {(n_0 : 1)}) = {
//   let (x_mem_40: mem) = alloc [n_0] f32
//   let (x_4: [n_0]f32 @ x_mem_40 -> 0 + {(n_0 : 1)}) = replicate [n_0] 1.0f32
//   let (y_mem_46: mem) (y_5: [n_0]f32 @ y_mem_46 -> 0 + {(n_0 : 1)}) = loop (p_mem_41: mem = x_mem_40) (p_6: [n_0]f32 @ p_mem_41 -> 0 + {(n_0 : 1)} = x_4) for i_7: i64 < k_1 {
//     let (z_mem_42: mem) = alloc [n_0] f32
//     let (z_8: [n_0]f32 @ z_mem_42 -> 0 + {(n_0 : 1)}) = replicate [n_0] 0.0f32
//     let (s_9: [n_0]f32 @ z_mem_42 -> 0 + {(n_0 : 1)}) = loop (q_10: [n_0]f32 @ z_mem_42 -> 0 + {(n_0 : 1)} = z_8) for j_11: i64 < n_0 {
//       let (b_12: f32) = index p_6[j_11]
//       let (c_13: [n_0]f32 @ z_mem_42 -> 0 + {(n_0 : 1)}) = kernel (l_14 < n_0) {
//         let (d_15: f32) = index q_10[l_14]
//         let (e_16: f32) = index a_2[l_14]
//         let (f_17: f32) = mul.f32 b_12 e_16
//         let (g_18: f32) = add.f32 d_15 f_17
//         in (g_18)
//       }
//       in (c_13)
//     }
//     in (z_mem_42, s_9)
//   }
//   in (y_mem_46, y_5)
// }
//
// entry kept [n_20: i64] (k_21: i64) [a_mem_48: mem] (a_22: [n_20]f32 @ a_mem_48 -> 0 + {(n_20 : 1)}) : [r_mem_55: mem] (r_23: [n_20]f32 @ r_mem_55 -> 0 + {(n_20 : 1)}) = {
//   let (x_mem_49: mem) = alloc [n_20] f32
//   let (x_24: [n_20]f32 @ x_mem_49 -> 0 + {(n_20 : 1)}) = replicate [n_20] 1.0f32
//   let (y_mem_54: mem) (y_25: [n_20]f32 @ y_mem_54 -> 0 + {(n_20 : 1)}) = loop (p_mem_50: mem = x_mem_49) (p_26: [n_20]f32 @ p_mem_50 -> 0 + {(n_20 : 1)} = x_24) for i_27: i64 < k_21 {
//     let (s_mem_53: mem) (s_29: [n_20]f32 @ s_mem_53 -> 0 + {(n_20 : 1)}) = loop (q_mem_51: mem = p_mem_50) (q_30: [n_20]f32 @ q_mem_51 -> 0 + {(n_20 : 1)} = p_26) for j_31: i64 < n_20 {
//       let (b_32: f32) = index p_26[j_31]
//       let (c_mem_52: mem) = alloc [n_20] f32
//       let (c_33: [n_20]f32 @ c_mem_52 -> 0 + {(n_20 : 1)}) = kernel (l_34 < n_20) {
//         let (d_35: f32) = index q_30[l_34]
//         let (g_38: f32) = add.f32 d_35 b_32
//         in (g_38)
//       }
//       in (c_mem_52, c_33)
//     }
//     in (s_mem_53, s_29)
//   }
//   in (y_mem_54, y_25)
// }
