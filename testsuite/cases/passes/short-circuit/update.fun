// case: pass introduce-memory hoist-scalars hoist-allocations short-circuit
// An array that becomes a row is made there. Its kernel reads another row, or the same one: each point reads its cell before it writes it.
entry main [n_0: i64] (*xs_1: [n_0][n_0]f32) (k_2: i64) : (ys_3: [n_0][n_0]f32) = {
  let (x_4: bool) = le.i64 0i64 k_2
  let (x_5: bool) = lt.i64 k_2 n_0
  let (x_6: bool) = and.bool x_4 x_5
  let (r_7: [n_0]f32) = kernel (i_8 < n_0) {
    let (e_9: f32) = index xs_1[0i64, i_8]
    let (e_10: f32) = add.f32 e_9 1f32
    in (e_10)
  }
  let = assert x_6 "out of bounds"
  let (ys_11: [n_0][n_0]f32) = update xs_1[k_2, 0i64 : n_0 : 1i64] r_7
  in (ys_11)
}
// ---
// entry main [n_0: i64] [xs_mem_12: mem] (*xs_1: [n_0][n_0]f32 @ xs_mem_12 -> 0 + {(n_0 : n_0)(n_0 : 1)}) (k_2: i64) : [ys_mem_14: mem] (ys_3: [n_0][n_0]f32 @ ys_mem_14 -> 0 + {(n_0 : n_0)(n_0 : 1)}) = {
//   let (x_4: bool) = le.i64 0i64 k_2
//   let (x_5: bool) = lt.i64 k_2 n_0
//   let (x_6: bool) = and.bool x_4 x_5
//   let = assert x_6 "out of bounds"
//   let (r_7: [n_0]f32 @ xs_mem_12 -> n_0*k_2 + {(n_0 : 1)}) = kernel (i_8 < n_0) {
//     let (e_9: f32) = index xs_1[0i64, i_8]
//     let (e_10: f32) = add.f32 e_9 1.0f32
//     in (e_10)
//   }
//   let (ys_11: [n_0][n_0]f32 @ xs_mem_12 -> 0 + {(n_0 : n_0)(n_0 : 1)}) = update xs_1[k_2, 0i64 : n_0 : 1i64] r_7
//   in (xs_mem_12, ys_11)
// }
