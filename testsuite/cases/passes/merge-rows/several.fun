// case: pass merge-rows
// A scan, a reduction of what it gave, and a map of both: each becomes a kernel over all rows and their elements.
entry main [n_0: i64] [m_1: i64] (xs_2: [n_0][m_1]i32) : (r_3: [n_0][m_1]i32) = {
  let (ys_4: [n_0][m_1]i32) = kernel (i_5 < n_0) {
    let (scanned_6: [m_1]i32) = kernel (j_7 < m_1) scan \(a_8: i32) (b_9: i32) : i32 {
      let (c_10: i32) = add.i32 a_8 b_9
      in (c_10)
    } (0i32) {
      let (x_11: i32) = index xs_2[i_5, j_7]
      in (x_11)
    }
    let (greatest_12: i32) = kernel (k_13 < m_1) reduce_comm \(a_14: i32) (b_15: i32) : i32 {
      let (c_16: i32) = max.i32 a_14 b_15
      in (c_16)
    } (0i32) {
      let (y_17: i32) = index scanned_6[k_13]
      in (y_17)
    }
    let (zs_18: [m_1]i32) = kernel (l_19 < m_1) {
      let (z_20: i32) = index scanned_6[l_19]
      let (w_21: i32) = sub.i32 greatest_12 z_20
      in (w_21)
    }
    in (zs_18)
  }
  in (ys_4)
}
// ---
// fun #[noinline] _rows_in_blocks : (res_59: bool) = {
//   in (false)
// }
//
// entry main [n_0: i64] [m_1: i64] (xs_2: [n_0][m_1]i32) : (r_3: [n_0][m_1]i32) = {
//   let (rows_58: bool) = call _rows_in_blocks
//   let (ys_4: [n_0][m_1]i32) = if rows_58 {
//     let (ys_39: [n_0][m_1]i32) = kernel (i_22 < n_0) {
//       let (scanned_28: [m_1]i32) = kernel (j_26 < m_1) scan \(a_23: i32) (b_24: i32) : i32 {
//         let (c_25: i32) = add.i32 a_23 b_24
//         in (c_25)
//       } (0i32) {
//         let (x_27: i32) = index xs_2[i_22, j_26]
//         in (x_27)
//       }
//       let (greatest_34: i32) = kernel (k_32 < m_1) reduce_comm \(a_29: i32) (b_30: i32) : i32 {
//         let (c_31: i32) = max.i32 a_29 b_30
//         in (c_31)
//       } (0i32) {
//         let (y_33: i32) = index scanned_28[k_32]
//         in (y_33)
//       }
//       let (zs_38: [m_1]i32) = kernel (l_35 < m_1) {
//         let (z_36: i32) = index scanned_28[l_35]
//         let (w_37: i32) = sub.i32 greatest_34 z_36
//         in (w_37)
//       }
//       in (zs_38)
//     }
//     in (ys_39)
//   } else {
//     let (rows_41: [n_0][m_1]i32) = kernel (i_45 < n_0, j_46 < m_1) scan \(a_42: i32) (b_43: i32) : i32 {
//       let (c_44: i32) = add.i32 a_42 b_43
//       in (c_44)
//     } (0i32) {
//       let (x_47: i32) = index xs_2[i_45, j_46]
//       in (x_47)
//     }
//     let (rows_49: [n_0]i32) = kernel (i_53 < n_0, k_54 < m_1) reduce_comm \(a_50: i32) (b_51: i32) : i32 {
//       let (c_52: i32) = max.i32 a_50 b_51
//       in (c_52)
//     } (0i32) {
//       let (scanned_55: [m_1]i32) = slice rows_41[i_53, 0i64 : m_1 : 1i64]
//       let (y_56: i32) = index scanned_55[k_54]
//       in (y_56)
//     }
//     let (ys_40: [n_0][m_1]i32) = kernel (i_5 < n_0, l_19 < m_1) {
//       let (scanned_6: [m_1]i32) = slice rows_41[i_5, 0i64 : m_1 : 1i64]
//       let (greatest_12: i32) = index rows_49[i_5]
//       let (z_20: i32) = index scanned_6[l_19]
//       let (w_21: i32) = sub.i32 greatest_12 z_20
//       in (w_21)
//     }
//     in (ys_40)
//   }
//   in (ys_4)
// }
