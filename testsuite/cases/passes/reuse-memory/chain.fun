// case: pass introduce-memory hoist-allocations reuse-memory sink-allocations
// Two blocks serve a chain of any length, elements of other types included, as long as they are not larger. The result is read by nobody
// before the last one is made, so it may lie in the first block again.
entry main [n_0: i64] (xs_1: [n_0]i64) : (r_2: [n_0]i64) = {
  let (a_3: [n_0]i64) = kernel (i_4 < n_0) {
    let (x_5: i64) = index xs_1[i_4]
    in (x_5)
  }
  let (b_6: [n_0]i32) = kernel (i_7 < n_0) {
    let (x_8: i64) = index a_3[i_7]
    let (y_9: i32) = convert.i32.i64 x_8
    in (y_9)
  }
  let (c_10: [n_0]i16) = kernel (i_11 < n_0) {
    let (x_12: i32) = index b_6[i_11]
    let (y_13: i16) = convert.i16.i32 x_12
    in (y_13)
  }
  let (d_14: [n_0]i64) = kernel (i_15 < n_0) {
    let (x_16: i16) = index c_10[i_15]
    let (y_17: i64) = convert.i64.i16 x_16
    in (y_17)
  }
  in (d_14)
}
// ---
// entry main [n_0: i64] [xs_mem_18: mem] (xs_1: [n_0]i64 @ xs_mem_18 -> 0 + {(n_0 : 1)}) : [r_mem_23: mem] (r_2: [n_0]i64 @ r_mem_23 -> 0 + {(n_0 : 1)}) = {
//   let (a_mem_19: mem) = alloc [n_0] i64
//   let (a_3: [n_0]i64 @ a_mem_19 -> 0 + {(n_0 : 1)}) = kernel (i_4 < n_0) {
//     let (x_5: i64) = index xs_1[i_4]
//     in (x_5)
//   }
//   let (b_mem_20: mem) = alloc [n_0] i32
//   let (b_6: [n_0]i32 @ b_mem_20 -> 0 + {(n_0 : 1)}) = kernel (i_7 < n_0) {
//     let (x_8: i64) = index a_3[i_7]
//     let (y_9: i32) = convert.i32.i64 x_8
//     in (y_9)
//   }
//   let (c_mem_21: mem) = alloc [n_0] i16
//   let (c_10: [n_0]i16 @ c_mem_21 -> 0 + {(n_0 : 1)}) = kernel (i_11 < n_0) {
//     let (x_12: i32) = index b_6[i_11]
//     let (y_13: i16) = convert.i16.i32 x_12
//     in (y_13)
//   }
//   let (d_14: [n_0]i64 @ a_mem_19 -> 0 + {(n_0 : 1)}) = kernel (i_15 < n_0) {
//     let (x_16: i16) = index c_10[i_15]
//     let (y_17: i64) = convert.i64.i16 x_16
//     in (y_17)
//   }
//   in (a_mem_19, d_14)
// }
