// case: pass unroll-folds
// What many elements are made of is written out; not what a map gives, nor branches that read.
entry nearest [n_141: i64] (a_142: [n_141][2i64]f32) (q_143: [2i64]f32) : (res_159: f32) = {
  let (red_158: f32) = kernel (i_213 < n_141) reduce \(a_155: f32) (b_156: f32) : f32 {
    let (x_157: f32) = min.f32 a_155 b_156
    in (x_157)
  } (f32.inf) {
    let (red_153: f32) = kernel (i_214 < 2i64) reduce \(a_150: f32) (b_151: f32) : f32 {
      let (x_152: f32) = add.f32 a_150 b_151
      in (x_152)
    } (0.0f32) {
      let (x_145: f32) = index a_142[i_213, i_214]
      let (x_146: f32) = index q_143[i_214]
      let (x_147: f32) = sub.f32 x_145 x_146
      let (x_148: f32) = mul.f32 x_147 x_147
      in (x_148)
    }
    in (red_153)
  }
  in (red_158)
}

entry bits [n_160: i64] (xs_161: [n_160]u32) (v_162: [3i64]u32) : (res_180: u32) = {
  let (red_179: u32) = kernel (i_215 < n_160) reduce \(a_176: u32) (b_177: u32) : u32 {
    let (x_178: u32) = add.u32 a_176 b_177
    in (x_178)
  } (0u32) {
    let (x_163: u32) = index xs_161[i_215]
    let (r_174: u32) = loop (r_164: u32 = 0u32) for k_165: i64 < 3i64 {
      let (c_167: u32) = convert.u32.i64 k_165
      let (x_168: u32) = shr.u32 x_163 c_167
      let (x_169: u32) = and.u32 x_168 1u32
      let (x_170: bool) = eq.u32 x_169 1u32
      let (elem_171: u32) = index v_162[k_165]
      let (if_173: u32) = if x_170 {
        let (x_172: u32) = xor.u32 r_164 elem_171
        in (x_172)
      } else {
        in (r_164)
      }
      in (if_173)
    }
    in (r_174)
  }
  in (red_179)
}

entry each [n_181: i64] (a_182: [n_181][2i64]f32) : (*res_189: [n_181]f32) = {
  let (map_188: [n_181]f32) = kernel (i_218 < n_181) {
    let (red_187: f32) = kernel (i_216 < 2i64) reduce \(a_184: f32) (b_185: f32) : f32 {
      let (x_186: f32) = add.f32 a_184 b_185
      in (x_186)
    } (0.0f32) {
      let (element_217: f32) = index a_182[i_218, i_216]
      in (element_217)
    }
    in (red_187)
  }
  in (map_188)
}

