// case: pass save-slices
// Each step reads its own element, and those in the row and the column of the step, and the one where these meet: three slices are saved.
entry main [n_0: i64] (xs_1: [n_0][n_0]i32) : (r_2: [n_0][n_0]i32) = {
  let (d_3: [n_0][n_0]i32) = loop (a_4: [n_0][n_0]i32 = xs_1) for k_5: i64 < n_0 {
    let (ys_6: [n_0][n_0]i32) = kernel (i_7 < n_0, j_8 < n_0) {
      let (x_9: i32) = index a_4[i_7, j_8]
      let (y_10: i32) = index a_4[k_5, j_8]
      let (z_11: i32) = index a_4[i_7, k_5]
      let (w_12: i32) = index a_4[k_5, k_5]
      let (p_13: i32) = mul.i32 y_10 z_11
      let (q_14: i32) = mul.i32 p_13 w_12
      let (s_15: i32) = sub.i32 x_9 q_14
      in (s_15)
    }
    in (ys_6)
  }
  in (d_3)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0][n_0]i32) : (r_2: [n_0][n_0]i32) = {
//   let (start_21: [n_0][n_0]i32) = copy xs_1
//   let (d_3: [n_0][n_0]i32) = loop (a_4: [n_0][n_0]i32 = start_21) for k_5: i64 < n_0 {
//     let (part_17: [n_0]i32) = slice a_4[0i64 : n_0 : 1i64, k_5]
//     let (saved_16: [n_0]i32) = copy part_17
//     let (part_19: [n_0]i32) = slice a_4[k_5, 0i64 : n_0 : 1i64]
//     let (saved_18: [n_0]i32) = copy part_19
//     let (saved_20: i32) = index a_4[k_5, k_5]
//     let (ys_6: [n_0][n_0]i32) = kernel (i_7 < n_0, j_8 < n_0) {
//       let (x_9: i32) = index a_4[i_7, j_8]
//       let (y_10: i32) = index saved_18[j_8]
//       let (z_11: i32) = index saved_16[i_7]
//       let (w_12: i32) = saved_20
//       let (p_13: i32) = mul.i32 y_10 z_11
//       let (q_14: i32) = mul.i32 p_13 w_12
//       let (s_15: i32) = sub.i32 x_9 q_14
//       in (s_15)
//     }
//     in (ys_6)
//   }
//   in (d_3)
// }
