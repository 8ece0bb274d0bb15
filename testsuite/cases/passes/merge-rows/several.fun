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
// entry main [n_0: i64] [m_1: i64] (xs_2: [n_0][m_1]i32) : (r_3: [n_0][m_1]i32) = {
//   let (rows_22: [n_0][m_1]i32) = kernel (i_26 < n_0, j_27 < m_1) scan \(a_23: i32) (b_24: i32) : i32 {
//     let (c_25: i32) = add.i32 a_23 b_24
//     in (c_25)
//   } (0i32) {
//     let (x_28: i32) = index xs_2[i_26, j_27]
//     in (x_28)
//   }
//   let (rows_30: [n_0]i32) = kernel (i_34 < n_0, k_35 < m_1) reduce_comm \(a_31: i32) (b_32: i32) : i32 {
//     let (c_33: i32) = max.i32 a_31 b_32
//     in (c_33)
//   } (0i32) {
//     let (scanned_36: [m_1]i32) = slice rows_22[i_34, 0i64 : m_1 : 1i64]
//     let (y_37: i32) = index scanned_36[k_35]
//     in (y_37)
//   }
//   let (ys_4: [n_0][m_1]i32) = kernel (i_5 < n_0, l_19 < m_1) {
//     let (scanned_6: [m_1]i32) = slice rows_22[i_5, 0i64 : m_1 : 1i64]
//     let (greatest_12: i32) = index rows_30[i_5]
//     let (z_20: i32) = index scanned_6[l_19]
//     let (w_21: i32) = sub.i32 greatest_12 z_20
//     in (w_21)
//   }
//   in (ys_4)
// }
