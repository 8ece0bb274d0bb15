// case: pass fuse
// Both results are read reversed, at one place: the map is computed once there.
entry main [n_0: i64] (xs_1: [n_0]i32) : (zs_2: [n_0]i32) = {
  let (a_3: [n_0]i32) (b_4: [n_0]i32) = kernel (i_5 < n_0) {
    let (x_6: i32) = index xs_1[i_5]
    let (x_7: i32) = mul.i32 x_6 x_6
    let (x_8: i32) = add.i32 x_7 x_6
    let (x_9: i32) = mul.i32 x_8 x_7
    in (x_8, x_9)
  }
  let (c_10: [n_0]i32) = reverse 0 a_3
  let (d_11: [n_0]i32) = reverse 0 b_4
  let (zs_12: [n_0]i32) = kernel (j_13 < n_0) {
    let (x_14: i32) = index c_10[j_13]
    let (x_15: i32) = index d_11[j_13]
    let (x_16: i32) = sub.i32 x_14 x_15
    in (x_16)
  }
  in (zs_12)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]i32) : (zs_2: [n_0]i32) = {
//   let (zs_12: [n_0]i32) = kernel (j_13 < n_0) {
//     let (x_17: i64) = sub.i64 n_0 1i64
//     let (x_18: i64) = sub.i64 x_17 j_13
//     let (x_19: i32) = index xs_1[x_18]
//     let (x_20: i32) = mul.i32 x_19 x_19
//     let (x_21: i32) = add.i32 x_20 x_19
//     let (x_22: i32) = mul.i32 x_21 x_20
//     let (x_14: i32) = x_21
//     let (x_15: i32) = x_22
//     let (x_16: i32) = sub.i32 x_14 x_15
//     in (x_16)
//   }
//   in (zs_12)
// }
