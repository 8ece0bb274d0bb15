// case: pass introduce-memory lower-to-imp-small stack-blocks simplify-imp
// the least value with its index has two lanes, as the operator is declared to commute; a composition of lines, which does not, has none
entry main [n_0: i64] (a_1: [n_0]i32) (b_2: [n_0]i32) : (x_3: i32) (i_4: i64) (s_5: i32) (t_6: i32) = {
  let (x_7: i32) (i_8: i64) = kernel (k_9 < n_0) reduce_comm \(v_10: i32) (i_11: i64) (w_12: i32) (j_13: i64) : i32, i64 {
    let (less_14: bool) = lt.i32 v_10 w_12
    let (same_15: bool) = eq.i32 v_10 w_12
    let (first_16: bool) = lt.i64 i_11 j_13
    let (tie_17: bool) = and.bool same_15 first_16
    let (left_18: bool) = or.bool less_14 tie_17
    let (v_19: i32) (i_20: i64) = if left_18 {
      in (v_10, i_11)
    } else {
      in (w_12, j_13)
    }
    in (v_19, i_20)
  } (2147483647i32, 9223372036854775807i64) {
    let (e_21: i32) = index a_1[k_9]
    in (e_21, k_9)
  }
  let (s_22: i32) (t_23: i32) = kernel (k_24 < n_0) reduce \(a_25: i32) (b_26: i32) (c_27: i32) (d_28: i32) : i32, i32 {
    let (slope_29: i32) = mul.i32 a_25 c_27
    let (moved_30: i32) = mul.i32 b_26 c_27
    let (offset_31: i32) = add.i32 moved_30 d_28
    in (slope_29, offset_31)
  } (1i32, 0i32) {
    let (e_32: i32) = index a_1[k_24]
    let (f_33: i32) = index b_2[k_24]
    in (e_32, f_33)
  }
  in (x_7, i_8, s_22, t_23)
}
// ---
// entry proc main(n_0: i64, a_mem_34: mem, b_mem_35: mem): (i32, i64, i32, i32)
//   takes (i32[@0] @ 1, i32[@0] @ 2)
//   gives (i32 @ 0, i64 @ 1, i32 @ 2, i32 @ 3)
// {
//   view a_1: i32 @ a_mem_34 -> 0 + {(n_0 : 1)}
//   view b_2: i32 @ b_mem_35 -> 0 + {(n_0 : 1)}
//   let chunks_36: i64 = select(ge.i64(n_0, 4i64), 3i64, 1i64)
//   let chunk_37: i64 = quot.i64(add.i64(n_0, sub.i64(chunks_36, 1i64)), chunks_36)
//   alloc partial_mem_38: i32[64i64] in stack
//   view partial_39: i32 @ partial_mem_38 -> 0 + {(64 : 1)}
//   alloc partial_mem_40: i64[64i64] in stack
//   view partial_41: i64 @ partial_mem_40 -> 0 + {(64 : 1)}
//   for c_42: i64 < chunks_36 par {
//     let start_43: i64 = mul.i64(c_42, chunk_37)
//     let count_44: i64 = min.i64(sub.i64(n_0, start_43), chunk_37)
//     var acc_45: i32 = 2147483647i32
//     var acc_46: i64 = 9223372036854775807i64
//     var done_47: i64 = 0i64
//     if ge.i64(count_44, 2i64) {
//       let rounds_48: i64 = quot.i64(count_44, 2i64)
//       alloc lanes_mem_49: i32[2i64] in stack
//       view lanes_50: i32 @ lanes_mem_49 -> 0 + {(2 : 1)}
//       alloc lanes_mem_51: i64[2i64] in stack
//       view lanes_52: i64 @ lanes_mem_51 -> 0 + {(2 : 1)}
//       for l_53: i64 < 2i64 simd {
//         lanes_50[l_53] := 2147483647i32
//         lanes_52[l_53] := 9223372036854775807i64
//       }
//       for r_54: i64 < rounds_48 seq {
//         for l_55: i64 < 2i64 simd {
//           let k_9: i64 = add.i64(start_43, add.i64(mul.i64(r_54, 2i64), l_55))
//           let e_21: i32 = a_1[k_9]
//           let lane_56: i32 = lanes_50[l_55]
//           let lane_57: i64 = lanes_52[l_55]
//           let less_14: bool = lt.i32(lane_56, e_21)
//           let same_15: bool = eq.i32(lane_56, e_21)
//           let first_16: bool = lt.i64(lane_57, k_9)
//           let tie_17: bool = and.bool(same_15, first_16)
//           let left_18: bool = or.bool(less_14, tie_17)
//           let v_19: i32 = select(left_18, lane_56, e_21)
//           let i_20: i64 = select(left_18, lane_57, k_9)
//           lanes_50[l_55] := v_19
//           lanes_52[l_55] := i_20
//         }
//       }
//       for l_58: i64 < 1i64 simd {
//         let lane_59: i32 = lanes_50[add.i64(l_58, 1i64)]
//         let lane_60: i64 = lanes_52[add.i64(l_58, 1i64)]
//         let lane_61: i32 = lanes_50[l_58]
//         let lane_62: i64 = lanes_52[l_58]
//         let less_63: bool = lt.i32(lane_61, lane_59)
//         let same_64: bool = eq.i32(lane_61, lane_59)
//         let first_65: bool = lt.i64(lane_62, lane_60)
//         let tie_66: bool = and.bool(same_64, first_65)
//         let left_67: bool = or.bool(less_63, tie_66)
//         let v_68: i32 = select(left_67, lane_61, lane_59)
//         let i_69: i64 = select(left_67, lane_62, lane_60)
//         lanes_50[l_58] := v_68
//         lanes_52[l_58] := i_69
//       }
//       for l_70: i64 < 1i64 seq {
//         let lane_71: i32 = lanes_50[l_70]
//         let lane_72: i64 = lanes_52[l_70]
//         let less_73: bool = lt.i32(acc_45, lane_71)
//         let same_74: bool = eq.i32(acc_45, lane_71)
//         let first_75: bool = lt.i64(acc_46, lane_72)
//         let tie_76: bool = and.bool(same_74, first_75)
//         let left_77: bool = or.bool(less_73, tie_76)
//         let v_78: i32 = select(left_77, acc_45, lane_71)
//         let i_79: i64 = select(left_77, acc_46, lane_72)
//         acc_45 := v_78
//         acc_46 := i_79
//       }
//       free lanes_mem_49
//       free lanes_mem_51
//       done_47 := mul.i64(rounds_48, 2i64)
//     }
//     for k_80: i64 < sub.i64(count_44, done_47) fold {
//       let k_81: i64 = add.i64(add.i64(start_43, done_47), k_80)
//       let e_82: i32 = a_1[k_81]
//       let less_83: bool = lt.i32(acc_45, e_82)
//       let same_84: bool = eq.i32(acc_45, e_82)
//       let first_85: bool = lt.i64(acc_46, k_81)
//       let tie_86: bool = and.bool(same_84, first_85)
//       let left_87: bool = or.bool(less_83, tie_86)
//       let v_88: i32 = select(left_87, acc_45, e_82)
//       let i_89: i64 = select(left_87, acc_46, k_81)
//       acc_45 := v_88
//       acc_46 := i_89
//     }
//     partial_39[c_42] := acc_45
//     partial_41[c_42] := acc_46
//   }
//   var x_7: i32 = 2147483647i32
//   var i_8: i64 = 9223372036854775807i64
//   for c_90: i64 < chunks_36 seq {
//     let part_91: i32 = partial_39[c_90]
//     let part_92: i64 = partial_41[c_90]
//     let less_93: bool = lt.i32(x_7, part_91)
//     let same_94: bool = eq.i32(x_7, part_91)
//     let first_95: bool = lt.i64(i_8, part_92)
//     let tie_96: bool = and.bool(same_94, first_95)
//     let left_97: bool = or.bool(less_93, tie_96)
//     let v_98: i32 = select(left_97, x_7, part_91)
//     let i_99: i64 = select(left_97, i_8, part_92)
//     x_7 := v_98
//     i_8 := i_99
//   }
//   free partial_mem_38
//   free partial_mem_40
//   let chunks_100: i64 = select(ge.i64(n_0, 4i64), 3i64, 1i64)
//   let chunk_101: i64 = quot.i64(add.i64(n_0, sub.i64(chunks_100, 1i64)), chunks_100)
//   alloc partial_mem_102: i32[64i64] in stack
//   view partial_103: i32 @ partial_mem_102 -> 0 + {(64 : 1)}
//   alloc partial_mem_104: i32[64i64] in stack
//   view partial_105: i32 @ partial_mem_104 -> 0 + {(64 : 1)}
//   for c_106: i64 < chunks_100 par {
//     let start_107: i64 = mul.i64(c_106, chunk_101)
//     let count_108: i64 = min.i64(sub.i64(n_0, start_107), chunk_101)
//     var acc_109: i32 = 1i32
//     var acc_110: i32 = 0i32
//     for k_111: i64 < count_108 fold {
//       let k_24: i64 = add.i64(start_107, k_111)
//       let e_32: i32 = a_1[k_24]
//       let f_33: i32 = b_2[k_24]
//       let slope_29: i32 = mul.i32(acc_109, e_32)
//       let moved_30: i32 = mul.i32(acc_110, e_32)
//       let offset_31: i32 = add.i32(moved_30, f_33)
//       acc_109 := slope_29
//       acc_110 := offset_31
//     }
//     partial_103[c_106] := acc_109
//     partial_105[c_106] := acc_110
//   }
//   var s_22: i32 = 1i32
//   var t_23: i32 = 0i32
//   for c_112: i64 < chunks_100 seq {
//     let part_113: i32 = partial_103[c_112]
//     let part_114: i32 = partial_105[c_112]
//     let slope_115: i32 = mul.i32(s_22, part_113)
//     let moved_116: i32 = mul.i32(t_23, part_113)
//     let offset_117: i32 = add.i32(moved_116, part_114)
//     s_22 := slope_115
//     t_23 := offset_117
//   }
//   free partial_mem_102
//   free partial_mem_104
//   return (x_7, i_8, s_22, t_23)
// }
