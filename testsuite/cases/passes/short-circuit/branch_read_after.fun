// case: pass introduce-memory hoist-scalars hoist-allocations short-circuit
// The row is read between the branch and the update: it must still be the old one, so nothing changes.
entry main [n_0: i64] (*xs_1: [2i64][n_0]i64) (c_2: bool) : (ys_3: [2i64][n_0]i64) (e_4: i64) = {
  let (r_5: [n_0]i64) = if c_2 {
    let (a_6: [n_0]i64) = iota.i64 n_0 0i64 1i64
    in (a_6)
  } else {
    let (b_7: [n_0]i64) = replicate [n_0] 7i64
    in (b_7)
  }
  let (x_8: bool) = lt.i64 0i64 n_0
  let = assert x_8 "out of bounds"
  let (e_9: i64) = index xs_1[1i64, 0i64]
  let (ys_10: [2i64][n_0]i64) = update xs_1[1i64, 0i64 : n_0 : 1i64] r_5
  in (ys_10, e_9)
}
// ---
// entry main [n_0: i64] [xs_mem_11: mem] (*xs_1: [2i64][n_0]i64 @ xs_mem_11 -> 0 + {(2 : n_0)(n_0 : 1)}) (c_2: bool) : [ys_mem_15: mem] (ys_3: [2i64][n_0]i64 @ ys_mem_15 -> 0 + {(2 : n_0)(n_0 : 1)}) (e_4: i64) = {
//   let (x_8: bool) = lt.i64 0i64 n_0
//   let = assert x_8 "out of bounds"
//   let (r_mem_14: mem) (r_5: [n_0]i64 @ r_mem_14 -> 0 + {(n_0 : 1)}) = if c_2 {
//     let (a_mem_12: mem) = alloc [n_0] i64
//     let (a_6: [n_0]i64 @ a_mem_12 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 0i64 1i64
//     in (a_mem_12, a_6)
//   } else {
//     let (b_mem_13: mem) = alloc [n_0] i64
//     let (b_7: [n_0]i64 @ b_mem_13 -> 0 + {(n_0 : 1)}) = replicate [n_0] 7i64
//     in (b_mem_13, b_7)
//   }
//   let (e_9: i64) = index xs_1[1i64, 0i64]
//   let (ys_10: [2i64][n_0]i64 @ xs_mem_11 -> 0 + {(2 : n_0)(n_0 : 1)}) = update xs_1[1i64, 0i64 : n_0 : 1i64] r_5
//   in (xs_mem_11, ys_10, e_9)
// }
