// case: pass introduce-memory lower-to-imp simplify-imp kernels-resident simplify-imp
// In libraries the blocks of arguments and results lie on the device: nothing is copied.
entry main (n_0: i64) (xs_1: [n_0]f32) : (r_2: [n_0]f32) = {
  let (r_3: [n_0]f32) = kernel (i_4 < n_0) {
    let (x_5: f32) = index xs_1[i_4]
    let (y_6: f32) = add.f32 x_5 1.0f32
    in (y_6)
  }
  in (r_3)
}
// ---
// entry proc main(n_0: i64, xs_mem_7: mem device): (mem device, i64)
//   takes (i64 @ 0, f32[@0] @ 1)
//   gives (f32[@1] @ 0)
// {
//   view xs_1: f32 @ xs_mem_7 -> 0 + {(n_0 : 1)}
//   alloc r_mem_8: f32[n_0] in device
//   view r_3: f32 @ r_mem_8 -> 0 + {(n_0 : 1)}
//   let blocks_10: i64 = quot.i64(add.i64(n_0, 255i64), 256i64)
//   for block_11: i64 < blocks_10 block {
//     for t_12: i64 < 256i64 thread {
//       let thread_13: i64 = add.i64(mul.i64(block_11, 256i64), t_12)
//       if lt.i64(thread_13, n_0) {
//         let x_5: f32 = xs_1[thread_13]
//         let y_6: f32 = add.f32(x_5, 1.0f32)
//         r_3[thread_13] := y_6
//       }
//     }
//   }
//   return (r_mem_8, n_0)
// }
