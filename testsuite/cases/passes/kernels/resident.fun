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
//   let points_10: i64 = select(ge.i64(n_0, 1048576i64), 4i64, 1i64)
//   let span_11: i64 = mul.i64(points_10, 256i64)
//   let blocks_12: i64 = quot.i64(add.i64(n_0, sub.i64(span_11, 1i64)), span_11)
//   for block_13: i64 < blocks_12 block {
//     for t_14: i64 < 256i64 thread {
//       let first_point_15: i64 = add.i64(mul.i64(block_13, span_11), t_14)
//       let last_point_16: i64 = add.i64(first_point_15, 768i64)
//       if and.bool(eq.i64(points_10, 4i64), lt.i64(last_point_16, n_0)) {
//         let x_17: f32 = xs_1[first_point_15]
//         let y_18: f32 = add.f32(x_17, 1.0f32)
//         let i_22: i64 = add.i64(first_point_15, 256i64)
//         let x_20: f32 = xs_1[i_22]
//         let y_21: f32 = add.f32(x_20, 1.0f32)
//         let i_25: i64 = add.i64(first_point_15, 512i64)
//         let x_23: f32 = xs_1[i_25]
//         let y_24: f32 = add.f32(x_23, 1.0f32)
//         let i_28: i64 = add.i64(first_point_15, 768i64)
//         let x_26: f32 = xs_1[i_28]
//         let y_27: f32 = add.f32(x_26, 1.0f32)
//         r_3[first_point_15] := y_18
//         r_3[i_22] := y_21
//         r_3[i_25] := y_24
//         r_3[i_28] := y_27
//       } else {
//         for e_29: i64 < points_10 seq {
//           let i_4: i64 = add.i64(first_point_15, mul.i64(e_29, 256i64))
//           if lt.i64(i_4, n_0) {
//             let x_5: f32 = xs_1[i_4]
//             let y_6: f32 = add.f32(x_5, 1.0f32)
//             r_3[i_4] := y_6
//           }
//         }
//       }
//     }
//   }
//   return (r_mem_8, n_0)
// }
