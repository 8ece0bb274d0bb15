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
//   alloc is_mem_146: i64[n_0] in device
//   view to_147: i64 @ is_mem_146 -> 0 + {(n_0 : 1)}
//   view from_148: i64 @ is_mem_24 -> 0 + {(n_0 : 1)}
//   copy to_147 <- from_148
//   view is_1: i64 @ is_mem_146 -> 0 + {(n_0 : 1)}
//   alloc v_mem_25: i64[3i64] in device
//   view v_4: i64 @ v_mem_25 -> 0 + {(3 : 1)}
//   for block_151: i64 < 1i64 block {
//     for t_152: i64 < 3i64 thread {
//       let thread_153: i64 = add.i64(mul.i64(block_151, 3i64), t_152)
//       if lt.i64(thread_153, 3i64) {
//         v_4[thread_153] := 1i64
//       }
//     }
//   }
//   alloc w_mem_26: i64[3i64] in device
//   view w_5: i64 @ w_mem_26 -> 0 + {(3 : 1)}
//   for block_156: i64 < 1i64 block {
//     for t_157: i64 < 3i64 thread {
//       let thread_158: i64 = add.i64(mul.i64(block_156, 3i64), t_157)
//       if lt.i64(thread_158, 3i64) {
//         w_5[thread_158] := 0i64
//       }
//     }
//   }
//   view h_6: i64 @ v_mem_25 -> 0 + {(3 : 1)}
//   view g_7: i64 @ w_mem_26 -> 0 + {(3 : 1)}
//   let parts_32: i64 = min.i64(max.i64(quot.i64(mul.i64(n_0, 4i64), 3i64), 1i64), 8i64)
//   if ge.i64(parts_32, param "main.device.histogram_tables_1" 5) {
//     let all_50: i64 = mul.i64(3i64, parts_32)
//     alloc parts_mem_51: i64[3i64][parts_32] in device
//     view parts_52: i64 @ parts_mem_51 -> 0 + {(all_50 : 1)}
//     view table_53: i64 @ parts_mem_51 -> 0 + {(3 : parts_32)(parts_32 : 1)}
//     alloc parts_mem_54: i64[3i64][parts_32] in device
//     view parts_55: i64 @ parts_mem_54 -> 0 + {(all_50 : 1)}
//     view table_56: i64 @ parts_mem_54 -> 0 + {(3 : parts_32)(parts_32 : 1)}
//     let blocks_160: i64 = quot.i64(add.i64(all_50, 2i64), 3i64)
//     for block_161: i64 < blocks_160 block {
//       for t_162: i64 < 3i64 thread {
//         let thread_163: i64 = add.i64(mul.i64(block_161, 3i64), t_162)
//         if lt.i64(thread_163, all_50) {
//           parts_52[thread_163] := 1i64
//           parts_55[thread_163] := 0i64
//         }
//       }
//     }
//     for p_58: i64 < parts_32 seq {
//       for k_59: i64 < quot.i64(sub.i64(add.i64(n_0, sub.i64(parts_32, 1i64)), p_58), parts_32) seq {
//         let i_60: i64 = add.i64(p_58, mul.i64(k_59, parts_32))
//         let e_61: i64 = is_1[i_60]
//         let m_62: i64 = max.i64(e_61, 1i64)
//         alloc a_mem_63: i64[m_62] in device
//         view a_64: i64 @ a_mem_63 -> 0 + {(m_62 : 1)}
//         for block_164: i64 < 1i64 block {
//           for t_165: i64 < 1i64 thread {
//             for i_65: i64 < m_62 seq {
//               a_64[i_65] := 5i64
//             }
//           }
//         }
//         let j_66: i64 = sub.i64(m_62, 1i64)
//         let f_67: i64 = a_64[j_66]
//         free a_mem_63
//         if and.bool(le.i64(0i64, e_61), lt.i64(e_61, 3i64)) {
//           let value_69: i64 = table_53[e_61, p_58]
//           let value_70: i64 = table_56[e_61, p_58]
//           let x_71: i64 = mul.i64(value_69, f_67)
//           let y_72: i64 = mul.i64(value_70, m_62)
//           let z_73: i64 = sub.i64(x_71, y_72)
//           let p_74: i64 = mul.i64(value_69, m_62)
//           let q_75: i64 = mul.i64(value_70, f_67)
//           let o_76: i64 = add.i64(p_74, q_75)
//           table_53[e_61, p_58] := z_73
//           table_56[e_61, p_58] := o_76
//         }
//       }
//     }
//     if ge.i64(parts_32, param "main.device.segment_values_1" 2) {
//       let rounds_78: i64 = quot.i64(parts_32, 4i64)
//       let rest_79: i64 = sub.i64(parts_32, mul.i64(rounds_78, 4i64))
//       for block_77: i64 < 3i64 block {
//         alloc lanes_mem_81: i64[4i64] in shared
//         view lanes_82: i64 @ lanes_mem_81 -> 0 + {(4 : 1)}
//         alloc lanes_mem_83: i64[4i64] in shared
//         view lanes_84: i64 @ lanes_mem_83 -> 0 + {(4 : 1)}
//         for t_85: i64 < 4i64 thread {
//           let own_87: i64 = add.i64(rounds_78, select(lt.i64(t_85, rest_79), 1i64, 0i64))
//           var acc_88: i64 = 1i64
//           var acc_89: i64 = 0i64
//           for k_90: i64 < own_87 fold {
//             let value_91: i64 = table_53[block_77, add.i64(t_85, mul.i64(k_90, 4i64))]
//             let value_92: i64 = table_56[block_77, add.i64(t_85, mul.i64(k_90, 4i64))]
//             let x_93: i64 = mul.i64(acc_88, value_91)
//             let y_94: i64 = mul.i64(acc_89, value_92)
//             let z_95: i64 = sub.i64(x_93, y_94)
//             let p_96: i64 = mul.i64(acc_88, value_92)
//             let q_97: i64 = mul.i64(acc_89, value_91)
//             let o_98: i64 = add.i64(p_96, q_97)
//             acc_88 := z_95
//             acc_89 := o_98
//           }
//           lanes_82[t_85] := acc_88
//           lanes_84[t_85] := acc_89
//         }
//         for s_99: i64 < 2i64 seq {
//           let apart_100: i64 = shl.i64(1i64, s_99)
//           for t_101: i64 < 4i64 thread {
//             let left_102: i64 = mul.i64(t_101, mul.i64(apart_100, 2i64))
//             let right_103: i64 = add.i64(left_102, apart_100)
//             if lt.i64(right_103, 4i64) {
//               let value_104: i64 = lanes_82[left_102]
//               let value_105: i64 = lanes_84[left_102]
//               let value_106: i64 = lanes_82[right_103]
//               let value_107: i64 = lanes_84[right_103]
//               let x_108: i64 = mul.i64(value_104, value_106)
//               let y_109: i64 = mul.i64(value_105, value_107)
//               let z_110: i64 = sub.i64(x_108, y_109)
//               let p_111: i64 = mul.i64(value_104, value_107)
//               let q_112: i64 = mul.i64(value_105, value_106)
//               let o_113: i64 = add.i64(p_111, q_112)
//               lanes_82[left_102] := z_110
//               lanes_84[left_102] := o_113
//             }
//           }
//         }
//         for t_114: i64 < 4i64 thread {
//           if eq.i64(t_114, 0i64) {
//             let value_115: i64 = h_6[block_77]
//             let value_116: i64 = g_7[block_77]
//             let value_117: i64 = lanes_82[0i64]
//             let value_118: i64 = lanes_84[0i64]
//             let x_119: i64 = mul.i64(value_115, value_117)
//             let y_120: i64 = mul.i64(value_116, value_118)
//             let z_121: i64 = sub.i64(x_119, y_120)
//             let p_122: i64 = mul.i64(value_115, value_118)
//             let q_123: i64 = mul.i64(value_116, value_117)
//             let o_124: i64 = add.i64(p_122, q_123)
//             h_6[block_77] := z_121
//             g_7[block_77] := o_124
//           }
//         }
//         free lanes_mem_81
//         free lanes_mem_83
//       }
//     } else {
//       for block_168: i64 < 1i64 block {
//         for t_169: i64 < 3i64 thread {
//           let thread_170: i64 = add.i64(mul.i64(block_168, 3i64), t_169)
//           if lt.i64(thread_170, 3i64) {
//             var acc_126: i64 = 1i64
//             var acc_127: i64 = 0i64
//             let value_128: i64 = h_6[thread_170]
//             let value_129: i64 = g_7[thread_170]
//             let x_130: i64 = mul.i64(acc_126, value_128)
//             let y_131: i64 = mul.i64(acc_127, value_129)
//             let z_132: i64 = sub.i64(x_130, y_131)
//             let p_133: i64 = mul.i64(acc_126, value_129)
//             let q_134: i64 = mul.i64(acc_127, value_128)
//             let o_135: i64 = add.i64(p_133, q_134)
//             acc_126 := z_132
//             acc_127 := o_135
//             for p_136: i64 < parts_32 fold {
//               let value_137: i64 = table_53[thread_170, p_136]
//               let value_138: i64 = table_56[thread_170, p_136]
//               let x_139: i64 = mul.i64(acc_126, value_137)
//               let y_140: i64 = mul.i64(acc_127, value_138)
//               let z_141: i64 = sub.i64(x_139, y_140)
//               let p_142: i64 = mul.i64(acc_126, value_138)
//               let q_143: i64 = mul.i64(acc_127, value_137)
//               let o_144: i64 = add.i64(p_142, q_143)
//               acc_126 := z_141
//               acc_127 := o_144
//             }
//             h_6[thread_170] := acc_126
//             g_7[thread_170] := acc_127
//           }
//         }
//       }
//     }
//     free parts_mem_51
//     free parts_mem_54
//   } else {
//     alloc locks_mem_33: i32[3i64] in device
//     let blocks_36: i64 = min.i64(max.i64(quot.i64(add.i64(n_0, 3i64), 4i64), 1i64), 2i64)
//     let threads_37: i64 = mul.i64(blocks_36, 4i64)
//     let rounds_38: i64 = quot.i64(n_0, threads_37)
//     let rest_39: i64 = sub.i64(n_0, mul.i64(rounds_38, threads_37))
//     for block_41: i64 < blocks_36 seq {
//       for t_42: i64 < 4i64 seq {
//         let thread_43: i64 = add.i64(mul.i64(block_41, 4i64), t_42)
//         let own_44: i64 = add.i64(rounds_38, select(lt.i64(thread_43, rest_39), 1i64, 0i64))
//         for k_45: i64 < own_44 seq {
//           let i_8: i64 = add.i64(thread_43, mul.i64(k_45, threads_37))
//           let e_19: i64 = is_1[i_8]
//           let m_20: i64 = max.i64(e_19, 1i64)
//           alloc a_mem_27: i64[m_20] in device
//           view a_21: i64 @ a_mem_27 -> 0 + {(m_20 : 1)}
//           for block_176: i64 < 1i64 block {
//             for t_177: i64 < 1i64 thread {
//               for i_46: i64 < m_20 seq {
//                 a_21[i_46] := 5i64
//               }
//             }
//           }
//           let j_22: i64 = sub.i64(m_20, 1i64)
//           let f_23: i64 = a_21[j_22]
//           free a_mem_27
//           if and.bool(le.i64(0i64, e_19), lt.i64(e_19, 3i64)) {
//             let value_48: i64 = h_6[e_19]
//             let value_49: i64 = g_7[e_19]
//             let x_13: i64 = mul.i64(value_48, f_23)
//             let y_14: i64 = mul.i64(value_49, m_20)
//             let z_15: i64 = sub.i64(x_13, y_14)
//             let p_16: i64 = mul.i64(value_48, m_20)
//             let q_17: i64 = mul.i64(value_49, f_23)
//             let o_18: i64 = add.i64(p_16, q_17)
//             h_6[e_19] := z_15
//             g_7[e_19] := o_18
//           }
//         }
//       }
//     }
//     free locks_mem_33
//   }
//   alloc v_mem_179: i64[3i64]
//   view to_180: i64 @ v_mem_179 -> 0 + {(3 : 1)}
//   view from_181: i64 @ v_mem_25 -> 0 + {(3 : 1)}
//   copy to_180 <- from_181
//   free v_mem_25
//   alloc w_mem_183: i64[3i64]
//   view to_184: i64 @ w_mem_183 -> 0 + {(3 : 1)}
//   view from_185: i64 @ w_mem_26 -> 0 + {(3 : 1)}
//   copy to_184 <- from_185
//   free w_mem_26
//   free is_mem_146
//   return (v_mem_179, w_mem_183)
// }
