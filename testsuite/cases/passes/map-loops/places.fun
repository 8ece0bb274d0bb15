// case: pass map-loops-device
// Elements that each iteration writes or adds to at a place that it computes, of an array that somebody else made.
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
// entry places [n_60: i64] (ks_61: [n_60]i64) (*h_62: [4i64]i32) (*g_63: [4i64]f32) : (*h_64: [4i64]i32) (*g_65: [4i64]f32) = {
//   let (is_174: [n_60]i64) = iota.i64 n_60 0i64 1i64
//   let (places_175: [n_60]i64) (values_176: [n_60]i32) = map n_60 \(i_70: i64) : i64, i32 {
//     let (k_71: i64) = index ks_61[i_70]
//     let (k_72: i64) = and.i64 k_71 3i64
//     let (c_73: bool) = lt.i64 i_70 k_71
//     let (r_74: i64) (value_173: i32) = if c_73 {
//       in (k_72, 1i32)
//     } else {
//       in (-1i64, 0i32)
//     }
//     in (r_74, value_173)
//   } is_174
//   let (h_66: [4i64]i32) = hist n_60 \(x_177: i32) (y_178: i32) : i32 {
//     let (sum_179: i32) = add.i32 x_177 y_178
//     in (sum_179)
//   } (0i32) (h_62) places_175 values_176
//   let (is_180: [n_60]i64) = iota.i64 n_60 0i64 1i64
//   let (places_181: [n_60]i64) (values_182: [n_60]f32) = map n_60 \(i_170: i64) : i64, f32 {
//     let (k_171: i64) = index ks_61[i_170]
//     let (k_172: i64) = and.i64 k_171 3i64
//     let (x_78: f32) = convert.f32.i64 i_170
//     in (k_172, x_78)
//   } is_180
//   let (g_67: [4i64]f32) = scatter n_60 (g_63) places_181 values_182
//   in (h_66, g_67)
// }
