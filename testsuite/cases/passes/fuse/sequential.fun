// case: pass fuse
// A loop runs on one thread: a map with a loop of its own stays parallel. A cheap one is fused.
entry main [n_0: i64] (xs_1: [n_0]f32) : (s_2: f32) (t_3: f32) = {
  let (ys_4: [n_0]f32) = kernel (i_5 < n_0) {
    let (x_6: f32) = index xs_1[i_5]
    let (y_7: f32) = loop (a_8: f32 = x_6) for k_9: i64 < 100i64 {
      let (b_10: f32) = sin.f32 a_8
      in (b_10)
    }
    in (y_7)
  }
  let (zs_11: [n_0]f32) = kernel (i_12 < n_0) {
    let (x_13: f32) = index xs_1[i_12]
    let (z_14: f32) = sin.f32 x_13
    in (z_14)
  }
  let (s_15: f32) (t_16: f32) = loop (s_17: f32 = 0f32) (t_18: f32 = 0f32) for j_19: i64 < n_0 {
    let (y_20: f32) = index ys_4[j_19]
    let (z_21: f32) = index zs_11[j_19]
    let (a_22: f32) = sub.f32 y_20 s_17
    let (b_23: f32) = sub.f32 z_21 t_18
    in (a_22, b_23)
  }
  in (s_15, t_16)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]f32) : (s_2: f32) (t_3: f32) = {
//   let (ys_4: [n_0]f32) = kernel (i_5 < n_0) {
//     let (x_6: f32) = index xs_1[i_5]
//     let (y_7: f32) = loop (a_8: f32 = x_6) for k_9: i64 < 100i64 {
//       let (b_10: f32) = sin.f32 a_8
//       in (b_10)
//     }
//     in (y_7)
//   }
//   let (s_15: f32) (t_16: f32) = loop (s_17: f32 = 0.0f32) (t_18: f32 = 0.0f32) for j_19: i64 < n_0 {
//     let (y_20: f32) = index ys_4[j_19]
//     let (x_24: f32) = index xs_1[j_19]
//     let (z_25: f32) = sin.f32 x_24
//     let (z_21: f32) = z_25
//     let (a_22: f32) = sub.f32 y_20 s_17
//     let (b_23: f32) = sub.f32 z_21 t_18
//     in (a_22, b_23)
//   }
//   in (s_15, t_16)
// }
