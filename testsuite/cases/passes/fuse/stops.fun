// case: pass fuse
// A map that may stop the program goes into one that computes all of its elements, and can't stop it.
entry main [n_0: i64] (xs_1: [n_0]i32) : (zs_2: [n_0]i32) = {
  let (ys_3: [n_0]i32) = kernel (i_4 < n_0) {
    let (x_5: i32) = index xs_1[i_4]
    let (c_6: bool) = gt.i32 x_5 0i32
    let = assert c_6 "not positive"
    in (x_5)
  }
  let (zs_7: [n_0]i32) = kernel (j_8 < n_0) {
    let (y_9: i32) = index ys_3[j_8]
    let (z_10: i32) = add.i32 y_9 1i32
    in (z_10)
  }
  in (zs_7)
}

// Not into one that computes some, nor into one whose message would come first.
entry some [n_20: i64] (xs_21: [n_20]i32) (k_22: i64) : (zs_23: [k_22]i32) = {
  let (ys_24: [n_20]i32) = kernel (i_25 < n_20) {
    let (x_26: i32) = index xs_21[i_25]
    let (c_27: bool) = gt.i32 x_26 0i32
    let = assert c_27 "not positive"
    in (x_26)
  }
  let (zs_28: [k_22]i32) = kernel (j_29 < k_22) {
    let (y_30: i32) = index ys_24[j_29]
    in (y_30)
  }
  in (zs_28)
}

entry two_messages [n_40: i64] (xs_41: [n_40]i32) : (zs_42: [n_40]i32) = {
  let (ys_43: [n_40]i32) = kernel (i_44 < n_40) {
    let (x_45: i32) = index xs_41[i_44]
    let (c_46: bool) = gt.i32 x_45 0i32
    let = assert c_46 "not positive"
    in (x_45)
  }
  let (zs_47: [n_40]i32) = kernel (j_48 < n_40) {
    let (y_49: i32) = index ys_43[j_48]
    let (c_50: bool) = lt.i32 y_49 9i32
    let = assert c_50 "too large"
    in (y_49)
  }
  in (zs_47)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]i32) : (zs_2: [n_0]i32) = {
//   let (zs_7: [n_0]i32) = kernel (j_8 < n_0) {
//     let (x_51: i32) = index xs_1[j_8]
//     let (c_52: bool) = gt.i32 x_51 0i32
//     let = assert c_52 "not positive"
//     let (y_9: i32) = x_51
//     let (z_10: i32) = add.i32 y_9 1i32
//     in (z_10)
//   }
//   in (zs_7)
// }
//
// entry some [n_20: i64] (xs_21: [n_20]i32) (k_22: i64) : (zs_23: [k_22]i32) = {
//   let (ys_24: [n_20]i32) = kernel (i_25 < n_20) {
//     let (x_26: i32) = index xs_21[i_25]
//     let (c_27: bool) = gt.i32 x_26 0i32
//     let = assert c_27 "not positive"
//     in (x_26)
//   }
//   let (zs_28: [k_22]i32) = kernel (j_29 < k_22) {
//     let (y_30: i32) = index ys_24[j_29]
//     in (y_30)
//   }
//   in (zs_28)
// }
//
// entry two_messages [n_40: i64] (xs_41: [n_40]i32) : (zs_42: [n_40]i32) = {
//   let (ys_43: [n_40]i32) = kernel (i_44 < n_40) {
//     let (x_45: i32) = index xs_41[i_44]
//     let (c_46: bool) = gt.i32 x_45 0i32
//     let = assert c_46 "not positive"
//     in (x_45)
//   }
//   let (zs_47: [n_40]i32) = kernel (j_48 < n_40) {
//     let (y_49: i32) = index ys_43[j_48]
//     let (c_50: bool) = lt.i32 y_49 9i32
//     let = assert c_50 "too large"
//     in (y_49)
//   }
//   in (zs_47)
// }
