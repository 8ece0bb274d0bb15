// case: pass copy-maps
// A transposed array by its elements, transposed matrices by rows, and one by columns; the last map leaves out a row, and stays.
entry main [k_0: i64] [n_1: i64] [m_2: i64] (xs_3: [n_1][m_2]f32) (ys_4: [k_0][n_1][m_2]i8) : (a_5: [m_2][n_1]f32) (b_6: [k_0][m_2][n_1]i8) (c_7: [n_1][m_2]f32) (d_8: [m_2][n_1]f32) = {
  let (turned_9: [m_2][n_1]f32) = kernel (i_10 < m_2, j_11 < n_1) {
    let (x_12: f32) = index xs_3[j_11, i_10]
    in (x_12)
  }
  let (matrices_13: [k_0][m_2][n_1]i8) = kernel (l_14 < k_0) {
    let (matrix_15: [n_1][m_2]i8) = slice ys_4[l_14, 0i64 : n_1 : 1i64, 0i64 : m_2 : 1i64]
    let (turned_16: [m_2][n_1]i8) = permute (1, 0) matrix_15
    in (turned_16)
  }
  let (same_17: [n_1][m_2]f32) = kernel (i_18 < n_1) {
    let (row_19: [m_2]f32) = slice xs_3[i_18, 0i64 : m_2 : 1i64]
    in (row_19)
  }
  let (half_20: [m_2][n_1]f32) = kernel (i_21 < m_2, j_22 < n_1) {
    let (x_23: f32) = index xs_3[0i64, i_21]
    in (x_23)
  }
  in (turned_9, matrices_13, same_17, half_20)
}
// ---
// entry main [k_0: i64] [n_1: i64] [m_2: i64] (xs_3: [n_1][m_2]f32) (ys_4: [k_0][n_1][m_2]i8) : (a_5: [m_2][n_1]f32) (b_6: [k_0][m_2][n_1]i8) (c_7: [n_1][m_2]f32) (d_8: [m_2][n_1]f32) = {
//   let (turned_24: [m_2][n_1]f32) = permute (1, 0) xs_3
//   let (turned_9: [m_2][n_1]f32) = copy turned_24
//   let (turned_25: [k_0][m_2][n_1]i8) = permute (0, 2, 1) ys_4
//   let (matrices_13: [k_0][m_2][n_1]i8) = copy turned_25
//   let (same_17: [n_1][m_2]f32) = copy xs_3
//   let (half_20: [m_2][n_1]f32) = kernel (i_21 < m_2, j_22 < n_1) {
//     let (x_23: f32) = index xs_3[0i64, i_21]
//     in (x_23)
//   }
//   in (turned_9, matrices_13, same_17, half_20)
// }