entry branches [n_190: i64] [m_191: i64] (a_192: [n_190]i32) (b_193: [m_191]i32) : (res_212: i32) = {
  let (red_211: i32) = kernel (i_219 < n_190) reduce \(a_208: i32) (b_209: i32) : i32 {
    let (x_210: i32) = add.i32 a_208 b_209
    in (x_210)
  } (0i32) {
    let (x_194: i32) = index a_192[i_219]
    let (s_206: i32) = loop (s_195: i32 = 0i32) for k_196: i64 < 2i64 {
      let (c_197: i32) = convert.i32.i64 k_196
      let (x_198: bool) = gt.i32 x_194 c_197
      let (if_205: i32) = if x_198 {
        let (c_199: i64) = convert.i64.i32 x_194
        let (x_200: bool) = le.i64 0i64 c_199
        let (x_201: bool) = lt.i64 c_199 m_191
        let (x_202: bool) = and.bool x_200 x_201
        let = assert x_202 "Index [{}] out of bounds for array of shape [{}]" c_199 m_191
        let (elem_203: i32) = index b_193[c_199]
        let (x_204: i32) = add.i32 s_195 elem_203
        in (x_204)
      } else {
        in (s_195)
      }
      in (if_205)
    }
    in (s_206)
  }
  in (red_211)
}
// ---
// entry nearest [n_141: i64] (a_142: [n_141][2i64]f32) (q_143: [2i64]f32) : (res_159: f32) = {
//   let (red_158: f32) = kernel (i_213 < n_141) reduce \(a_155: f32) (b_156: f32) : f32 {
//     let (x_157: f32) = min.f32 a_155 b_156
//     in (x_157)
//   } (f32.inf) {
//     let (x_220: f32) = index a_142[i_213, 0i64]
//     let (x_221: f32) = index q_143[0i64]
//     let (x_222: f32) = sub.f32 x_220 x_221
//     let (x_223: f32) = mul.f32 x_222 x_222
//     let (x_224: f32) = add.f32 0.0f32 x_223
//     let (x_225: f32) = index a_142[i_213, 1i64]
//     let (x_226: f32) = index q_143[1i64]
//     let (x_227: f32) = sub.f32 x_225 x_226
//     let (x_228: f32) = mul.f32 x_227 x_227
//     let (x_229: f32) = add.f32 x_224 x_228
//     let (red_153: f32) = x_229
//     in (red_153)
//   }
//   in (red_158)
// }
//
// entry bits [n_160: i64] (xs_161: [n_160]u32) (v_162: [3i64]u32) : (res_180: u32) = {
//   let (red_179: u32) = kernel (i_215 < n_160) reduce \(a_176: u32) (b_177: u32) : u32 {
//     let (x_178: u32) = add.u32 a_176 b_177
//     in (x_178)
//   } (0u32) {
//     let (x_163: u32) = index xs_161[i_215]
//     let (c_230: u32) = convert.u32.i64 0i64
//     let (x_231: u32) = shr.u32 x_163 c_230
//     let (x_232: u32) = and.u32 x_231 1u32
//     let (x_233: bool) = eq.u32 x_232 1u32
//     let (elem_234: u32) = index v_162[0i64]
//     let (if_236: u32) = if x_233 {
//       let (x_235: u32) = xor.u32 0u32 elem_234
//       in (x_235)
//     } else {
//       in (0u32)
//     }
//     let (c_237: u32) = convert.u32.i64 1i64
//     let (x_238: u32) = shr.u32 x_163 c_237
//     let (x_239: u32) = and.u32 x_238 1u32
//     let (x_240: bool) = eq.u32 x_239 1u32
//     let (elem_241: u32) = index v_162[1i64]
//     let (if_243: u32) = if x_240 {
//       let (x_242: u32) = xor.u32 if_236 elem_241
//       in (x_242)
//     } else {
//       in (if_236)
//     }
//     let (c_244: u32) = convert.u32.i64 2i64
//     let (x_245: u32) = shr.u32 x_163 c_244
//     let (x_246: u32) = and.u32 x_245 1u32
//     let (x_247: bool) = eq.u32 x_246 1u32
//     let (elem_248: u32) = index v_162[2i64]
//     let (if_250: u32) = if x_247 {
//       let (x_249: u32) = xor.u32 if_243 elem_248
//       in (x_249)
//     } else {
//       in (if_243)
//     }
//     let (r_174: u32) = if_250
//     in (r_174)
//   }
//   in (red_179)
// }
//
// entry each [n_181: i64] (a_182: [n_181][2i64]f32) : (*res_189: [n_181]f32) = {
//   let (map_188: [n_181]f32) = kernel (i_218 < n_181) {
//     let (red_187: f32) = kernel (i_216 < 2i64) reduce \(a_184: f32) (b_185: f32) : f32 {
//       let (x_186: f32) = add.f32 a_184 b_185
//       in (x_186)
//     } (0.0f32) {
//       let (element_217: f32) = index a_182[i_218, i_216]
//       in (element_217)
//     }
//     in (red_187)
//   }
//   in (map_188)
// }
//
// entry branches [n_190: i64] [m_191: i64] (a_192: [n_190]i32) (b_193: [m_191]i32) : (res_212: i32) = {
//   let (red_211: i32) = kernel (i_219 < n_190) reduce \(a_208: i32) (b_209: i32) : i32 {
//     let (x_210: i32) = add.i32 a_208 b_209
//     in (x_210)
//   } (0i32) {
//     let (x_194: i32) = index a_192[i_219]
//     let (s_206: i32) = loop (s_195: i32 = 0i32) for k_196: i64 < 2i64 {
//       let (c_197: i32) = convert.i32.i64 k_196
//       let (x_198: bool) = gt.i32 x_194 c_197
//       let (if_205: i32) = if x_198 {
//         let (c_199: i64) = convert.i64.i32 x_194
//         let (x_200: bool) = le.i64 0i64 c_199
//         let (x_201: bool) = lt.i64 c_199 m_191
//         let (x_202: bool) = and.bool x_200 x_201
//         let = assert x_202 "Index [{}] out of bounds for array of shape [{}]" c_199 m_191
//         let (elem_203: i32) = index b_193[c_199]
//         let (x_204: i32) = add.i32 s_195 elem_203
//         in (x_204)
//       } else {
//         in (s_195)
//       }
//       in (if_205)
//     }
//     in (s_206)
//   }
//   in (red_211)
// }
