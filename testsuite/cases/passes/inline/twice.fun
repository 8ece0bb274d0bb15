// case: pass inline
// An entry point calls a function of more than 30 statements twice: it stays a function.
fun long (x_0: i64) : (r_1: i64) = {
  let (y_2: i64) = mul.i64 x_0 x_0
  let (y_3: i64) = mul.i64 y_2 x_0
  let (y_4: i64) = mul.i64 y_3 x_0
  let (y_5: i64) = mul.i64 y_4 x_0
  let (y_6: i64) = mul.i64 y_5 x_0
  let (y_7: i64) = mul.i64 y_6 x_0
  let (y_8: i64) = mul.i64 y_7 x_0
  let (y_9: i64) = mul.i64 y_8 x_0
  let (y_10: i64) = mul.i64 y_9 x_0
  let (y_11: i64) = mul.i64 y_10 x_0
  let (y_12: i64) = mul.i64 y_11 x_0
  let (y_13: i64) = mul.i64 y_12 x_0
  let (y_14: i64) = mul.i64 y_13 x_0
  let (y_15: i64) = mul.i64 y_14 x_0
  let (y_16: i64) = mul.i64 y_15 x_0
  let (y_17: i64) = mul.i64 y_16 x_0
  let (y_18: i64) = mul.i64 y_17 x_0
  let (y_19: i64) = mul.i64 y_18 x_0
  let (y_20: i64) = mul.i64 y_19 x_0
  let (y_21: i64) = mul.i64 y_20 x_0
  let (y_22: i64) = mul.i64 y_21 x_0
  let (y_23: i64) = mul.i64 y_22 x_0
  let (y_24: i64) = mul.i64 y_23 x_0
  let (y_25: i64) = mul.i64 y_24 x_0
  let (y_26: i64) = mul.i64 y_25 x_0
  let (y_27: i64) = mul.i64 y_26 x_0
  let (y_28: i64) = mul.i64 y_27 x_0
  let (y_29: i64) = mul.i64 y_28 x_0
  let (y_30: i64) = mul.i64 y_29 x_0
  let (y_31: i64) = mul.i64 y_30 x_0
  let (y_32: i64) = mul.i64 y_31 x_0
  in (y_32)
}

entry first (a_40: i64) : (b_41: i64) = {
  let (c_42: i64) = call long a_40
  in (c_42)
}

entry second (a_50: i64) : (b_51: i64) = {
  let (c_52: i64) = call long a_50
  let (d_53: i64) = call long c_52
  in (d_53)
}
// ---
// fun long (x_0: i64) : (r_1: i64) = {
//   let (y_2: i64) = mul.i64 x_0 x_0
//   let (y_3: i64) = mul.i64 y_2 x_0
//   let (y_4: i64) = mul.i64 y_3 x_0
//   let (y_5: i64) = mul.i64 y_4 x_0
//   let (y_6: i64) = mul.i64 y_5 x_0
//   let (y_7: i64) = mul.i64 y_6 x_0
//   let (y_8: i64) = mul.i64 y_7 x_0
//   let (y_9: i64) = mul.i64 y_8 x_0
//   let (y_10: i64) = mul.i64 y_9 x_0
//   let (y_11: i64) = mul.i64 y_10 x_0
//   let (y_12: i64) = mul.i64 y_11 x_0
//   let (y_13: i64) = mul.i64 y_12 x_0
//   let (y_14: i64) = mul.i64 y_13 x_0
//   let (y_15: i64) = mul.i64 y_14 x_0
//   let (y_16: i64) = mul.i64 y_15 x_0
//   let (y_17: i64) = mul.i64 y_16 x_0
//   let (y_18: i64) = mul.i64 y_17 x_0
//   let (y_19: i64) = mul.i64 y_18 x_0
//   let (y_20: i64) = mul.i64 y_19 x_0
//   let (y_21: i64) = mul.i64 y_20 x_0
//   let (y_22: i64) = mul.i64 y_21 x_0
//   let (y_23: i64) = mul.i64 y_22 x_0
//   let (y_24: i64) = mul.i64 y_23 x_0
//   let (y_25: i64) = mul.i64 y_24 x_0
//   let (y_26: i64) = mul.i64 y_25 x_0
//   let (y_27: i64) = mul.i64 y_26 x_0
//   let (y_28: i64) = mul.i64 y_27 x_0
//   let (y_29: i64) = mul.i64 y_28 x_0
//   let (y_30: i64) = mul.i64 y_29 x_0
//   let (y_31: i64) = mul.i64 y_30 x_0
//   let (y_32: i64) = mul.i64 y_31 x_0
//   in (y_32)
// }
//
// entry first (a_40: i64) : (b_41: i64) = {
//   let (c_42: i64) = call long a_40
//   in (c_42)
// }
//
// entry second (a_50: i64) : (b_51: i64) = {
//   let (c_52: i64) = call long a_50
//   let (d_53: i64) = call long c_52
//   in (d_53)
// }
