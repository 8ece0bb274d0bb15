// case: pass fuse
// A row that each point reads would be computed for each: it stays. What costs one operator and one read is computed again.
entry main [n_0: i64] (xs_1: [n_0]f32) : (ys_2: [n_0]f32) = {
  let (es_3: [n_0]f32) = kernel (i_4 < n_0) {
    let (x_5: f32) = index xs_1[i_4]
    let (e_6: f32) = exp.f32 x_5
    in (e_6)
  }
  let (ds_7: [n_0]f32) = kernel (i_8 < n_0) {
    let (x_9: f32) = index xs_1[i_8]
    let (d_10: f32) = add.f32 x_9 x_9
    in (d_10)
  }
  let (ys_11: [n_0]f32) = kernel (j_12 < n_0) {
    let (sum_13: f32) = loop (s_14: f32 = 0.0f32) for k_15: i64 < n_0 {
      let (e_16: f32) = index es_3[k_15]
      let (d_17: f32) = index ds_7[k_15]
      let (p_18: f32) = mul.f32 e_16 d_17
      let (t_19: f32) = add.f32 s_14 p_18
      in (t_19)
    }
    in (sum_13)
  }
  in (ys_11)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]f32) : (ys_2: [n_0]f32) = {
//   let (es_3: [n_0]f32) = kernel (i_4 < n_0) {
//     let (x_5: f32) = index xs_1[i_4]
//     let (e_6: f32) = exp.f32 x_5
//     in (e_6)
//   }
//   let (ys_11: [n_0]f32) = kernel (j_12 < n_0) {
//     let (sum_13: f32) = loop (s_14: f32 = 0.0f32) for k_15: i64 < n_0 {
//       let (e_16: f32) = index es_3[k_15]
//       let (x_20: f32) = index xs_1[k_15]
//       let (d_21: f32) = add.f32 x_20 x_20
//       let (d_17: f32) = d_21
//       let (p_18: f32) = mul.f32 e_16 d_17
//       let (t_19: f32) = add.f32 s_14 p_18
//       in (t_19)
//     }
//     in (sum_13)
//   }
//   in (ys_11)
// }
