// case: pass introduce-memory hoist-scalars hoist-allocations short-circuit
// One arm gives an array that is used again later: it is copied in that arm, and the other arm makes its array in the row.
entry main [n_0: i64] (*xs_1: [2i64][n_0]i64) (c_2: bool) : (ys_3: [2i64][n_0]i64) (s_4: i64) = {
  let (a_5: [n_0]i64) = iota.i64 n_0 0i64 1i64
  let (r_6: [n_0]i64) = if c_2 {
    in (a_5)
  } else {
    let (b_7: [n_0]i64) = replicate [n_0] 7i64
    in (b_7)
  }
  let (ys_8: [2i64][n_0]i64) = update xs_1[1i64, 0i64 : n_0 : 1i64] r_6
  let (s_9: i64) = kernel (i_10 < n_0) reduce \(x_11: i64) (y_12: i64) : i64 {
    let (z_13: i64) = add.i64 x_11 y_12
    in (z_13)
  } (0i64) {
    let (e_14: i64) = index a_5[i_10]
    in (e_14)
  }
  in (ys_8, s_9)
}
// ---
// entry main [n_0: i64] [xs_mem_15: mem] (*xs_1: [2i64][n_0]i64 @ xs_mem_15 -> 0 + {(2 : n_0)(n_0 : 1)}) (c_2: bool) : [ys_mem_19: mem] (ys_3: [2i64][n_0]i64 @ ys_mem_19 -> 0 + {(2 : n_0)(n_0 : 1)}) (s_4: i64) = {
//   let (a_mem_16: mem) = alloc [n_0] i64
//   let (a_5: [n_0]i64 @ a_mem_16 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 0i64 1i64
//   let (r_6: [n_0]i64 @ xs_mem_15 -> n_0 + {(n_0 : 1)}) = if c_2 {
//     let (a_20: [n_0]i64 @ xs_mem_15 -> n_0 + {(n_0 : 1)}) = copy a_5
//     in (a_20)
//   } else {
//     let (b_7: [n_0]i64 @ xs_mem_15 -> n_0 + {(n_0 : 1)}) = replicate [n_0] 7i64
//     in (b_7)
//   }
//   let (ys_8: [2i64][n_0]i64 @ xs_mem_15 -> 0 + {(2 : n_0)(n_0 : 1)}) = update xs_1[1i64, 0i64 : n_0 : 1i64] r_6
//   let (s_9: i64) = kernel (i_10 < n_0) reduce \(x_11: i64) (y_12: i64) : i64 {
//     let (z_13: i64) = add.i64 x_11 y_12
//     in (z_13)
//   } (0i64) {
//     let (e_14: i64) = index a_5[i_10]
//     in (e_14)
//   }
//   in (xs_mem_15, ys_8, s_9)
// }
