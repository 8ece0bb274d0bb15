// case: pass cse simplify
// Numbers that are equal as polynomials are one, so nothing is left to check; a product that is not the sum stays.
entry sums [n_0: i64] (xs_1: [n_0]i32) : [s_2: i64] (r_3: [s_2]i32) = {
  let (x_4: i64) = mul.i64 n_0 2i64
  let (x_5: i64) = add.i64 n_0 n_0
  let (c_6: [x_5]i32) = concat x_5 xs_1 xs_1
  let (e_7: bool) = eq.i64 x_4 x_5
  let = assert e_7 "sizes differ"
  let (c_8: [x_4]i32) = reshape [x_4] c_6
  in (x_4, c_8)
}

entry shifted [n_9: i64] (xs_10: [n_9]i32) : [s_11: i64] (r_12: [s_11]i32) = {
  let (x_13: i64) = sub.i64 n_9 1i64
  let (x_14: i64) = add.i64 x_13 1i64
  let (c_15: [x_14]i32) = replicate [x_14] 1i32
  in (x_14, c_15)
}

entry other [n_16: i64] (m_17: i64) : (r_18: i64) (r_19: i64) = {
  let (x_20: i64) = mul.i64 n_16 m_17
  let (x_21: i64) = add.i64 n_16 m_17
  in (x_20, x_21)
}

// A number that is found to be the size of an array is that size from there on, but one that the body takes, or that is a size itself,
// stays.
entry found [n_22: i64] (xs_23: [n_22]i32) (m_24: i64) : [s_25: i64] (r_26: [s_25]i32) = {
  let (x_27: i64) = mul.i64 m_24 m_24
  let (e_28: bool) = eq.i64 n_22 x_27
  let = assert e_28 "no square"
  let (c_29: [x_27]i32) = reshape [x_27] xs_23
  in (x_27, c_29)
}

entry taken [n_30: i64] (xs_31: [n_30]i32) (m_32: i64) : (r_33: [m_32]i32) = {
  let (e_34: bool) = eq.i64 n_30 m_32
  let = assert e_34 "another size"
  let (c_35: [m_32]i32) = reshape [m_32] xs_31
  in (c_35)
}

entry sized [n_36: i64] (xs_37: [n_36]i32) (m_38: i64) : (r_39: [n_36]i32) = {
  let (x_40: i64) = mul.i64 m_38 m_38
  let (c_41: [x_40]i32) = replicate [x_40] 1i32
  let (e_42: bool) = eq.i64 n_36 x_40
  let = assert e_42 "no square"
  let (c_43: [n_36]i32) = reshape [n_36] c_41
  in (c_43)
}
// ---
// entry sums [n_0: i64] (xs_1: [n_0]i32) : [s_2: i64] (r_3: [s_2]i32) = {
//   let (x_4: i64) = mul.i64 n_0 2i64
//   let (c_6: [x_4]i32) = concat x_4 xs_1 xs_1
//   in (x_4, c_6)
// }
//
// entry shifted [n_9: i64] (xs_10: [n_9]i32) : [s_11: i64] (r_12: [s_11]i32) = {
//   let (c_15: [n_9]i32) = replicate [n_9] 1i32
//   in (n_9, c_15)
// }
//
// entry other [n_16: i64] (m_17: i64) : (r_18: i64) (r_19: i64) = {
//   let (x_20: i64) = mul.i64 n_16 m_17
//   let (x_21: i64) = add.i64 n_16 m_17
//   in (x_20, x_21)
// }
//
// entry found [n_22: i64] (xs_23: [n_22]i32) (m_24: i64) : [s_25: i64] (r_26: [s_25]i32) = {
//   let (x_27: i64) = mul.i64 m_24 m_24
//   let (e_28: bool) = eq.i64 n_22 x_27
//   let = assert e_28 "no square"
//   in (n_22, xs_23)
// }
//
// entry taken [n_30: i64] (xs_31: [n_30]i32) (m_32: i64) : (r_33: [m_32]i32) = {
//   let (e_34: bool) = eq.i64 n_30 m_32
//   let = assert e_34 "another size"
//   let (c_35: [m_32]i32) = reshape [m_32] xs_31
//   in (c_35)
// }
//
// entry sized [n_36: i64] (xs_37: [n_36]i32) (m_38: i64) : (r_39: [n_36]i32) = {
//   let (x_40: i64) = mul.i64 m_38 m_38
//   let (c_41: [x_40]i32) = replicate [x_40] 1i32
//   let (e_42: bool) = eq.i64 n_36 x_40
//   let = assert e_42 "no square"
//   let (c_43: [n_36]i32) = reshape [n_36] c_41
//   in (c_43)
// }
