// case: pass merge-rows
// A histogram of each row is one of all rows; not of few elements, nor where cells begin with what is the row's own.
entry rows [n_0: i64] [m_1: i64] (xs_2: [n_0][m_1]i64) (k_3: i64) : (res_4: [n_0][k_3]i64) (res_5: [n_0]i64) = {
  let (hs_6: [n_0][k_3]i64) (firsts_7: [n_0]i64) = kernel (i_8 < n_0) {
    let (zeros_9: [k_3]i64) = replicate [k_3] 0i64
    let (h_10: [k_3]i64) = kernel (j_11 < m_1) hist \(a_12: i64) (b_13: i64) : i64 {
      let (s_14: i64) = add.i64 a_12 b_13
      in (s_14)
    } (0i64) (zeros_9) {
      let (x_15: i64) = index xs_2[i_8, j_11]
      in (x_15, 1i64)
    }
    in (h_10, i_8)
  }
  in (hs_6, firsts_7)
}

entry few [n_20: i64] (xs_22: [n_20][4i64]i64) (ys_23: [n_20]i64) [m_24: i64] (zs_25: [n_20][m_24]i64) : (res_26: [n_20][5i64]i64) (res_27: [n_20][5i64]i64) = {
  let (hs_28: [n_20][5i64]i64) = kernel (i_29 < n_20) {
    let (zeros_30: [5i64]i64) = replicate [5i64] 0i64
    let (h_31: [5i64]i64) = kernel (j_32 < 4i64) hist \(a_33: i64) (b_34: i64) : i64 {
      let (s_35: i64) = add.i64 a_33 b_34
      in (s_35)
    } (0i64) (zeros_30) {
      let (x_36: i64) = index xs_22[i_29, j_32]
      in (x_36, 1i64)
    }
    in (h_31)
  }
  let (gs_38: [n_20][5i64]i64) = kernel (i_39 < n_20) {
    let (y_40: i64) = index ys_23[i_39]
    let (own_41: [5i64]i64) = replicate [5i64] y_40
    let (h_42: [5i64]i64) = kernel (j_43 < m_24) hist \(a_44: i64) (b_45: i64) : i64 {
      let (s_46: i64) = add.i64 a_44 b_45
      in (s_46)
    } (0i64) (own_41) {
      let (x_47: i64) = index zs_25[i_39, j_43]
      in (x_47, 1i64)
    }
    in (h_42)
  }
  in (hs_28, gs_38)
}
// ---
// entry rows [n_0: i64] [m_1: i64] (xs_2: [n_0][m_1]i64) (k_3: i64) : (res_4: [n_0][k_3]i64) (res_5: [n_0]i64) = {
//   let (cells_48: i64) = mul.i64 k_3 n_0
//   let (fill_49: [n_0][k_3]i64) = replicate [n_0][k_3] 0i64
//   let (flat_50: [cells_48]i64) = reshape [cells_48] fill_49
//   let (points_51: i64) = mul.i64 n_0 m_1
//   let (width_52: i64) = max.i64 m_1 1i64
//   let (all_61: [cells_48]i64) = kernel (p_65 < points_51) hist \(a_62: i64) (b_63: i64) : i64 {
//     let (s_64: i64) = add.i64 a_62 b_63
//     in (s_64)
//   } (0i64) (flat_50) {
//     let (j_66: i64) = rem.i64 p_65 width_52
//     let (rest_67: i64) = quot.i64 p_65 width_52
//     let (i_68: i64) = rest_67
//     let (x_69: i64) = index xs_2[i_68, j_66]
//     let (place_70: i64) = mul.i64 i_68 k_3
//     let (place_71: i64) = add.i64 place_70 x_69
//     let (place_72: bool) = le.i64 0i64 x_69
//     let (place_73: bool) = lt.i64 x_69 k_3
//     let (place_74: bool) = and.bool place_72 place_73
//     let (place_75: i64) = if place_74 {
//       in (place_71)
//     } else {
//       in (-1i64)
//     }
//     in (place_75, 1i64)
//   }
//   let (hs_6: [n_0][k_3]i64) = reshape [n_0][k_3] all_61
//   let (firsts_7: [n_0]i64) = kernel (i_8 < n_0) {
//     let (h_10: [k_3]i64) = slice hs_6[i_8, 0i64 : k_3 : 1i64]
//     in (i_8)
//   }
//   in (hs_6, firsts_7)
// }
//
// entry few [n_20: i64] (xs_22: [n_20][4i64]i64) (ys_23: [n_20]i64) [m_24: i64] (zs_25: [n_20][m_24]i64) : (res_26: [n_20][5i64]i64) (res_27: [n_20][5i64]i64) = {
//   let (hs_28: [n_20][5i64]i64) = kernel (i_29 < n_20) {
//     let (zeros_30: [5i64]i64) = replicate [5i64] 0i64
//     let (h_31: [5i64]i64) = kernel (j_32 < 4i64) hist \(a_33: i64) (b_34: i64) : i64 {
//       let (s_35: i64) = add.i64 a_33 b_34
//       in (s_35)
//     } (0i64) (zeros_30) {
//       let (x_36: i64) = index xs_22[i_29, j_32]
//       in (x_36, 1i64)
//     }
//     in (h_31)
//   }
//   let (gs_38: [n_20][5i64]i64) = kernel (i_39 < n_20) {
//     let (y_40: i64) = index ys_23[i_39]
//     let (own_41: [5i64]i64) = replicate [5i64] y_40
//     let (h_42: [5i64]i64) = kernel (j_43 < m_24) hist \(a_44: i64) (b_45: i64) : i64 {
//       let (s_46: i64) = add.i64 a_44 b_45
//       in (s_46)
//     } (0i64) (own_41) {
//       let (x_47: i64) = index zs_25[i_39, j_43]
//       in (x_47, 1i64)
//     }
//     in (h_42)
//   }
//   in (hs_28, gs_38)
// }
