// case: pass simplify
// Nobody needs the first result, but the operator stops the program if it is too large.
entry main [n_0: i64] (xs_1: [n_0]i32) : (s_2: i32) = {
  let (a_3: i32) (b_4: i32) = kernel (i_5 < n_0) reduce \(a_6: i32) (b_7: i32) (c_8: i32) (d_9: i32) : i32, i32 {
    let (x_10: i32) = add.i32 a_6 c_8
    let (low_11: bool) = lt.i32 x_10 100i32
    let = assert low_11 "too large"
    let (y_12: i32) = max.i32 b_7 d_9
    in (x_10, y_12)
  } (0i32, -2147483648i32) {
    let (x_13: i32) = index xs_1[i_5]
    let (x_14: i32) = max.i32 x_13 0i32
    in (x_14, x_13)
  }
  in (b_4)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]i32) : (s_2: i32) = {
//   let (a_3: i32) (b_4: i32) = kernel (i_5 < n_0) reduce \(a_6: i32) (b_7: i32) (c_8: i32) (d_9: i32) : i32, i32 {
//     let (x_10: i32) = add.i32 a_6 c_8
//     let (low_11: bool) = lt.i32 x_10 100i32
//     let = assert low_11 "too large"
//     let (y_12: i32) = max.i32 b_7 d_9
//     in (x_10, y_12)
//   } (0i32, -2147483648i32) {
//     let (x_13: i32) = index xs_1[i_5]
//     let (x_14: i32) = max.i32 x_13 0i32
//     in (x_14, x_13)
//   }
//   in (b_4)
// }
