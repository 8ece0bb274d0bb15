// case: pass fuse
// What the map reads is changed before its elements would be computed: it stays. An array of another type may change.
entry main [n_0: i64] (*xs_1: [n_0]i32) : (zs_2: [n_0]i32) (ws_3: [n_0]i32) = {
  let (ys_4: [n_0]i32) = kernel (i_5 < n_0) {
    let (x_6: i32) = index xs_1[i_5]
    let (y_7: i32) = mul.i32 x_6 x_6
    in (y_7)
  }
  let (ws_8: [n_0]i32) = update xs_1[0i64] 7i32
  let (zs_9: [n_0]i32) = kernel (j_10 < n_0) {
    let (y_11: i32) = index ys_4[j_10]
    let (z_12: i32) = add.i32 y_11 1i32
    in (z_12)
  }
  in (zs_9, ws_8)
}

entry other_type [n_20: i64] (xs_21: [n_20]i32) (*fs_22: [n_20]f32) : (zs_23: [n_20]i32) (gs_24: [n_20]f32) = {
  let (ys_25: [n_20]i32) = kernel (i_26 < n_20) {
    let (x_27: i32) = index xs_21[i_26]
    let (y_28: i32) = mul.i32 x_27 x_27
    in (y_28)
  }
  let (gs_29: [n_20]f32) = update fs_22[0i64] 7f32
  let (zs_30: [n_20]i32) = kernel (j_31 < n_20) {
    let (y_32: i32) = index ys_25[j_31]
    let (z_33: i32) = add.i32 y_32 1i32
    in (z_33)
  }
  in (zs_30, gs_29)
}
// ---
// entry main [n_0: i64] (*xs_1: [n_0]i32) : (zs_2: [n_0]i32) (ws_3: [n_0]i32) = {
//   let (ys_4: [n_0]i32) = kernel (i_5 < n_0) {
//     let (x_6: i32) = index xs_1[i_5]
//     let (y_7: i32) = mul.i32 x_6 x_6
//     in (y_7)
//   }
//   let (ws_8: [n_0]i32) = update xs_1[0i64] 7i32
//   let (zs_9: [n_0]i32) = kernel (j_10 < n_0) {
//     let (y_11: i32) = index ys_4[j_10]
//     let (z_12: i32) = add.i32 y_11 1i32
//     in (z_12)
//   }
//   in (zs_9, ws_8)
// }
//
// entry other_type [n_20: i64] (xs_21: [n_20]i32) (*fs_22: [n_20]f32) : (zs_23: [n_20]i32) (gs_24: [n_20]f32) = {
//   let (gs_29: [n_20]f32) = update fs_22[0i64] 7.0f32
//   let (zs_30: [n_20]i32) = kernel (j_31 < n_20) {
//     let (x_34: i32) = index xs_21[j_31]
//     let (y_35: i32) = mul.i32 x_34 x_34
//     let (y_32: i32) = y_35
//     let (z_33: i32) = add.i32 y_32 1i32
//     in (z_33)
//   }
//   in (zs_30, gs_29)
// }
