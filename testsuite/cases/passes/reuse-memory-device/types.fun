// case: pass introduce-memory hoist-allocations reuse-memory-device sink-allocations
// For a device: `c_10` goes into the block of `a_3`, which is dead and whose elements have its type. `b_6`, whose elements are as wide but of another
// type, has a block of its own, and the result goes there.
entry main [n_0: i64] (xs_1: [n_0]f32) : (r_2: [n_0]i32) = {
  let (a_3: [n_0]f32) = kernel (i_4 < n_0) {
    let (x_5: f32) = index xs_1[i_4]
    in (x_5)
  }
  let (b_6: [n_0]i32) = kernel (i_7 < n_0) {
    let (x_8: f32) = index a_3[i_7]
    let (y_9: i32) = convert.i32.f32 x_8
    in (y_9)
  }
  let (c_10: [n_0]f32) = kernel (i_11 < n_0) {
    let (x_12: i32) = index b_6[i_11]
    let (y_13: f32) = convert.f32.i32 x_12
    in (y_13)
  }
  let (d_14: [n_0]i32) = kernel (i_15 < n_0) {
    let (x_16: f32) = index c_10[i_15]
    let (y_17: i32) = convert.i32.f32 x_16
    in (y_17)
  }
  in (d_14)
}
// ---
// entry main [n_0: i64] [xs_mem_18: mem] (xs_1: [n_0]f32 @ xs_mem_18 -> 0 + {(n_0 : 1)}) : [r_mem_23: mem] (r_2: [n_0]i32 @ r_mem_23 -> 0 + {(n_0 : 1)}) = {
//   let (a_mem_19: mem) = alloc [n_0] f32
//   let (a_3: [n_0]f32 @ a_mem_19 -> 0 + {(n_0 : 1)}) = kernel (i_4 < n_0) {
//     let (x_5: f32) = index xs_1[i_4]
//     in (x_5)
//   }
//   let (b_mem_20: mem) = alloc [n_0] i32
//   let (b_6: [n_0]i32 @ b_mem_20 -> 0 + {(n_0 : 1)}) = kernel (i_7 < n_0) {
//     let (x_8: f32) = index a_3[i_7]
//     let (y_9: i32) = convert.i32.f32 x_8
//     in (y_9)
//   }
//   let (c_10: [n_0]f32 @ a_mem_19 -> 0 + {(n_0 : 1)}) = kernel (i_11 < n_0) {
//     let (x_12: i32) = index b_6[i_11]
//     let (y_13: f32) = convert.f32.i32 x_12
//     in (y_13)
//   }
//   let (d_14: [n_0]i32 @ b_mem_20 -> 0 + {(n_0 : 1)}) = kernel (i_15 < n_0) {
//     let (x_16: f32) = index c_10[i_15]
//     let (y_17: i32) = convert.i32.f32 x_16
//     in (y_17)
//   }
//   in (b_mem_20, d_14)
// }
