// case: pass simplify
// Nobody needs the first result of the scan, nor does the second one need it; the third is needed by the second. Of the map, one result goes.
entry main [n_0: i64] (xs_1: [n_0]i32) : (t_2: [n_0]i32) (m_3: [n_0]i32) = {
  let (a_4: [n_0]i32) (b_5: [n_0]i32) (c_6: [n_0]i32) = kernel (i_7 < n_0) scan \(a_8: i32) (b_9: i32) (c_10: i32) (d_11: i32) (e_12: i32) (f_13: i32) : i32, i32, i32 {
    let (x_14: i32) = add.i32 a_8 d_11
    let (x_15: i32) = mul.i32 x_14 f_13
    let (y_16: i32) = mul.i32 b_9 f_13
    let (y_17: i32) = add.i32 y_16 e_12
    let (z_18: i32) = mul.i32 c_10 f_13
    in (x_15, y_17, z_18)
  } (0i32, 0i32, 1i32) {
    let (x_19: i32) = index xs_1[i_7]
    let (x_20: i32) = add.i32 x_19 1i32
    let (x_21: i32) = add.i32 x_19 2i32
    in (x_20, x_21, x_19)
  }
  let (p_22: [n_0]i32) (q_23: [n_0]i32) = kernel (i_24 < n_0) {
    let (x_25: i32) = index xs_1[i_24]
    let (x_26: i32) = mul.i32 x_25 5i32
    let (x_27: i32) = mul.i32 x_25 7i32
    in (x_26, x_27)
  }
  in (b_5, q_23)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]i32) : (t_2: [n_0]i32) (m_3: [n_0]i32) = {
//   let (b_5: [n_0]i32) (c_6: [n_0]i32) = kernel (i_7 < n_0) scan \(b_9: i32) (c_10: i32) (e_12: i32) (f_13: i32) : i32, i32 {
//     let (y_16: i32) = mul.i32 b_9 f_13
//     let (y_17: i32) = add.i32 y_16 e_12
//     let (z_18: i32) = mul.i32 c_10 f_13
//     in (y_17, z_18)
//   } (0i32, 1i32) {
//     let (x_19: i32) = index xs_1[i_7]
//     let (x_21: i32) = add.i32 x_19 2i32
//     in (x_21, x_19)
//   }
//   let (q_23: [n_0]i32) = kernel (i_24 < n_0) {
//     let (x_25: i32) = index xs_1[i_24]
//     let (x_27: i32) = mul.i32 x_25 7i32
//     in (x_27)
//   }
//   in (b_5, q_23)
// }
