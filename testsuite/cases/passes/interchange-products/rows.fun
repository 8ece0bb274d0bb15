// case: pass interchange-products
// Rows of sums are a product, from zeros; not from a row, which tiles do not begin with, nor where what is summed goes by row and column at once.
entry product [n_0: i64] [m_1: i64] [p_2: i64] (a_3: [n_0][m_1]f32) (b_4: [m_1][p_2]f32) (bias_5: [p_2]f32) : (res_6: [n_0][p_2]f32) (res_7: [n_0][p_2]f32) = {
  let (cs_8: [n_0][p_2]f32) = kernel (i_9 < n_0) {
    let (zeros_10: [p_2]f32) = replicate [p_2] 0.0f32
    let (row_11: [p_2]f32) = loop (c_12: [p_2]f32 = zeros_10) for k_13: i64 < m_1 {
      let (next_14: [p_2]f32) = kernel (j_15 < p_2) {
        let (old_16: f32) = index c_12[j_15]
        let (x_17: f32) = index a_3[i_9, k_13]
        let (y_18: f32) = index b_4[k_13, j_15]
        let (z_19: f32) = mul.f32 x_17 y_18
        let (s_20: f32) = add.f32 old_16 z_19
        in (s_20)
      }
      in (next_14)
    }
    in (row_11)
  }
  let (ds_28: [n_0][p_2]f32) = kernel (i_29 < n_0) {
    let (first_30: [p_2]f32) = copy bias_5
    let (row_31: [p_2]f32) = loop (c_32: [p_2]f32 = first_30) for k_33: i64 < m_1 {
      let (next_34: [p_2]f32) = kernel (j_35 < p_2) {
        let (old_36: f32) = index c_32[j_35]
        let (x_37: f32) = index a_3[i_29, k_33]
        let (y_38: f32) = index b_4[k_33, j_35]
        let (z_39: f32) = add.f32 x_37 y_38
        let (s_40: f32) = max.f32 z_39 old_36
        in (s_40)
      }
      in (next_34)
    }
    in (row_31)
  }
  in (cs_8, ds_28)
}

entry by_both [n_50: i64] [m_51: i64] [p_52: i64] (a_53: [n_50][m_51][p_52]f32) (b_54: [m_51][p_52]f32) : (res_55: [n_50][p_52]f32) = {
  let (cs_56: [n_50][p_52]f32) = kernel (i_57 < n_50) {
    let (zeros_58: [p_52]f32) = replicate [p_52] 0.0f32
    let (row_59: [p_52]f32) = loop (c_60: [p_52]f32 = zeros_58) for k_61: i64 < m_51 {
      let (next_62: [p_52]f32) = kernel (j_63 < p_52) {
        let (old_64: f32) = index c_60[j_63]
        let (x_65: f32) = index a_53[i_57, k_61, j_63]
        let (y_66: f32) = index b_54[k_61, j_63]
        let (z_67: f32) = mul.f32 x_65 y_66
        let (s_68: f32) = add.f32 old_64 z_67
        in (s_68)
      }
      in (next_62)
    }
    in (row_59)
  }
  in (cs_56)
}
// ---
// entry product [n_0: i64] [m_1: i64] [p_2: i64] (a_3: [n_0][m_1]f32) (b_4: [m_1][p_2]f32) (bias_5: [p_2]f32) : (res_6: [n_0][p_2]f32) (res_7: [n_0][p_2]f32) = {
//   let (many_72: bool) = le.i64 12i64 n_0
//   let (cs_8: [n_0][p_2]f32) = if many_72 {
//     let (cs_83: [n_0][p_2]f32) = kernel (i_73 < n_0, i_74 < p_2) {
//       let (row_82: f32) = loop (x_75: f32 = 0.0f32) for k_76: i64 < m_1 {
//         let (old_77: f32) = x_75
//         let (x_78: f32) = index a_3[i_73, k_76]
//         let (y_79: f32) = index b_4[k_76, i_74]
//         let (z_80: f32) = mul.f32 x_78 y_79
//         let (s_81: f32) = add.f32 old_77 z_80
//         in (s_81)
//       }
//       in (row_82)
//     }
//     in (cs_83)
//   } else {
//     let (cs_96: [n_0][p_2]f32) = kernel (i_84 < n_0) {
//       let (zeros_85: [p_2]f32) = replicate [p_2] 0.0f32
//       let (row_95: [p_2]f32) = loop (c_86: [p_2]f32 = zeros_85) for k_87: i64 < m_1 {
//         let (next_94: [p_2]f32) = kernel (j_88 < p_2) {
//           let (old_89: f32) = index c_86[j_88]
//           let (x_90: f32) = index a_3[i_84, k_87]
//           let (y_91: f32) = index b_4[k_87, j_88]
//           let (z_92: f32) = mul.f32 x_90 y_91
//           let (s_93: f32) = add.f32 old_89 z_92
//           in (s_93)
//         }
//         in (next_94)
//       }
//       in (row_95)
//     }
//     in (cs_96)
//   }
//   let (ds_28: [n_0][p_2]f32) = kernel (i_29 < n_0) {
//     let (first_30: [p_2]f32) = copy bias_5
//     let (row_31: [p_2]f32) = loop (c_32: [p_2]f32 = first_30) for k_33: i64 < m_1 {
//       let (next_34: [p_2]f32) = kernel (j_35 < p_2) {
//         let (old_36: f32) = index c_32[j_35]
//         let (x_37: f32) = index a_3[i_29, k_33]
//         let (y_38: f32) = index b_4[k_33, j_35]
//         let (z_39: f32) = add.f32 x_37 y_38
//         let (s_40: f32) = max.f32 z_39 old_36
//         in (s_40)
//       }
//       in (next_34)
//     }
//     in (row_31)
//   }
//   in (cs_8, ds_28)
// }
//
// entry by_both [n_50: i64] [m_51: i64] [p_52: i64] (a_53: [n_50][m_51][p_52]f32) (b_54: [m_51][p_52]f32) : (res_55: [n_50][p_52]f32) = {
//   let (cs_56: [n_50][p_52]f32) = kernel (i_57 < n_50) {
//     let (zeros_58: [p_52]f32) = replicate [p_52] 0.0f32
//     let (row_59: [p_52]f32) = loop (c_60: [p_52]f32 = zeros_58) for k_61: i64 < m_51 {
//       let (next_62: [p_52]f32) = kernel (j_63 < p_52) {
//         let (old_64: f32) = index c_60[j_63]
//         let (x_65: f32) = index a_53[i_57, k_61, j_63]
//         let (y_66: f32) = index b_54[k_61, j_63]
//         let (z_67: f32) = mul.f32 x_65 y_66
//         let (s_68: f32) = add.f32 old_64 z_67
//         in (s_68)
//       }
//       in (next_62)
//     }
//     in (row_59)
//   }
//   in (cs_56)
// }
