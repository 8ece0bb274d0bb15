// case: pass fuse-epilogues
// Two maps, one of which reads what the other gives; the sums and the first map are results, too.
entry main [n_0: i64] [m_1: i64] (xs_2: [n_0][m_1]i32) : (r_3: [n_0][m_1]i32) (q_4: [n_0][m_1]i64) (p_5: [n_0][m_1]i64) = {
  let (sums_6: [n_0][m_1]i32) = kernel (i_7 < n_0, j_8 < m_1) scan \(a_9: i32) (b_10: i32) : i32 {
    let (c_11: i32) = add.i32 a_9 b_10
    in (c_11)
  } (0i32) {
    let (x_12: i32) = index xs_2[i_7, j_8]
    in (x_12)
  }
  let (ys_13: [n_0][m_1]i64) = kernel (k_14 < n_0, l_15 < m_1) {
    let (s_16: i32) = index sums_6[k_14, l_15]
    let (y_17: i64) = convert.i64.i32 s_16
    in (y_17)
  }
  let (zs_18: [n_0][m_1]i64) = kernel (k_19 < n_0, l_20 < m_1) {
    let (s_21: i32) = index sums_6[k_19, l_20]
    let (t_22: i64) = convert.i64.i32 s_21
    let (y_23: i64) = index ys_13[k_19, l_20]
    let (z_24: i64) = mul.i64 t_22 l_20
    let (z_25: i64) = add.i64 z_24 y_23
    in (z_25)
  }
  in (sums_6, ys_13, zs_18)
}
// ---
// entry main [n_0: i64] [m_1: i64] (xs_2: [n_0][m_1]i32) : (r_3: [n_0][m_1]i32) (q_4: [n_0][m_1]i64) (p_5: [n_0][m_1]i64) = {
//   let (sums_6: [n_0][m_1]i32) (ys_13: [n_0][m_1]i64) (zs_18: [n_0][m_1]i64) = kernel (i_7 < n_0, j_8 < m_1) scan \(a_9: i32) (b_10: i32) : i32 {
//     let (c_11: i32) = add.i32 a_9 b_10
//     in (c_11)
//   } (0i32) then \(sum_26: i32) : i32, i64, i64 {
//     let (y_17: i64) = convert.i64.i32 sum_26
//     let (t_22: i64) = convert.i64.i32 sum_26
//     let (z_24: i64) = mul.i64 t_22 j_8
//     let (z_25: i64) = add.i64 z_24 y_17
//     in (sum_26, y_17, z_25)
//   } {
//     let (x_12: i32) = index xs_2[i_7, j_8]
//     in (x_12)
//   }
//   in (sums_6, ys_13, zs_18)
// }
