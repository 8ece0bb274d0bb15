// case: pass fuse-epilogues
// No epilogue: the map reads another point's sum, it is over rows, it may stop the program, it has a branch, it computes a function, or it needs
// the last sum.
entry other_point [n_0: i64] (xs_1: [n_0]i32) (l_2: i64) : (r_3: [n_0]i32) = {
  let (s_4: [n_0]i32) = kernel (i_5 < n_0) scan \(a_6: i32) (b_7: i32) : i32 { let (c_8: i32) = add.i32 a_6 b_7 in (c_8) } (0i32) {
    let (x_9: i32) = index xs_1[i_5] in (x_9)
  }
  let (z_10: [n_0]i32) = kernel (j_11 < n_0) {
    let (k_12: i64) = xor.i64 j_11 l_2
    let (y_13: i32) = index s_4[k_12]
    let (x_14: i32) = index s_4[j_11]
    let (z_15: i32) = sub.i32 x_14 y_13
    in (z_15)
  }
  in (z_10)
}

entry rows [n_20: i64] [m_21: i64] (xs_22: [n_20]i32) (ys_23: [n_20][m_21]i32) : (r_24: [n_20][m_21]i32) = {
  let (s_25: [n_20]i32) = kernel (i_26 < n_20) scan \(a_27: i32) (b_28: i32) : i32 { let (c_29: i32) = add.i32 a_27 b_28 in (c_29) } (0i32) {
    let (x_30: i32) = index xs_22[i_26] in (x_30)
  }
  let (z_31: [n_20][m_21]i32) = kernel (j_32 < n_20, k_33 < m_21) {
    let (x_34: i32) = index s_25[j_32]
    let (y_35: i32) = index ys_23[j_32, k_33]
    let (z_36: i32) = sub.i32 x_34 y_35
    in (z_36)
  }
  in (z_31)
}

entry stops [n_40: i64] (xs_41: [n_40]i32) : (r_42: [n_40]i32) = {
  let (s_43: [n_40]i32) = kernel (i_44 < n_40) scan \(a_45: i32) (b_46: i32) : i32 { let (c_47: i32) = add.i32 a_45 b_46 in (c_47) } (0i32) {
    let (x_48: i32) = index xs_41[i_44] in (x_48)
  }
  let (z_49: [n_40]i32) = kernel (j_50 < n_40) {
    let (x_51: i32) = index s_43[j_50]
    let (y_52: i32) = quot.i32 7i32 x_51
    in (y_52)
  }
  in (z_49)
}

entry branch [n_60: i64] (xs_61: [n_60]i32) : (r_62: [n_60]i32) = {
  let (s_63: [n_60]i32) = kernel (i_64 < n_60) scan \(a_65: i32) (b_66: i32) : i32 { let (c_67: i32) = add.i32 a_65 b_66 in (c_67) } (0i32) {
    let (x_68: i32) = index xs_61[i_64] in (x_68)
  }
  let (z_69: [n_60]i32) = kernel (j_70 < n_60) {
    let (x_71: i32) = index s_63[j_70]
    let (t_72: bool) = lt.i32 x_71 0i32
    let (y_73: i32) = if t_72 { in (0i32) } else { in (x_71) }
    in (y_73)
  }
  in (z_69)
}

entry function [n_80: i64] (xs_81: [n_80]f32) : (r_82: [n_80]f32) = {
  let (s_83: [n_80]f32) = kernel (i_84 < n_80) scan \(a_85: f32) (b_86: f32) : f32 { let (c_87: f32) = add.f32 a_85 b_86 in (c_87) } (0f32) {
    let (x_88: f32) = index xs_81[i_84] in (x_88)
  }
  let (z_89: [n_80]f32) = kernel (j_90 < n_80) {
    let (x_91: f32) = index s_83[j_90]
    let (y_92: f32) = exp.f32 x_91
    in (y_92)
  }
  in (z_89)
}

