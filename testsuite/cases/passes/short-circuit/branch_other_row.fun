// case: pass introduce-memory hoist-scalars hoist-allocations short-circuit
// One arm gives another row of the target, which is copied; the other arm makes its array in its row.
entry main [n_0: i64] (*xs_1: [2i64][n_0]i64) (c_2: bool) : (ys_3: [2i64][n_0]i64) = {
  let (r_4: [n_0]i64) = if c_2 {
    let (a_5: [n_0]i64) = slice xs_1[0i64, 0i64 : n_0 : 1i64]
    in (a_5)
  } else {
    let (b_6: [n_0]i64) = replicate [n_0] 7i64
    in (b_6)
  }
  let (v_7: [n_0]i64) = copy r_4
  let (ys_8: [2i64][n_0]i64) = update xs_1[1i64, 0i64 : n_0 : 1i64] v_7
  in (ys_8)
}
// ---
// entry main [n_0: i64] [xs_mem_9: mem] (*xs_1: [2i64][n_0]i64 @ xs_mem_9 -> 0 + {(2 : n_0)(n_0 : 1)}) (c_2: bool) : [ys_mem_13: mem] (ys_3: [2i64][n_0]i64 @ ys_mem_13 -> 0 + {(2 : n_0)(n_0 : 1)}) = {
//   let (r_4: [n_0]i64 @ xs_mem_9 -> n_0 + {(n_0 : 1)}) = if c_2 {
//     let (a_5: [n_0]i64 @ xs_mem_9 -> 0 + {(n_0 : 1)}) = slice xs_1[0i64, 0i64 : n_0 : 1i64]
//     let (a_14: [n_0]i64 @ xs_mem_9 -> n_0 + {(n_0 : 1)}) = copy a_5
//     in (a_14)
//   } else {
//     let (b_6: [n_0]i64 @ xs_mem_9 -> n_0 + {(n_0 : 1)}) = replicate [n_0] 7i64
//     in (b_6)
//   }
//   let (v_7: [n_0]i64 @ xs_mem_9 -> n_0 + {(n_0 : 1)}) = copy r_4
//   let (ys_8: [2i64][n_0]i64 @ xs_mem_9 -> 0 + {(2 : n_0)(n_0 : 1)}) = update xs_1[1i64, 0i64 : n_0 : 1i64] v_7
//   in (xs_mem_9, ys_8)
// }
