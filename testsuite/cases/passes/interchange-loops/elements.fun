// case: pass interchange-loops
// Elements of two arrays that change places, with a number that is used behind the loop; an array between two maps.
entry two [n_0: i64] (xs_1: [n_0]f32) (ys_2: [n_0]f32) (steps_3: i64) : (res_4: [n_0]f32) (res_5: [n_0]f32) (res_6: f32) = {
  let (as_7: [n_0]f32) (bs_8: [n_0]f32) (t_9: f32) = loop (x_10: [n_0]f32 = xs_1) (y_11: [n_0]f32 = ys_2) (t_12: f32 = 0.0f32) for k_13: i64 < steps_3 {
    let (u_14: f32) = add.f32 t_12 0.5f32
    let (zs_15: [n_0]f32) = kernel (i_16 < n_0) {
      let (a_17: f32) = index x_10[i_16]
      let (z_18: f32) = mul.f32 a_17 t_12
      in (z_18)
    }
    let (ws_19: [n_0]f32) = kernel (i_20 < n_0) {
      let (b_21: f32) = index zs_15[i_20]
      let (c_22: f32) = index y_11[i_20]
      let (w_23: f32) = add.f32 b_21 c_22
      in (w_23)
    }
    in (ws_19, zs_15, u_14)
  }
  in (as_7, bs_8, t_9)
}
// ---
// entry two [n_0: i64] (xs_1: [n_0]f32) (ys_2: [n_0]f32) (steps_3: i64) : (res_4: [n_0]f32) (res_5: [n_0]f32) (res_6: f32) = {
//   let (t_9: f32) = loop (t_29: f32 = 0.0f32) for k_30: i64 < steps_3 {
//     let (u_31: f32) = add.f32 t_29 0.5f32
//     in (u_31)
//   }
//   let (as_7: [n_0]f32) (bs_8: [n_0]f32) = kernel (i_24 < n_0) {
//     let (first_26: f32) = index xs_1[i_24]
//     let (first_28: f32) = index ys_2[i_24]
//     let (as_32: f32) (bs_33: f32) (t_34: f32) = loop (x_25: f32 = first_26) (x_27: f32 = first_28) (t_12: f32 = 0.0f32) for k_13: i64 < steps_3 {
//       let (u_14: f32) = add.f32 t_12 0.5f32
//       let (a_17: f32) = x_25
//       let (z_18: f32) = mul.f32 a_17 t_12
//       let (b_21: f32) = z_18
//       let (c_22: f32) = x_27
//       let (w_23: f32) = add.f32 b_21 c_22
//       in (w_23, z_18, u_14)
//     }
//     in (as_32, bs_33)
//   }
//   in (as_7, bs_8, t_9)
// }
