// case: pass dead-stores
// What is read stays: by the loop, before it, or because the loop writes only a part, or other cells than those of its iteration.
entry read [n_0: i64] : (ys_1: [n_0]i64) = {
  let (a_2: [n_0]i64) = iota.i64 n_0 0i64 1i64
  let (ys_3: [n_0]i64) = loop (p_4: [n_0]i64 = a_2) for i_5: i64 < n_0 {
    let (x_6: i64) = index p_4[i_5]
    let (y_7: i64) = mul.i64 x_6 x_6
    let (q_8: [n_0]i64) = update p_4[i_5] y_7
    in (q_8)
  }
  in (ys_3)
}

entry part [n_20: i64] [m_21: i64] : (ys_22: [n_20]i64) = {
  let (a_23: [n_20]i64) = replicate [n_20] 7i64
  let (fits_24: bool) = le.i64 m_21 n_20
  let = assert fits_24 "too many"
  let (ys_25: [n_20]i64) = loop (p_26: [n_20]i64 = a_23) for i_27: i64 < m_21 {
    let (q_28: [n_20]i64) = update p_26[i_27] i_27
    in (q_28)
  }
  in (ys_25)
}

entry elsewhere [n_40: i64] : (ys_41: [n_40]i64) = {
  let (a_42: [n_40]i64) = replicate [n_40] 7i64
  let (ys_43: [n_40]i64) = loop (p_44: [n_40]i64 = a_42) for i_45: i64 < n_40 {
    let (q_46: [n_40]i64) = update p_44[0i64] i_45
    in (q_46)
  }
  in (ys_43)
}

entry column [n_60: i64] (xs_61: [n_60]i64) : (ys_62: [n_60][n_60]i64) = {
  let (a_63: [n_60][n_60]i64) = replicate [n_60][n_60] 7i64
  let (ys_64: [n_60][n_60]i64) = loop (p_65: [n_60][n_60]i64 = a_63) for i_66: i64 < n_60 {
    let (q_67: [n_60][n_60]i64) = update p_65[0i64, 0i64 : n_60 : 1i64] xs_61
    in (q_67)
  }
  in (ys_64)
}

entry twice [n_80: i64] : (ys_81: [n_80]i64) (x_79: i64) = {
  let (a_83: [n_80]i64) = replicate [n_80] 7i64
  let (some_85: bool) = lt.i64 0i64 n_80
  let = assert some_85 "none"
  let (x_82: i64) = index a_83[0i64]
  let (ys_86: [n_80]i64) = loop (p_87: [n_80]i64 = a_83) for i_88: i64 < n_80 {
    let (q_89: [n_80]i64) = update p_87[i_88] i_88
    in (q_89)
  }
  in (ys_86, x_82)
}
// ---
// entry read [n_0: i64] : (ys_1: [n_0]i64) = {
//   let (a_2: [n_0]i64) = iota.i64 n_0 0i64 1i64
//   let (ys_3: [n_0]i64) = loop (p_4: [n_0]i64 = a_2) for i_5: i64 < n_0 {
//     let (x_6: i64) = index p_4[i_5]
//     let (y_7: i64) = mul.i64 x_6 x_6
//     let (q_8: [n_0]i64) = update p_4[i_5] y_7
//     in (q_8)
//   }
//   in (ys_3)
// }
//
// entry part [n_20: i64] [m_21: i64] : (ys_22: [n_20]i64) = {
//   let (a_23: [n_20]i64) = replicate [n_20] 7i64
//   let (fits_24: bool) = le.i64 m_21 n_20
//   let = assert fits_24 "too many"
//   let (ys_25: [n_20]i64) = loop (p_26: [n_20]i64 = a_23) for i_27: i64 < m_21 {
//     let (q_28: [n_20]i64) = update p_26[i_27] i_27
//     in (q_28)
//   }
//   in (ys_25)
// }
//
// entry elsewhere [n_40: i64] : (ys_41: [n_40]i64) = {
//   let (a_42: [n_40]i64) = replicate [n_40] 7i64
//   let (ys_43: [n_40]i64) = loop (p_44: [n_40]i64 = a_42) for i_45: i64 < n_40 {
//     let (q_46: [n_40]i64) = update p_44[0i64] i_45
//     in (q_46)
//   }
//   in (ys_43)
// }
//
// entry column [n_60: i64] (xs_61: [n_60]i64) : (ys_62: [n_60][n_60]i64) = {
//   let (a_63: [n_60][n_60]i64) = replicate [n_60][n_60] 7i64
//   let (ys_64: [n_60][n_60]i64) = loop (p_65: [n_60][n_60]i64 = a_63) for i_66: i64 < n_60 {
//     let (q_67: [n_60][n_60]i64) = update p_65[0i64, 0i64 : n_60 : 1i64] xs_61
//     in (q_67)
//   }
//   in (ys_64)
// }
//
// entry twice [n_80: i64] : (ys_81: [n_80]i64) (x_79: i64) = {
//   let (a_83: [n_80]i64) = replicate [n_80] 7i64
//   let (some_85: bool) = lt.i64 0i64 n_80
//   let = assert some_85 "none"
//   let (x_82: i64) = index a_83[0i64]
//   let (ys_86: [n_80]i64) = loop (p_87: [n_80]i64 = a_83) for i_88: i64 < n_80 {
//     let (q_89: [n_80]i64) = update p_87[i_88] i_88
//     in (q_89)
//   }
//   in (ys_86, x_82)
// }
