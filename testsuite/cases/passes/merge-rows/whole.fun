// case: pass merge-rows
// Several things are done with each row: there is a version in which a block of threads does them all, beside the kernels over all rows. Where a row has a
// loop, these would be a thread's. A row that is reduced once has no such version.
entry main (n_0: i64) (m_1: i64) (xs_2: [n_0][m_1]i64) : (r_3: [n_0][m_1]i64) (s_4: [n_0]i64) (t_5: [n_0]i64) = {
  let (ys_6: [n_0][m_1]i64) = kernel (i_7 < n_0) {
    let (most_8: i64) = kernel (j_9 < m_1) reduce_comm \(a_10: i64) (b_11: i64) : i64 {
      let (c_12: i64) = max.i64 a_10 b_11
      in (c_12)
    } (0i64) {
      let (x_13: i64) = index xs_2[i_7, j_9]
      in (x_13)
    }
    let (row_14: [m_1]i64) = kernel (k_15 < m_1) {
      let (y_16: i64) = index xs_2[i_7, k_15]
      let (z_17: i64) = sub.i64 y_16 most_8
      in (z_17)
    }
    in (row_14)
  }
  let (sums_20: [n_0]i64) = kernel (i_21 < n_0) {
    let (sum_22: i64) = loop (sum_23: i64 = 0i64) for k_24: i64 < 3i64 {
      let (more_25: i64) = kernel (j_26 < m_1) reduce_comm \(a_27: i64) (b_28: i64) : i64 {
        let (c_29: i64) = add.i64 a_27 b_28
        in (c_29)
      } (0i64) {
        let (x_30: i64) = index xs_2[i_21, j_26]
        let (y_31: i64) = mul.i64 x_30 sum_23
        in (y_31)
      }
      in (more_25)
    }
    in (sum_22)
  }
  let (once_40: [n_0]i64) = kernel (i_41 < n_0) {
    let (sum_42: i64) = kernel (j_43 < m_1) reduce_comm \(a_44: i64) (b_45: i64) : i64 {
      let (c_46: i64) = add.i64 a_44 b_45
      in (c_46)
    } (0i64) {
      let (x_47: i64) = index xs_2[i_41, j_43]
      in (x_47)
    }
    in (sum_42)
  }
  in (ys_6, sums_20, once_40)
}
// ---
// fun #[noinline] _rows_in_blocks : (res_91: bool) = {
//   in (false)
// }
//
// entry main (n_0: i64) (m_1: i64) (xs_2: [n_0][m_1]i64) : (r_3: [n_0][m_1]i64) (s_4: [n_0]i64) (t_5: [n_0]i64) = {
//   let (rows_69: bool) = call _rows_in_blocks
//   let (ys_6: [n_0][m_1]i64) = if rows_69 {
//     let (ys_59: [n_0][m_1]i64) = kernel (i_48 < n_0) {
//       let (most_54: i64) = kernel (j_52 < m_1) reduce_comm \(a_49: i64) (b_50: i64) : i64 {
//         let (c_51: i64) = max.i64 a_49 b_50
//         in (c_51)
//       } (0i64) {
//         let (x_53: i64) = index xs_2[i_48, j_52]
//         in (x_53)
//       }
//       let (row_58: [m_1]i64) = kernel (k_55 < m_1) {
//         let (y_56: i64) = index xs_2[i_48, k_55]
//         let (z_57: i64) = sub.i64 y_56 most_54
//         in (z_57)
//       }
//       in (row_58)
//     }
//     in (ys_59)
//   } else {
//     let (rows_61: [n_0]i64) = kernel (i_65 < n_0, j_66 < m_1) reduce_comm \(a_62: i64) (b_63: i64) : i64 {
//       let (c_64: i64) = max.i64 a_62 b_63
//       in (c_64)
//     } (0i64) {
//       let (x_67: i64) = index xs_2[i_65, j_66]
//       in (x_67)
//     }
//     let (ys_60: [n_0][m_1]i64) = kernel (i_7 < n_0, k_15 < m_1) {
//       let (most_8: i64) = index rows_61[i_7]
//       let (y_16: i64) = index xs_2[i_7, k_15]
//       let (z_17: i64) = sub.i64 y_16 most_8
//       in (z_17)
//     }
//     in (ys_60)
//   }
//   let (rows_83: bool) = call _rows_in_blocks
//   let (sums_20: [n_0]i64) = if rows_83 {
//     let (sums_81: [n_0]i64) = kernel (i_70 < n_0) {
//       let (sum_80: i64) = loop (sum_71: i64 = 0i64) for k_72: i64 < 3i64 {
//         let (more_79: i64) = kernel (j_76 < m_1) reduce_comm \(a_73: i64) (b_74: i64) : i64 {
//           let (c_75: i64) = add.i64 a_73 b_74
//           in (c_75)
//         } (0i64) {
//           let (x_77: i64) = index xs_2[i_70, j_76]
//           let (y_78: i64) = mul.i64 x_77 sum_71
//           in (y_78)
//         }
//         in (more_79)
//       }
//       in (sum_80)
//     }
//     in (sums_81)
//   } else {
//     let (sums_82: [n_0]i64) = kernel (i_21 < n_0) {
//       let (sum_22: i64) = loop (sum_23: i64 = 0i64) for k_24: i64 < 3i64 {
//         let (more_25: i64) = kernel (j_26 < m_1) reduce_comm \(a_27: i64) (b_28: i64) : i64 {
//           let (c_29: i64) = add.i64 a_27 b_28
//           in (c_29)
//         } (0i64) {
//           let (x_30: i64) = index xs_2[i_21, j_26]
//           let (y_31: i64) = mul.i64 x_30 sum_23
//           in (y_31)
//         }
//         in (more_25)
//       }
//       in (sum_22)
//     }
//     in (sums_82)
//   }
//   let (once_40: [n_0]i64) = kernel (i_87 < n_0, j_88 < m_1) reduce_comm \(a_84: i64) (b_85: i64) : i64 {
//     let (c_86: i64) = add.i64 a_84 b_85
//     in (c_86)
//   } (0i64) {
//     let (x_89: i64) = index xs_2[i_87, j_88]
//     in (x_89)
//   }
//   in (ys_6, sums_20, once_40)
// }
