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
//   let points_14: i64 = select(ge.i64(n_0, 1048576i64), 4i64, 1i64)
//   let span_15: i64 = mul.i64(points_14, 256i64)
//   let blocks_16: i64 = quot.i64(add.i64(n_0, sub.i64(span_15, 1i64)), span_15)
//   for block_17: i64 < blocks_16 block {
//     for t_18: i64 < 256i64 thread {
//       let first_point_19: i64 = add.i64(mul.i64(block_17, span_15), t_18)
//       let last_point_20: i64 = add.i64(first_point_19, 768i64)
//       if and.bool(eq.i64(points_14, 4i64), lt.i64(last_point_20, n_0)) {
//         let x_21: f32 = xs_1[first_point_19]
//         let y_22: f32 = add.f32(x_21, 1.0f32)
//         let i_26: i64 = add.i64(first_point_19, 256i64)
//         let x_24: f32 = xs_1[i_26]
//         let y_25: f32 = add.f32(x_24, 1.0f32)
//         let i_29: i64 = add.i64(first_point_19, 512i64)
//         let x_27: f32 = xs_1[i_29]
//         let y_28: f32 = add.f32(x_27, 1.0f32)
//         let i_32: i64 = add.i64(first_point_19, 768i64)
//         let x_30: f32 = xs_1[i_32]
//         let y_31: f32 = add.f32(x_30, 1.0f32)
//         r_3[first_point_19] := y_22
//         r_3[i_26] := y_25
//         r_3[i_29] := y_28
//         r_3[i_32] := y_31
//       } else {
//         for e_33: i64 < points_14 seq {
//           let i_4: i64 = add.i64(first_point_19, mul.i64(e_33, 256i64))
//           if lt.i64(i_4, n_0) {
//             let x_5: f32 = xs_1[i_4]
//             let y_6: f32 = add.f32(x_5, 1.0f32)
//             r_3[i_4] := y_6
//           }
//         }
//       }
//     }
//   }
//   alloc r_mem_35: f32[n_0]
//   view to_36: f32 @ r_mem_35 -> 0 + {(n_0 : 1)}
//   view from_37: f32 @ r_mem_8 -> 0 + {(n_0 : 1)}
//   copy to_36 <- from_37
//   free r_mem_8
//   free xs_mem_10
//   return (r_mem_35, n_0)
// }
