// case: pass interchange-loops
// An element of another place, what may fail, a sum of what is carried, few elements, and an array without contents.
entry reversed [n_0: i64] (xs_1: [n_0]f32) (steps_3: i64) : (res_4: [n_0]f32) = {
  let (as_7: [n_0]f32) = loop (x_10: [n_0]f32 = xs_1) for k_13: i64 < steps_3 {
    let (r_11: [n_0]f32) = reverse 0 x_10
    let (zs_15: [n_0]f32) = kernel (i_16 < n_0) {
      let (a_17: f32) = index r_11[i_16]
      let (z_18: f32) = mul.f32 a_17 0.5f32
      in (z_18)
    }
    in (zs_15)
  }
  in (as_7)
}

entry fails [n_30: i64] (xs_31: [n_30]i32) (steps_33: i64) : (res_34: [n_30]i32) = {
  let (as_37: [n_30]i32) = loop (x_40: [n_30]i32 = xs_31) for k_43: i64 < steps_33 {
    let (zs_45: [n_30]i32) = kernel (i_46 < n_30) {
      let (a_47: i32) = index x_40[i_46]
      let (ok_48: bool) = lt.i32 a_47 100i32
      let = assert ok_48 "too large"
      let (z_49: i32) = add.i32 a_47 1i32
      in (z_49)
    }
    in (zs_45)
  }
  in (as_37)
}

entry summed [n_60: i64] (xs_61: [n_60]i32) (steps_63: i64) : (res_64: [n_60]i32) = {
  let (as_67: [n_60]i32) = loop (x_70: [n_60]i32 = xs_61) for k_73: i64 < steps_63 {
    let (s_74: i32) = kernel (j_75 < n_60) reduce_comm \(p_76: i32) (q_77: i32) : i32 {
      let (r_78: i32) = add.i32 p_76 q_77
      in (r_78)
    } (0i32) {
      let (a_79: i32) = index x_70[j_75]
      in (a_79)
    }
    let (zs_85: [n_60]i32) = kernel (i_86 < n_60) {
      let (a_87: i32) = index x_70[i_86]
      let (z_88: i32) = add.i32 a_87 s_74
      in (z_88)
    }
    in (zs_85)
  }
  in (as_67)
}

entry few (xs_91: [3i64]i32) (steps_93: i64) : (res_94: [3i64]i32) = {
  let (as_97: [3i64]i32) = loop (x_100: [3i64]i32 = xs_91) for k_103: i64 < steps_93 {
    let (zs_105: [3i64]i32) = kernel (i_106 < 3i64) {
      let (a_107: i32) = index x_100[i_106]
      let (z_108: i32) = add.i32 a_107 1i32
      in (z_108)
    }
    in (zs_105)
  }
  in (as_97)
}

entry without [n_130: i64] (xs_131: [n_130]i32) (steps_133: i64) : (res_134: [n_130]i32) = {
  let (none_135: [n_130]i32) = scratch [n_130] i32
  let (as_137: [n_130]i32) = loop (x_140: [n_130]i32 = none_135) for k_143: i64 < steps_133 {
    let (zs_145: [n_130]i32) = kernel (i_146 < n_130) {
      let (a_147: i32) = index xs_131[i_146]
      let (z_148: i32) = add.i32 a_147 1i32
      in (z_148)
    }
    in (zs_145)
  }
  in (as_137)
}
// ---
// entry reversed [n_0: i64] (xs_1: [n_0]f32) (steps_3: i64) : (res_4: [n_0]f32) = {
//   let (as_7: [n_0]f32) = loop (x_10: [n_0]f32 = xs_1) for k_13: i64 < steps_3 {
//     let (r_11: [n_0]f32) = reverse 0 x_10
//     let (zs_15: [n_0]f32) = kernel (i_16 < n_0) {
//       let (a_17: f32) = index r_11[i_16]
//       let (z_18: f32) = mul.f32 a_17 0.5f32
//       in (z_18)
//     }
//     in (zs_15)
//   }
//   in (as_7)
// }
//
// entry fails [n_30: i64] (xs_31: [n_30]i32) (steps_33: i64) : (res_34: [n_30]i32) = {
//   let (as_37: [n_30]i32) = loop (x_40: [n_30]i32 = xs_31) for k_43: i64 < steps_33 {
//     let (zs_45: [n_30]i32) = kernel (i_46 < n_30) {
//       let (a_47: i32) = index x_40[i_46]
//       let (ok_48: bool) = lt.i32 a_47 100i32
//       let = assert ok_48 "too large"
//       let (z_49: i32) = add.i32 a_47 1i32
//       in (z_49)
//     }
//     in (zs_45)
//   }
//   in (as_37)
// }
//
// entry summed [n_60: i64] (xs_61: [n_60]i32) (steps_63: i64) : (res_64: [n_60]i32) = {
//   let (as_67: [n_60]i32) = loop (x_70: [n_60]i32 = xs_61) for k_73: i64 < steps_63 {
//     let (s_74: i32) = kernel (j_75 < n_60) reduce_comm \(p_76: i32) (q_77: i32) : i32 {
//       let (r_78: i32) = add.i32 p_76 q_77
//       in (r_78)
//     } (0i32) {
//       let (a_79: i32) = index x_70[j_75]
//       in (a_79)
//     }
//     let (zs_85: [n_60]i32) = kernel (i_86 < n_60) {
//       let (a_87: i32) = index x_70[i_86]
//       let (z_88: i32) = add.i32 a_87 s_74
//       in (z_88)
//     }
//     in (zs_85)
//   }
//   in (as_67)
// }
//
// entry few (xs_91: [3i64]i32) (steps_93: i64) : (res_94: [3i64]i32) = {
//   let (as_97: [3i64]i32) = loop (x_100: [3i64]i32 = xs_91) for k_103: i64 < steps_93 {
//     let (zs_105: [3i64]i32) = kernel (i_106 < 3i64) {
//       let (a_107: i32) = index x_100[i_106]
//       let (z_108: i32) = add.i32 a_107 1i32
//       in (z_108)
//     }
//     in (zs_105)
//   }
//   in (as_97)
// }
//
// entry without [n_130: i64] (xs_131: [n_130]i32) (steps_133: i64) : (res_134: [n_130]i32) = {
//   let (none_135: [n_130]i32) = scratch [n_130]i32
//   let (as_137: [n_130]i32) = loop (x_140: [n_130]i32 = none_135) for k_143: i64 < steps_133 {
//     let (zs_145: [n_130]i32) = kernel (i_146 < n_130) {
//       let (a_147: i32) = index xs_131[i_146]
//       let (z_148: i32) = add.i32 a_147 1i32
//       in (z_148)
//     }
//     in (zs_145)
//   }
//   in (as_137)
// }
