// case: pass introduce-memory hoist-scalars hoist-allocations short-circuit
// One arm reads the row backwards that its result would overwrite, the other one gives the argument: both would have to copy, so the one
// copy behind the branch stays.
entry main [n_0: i64] (*xs_1: [2i64][n_0]i64) (zs_2: [n_0]i64) (c_3: bool) : (ys_4: [2i64][n_0]i64) = {
  let (r_5: [n_0]i64) = if c_3 {
    let (a_6: [n_0]i64) = kernel (i_7 < n_0) {
      let (x_8: i64) = sub.i64 n_0 i_7
      let (x_9: i64) = sub.i64 x_8 1i64
      let (e_10: i64) = index xs_1[1i64, x_9]
      in (e_10)
    }
    in (a_6)
  } else {
    in (zs_2)
  }
  let (ys_11: [2i64][n_0]i64) = update xs_1[1i64, 0i64 : n_0 : 1i64] r_5
  in (ys_11)
}
// ---
// entry main [n_0: i64] [xs_mem_12: mem] (*xs_1: [2i64][n_0]i64 @ xs_mem_12 -> 0 + {(2 : n_0)(n_0 : 1)}) [zs_mem_13: mem] (zs_2: [n_0]i64 @ zs_mem_13 -> 0 + {(n_0 : 1)}) (c_3: bool) : [ys_mem_16: mem] (ys_4: [2i64][n_0]i64 @ ys_mem_16 -> 0 + {(2 : n_0)(n_0 : 1)}) = {
//   let (r_mem_15: mem) (r_5: [n_0]i64 @ r_mem_15 -> 0 + {(n_0 : 1)}) = if c_3 {
//     let (a_mem_14: mem) = alloc [n_0] i64
//     let (a_6: [n_0]i64 @ a_mem_14 -> 0 + {(n_0 : 1)}) = kernel (i_7 < n_0) {
//       let (x_8: i64) = sub.i64 n_0 i_7
//       let (x_9: i64) = sub.i64 x_8 1i64
//       let (e_10: i64) = index xs_1[1i64, x_9]
//       in (e_10)
//     }
//     in (a_mem_14, a_6)
//   } else {
//     in (zs_mem_13, zs_2)
//   }
//   let (ys_11: [2i64][n_0]i64 @ xs_mem_12 -> 0 + {(2 : n_0)(n_0 : 1)}) = update xs_1[1i64, 0i64 : n_0 : 1i64] r_5
//   in (xs_mem_12, ys_11)
// }
