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
//   alloc is_mem_328: i64[n_0] in device
//   view to_329: i64 @ is_mem_328 -> 0 + {(n_0 : 1)}
//   view from_330: i64 @ is_mem_23 -> 0 + {(n_0 : 1)}
//   copy to_329 <- from_330
//   alloc xs_mem_332: i32[n_0] in device
//   view to_333: i32 @ xs_mem_332 -> 0 + {(n_0 : 1)}
//   view from_334: i32 @ xs_mem_24 -> 0 + {(n_0 : 1)}
//   copy to_333 <- from_334
//   view is_2: i64 @ is_mem_328 -> 0 + {(n_0 : 1)}
//   view xs_3: i32 @ xs_mem_332 -> 0 + {(n_0 : 1)}
//   alloc v_mem_25: i32[k_1] in device
//   view v_6: i32 @ v_mem_25 -> 0 + {(k_1 : 1)}
//   let points_336: i64 = select(ge.i64(k_1, 5i64), 2i64, 1i64)
//   let span_337: i64 = mul.i64(points_336, 3i64)
//   let blocks_338: i64 = quot.i64(add.i64(k_1, sub.i64(span_337, 1i64)), span_337)
//   for block_339: i64 < blocks_338 block {
//     for t_340: i64 < 3i64 thread {
//       let first_point_341: i64 = add.i64(mul.i64(block_339, span_337), t_340)
//       let last_point_342: i64 = add.i64(first_point_341, 3i64)
//       if and.bool(eq.i64(points_336, 2i64), lt.i64(last_point_342, k_1)) {
//         let i_344: i64 = add.i64(first_point_341, 3i64)
//         v_6[first_point_341] := 1i32
//         v_6[i_344] := 1i32
//       } else {
//         for e_345: i64 < points_336 seq {
//           let i_29: i64 = add.i64(first_point_341, mul.i64(e_345, 3i64))
//           if lt.i64(i_29, k_1) {
//             v_6[i_29] := 1i32
//           }
//         }
//       }
//     }
//   }
//   alloc w_mem_26: i32[k_1] in device
//   view w_7: i32 @ w_mem_26 -> 0 + {(k_1 : 1)}
//   let points_347: i64 = select(ge.i64(k_1, 5i64), 2i64, 1i64)
//   let span_348: i64 = mul.i64(points_347, 3i64)
//   let blocks_349: i64 = quot.i64(add.i64(k_1, sub.i64(span_348, 1i64)), span_348)
//   for block_350: i64 < blocks_349 block {
//     for t_351: i64 < 3i64 thread {
//       let first_point_352: i64 = add.i64(mul.i64(block_350, span_348), t_351)
//       let last_point_353: i64 = add.i64(first_point_352, 3i64)
//       if and.bool(eq.i64(points_347, 2i64), lt.i64(last_point_353, k_1)) {
//         let i_355: i64 = add.i64(first_point_352, 3i64)
//         w_7[first_point_352] := 0i32
//         w_7[i_355] := 0i32
//       } else {
//         for e_356: i64 < points_347 seq {
//           let i_30: i64 = add.i64(first_point_352, mul.i64(e_356, 3i64))
//           if lt.i64(i_30, k_1) {
//             w_7[i_30] := 0i32
//           }
//         }
//       }
//     }
//   }
//   view h_8: i32 @ v_mem_25 -> 0 + {(k_1 : 1)}
//   view g_9: i32 @ w_mem_26 -> 0 + {(k_1 : 1)}
//   if le.i64(k_1, 2i64) {
//     let parts_31: i64 = max.i64(min.i64(quot.i64(n_0, 2i64), 2i64), 1i64)
//     let threads_32: i64 = mul.i64(parts_31, 2i64)
//     let rounds_33: i64 = quot.i64(n_0, threads_32)
//     let rest_34: i64 = sub.i64(n_0, mul.i64(rounds_33, threads_32))
//     alloc parts_mem_36: i32[k_1][parts_31] in device
//     view table_37: i32 @ parts_mem_36 -> 0 + {(k_1 : parts_31)(parts_31 : 1)}
//     alloc parts_mem_38: i32[k_1][parts_31] in device
//     view table_39: i32 @ parts_mem_38 -> 0 + {(k_1 : parts_31)(parts_31 : 1)}
//     for block_40: i64 < parts_31 block {
//       alloc own_mem_41: i32[2i64][2i64] in shared
//       view own_42: i32 @ own_mem_41 -> 0 + {(2 : 2)(2 : 1)}
//       alloc own_mem_43: i32[2i64][2i64] in shared
//       view own_44: i32 @ own_mem_43 -> 0 + {(2 : 2)(2 : 1)}
//       for t_45: i64 < 2i64 thread {
//         for c_46: i64 < k_1 seq {
//           own_42[c_46, t_45] := 1i32
//           own_44[c_46, t_45] := 0i32
//         }
//         let thread_47: i64 = add.i64(mul.i64(block_40, 2i64), t_45)
//         let own_48: i64 = add.i64(rounds_33, select(lt.i64(thread_47, rest_34), 1i64, 0i64))
//         alloc found_mem_53: i32[2i64] in stack
//         view found_54: i32 @ found_mem_53 -> 0 + {(2 : 1)}
//         alloc found_mem_55: i32[2i64] in stack
//         view found_56: i32 @ found_mem_55 -> 0 + {(2 : 1)}
//         alloc places_mem_57: i64[2i64] in stack
//         view places_58: i64 @ places_mem_57 -> 0 + {(2 : 1)}
//         let full_59: i64 = quot.i64(own_48, 2i64)
//         for r_60: i64 < full_59 seq {
//           for u_61: i64 < 2i64 unroll {
//             let i_62: i64 = add.i64(thread_47, mul.i64(add.i64(mul.i64(r_60, 2i64), u_61), threads_32))
//             let e_63: i64 = is_2[i_62]
//             let f_64: i32 = xs_3[i_62]
//             places_58[u_61] := e_63
//             found_54[u_61] := f_64
//             found_56[u_61] := 2i32
//           }
//           for u_65: i64 < 2i64 unroll {
//             let at_66: i64 = places_58[u_65]
//             if and.bool(le.i64(0i64, at_66), lt.i64(at_66, k_1)) {
//               let value_67: i32 = found_54[u_65]
//               let value_68: i32 = found_56[u_65]
//               let value_69: i32 = own_42[at_66, t_45]
//               let value_70: i32 = own_44[at_66, t_45]
//               let x_71: i32 = mul.i32(value_69, value_67)
//               let y_72: i32 = mul.i32(value_70, value_68)
//               let z_73: i32 = sub.i32(x_71, y_72)
//               let p_74: i32 = mul.i32(value_69, value_68)
//               let q_75: i32 = mul.i32(value_70, value_67)
//               let o_76: i32 = add.i32(p_74, q_75)
//               own_42[at_66, t_45] := z_73
//               own_44[at_66, t_45] := o_76
//             }
//           }
//         }
//         free found_mem_53
//         free found_mem_55
//         free places_mem_57
//         for k_77: i64 < sub.i64(own_48, mul.i64(full_59, 2i64)) seq {
//           let i_78: i64 = add.i64(thread_47, mul.i64(add.i64(mul.i64(full_59, 2i64), k_77), threads_32))
//           let e_79: i64 = is_2[i_78]
//           let f_80: i32 = xs_3[i_78]
//           if and.bool(le.i64(0i64, e_79), lt.i64(e_79, k_1)) {
//             let value_82: i32 = own_42[e_79, t_45]
//             let value_83: i32 = own_44[e_79, t_45]
//             let x_84: i32 = mul.i32(value_82, f_80)
//             let y_85: i32 = mul.i32(value_83, 2i32)
//             let z_86: i32 = sub.i32(x_84, y_85)
//             let p_87: i32 = mul.i32(value_82, 2i32)
//             let q_88: i32 = mul.i32(value_83, f_80)
//             let o_89: i32 = add.i32(p_87, q_88)
//             own_42[e_79, t_45] := z_86
//             own_44[e_79, t_45] := o_89
//           }
//         }
//       }
//       for t_90: i64 < 2i64 thread {
//         for k_91: i64 < quot.i64(sub.i64(add.i64(k_1, 1i64), t_90), 2i64) seq {
//           let cell_92: i64 = add.i64(t_90, mul.i64(k_91, 2i64))
//           var acc_93: i32 = 1i32
//           var acc_94: i32 = 0i32
//           for s_95: i64 < 2i64 fold {
//             let at_96: i64 = and.i64(add.i64(s_95, t_90), 1i64)
//             let value_97: i32 = own_42[cell_92, at_96]
//             let value_98: i32 = own_44[cell_92, at_96]
//             let x_99: i32 = mul.i32(acc_93, value_97)
//             let y_100: i32 = mul.i32(acc_94, value_98)
//             let z_101: i32 = sub.i32(x_99, y_100)
//             let p_102: i32 = mul.i32(acc_93, value_98)
//             let q_103: i32 = mul.i32(acc_94, value_97)
//             let o_104: i32 = add.i32(p_102, q_103)
//             acc_93 := z_101
//             acc_94 := o_104
//           }
//           table_37[cell_92, block_40] := acc_93
//           table_39[cell_92, block_40] := acc_94
//         }
//       }
//       free own_mem_41
//       free own_mem_43
//     }
//     if ge.i64(parts_31, param "main.device.segment_values_1" 2) {
//       let rounds_106: i64 = quot.i64(parts_31, 4i64)
//       let rest_107: i64 = sub.i64(parts_31, mul.i64(rounds_106, 4i64))
//       for block_105: i64 < k_1 block {
//         alloc own_mem_109: i32[4i64] in register
//         view own_110: i32 @ own_mem_109 -> 0 + {(4 : 1)}
//         alloc own_mem_111: i32[4i64] in register
//         view own_112: i32 @ own_mem_111 -> 0 + {(4 : 1)}
//         alloc other_mem_113: i32[4i64] in register
//         view other_114: i32 @ other_mem_113 -> 0 + {(4 : 1)}
//         alloc other_mem_115: i32[4i64] in register
//         view other_116: i32 @ other_mem_115 -> 0 + {(4 : 1)}
//         alloc all_mem_117: i32[2i64] in shared
//         view all_118: i32 @ all_mem_117 -> 0 + {(2 : 1)}
//         alloc all_mem_119: i32[2i64] in shared
//         view all_120: i32 @ all_mem_119 -> 0 + {(2 : 1)}
//         for t_121: i64 < 4i64 thread {
//           let own_123: i64 = add.i64(rounds_106, select(lt.i64(t_121, rest_107), 1i64, 0i64))
//           var acc_124: i32 = 1i32
//           var acc_125: i32 = 0i32
//           for k_126: i64 < own_123 fold {
//             let value_127: i32 = table_37[block_105, add.i64(t_121, mul.i64(k_126, 4i64))]
//             let value_128: i32 = table_39[block_105, add.i64(t_121, mul.i64(k_126, 4i64))]
//             let x_129: i32 = mul.i32(acc_124, value_127)
//             let y_130: i32 = mul.i32(acc_125, value_128)
//             let z_131: i32 = sub.i32(x_129, y_130)
//             let p_132: i32 = mul.i32(acc_124, value_128)
//             let q_133: i32 = mul.i32(acc_125, value_127)
//             let o_134: i32 = add.i32(p_132, q_133)
//             acc_124 := z_131
//             acc_125 := o_134
//           }
//           own_110[t_121] := acc_124
//           own_112[t_121] := acc_125
//         }
//         for s_135: i64 < 1i64 seq {
//           let apart_136: i64 = shl.i64(1i64, s_135)
//           shuffle other_114 <- own_110 down apart_136 in 2
//           shuffle other_116 <- own_112 down apart_136 in 2
//           for t_137: i64 < 4i64 thread {
//             if eq.i64(and.i64(t_137, sub.i64(mul.i64(apart_136, 2i64), 1i64)), 0i64) {
//               let value_138: i32 = own_110[t_137]
//               let value_139: i32 = own_112[t_137]
//               let value_140: i32 = other_114[t_137]
//               let value_141: i32 = other_116[t_137]
//               let x_142: i32 = mul.i32(value_138, value_140)
//               let y_143: i32 = mul.i32(value_139, value_141)
//               let z_144: i32 = sub.i32(x_142, y_143)
//               let p_145: i32 = mul.i32(value_138, value_141)
//               let q_146: i32 = mul.i32(value_139, value_140)
//               let o_147: i32 = add.i32(p_145, q_146)
//               own_110[t_137] := z_144
//               own_112[t_137] := o_147
//             }
//           }
//         }
//         free other_mem_113
//         free other_mem_115
//         for t_148: i64 < 4i64 thread {
//           if eq.i64(and.i64(t_148, 1i64), 0i64) {
//             let group_149: i64 = shr.i64(t_148, 1i64)
//             let value_150: i32 = own_110[t_148]
//             let value_151: i32 = own_112[t_148]
//             all_118[group_149] := value_150
//             all_120[group_149] := value_151
//           }
//         }
//         free own_mem_109
//         free own_mem_111
//         for t_152: i64 < 4i64 thread {
//           if eq.i64(t_152, 0i64) {
//             var acc_153: i32 = 1i32
//             var acc_154: i32 = 0i32
//             for g_155: i64 < 2i64 seq {
//               let value_156: i32 = all_118[g_155]
//               let value_157: i32 = all_120[g_155]
//               let x_158: i32 = mul.i32(acc_153, value_156)
//               let y_159: i32 = mul.i32(acc_154, value_157)
//               let z_160: i32 = sub.i32(x_158, y_159)
//               let p_161: i32 = mul.i32(acc_153, value_157)
//               let q_162: i32 = mul.i32(acc_154, value_156)
//               let o_163: i32 = add.i32(p_161, q_162)
//               acc_153 := z_160
//               acc_154 := o_163
//             }
//             let value_164: i32 = h_8[block_105]
//             let value_165: i32 = g_9[block_105]
//             let x_166: i32 = mul.i32(value_164, acc_153)
//             let y_167: i32 = mul.i32(value_165, acc_154)
//             let z_168: i32 = sub.i32(x_166, y_167)
//             let p_169: i32 = mul.i32(value_164, acc_154)
//             let q_170: i32 = mul.i32(value_165, acc_153)
//             let o_171: i32 = add.i32(p_169, q_170)
//             h_8[block_105] := z_168
//             g_9[block_105] := o_171
//           }
//         }
//         free all_mem_117
//         free all_mem_119
//       }
//     } else {
//       let blocks_358: i64 = quot.i64(add.i64(k_1, 1i64), 2i64)
//       for block_359: i64 < blocks_358 block {
//         for t_360: i64 < 2i64 thread {
//           let thread_361: i64 = add.i64(mul.i64(block_359, 2i64), t_360)
//           if lt.i64(thread_361, k_1) {
//             var acc_173: i32 = 1i32
//             var acc_174: i32 = 0i32
//             let value_175: i32 = h_8[thread_361]
//             let value_176: i32 = g_9[thread_361]
//             let x_177: i32 = mul.i32(acc_173, value_175)
//             let y_178: i32 = mul.i32(acc_174, value_176)
//             let z_179: i32 = sub.i32(x_177, y_178)
//             let p_180: i32 = mul.i32(acc_173, value_176)
//             let q_181: i32 = mul.i32(acc_174, value_175)
//             let o_182: i32 = add.i32(p_180, q_181)
//             acc_173 := z_179
//             acc_174 := o_182
//             for p_183: i64 < parts_31 fold {
//               let value_184: i32 = table_37[thread_361, p_183]
//               let value_185: i32 = table_39[thread_361, p_183]
//               let x_186: i32 = mul.i32(acc_173, value_184)
//               let y_187: i32 = mul.i32(acc_174, value_185)
//               let z_188: i32 = sub.i32(x_186, y_187)
//               let p_189: i32 = mul.i32(acc_173, value_185)
//               let q_190: i32 = mul.i32(acc_174, value_184)
//               let o_191: i32 = add.i32(p_189, q_190)
//               acc_173 := z_188
//               acc_174 := o_191
//             }
//             h_8[thread_361] := acc_173
//             g_9[thread_361] := acc_174
//           }
//         }
//       }
//     }
//     free parts_mem_36
//     free parts_mem_38
//   } else {
//     let parts_217: i64 = max.i64(min.i64(quot.i64(mul.i64(n_0, 4i64), max.i64(k_1, 1i64)), 8i64), 1i64)
//     if ge.i64(parts_217, param "main.device.histogram_tables_1" 5) {
//       let all_218: i64 = mul.i64(k_1, parts_217)
//       alloc parts_mem_219: i32[k_1][parts_217] in device
//       view table_220: i32 @ parts_mem_219 -> 0 + {(k_1 : parts_217)(parts_217 : 1)}
//       alloc parts_mem_221: i32[k_1][parts_217] in device
//       view table_222: i32 @ parts_mem_221 -> 0 + {(k_1 : parts_217)(parts_217 : 1)}
//       view parts_223: i32 @ parts_mem_219 -> 0 + {(all_218 : 1)}
//       view parts_224: i32 @ parts_mem_221 -> 0 + {(all_218 : 1)}
//       let points_363: i64 = select(ge.i64(all_218, 5i64), 2i64, 1i64)
//       let span_364: i64 = mul.i64(points_363, 3i64)
//       let blocks_365: i64 = quot.i64(add.i64(all_218, sub.i64(span_364, 1i64)), span_364)
//       for block_366: i64 < blocks_365 block {
//         for t_367: i64 < 3i64 thread {
//           let first_point_368: i64 = add.i64(mul.i64(block_366, span_364), t_367)
//           let last_point_369: i64 = add.i64(first_point_368, 3i64)
//           if and.bool(eq.i64(points_363, 2i64), lt.i64(last_point_369, all_218)) {
//             let c_371: i64 = add.i64(first_point_368, 3i64)
//             parts_223[first_point_368] := 1i32
//             parts_224[first_point_368] := 0i32
//             parts_223[c_371] := 1i32
//             parts_224[c_371] := 0i32
//           } else {
//             for e_372: i64 < points_363 seq {
//               let c_225: i64 = add.i64(first_point_368, mul.i64(e_372, 3i64))
//               if lt.i64(c_225, all_218) {
//                 parts_223[c_225] := 1i32
//                 parts_224[c_225] := 0i32
//               }
//             }
//           }
//         }
//       }
//       let blocks_374: i64 = quot.i64(add.i64(parts_217, 1i64), 2i64)
//       for block_375: i64 < blocks_374 block {
//         for t_376: i64 < 2i64 thread {
//           let thread_377: i64 = add.i64(mul.i64(block_375, 2i64), t_376)
//           if lt.i64(thread_377, parts_217) {
//             for k_227: i64 < quot.i64(sub.i64(add.i64(n_0, sub.i64(parts_217, 1i64)), thread_377), parts_217) seq {
//               let i_228: i64 = add.i64(thread_377, mul.i64(k_227, parts_217))
//               let e_229: i64 = is_2[i_228]
//               let f_230: i32 = xs_3[i_228]
//               if and.bool(le.i64(0i64, e_229), lt.i64(e_229, k_1)) {
//                 let value_232: i32 = table_220[e_229, thread_377]
//                 let value_233: i32 = table_222[e_229, thread_377]
//                 let x_234: i32 = mul.i32(value_232, f_230)
//                 let y_235: i32 = mul.i32(value_233, 2i32)
//                 let z_236: i32 = sub.i32(x_234, y_235)
//                 let p_237: i32 = mul.i32(value_232, 2i32)
//                 let q_238: i32 = mul.i32(value_233, f_230)
//                 let o_239: i32 = add.i32(p_237, q_238)
//                 table_220[e_229, thread_377] := z_236
//                 table_222[e_229, thread_377] := o_239
//               }
//             }
//           }
//         }
//       }
//       if ge.i64(parts_217, param "main.device.segment_values_2" 2) {
//         let rounds_241: i64 = quot.i64(parts_217, 4i64)
//         let rest_242: i64 = sub.i64(parts_217, mul.i64(rounds_241, 4i64))
//         for block_240: i64 < k_1 block {
//           alloc own_mem_244: i32[4i64] in register
//           view own_245: i32 @ own_mem_244 -> 0 + {(4 : 1)}
//           alloc own_mem_246: i32[4i64] in register
//           view own_247: i32 @ own_mem_246 -> 0 + {(4 : 1)}
//           alloc other_mem_248: i32[4i64] in register
//           view other_249: i32 @ other_mem_248 -> 0 + {(4 : 1)}
//           alloc other_mem_250: i32[4i64] in register
//           view other_251: i32 @ other_mem_250 -> 0 + {(4 : 1)}
//           alloc all_mem_252: i32[2i64] in shared
//           view all_253: i32 @ all_mem_252 -> 0 + {(2 : 1)}
//           alloc all_mem_254: i32[2i64] in shared
//           view all_255: i32 @ all_mem_254 -> 0 + {(2 : 1)}
//           for t_256: i64 < 4i64 thread {
//             let own_258: i64 = add.i64(rounds_241, select(lt.i64(t_256, rest_242), 1i64, 0i64))
//             var acc_259: i32 = 1i32
//             var acc_260: i32 = 0i32
//             for k_261: i64 < own_258 fold {
//               let value_262: i32 = table_220[block_240, add.i64(t_256, mul.i64(k_261, 4i64))]
//               let value_263: i32 = table_222[block_240, add.i64(t_256, mul.i64(k_261, 4i64))]
//               let x_264: i32 = mul.i32(acc_259, value_262)
//               let y_265: i32 = mul.i32(acc_260, value_263)
//               let z_266: i32 = sub.i32(x_264, y_265)
//               let p_267: i32 = mul.i32(acc_259, value_263)
//               let q_268: i32 = mul.i32(acc_260, value_262)
//               let o_269: i32 = add.i32(p_267, q_268)
//               acc_259 := z_266
//               acc_260 := o_269
//             }
//             own_245[t_256] := acc_259
//             own_247[t_256] := acc_260
//           }
//           for s_270: i64 < 1i64 seq {
//             let apart_271: i64 = shl.i64(1i64, s_270)
//             shuffle other_249 <- own_245 down apart_271 in 2
//             shuffle other_251 <- own_247 down apart_271 in 2
//             for t_272: i64 < 4i64 thread {
//               if eq.i64(and.i64(t_272, sub.i64(mul.i64(apart_271, 2i64), 1i64)), 0i64) {
//                 let value_273: i32 = own_245[t_272]
//                 let value_274: i32 = own_247[t_272]
//                 let value_275: i32 = other_249[t_272]
//                 let value_276: i32 = other_251[t_272]
//                 let x_277: i32 = mul.i32(value_273, value_275)
//                 let y_278: i32 = mul.i32(value_274, value_276)
//                 let z_279: i32 = sub.i32(x_277, y_278)
//                 let p_280: i32 = mul.i32(value_273, value_276)
//                 let q_281: i32 = mul.i32(value_274, value_275)
//                 let o_282: i32 = add.i32(p_280, q_281)
//                 own_245[t_272] := z_279
//                 own_247[t_272] := o_282
//               }
//             }
//           }
//           free other_mem_248
//           free other_mem_250
//           for t_283: i64 < 4i64 thread {
//             if eq.i64(and.i64(t_283, 1i64), 0i64) {
//               let group_284: i64 = shr.i64(t_283, 1i64)
//               let value_285: i32 = own_245[t_283]
//               let value_286: i32 = own_247[t_283]
//               all_253[group_284] := value_285
//               all_255[group_284] := value_286
//             }
//           }
//           free own_mem_244
//           free own_mem_246
//           for t_287: i64 < 4i64 thread {
//             if eq.i64(t_287, 0i64) {
//               var acc_288: i32 = 1i32
//               var acc_289: i32 = 0i32
//               for g_290: i64 < 2i64 seq {
//                 let value_291: i32 = all_253[g_290]
//                 let value_292: i32 = all_255[g_290]
//                 let x_293: i32 = mul.i32(acc_288, value_291)
//                 let y_294: i32 = mul.i32(acc_289, value_292)
//                 let z_295: i32 = sub.i32(x_293, y_294)
//                 let p_296: i32 = mul.i32(acc_288, value_292)
//                 let q_297: i32 = mul.i32(acc_289, value_291)
//                 let o_298: i32 = add.i32(p_296, q_297)
//                 acc_288 := z_295
//                 acc_289 := o_298
//               }
//               let value_299: i32 = h_8[block_240]
//               let value_300: i32 = g_9[block_240]
//               let x_301: i32 = mul.i32(value_299, acc_288)
//               let y_302: i32 = mul.i32(value_300, acc_289)
//               let z_303: i32 = sub.i32(x_301, y_302)
//               let p_304: i32 = mul.i32(value_299, acc_289)
//               let q_305: i32 = mul.i32(value_300, acc_288)
//               let o_306: i32 = add.i32(p_304, q_305)
//               h_8[block_240] := z_303
//               g_9[block_240] := o_306
//             }
//           }
//           free all_mem_252
//           free all_mem_254
//         }
//       } else {
//         let blocks_379: i64 = quot.i64(add.i64(k_1, 1i64), 2i64)
//         for block_380: i64 < blocks_379 block {
//           for t_381: i64 < 2i64 thread {
//             let thread_382: i64 = add.i64(mul.i64(block_380, 2i64), t_381)
//             if lt.i64(thread_382, k_1) {
//               var acc_308: i32 = 1i32
//               var acc_309: i32 = 0i32
//               let value_310: i32 = h_8[thread_382]
//               let value_311: i32 = g_9[thread_382]
//               let x_312: i32 = mul.i32(acc_308, value_310)
//               let y_313: i32 = mul.i32(acc_309, value_311)
//               let z_314: i32 = sub.i32(x_312, y_313)
//               let p_315: i32 = mul.i32(acc_308, value_311)
//               let q_316: i32 = mul.i32(acc_309, value_310)
//               let o_317: i32 = add.i32(p_315, q_316)
//               acc_308 := z_314
//               acc_309 := o_317
//               for p_318: i64 < parts_217 fold {
//                 let value_319: i32 = table_220[thread_382, p_318]
//                 let value_320: i32 = table_222[thread_382, p_318]
//                 let x_321: i32 = mul.i32(acc_308, value_319)
//                 let y_322: i32 = mul.i32(acc_309, value_320)
//                 let z_323: i32 = sub.i32(x_321, y_322)
//                 let p_324: i32 = mul.i32(acc_308, value_320)
//                 let q_325: i32 = mul.i32(acc_309, value_319)
//                 let o_326: i32 = add.i32(p_324, q_325)
//                 acc_308 := z_323
//                 acc_309 := o_326
//               }
//               h_8[thread_382] := acc_308
//               g_9[thread_382] := acc_309
//             }
//           }
//         }
//       }
//       free parts_mem_219
//       free parts_mem_221
//     } else {
//       alloc locks_mem_192: i32[k_1] in device
//       view locks_193: i32 @ locks_mem_192 -> 0 + {(k_1 : 1)}
//       let points_384: i64 = select(ge.i64(k_1, 5i64), 2i64, 1i64)
//       let span_385: i64 = mul.i64(points_384, 3i64)
//       let blocks_386: i64 = quot.i64(add.i64(k_1, sub.i64(span_385, 1i64)), span_385)
//       for block_387: i64 < blocks_386 block {
//         for t_388: i64 < 3i64 thread {
//           let first_point_389: i64 = add.i64(mul.i64(block_387, span_385), t_388)
//           let last_point_390: i64 = add.i64(first_point_389, 3i64)
//           if and.bool(eq.i64(points_384, 2i64), lt.i64(last_point_390, k_1)) {
//             let c_392: i64 = add.i64(first_point_389, 3i64)
//             locks_193[first_point_389] := 0i32
//             locks_193[c_392] := 0i32
//           } else {
//             for e_393: i64 < points_384 seq {
//               let c_194: i64 = add.i64(first_point_389, mul.i64(e_393, 3i64))
//               if lt.i64(c_194, k_1) {
//                 locks_193[c_194] := 0i32
//               }
//             }
//           }
//         }
//       }
//       let blocks_195: i64 = min.i64(max.i64(quot.i64(add.i64(n_0, 3i64), 4i64), 1i64), 2i64)
//       let threads_196: i64 = mul.i64(blocks_195, 4i64)
//       let rounds_197: i64 = quot.i64(n_0, threads_196)
//       let rest_198: i64 = sub.i64(n_0, mul.i64(rounds_197, threads_196))
//       for block_200: i64 < blocks_195 block {
//         for t_201: i64 < 4i64 thread {
//           let thread_202: i64 = add.i64(mul.i64(block_200, 4i64), t_201)
//           let own_203: i64 = add.i64(rounds_197, select(lt.i64(thread_202, rest_198), 1i64, 0i64))
//           for k_204: i64 < own_203 seq {
//             let i_205: i64 = add.i64(thread_202, mul.i64(k_204, threads_196))
//             let e_206: i64 = is_2[i_205]
//             let f_207: i32 = xs_3[i_205]
//             if and.bool(le.i64(0i64, e_206), lt.i64(e_206, k_1)) {
//               lock locks_193[e_206] {
//                 let value_209: i32 = h_8[e_206]
//                 let value_210: i32 = g_9[e_206]
//                 let x_211: i32 = mul.i32(value_209, f_207)
//                 let y_212: i32 = mul.i32(value_210, 2i32)
//                 let z_213: i32 = sub.i32(x_211, y_212)
//                 let p_214: i32 = mul.i32(value_209, 2i32)
//                 let q_215: i32 = mul.i32(value_210, f_207)
//                 let o_216: i32 = add.i32(p_214, q_215)
//                 h_8[e_206] := z_213
//                 g_9[e_206] := o_216
//               }
//             }
//           }
//         }
//       }
//       free locks_mem_192
//     }
//   }
//   alloc v_mem_395: i32[k_1]
//   view to_396: i32 @ v_mem_395 -> 0 + {(k_1 : 1)}
//   view from_397: i32 @ v_mem_25 -> 0 + {(k_1 : 1)}
//   copy to_396 <- from_397
//   free v_mem_25
//   alloc w_mem_399: i32[k_1]
//   view to_400: i32 @ w_mem_399 -> 0 + {(k_1 : 1)}
//   view from_401: i32 @ w_mem_26 -> 0 + {(k_1 : 1)}
//   copy to_400 <- from_401
//   free w_mem_26
//   free is_mem_328
//   free xs_mem_332
//   return (v_mem_395, w_mem_399, k_1)
// }
