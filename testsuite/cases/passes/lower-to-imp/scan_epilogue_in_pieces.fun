// case: pass introduce-memory lower-to-imp-small stack-blocks simplify-imp
// The sums of a group have a place of their own until they are whole: the epilogue makes something else of them.
entry main [n_0: i64] (a_1: [n_0]f32) (b_10: [n_0]f32) : (s_2: [n_0]f32) = {
  let (s_3: [n_0]f32) = kernel (i_4 < n_0) scan \(x_5: f32) (y_6: f32) : f32 {
    let (z_7: f32) = add.f32 x_5 y_6
    in (z_7)
  } (0f32) then \(t_9: f32) : f32 {
    let (c_11: f32) = index b_10[i_4]
    let (d_12: f32) = mul.f32 t_9 c_11
    in (d_12)
  } {
    let (e_8: f32) = index a_1[i_4]
    in (e_8)
  }
  in (s_3)
}
// ---
// entry proc main(n_0: i64, a_mem_13: mem, b_mem_14: mem): (mem, i64)
//   takes (f32[@0] @ 1, f32[@0] @ 2)
//   gives (f32[@1] @ 0)
// {
//   view a_1: f32 @ a_mem_13 -> 0 + {(n_0 : 1)}
//   view b_10: f32 @ b_mem_14 -> 0 + {(n_0 : 1)}
//   alloc s_mem_15: f32[n_0]
//   view s_3: f32 @ s_mem_15 -> 0 + {(n_0 : 1)}
//   if ge.i64(n_0, 1i64) {
//     let rounds_17: i64 = quot.i64(add.i64(n_0, 11i64), 12i64)
//     alloc totals_mem_18: f32[6i64] in stack
//     view totals_19: f32 @ totals_mem_18 -> 0 + {(6 : 1)}
//     let cells_20: i64 = min.i64(n_0, 12i64)
//     alloc sums_mem_21: f32[cells_20]
//     view sums_22: f32 @ sums_mem_21 -> 0 + {(cells_20 : 1)}
//     var before_23: f32 = 0.0f32
//     for r_24: i64 < add.i64(rounds_17, 1i64) seq {
//       for p_25: i64 < 3i64 par {
//         if gt.i64(r_24, 0i64) {
//           let of_group_26: i64 = mul.i64(sub.i64(r_24, 1i64), 12i64)
//           let start_27: i64 = add.i64(of_group_26, mul.i64(p_25, 4i64))
//           let here_28: i64 = max.i64(min.i64(sub.i64(n_0, start_27), 4i64), 0i64)
//           let own_29: i64 = shr.i64(here_28, 1i64)
//           let left_30: i64 = sub.i64(here_28, shl.i64(own_29, 1i64))
//           let first_31: i64 = shl.i64(p_25, 1i64)
//           for c_32: i64 < 2i64 seq {
//             let before_33: f32 = totals_19[add.i64(first_31, c_32)]
//             let from_34: i64 = add.i64(start_27, mul.i64(c_32, own_29))
//             let count_35: i64 = select(eq.i64(c_32, 1i64), add.i64(own_29, left_30), own_29)
//             for k_36: i64 < count_35 simd {
//               let i_37: i64 = add.i64(from_34, k_36)
//               let at_38: i64 = sub.i64(i_37, of_group_26)
//               let own_39: f32 = sums_22[at_38]
//               let z_7: f32 = add.f32(before_33, own_39)
//               let c_11: f32 = b_10[i_37]
//               let d_12: f32 = mul.f32(z_7, c_11)
//               s_3[i_37] := d_12
//             }
//           }
//         }
//         let of_group_40: i64 = mul.i64(r_24, 12i64)
//         let start_41: i64 = add.i64(of_group_40, mul.i64(p_25, 4i64))
//         let here_42: i64 = max.i64(min.i64(sub.i64(n_0, start_41), 4i64), 0i64)
//         let own_43: i64 = shr.i64(here_42, 1i64)
//         let left_44: i64 = sub.i64(here_42, shl.i64(own_43, 1i64))
//         let from_45: i64 = add.i64(start_41, mul.i64(own_43, 0i64))
//         let from_46: i64 = add.i64(start_41, own_43)
//         var acc_47: f32 = 0.0f32
//         var acc_48: f32 = 0.0f32
//         for k_49: i64 < own_43 seq {
//           let i_50: i64 = add.i64(from_45, k_49)
//           let e_8: f32 = a_1[i_50]
//           let z_51: f32 = add.f32(acc_47, e_8)
//           acc_47 := z_51
//           let at_52: i64 = sub.i64(i_50, of_group_40)
//           sums_22[at_52] := acc_47
//           let i_53: i64 = add.i64(from_46, k_49)
//           let e_54: f32 = a_1[i_53]
//           let z_55: f32 = add.f32(acc_48, e_54)
//           acc_48 := z_55
//           let at_56: i64 = sub.i64(i_53, of_group_40)
//           sums_22[at_56] := acc_48
//         }
//         let rest_57: i64 = add.i64(from_46, own_43)
//         for k_58: i64 < left_44 seq {
//           let i_59: i64 = add.i64(rest_57, k_58)
//           let e_60: f32 = a_1[i_59]
//           let z_61: f32 = add.f32(acc_48, e_60)
//           acc_48 := z_61
//           let at_62: i64 = sub.i64(i_59, of_group_40)
//           sums_22[at_62] := acc_48
//         }
//         let first_63: i64 = shl.i64(p_25, 1i64)
//         totals_19[first_63] := acc_47
//         totals_19[add.i64(first_63, 1i64)] := acc_48
//       }
//       for t_64: i64 < 6i64 seq {
//         let part_65: f32 = totals_19[t_64]
//         totals_19[t_64] := before_23
//         let z_66: f32 = add.f32(before_23, part_65)
//         before_23 := z_66
//       }
//     }
//     free totals_mem_18
//     free sums_mem_21
//   } else {
//     var acc_67: f32 = 0.0f32
//     for i_68: i64 < n_0 seq {
//       let e_69: f32 = a_1[i_68]
//       let z_70: f32 = add.f32(acc_67, e_69)
//       acc_67 := z_70
//       let c_71: f32 = b_10[i_68]
//       let d_72: f32 = mul.f32(acc_67, c_71)
//       s_3[i_68] := d_72
//     }
//   }
//   return (s_mem_15, n_0)
// }
