// case: pass introduce-memory lower-to-imp-small stack-blocks simplify-imp
// several threads take pieces of four values, three of which are a group: totals first; one thread scans in order
entry main [n_0: i64] (a_1: [n_0]i32) : (s_2: [n_0]i32) = {
  let (s_3: [n_0]i32) = kernel (i_4 < n_0) scan \(x_5: i32) (y_6: i32) : i32 {
    let (z_7: i32) = max.i32 x_5 y_6
    in (z_7)
  } (0i32) {
    let (e_8: i32) = index a_1[i_4]
    in (e_8)
  }
  in (s_3)
}
// ---
// entry proc main(n_0: i64, a_mem_9: mem): (mem, i64)
//   takes (i32[@0] @ 1)
//   gives (i32[@1] @ 0)
// {
//   view a_1: i32 @ a_mem_9 -> 0 + {(n_0 : 1)}
//   alloc s_mem_10: i32[n_0]
//   view s_3: i32 @ s_mem_10 -> 0 + {(n_0 : 1)}
//   if and.bool(ge.i64(n_0, 1i64), lt.i64(1i64, threads)) {
//     let rounds_12: i64 = quot.i64(add.i64(n_0, 11i64), 12i64)
//     alloc totals_mem_13: i32[3i64] in stack
//     view totals_14: i32 @ totals_mem_13 -> 0 + {(3 : 1)}
//     var before_15: i32 = 0i32
//     for r_16: i64 < add.i64(rounds_12, 1i64) seq {
//       for p_17: i64 < 3i64 par {
//         if gt.i64(r_16, 0i64) {
//           let start_18: i64 = add.i64(mul.i64(sub.i64(r_16, 1i64), 12i64), mul.i64(p_17, 4i64))
//           let here_19: i64 = max.i64(min.i64(sub.i64(n_0, start_18), 4i64), 0i64)
//           var acc_22: i32 = 0i32
//           acc_22 := totals_14[p_17]
//           for k_23: i64 < here_19 scan {
//             let i_4: i64 = add.i64(start_18, k_23)
//             let e_8: i32 = a_1[i_4]
//             let z_7: i32 = max.i32(acc_22, e_8)
//             acc_22 := z_7
//             s_3[i_4] := acc_22
//           }
//         }
//         let start_24: i64 = add.i64(mul.i64(r_16, 12i64), mul.i64(p_17, 4i64))
//         let here_25: i64 = max.i64(min.i64(sub.i64(n_0, start_24), 4i64), 0i64)
//         var sum_28: i32 = 0i32
//         for k_29: i64 < here_25 fold {
//           let i_30: i64 = add.i64(start_24, k_29)
//           let e_31: i32 = a_1[i_30]
//           let z_32: i32 = max.i32(sum_28, e_31)
//           sum_28 := z_32
//         }
//         totals_14[p_17] := sum_28
//       }
//       for t_33: i64 < 3i64 seq {
//         let part_34: i32 = totals_14[t_33]
//         totals_14[t_33] := before_15
//         let z_35: i32 = max.i32(before_15, part_34)
//         before_15 := z_35
//       }
//     }
//     free totals_mem_13
//   } else {
//     var acc_36: i32 = 0i32
//     for i_37: i64 < n_0 scan {
//       let e_38: i32 = a_1[i_37]
//       let z_39: i32 = max.i32(acc_36, e_38)
//       acc_36 := z_39
//       s_3[i_37] := acc_36
//     }
//   }
//   return (s_mem_10, n_0)
// }
