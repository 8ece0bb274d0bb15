// case: pass introduce-memory hoist-scalars hoist-allocations short-circuit
// Both arms give one array, changed or not: it is made in the row. The reversed view that is put there is undone.
entry main [n_0: i64] (*xs_1: [2i64][n_0]i64) (c_2: bool) : (ys_3: [2i64][n_0]i64) = {
  let (a_4: [n_0]i64) = iota.i64 n_0 0i64 1i64
  let (x_5: bool) = lt.i64 0i64 n_0
  let = assert x_5 "out of bounds"
  let (r_6: [n_0]i64) = if c_2 {
    let (b_7: [n_0]i64) = update a_4[0i64] 9i64
    in (b_7)
  } else {
    in (a_4)
  }
  let (v_8: [n_0]i64) = reverse 0 r_6
  let (ys_9: [2i64][n_0]i64) = update xs_1[1i64, 0i64 : n_0 : 1i64] v_8
  in (ys_9)
}
// ---
// entry main [n_0: i64] [xs_mem_10: mem] (*xs_1: [2i64][n_0]i64 @ xs_mem_10 -> 0 + {(2 : n_0)(n_0 : 1)}) (c_2: bool) : [ys_mem_12: mem] (ys_3: [2i64][n_0]i64 @ ys_mem_12 -> 0 + {(2 : n_0)(n_0 : 1)}) = {
//   let (x_5: bool) = lt.i64 0i64 n_0
//   let = assert x_5 "out of bounds"
//   let (a_4: [n_0]i64 @ xs_mem_10 -> 2*n_0 + -1 + {(n_0 : -1)}) = iota.i64 n_0 0i64 1i64
//   let (r_6: [n_0]i64 @ xs_mem_10 -> 2*n_0 + -1 + {(n_0 : -1)}) = if c_2 {
//     let (b_7: [n_0]i64 @ xs_mem_10 -> 2*n_0 + -1 + {(n_0 : -1)}) = update a_4[0i64] 9i64
//     in (b_7)
//   } else {
//     in (a_4)
//   }
//   let (v_8: [n_0]i64 @ xs_mem_10 -> n_0 + {(n_0 : 1)}) = reverse 0 r_6
//   let (ys_9: [2i64][n_0]i64 @ xs_mem_10 -> 0 + {(2 : n_0)(n_0 : 1)}) = update xs_1[1i64, 0i64 : n_0 : 1i64] v_8
//   in (xs_mem_10, ys_9)
// }
