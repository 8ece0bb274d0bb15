// case: pass map-loops-device
// What stays: an iteration reads what another one wrote, sums floats, looks at its sum, combines it by two operators, writes a part of an array that is not new
// or a place twice, or does something in parallel; a few iterations; and one that writes at computed places beside something else.
entry read [n_0: i64] : (ys_1: [n_0]i64) = {
  let (a_2: [n_0]i64) = replicate [n_0] 1i64
  let (ys_3: [n_0]i64) = loop (p_4: [n_0]i64 = a_2) for i_5: i64 < n_0 {
    let (k_6: i64) = quot.i64 i_5 2i64
    let (x_7: i64) = index p_4[k_6]
    let (q_8: [n_0]i64) = update p_4[i_5] x_7
    in (q_8)
  }
  in (ys_3)
}

entry sums [n_20: i64] (xs_21: [n_20]f32) (is_22: [n_20]i64) : (a_23: f32) (b_24: i64) (c_25: i64) = {
  let (a_26: f32) = loop (s_27: f32 = 0.0f32) for i_28: i64 < n_20 {
    let (x_29: f32) = index xs_21[i_28]
    let (t_30: f32) = add.f32 s_27 x_29
    in (t_30)
  }
  let (b_31: i64) = loop (s_32: i64 = 0i64) for i_33: i64 < n_20 {
    let (x_34: i64) = index is_22[i_33]
    let (y_35: i64) = add.i64 s_32 x_34
    let (z_36: i64) = mul.i64 y_35 x_34
    in (z_36)
  }
  let (c_37: i64) = loop (s_38: i64 = 0i64) for i_39: i64 < n_20 {
    let (x_40: i64) = index is_22[i_39]
    let (l_41: bool) = lt.i64 s_38 x_40
    let (y_42: i64) = if l_41 {
      let (z_43: i64) = add.i64 s_38 x_40
      in (z_43)
    } else {
      in (s_38)
    }
    in (y_42)
  }
  in (a_26, b_31, c_37)
}

