// case: pass copy-maps
// Three dimensions that go round: the first of the result is the second of the array, so where a result's dimension comes from is not where an array's goes.
entry main [k_0: i64] [n_1: i64] [m_2: i64] (xs_3: [k_0][n_1][m_2]f32) : (a_4: [n_1][m_2][k_0]f32) = {
  let (around_5: [n_1][m_2][k_0]f32) = kernel (i_6 < n_1, j_7 < m_2, l_8 < k_0) {
    let (x_9: f32) = index xs_3[l_8, i_6, j_7]
    in (x_9)
  }
  in (around_5)
}
// ---
// entry main [k_0: i64] [n_1: i64] [m_2: i64] (xs_3: [k_0][n_1][m_2]f32) : (a_4: [n_1][m_2][k_0]f32) = {
//   let (turned_10: [n_1][m_2][k_0]f32) = permute (1, 2, 0) xs_3
//   let (around_5: [n_1][m_2][k_0]f32) = copy turned_10
//   in (around_5)
// }
