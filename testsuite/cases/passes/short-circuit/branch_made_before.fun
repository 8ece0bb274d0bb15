// case: pass introduce-memory hoist-scalars hoist-allocations short-circuit
// What one arm gives is made before the branch, in place; the other arm computes from it point by point, in the same place.
entry main [n_0: i64] (*xs_1: [2i64][n_0]i64) (c_2: bool) : (ys_3: [2i64][n_0]i64) = {
  let (a_4: [n_0]i64) = iota.i64 n_0 0i64 1i64
  let (r_5: [n_0]i64) = if c_2 {
    let (b_6: [n_0]i64) = kernel (i_7 < n_0) {
      let (e_8: i64) = index a_4[i_7]
      let (f_9: i64) = mul.i64 e_8 e_8
      in (f_9)
    }
    in (b_6)
  } else {
    in (a_4)
  }
  let (ys_10: [2i64][n_0]i64) = update xs_1[1i64, 0i64 : n_0 : 1i64] r_5
  in (ys_10)
}
// ---
// entry main [n_0: i64] [xs_mem_11: mem] (*xs_1: [2i64][n_0]i64 @ xs_mem_11 -> 0 + {(2 : n_0)(n_0 : 1)}) (c_2: bool) : [ys_mem_15: mem] (ys_3: [2i64][n_0]i64 @ ys_mem_15 -> 0 + {(2 : n_0)(n_0 : 1)}) = {
//   let (a_4: [n_0]i64 @ xs_mem_11 -> n_0 + {(n_0 : 1)}) = iota.i64 n_0 0i64 1i64
//   let (r_5: [n_0]i64 @ xs_mem_11 -> n_0 + {(n_0 : 1)}) = if c_2 {
//     let (b_6: [n_0]i64 @ xs_mem_11 -> n_0 + {(n_0 : 1)}) = kernel (i_7 < n_0) {
//       let (e_8: i64) = index a_4[i_7]
//       let (f_9: i64) = mul.i64 e_8 e_8
//       in (f_9)
//     }
//     in (b_6)
//   } else {
//     in (a_4)
//   }
//   let (ys_10: [2i64][n_0]i64 @ xs_mem_11 -> 0 + {(2 : n_0)(n_0 : 1)}) = update xs_1[1i64, 0i64 : n_0 : 1i64] r_5
//   in (xs_mem_11, ys_10)
// }
