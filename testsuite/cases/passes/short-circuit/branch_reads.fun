// case: pass introduce-memory hoist-scalars hoist-allocations short-circuit
// The first arm reads the row backwards that its result would overwrite: it is copied there when it is complete. The second one makes
// its result there.
entry main [n_0: i64] (*xs_1: [2i64][n_0]i64) (c_2: bool) : (ys_3: [2i64][n_0]i64) = {
  let (r_4: [n_0]i64) = if c_2 {
    let (a_5: [n_0]i64) = kernel (i_6 < n_0) {
      let (x_7: i64) = sub.i64 n_0 i_6
      let (x_8: i64) = sub.i64 x_7 1i64
      let (e_9: i64) = index xs_1[1i64, x_8]
      in (e_9)
    }
    in (a_5)
  } else {
    let (b_10: [n_0]i64) = replicate [n_0] 7i64
    in (b_10)
  }
  let (ys_11: [2i64][n_0]i64) = update xs_1[1i64, 0i64 : n_0 : 1i64] r_4
  in (ys_11)
}
// ---
// entry main [n_0: i64] [xs_mem_12: mem] (*xs_1: [2i64][n_0]i64 @ xs_mem_12 -> 0 + {(2 : n_0)(n_0 : 1)}) (c_2: bool) : [ys_mem_16: mem] (ys_3: [2i64][n_0]i64 @ ys_mem_16 -> 0 + {(2 : n_0)(n_0 : 1)}) = {
//   let (r_4: [n_0]i64 @ xs_mem_12 -> n_0 + {(n_0 : 1)}) = if c_2 {
//     let (a_mem_13: mem) = alloc [n_0] i64
//     let (a_5: [n_0]i64 @ a_mem_13 -> 0 + {(n_0 : 1)}) = kernel (i_6 < n_0) {
//       let (x_7: i64) = sub.i64 n_0 i_6
//       let (x_8: i64) = sub.i64 x_7 1i64
//       let (e_9: i64) = index xs_1[1i64, x_8]
//       in (e_9)
//     }
//     let (a_18: [n_0]i64 @ xs_mem_12 -> n_0 + {(n_0 : 1)}) = copy a_5
//     in (a_18)
//   } else {
//     let (b_10: [n_0]i64 @ xs_mem_12 -> n_0 + {(n_0 : 1)}) = replicate [n_0] 7i64
//     in (b_10)
//   }
//   let (ys_11: [2i64][n_0]i64 @ xs_mem_12 -> 0 + {(2 : n_0)(n_0 : 1)}) = update xs_1[1i64, 0i64 : n_0 : 1i64] r_4
//   in (xs_mem_12, ys_11)
// }
