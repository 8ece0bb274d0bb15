// case: pass introduce-memory reuse-memory
// Inside the kernel, `b_6` uses the block of `a_5`, which each point has for itself, but not that of `z_3`, although it is dead: all
// points would write there at the same time. The result may. `z_3` overwrites the consumed `ys_12`, read for the last time before.
entry main [n_0: i64] (*ys_12: [n_0]i64) : (r_1: [n_0]i64) = {
  let (q_13: i64) = index ys_12[0i64]
  let (z_3: [n_0]i64) = iota.i64 n_0 0i64 1i64
  let (o_4: i64) = index z_3[0i64]
  let (k_2: [n_0]i64) = kernel (i_7 < n_0) {
    let (a_5: [n_0]i64) = iota.i64 n_0 i_7 q_13
    let (x_8: i64) = index a_5[i_7]
    let (b_6: [n_0]i64) = iota.i64 n_0 x_8 o_4
    let (y_9: i64) = index b_6[i_7]
    in (y_9)
  }
  in (k_2)
}
// ---
// entry main [n_0: i64] [ys_mem_14: mem] (*ys_12: [n_0]i64 @ ys_mem_14 -> 0 + {(n_0 : 1)}) : [r_mem_19: mem] (r_1: [n_0]i64 @ r_mem_19 -> 0 + {(n_0 : 1)}) = {
//   let (q_13: i64) = index ys_12[0i64]
//   let (z_3: [n_0]i64 @ ys_mem_14 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 0i64 1i64
//   let (o_4: i64) = index z_3[0i64]
//   let (k_2: [n_0]i64 @ ys_mem_14 -> 0 + {(n_0 : 1)}) = kernel (i_7 < n_0) {
//     let (a_mem_17: mem) = alloc [n_0] i64
//     let (a_5: [n_0]i64 @ a_mem_17 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 i_7 q_13
//     let (x_8: i64) = index a_5[i_7]
//     let (b_6: [n_0]i64 @ a_mem_17 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 x_8 o_4
//     let (y_9: i64) = index b_6[i_7]
//     in (y_9)
//   }
//   in (ys_mem_14, k_2)
// }
