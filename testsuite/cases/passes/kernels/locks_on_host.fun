// case: pass introduce-memory lower-to-device-small simplify-imp kernels-small simplify-imp
// Each iteration decides the size of an array, so no thread can have it: the host does it all in order, where nobody waits for a lock.
entry main (n_0: i64) (is_1: [n_0]i64) : (r_2: [3i64]i64) (s_3: [3i64]i64) = {
  let (v_4: [3i64]i64) = replicate [3i64] 1i64
  let (w_5: [3i64]i64) = replicate [3i64] 0i64
  let (h_6: [3i64]i64) (g_7: [3i64]i64) = kernel (i_8 < n_0) hist \(a_9: i64) (b_10: i64) (c_11: i64) (d_12: i64) : i64, i64 {
    let (x_13: i64) = mul.i64 a_9 c_11
    let (y_14: i64) = mul.i64 b_10 d_12
    let (z_15: i64) = sub.i64 x_13 y_14
    let (p_16: i64) = mul.i64 a_9 d_12
    let (q_17: i64) = mul.i64 b_10 c_11
    let (o_18: i64) = add.i64 p_16 q_17
    in (z_15, o_18)
  } (1i64, 0i64) (v_4, w_5) {
    let (e_19: i64) = index is_1[i_8]
    let (m_20: i64) = max.i64 e_19 1i64
    let (a_21: [m_20]i64) = replicate [m_20] 5i64
    let (j_22: i64) = sub.i64 m_20 1i64
    let (f_23: i64) = index a_21[j_22]
    in (e_19, f_23, m_20)
  }
  in (h_6, g_7)
}
// ---
// entry proc main(n_0: i64, is_mem_24: mem): (mem, mem)
//   takes (i64 @ 0, i64[@0] @ 1)
//   gives (i64[3] @ 0, i64[3] @ 1)
// {
//   alloc is_mem_165: i64[n_0] in device
//   view to_166: i64 @ is_mem_165 -> 0 + {(n_0 : 1)}
//   view from_167: i64 @ is_mem_24 -> 0 + {(n_0 : 1)}
//   copy to_166 <- from_167
//   view is_1: i64 @ is_mem_165 -> 0 + {(n_0 : 1)}
//   alloc v_mem_25: i64[3i64] in device
//   view v_4: i64 @ v_mem_25 -> 0 + {(3 : 1)}
//   for block_170: i64 < 1i64 block {
//     for t_171: i64 < 3i64 thread {
//       let thread_172: i64 = add.i64(mul.i64(block_170, 3i64), t_171)
//       if lt.i64(thread_172, 3i64) {
//         v_4[thread_172] := 1i64
//       }
//     }
//   }
//   alloc w_mem_26: i64[3i64] in device
//   view w_5: i64 @ w_mem_26 -> 0 + {(3 : 1)}
//   for block_175: i64 < 1i64 block {
//     for t_176: i64 < 3i64 thread {
//       let thread_177: i64 = add.i64(mul.i64(block_175, 3i64), t_176)
//       if lt.i64(thread_177, 3i64) {
//         w_5[thread_177] := 0i64
//       }
//     }
//   }
//   view h_6: i64 @ v_mem_25 -> 0 + {(3 : 1)}
//   view g_7: i64 @ w_mem_26 -> 0 + {(3 : 1)}
//   let parts_49: i64 = max.i64(min.i64(quot.i64(mul.i64(n_0, 4i64), 3i64), 8i64), 1i64)
//   if ge.i64(parts_49, param "main.device.histogram_tables_1" 5) {
//     let all_50: i64 = mul.i64(3i64, parts_49)
//     alloc parts_mem_51: i64[3i64][parts_49] in device
//     view table_52: i64 @ parts_mem_51 -> 0 + {(3 : parts_49)(parts_49 : 1)}
//     alloc parts_mem_53: i64[3i64][parts_49] in device
//     view table_54: i64 @ parts_mem_53 -> 0 + {(3 : parts_49)(parts_49 : 1)}
//     view parts_55: i64 @ parts_mem_51 -> 0 + {(all_50 : 1)}
//     view parts_56: i64 @ parts_mem_53 -> 0 + {(all_50 : 1)}
//     let points_179: i64 = select(ge.i64(all_50, 5i64), 2i64, 1i64)
//     let span_180: i64 = mul.i64(points_179, 3i64)
//     let blocks_181: i64 = quot.i64(add.i64(all_50, sub.i64(span_180, 1i64)), span_180)
//     for block_182: i64 < blocks_181 block {
//       for t_183: i64 < 3i64 thread {
//         let first_point_184: i64 = add.i64(mul.i64(block_182, span_180), t_183)
//         let last_point_185: i64 = add.i64(first_point_184, 3i64)
//         if and.bool(eq.i64(points_179, 2i64), lt.i64(last_point_185, all_50)) {
//           let c_187: i64 = add.i64(first_point_184, 3i64)
//           parts_55[first_point_184] := 1i64
//           parts_56[first_point_184] := 0i64
//           parts_55[c_187] := 1i64
//           parts_56[c_187] := 0i64
//         } else {
//           for e_188: i64 < points_179 seq {
//             let c_57: i64 = add.i64(first_point_184, mul.i64(e_188, 3i64))
//             if lt.i64(c_57, all_50) {
//               parts_55[c_57] := 1i64
//               parts_56[c_57] := 0i64
//             }
//           }
//         }
//       }
//     }
//     for p_58: i64 < parts_49 seq {
//       for k_59: i64 < quot.i64(sub.i64(add.i64(n_0, sub.i64(parts_49, 1i64)), p_58), parts_49) seq {
//         let i_60: i64 = add.i64(p_58, mul.i64(k_59, parts_49))
//         let e_61: i64 = is_1[i_60]
//         let m_62: i64 = max.i64(e_61, 1i64)
//         alloc a_mem_63: i64[m_62] in device
//         view a_64: i64 @ a_mem_63 -> 0 + {(m_62 : 1)}
//         for block_189: i64 < 1i64 block {
//           for t_190: i64 < 1i64 thread {
//             for i_65: i64 < m_62 seq {
//               a_64[i_65] := 5i64
//             }
//           }
//         }
//         let j_66: i64 = sub.i64(m_62, 1i64)
//         let f_67: i64 = a_64[j_66]
//         free a_mem_63
//         if and.bool(le.i64(0i64, e_61), lt.i64(e_61, 3i64)) {
//           let value_69: i64 = table_52[e_61, p_58]
//           let value_70: i64 = table_54[e_61, p_58]
//           let x_71: i64 = mul.i64(value_69, f_67)
//           let y_72: i64 = mul.i64(value_70, m_62)
//           let z_73: i64 = sub.i64(x_71, y_72)
//           let p_74: i64 = mul.i64(value_69, m_62)
//           let q_75: i64 = mul.i64(value_70, f_67)
//           let o_76: i64 = add.i64(p_74, q_75)
//           table_52[e_61, p_58] := z_73
//           table_54[e_61, p_58] := o_76
//         }
//       }
//     }
//     if ge.i64(parts_49, param "main.device.segment_values_1" 2) {
//       let rounds_78: i64 = quot.i64(parts_49, 4i64)
//       let rest_79: i64 = sub.i64(parts_49, mul.i64(rounds_78, 4i64))
//       for block_77: i64 < 3i64 block {
//         alloc own_mem_81: i64[4i64] in register
//         view own_82: i64 @ own_mem_81 -> 0 + {(4 : 1)}
//         alloc own_mem_83: i64[4i64] in register
//         view own_84: i64 @ own_mem_83 -> 0 + {(4 : 1)}
//         alloc other_mem_85: i64[4i64] in register
//         view other_86: i64 @ other_mem_85 -> 0 + {(4 : 1)}
//         alloc other_mem_87: i64[4i64] in register
//         view other_88: i64 @ other_mem_87 -> 0 + {(4 : 1)}
//         alloc all_mem_89: i64[2i64] in shared
//         view all_90: i64 @ all_mem_89 -> 0 + {(2 : 1)}
//         alloc all_mem_91: i64[2i64] in shared
//         view all_92: i64 @ all_mem_91 -> 0 + {(2 : 1)}
//         for t_93: i64 < 4i64 thread {
//           let own_95: i64 = add.i64(rounds_78, select(lt.i64(t_93, rest_79), 1i64, 0i64))
//           var acc_96: i64 = 1i64
//           var acc_97: i64 = 0i64
//           for k_98: i64 < own_95 fold {
//             let value_99: i64 = table_52[block_77, add.i64(t_93, mul.i64(k_98, 4i64))]
//             let value_100: i64 = table_54[block_77, add.i64(t_93, mul.i64(k_98, 4i64))]
//             let x_101: i64 = mul.i64(acc_96, value_99)
//             let y_102: i64 = mul.i64(acc_97, value_100)
//             let z_103: i64 = sub.i64(x_101, y_102)
//             let p_104: i64 = mul.i64(acc_96, value_100)
//             let q_105: i64 = mul.i64(acc_97, value_99)
//             let o_106: i64 = add.i64(p_104, q_105)
//             acc_96 := z_103
//             acc_97 := o_106
//           }
//           own_82[t_93] := acc_96
//           own_84[t_93] := acc_97
//         }
//         for s_107: i64 < 1i64 seq {
//           let apart_108: i64 = shl.i64(1i64, s_107)
//           shuffle other_86 <- own_82 down apart_108 in 2
//           shuffle other_88 <- own_84 down apart_108 in 2
//           for t_109: i64 < 4i64 thread {
//             if eq.i64(and.i64(t_109, sub.i64(mul.i64(apart_108, 2i64), 1i64)), 0i64) {
//               let value_110: i64 = own_82[t_109]
//               let value_111: i64 = own_84[t_109]
//               let value_112: i64 = other_86[t_109]
//               let value_113: i64 = other_88[t_109]
//               let x_114: i64 = mul.i64(value_110, value_112)
//               let y_115: i64 = mul.i64(value_111, value_113)
//               let z_116: i64 = sub.i64(x_114, y_115)
//               let p_117: i64 = mul.i64(value_110, value_113)
//               let q_118: i64 = mul.i64(value_111, value_112)
//               let o_119: i64 = add.i64(p_117, q_118)
//               own_82[t_109] := z_116
//               own_84[t_109] := o_119
//             }
//           }
//         }
//         free other_mem_85
//         free other_mem_87
//         for t_120: i64 < 4i64 thread {
//           if eq.i64(and.i64(t_120, 1i64), 0i64) {
//             let group_121: i64 = shr.i64(t_120, 1i64)
//             let value_122: i64 = own_82[t_120]
//             let value_123: i64 = own_84[t_120]
//             all_90[group_121] := value_122
//             all_92[group_121] := value_123
//           }
//         }
//         free own_mem_81
//         free own_mem_83
//         for t_124: i64 < 4i64 thread {
//           if eq.i64(t_124, 0i64) {
//             var acc_125: i64 = 1i64
//             var acc_126: i64 = 0i64
//             for g_127: i64 < 2i64 seq {
//               let value_128: i64 = all_90[g_127]
//               let value_129: i64 = all_92[g_127]
//               let x_130: i64 = mul.i64(acc_125, value_128)
//               let y_131: i64 = mul.i64(acc_126, value_129)
//               let z_132: i64 = sub.i64(x_130, y_131)
//               let p_133: i64 = mul.i64(acc_125, value_129)
//               let q_134: i64 = mul.i64(acc_126, value_128)
//               let o_135: i64 = add.i64(p_133, q_134)
//               acc_125 := z_132
//               acc_126 := o_135
//             }
//             let value_136: i64 = h_6[block_77]
//             let value_137: i64 = g_7[block_77]
//             let x_138: i64 = mul.i64(value_136, acc_125)
//             let y_139: i64 = mul.i64(value_137, acc_126)
//             let z_140: i64 = sub.i64(x_138, y_139)
//             let p_141: i64 = mul.i64(value_136, acc_126)
//             let q_142: i64 = mul.i64(value_137, acc_125)
//             let o_143: i64 = add.i64(p_141, q_142)
//             h_6[block_77] := z_140
//             g_7[block_77] := o_143
//           }
//         }
//         free all_mem_89
//         free all_mem_91
//       }
//     } else {
//       for block_193: i64 < 2i64 block {
//         for t_194: i64 < 2i64 thread {
//           let thread_195: i64 = add.i64(mul.i64(block_193, 2i64), t_194)
//           if lt.i64(thread_195, 3i64) {
//             var acc_145: i64 = 1i64
//             var acc_146: i64 = 0i64
//             let value_147: i64 = h_6[thread_195]
//             let value_148: i64 = g_7[thread_195]
//             let x_149: i64 = mul.i64(acc_145, value_147)
//             let y_150: i64 = mul.i64(acc_146, value_148)
//             let z_151: i64 = sub.i64(x_149, y_150)
//             let p_152: i64 = mul.i64(acc_145, value_148)
//             let q_153: i64 = mul.i64(acc_146, value_147)
//             let o_154: i64 = add.i64(p_152, q_153)
//             acc_145 := z_151
//             acc_146 := o_154
//             for p_155: i64 < parts_49 fold {
//               let value_156: i64 = table_52[thread_195, p_155]
//               let value_157: i64 = table_54[thread_195, p_155]
//               let x_158: i64 = mul.i64(acc_145, value_156)
//               let y_159: i64 = mul.i64(acc_146, value_157)
//               let z_160: i64 = sub.i64(x_158, y_159)
//               let p_161: i64 = mul.i64(acc_145, value_157)
//               let q_162: i64 = mul.i64(acc_146, value_156)
//               let o_163: i64 = add.i64(p_161, q_162)
//               acc_145 := z_160
//               acc_146 := o_163
//             }
//             h_6[thread_195] := acc_145
//             g_7[thread_195] := acc_146
//           }
//         }
//       }
//     }
//     free parts_mem_51
//     free parts_mem_53
//   } else {
//     alloc locks_mem_32: i32[3i64] in device
//     let blocks_35: i64 = min.i64(max.i64(quot.i64(add.i64(n_0, 3i64), 4i64), 1i64), 2i64)
//     let threads_36: i64 = mul.i64(blocks_35, 4i64)
//     let rounds_37: i64 = quot.i64(n_0, threads_36)
//     let rest_38: i64 = sub.i64(n_0, mul.i64(rounds_37, threads_36))
//     for block_40: i64 < blocks_35 seq {
//       for t_41: i64 < 4i64 seq {
//         let thread_42: i64 = add.i64(mul.i64(block_40, 4i64), t_41)
//         let own_43: i64 = add.i64(rounds_37, select(lt.i64(thread_42, rest_38), 1i64, 0i64))
//         for k_44: i64 < own_43 seq {
//           let i_8: i64 = add.i64(thread_42, mul.i64(k_44, threads_36))
//           let e_19: i64 = is_1[i_8]
//           let m_20: i64 = max.i64(e_19, 1i64)
//           alloc a_mem_27: i64[m_20] in device
//           view a_21: i64 @ a_mem_27 -> 0 + {(m_20 : 1)}
//           for block_201: i64 < 1i64 block {
//             for t_202: i64 < 1i64 thread {
//               for i_45: i64 < m_20 seq {
//                 a_21[i_45] := 5i64
//               }
//             }
//           }
//           let j_22: i64 = sub.i64(m_20, 1i64)
//           let f_23: i64 = a_21[j_22]
//           free a_mem_27
//           if and.bool(le.i64(0i64, e_19), lt.i64(e_19, 3i64)) {
//             let value_47: i64 = h_6[e_19]
//             let value_48: i64 = g_7[e_19]
//             let x_13: i64 = mul.i64(value_47, f_23)
//             let y_14: i64 = mul.i64(value_48, m_20)
//             let z_15: i64 = sub.i64(x_13, y_14)
//             let p_16: i64 = mul.i64(value_47, m_20)
//             let q_17: i64 = mul.i64(value_48, f_23)
//             let o_18: i64 = add.i64(p_16, q_17)
//             h_6[e_19] := z_15
//             g_7[e_19] := o_18
//           }
//         }
//       }
//     }
//     free locks_mem_32
//   }
//   alloc v_mem_204: i64[3i64]
//   view to_205: i64 @ v_mem_204 -> 0 + {(3 : 1)}
//   view from_206: i64 @ v_mem_25 -> 0 + {(3 : 1)}
//   copy to_205 <- from_206
//   free v_mem_25
//   alloc w_mem_208: i64[3i64]
//   view to_209: i64 @ w_mem_208 -> 0 + {(3 : 1)}
//   view from_210: i64 @ w_mem_26 -> 0 + {(3 : 1)}
//   copy to_209 <- from_210
//   free w_mem_26
//   free is_mem_165
//   return (v_mem_204, w_mem_208)
// }
