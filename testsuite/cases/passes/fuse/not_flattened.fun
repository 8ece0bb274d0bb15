// case: pass fuse
// Once the first map is in the second, the elements of that depend on where they are: it is not read in two dimensions.
entry main [n_0: i64] : (zs_1: [n_0][n_0]i64) = {
  let (k_2: i64) = mul.i64 n_0 n_0
  let (as_3: [k_2]i64) = kernel (i_4 < k_2) {
    let (a_5: i64) = mul.i64 i_4 i_4
    in (a_5)
  }
  let (bs_6: [k_2]i64) = kernel (j_7 < k_2) {
    let (a_8: i64) = index as_3[j_7]
    let (b_9: i64) = add.i64 a_8 1i64
    in (b_9)
  }
  let (square_10: [n_0][n_0]i64) = reshape [n_0][n_0] bs_6
  let (zs_11: [n_0][n_0]i64) = kernel (l_12 < n_0, m_13 < n_0) {
    let (b_14: i64) = index square_10[l_12, m_13]
    let (z_15: i64) = mul.i64 b_14 2i64
    in (z_15)
  }
  in (zs_11)
}
// ---
// entry main [n_0: i64] : (zs_1: [n_0][n_0]i64) = {
//   let (k_2: i64) = mul.i64 n_0 n_0
//   let (bs_6: [k_2]i64) = kernel (j_7 < k_2) {
//     let (a_16: i64) = mul.i64 j_7 j_7
//     let (a_8: i64) = a_16
//     let (b_9: i64) = add.i64 a_8 1i64
//     in (b_9)
//   }
//   let (square_10: [n_0][n_0]i64) = reshape [n_0][n_0] bs_6
//   let (zs_11: [n_0][n_0]i64) = kernel (l_12 < n_0, m_13 < n_0) {
//     let (b_14: i64) = index square_10[l_12, m_13]
//     let (z_15: i64) = mul.i64 b_14 2i64
//     in (z_15)
//   }
//   in (zs_11)
// }
