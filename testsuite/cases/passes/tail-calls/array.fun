// case: pass tail-calls
// An array that loses its last element at each call, and one that is made before the branch: it is made in step and end, not in the test.
fun pyramid [n_0: i64] (xs_1: [n_0]i32) (sum_2: i32) : [k_3: i64] (*r_4: [k_3]i32) = {
  let (ys_5: [n_0]i32) = map n_0 \(x_6: i32) : i32 {
    let (y_7: i32) = add.i32 x_6 sum_2
    in (y_7)
  } xs_1
  let (half_8: i64) = quot.i64 n_0 2i64
  let (done_9: bool) = le.i64 half_8 1i64
  let (k_10: i64) (r_11: [k_10]i32) = if done_9 {
    in (n_0, ys_5)
  } else {
    let (first_12: i32) = index ys_5[0i64]
    let (zs_13: [half_8]i32) = slice ys_5[0i64 : half_8 : 1i64]
    let (k_14: i64) (r_15: [k_14]i32) = call pyramid half_8 zs_13 first_12
    in (k_14, r_15)
  }
  in (k_10, r_11)
}
// ---
// fun pyramid [n_0: i64] (xs_1: [n_0]i32) (sum_2: i32) : [k_3: i64] (*r_4: [k_3]i32) = {
//   let (half_17: i64) = quot.i64 n_0 2i64
//   let (done_18: bool) = le.i64 half_17 1i64
//   let (go_19: bool) = not.bool done_18
//   let (go_31: bool) (half_26: i64) (done_27: bool) (n_28: i64) (xs_29: [n_28]i32) (sum_30: i32) = loop (go_25: bool = go_19) (half_20: i64 = half_17) (done_21: bool = done_18) (n_22: i64 = n_0) (xs_23: [n_22]i32 = xs_1) (sum_24: i32 = sum_2) while go_25 {
//     let (ys_34: [n_22]i32) = map n_22 \(x_32: i32) : i32 {
//       let (y_33: i32) = add.i32 x_32 sum_24
//       in (y_33)
//     } xs_23
//     let (first_35: i32) = index ys_34[0i64]
//     let (zs_36: [half_20]i32) = slice ys_34[0i64 : half_20 : 1i64]
//     let (half_37: i64) = quot.i64 half_20 2i64
//     let (done_38: bool) = le.i64 half_37 1i64
//     let (go_39: bool) = not.bool done_38
//     in (go_39, half_37, done_38, half_20, zs_36, first_35)
//   }
//   let (ys_42: [n_28]i32) = map n_28 \(x_40: i32) : i32 {
//     let (y_41: i32) = add.i32 x_40 sum_30
//     in (y_41)
//   } xs_29
//   in (n_28, ys_42)
// }
