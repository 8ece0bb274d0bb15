// case: pass copy-maps
// Rows that are copied, as `map copy (transpose xs)` has them, are rows of the result.
entry main [n_0: i64] [m_1: i64] (xs_2: [n_0][m_1]f32) : (*a_3: [m_1][n_0]f32) = {
  let (turned_4: [m_1][n_0]f32) = permute (1, 0) xs_2
  let (rows_5: [m_1][n_0]f32) = kernel (i_6 < m_1) {
    let (row_7: [n_0]f32) = slice turned_4[i_6, 0i64 : n_0 : 1i64]
    let (copied_8: [n_0]f32) = copy row_7
    in (copied_8)
  }
  in (rows_5)
}
// ---
// entry main [n_0: i64] [m_1: i64] (xs_2: [n_0][m_1]f32) : (*a_3: [m_1][n_0]f32) = {
//   let (turned_4: [m_1][n_0]f32) = permute (1, 0) xs_2
//   let (rows_5: [m_1][n_0]f32) = copy turned_4
//   in (rows_5)
// }
