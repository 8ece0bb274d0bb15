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
//   let cells_44: i64 = mul.i64(n_0, 3i64)
//   alloc xs_mem_45: i32[cells_44] in device
//   view to_46: i32 @ xs_mem_45 -> 0 + {(cells_44 : 1)}
//   view from_47: i32 @ xs_mem_10 -> 0 + {(cells_44 : 1)}
//   copy to_46 <- from_47
//   view xs_1: i32 @ xs_mem_45 -> 0 + {(n_0 : 3)(3 : 1)}
//   alloc s_mem_11: i32[n_0] in device
//   view s_3: i32 @ s_mem_11 -> 0 + {(n_0 : 1)}
//   let all_17: i64 = mul.i64(n_0, 3i64)
//   for block_21: i64 < n_0 block {
//     alloc lanes_mem_22: i32[4i64] in shared
//     view lanes_23: i32 @ lanes_mem_22 -> 0 + {(4 : 1)}
//     let own_25: i64 = min.i64(sub.i64(all_17, mul.i64(block_21, 3i64)), 3i64)
//     for t_26: i64 < 4i64 thread {
//       var acc_27: i32 = 0i32
//       if lt.i64(t_26, own_25) {
//         let row_28: i64 = add.i64(block_21, convert.i64.i32(quot.i32(convert.i32.i64(t_26), 3i32)))
//         let index_29: i64 = convert.i64.i32(rem.i32(convert.i32.i64(t_26), 3i32))
//         let x_9: i32 = xs_1[row_28, index_29]
//         let c_8: i32 = add.i32(acc_27, x_9)
//         acc_27 := c_8
//       }
//       lanes_23[t_26] := acc_27
//     }
//     for s_30: i64 < 2i64 seq {
//       let apart_31: i64 = shl.i64(1i64, s_30)
//       for t_32: i64 < 4i64 thread {
//         let place_33: i64 = convert.i64.i32(rem.i32(convert.i32.i64(t_32), 3i32))
//         let left_34: i64 = mul.i64(place_33, mul.i64(apart_31, 2i64))
//         let right_35: i64 = add.i64(left_34, apart_31)
//         if and.bool(lt.i64(right_35, 3i64), lt.i64(t_32, 3i64)) {
//           let first_36: i64 = sub.i64(t_32, place_33)
//           let value_37: i32 = lanes_23[add.i64(first_36, left_34)]
//           let value_38: i32 = lanes_23[add.i64(first_36, right_35)]
//           let c_39: i32 = add.i32(value_37, value_38)
//           lanes_23[add.i64(first_36, left_34)] := c_39
//         }
//       }
//     }
//     for t_40: i64 < 4i64 thread {
//       let row_41: i64 = add.i64(block_21, t_40)
//       if and.bool(lt.i64(t_40, 1i64), lt.i64(row_41, n_0)) {
//         let value_43: i32 = lanes_23[mul.i64(t_40, 3i64)]
//         s_3[row_41] := value_43
//       }
//     }
//     free lanes_mem_22
//   }
//   alloc s_mem_49: i32[n_0]
//   view to_50: i32 @ s_mem_49 -> 0 + {(n_0 : 1)}
//   view from_51: i32 @ s_mem_11 -> 0 + {(n_0 : 1)}
//   copy to_50 <- from_51
//   free s_mem_11
//   free xs_mem_45
//   return (s_mem_49, n_0)
// }
