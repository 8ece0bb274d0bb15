// case: pass introduce-memory lower-to-imp simplify-imp kernels simplify-imp
// A parallel loop is a kernel with a guard for the last block. Arguments are copied to the device, and results back.
entry main (n_0: i64) (xs_1: [n_0]f32) : (r_2: [n_0]f32) = {
  let (r_3: [n_0]f32) = kernel (i_4 < n_0) {
    let (x_5: f32) = index xs_1[i_4]
    let (y_6: f32) = add.f32 x_5 1.0f32
    in (y_6)
  }
  in (r_3)
}
// ---
// entry proc main(n_0: i64, xs_mem_7: mem): (mem, i64)
//   takes (i64 @ 0, f32[@0] @ 1)
//   gives (f32[@1] @ 0)
// {
//   alloc xs_mem_10: f32[n_0] in device
//   view to_11: f32 @ xs_mem_10 -> 0 + {(n_0 : 1)}
//   view from_12: f32 @ xs_mem_7 -> 0 + {(n_0 : 1)}
//   copy to_11 <- from_12
//   view xs_1: f32 @ xs_mem_10 -> 0 + {(n_0 : 1)}
//   alloc r_mem_8: f32[n_0] in device
//   view r_3: f32 @ r_mem_8 -> 0 + {(n_0 : 1)}
//   let blocks_14: i64 = quot.i64(add.i64(n_0, 255i64), 256i64)
//   for block_15: i64 < blocks_14 block {
//     for t_16: i64 < 256i64 thread {
//       let thread_17: i64 = add.i64(mul.i64(block_15, 256i64), t_16)
//       if lt.i64(thread_17, n_0) {
//         let x_5: f32 = xs_1[thread_17]
//         let y_6: f32 = add.f32(x_5, 1.0f32)
//         r_3[thread_17] := y_6
//       }
//     }
//   }
//   alloc r_mem_19: f32[n_0]
//   view to_20: f32 @ r_mem_19 -> 0 + {(n_0 : 1)}
//   view from_21: f32 @ r_mem_8 -> 0 + {(n_0 : 1)}
//   copy to_20 <- from_21
//   free r_mem_8
//   free xs_mem_10
//   return (r_mem_19, n_0)
// }
