// case: pass fuse-epilogues
// What the map reads is made behind the scan, which moves there; not past a change of what it reads.
entry main [n_0: i64] (xs_1: [n_0]i32) : (r_2: [n_0]i32) = {
  let (sums_3: [n_0]i32) = kernel (i_4 < n_0) scan \(a_5: i32) (b_6: i32) : i32 {
    let (c_7: i32) = add.i32 a_5 b_6
    in (c_7)
  } (0i32) {
    let (x_8: i32) = index xs_1[i_4]
    in (x_8)
  }
  let (ys_9: [n_0]i32) = iota.i32 n_0 5i32 3i32
  let (zs_10: [n_0]i32) = kernel (j_11 < n_0) {
    let (y_12: i32) = index ys_9[j_11]
    let (s_13: i32) = index sums_3[j_11]
    let (z_14: i32) = mul.i32 s_13 y_12
    in (z_14)
  }
  in (zs_10)
}

entry changed [n_20: i64] (*xs_21: [n_20]i32) : (r_22: [n_20]i32) = {
  let (sums_23: [n_20]i32) = kernel (i_24 < n_20) scan \(a_25: i32) (b_26: i32) : i32 {
    let (c_27: i32) = add.i32 a_25 b_26
    in (c_27)
  } (0i32) {
    let (x_28: i32) = index xs_21[i_24]
    in (x_28)
  }
  let (ok_29: bool) = lt.i64 0i64 n_20
  let = assert ok_29 "empty"
  let (ys_30: [n_20]i32) = update xs_21[0i64] 7i32
  let (zs_31: [n_20]i32) = kernel (j_32 < n_20) {
    let (y_33: i32) = index ys_30[j_32]
    let (s_34: i32) = index sums_23[j_32]
    let (z_35: i32) = mul.i32 s_34 y_33
    in (z_35)
  }
  in (zs_31)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]i32) : (r_2: [n_0]i32) = {
//   let (ys_9: [n_0]i32) = iota.i32 n_0 5i32 3i32
//   let (zs_10: [n_0]i32) = kernel (i_4 < n_0) scan \(a_5: i32) (b_6: i32) : i32 {
//     let (c_7: i32) = add.i32 a_5 b_6
//     in (c_7)
//   } (0i32) then \(sum_36: i32) : i32 {
//     let (y_12: i32) = index ys_9[i_4]
//     let (z_14: i32) = mul.i32 sum_36 y_12
//     in (z_14)
//   } {
//     let (x_8: i32) = index xs_1[i_4]
//     in (x_8)
//   }
//   in (zs_10)
// }
//
// entry changed [n_20: i64] (*xs_21: [n_20]i32) : (r_22: [n_20]i32) = {
//   let (sums_23: [n_20]i32) = kernel (i_24 < n_20) scan \(a_25: i32) (b_26: i32) : i32 {
//     let (c_27: i32) = add.i32 a_25 b_26
//     in (c_27)
//   } (0i32) {
//     let (x_28: i32) = index xs_21[i_24]
//     in (x_28)
//   }
//   let (ok_29: bool) = lt.i64 0i64 n_20
//   let = assert ok_29 "empty"
//   let (ys_30: [n_20]i32) = update xs_21[0i64] 7i32
//   let (zs_31: [n_20]i32) = kernel (j_32 < n_20) {
//     let (y_33: i32) = index ys_30[j_32]
//     let (s_34: i32) = index sums_23[j_32]
//     let (z_35: i32) = mul.i32 s_34 y_33
//     in (z_35)
//   }
//   in (zs_31)
// }
