// case: pass fuse-epilogues
// The map reads each sum, and beside it an array at the same point. Nothing else uses the sums, so they are not stored.
entry main [n_0: i64] (xs_1: [n_0]i32) (ys_2: [n_0]i32) : (r_3: [n_0]i32) = {
  let (sums_4: [n_0]i32) = kernel (i_5 < n_0) scan \(a_6: i32) (b_7: i32) : i32 {
    let (c_8: i32) = add.i32 a_6 b_7
    in (c_8)
  } (0i32) {
    let (x_9: i32) = index xs_1[i_5]
    in (x_9)
  }
  let (zs_10: [n_0]i32) = kernel (j_11 < n_0) {
    let (y_12: i32) = index ys_2[j_11]
    let (s_13: i32) = index sums_4[j_11]
    let (z_14: i32) = mul.i32 s_13 y_12
    in (z_14)
  }
  in (zs_10)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]i32) (ys_2: [n_0]i32) : (r_3: [n_0]i32) = {
//   let (zs_10: [n_0]i32) = kernel (i_5 < n_0) scan \(a_6: i32) (b_7: i32) : i32 {
//     let (c_8: i32) = add.i32 a_6 b_7
//     in (c_8)
//   } (0i32) then \(sum_15: i32) : i32 {
//     let (y_12: i32) = index ys_2[i_5]
//     let (z_14: i32) = mul.i32 sum_15 y_12
//     in (z_14)
//   } {
//     let (x_9: i32) = index xs_1[i_5]
//     in (x_9)
//   }
//   in (zs_10)
// }