entry last [n_100: i64] (xs_101: [n_100]i32) (l_102: i64) : (r_103: [n_100]i32) = {
  let (s_104: [n_100]i32) = kernel (i_105 < n_100) scan \(a_106: i32) (b_107: i32) : i32 { let (c_108: i32) = add.i32 a_106 b_107 in (c_108) } (0i32) {
    let (x_109: i32) = index xs_101[i_105] in (x_109)
  }
  let (e_110: i32) = index s_104[l_102]
  let (z_111: [n_100]i32) = kernel (j_112 < n_100) {
    let (x_113: i32) = index s_104[j_112]
    let (y_114: i32) = sub.i32 e_110 x_113
    in (y_114)
  }
  in (z_111)
}
// ---
// entry other_point [n_0: i64] (xs_1: [n_0]i32) (l_2: i64) : (r_3: [n_0]i32) = {
//   let (s_4: [n_0]i32) = kernel (i_5 < n_0) scan \(a_6: i32) (b_7: i32) : i32 {
//     let (c_8: i32) = add.i32 a_6 b_7
//     in (c_8)
//   } (0i32) {
//     let (x_9: i32) = index xs_1[i_5]
//     in (x_9)
//   }
//   let (z_10: [n_0]i32) = kernel (j_11 < n_0) {
//     let (k_12: i64) = xor.i64 j_11 l_2
//     let (y_13: i32) = index s_4[k_12]
//     let (x_14: i32) = index s_4[j_11]
//     let (z_15: i32) = sub.i32 x_14 y_13
//     in (z_15)
//   }
//   in (z_10)
// }
//
// entry rows [n_20: i64] [m_21: i64] (xs_22: [n_20]i32) (ys_23: [n_20][m_21]i32) : (r_24: [n_20][m_21]i32) = {
//   let (s_25: [n_20]i32) = kernel (i_26 < n_20) scan \(a_27: i32) (b_28: i32) : i32 {
//     let (c_29: i32) = add.i32 a_27 b_28
//     in (c_29)
//   } (0i32) {
//     let (x_30: i32) = index xs_22[i_26]
//     in (x_30)
//   }
//   let (z_31: [n_20][m_21]i32) = kernel (j_32 < n_20, k_33 < m_21) {
//     let (x_34: i32) = index s_25[j_32]
//     let (y_35: i32) = index ys_23[j_32, k_33]
//     let (z_36: i32) = sub.i32 x_34 y_35
//     in (z_36)
//   }
//   in (z_31)
// }
//
// entry stops [n_40: i64] (xs_41: [n_40]i32) : (r_42: [n_40]i32) = {
//   let (s_43: [n_40]i32) = kernel (i_44 < n_40) scan \(a_45: i32) (b_46: i32) : i32 {
//     let (c_47: i32) = add.i32 a_45 b_46
//     in (c_47)
//   } (0i32) {
//     let (x_48: i32) = index xs_41[i_44]
//     in (x_48)
//   }
//   let (z_49: [n_40]i32) = kernel (j_50 < n_40) {
//     let (x_51: i32) = index s_43[j_50]
//     let (y_52: i32) = quot.i32 7i32 x_51
//     in (y_52)
//   }
//   in (z_49)
// }
//
// entry branch [n_60: i64] (xs_61: [n_60]i32) : (r_62: [n_60]i32) = {
//   let (s_63: [n_60]i32) = kernel (i_64 < n_60) scan \(a_65: i32) (b_66: i32) : i32 {
//     let (c_67: i32) = add.i32 a_65 b_66
//     in (c_67)
//   } (0i32) {
//     let (x_68: i32) = index xs_61[i_64]
//     in (x_68)
//   }
//   let (z_69: [n_60]i32) = kernel (j_70 < n_60) {
//     let (x_71: i32) = index s_63[j_70]
//     let (t_72: bool) = lt.i32 x_71 0i32
//     let (y_73: i32) = if t_72 {
//       in (0i32)
//     } else {
//       in (x_71)
//     }
//     in (y_73)
//   }
//   in (z_69)
// }
//
// entry function [n_80: i64] (xs_81: [n_80]f32) : (r_82: [n_80]f32) = {
//   let (s_83: [n_80]f32) = kernel (i_84 < n_80) scan \(a_85: f32) (b_86: f32) : f32 {
//     let (c_87: f32) = add.f32 a_85 b_86
//     in (c_87)
//   } (0.0f32) {
//     let (x_88: f32) = index xs_81[i_84]
//     in (x_88)
//   }
//   let (z_89: [n_80]f32) = kernel (j_90 < n_80) {
//     let (x_91: f32) = index s_83[j_90]
//     let (y_92: f32) = exp.f32 x_91
//     in (y_92)
//   }
//   in (z_89)
// }
//
// entry last [n_100: i64] (xs_101: [n_100]i32) (l_102: i64) : (r_103: [n_100]i32) = {
//   let (s_104: [n_100]i32) = kernel (i_105 < n_100) scan \(a_106: i32) (b_107: i32) : i32 {
//     let (c_108: i32) = add.i32 a_106 b_107
//     in (c_108)
//   } (0i32) {
//     let (x_109: i32) = index xs_101[i_105]
//     in (x_109)
//   }
//   let (e_110: i32) = index s_104[l_102]
//   let (z_111: [n_100]i32) = kernel (j_112 < n_100) {
//     let (x_113: i32) = index s_104[j_112]
//     let (y_114: i32) = sub.i32 e_110 x_113
//     in (y_114)
//   }
//   in (z_111)
// }
