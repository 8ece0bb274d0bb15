// case: pass map-loops
// Rows that each iteration writes or leaves, beside what they add up; a nest; and the number of iterations of a bound that may be negative.
entry rows [n_0: i64] (xs_1: [n_0]i32) : (ys_2: [n_0]i32) (s_3: i32) = {
  let (a_4: [n_0]i32) = replicate [n_0] 7i32
  let (ys_5: [n_0]i32) (s_6: i32) = loop (p_7: [n_0]i32 = a_4) (t_8: i32 = 5i32) for i_9: i64 < n_0 {
    let (x_10: i32) = index xs_1[i_9]
    let (c_11: bool) = lt.i32 0i32 x_10
    let (q_12: [n_0]i32) (u_13: i32) = if c_11 {
      let (q_14: [n_0]i32) = update p_7[i_9] x_10
      in (q_14, t_8)
    } else {
      let (u_15: i32) = mul.i32 x_10 t_8
      in (p_7, u_15)
    }
    in (q_12, u_13)
  }
  in (ys_5, s_6)
}

entry nest [n_20: i64] [m_21: i64] : (ys_22: [n_20][m_21]i64) = {
  let (a_23: [n_20][m_21]i64) = replicate [n_20][m_21] 0i64
  let (ys_24: [n_20][m_21]i64) = loop (p_25: [n_20][m_21]i64 = a_23) for i_26: i64 < n_20 {
    let (r_27: [n_20][m_21]i64) = loop (q_28: [n_20][m_21]i64 = p_25) for j_29: i64 < m_21 {
      let (x_30: i64) = mul.i64 i_26 j_29
      let (q_31: [n_20][m_21]i64) = update q_28[i_26, j_29] x_30
      in (q_31)
    }
    in (r_27)
  }
  in (ys_24)
}

entry negative (k_40: i64) : (s_41: i64) = {
  let (s_42: i64) = loop (t_43: i64 = 0i64) for i_44: i64 < k_40 {
    let (r_45: i64) = loop (u_46: i64 = t_43) for j_47: i64 < i_44 {
      let (x_48: i64) = xor.i64 j_47 u_46
      in (x_48)
    }
    in (r_45)
  }
  in (s_42)
}

