// case: pass fuse
// Two statements each compute what costs no more than to read it. What is a result stays.
entry main [n_0: i64] (xs_1: [n_0]i32) : (ys_2: [n_0]i32) (zs_3: [n_0]i32) (ws_4: [n_0]i32) = {
  let (as_5: [n_0]i32) = kernel (i_6 < n_0) {
    let (x_7: i32) = index xs_1[i_6]
    let (a_8: i32) = mul.i32 x_7 x_7
    in (a_8)
  }
  let (ys_9: [n_0]i32) = kernel (j_10 < n_0) {
    let (a_11: i32) = index as_5[j_10]
    let (y_12: i32) = add.i32 a_11 1i32
    in (y_12)
  }
  let (zs_13: [n_0]i32) = kernel (k_14 < n_0) {
    let (a_15: i32) = index as_5[k_14]
    let (z_16: i32) = add.i32 a_15 2i32
    in (z_16)
  }
  let (ws_17: [n_0]i32) = kernel (l_18 < n_0) {
    let (y_19: i32) = index ys_9[l_18]
    let (w_20: i32) = add.i32 y_19 3i32
    in (w_20)
  }
  in (ys_9, zs_13, ws_17)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]i32) : (ys_2: [n_0]i32) (zs_3: [n_0]i32) (ws_4: [n_0]i32) = {
//   let (ys_9: [n_0]i32) = kernel (j_10 < n_0) {
//     let (x_21: i32) = index xs_1[j_10]
//     let (a_22: i32) = mul.i32 x_21 x_21
//     let (a_11: i32) = a_22
//     let (y_12: i32) = add.i32 a_11 1i32
//     in (y_12)
//   }
//   let (zs_13: [n_0]i32) = kernel (k_14 < n_0) {
//     let (x_23: i32) = index xs_1[k_14]
//     let (a_24: i32) = mul.i32 x_23 x_23
//     let (a_15: i32) = a_24
//     let (z_16: i32) = add.i32 a_15 2i32
//     in (z_16)
//   }
//   let (ws_17: [n_0]i32) = kernel (l_18 < n_0) {
//     let (y_19: i32) = index ys_9[l_18]
//     let (w_20: i32) = add.i32 y_19 3i32
//     in (w_20)
//   }
//   in (ys_9, zs_13, ws_17)
// }
