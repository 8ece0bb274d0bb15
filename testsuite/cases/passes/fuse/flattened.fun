// case: pass fuse
// An elementwise map of two dimensions that is read in one: its operands are flattened instead.
entry main [n_0: i64] [m_1: i64] (xs_2: [n_0][m_1]i32) (ys_3: [n_0][m_1]i32) : (sum_4: i32) = {
  let (zs_5: [n_0][m_1]i32) = kernel (i_6 < n_0, j_7 < m_1) {
    let (x_8: i32) = index xs_2[i_6, j_7]
    let (y_9: i32) = index ys_3[i_6, j_7]
    let (z_10: i32) = mul.i32 x_8 y_9
    in (z_10)
  }
  let (k_11: i64) = mul.i64 n_0 m_1
  let (flat_12: [k_11]i32) = reshape [k_11] zs_5
  let (sum_13: i32) = kernel (l_14 < k_11) reduce \(a_15: i32) (b_16: i32) : i32 {
    let (c_17: i32) = add.i32 a_15 b_16
    in (c_17)
  } (0i32) {
    let (e_18: i32) = index flat_12[l_14]
    in (e_18)
  }
  in (sum_13)
}

// One whose elements depend on where they are stays.
entry counted [n_20: i64] [m_21: i64] : (sum_22: i64) = {
  let (zs_23: [n_20][m_21]i64) = kernel (i_24 < n_20, j_25 < m_21) {
    let (z_26: i64) = mul.i64 i_24 j_25
    in (z_26)
  }
  let (k_27: i64) = mul.i64 n_20 m_21
  let (flat_28: [k_27]i64) = reshape [k_27] zs_23
  let (sum_29: i64) = kernel (l_30 < k_27) reduce \(a_31: i64) (b_32: i64) : i64 {
    let (c_33: i64) = add.i64 a_31 b_32
    in (c_33)
  } (0i64) {
    let (e_34: i64) = index flat_28[l_30]
    in (e_34)
  }
  in (sum_29)
}
// ---
// entry main [n_0: i64] [m_1: i64] (xs_2: [n_0][m_1]i32) (ys_3: [n_0][m_1]i32) : (sum_4: i32) = {
//   let (k_11: i64) = mul.i64 n_0 m_1
//   let (xs_35: [k_11]i32) = reshape [k_11] xs_2
//   let (ys_36: [k_11]i32) = reshape [k_11] ys_3
//   let (sum_13: i32) = kernel (l_14 < k_11) reduce \(a_15: i32) (b_16: i32) : i32 {
//     let (c_17: i32) = add.i32 a_15 b_16
//     in (c_17)
//   } (0i32) {
//     let (x_37: i32) = index xs_35[l_14]
//     let (y_38: i32) = index ys_36[l_14]
//     let (z_39: i32) = mul.i32 x_37 y_38
//     let (e_18: i32) = z_39
//     in (e_18)
//   }
//   in (sum_13)
// }
//
// entry counted [n_20: i64] [m_21: i64] : (sum_22: i64) = {
//   let (zs_23: [n_20][m_21]i64) = kernel (i_24 < n_20, j_25 < m_21) {
//     let (z_26: i64) = mul.i64 i_24 j_25
//     in (z_26)
//   }
//   let (k_27: i64) = mul.i64 n_20 m_21
//   let (flat_28: [k_27]i64) = reshape [k_27] zs_23
//   let (sum_29: i64) = kernel (l_30 < k_27) reduce \(a_31: i64) (b_32: i64) : i64 {
//     let (c_33: i64) = add.i64 a_31 b_32
//     in (c_33)
//   } (0i64) {
//     let (e_34: i64) = index flat_28[l_30]
//     in (e_34)
//   }
//   in (sum_29)
// }
