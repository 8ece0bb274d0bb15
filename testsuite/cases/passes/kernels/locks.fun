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
//   alloc is_mem_158: i64[n_0] in device
//   view to_159: i64 @ is_mem_158 -> 0 + {(n_0 : 1)}
//   view from_160: i64 @ is_mem_23 -> 0 + {(n_0 : 1)}
//   copy to_159 <- from_160
//   alloc xs_mem_162: i32[n_0] in device
//   view to_163: i32 @ xs_mem_162 -> 0 + {(n_0 : 1)}
//   view from_164: i32 @ xs_mem_24 -> 0 + {(n_0 : 1)}
//   copy to_163 <- from_164
//   view is_2: i64 @ is_mem_158 -> 0 + {(n_0 : 1)}
//   view xs_3: i32 @ xs_mem_162 -> 0 + {(n_0 : 1)}
//   alloc v_mem_25: i32[k_1] in device
//   view v_6: i32 @ v_mem_25 -> 0 + {(k_1 : 1)}
//   let blocks_166: i64 = quot.i64(add.i64(k_1, 2i64), 3i64)
//   for block_167: i64 < blocks_166 block {
//     for t_168: i64 < 3i64 thread {
//       let thread_169: i64 = add.i64(mul.i64(block_167, 3i64), t_168)
//       if lt.i64(thread_169, k_1) {
//         v_6[thread_169] := 1i32
//       }
//     }
//   }
//   alloc w_mem_26: i32[k_1] in device
//   view w_7: i32 @ w_mem_26 -> 0 + {(k_1 : 1)}
//   let blocks_171: i64 = quot.i64(add.i64(k_1, 2i64), 3i64)
//   for block_172: i64 < blocks_171 block {
//     for t_173: i64 < 3i64 thread {
//       let thread_174: i64 = add.i64(mul.i64(block_172, 3i64), t_173)
//       if lt.i64(thread_174, k_1) {
//         w_7[thread_174] := 0i32
//       }
//     }
//   }
//   view h_8: i32 @ v_mem_25 -> 0 + {(k_1 : 1)}
//   view g_9: i32 @ w_mem_26 -> 0 + {(k_1 : 1)}
//   let parts_47: i64 = max.i64(min.i64(quot.i64(mul.i64(n_0, 4i64), max.i64(k_1, 1i64)), 8i64), 1i64)
//   if ge.i64(parts_47, param "main.device.histogram_tables_1" 5) {
//     let all_48: i64 = mul.i64(k_1, parts_47)
//     alloc parts_mem_49: i32[k_1][parts_47] in device
//     view parts_50: i32 @ parts_mem_49 -> 0 + {(all_48 : 1)}
//     view table_51: i32 @ parts_mem_49 -> 0 + {(k_1 : parts_47)(parts_47 : 1)}
//     alloc parts_mem_52: i32[k_1][parts_47] in device
//     view parts_53: i32 @ parts_mem_52 -> 0 + {(all_48 : 1)}
//     view table_54: i32 @ parts_mem_52 -> 0 + {(k_1 : parts_47)(parts_47 : 1)}
//     let blocks_176: i64 = quot.i64(add.i64(all_48, 2i64), 3i64)
//     for block_177: i64 < blocks_176 block {
//       for t_178: i64 < 3i64 thread {
//         let thread_179: i64 = add.i64(mul.i64(block_177, 3i64), t_178)
//         if lt.i64(thread_179, all_48) {
//           parts_50[thread_179] := 1i32
//           parts_53[thread_179] := 0i32
//         }
//       }
//     }
//     let blocks_181: i64 = quot.i64(add.i64(parts_47, 1i64), 2i64)
//     for block_182: i64 < blocks_181 block {
//       for t_183: i64 < 2i64 thread {
//         let thread_184: i64 = add.i64(mul.i64(block_182, 2i64), t_183)
//         if lt.i64(thread_184, parts_47) {
//           for k_57: i64 < quot.i64(sub.i64(add.i64(n_0, sub.i64(parts_47, 1i64)), thread_184), parts_47) seq {
//             let i_58: i64 = add.i64(thread_184, mul.i64(k_57, parts_47))
//             let e_59: i64 = is_2[i_58]
//             let f_60: i32 = xs_3[i_58]
//             if and.bool(le.i64(0i64, e_59), lt.i64(e_59, k_1)) {
//               let value_62: i32 = table_51[e_59, thread_184]
//               let value_63: i32 = table_54[e_59, thread_184]
//               let x_64: i32 = mul.i32(value_62, f_60)
//               let y_65: i32 = mul.i32(value_63, 2i32)
//               let z_66: i32 = sub.i32(x_64, y_65)
//               let p_67: i32 = mul.i32(value_62, 2i32)
//               let q_68: i32 = mul.i32(value_63, f_60)
//               let o_69: i32 = add.i32(p_67, q_68)
//               table_51[e_59, thread_184] := z_66
//               table_54[e_59, thread_184] := o_69
//             }
//           }
//         }
//       }
//     }
//     if ge.i64(parts_47, param "main.device.segment_values_1" 2) {
//       let rounds_71: i64 = quot.i64(parts_47, 4i64)
//       let rest_72: i64 = sub.i64(parts_47, mul.i64(rounds_71, 4i64))
//       for block_70: i64 < k_1 block {
//         alloc own_mem_74: i32[4i64] in register
//         view own_75: i32 @ own_mem_74 -> 0 + {(4 : 1)}
//         alloc own_mem_76: i32[4i64] in register
//         view own_77: i32 @ own_mem_76 -> 0 + {(4 : 1)}
//         alloc other_mem_78: i32[4i64] in register
//         view other_79: i32 @ other_mem_78 -> 0 + {(4 : 1)}
//         alloc other_mem_80: i32[4i64] in register
//         view other_81: i32 @ other_mem_80 -> 0 + {(4 : 1)}
//         alloc all_mem_82: i32[2i64] in shared
//         view all_83: i32 @ all_mem_82 -> 0 + {(2 : 1)}
//         alloc all_mem_84: i32[2i64] in shared
//         view all_85: i32 @ all_mem_84 -> 0 + {(2 : 1)}
//         for t_86: i64 < 4i64 thread {
//           let own_88: i64 = add.i64(rounds_71, select(lt.i64(t_86, rest_72), 1i64, 0i64))
//           var acc_89: i32 = 1i32
//           var acc_90: i32 = 0i32
//           for k_91: i64 < own_88 fold {
//             let value_92: i32 = table_51[block_70, add.i64(t_86, mul.i64(k_91, 4i64))]
//             let value_93: i32 = table_54[block_70, add.i64(t_86, mul.i64(k_91, 4i64))]
//             let x_94: i32 = mul.i32(acc_89, value_92)
//             let y_95: i32 = mul.i32(acc_90, value_93)
//             let z_96: i32 = sub.i32(x_94, y_95)
//             let p_97: i32 = mul.i32(acc_89, value_93)
//             let q_98: i32 = mul.i32(acc_90, value_92)
//             let o_99: i32 = add.i32(p_97, q_98)
//             acc_89 := z_96
//             acc_90 := o_99
//           }
//           own_75[t_86] := acc_89
//           own_77[t_86] := acc_90
//         }
//         for s_100: i64 < 1i64 seq {
//           let apart_101: i64 = shl.i64(1i64, s_100)
//           shuffle other_79 <- own_75 down apart_101 in 2
//           shuffle other_81 <- own_77 down apart_101 in 2
//           for t_102: i64 < 4i64 thread {
//             if eq.i64(and.i64(t_102, sub.i64(mul.i64(apart_101, 2i64), 1i64)), 0i64) {
//               let value_103: i32 = own_75[t_102]
//               let value_104: i32 = own_77[t_102]
//               let value_105: i32 = other_79[t_102]
//               let value_106: i32 = other_81[t_102]
//               let x_107: i32 = mul.i32(value_103, value_105)
//               let y_108: i32 = mul.i32(value_104, value_106)
//               let z_109: i32 = sub.i32(x_107, y_108)
//               let p_110: i32 = mul.i32(value_103, value_106)
//               let q_111: i32 = mul.i32(value_104, value_105)
//               let o_112: i32 = add.i32(p_110, q_111)
//               own_75[t_102] := z_109
//               own_77[t_102] := o_112
//             }
//           }
//         }
//         free other_mem_78
//         free other_mem_80
//         for t_113: i64 < 4i64 thread {
//           if eq.i64(and.i64(t_113, 1i64), 0i64) {
//             let group_114: i64 = shr.i64(t_113, 1i64)
//             let value_115: i32 = own_75[t_113]
//             let value_116: i32 = own_77[t_113]
//             all_83[group_114] := value_115
//             all_85[group_114] := value_116
//           }
//         }
//         free own_mem_74
//         free own_mem_76
//         for t_117: i64 < 4i64 thread {
//           if eq.i64(t_117, 0i64) {
//             var acc_118: i32 = 1i32
//             var acc_119: i32 = 0i32
//             for g_120: i64 < 2i64 seq {
//               let value_121: i32 = all_83[g_120]
//               let value_122: i32 = all_85[g_120]
//               let x_123: i32 = mul.i32(acc_118, value_121)
//               let y_124: i32 = mul.i32(acc_119, value_122)
//               let z_125: i32 = sub.i32(x_123, y_124)
//               let p_126: i32 = mul.i32(acc_118, value_122)
//               let q_127: i32 = mul.i32(acc_119, value_121)
//               let o_128: i32 = add.i32(p_126, q_127)
//               acc_118 := z_125
//               acc_119 := o_128
//             }
//             let value_129: i32 = h_8[block_70]
//             let value_130: i32 = g_9[block_70]
//             let x_131: i32 = mul.i32(value_129, acc_118)
//             let y_132: i32 = mul.i32(value_130, acc_119)
//             let z_133: i32 = sub.i32(x_131, y_132)
//             let p_134: i32 = mul.i32(value_129, acc_119)
//             let q_135: i32 = mul.i32(value_130, acc_118)
//             let o_136: i32 = add.i32(p_134, q_135)
//             h_8[block_70] := z_133
//             g_9[block_70] := o_136
//           }
//         }
//         free all_mem_82
//         free all_mem_84
//       }
//     } else {
//       let blocks_186: i64 = quot.i64(add.i64(k_1, 1i64), 2i64)
//       for block_187: i64 < blocks_186 block {
//         for t_188: i64 < 2i64 thread {
//           let thread_189: i64 = add.i64(mul.i64(block_187, 2i64), t_188)
//           if lt.i64(thread_189, k_1) {
//             var acc_138: i32 = 1i32
//             var acc_139: i32 = 0i32
//             let value_140: i32 = h_8[thread_189]
//             let value_141: i32 = g_9[thread_189]
//             let x_142: i32 = mul.i32(acc_138, value_140)
//             let y_143: i32 = mul.i32(acc_139, value_141)
//             let z_144: i32 = sub.i32(x_142, y_143)
//             let p_145: i32 = mul.i32(acc_138, value_141)
//             let q_146: i32 = mul.i32(acc_139, value_140)
//             let o_147: i32 = add.i32(p_145, q_146)
//             acc_138 := z_144
//             acc_139 := o_147
//             for p_148: i64 < parts_47 fold {
//               let value_149: i32 = table_51[thread_189, p_148]
//               let value_150: i32 = table_54[thread_189, p_148]
//               let x_151: i32 = mul.i32(acc_138, value_149)
//               let y_152: i32 = mul.i32(acc_139, value_150)
//               let z_153: i32 = sub.i32(x_151, y_152)
//               let p_154: i32 = mul.i32(acc_138, value_150)
//               let q_155: i32 = mul.i32(acc_139, value_149)
//               let o_156: i32 = add.i32(p_154, q_155)
//               acc_138 := z_153
//               acc_139 := o_156
//             }
//             h_8[thread_189] := acc_138
//             g_9[thread_189] := acc_139
//           }
//         }
//       }
//     }
//     free parts_mem_49
//     free parts_mem_52
//   } else {
//     alloc locks_mem_31: i32[k_1] in device
//     view locks_32: i32 @ locks_mem_31 -> 0 + {(k_1 : 1)}
//     let blocks_191: i64 = quot.i64(add.i64(k_1, 2i64), 3i64)
//     for block_192: i64 < blocks_191 block {
//       for t_193: i64 < 3i64 thread {
//         let thread_194: i64 = add.i64(mul.i64(block_192, 3i64), t_193)
//         if lt.i64(thread_194, k_1) {
//           locks_32[thread_194] := 0i32
//         }
//       }
//     }
//     let blocks_34: i64 = min.i64(max.i64(quot.i64(add.i64(n_0, 3i64), 4i64), 1i64), 2i64)
//     let threads_35: i64 = mul.i64(blocks_34, 4i64)
//     let rounds_36: i64 = quot.i64(n_0, threads_35)
//     let rest_37: i64 = sub.i64(n_0, mul.i64(rounds_36, threads_35))
//     for block_39: i64 < blocks_34 block {
//       for t_40: i64 < 4i64 thread {
//         let thread_41: i64 = add.i64(mul.i64(block_39, 4i64), t_40)
//         let own_42: i64 = add.i64(rounds_36, select(lt.i64(thread_41, rest_37), 1i64, 0i64))
//         for k_43: i64 < own_42 seq {
//           let i_10: i64 = add.i64(thread_41, mul.i64(k_43, threads_35))
//           let e_21: i64 = is_2[i_10]
//           let f_22: i32 = xs_3[i_10]
//           if and.bool(le.i64(0i64, e_21), lt.i64(e_21, k_1)) {
//             lock locks_32[e_21] {
//               let value_45: i32 = h_8[e_21]
//               let value_46: i32 = g_9[e_21]
//               let x_15: i32 = mul.i32(value_45, f_22)
//               let y_16: i32 = mul.i32(value_46, 2i32)
//               let z_17: i32 = sub.i32(x_15, y_16)
//               let p_18: i32 = mul.i32(value_45, 2i32)
//               let q_19: i32 = mul.i32(value_46, f_22)
//               let o_20: i32 = add.i32(p_18, q_19)
//               h_8[e_21] := z_17
//               g_9[e_21] := o_20
//             }
//           }
//         }
//       }
//     }
//     free locks_mem_31
//   }
//   alloc v_mem_196: i32[k_1]
//   view to_197: i32 @ v_mem_196 -> 0 + {(k_1 : 1)}
//   view from_198: i32 @ v_mem_25 -> 0 + {(k_1 : 1)}
//   copy to_197 <- from_198
//   free v_mem_25
//   alloc w_mem_200: i32[k_1]
//   view to_201: i32 @ w_mem_200 -> 0 + {(k_1 : 1)}
//   view from_202: i32 @ w_mem_26 -> 0 + {(k_1 : 1)}
//   copy to_201 <- from_202
//   free w_mem_26
//   free is_mem_158
//   free xs_mem_162
//   return (v_mem_196, w_mem_200, k_1)
// }
