// case: pass fuse
// A histogram consumes an array that was made after what the map reads: the map goes into it. Where the map reads that array, it stays.
entry main [n_0: i64] (xs_1: [n_0]i32) : (h_2: [16i64]i32) = {
  let (zeros_3: [16i64]i32) = replicate [16i64] 0i32
  let (at_4: [n_0]i64) = kernel (i_5 < n_0) {
    let (x_6: i32) = index xs_1[i_5]
    let (a_7: i64) = convert.i64.i32 x_6
    in (a_7)
  }
  let (h_8: [16i64]i32) = kernel (j_9 < n_0) hist \(a_10: i32) (b_11: i32) : i32 {
    let (s_12: i32) = add.i32 a_10 b_11
    in (s_12)
  } (0i32) (zeros_3) {
    let (k_13: i64) = index at_4[j_9]
    in (k_13, 1i32)
  }
  in (h_8)
}

entry own (xs_21: [16i64]i32) : (h_22: [16i64]i32) = {
  let (own_23: [16i64]i32) = copy xs_21
  let (at_24: [16i64]i64) = kernel (i_25 < 16i64) {
    let (x_26: i32) = index own_23[i_25]
    let (a_27: i64) = convert.i64.i32 x_26
    in (a_27)
  }
  let (h_28: [16i64]i32) = kernel (j_29 < 16i64) hist \(a_30: i32) (b_31: i32) : i32 {
    let (s_32: i32) = add.i32 a_30 b_31
    in (s_32)
  } (0i32) (own_23) {
    let (k_33: i64) = index at_24[j_29]
    in (k_33, 1i32)
  }
  in (h_28)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]i32) : (h_2: [16i64]i32) = {
//   let (zeros_3: [16i64]i32) = replicate [16i64] 0i32
//   let (h_8: [16i64]i32) = kernel (j_9 < n_0) hist \(a_10: i32) (b_11: i32) : i32 {
//     let (s_12: i32) = add.i32 a_10 b_11
//     in (s_12)
//   } (0i32) (zeros_3) {
//     let (x_36: i32) = index xs_1[j_9]
//     let (a_37: i64) = convert.i64.i32 x_36
//     let (k_13: i64) = a_37
//     in (k_13, 1i32)
//   }
//   in (h_8)
// }
//
// entry own (xs_21: [16i64]i32) : (h_22: [16i64]i32) = {
//   let (own_23: [16i64]i32) = copy xs_21
//   let (at_24: [16i64]i64) = kernel (i_25 < 16i64) {
//     let (x_26: i32) = index own_23[i_25]
//     let (a_27: i64) = convert.i64.i32 x_26
//     in (a_27)
//   }
//   let (h_28: [16i64]i32) = kernel (j_29 < 16i64) hist \(a_30: i32) (b_31: i32) : i32 {
//     let (s_32: i32) = add.i32 a_30 b_31
//     in (s_32)
//   } (0i32) (own_23) {
//     let (k_33: i64) = index at_24[j_29]
//     in (k_33, 1i32)
//   }
//   in (h_28)
// }
