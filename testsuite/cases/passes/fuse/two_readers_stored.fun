// case: pass fuse
// What two statements read is stored where it costs something: a division; or where it has fewer bytes than what it comes from.
entry main [n_0: i64] (xs_1: [n_0]f64) : (ys_2: [n_0]f64) (zs_3: [n_0]f64) = {
  let (as_4: [n_0]f64) = kernel (i_5 < n_0) {
    let (x_6: f64) = index xs_1[i_5]
    let (a_7: f64) = div.f64 1f64 x_6
    in (a_7)
  }
  let (bs_8: [n_0]i8) = kernel (j_9 < n_0) {
    let (x_10: f64) = index xs_1[j_9]
    let (b_11: i8) = convert.i8.f64 x_10
    in (b_11)
  }
  let (ys_12: [n_0]f64) = kernel (k_13 < n_0) {
    let (a_14: f64) = index as_4[k_13]
    let (b_15: i8) = index bs_8[k_13]
    let (c_16: f64) = convert.f64.i8 b_15
    let (y_17: f64) = add.f64 a_14 c_16
    in (y_17)
  }
  let (zs_18: [n_0]f64) = kernel (l_19 < n_0) {
    let (a_20: f64) = index as_4[l_19]
    let (b_21: i8) = index bs_8[l_19]
    let (c_22: f64) = convert.f64.i8 b_21
    let (z_23: f64) = sub.f64 a_20 c_22
    in (z_23)
  }
  in (ys_12, zs_18)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]f64) : (ys_2: [n_0]f64) (zs_3: [n_0]f64) = {
//   let (as_4: [n_0]f64) = kernel (i_5 < n_0) {
//     let (x_6: f64) = index xs_1[i_5]
//     let (a_7: f64) = div.f64 1.0f64 x_6
//     in (a_7)
//   }
//   let (bs_8: [n_0]i8) = kernel (j_9 < n_0) {
//     let (x_10: f64) = index xs_1[j_9]
//     let (b_11: i8) = convert.i8.f64 x_10
//     in (b_11)
//   }
//   let (ys_12: [n_0]f64) = kernel (k_13 < n_0) {
//     let (a_14: f64) = index as_4[k_13]
//     let (b_15: i8) = index bs_8[k_13]
//     let (c_16: f64) = convert.f64.i8 b_15
//     let (y_17: f64) = add.f64 a_14 c_16
//     in (y_17)
//   }
//   let (zs_18: [n_0]f64) = kernel (l_19 < n_0) {
//     let (a_20: f64) = index as_4[l_19]
//     let (b_21: i8) = index bs_8[l_19]
//     let (c_22: f64) = convert.f64.i8 b_21
//     let (z_23: f64) = sub.f64 a_20 c_22
//     in (z_23)
//   }
//   in (ys_12, zs_18)
// }
