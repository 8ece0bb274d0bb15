// case: pass hoist-invariants
// Nothing is moved that rests on a check, that reads what may not be there, or whose array another statement uses: the second read is within bounds only if an
// iteration runs.
entry main (n_0: i64) (m_1: i64) (x_2: [n_0]f32) (y_3: [m_1]f32) (k_4: i64) : (*r_5: [n_0]f32) (*t_6: [n_0]f32) (*w_7: [n_0]f32) = {
  let (r_8: [n_0]f32) = kernel (i_9 < n_0) {
    let (c_10: bool) = le.i64 k_4 m_1
    let = assert c_10 "too many"
    let (d_11: bool) = le.i64 0i64 k_4
    let = assert d_11 "too few"
    let (s_12: f32) = kernel (j_13 < k_4) reduce \(p_14: f32) (q_15: f32) : f32 {
      let (u_16: f32) = add.f32 p_14 q_15
      in (u_16)
    } (0.0f32) {
      let (f_17: f32) = index y_3[j_13]
      in (f_17)
    }
    in (s_12)
  }
  let (t_18: [n_0]f32) = kernel (i_19 < n_0) {
    let (e_20: f32) = index x_2[0i64]
    let (g_21: f32) = exp.f32 e_20
    in (g_21)
  }
  let (w_22: [n_0]f32) = kernel (i_23 < n_0) {
    let (z_24: [m_1]f32) = kernel (j_25 < m_1) {
      let (f_26: f32) = index y_3[j_25]
      let (g_27: f32) = sqrt.f32 f_26
      in (g_27)
    }
    let (s_28: f32) = kernel (j_29 < m_1) reduce \(p_30: f32) (q_31: f32) : f32 {
      let (u_32: f32) = add.f32 p_30 q_31
      in (u_32)
    } (0.0f32) {
      let (f_33: f32) = index z_24[j_29]
      in (f_33)
    }
    let (v_34: [m_1]f32) = update z_24[0i64 : m_1 : 1i64] y_3
    let (b_35: f32) = kernel (j_36 < m_1) reduce \(p_37: f32) (q_38: f32) : f32 {
      let (u_39: f32) = add.f32 p_37 q_38
      in (u_39)
    } (s_28) {
      let (f_40: f32) = index v_34[j_36]
      in (f_40)
    }
    in (b_35)
  }
  in (r_8, t_18, w_22)
}
// ---
// entry main (n_0: i64) (m_1: i64) (x_2: [n_0]f32) (y_3: [m_1]f32) (k_4: i64) : (*r_5: [n_0]f32) (*t_6: [n_0]f32) (*w_7: [n_0]f32) = {
//   let (r_8: [n_0]f32) = kernel (i_9 < n_0) {
//     let (c_10: bool) = le.i64 k_4 m_1
//     let = assert c_10 "too many"
//     let (d_11: bool) = le.i64 0i64 k_4
//     let = assert d_11 "too few"
//     let (s_12: f32) = kernel (j_13 < k_4) reduce \(p_14: f32) (q_15: f32) : f32 {
//       let (u_16: f32) = add.f32 p_14 q_15
//       in (u_16)
//     } (0.0f32) {
//       let (f_17: f32) = index y_3[j_13]
//       in (f_17)
//     }
//     in (s_12)
//   }
//   let (t_18: [n_0]f32) = kernel (i_19 < n_0) {
//     let (e_20: f32) = index x_2[0i64]
//     let (g_21: f32) = exp.f32 e_20
//     in (g_21)
//   }
//   let (w_22: [n_0]f32) = kernel (i_23 < n_0) {
//     let (z_24: [m_1]f32) = kernel (j_25 < m_1) {
//       let (f_26: f32) = index y_3[j_25]
//       let (g_27: f32) = sqrt.f32 f_26
//       in (g_27)
//     }
//     let (s_28: f32) = kernel (j_29 < m_1) reduce \(p_30: f32) (q_31: f32) : f32 {
//       let (u_32: f32) = add.f32 p_30 q_31
//       in (u_32)
//     } (0.0f32) {
//       let (f_33: f32) = index z_24[j_29]
//       in (f_33)
//     }
//     let (v_34: [m_1]f32) = update z_24[0i64 : m_1 : 1i64] y_3
//     let (b_35: f32) = kernel (j_36 < m_1) reduce \(p_37: f32) (q_38: f32) : f32 {
//       let (u_39: f32) = add.f32 p_37 q_38
//       in (u_39)
//     } (s_28) {
//       let (f_40: f32) = index v_34[j_36]
//       in (f_40)
//     }
//     in (b_35)
//   }
//   in (r_8, t_18, w_22)
// }
