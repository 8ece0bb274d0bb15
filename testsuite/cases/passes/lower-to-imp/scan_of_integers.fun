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
//           let of_group_18: i64 = mul.i64(sub.i64(r_16, 1i64), 12i64)
//           let start_19: i64 = add.i64(of_group_18, mul.i64(p_17, 4i64))
//           let here_20: i64 = max.i64(min.i64(sub.i64(n_0, start_19), 4i64), 0i64)
//           var acc_23: i32 = 0i32
//           acc_23 := totals_14[p_17]
//           for k_24: i64 < here_20 scan {
//             let i_4: i64 = add.i64(start_19, k_24)
//             let e_8: i32 = a_1[i_4]
//             let z_7: i32 = max.i32(acc_23, e_8)
//             acc_23 := z_7
//             s_3[i_4] := acc_23
//           }
//         }
//         let of_group_25: i64 = mul.i64(r_16, 12i64)
//         let start_26: i64 = add.i64(of_group_25, mul.i64(p_17, 4i64))
//         let here_27: i64 = max.i64(min.i64(sub.i64(n_0, start_26), 4i64), 0i64)
//         var sum_30: i32 = 0i32
//         for k_31: i64 < here_27 fold {
//           let i_32: i64 = add.i64(start_26, k_31)
//           let e_33: i32 = a_1[i_32]
//           let z_34: i32 = max.i32(sum_30, e_33)
//           sum_30 := z_34
//         }
//         totals_14[p_17] := sum_30
//       }
//       for t_35: i64 < 3i64 seq {
//         let part_36: i32 = totals_14[t_35]
//         totals_14[t_35] := before_15
//         let z_37: i32 = max.i32(before_15, part_36)
//         before_15 := z_37
//       }
//     }
//     free totals_mem_13
//   } else {
//     var acc_38: i32 = 0i32
//     for i_39: i64 < n_0 scan {
//       let e_40: i32 = a_1[i_39]
//       let z_41: i32 = max.i32(acc_38, e_40)
//       acc_38 := z_41
//       s_3[i_39] := acc_38
//     }
//   }
//   return (s_mem_10, n_0)
// }
