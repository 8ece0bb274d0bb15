// case: pass simplify
// Sums of equal integers, and what a loop adds up of them, are formulas; the largest of equal values is the value, or the neutral element of none.
entry main [n_0: i64] (xs_1: [n_0]i32) (c_2: i32) (k_3: i32) : (s_4: i32) (m_5: i32) (t_6: i64) (p_7: i32) = {
  let (s_8: i32) = kernel (i_9 < n_0) reduce \(a_10: i32) (b_11: i32) : i32 {
    let (x_12: i32) = add.i32 a_10 b_11
    in (x_12)
  } (0i32) {
    in (c_2)
  }
  let (m_13: i32) = kernel (i_14 < n_0) reduce \(a_15: i32) (b_16: i32) : i32 {
    let (x_17: i32) = max.i32 b_16 a_15
    in (x_17)
  } (-2147483648i32) {
    in (c_2)
  }
  let (t_18: i64) (p_19: i32) = loop (t_20: i64 = n_0) (p_21: i32 = 1i32) for i_22: i32 < k_3 {
    let (t_23: i64) = add.i64 3i64 t_20
    let (p_24: i32) = mul.i32 p_21 c_2
    let (p_25: i32) = add.i32 p_24 i_22
    in (t_23, p_25)
  }
  in (s_8, m_13, t_18, p_19)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]i32) (c_2: i32) (k_3: i32) : (s_4: i32) (m_5: i32) (t_6: i64) (p_7: i32) = {
//   let (x_26: i32) = convert.i32.i64 n_0
//   let (x_27: i32) = mul.i32 x_26 c_2
//   let (x_28: bool) = eq.i64 n_0 0i64
//   let (red_29: i32) = if x_28 {
//     in (-2147483648i32)
//   } else {
//     in (c_2)
//   }
//   let (x_30: i32) = max.i32 k_3 0i32
//   let (x_31: i64) = convert.i64.i32 x_30
//   let (x_32: i64) = mul.i64 x_31 3i64
//   let (x_33: i64) = add.i64 n_0 x_32
//   let (p_19: i32) = loop (p_21: i32 = 1i32) for i_22: i32 < k_3 {
//     let (p_24: i32) = mul.i32 p_21 c_2
//     let (p_25: i32) = add.i32 p_24 i_22
//     in (p_25)
//   }
//   in (x_27, red_29, x_33, p_19)
// }
