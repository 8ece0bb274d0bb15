// case: pass introduce-memory hoist-scalars hoist-allocations short-circuit
// Both arms make the row where it goes, and the branch in an arm likewise. No block comes out of them.
entry main [n_0: i64] (*xs_1: [n_0][n_0]i64) (c_2: bool) (d_3: bool) : (ys_4: [n_0][n_0]i64) = {
  let (r_5: [n_0]i64) = if c_2 {
    let (a_6: [n_0]i64) = iota.i64 n_0 0i64 1i64
    in (a_6)
  } else {
    let (b_7: [n_0]i64) = if d_3 {
      let (e_8: [n_0]i64) = iota.i64 n_0 1i64 2i64
      in (e_8)
    } else {
      let (f_9: [n_0]i64) = replicate [n_0] 7i64
      in (f_9)
    }
    in (b_7)
  }
  let (x_10: bool) = lt.i64 0i64 n_0
  let = assert x_10 "out of bounds"
  let (ys_11: [n_0][n_0]i64) = update xs_1[0i64, 0i64 : n_0 : 1i64] r_5
  in (ys_11)
}
// ---
// entry main [n_0: i64] [xs_mem_12: mem] (*xs_1: [n_0][n_0]i64 @ xs_mem_12 -> 0 + {(n_0 : n_0)(n_0 : 1)}) (c_2: bool) (d_3: bool) : [ys_mem_18: mem] (ys_4: [n_0][n_0]i64 @ ys_mem_18 -> 0 + {(n_0 : n_0)(n_0 : 1)}) = {
//   let (x_10: bool) = lt.i64 0i64 n_0
//   let = assert x_10 "out of bounds"
//   let (r_5: [n_0]i64 @ xs_mem_12 -> 0 + {(n_0 : 1)}) = if c_2 {
//     let (a_6: [n_0]i64 @ xs_mem_12 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 0i64 1i64
//     in (a_6)
//   } else {
//     let (b_7: [n_0]i64 @ xs_mem_12 -> 0 + {(n_0 : 1)}) = if d_3 {
//       let (e_8: [n_0]i64 @ xs_mem_12 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 1i64 2i64
//       in (e_8)
//     } else {
//       let (f_9: [n_0]i64 @ xs_mem_12 -> 0 + {(n_0 : 1)}) = replicate [n_0] 7i64
//       in (f_9)
//     }
//     in (b_7)
//   }
//   let (ys_11: [n_0][n_0]i64 @ xs_mem_12 -> 0 + {(n_0 : n_0)(n_0 : 1)}) = update xs_1[0i64, 0i64 : n_0 : 1i64] r_5
//   in (xs_mem_12, ys_11)
// }
