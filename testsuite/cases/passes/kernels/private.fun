// case: pass introduce-memory lower-to-imp kernels simplify-imp
// An array of each iteration is one of each thread, whose cells lie between those of the other threads; a loop over arrays that has nothing
// parallel in it is a kernel of one thread, and gives its scalar back in a cell.
entry main (n_0: i64) (xs_1: [n_0]i64) : (r_2: [n_0]i64) (s_3: i64) = {
  let (r_4: [n_0]i64) = kernel (i_5 < n_0) {
    let (a_6: [n_0]i64) = iota.i64 n_0 i_5 2i64
    let (x_7: i64) = index a_6[i_5]
    in (x_7)
  }
  let (s_8: i64) = loop (acc_9: i64 = 0i64) for k_10: i64 < n_0 {
    let (x_11: i64) = index xs_1[k_10]
    let (y_12: i64) = add.i64 acc_9 x_11
    in (y_12)
  }
  in (r_4, s_8)
}
// ---
// entry proc main(n_0: i64, xs_mem_13: mem): (mem, i64, i64)
//   takes (i64 @ 0, i64[@0] @ 1)
//   gives (i64[@2] @ 0, i64 @ 1)
// {
//   alloc xs_mem_19: i64[n_0] in device
//   view to_20: i64 @ xs_mem_19 -> 0 + {(n_0 : 1)}
//   view from_21: i64 @ xs_mem_13 -> 0 + {(n_0 : 1)}
//   copy to_20 <- from_21
//   view xs_1: i64 @ xs_mem_19 -> 0 + {(n_0 : 1)}
//   alloc r_mem_14: i64[n_0] in device
//   view r_4: i64 @ r_mem_14 -> 0 + {(n_0 : 1)}
//   let blocks_23: i64 = min.i64(quot.i64(add.i64(n_0, 63i64), 64i64), max.i64(convert.i64.f64(min.f64(div.f64(268435456.0f64, max.f64(mul.f64(mul.f64(8.0f64, convert.f64.i64(max.i64(n_0, 0i64))), 64.0f64), 1.0f64)), 4096.0f64)), 128i64))
//   let threads_24: i64 = mul.i64(max.i64(blocks_23, 1i64), 64i64)
//   let rounds_25: i64 = quot.i64(add.i64(n_0, sub.i64(threads_24, 1i64)), threads_24)
//   let copies_26: i64 = min.i64(threads_24, max.i64(n_0, 1i64))
//   alloc a_mem_15: i64[copies_26][max.i64(n_0, 0i64)] in device
//   for block_27: i64 < blocks_23 block {
//     for t_28: i64 < 64i64 thread {
//       let thread_29: i64 = add.i64(mul.i64(block_27, 64i64), t_28)
//       for k_30: i64 < rounds_25 seq {
//         let i_5: i64 = add.i64(thread_29, mul.i64(k_30, threads_24))
//         if lt.i64(i_5, n_0) {
//           view a_6: i64 @ a_mem_15 -> thread_29 + {(n_0 : copies_26)}
//           for i_17: i64 < n_0 seq {
//             a_6[i_17] := add.i64(i_5, mul.i64(i_17, 2i64))
//           }
//           let x_7: i64 = a_6[i_5]
//           r_4[i_5] := x_7
//         }
//       }
//     }
//   }
//   free a_mem_15
//   var acc_9: i64 = 0i64
//   alloc cell_mem_31: i64[1i64] in device
//   view cell_32: i64 @ cell_mem_31 -> 0 + {(1 : 1)}
//   for block_33: i64 < 1i64 block {
//     for t_34: i64 < 1i64 thread {
//       var acc_35: i64 = acc_9
//       for k_10: i64 < n_0 seq {
//         let x_11: i64 = xs_1[k_10]
//         let y_12: i64 = add.i64(acc_35, x_11)
//         acc_35 := y_12
//       }
//       cell_32[0i64] := acc_35
//     }
//   }
//   acc_9 := cell_32[0i64]
//   free cell_mem_31
//   alloc r_mem_37: i64[n_0]
//   view to_38: i64 @ r_mem_37 -> 0 + {(n_0 : 1)}
//   view from_39: i64 @ r_mem_14 -> 0 + {(n_0 : 1)}
//   copy to_38 <- from_39
//   free r_mem_14
//   free xs_mem_19
//   return (r_mem_37, acc_9, n_0)
// }
