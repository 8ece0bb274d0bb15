// case: pass fuse
// Each reader reads a result of its own, and the two share no read: so each computes its own.
entry main [n_0: i64] (xs_1: [n_0]f32) (ys_2: [n_0]f32) (k_3: f32) : (as_4: [n_0]f32) (bs_5: [n_0]f32) = {
  let (p_6: [n_0]f32) (q_7: [n_0]f32) = kernel (i_8 < n_0) {
    let (x_9: f32) = index xs_1[i_8]
    let (x_10: f32) = exp.f32 x_9
    let (y_11: f32) = index ys_2[i_8]
    let (y_12: f32) = mul.f32 y_11 k_3
    in (x_10, y_12)
  }
  let (as_13: [n_0]f32) = kernel (i_14 < n_0) {
    let (p_15: f32) = index p_6[i_14]
    let (a_16: f32) = add.f32 p_15 k_3
    in (a_16)
  }
  let (bs_17: [n_0]f32) = kernel (i_18 < n_0) {
    let (q_19: f32) = index q_7[i_18]
    let (b_20: f32) = sub.f32 q_19 k_3
    in (b_20)
  }
  in (as_13, bs_17)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]f32) (ys_2: [n_0]f32) (k_3: f32) : (as_4: [n_0]f32) (bs_5: [n_0]f32) = {
//   let (as_13: [n_0]f32) = kernel (i_14 < n_0) {
//     let (x_21: f32) = index xs_1[i_14]
//     let (x_22: f32) = exp.f32 x_21
//     let (y_23: f32) = index ys_2[i_14]
//     let (y_24: f32) = mul.f32 y_23 k_3
//     let (p_15: f32) = x_22
//     let (a_16: f32) = add.f32 p_15 k_3
//     in (a_16)
//   }
//   let (bs_17: [n_0]f32) = kernel (i_18 < n_0) {
//     let (x_25: f32) = index xs_1[i_18]
//     let (x_26: f32) = exp.f32 x_25
//     let (y_27: f32) = index ys_2[i_18]
//     let (y_28: f32) = mul.f32 y_27 k_3
//     let (q_19: f32) = y_28
//     let (b_20: f32) = sub.f32 q_19 k_3
//     in (b_20)
//   }
//   in (as_13, bs_17)
// }
