// case: pass fuse
// A map over two arrays after each other: one over each, which what computes the second goes into.
entry main [n_0: i64] [m_1: i64] (xs_2: [n_0]i32) (ys_3: [m_1]i32) : (size_4: i64) (out_5: [size_4]i32) = {
  let (more_6: [m_1]i32) = kernel (i_7 < m_1) {
    let (y_8: i32) = index ys_3[i_7]
    let (z_9: i32) = mul.i32 y_8 y_8
    in (z_9)
  }
  let (s_10: i64) = add.i64 n_0 m_1
  let (both_11: [s_10]i32) = concat s_10 xs_2 more_6
  let (out_12: [s_10]i32) = kernel (j_13 < s_10) {
    let (x_14: i32) = index both_11[j_13]
    let (k_15: i32) = convert.i32.i64 j_13
    let (w_16: i32) = add.i32 x_14 k_15
    in (w_16)
  }
  in (s_10, out_12)
}

// A maximum of three: of one of each.
entry most [n_20: i64] (xs_21: [n_20]i32) (ys_22: [n_20]i32) (zs_23: [n_20]i32) : (most_24: i32) = {
  let (t_25: i64) = mul.i64 n_20 3i64
  let (all_26: [t_25]i32) = concat t_25 xs_21 ys_22 zs_23
  let (most_27: i32) = kernel (i_28 < t_25) reduce_comm \(a_29: i32) (b_30: i32) : i32 {
    let (c_31: i32) = max.i32 a_29 b_30
    in (c_31)
  } (-2147483648i32) {
    let (x_32: i32) = index all_26[i_28]
    in (x_32)
  }
  in (most_27)
}

// Rows, read by a loop: the other counter is bound anew as well.
entry rows [n_40: i64] [m_41: i64] (xs_42: [n_40][m_41]f32) (ys_43: [2i64][m_41]f32) : (size_44: i64) (out_45: [size_44][m_41]f32) = {
  let (s_46: i64) = add.i64 n_40 2i64
  let (both_47: [s_46][m_41]f32) = concat s_46 xs_42 ys_43
  let (out_48: [s_46][m_41]f32) = kernel (i_49 < s_46, j_50 < m_41) {
    let (x_51: f32) = index both_47[i_49, j_50]
    let (y_52: f32) = mul.f32 x_51 2f32
    in (y_52)
  }
  in (s_46, out_48)
}
// ---
// entry main [n_0: i64] [m_1: i64] (xs_2: [n_0]i32) (ys_3: [m_1]i32) : (size_4: i64) (out_5: [size_4]i32) = {
//   let (s_10: i64) = add.i64 n_0 m_1
//   let (out_57: [n_0]i32) = kernel (j_53 < n_0) {
//     let (x_54: i32) = index xs_2[j_53]
//     let (k_55: i32) = convert.i32.i64 j_53
//     let (w_56: i32) = add.i32 x_54 k_55
//     in (w_56)
//   }
//   let (out_63: [m_1]i32) = kernel (j_58 < m_1) {
//     let (row_59: i64) = add.i64 n_0 j_58
//     let (y_98: i32) = index ys_3[j_58]
//     let (z_99: i32) = mul.i32 y_98 y_98
//     let (x_60: i32) = z_99
//     let (k_61: i32) = convert.i32.i64 row_59
//     let (w_62: i32) = add.i32 x_60 k_61
//     in (w_62)
//   }
//   let (out_12: [s_10]i32) = concat s_10 out_57 out_63
//   in (s_10, out_12)
// }
//
// entry most [n_20: i64] (xs_21: [n_20]i32) (ys_22: [n_20]i32) (zs_23: [n_20]i32) : (most_24: i32) = {
//   let (t_25: i64) = mul.i64 n_20 3i64
//   let (most_69: i32) = kernel (i_64 < n_20) reduce_comm \(a_66: i32) (b_67: i32) : i32 {
//     let (c_68: i32) = max.i32 a_66 b_67
//     in (c_68)
//   } (-2147483648i32) {
//     let (x_65: i32) = index xs_21[i_64]
//     in (x_65)
//   }
//   let (most_76: i32) = kernel (i_70 < n_20) reduce_comm \(a_73: i32) (b_74: i32) : i32 {
//     let (c_75: i32) = max.i32 a_73 b_74
//     in (c_75)
//   } (-2147483648i32) {
//     let (row_71: i64) = add.i64 n_20 i_70
//     let (x_72: i32) = index ys_22[i_70]
//     in (x_72)
//   }
//   let (row_77: i64) = add.i64 n_20 n_20
//   let (most_84: i32) = kernel (i_78 < n_20) reduce_comm \(a_81: i32) (b_82: i32) : i32 {
//     let (c_83: i32) = max.i32 a_81 b_82
//     in (c_83)
//   } (-2147483648i32) {
//     let (row_79: i64) = add.i64 row_77 i_78
//     let (x_80: i32) = index zs_23[i_78]
//     in (x_80)
//   }
//   let (c_85: i32) = max.i32 most_69 most_76
//   let (c_86: i32) = max.i32 c_85 most_84
//   let (most_27: i32) = c_86
//   in (most_27)
// }
//
// entry rows [n_40: i64] [m_41: i64] (xs_42: [n_40][m_41]f32) (ys_43: [2i64][m_41]f32) : (size_44: i64) (out_45: [size_44][m_41]f32) = {
//   let (s_46: i64) = add.i64 n_40 2i64
//   let (out_91: [n_40][m_41]f32) = kernel (i_87 < n_40, j_88 < m_41) {
//     let (x_89: f32) = index xs_42[i_87, j_88]
//     let (y_90: f32) = mul.f32 x_89 2.0f32
//     in (y_90)
//   }
//   let (out_97: [2i64][m_41]f32) = kernel (i_92 < 2i64, j_93 < m_41) {
//     let (row_94: i64) = add.i64 n_40 i_92
//     let (x_95: f32) = index ys_43[i_92, j_93]
//     let (y_96: f32) = mul.f32 x_95 2.0f32
//     in (y_96)
//   }
//   let (out_48: [s_46][m_41]f32) = concat s_46 out_91 out_97
//   in (s_46, out_48)
// }
