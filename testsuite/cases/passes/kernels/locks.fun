// case: pass introduce-memory lower-to-device-small simplify-imp kernels-small simplify-imp
// Products of pairs by their cells: threads have tables where that are many, and otherwise each cell has a lock.
entry main (n_0: i64) (k_1: i64) (is_2: [n_0]i64) (xs_3: [n_0]i32) : (r_4: [k_1]i32) (s_5: [k_1]i32) = {
  let (v_6: [k_1]i32) = replicate [k_1] 1i32
  let (w_7: [k_1]i32) = replicate [k_1] 0i32
  let (h_8: [k_1]i32) (g_9: [k_1]i32) = kernel (i_10 < n_0) hist \(a_11: i32) (b_12: i32) (c_13: i32) (d_14: i32) : i32, i32 {
    let (x_15: i32) = mul.i32 a_11 c_13
    let (y_16: i32) = mul.i32 b_12 d_14
    let (z_17: i32) = sub.i32 x_15 y_16
    let (p_18: i32) = mul.i32 a_11 d_14
    let (q_19: i32) = mul.i32 b_12 c_13
    let (o_20: i32) = add.i32 p_18 q_19
    in (z_17, o_20)
  } (1i32, 0i32) (v_6, w_7) {
    let (e_21: i64) = index is_2[i_10]
    let (f_22: i32) = index xs_3[i_10]
    in (e_21, f_22, 2i32)
  }
  in (h_8, g_9)
}
// ---
// entry proc main(n_0: i64, k_1: i64, is_mem_23: mem, xs_mem_24: mem): (mem, mem, i64)
//   takes (i64 @ 0, i64 @ 1, i64[@0] @ 2, i32[@0] @ 3)
//   gives (i32[@2] @ 0, i32[@2] @ 1)
// {
//   alloc is_mem_139: i64[n_0] in device
//   view to_140: i64 @ is_mem_139 -> 0 + {(n_0 : 1)}
//   view from_141: i64 @ is_mem_23 -> 0 + {(n_0 : 1)}
//   copy to_140 <- from_141
//   alloc xs_mem_143: i32[n_0] in device
//   view to_144: i32 @ xs_mem_143 -> 0 + {(n_0 : 1)}
//   view from_145: i32 @ xs_mem_24 -> 0 + {(n_0 : 1)}
//   copy to_144 <- from_145
//   view is_2: i64 @ is_mem_139 -> 0 + {(n_0 : 1)}
//   view xs_3: i32 @ xs_mem_143 -> 0 + {(n_0 : 1)}
//   alloc v_mem_25: i32[k_1] in device
//   view v_6: i32 @ v_mem_25 -> 0 + {(k_1 : 1)}
//   let blocks_147: i64 = quot.i64(add.i64(k_1, 2i64), 3i64)
//   for block_148: i64 < blocks_147 block {
//     for t_149: i64 < 3i64 thread {
//       let thread_150: i64 = add.i64(mul.i64(block_148, 3i64), t_149)
//       if lt.i64(thread_150, k_1) {
//         v_6[thread_150] := 1i32
//       }
//     }
//   }
//   alloc w_mem_26: i32[k_1] in device
//   view w_7: i32 @ w_mem_26 -> 0 + {(k_1 : 1)}
//   let blocks_152: i64 = quot.i64(add.i64(k_1, 2i64), 3i64)
//   for block_153: i64 < blocks_152 block {
//     for t_154: i64 < 3i64 thread {
//       let thread_155: i64 = add.i64(mul.i64(block_153, 3i64), t_154)
//       if lt.i64(thread_155, k_1) {
//         w_7[thread_155] := 0i32
//       }
//     }
//   }
//   view h_8: i32 @ v_mem_25 -> 0 + {(k_1 : 1)}
//   view g_9: i32 @ w_mem_26 -> 0 + {(k_1 : 1)}
//   let parts_31: i64 = min.i64(max.i64(quot.i64(mul.i64(n_0, 4i64), max.i64(k_1, 1i64)), 1i64), 8i64)
//   if ge.i64(parts_31, param "main.device.histogram_tables_1" 5) {
//     let all_48: i64 = mul.i64(k_1, parts_31)
//     alloc parts_mem_49: i32[k_1][parts_31] in device
//     view parts_50: i32 @ parts_mem_49 -> 0 + {(all_48 : 1)}
//     view table_51: i32 @ parts_mem_49 -> 0 + {(k_1 : parts_31)(parts_31 : 1)}
//     alloc parts_mem_52: i32[k_1][parts_31] in device
//     view parts_53: i32 @ parts_mem_52 -> 0 + {(all_48 : 1)}
//     view table_54: i32 @ parts_mem_52 -> 0 + {(k_1 : parts_31)(parts_31 : 1)}
//     let blocks_157: i64 = quot.i64(add.i64(all_48, 2i64), 3i64)
//     for block_158: i64 < blocks_157 block {
//       for t_159: i64 < 3i64 thread {
//         let thread_160: i64 = add.i64(mul.i64(block_158, 3i64), t_159)
//         if lt.i64(thread_160, all_48) {
//           parts_50[thread_160] := 1i32
//           parts_53[thread_160] := 0i32
//         }
//       }
//     }
//     let blocks_162: i64 = quot.i64(add.i64(parts_31, 2i64), 3i64)
//     for block_163: i64 < blocks_162 block {
//       for t_164: i64 < 3i64 thread {
//         let thread_165: i64 = add.i64(mul.i64(block_163, 3i64), t_164)
//         if lt.i64(thread_165, parts_31) {
//           for k_57: i64 < quot.i64(sub.i64(add.i64(n_0, sub.i64(parts_31, 1i64)), thread_165), parts_31) seq {
//             let i_58: i64 = add.i64(thread_165, mul.i64(k_57, parts_31))
//             let e_59: i64 = is_2[i_58]
//             let f_60: i32 = xs_3[i_58]
//             if and.bool(le.i64(0i64, e_59), lt.i64(e_59, k_1)) {
//               let value_62: i32 = table_51[e_59, thread_165]
//               let value_63: i32 = table_54[e_59, thread_165]
//               let x_64: i32 = mul.i32(value_62, f_60)
//               let y_65: i32 = mul.i32(value_63, 2i32)
//               let z_66: i32 = sub.i32(x_64, y_65)
//               let p_67: i32 = mul.i32(value_62, 2i32)
//               let q_68: i32 = mul.i32(value_63, f_60)
//               let o_69: i32 = add.i32(p_67, q_68)
//               table_51[e_59, thread_165] := z_66
//               table_54[e_59, thread_165] := o_69
//             }
//           }
//         }
//       }
//     }
//     if ge.i64(parts_31, param "main.device.segment_values_1" 2) {
//       let rounds_71: i64 = quot.i64(parts_31, 4i64)
//       let rest_72: i64 = sub.i64(parts_31, mul.i64(rounds_71, 4i64))
//       for block_70: i64 < k_1 block {
//         alloc lanes_mem_74: i32[4i64] in shared
//         view lanes_75: i32 @ lanes_mem_74 -> 0 + {(4 : 1)}
//         alloc lanes_mem_76: i32[4i64] in shared
//         view lanes_77: i32 @ lanes_mem_76 -> 0 + {(4 : 1)}
//         for t_78: i64 < 4i64 thread {
//           let own_80: i64 = add.i64(rounds_71, select(lt.i64(t_78, rest_72), 1i64, 0i64))
//           var acc_81: i32 = 1i32
//           var acc_82: i32 = 0i32
//           for k_83: i64 < own_80 fold {
//             let value_84: i32 = table_51[block_70, add.i64(t_78, mul.i64(k_83, 4i64))]
//             let value_85: i32 = table_54[block_70, add.i64(t_78, mul.i64(k_83, 4i64))]
//             let x_86: i32 = mul.i32(acc_81, value_84)
//             let y_87: i32 = mul.i32(acc_82, value_85)
//             let z_88: i32 = sub.i32(x_86, y_87)
//             let p_89: i32 = mul.i32(acc_81, value_85)
//             let q_90: i32 = mul.i32(acc_82, value_84)
//             let o_91: i32 = add.i32(p_89, q_90)
//             acc_81 := z_88
//             acc_82 := o_91
//           }
//           lanes_75[t_78] := acc_81
//           lanes_77[t_78] := acc_82
//         }
//         for s_92: i64 < 2i64 seq {
//           let apart_93: i64 = shl.i64(1i64, s_92)
//           for t_94: i64 < 4i64 thread {
//             let left_95: i64 = mul.i64(t_94, mul.i64(apart_93, 2i64))
//             let right_96: i64 = add.i64(left_95, apart_93)
//             if lt.i64(right_96, 4i64) {
//               let value_97: i32 = lanes_75[left_95]
//               let value_98: i32 = lanes_77[left_95]
//               let value_99: i32 = lanes_75[right_96]
//               let value_100: i32 = lanes_77[right_96]
//               let x_101: i32 = mul.i32(value_97, value_99)
//               let y_102: i32 = mul.i32(value_98, value_100)
//               let z_103: i32 = sub.i32(x_101, y_102)
//               let p_104: i32 = mul.i32(value_97, value_100)
//               let q_105: i32 = mul.i32(value_98, value_99)
//               let o_106: i32 = add.i32(p_104, q_105)
//               lanes_75[left_95] := z_103
//               lanes_77[left_95] := o_106
//             }
//           }
//         }
//         for t_107: i64 < 4i64 thread {
//           if eq.i64(t_107, 0i64) {
//             let value_108: i32 = h_8[block_70]
//             let value_109: i32 = g_9[block_70]
//             let value_110: i32 = lanes_75[0i64]
//             let value_111: i32 = lanes_77[0i64]
//             let x_112: i32 = mul.i32(value_108, value_110)
//             let y_113: i32 = mul.i32(value_109, value_111)
//             let z_114: i32 = sub.i32(x_112, y_113)
//             let p_115: i32 = mul.i32(value_108, value_111)
//             let q_116: i32 = mul.i32(value_109, value_110)
//             let o_117: i32 = add.i32(p_115, q_116)
//             h_8[block_70] := z_114
//             g_9[block_70] := o_117
//           }
//         }
//         free lanes_mem_74
//         free lanes_mem_76
//       }
//     } else {
//       let blocks_167: i64 = quot.i64(add.i64(k_1, 2i64), 3i64)
//       for block_168: i64 < blocks_167 block {
//         for t_169: i64 < 3i64 thread {
//           let thread_170: i64 = add.i64(mul.i64(block_168, 3i64), t_169)
//           if lt.i64(thread_170, k_1) {
//             var acc_119: i32 = 1i32
//             var acc_120: i32 = 0i32
//             let value_121: i32 = h_8[thread_170]
//             let value_122: i32 = g_9[thread_170]
//             let x_123: i32 = mul.i32(acc_119, value_121)
//             let y_124: i32 = mul.i32(acc_120, value_122)
//             let z_125: i32 = sub.i32(x_123, y_124)
//             let p_126: i32 = mul.i32(acc_119, value_122)
//             let q_127: i32 = mul.i32(acc_120, value_121)
//             let o_128: i32 = add.i32(p_126, q_127)
//             acc_119 := z_125
//             acc_120 := o_128
//             for p_129: i64 < parts_31 fold {
//               let value_130: i32 = table_51[thread_170, p_129]
//               let value_131: i32 = table_54[thread_170, p_129]
//               let x_132: i32 = mul.i32(acc_119, value_130)
//               let y_133: i32 = mul.i32(acc_120, value_131)
//               let z_134: i32 = sub.i32(x_132, y_133)
//               let p_135: i32 = mul.i32(acc_119, value_131)
//               let q_136: i32 = mul.i32(acc_120, value_130)
//               let o_137: i32 = add.i32(p_135, q_136)
//               acc_119 := z_134
//               acc_120 := o_137
//             }
//             h_8[thread_170] := acc_119
//             g_9[thread_170] := acc_120
//           }
//         }
//       }
//     }
//     free parts_mem_49
//     free parts_mem_52
//   } else {
//     alloc locks_mem_32: i32[k_1] in device
//     view locks_33: i32 @ locks_mem_32 -> 0 + {(k_1 : 1)}
//     let blocks_172: i64 = quot.i64(add.i64(k_1, 2i64), 3i64)
//     for block_173: i64 < blocks_172 block {
//       for t_174: i64 < 3i64 thread {
//         let thread_175: i64 = add.i64(mul.i64(block_173, 3i64), t_174)
//         if lt.i64(thread_175, k_1) {
//           locks_33[thread_175] := 0i32
//         }
//       }
//     }
//     let blocks_35: i64 = min.i64(max.i64(quot.i64(add.i64(n_0, 3i64), 4i64), 1i64), 2i64)
//     let threads_36: i64 = mul.i64(blocks_35, 4i64)
//     let rounds_37: i64 = quot.i64(n_0, threads_36)
//     let rest_38: i64 = sub.i64(n_0, mul.i64(rounds_37, threads_36))
//     for block_40: i64 < blocks_35 block {
//       for t_41: i64 < 4i64 thread {
//         let thread_42: i64 = add.i64(mul.i64(block_40, 4i64), t_41)
//         let own_43: i64 = add.i64(rounds_37, select(lt.i64(thread_42, rest_38), 1i64, 0i64))
//         for k_44: i64 < own_43 seq {
//           let i_10: i64 = add.i64(thread_42, mul.i64(k_44, threads_36))
//           let e_21: i64 = is_2[i_10]
//           let f_22: i32 = xs_3[i_10]
//           if and.bool(le.i64(0i64, e_21), lt.i64(e_21, k_1)) {
//             lock locks_33[e_21] {
//               let value_46: i32 = h_8[e_21]
//               let value_47: i32 = g_9[e_21]
//               let x_15: i32 = mul.i32(value_46, f_22)
//               let y_16: i32 = mul.i32(value_47, 2i32)
//               let z_17: i32 = sub.i32(x_15, y_16)
//               let p_18: i32 = mul.i32(value_46, 2i32)
//               let q_19: i32 = mul.i32(value_47, f_22)
//               let o_20: i32 = add.i32(p_18, q_19)
//               h_8[e_21] := z_17
//               g_9[e_21] := o_20
//             }
//           }
//         }
//       }
//     }
//     free locks_mem_32
//   }
//   alloc v_mem_177: i32[k_1]
//   view to_178: i32 @ v_mem_177 -> 0 + {(k_1 : 1)}
//   view from_179: i32 @ v_mem_25 -> 0 + {(k_1 : 1)}
//   copy to_178 <- from_179
//   free v_mem_25
//   alloc w_mem_181: i32[k_1]
//   view to_182: i32 @ w_mem_181 -> 0 + {(k_1 : 1)}
//   view from_183: i32 @ w_mem_26 -> 0 + {(k_1 : 1)}
//   copy to_182 <- from_183
//   free w_mem_26
//   free is_mem_139
//   free xs_mem_143
//   return (v_mem_177, w_mem_181, k_1)
// }
