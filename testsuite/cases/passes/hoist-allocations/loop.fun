// case: pass introduce-memory hoist-allocations sink-allocations
// The temporary of each iteration leaves the loop: it is no larger than `xs`. What the loop carries stays.
entry main [n_0: i64] (xs_1: [n_0]f32) (k_2: i64) : (s_3: f32) (r_4: [n_0]f32) = {
  let (t_5: f32) (ys_6: [n_0]f32) = loop (acc_7: f32 = 0.0f32) (zs_8: [n_0]f32 = xs_1) for i_9: i64 < k_2 {
    let (a_10: [n_0]f32) = replicate [n_0] acc_7
    let (b_11: [n_0]f32) = kernel (j_12 < n_0) {
      let (x_13: f32) = index a_10[j_12]
      let (y_14: f32) = index zs_8[j_12]
      let (z_15: f32) = add.f32 x_13 y_14
      in (z_15)
    }
    let (c_16: f32) = kernel (j_17 < n_0) reduce \(p_18: f32) (q_19: f32) : f32 {
      let (s_20: f32) = add.f32 p_18 q_19
      in (s_20)
    } (0.0f32) {
      let (x_21: f32) = index b_11[j_17]
      in (x_21)
    }
    in (c_16, b_11)
  }
  in (t_5, ys_6)
}
// ---
// entry main [n_0: i64] [xs_mem_22: mem] (xs_1: [n_0]f32 @ xs_mem_22 -> 0 + {(n_0 : 1)}) (k_2: i64) : (s_3: f32) [r_mem_29: mem] (r_4: [n_0]f32 @ r_mem_29 -> 0 + {(n_0 : 1)}) = {
//   let (a_mem_24: mem) = alloc [n_0] f32
//   let (t_5: f32) (ys_mem_26: mem) (ys_6: [n_0]f32 @ ys_mem_26 -> 0 + {(n_0 : 1)}) = loop (acc_7: f32 = 0.0f32) (zs_mem_23: mem = xs_mem_22) (zs_8: [n_0]f32 @ zs_mem_23 -> 0 + {(n_0 : 1)} = xs_1) for i_9: i64 < k_2 {
//     let (a_10: [n_0]f32 @ a_mem_24 -> 0 + {(n_0 : 1)}) = replicate [n_0] acc_7
//     let (b_mem_25: mem) = alloc [n_0] f32
//     let (b_11: [n_0]f32 @ b_mem_25 -> 0 + {(n_0 : 1)}) = kernel (j_12 < n_0) {
//       let (x_13: f32) = index a_10[j_12]
//       let (y_14: f32) = index zs_8[j_12]
//       let (z_15: f32) = add.f32 x_13 y_14
//       in (z_15)
//     }
//     let (c_16: f32) = kernel (j_17 < n_0) reduce \(p_18: f32) (q_19: f32) : f32 {
//       let (s_20: f32) = add.f32 p_18 q_19
//       in (s_20)
//     } (0.0f32) {
//       let (x_21: f32) = index b_11[j_17]
//       in (x_21)
//     }
//     in (c_16, b_mem_25, b_11)
//   }
//   let (ys_mem_28: mem) = alloc [n_0] f32
//   let (ys_27: [n_0]f32 @ ys_mem_28 -> 0 + {(n_0 : 1)}) = copy ys_6
//   in (t_5, ys_mem_28, ys_27)
// }
