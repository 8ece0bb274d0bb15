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
//           let of_group_18: i64 = mul.i64(sub.i64(r_16, 1i64), 12i64)
//           let start_19: i64 = add.i64(of_group_18, mul.i64(p_17, 4i64))
//           let here_20: i64 = max.i64(min.i64(sub.i64(n_0, start_19), 4i64), 0i64)
//           let own_21: i64 = shr.i64(here_20, 1i64)
//           let left_22: i64 = sub.i64(here_20, shl.i64(own_21, 1i64))
//           let first_23: i64 = shl.i64(p_17, 1i64)
//           for c_24: i64 < 2i64 seq {
//             let before_25: f32 = totals_14[add.i64(first_23, c_24)]
//             let from_26: i64 = add.i64(start_19, mul.i64(c_24, own_21))
//             let count_27: i64 = select(eq.i64(c_24, 1i64), add.i64(own_21, left_22), own_21)
//             for k_28: i64 < count_27 simd {
//               let i_29: i64 = add.i64(from_26, k_28)
//               let own_30: f32 = s_3[i_29]
//               let z_7: f32 = add.f32(before_25, own_30)
//               s_3[i_29] := z_7
//             }
//           }
//         }
//         let of_group_31: i64 = mul.i64(r_16, 12i64)
//         let start_32: i64 = add.i64(of_group_31, mul.i64(p_17, 4i64))
//         let here_33: i64 = max.i64(min.i64(sub.i64(n_0, start_32), 4i64), 0i64)
//         let own_34: i64 = shr.i64(here_33, 1i64)
//         let left_35: i64 = sub.i64(here_33, shl.i64(own_34, 1i64))
//         let from_36: i64 = add.i64(start_32, mul.i64(own_34, 0i64))
//         let from_37: i64 = add.i64(start_32, own_34)
//         var acc_38: f32 = 0.0f32
//         var acc_39: f32 = 0.0f32
//         for k_40: i64 < own_34 seq {
//           let i_4: i64 = add.i64(from_36, k_40)
//           let e_8: f32 = a_1[i_4]
//           let z_41: f32 = add.f32(acc_38, e_8)
//           acc_38 := z_41
//           s_3[i_4] := acc_38
//           let i_42: i64 = add.i64(from_37, k_40)
//           let e_43: f32 = a_1[i_42]
//           let z_44: f32 = add.f32(acc_39, e_43)
//           acc_39 := z_44
//           s_3[i_42] := acc_39
//         }
//         let rest_45: i64 = add.i64(from_37, own_34)
//         for k_46: i64 < left_35 seq {
//           let i_47: i64 = add.i64(rest_45, k_46)
//           let e_48: f32 = a_1[i_47]
//           let z_49: f32 = add.f32(acc_39, e_48)
//           acc_39 := z_49
//           s_3[i_47] := acc_39
//         }
//         let first_50: i64 = shl.i64(p_17, 1i64)
//         totals_14[first_50] := acc_38
//         totals_14[add.i64(first_50, 1i64)] := acc_39
//       }
//       for t_51: i64 < 6i64 seq {
//         let part_52: f32 = totals_14[t_51]
//         totals_14[t_51] := before_15
//         let z_53: f32 = add.f32(before_15, part_52)
//         before_15 := z_53
//       }
//     }
//     free totals_mem_13
//   } else {
//     var acc_54: f32 = 0.0f32
//     for i_55: i64 < n_0 seq {
//       let e_56: f32 = a_1[i_55]
//       let z_57: f32 = add.f32(acc_54, e_56)
//       acc_54 := z_57
//       s_3[i_55] := acc_54
//     }
//   }
//   return (s_mem_10, n_0)
// }