entry others [n_60: i64] (*as_61: [n_60][2i64]i64) : (*ys_62: [n_60][2i64]i64) (zs_63: [n_60]i64) (s_64: i64) (few_65: i64) (two_100: i64) (h_101: [4i64]i64) = {
  let (ys_66: [n_60][2i64]i64) = loop (p_67: [n_60][2i64]i64 = as_61) for i_68: i64 < n_60 {
    let (q_69: [n_60][2i64]i64) = update p_67[i_68, 1i64] i_68
    in (q_69)
  }
  let (z_70: [n_60]i64) = replicate [n_60] 0i64
  let (zs_71: [n_60]i64) = loop (p_72: [n_60]i64 = z_70) for i_73: i64 < n_60 {
    let (k_74: i64) = quot.i64 i_73 2i64
    let (q_75: [n_60]i64) = update p_72[k_74] i_73
    let (q_76: [n_60]i64) = update q_75[i_73] 1i64
    in (q_76)
  }
  let (s_77: i64) = loop (s_78: i64 = 0i64) for i_79: i64 < n_60 {
    let (r_80: [i_79]i64) = iota.i64 i_79 0i64 1i64
    let (e_81: i64) = reduce i_79 \(x_82: i64) (y_83: i64) : i64 {
      let (z_84: i64) = add.i64 x_82 y_83
      in (z_84)
    } (0i64) r_80
    let (t_85: i64) = add.i64 s_78 e_81
    in (t_85)
  }
  let (few_86: i64) = loop (s_87: i64 = 0i64) for i_88: i64 < 15i64 {
    let (q_89: i64) = mul.i64 i_88 i_88
    let (t_90: i64) = add.i64 s_87 q_89
    in (t_90)
  }
  let (h_102: [4i64]i64) = replicate [4i64] 0i64
  let (two_103: i64) (h_104: [4i64]i64) = loop (s_105: i64 = 0i64) (p_106: [4i64]i64 = h_102) for i_107: i64 < n_60 {
    let (t_108: i64) = add.i64 s_105 i_107
    let (k_109: i64) = and.i64 i_107 3i64
    let (q_110: [4i64]i64) = update p_106[k_109] i_107
    in (t_108, q_110)
  }
  in (ys_66, zs_71, s_77, few_86, two_103, h_104)
}
// ---
// entry read [n_0: i64] : (ys_1: [n_0]i64) = {
//   let (a_2: [n_0]i64) = replicate [n_0] 1i64
//   let (ys_3: [n_0]i64) = loop (p_4: [n_0]i64 = a_2) for i_5: i64 < n_0 {
//     let (k_6: i64) = quot.i64 i_5 2i64
//     let (x_7: i64) = index p_4[k_6]
//     let (q_8: [n_0]i64) = update p_4[i_5] x_7
//     in (q_8)
//   }
//   in (ys_3)
// }
//
// entry sums [n_20: i64] (xs_21: [n_20]f32) (is_22: [n_20]i64) : (a_23: f32) (b_24: i64) (c_25: i64) = {
//   let (a_26: f32) = loop (s_27: f32 = 0.0f32) for i_28: i64 < n_20 {
//     let (x_29: f32) = index xs_21[i_28]
//     let (t_30: f32) = add.f32 s_27 x_29
//     in (t_30)
//   }
//   let (b_31: i64) = loop (s_32: i64 = 0i64) for i_33: i64 < n_20 {
//     let (x_34: i64) = index is_22[i_33]
//     let (y_35: i64) = add.i64 s_32 x_34
//     let (z_36: i64) = mul.i64 y_35 x_34
//     in (z_36)
//   }
//   let (c_37: i64) = loop (s_38: i64 = 0i64) for i_39: i64 < n_20 {
//     let (x_40: i64) = index is_22[i_39]
//     let (l_41: bool) = lt.i64 s_38 x_40
//     let (y_42: i64) = if l_41 {
//       let (z_43: i64) = add.i64 s_38 x_40
//       in (z_43)
//     } else {
//       in (s_38)
//     }
//     in (y_42)
//   }
//   in (a_26, b_31, c_37)
// }
//
// entry others [n_60: i64] (*as_61: [n_60][2i64]i64) : (*ys_62: [n_60][2i64]i64) (zs_63: [n_60]i64) (s_64: i64) (few_65: i64) (two_100: i64) (h_101: [4i64]i64) = {
//   let (ys_66: [n_60][2i64]i64) = loop (p_67: [n_60][2i64]i64 = as_61) for i_68: i64 < n_60 {
//     let (q_69: [n_60][2i64]i64) = update p_67[i_68, 1i64] i_68
//     in (q_69)
//   }
//   let (z_70: [n_60]i64) = replicate [n_60] 0i64
//   let (zs_71: [n_60]i64) = loop (p_72: [n_60]i64 = z_70) for i_73: i64 < n_60 {
//     let (k_74: i64) = quot.i64 i_73 2i64
//     let (q_75: [n_60]i64) = update p_72[k_74] i_73
//     let (q_76: [n_60]i64) = update q_75[i_73] 1i64
//     in (q_76)
//   }
//   let (s_77: i64) = loop (s_78: i64 = 0i64) for i_79: i64 < n_60 {
//     let (r_80: [i_79]i64) = iota.i64 i_79 0i64 1i64
//     let (e_81: i64) = reduce i_79 \(x_82: i64) (y_83: i64) : i64 {
//       let (z_84: i64) = add.i64 x_82 y_83
//       in (z_84)
//     } (0i64) r_80
//     let (t_85: i64) = add.i64 s_78 e_81
//     in (t_85)
//   }
//   let (few_86: i64) = loop (s_87: i64 = 0i64) for i_88: i64 < 15i64 {
//     let (q_89: i64) = mul.i64 i_88 i_88
//     let (t_90: i64) = add.i64 s_87 q_89
//     in (t_90)
//   }
//   let (h_102: [4i64]i64) = replicate [4i64] 0i64
//   let (two_103: i64) (h_104: [4i64]i64) = loop (s_105: i64 = 0i64) (p_106: [4i64]i64 = h_102) for i_107: i64 < n_60 {
//     let (t_108: i64) = add.i64 s_105 i_107
//     let (k_109: i64) = and.i64 i_107 3i64
//     let (q_110: [4i64]i64) = update p_106[k_109] i_107
//     in (t_108, q_110)
//   }
//   in (ys_66, zs_71, s_77, few_86, two_103, h_104)
// }
