// case: pass tail-calls
// The call is not the last act, and a test that costs as much as the step: both stay.
fun factorial (n_0: i64) : (r_1: i64) = {
  let (c_2: bool) = le.i64 n_0 1i64
  let (x_3: i64) = if c_2 {
    in (1i64)
  } else {
    let (m_4: i64) = sub.i64 n_0 1i64
    let (y_5: i64) = call factorial m_4
    let (z_6: i64) = mul.i64 n_0 y_5
    in (z_6)
  }
  in (x_3)
}

fun until_small [n_20: i64] (xs_21: [n_20]i64) : (r_22: i64) = {
  let (sum_23: i64) = reduce n_20 \(a_24: i64) (b_25: i64) : i64 {
    let (c_26: i64) = add.i64 a_24 b_25
    in (c_26)
  } (0i64) xs_21
  let (small_27: bool) = lt.i64 sum_23 100i64
  let (r_28: i64) = if small_27 {
    in (sum_23)
  } else {
    let (ys_29: [n_20]i64) = map n_20 \(x_30: i64) : i64 {
      let (y_31: i64) = quot.i64 x_30 2i64
      in (y_31)
    } xs_21
    let (r_32: i64) = call until_small n_20 ys_29
    in (r_32)
  }
  in (r_28)
}
// ---
// fun factorial (n_0: i64) : (r_1: i64) = {
//   let (c_2: bool) = le.i64 n_0 1i64
//   let (x_3: i64) = if c_2 {
//     in (1i64)
//   } else {
//     let (m_4: i64) = sub.i64 n_0 1i64
//     let (y_5: i64) = call factorial m_4
//     let (z_6: i64) = mul.i64 n_0 y_5
//     in (z_6)
//   }
//   in (x_3)
// }
//
// fun until_small [n_20: i64] (xs_21: [n_20]i64) : (r_22: i64) = {
//   let (sum_23: i64) = reduce n_20 \(a_24: i64) (b_25: i64) : i64 {
//     let (c_26: i64) = add.i64 a_24 b_25
//     in (c_26)
//   } (0i64) xs_21
//   let (small_27: bool) = lt.i64 sum_23 100i64
//   let (r_28: i64) = if small_27 {
//     in (sum_23)
//   } else {
//     let (ys_29: [n_20]i64) = map n_20 \(x_30: i64) : i64 {
//       let (y_31: i64) = quot.i64 x_30 2i64
//       in (y_31)
//     } xs_21
//     let (r_32: i64) = call until_small n_20 ys_29
//     in (r_32)
//   }
//   in (r_28)
// }
