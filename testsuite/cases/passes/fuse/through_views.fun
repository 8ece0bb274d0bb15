// case: pass fuse
// Through a transposition, a reversal and a slice with a stride: the element behind each is computed.
entry main [n_0: i64] [m_1: i64] (xs_2: [n_0][m_1]i32) (k_3: i64) : (ys_4: [m_1][k_3]i32) = {
  let (sq_5: [n_0][m_1]i32) = kernel (i_6 < n_0, j_7 < m_1) {
    let (x_8: i32) = index xs_2[i_6, j_7]
    let (y_9: i32) = mul.i32 x_8 x_8
    let (z_10: i32) = mul.i32 y_9 y_9
    let (w_11: i32) = mul.i32 z_10 z_10
    in (w_11)
  }
  let (tr_12: [m_1][n_0]i32) = permute (1, 0) sq_5
  let (rev_13: [m_1][n_0]i32) = reverse 1 tr_12
  let (part_14: [m_1][k_3]i32) = slice rev_13[0i64 : m_1 : 1i64, 1i64 : k_3 : 2i64]
  let (ys_15: [m_1][k_3]i32) = kernel (a_16 < m_1, b_17 < k_3) {
    let (e_18: i32) = index part_14[a_16, b_17]
    let (f_19: i32) = add.i32 e_18 1i32
    in (f_19)
  }
  in (ys_15)
}
// ---
// entry main [n_0: i64] [m_1: i64] (xs_2: [n_0][m_1]i32) (k_3: i64) : (ys_4: [m_1][k_3]i32) = {
//   let (ys_15: [m_1][k_3]i32) = kernel (a_16 < m_1, b_17 < k_3) {
//     let (x_20: i64) = mul.i64 b_17 2i64
//     let (x_21: i64) = add.i64 1i64 x_20
//     let (x_22: i64) = sub.i64 n_0 1i64
//     let (x_23: i64) = sub.i64 x_22 x_21
//     let (x_24: i32) = index xs_2[x_23, a_16]
//     let (y_25: i32) = mul.i32 x_24 x_24
//     let (z_26: i32) = mul.i32 y_25 y_25
//     let (w_27: i32) = mul.i32 z_26 z_26
//     let (e_18: i32) = w_27
//     let (f_19: i32) = add.i32 e_18 1i32
//     in (f_19)
//   }
//   in (ys_15)
// }
