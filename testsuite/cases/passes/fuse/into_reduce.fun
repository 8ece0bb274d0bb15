// case: pass fuse
// Into a reduction of rows: both counters around the read are among its indices.
entry main [n_0: i64] [m_1: i64] (xs_2: [n_0][m_1]i32) : (ys_3: [n_0]i32) = {
  let (sq_4: [n_0][m_1]i32) = kernel (i_5 < n_0, j_6 < m_1) {
    let (x_7: i32) = index xs_2[i_5, j_6]
    let (s_8: i32) = mul.i32 x_7 x_7
    let (t_9: i32) = mul.i32 s_8 s_8
    let (u_10: i32) = mul.i32 t_9 t_9
    in (u_10)
  }
  let (ys_11: [n_0]i32) = kernel (k_12 < n_0) {
    let (row_13: [m_1]i32) = slice sq_4[k_12, 0i64 : m_1 : 1i64]
    let (sum_14: i32) = kernel (l_15 < m_1) reduce \(a_16: i32) (b_17: i32) : i32 {
      let (c_18: i32) = add.i32 a_16 b_17
      in (c_18)
    } (0i32) {
      let (e_19: i32) = index row_13[l_15]
      in (e_19)
    }
    in (sum_14)
  }
  in (ys_11)
}
// ---
// entry main [n_0: i64] [m_1: i64] (xs_2: [n_0][m_1]i32) : (ys_3: [n_0]i32) = {
//   let (ys_11: [n_0]i32) = kernel (k_12 < n_0) {
//     let (sum_14: i32) = kernel (l_15 < m_1) reduce \(a_16: i32) (b_17: i32) : i32 {
//       let (c_18: i32) = add.i32 a_16 b_17
//       in (c_18)
//     } (0i32) {
//       let (x_20: i32) = index xs_2[k_12, l_15]
//       let (s_21: i32) = mul.i32 x_20 x_20
//       let (t_22: i32) = mul.i32 s_21 s_21
//       let (u_23: i32) = mul.i32 t_22 t_22
//       let (e_19: i32) = u_23
//       in (e_19)
//     }
//     in (sum_14)
//   }
//   in (ys_11)
// }
