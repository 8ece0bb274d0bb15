// case: pass introduce-memory lower-to-imp-small stack-blocks simplify-imp
// pieces of four values, of two chains each; three pieces are a group
entry main [n_0: i64] (a_1: [n_0]f32) : (s_2: [n_0]f32) = {
  let (s_3: [n_0]f32) = kernel (i_4 < n_0) scan \(x_5: f32) (y_6: f32) : f32 {
    let (z_7: f32) = add.f32 x_5 y_6
    in (z_7)
  } (0f32) {
    let (e_8: f32) = index a_1[i_4]
    in (e_8)
  }
  in (s_3)
}
// ---
// entry proc main(n_0: i64, a_mem_9: mem): (mem, i64)
//   takes (f32[@0] @ 1)
//   gives (f32[@1] @ 0)
// {
//   view a_1: f32 @ a_mem_9 -> 0 + {(n_0 : 1)}
//   alloc s_mem_10: f32[n_0]
//   view s_3: f32 @ s_mem_10 -> 0 + {(n_0 : 1)}
//   if ge.i64(n_0, 1i64) {
//     let rounds_12: i64 = quot.i64(add.i64(n_0, 11i64), 12i64)
//     alloc totals_mem_13: f32[6i64] in stack
//     view totals_14: f32 @ totals_mem_13 -> 0 + {(6 : 1)}
//     var before_15: f32 = 0.0f32
//     for r_16: i64 < add.i64(rounds_12, 1i64) seq {
//       for p_17: i64 < 3i64 par {
//         if gt.i64(r_16, 0i64) {
//           let start_18: i64 = add.i64(mul.i64(sub.i64(r_16, 1i64), 12i64), mul.i64(p_17, 4i64))
//           let here_19: i64 = max.i64(min.i64(sub.i64(n_0, start_18), 4i64), 0i64)
//           let own_20: i64 = shr.i64(here_19, 1i64)
//           let left_21: i64 = sub.i64(here_19, shl.i64(own_20, 1i64))
//           let first_22: i64 = shl.i64(p_17, 1i64)
//           for c_23: i64 < 2i64 seq {
//             let before_24: f32 = totals_14[add.i64(first_22, c_23)]
//             let from_25: i64 = add.i64(start_18, mul.i64(c_23, own_20))
//             let count_26: i64 = select(eq.i64(c_23, 1i64), add.i64(own_20, left_21), own_20)
//             for k_27: i64 < count_26 simd {
//               let i_28: i64 = add.i64(from_25, k_27)
//               let own_29: f32 = s_3[i_28]
//               let z_7: f32 = add.f32(before_24, own_29)
//               s_3[i_28] := z_7
//             }
//           }
//         }
//         let start_30: i64 = add.i64(mul.i64(r_16, 12i64), mul.i64(p_17, 4i64))
//         let here_31: i64 = max.i64(min.i64(sub.i64(n_0, start_30), 4i64), 0i64)
//         let own_32: i64 = shr.i64(here_31, 1i64)
//         let left_33: i64 = sub.i64(here_31, shl.i64(own_32, 1i64))
//         let from_34: i64 = add.i64(start_30, mul.i64(own_32, 0i64))
//         let from_35: i64 = add.i64(start_30, own_32)
//         var acc_36: f32 = 0.0f32
//         var acc_37: f32 = 0.0f32
//         for k_38: i64 < own_32 seq {
//           let i_4: i64 = add.i64(from_34, k_38)
//           let e_8: f32 = a_1[i_4]
//           let z_39: f32 = add.f32(acc_36, e_8)
//           acc_36 := z_39
//           s_3[i_4] := acc_36
//           let i_40: i64 = add.i64(from_35, k_38)
//           let e_41: f32 = a_1[i_40]
//           let z_42: f32 = add.f32(acc_37, e_41)
//           acc_37 := z_42
//           s_3[i_40] := acc_37
//         }
//         let rest_43: i64 = add.i64(from_35, own_32)
//         for k_44: i64 < left_33 seq {
//           let i_45: i64 = add.i64(rest_43, k_44)
//           let e_46: f32 = a_1[i_45]
//           let z_47: f32 = add.f32(acc_37, e_46)
//           acc_37 := z_47
//           s_3[i_45] := acc_37
//         }
//         let first_48: i64 = shl.i64(p_17, 1i64)
//         totals_14[first_48] := acc_36
//         totals_14[add.i64(first_48, 1i64)] := acc_37
//       }
//       for t_49: i64 < 6i64 seq {
//         let part_50: f32 = totals_14[t_49]
//         totals_14[t_49] := before_15
//         let z_51: f32 = add.f32(before_15, part_50)
//         before_15 := z_51
//       }
//     }
//     free totals_mem_13
//   } else {
//     var acc_52: f32 = 0.0f32
//     for i_53: i64 < n_0 seq {
//       let e_54: f32 = a_1[i_53]
//       let z_55: f32 = add.f32(acc_52, e_54)
//       acc_52 := z_55
//       s_3[i_53] := acc_52
//     }
//   }
//   return (s_mem_10, n_0)
// }
