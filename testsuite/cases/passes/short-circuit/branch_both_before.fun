// case: pass introduce-memory hoist-scalars hoist-allocations short-circuit
// Both arms give what was made before the branch: the two are there at the same time, so only one can be made in the row.
entry main [n_0: i64] (*xs_1: [2i64][n_0]i64) (c_2: bool) : (ys_3: [2i64][n_0]i64) = {
  let (a_4: [n_0]i64) = iota.i64 n_0 0i64 1i64
  let (b_5: [n_0]i64) = replicate [n_0] 7i64
  let (r_6: [n_0]i64) = if c_2 {
    in (a_4)
  } else {
    in (b_5)
  }
  let (ys_7: [2i64][n_0]i64) = update xs_1[1i64, 0i64 : n_0 : 1i64] r_6
  in (ys_7)
}
// ---
// entry main [n_0: i64] [xs_mem_8: mem] (*xs_1: [2i64][n_0]i64 @ xs_mem_8 -> 0 + {(2 : n_0)(n_0 : 1)}) (c_2: bool) : [ys_mem_12: mem] (ys_3: [2i64][n_0]i64 @ ys_mem_12 -> 0 + {(2 : n_0)(n_0 : 1)}) = {
//   let (b_mem_10: mem) = alloc [n_0] i64
//   let (a_4: [n_0]i64 @ xs_mem_8 -> n_0 + {(n_0 : 1)}) = iota.i64 n_0 0i64 1i64
//   let (b_5: [n_0]i64 @ b_mem_10 -> 0 + {(n_0 : 1)}) = replicate [n_0] 7i64
//   let (r_6: [n_0]i64 @ xs_mem_8 -> n_0 + {(n_0 : 1)}) = if c_2 {
//     in (a_4)
//   } else {
//     let (b_13: [n_0]i64 @ xs_mem_8 -> n_0 + {(n_0 : 1)}) = copy b_5
//     in (b_13)
//   }
//   let (ys_7: [2i64][n_0]i64 @ xs_mem_8 -> 0 + {(2 : n_0)(n_0 : 1)}) = update xs_1[1i64, 0i64 : n_0 : 1i64] r_6
//   in (xs_mem_8, ys_7)
// }
