// case: pass introduce-memory
// The place of a slice of flat slices as an if gives it: an offset of seven terms, and a stride of one.
fun helper0 [n_0: i64] [n_1: i64] (x_2: [n_0][n_1]i32) (x_3: i8) (x_4: [0i64][3i64][0i64]i64) (fuel_5: i64) : [n_6: i64] [n_7: i64] [n_8: i64] (y_9: [n_0][n_1]i32) (y_10: [n_6][n_7][n_8]i64) (y_11: i64) (y_12: i8) (y_13: i64) = {
  let (q_14: i64) = quot.i64 0i64 0i64
  let (l_15: i64) = sub.i64 0i64 1i64
  let (s_16: [fuel_5][1i64][q_14][2i64][0i64]i64) = slice x_4[0i64 + {(fuel_5 : 1i64)(1i64 : 1i64)}, l_15 + {(q_14 : -2i64)(2i64 : -1i64)}, 0i64 : 0i64 : 1i64]
  let (o_17: i64) = sub.i64 fuel_5 n_0
  let (o_18: i64) = sub.i64 q_14 o_17
  let (s_19: [n_0][o_17][n_0]i64) = slice s_16[o_17 : n_0 : 0i64, 1i64, o_18 : o_17 : 1i64, n_0, n_0 : n_0 : 1i64]
  let (y_21: i64) (y_22: i64) (y_23: i64) (y_24: [n_0][n_1]i32) (y_25: [y_21][y_22][y_23]i64) (y_26: i64) (y_27: i8) (y_28: i64) = if false {
    let (y_20: [0i64][0i64][0i64]i64) = replicate [0i64][0i64][0i64] 0i64
    in (0i64, 0i64, 0i64, x_2, y_20, 0i64, 0i8, 0i64)
  } else {
    in (n_0, o_17, n_0, x_2, s_19, n_0, x_3, n_0)
  }
  in (y_21, y_22, y_23, y_24, y_25, y_26, y_27, y_28)
}

entry main : (y_29: i64) = {
  in (0i64)
}
