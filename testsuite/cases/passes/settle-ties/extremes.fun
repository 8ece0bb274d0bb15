// case: pass settle-ties
// The first and the last one of equal elements; not where what is no number would be taken, nor where the neutral place is that of an element.
entry first [n_126: i64] (xs_127: [n_126]f32) : (res_138: f32) (res_139: i64) = {
  let (red_136: f32) (red_137: i64) = kernel (i_182 < n_126) reduce \(a_129: f32) (a_130: i64) (b_131: f32) (b_132: i64) : f32, i64 {
    let (x_133: bool) = lt.f32 b_131 a_129
    let (if_134: f32) (if_135: i64) = if x_133 {
      in (b_131, b_132)
    } else {
      in (a_129, a_130)
    }
    in (if_134, if_135)
  } (f32.inf, -1i64) {
    let (element_183: f32) = index xs_127[i_182]
    in (element_183, i_182)
  }
  in (red_136, red_137)
}

entry last [n_140: i64] (xs_141: [n_140]i32) : (res_152: i32) (res_153: i64) = {
  let (red_150: i32) (red_151: i64) = kernel (i_185 < n_140) reduce \(a_143: i32) (a_144: i64) (b_145: i32) (b_146: i64) : i32, i64 {
    let (x_147: bool) = lt.i32 b_145 a_143
    let (if_148: i32) (if_149: i64) = if x_147 {
      in (a_143, a_144)
    } else {
      in (b_145, b_146)
    }
    in (if_148, if_149)
  } (-2147483648i32, -1i64) {
    let (element_186: i32) = index xs_141[i_185]
    in (element_186, i_185)
  }
  in (red_150, red_151)
}

entry no_number [n_154: i64] (xs_155: [n_154]f32) : (res_166: f32) (res_167: i64) = {
  let (red_164: f32) (red_165: i64) = kernel (i_188 < n_154) reduce \(a_157: f32) (a_158: i64) (b_159: f32) (b_160: i64) : f32, i64 {
    let (x_161: bool) = le.f32 a_157 b_159
    let (if_162: f32) (if_163: i64) = if x_161 {
      in (a_157, a_158)
    } else {
      in (b_159, b_160)
    }
    in (if_162, if_163)
  } (f32.inf, -1i64) {
    let (element_189: f32) = index xs_155[i_188]
    in (element_189, i_188)
  }
  in (red_164, red_165)
}

entry from_zero [n_168: i64] (xs_169: [n_168]i32) : (res_180: i32) (res_181: i64) = {
  let (red_178: i32) (red_179: i64) = kernel (i_191 < n_168) reduce \(a_171: i32) (a_172: i64) (b_173: i32) (b_174: i64) : i32, i64 {
    let (x_175: bool) = le.i32 b_173 a_171
    let (if_176: i32) (if_177: i64) = if x_175 {
      in (b_173, b_174)
    } else {
      in (a_171, a_172)
    }
    in (if_176, if_177)
  } (2147483647i32, 0i64) {
    let (element_192: i32) = index xs_169[i_191]
    in (element_192, i_191)
  }
  in (red_178, red_179)
}
// ---
// entry first [n_126: i64] (xs_127: [n_126]f32) : (res_138: f32) (res_139: i64) = {
//   let (red_136: f32) (red_137: i64) = kernel (i_182 < n_126) reduce_comm \(a_129: f32) (a_130: i64) (b_131: f32) (b_132: i64) : f32, i64 {
//     let (better_193: bool) = lt.f32 b_131 a_129
//     let (same_194: bool) = eq.f32 b_131 a_129
//     let (before_195: bool) = lt.i64 b_132 a_130
//     let (tie_196: bool) = and.bool same_194 before_195
//     let (taken_197: bool) = or.bool better_193 tie_196
//     let (if_134: f32) (if_135: i64) = if taken_197 {
//       in (b_131, b_132)
//     } else {
//       in (a_129, a_130)
//     }
//     in (if_134, if_135)
//   } (f32.inf, -1i64) {
//     let (element_183: f32) = index xs_127[i_182]
//     in (element_183, i_182)
//   }
//   in (red_136, red_137)
// }
//
// entry last [n_140: i64] (xs_141: [n_140]i32) : (res_152: i32) (res_153: i64) = {
//   let (red_150: i32) (red_151: i64) = kernel (i_185 < n_140) reduce_comm \(a_143: i32) (a_144: i64) (b_145: i32) (b_146: i64) : i32, i64 {
//     let (better_198: bool) = gt.i32 b_145 a_143
//     let (same_199: bool) = eq.i32 b_145 a_143
//     let (before_200: bool) = gt.i64 b_146 a_144
//     let (tie_201: bool) = and.bool same_199 before_200
//     let (taken_202: bool) = or.bool better_198 tie_201
//     let (if_148: i32) (if_149: i64) = if taken_202 {
//       in (b_145, b_146)
//     } else {
//       in (a_143, a_144)
//     }
//     in (if_148, if_149)
//   } (-2147483648i32, -1i64) {
//     let (element_186: i32) = index xs_141[i_185]
//     in (element_186, i_185)
//   }
//   in (red_150, red_151)
// }
//
// entry no_number [n_154: i64] (xs_155: [n_154]f32) : (res_166: f32) (res_167: i64) = {
//   let (red_164: f32) (red_165: i64) = kernel (i_188 < n_154) reduce \(a_157: f32) (a_158: i64) (b_159: f32) (b_160: i64) : f32, i64 {
//     let (x_161: bool) = le.f32 a_157 b_159
//     let (if_162: f32) (if_163: i64) = if x_161 {
//       in (a_157, a_158)
//     } else {
//       in (b_159, b_160)
//     }
//     in (if_162, if_163)
//   } (f32.inf, -1i64) {
//     let (element_189: f32) = index xs_155[i_188]
//     in (element_189, i_188)
//   }
//   in (red_164, red_165)
// }
//
// entry from_zero [n_168: i64] (xs_169: [n_168]i32) : (res_180: i32) (res_181: i64) = {
//   let (red_178: i32) (red_179: i64) = kernel (i_191 < n_168) reduce \(a_171: i32) (a_172: i64) (b_173: i32) (b_174: i64) : i32, i64 {
//     let (x_175: bool) = le.i32 b_173 a_171
//     let (if_176: i32) (if_177: i64) = if x_175 {
//       in (b_173, b_174)
//     } else {
//       in (a_171, a_172)
//     }
//     in (if_176, if_177)
//   } (2147483647i32, 0i64) {
//     let (element_192: i32) = index xs_169[i_191]
//     in (element_192, i_191)
//   }
//   in (red_178, red_179)
// }
