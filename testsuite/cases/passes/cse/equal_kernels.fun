// case: pass cse
// The scans are one, and so are the sums; the cheap maps are not looked at. The last scan is consumed, so it stays.
entry main [n_0: i64] (xs_1: [n_0]i64) : (s_2: i64) (m_3: [n_0]i64) (*u_4: [n_0]i64) = {
  let (a_5: [n_0]i64) = kernel (i_6 < n_0) scan \(x_7: i64) (y_8: i64) : i64 {
    let (z_9: i64) = add.i64 x_7 y_8
    in (z_9)
  } (0i64) {
    let (e_10: i64) = index xs_1[i_6]
    in (e_10)
  }
  let (b_11: [n_0]i64) = kernel (j_12 < n_0) scan \(v_13: i64) (w_14: i64) : i64 {
    let (t_15: i64) = add.i64 v_13 w_14
    in (t_15)
  } (0i64) {
    let (f_16: i64) = index xs_1[j_12]
    in (f_16)
  }
  let (p_17: i64) = kernel (i_18 < n_0) reduce \(x_19: i64) (y_20: i64) : i64 {
    let (z_21: i64) = add.i64 x_19 y_20
    in (z_21)
  } (0i64) {
    let (e_22: i64) = index a_5[i_18]
    in (e_22)
  }
  let (q_23: i64) = kernel (i_24 < n_0) reduce \(x_25: i64) (y_26: i64) : i64 {
    let (z_27: i64) = add.i64 x_25 y_26
    in (z_27)
  } (0i64) {
    let (e_28: i64) = index b_11[i_24]
    in (e_28)
  }
  let (m_29: [n_0]i64) = kernel (i_30 < n_0) {
    let (e_31: i64) = index b_11[i_30]
    let (g_32: i64) = mul.i64 e_31 q_23
    in (g_32)
  }
  let (c_33: [n_0]i64) = kernel (j_34 < n_0) scan \(v_35: i64) (w_36: i64) : i64 {
    let (t_37: i64) = add.i64 v_35 w_36
    in (t_37)
  } (0i64) {
    let (f_38: i64) = index xs_1[j_34]
    in (f_38)
  }
  let (k_39: bool) = lt.i64 0i64 n_0
  let = assert k_39 "empty"
  let (u_40: [n_0]i64) = update c_33[0i64] p_17
  in (p_17, m_29, u_40)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]i64) : (s_2: i64) (m_3: [n_0]i64) (*u_4: [n_0]i64) = {
//   let (a_5: [n_0]i64) = kernel (i_6 < n_0) scan \(x_7: i64) (y_8: i64) : i64 {
//     let (z_9: i64) = add.i64 x_7 y_8
//     in (z_9)
//   } (0i64) {
//     let (e_10: i64) = index xs_1[i_6]
//     in (e_10)
//   }
//   let (p_17: i64) = kernel (i_18 < n_0) reduce \(x_19: i64) (y_20: i64) : i64 {
//     let (z_21: i64) = add.i64 x_19 y_20
//     in (z_21)
//   } (0i64) {
//     let (e_22: i64) = index a_5[i_18]
//     in (e_22)
//   }
//   let (m_29: [n_0]i64) = kernel (i_30 < n_0) {
//     let (e_31: i64) = index a_5[i_30]
//     let (g_32: i64) = mul.i64 e_31 p_17
//     in (g_32)
//   }
//   let (c_33: [n_0]i64) = kernel (j_34 < n_0) scan \(v_35: i64) (w_36: i64) : i64 {
//     let (t_37: i64) = add.i64 v_35 w_36
//     in (t_37)
//   } (0i64) {
//     let (f_38: i64) = index xs_1[j_34]
//     in (f_38)
//   }
//   let (k_39: bool) = lt.i64 0i64 n_0
//   let = assert k_39 "empty"
//   let (u_40: [n_0]i64) = update c_33[0i64] p_17
//   in (p_17, m_29, u_40)
// }
