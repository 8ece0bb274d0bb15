// case: pass simplify
// Sums of what is linear in the counter are formulas, of every width. What is not linear (u) stays, and so does what is rounded (f) or may stop the program (g).
entry main [n_0: i64] (xs_1: [n_0]i32) (c_2: i32) (d_3: i64) : (s_4: i64) (t_5: i32) (u_6: i64) (f_7: f64) (g_34: i64) = {
  let (s_8: i64) = kernel (i_9 < n_0) reduce \(a_10: i64) (b_11: i64) : i64 {
    let (x_12: i64) = add.i64 a_10 b_11
    in (x_12)
  } (0i64) {
    in (i_9)
  }
  let (t_13: i32) = kernel (i_14 < n_0) reduce \(a_15: i32) (b_16: i32) : i32 {
    let (x_17: i32) = add.i32 a_15 b_16
    in (x_17)
  } (0i32) {
    let (j_18: i32) = convert.i32.i64 i_14
    let (k_19: i32) = mul.i32 c_2 j_18
    let (l_20: i32) = sub.i32 5i32 k_19
    in (l_20)
  }
  let (u_21: i64) = kernel (i_22 < n_0) reduce \(a_23: i64) (b_24: i64) : i64 {
    let (x_25: i64) = add.i64 a_23 b_24
    in (x_25)
  } (0i64) {
    let (j_26: i64) = add.i64 i_22 d_3
    let (k_27: i64) = mul.i64 j_26 i_22
    in (k_27)
  }
  let (f_28: f64) = kernel (i_29 < n_0) reduce \(a_30: f64) (b_31: f64) : f64 {
    let (x_32: f64) = add.f64 a_30 b_31
    in (x_32)
  } (0.0f64) {
    let (j_33: f64) = convert.f64.i64 i_29
    in (j_33)
  }
  let (g_35: i64) = kernel (i_36 < n_0) reduce \(a_37: i64) (b_38: i64) : i64 {
    let (x_39: i64) = add.i64 a_37 b_38
    in (x_39)
  } (0i64) {
    let (t_40: bool) = lt.i64 i_36 d_3
    let = assert t_40 "too many"
    in (i_36)
  }
  in (s_8, t_13, u_21, f_28, g_35)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]i32) (c_2: i32) (d_3: i64) : (s_4: i64) (t_5: i32) (u_6: i64) (f_7: f64) (g_34: i64) = {
//   let (x_41: i64) = lshr.i64 n_0 1i64
//   let (x_42: i64) = sub.i64 n_0 1i64
//   let (x_43: i64) = or.i64 x_42 1i64
//   let (x_44: i64) = mul.i64 x_41 x_43
//   let (x_45: i32) = sub.i32 0i32 c_2
//   let (x_46: i32) = convert.i32.i64 n_0
//   let (x_47: i32) = mul.i32 x_46 5i32
//   let (x_48: i64) = lshr.i64 n_0 1i64
//   let (x_55: i32) = convert.i32.i64 x_48
//   let (x_56: i32) = convert.i32.i64 n_0
//   let (x_57: i32) = sub.i32 x_56 1i32
//   let (x_58: i32) = or.i32 x_57 1i32
//   let (x_52: i32) = mul.i32 x_55 x_58
//   let (x_53: i32) = mul.i32 x_52 x_45
//   let (x_54: i32) = add.i32 x_47 x_53
//   let (u_21: i64) = kernel (i_22 < n_0) reduce \(a_23: i64) (b_24: i64) : i64 {
//     let (x_25: i64) = add.i64 a_23 b_24
//     in (x_25)
//   } (0i64) {
//     let (j_26: i64) = add.i64 i_22 d_3
//     let (k_27: i64) = mul.i64 j_26 i_22
//     in (k_27)
//   }
//   let (f_28: f64) = kernel (i_29 < n_0) reduce \(a_30: f64) (b_31: f64) : f64 {
//     let (x_32: f64) = add.f64 a_30 b_31
//     in (x_32)
//   } (0.0f64) {
//     let (j_33: f64) = convert.f64.i64 i_29
//     in (j_33)
//   }
//   let (g_35: i64) = kernel (i_36 < n_0) reduce \(a_37: i64) (b_38: i64) : i64 {
//     let (x_39: i64) = add.i64 a_37 b_38
//     in (x_39)
//   } (0i64) {
//     let (t_40: bool) = lt.i64 i_36 d_3
//     let = assert t_40 "too many"
//     in (i_36)
//   }
//   in (x_44, x_54, u_21, f_28, g_35)
// }
