// case: pass introduce-memory reuse-memory
// `c_5` uses the block of `a_4`. Inside the loop, `d_12` may not use that of `c_5`, which the next iteration reads again, but that of
// `b_8`. `e_13` is carried to the next iteration, so it needs a block for each. After the loop `f_20` takes any.
entry main [n_0: i64] (k_1: i64) : (s_2: i64) (r_3: [n_0]i64) = {
  let (a_4: [n_0]i64) = iota.i64 n_0 0i64 1i64
  let (x_21: i64) = index a_4[0i64]
  let (c_5: [n_0]i64) = iota.i64 n_0 x_21 1i64
  let (z_22: [n_0]i64) = iota.i64 n_0 x_21 2i64
  let (s_6: i64) (g_7: [n_0]i64) = loop (t_9: i64 = 0i64) (w_23: [n_0]i64 = z_22) for i_10: i64 < k_1 {
    let (b_8: [n_0]i64) = iota.i64 n_0 t_9 1i64
    let (y_11: i64) = index b_8[i_10]
    let (y_24: i64) = index c_5[i_10]
    let (d_12: [n_0]i64) = iota.i64 n_0 y_24 y_11
    let (y_14: i64) = index d_12[i_10]
    let (y_25: i64) = index w_23[i_10]
    let (y_26: i64) = add.i64 y_14 y_25
    let (e_13: [n_0]i64) = iota.i64 n_0 y_26 1i64
    in (y_26, e_13)
  }
  let (f_20: [n_0]i64) = iota.i64 n_0 s_6 1i64
  let (h_27: i64) = index f_20[0i64]
  in (h_27, g_7)
}
// ---
// entry main [n_0: i64] (k_1: i64) : (s_2: i64) [r_mem_37: mem] (r_3: [n_0]i64 @ r_mem_37 -> 0 + {(n_0 : 1)}) = {
//   let (a_mem_28: mem) = alloc [n_0] i64
//   let (a_4: [n_0]i64 @ a_mem_28 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 0i64 1i64
//   let (x_21: i64) = index a_4[0i64]
//   let (c_5: [n_0]i64 @ a_mem_28 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 x_21 1i64
//   let (z_mem_30: mem) = alloc [n_0] i64
//   let (z_22: [n_0]i64 @ z_mem_30 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 x_21 2i64
//   let (s_6: i64) (g_mem_35: mem) (g_7: [n_0]i64 @ g_mem_35 -> 0 + {(n_0 : 1)}) = loop (t_9: i64 = 0i64) (w_mem_31: mem = z_mem_30) (w_23: [n_0]i64 @ w_mem_31 -> 0 + {(n_0 : 1)} = z_22) for i_10: i64 < k_1 {
//     let (b_mem_32: mem) = alloc [n_0] i64
//     let (b_8: [n_0]i64 @ b_mem_32 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 t_9 1i64
//     let (y_11: i64) = index b_8[i_10]
//     let (y_24: i64) = index c_5[i_10]
//     let (d_12: [n_0]i64 @ b_mem_32 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 y_24 y_11
//     let (y_14: i64) = index d_12[i_10]
//     let (y_25: i64) = index w_23[i_10]
//     let (y_26: i64) = add.i64 y_14 y_25
//     let (e_mem_34: mem) = alloc [n_0] i64
//     let (e_13: [n_0]i64 @ e_mem_34 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 y_26 1i64
//     in (y_26, e_mem_34, e_13)
//   }
//   let (f_20: [n_0]i64 @ a_mem_28 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 s_6 1i64
//   let (h_27: i64) = index f_20[0i64]
//   in (h_27, g_mem_35, g_7)
// }
