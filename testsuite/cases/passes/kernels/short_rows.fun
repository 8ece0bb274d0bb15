// case: pass introduce-memory lower-to-device-small simplify-imp kernels-small simplify-imp
// Rows of three values, known to be no more than a block has threads: as many as have room share one (of four threads, one row), or each is a thread's.
entry main (n_0: i64) (xs_1: [n_0][3i64]i32) : (*r_2: [n_0]i32) = {
  let (s_3: [n_0]i32) = kernel (i_4 < n_0, j_5 < 3i64) reduce \(a_6: i32) (b_7: i32) : i32 {
    let (c_8: i32) = add.i32 a_6 b_7
    in (c_8)
  } (0i32) {
    let (x_9: i32) = index xs_1[i_4, j_5]
    in (x_9)
  }
  in (s_3)
}
// ---
// entry proc main(n_0: i64, xs_mem_10: mem): (mem, i64)
//   takes (i64 @ 0, i32[@0][3] @ 1)
//   gives (i32[@1] @ 0)
// {
//   let cells_50: i64 = mul.i64(n_0, 3i64)
//   alloc xs_mem_51: i32[cells_50] in device
//   view to_52: i32 @ xs_mem_51 -> 0 + {(cells_50 : 1)}
//   view from_53: i32 @ xs_mem_10 -> 0 + {(cells_50 : 1)}
//   copy to_52 <- from_53
//   view xs_1: i32 @ xs_mem_51 -> 0 + {(n_0 : 3)(3 : 1)}
//   alloc s_mem_11: i32[n_0] in device
//   view s_3: i32 @ s_mem_11 -> 0 + {(n_0 : 1)}
//   if lt.i64(n_0, param "main.device.shared_segments_1" 8) {
//     let all_18: i64 = mul.i64(n_0, 3i64)
//     for block_22: i64 < n_0 block {
//       alloc lanes_mem_23: i32[4i64] in shared
//       view lanes_24: i32 @ lanes_mem_23 -> 0 + {(4 : 1)}
//       let own_26: i64 = min.i64(sub.i64(all_18, mul.i64(block_22, 3i64)), 3i64)
//       for t_27: i64 < 4i64 thread {
//         var acc_28: i32 = 0i32
//         if lt.i64(t_27, own_26) {
//           let row_29: i64 = add.i64(block_22, convert.i64.i32(quot.i32(convert.i32.i64(t_27), 3i32)))
//           let index_30: i64 = convert.i64.i32(rem.i32(convert.i32.i64(t_27), 3i32))
//           let x_9: i32 = xs_1[row_29, index_30]
//           let c_8: i32 = add.i32(acc_28, x_9)
//           acc_28 := c_8
//         }
//         lanes_24[t_27] := acc_28
//       }
//       for s_31: i64 < 2i64 seq {
//         let apart_32: i64 = shl.i64(1i64, s_31)
//         for t_33: i64 < 4i64 thread {
//           let place_34: i64 = convert.i64.i32(rem.i32(convert.i32.i64(t_33), 3i32))
//           let left_35: i64 = mul.i64(place_34, mul.i64(apart_32, 2i64))
//           let right_36: i64 = add.i64(left_35, apart_32)
//           if and.bool(lt.i64(right_36, 3i64), lt.i64(t_33, 3i64)) {
//             let first_37: i64 = sub.i64(t_33, place_34)
//             let value_38: i32 = lanes_24[add.i64(first_37, left_35)]
//             let value_39: i32 = lanes_24[add.i64(first_37, right_36)]
//             let c_40: i32 = add.i32(value_38, value_39)
//             lanes_24[add.i64(first_37, left_35)] := c_40
//           }
//         }
//       }
//       for t_41: i64 < 4i64 thread {
//         let row_42: i64 = add.i64(block_22, t_41)
//         if and.bool(lt.i64(t_41, 1i64), lt.i64(row_42, n_0)) {
//           let value_44: i32 = lanes_24[mul.i64(t_41, 3i64)]
//           s_3[row_42] := value_44
//         }
//       }
//       free lanes_mem_23
//     }
//   } else {
//     let blocks_55: i64 = quot.i64(add.i64(n_0, 1i64), 2i64)
//     for block_56: i64 < blocks_55 block {
//       for t_57: i64 < 2i64 thread {
//         let thread_58: i64 = add.i64(mul.i64(block_56, 2i64), t_57)
//         if lt.i64(thread_58, n_0) {
//           var acc_46: i32 = 0i32
//           for j_47: i64 < 3i64 fold {
//             let x_48: i32 = xs_1[thread_58, j_47]
//             let c_49: i32 = add.i32(acc_46, x_48)
//             acc_46 := c_49
//           }
//           s_3[thread_58] := acc_46
//         }
//       }
//     }
//   }
//   alloc s_mem_60: i32[n_0]
//   view to_61: i32 @ s_mem_60 -> 0 + {(n_0 : 1)}
//   view from_62: i32 @ s_mem_11 -> 0 + {(n_0 : 1)}
//   copy to_61 <- from_62
//   free s_mem_11
//   free xs_mem_51
//   return (s_mem_60, n_0)
// }
