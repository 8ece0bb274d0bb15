// case: pass fuse
// A map into the map that reads it, element by element; what reads both results of a map computes its point once.
entry main [n_0: i64] (xs_1: [n_0]i32) : (zs_2: [n_0]i32) = {
  let (ys_3: [n_0]i32) (ws_4: [n_0]i32) = kernel (i_5 < n_0) {
    let (x_6: i32) = index xs_1[i_5]
    let (y_7: i32) = mul.i32 x_6 x_6
    let (w_8: i32) = div.i32 y_7 3i32
    in (y_7, w_8)
  }
  let (zs_9: [n_0]i32) = kernel (j_10 < n_0) {
    let (y_11: i32) = index ys_3[j_10]
    let (w_12: i32) = index ws_4[j_10]
    let (z_13: i32) = sub.i32 y_11 w_12
    in (z_13)
  }
  in (zs_9)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]i32) : (zs_2: [n_0]i32) = {
//   let (zs_9: [n_0]i32) = kernel (j_10 < n_0) {
//     let (x_14: i32) = index xs_1[j_10]
//     let (y_15: i32) = mul.i32 x_14 x_14
//     let (w_16: i32) = div.i32 y_15 3i32
//     let (y_11: i32) = y_15
//     let (w_12: i32) = w_16
//     let (z_13: i32) = sub.i32 y_11 w_12
//     in (z_13)
//   }
//   in (zs_9)
// }
