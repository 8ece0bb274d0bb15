// case: pass introduce-memory double-buffer
// Nobody uses `a_2` after the loop has begun, so its block is one of the two.
entry main [n_0: i64] (k_1: i64) (z_12: [n_0]f32) : (r_9: [n_0]f32) = {
  let (a_2: [n_0]f32) = replicate [n_0] 1.0f32
  let (x_3: [n_0]f32) = loop (p_4: [n_0]f32 = a_2) for i_5: i64 < k_1 {
    let (q_6: [n_0]f32) = kernel (j_7 < n_0) {
      let (b_8: f32) = index p_4[i_5]
      in (b_8)
    }
    in (q_6)
  }
  in (x_3)
}
// ---
// entry main [n_0: i64] (k_1: i64) [z_mem_13: mem] (z_12: [n_0]f32 @ z_mem_13 -> 0 + {(n_0 : 1)}) : [r_mem_18: mem] (r_9: [n_0]f32 @ r_mem_18 -> 0 + {(n_0 : 1)}) = {
//   let (a_mem_14: mem) = alloc [n_0] f32
//   let (a_2: [n_0]f32 @ a_mem_14 -> 0 + {(n_0 : 1)}) = replicate [n_0] 1.0f32
//   let (buffer_mem_20: mem) = alloc [n_0] f32
//   let (x_mem_17: mem) (x_3: [n_0]f32 @ x_mem_17 -> 0 + {(n_0 : 1)}) (spare_mem_22: mem) = loop (p_mem_15: mem = a_mem_14) (p_4: [n_0]f32 @ p_mem_15 -> 0 + {(n_0 : 1)} = a_2) (spare_mem_21: mem = buffer_mem_20) for i_5: i64 < k_1 {
//     let (q_6: [n_0]f32 @ spare_mem_21 -> 0 + {(n_0 : 1)}) = kernel (j_7 < n_0) {
//       let (b_8: f32) = index p_4[i_5]
//       in (b_8)
//     }
//     in (spare_mem_21, q_6, p_mem_15)
//   }
//   in (x_mem_17, x_3)
// }
