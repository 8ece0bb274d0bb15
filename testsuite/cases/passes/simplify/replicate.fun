// case: pass simplify
// Rows of one scalar, also of two dimensions, need not be made first; those of an array that is given are copied.
entry main [n_0: i64] (xs_1: [n_0]i32) (x_2: i32) (m_3: i64) : (r_8: [m_3][n_0][2i64]i32) (s_9: [m_3][n_0]i32) = {
  let (row_4: [2i64]i32) = replicate [2i64] x_2
  let (rows_5: [n_0][2i64]i32) = replicate [n_0] row_4
  let (all_6: [m_3][n_0][2i64]i32) = replicate [m_3] rows_5
  let (given_7: [m_3][n_0]i32) = replicate [m_3] xs_1
  in (all_6, given_7)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]i32) (x_2: i32) (m_3: i64) : (r_8: [m_3][n_0][2i64]i32) (s_9: [m_3][n_0]i32) = {
//   let (all_6: [m_3][n_0][2i64]i32) = replicate [m_3][n_0][2i64] x_2
//   let (given_7: [m_3][n_0]i32) = replicate [m_3] xs_1
//   in (all_6, given_7)
// }
