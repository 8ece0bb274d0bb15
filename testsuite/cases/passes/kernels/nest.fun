// case: pass introduce-memory lower-to-imp simplify-imp kernels simplify-imp
// Two loops are one, with a thread for each point; neighbouring threads write neighbouring cells.
entry main (n_0: i64) (m_1: i64) (xs_2: [n_0]f32) : (r_3: [n_0][m_1]f32) = {
  let (r_4: [n_0][m_1]f32) = kernel (i_5 < n_0, j_6 < m_1) {
    let (x_7: f32) = index xs_2[i_5]
    let (y_8: f32) = mul.f32 x_7 x_7
    in (y_8)
  }
  in (r_4)
}
// ---