entry places [n_60: i64] (ks_61: [n_60]i64) (*h_62: [4i64]i32) (*g_63: [4i64]f32) : (*h_64: [4i64]i32) (*g_65: [4i64]f32) = {
  let (h_66: [4i64]i32) = loop (p_68: [4i64]i32 = h_62) for i_70: i64 < n_60 {
    let (k_71: i64) = index ks_61[i_70]
    let (k_72: i64) = and.i64 k_71 3i64
    let (c_73: bool) = lt.i64 i_70 k_71
    let (r_74: [4i64]i32) = if c_73 {
      let (e_75: i32) = index p_68[k_72]
      let (f_76: i32) = add.i32 e_75 1i32
      let (r_77: [4i64]i32) = update p_68[k_72] f_76
      in (r_77)
    } else {
      in (p_68)
    }
    in (r_74)
  }
  let (g_67: [4i64]f32) = loop (q_69: [4i64]f32 = g_63) for i_170: i64 < n_60 {
    let (k_171: i64) = index ks_61[i_170]
    let (k_172: i64) = and.i64 k_171 3i64
    let (x_78: f32) = convert.f32.i64 i_170
    let (g_79: [4i64]f32) = update q_69[k_172] x_78
    in (g_79)
  }
  in (h_66, g_67)
}
// ---
// entry rows [n_0: i64] (xs_1: [n_0]i32) : (ys_2: [n_0]i32) (s_3: i32) = {
//   let (a_4: [n_0]i32) = replicate [n_0] 7i32
//   let (is_174: [n_0]i64) = iota.i64 n_0 0i64 1i64
//   let (ys_5: [n_0]i32) (each_175: [n_0]i32) = map n_0 \(i_9: i64) : i32, i32 {
//     let (x_10: i32) = index xs_1[i_9]
//     let (c_11: bool) = lt.i32 0i32 x_10
//     let (q_12: i32) (u_13: i32) = if c_11 {
//       in (x_10, 1i32)
//     } else {
//       let (u_15: i32) = mul.i32 x_10 1i32
//       let (before_173: i32) = index a_4[i_9]
//       in (before_173, u_15)
//     }
//     in (q_12, u_13)
//   } is_174
//   let (total_176: i32) = reduce_comm n_0 \(x_177: i32) (y_178: i32) : i32 {
//     let (sum_179: i32) = mul.i32 x_177 y_178
//     in (sum_179)
//   } (1i32) each_175
//   let (s_6: i32) = mul.i32 5i32 total_176
//   in (ys_5, s_6)
// }
//
// entry nest [n_20: i64] [m_21: i64] : (ys_22: [n_20][m_21]i64) = {
//   let (a_23: [n_20][m_21]i64) = replicate [n_20][m_21] 0i64
//   let (is_181: [n_20]i64) = iota.i64 n_20 0i64 1i64
//   let (ys_24: [n_20][m_21]i64) = map n_20 \(i_26: i64) : [m_21]i64 {
//     let (is_180: [m_21]i64) = iota.i64 m_21 0i64 1i64
//     let (r_27: [m_21]i64) = map m_21 \(j_29: i64) : i64 {
//       let (x_30: i64) = mul.i64 i_26 j_29
//       in (x_30)
//     } is_180
//     in (r_27)
//   } is_181
//   in (ys_24)
// }
//
// entry negative (k_40: i64) : (s_41: i64) = {
//   let (n_182: i64) = max.i64 0i64 k_40
//   let (is_183: [n_182]i64) = iota.i64 n_182 0i64 1i64
//   let (each_184: [n_182]i64) = map n_182 \(i_44: i64) : i64 {
//     let (r_45: i64) = loop (u_46: i64 = 0i64) for j_47: i64 < i_44 {
//       let (x_48: i64) = xor.i64 j_47 u_46
//       in (x_48)
//     }
//     in (r_45)
//   } is_183
//   let (total_185: i64) = reduce_comm n_182 \(x_186: i64) (y_187: i64) : i64 {
//     let (sum_188: i64) = xor.i64 x_186 y_187
//     in (sum_188)
//   } (0i64) each_184
//   let (s_42: i64) = xor.i64 0i64 total_185
//   in (s_42)
// }
//
// entry places [n_60: i64] (ks_61: [n_60]i64) (*h_62: [4i64]i32) (*g_63: [4i64]f32) : (*h_64: [4i64]i32) (*g_65: [4i64]f32) = {
//   let (is_190: [n_60]i64) = iota.i64 n_60 0i64 1i64
//   let (places_191: [n_60]i64) (values_192: [n_60]i32) = map n_60 \(i_70: i64) : i64, i32 {
//     let (k_71: i64) = index ks_61[i_70]
//     let (k_72: i64) = and.i64 k_71 3i64
//     let (c_73: bool) = lt.i64 i_70 k_71
//     let (r_74: i64) (value_189: i32) = if c_73 {
//       in (k_72, 1i32)
//     } else {
//       in (-1i64, 0i32)
//     }
//     in (r_74, value_189)
//   } is_190
//   let (h_66: [4i64]i32) = hist n_60 \(x_193: i32) (y_194: i32) : i32 {
//     let (sum_195: i32) = add.i32 x_193 y_194
//     in (sum_195)
//   } (0i32) (h_62) places_191 values_192
//   let (is_196: [n_60]i64) = iota.i64 n_60 0i64 1i64
//   let (places_197: [n_60]i64) (values_198: [n_60]f32) = map n_60 \(i_170: i64) : i64, f32 {
//     let (k_171: i64) = index ks_61[i_170]
//     let (k_172: i64) = and.i64 k_171 3i64
//     let (x_78: f32) = convert.f32.i64 i_170
//     in (k_172, x_78)
//   } is_196
//   let (g_67: [4i64]f32) = scatter n_60 (g_63) places_197 values_198
//   in (h_66, g_67)
// }
