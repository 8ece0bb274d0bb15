// case: pass merge-rows
// A result of the reduction is there at once, what is computed from it follows in a map of all rows; the transposed array stands before both.
entry main [n_0: i64] [m_1: i64] (xs_2: [n_0][m_1]f32) (ys_3: [n_0][m_1]f32) : (r_4: [n_0]f32) (s_5: [n_0]f32) = {
  let (sums_6: [n_0]f32) (roots_7: [n_0]f32) = kernel (i_8 < n_0) {
    let (row_9: [m_1]f32) = slice xs_2[i_8, 0i64 : m_1 : 1i64]
    let (turned_10: [m_1][n_0]f32) = permute (1, 0) ys_3
    let (sum_11: f32) = kernel (j_12 < m_1) reduce_comm \(a_13: f32) (b_14: f32) : f32 {
      let (c_15: f32) = add.f32 a_13 b_14
      in (c_15)
    } (0.0f32) {
      let (x_16: f32) = index row_9[j_12]
      let (y_17: f32) = index turned_10[j_12, i_8]
      let (z_18: f32) = mul.f32 x_16 y_17
      in (z_18)
    }
    let (root_19: f32) = sqrt.f32 sum_11
    in (sum_11, root_19)
  }
  in (sums_6, roots_7)
}
// ---
// entry main [n_0: i64] [m_1: i64] (xs_2: [n_0][m_1]f32) (ys_3: [n_0][m_1]f32) : (r_4: [n_0]f32) (s_5: [n_0]f32) = {
//   let (turned_10: [m_1][n_0]f32) = permute (1, 0) ys_3
//   let (sums_6: [n_0]f32) = kernel (i_23 < n_0, j_24 < m_1) reduce_comm \(a_20: f32) (b_21: f32) : f32 {
//     let (c_22: f32) = add.f32 a_20 b_21
//     in (c_22)
//   } (0.0f32) {
//     let (row_25: [m_1]f32) = slice xs_2[i_23, 0i64 : m_1 : 1i64]
//     let (x_26: f32) = index row_25[j_24]
//     let (y_27: f32) = index turned_10[j_24, i_23]
//     let (z_28: f32) = mul.f32 x_26 y_27
//     in (z_28)
//   }
//   let (roots_7: [n_0]f32) = kernel (i_8 < n_0) {
//     let (row_9: [m_1]f32) = slice xs_2[i_8, 0i64 : m_1 : 1i64]
//     let (sum_11: f32) = index sums_6[i_8]
//     let (root_19: f32) = sqrt.f32 sum_11
//     in (root_19)
//   }
//   in (sums_6, roots_7)
// }
