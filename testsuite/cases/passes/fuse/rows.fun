// case: pass fuse
// Rows that are made and then read as a whole: each point has a row of its own, and the array is gone.
entry main [n_0: i64] [m_1: i64] (xs_2: [n_0]i32) : (ys_3: [n_0]i32) = {
  let (rows_4: [n_0][m_1]i32) = kernel (i_5 < n_0) {
    let (x_6: i32) = index xs_2[i_5]
    let (row_7: [m_1]i32) = kernel (j_8 < m_1) scan \(a_9: i32) (b_10: i32) : i32 {
      let (c_11: i32) = add.i32 a_9 b_10
      in (c_11)
    } (0i32) {
      in (x_6)
    }
    in (row_7)
  }
  let (ys_12: [n_0]i32) = kernel (k_13 < n_0) {
    let (row_14: [m_1]i32) = slice rows_4[k_13, 0i64 : m_1 : 1i64]
    let (y_15: i32) = loop (s_16: i32 = 0i32) for t_17: i64 < m_1 {
      let (e_18: i32) = index row_14[t_17]
      let (s_19: i32) = mul.i32 s_16 e_18
      in (s_19)
    }
    in (y_15)
  }
  in (ys_12)
}
// ---
// entry main [n_0: i64] [m_1: i64] (xs_2: [n_0]i32) : (ys_3: [n_0]i32) = {
//   let (ys_12: [n_0]i32) = kernel (k_13 < n_0) {
//     let (x_20: i32) = index xs_2[k_13]
//     let (row_25: [m_1]i32) = kernel (j_24 < m_1) scan \(a_21: i32) (b_22: i32) : i32 {
//       let (c_23: i32) = add.i32 a_21 b_22
//       in (c_23)
//     } (0i32) {
//       in (x_20)
//     }
//     let (row_14: [m_1]i32) = row_25
//     let (y_15: i32) = loop (s_16: i32 = 0i32) for t_17: i64 < m_1 {
//       let (e_18: i32) = index row_14[t_17]
//       let (s_19: i32) = mul.i32 s_16 e_18
//       in (s_19)
//     }
//     in (y_15)
//   }
//   in (ys_12)
// }
