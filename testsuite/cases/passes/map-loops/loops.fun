// case: pass map-loops
// Rows that each iteration writes or leaves, beside what they add up; a nest; and the number of iterations of a bound that may be negative.
entry rows [n_0: i64] (xs_1: [n_0]i32) : (ys_2: [n_0]i32) (s_3: i32) = {
  let (a_4: [n_0]i32) = replicate [n_0] 7i32
  let (ys_5: [n_0]i32) (s_6: i32) = loop (p_7: [n_0]i32 = a_4) (t_8: i32 = 5i32) for i_9: i64 < n_0 {
    let (x_10: i32) = index xs_1[i_9]
    let (c_11: bool) = lt.i32 0i32 x_10
    let (q_12: [n_0]i32) (u_13: i32) = if c_11 {
      let (q_14: [n_0]i32) = update p_7[i_9] x_10
      in (q_14, t_8)
    } else {
      let (u_15: i32) = mul.i32 x_10 t_8
      in (p_7, u_15)
    }
    in (q_12, u_13)
  }
  in (ys_5, s_6)
}

entry nest [n_20: i64] [m_21: i64] : (ys_22: [n_20][m_21]i64) = {
  let (a_23: [n_20][m_21]i64) = replicate [n_20][m_21] 0i64
  let (ys_24: [n_20][m_21]i64) = loop (p_25: [n_20][m_21]i64 = a_23) for i_26: i64 < n_20 {
    let (r_27: [n_20][m_21]i64) = loop (q_28: [n_20][m_21]i64 = p_25) for j_29: i64 < m_21 {
      let (x_30: i64) = mul.i64 i_26 j_29
      let (q_31: [n_20][m_21]i64) = update q_28[i_26, j_29] x_30
      in (q_31)
    }
    in (r_27)
  }
  in (ys_24)
}

entry negative (k_40: i64) : (s_41: i64) = {
  let (s_42: i64) = loop (t_43: i64 = 0i64) for i_44: i64 < k_40 {
    let (r_45: i64) = loop (u_46: i64 = t_43) for j_47: i64 < i_44 {
      let (x_48: i64) = xor.i64 j_47 u_46
      in (x_48)
    }
    in (r_45)
  }
  in (s_42)
}
// ---
// entry rows [n_0: i64] (xs_1: [n_0]i32) : (ys_2: [n_0]i32) (s_3: i32) = {
//   let (a_4: [n_0]i32) = replicate [n_0] 7i32
//   let (is_57: [n_0]i64) = iota.i64 n_0 0i64 1i64
//   let (ys_5: [n_0]i32) = map n_0 \(i_9: i64) : i32 {
//     let (x_10: i32) = index xs_1[i_9]
//     let (c_11: bool) = lt.i32 0i32 x_10
//     let (q_12: i32) (u_13: i32) = if c_11 {
//       in (x_10, 1i32)
//     } else {
//       let (u_15: i32) = mul.i32 x_10 1i32
//       let (before_49: i32) = index a_4[i_9]
//       in (before_49, u_15)
//     }
//     in (q_12)
//   } is_57
//   let (is_58: [n_0]i64) = iota.i64 n_0 0i64 1i64
//   let (each_59: [n_0]i32) = map n_0 \(i_50: i64) : i32 {
//     let (x_51: i32) = index xs_1[i_50]
//     let (c_52: bool) = lt.i32 0i32 x_51
//     let (q_55: i32) (u_56: i32) = if c_52 {
//       in (x_51, 1i32)
//     } else {
//       let (u_53: i32) = mul.i32 x_51 1i32
//       let (before_54: i32) = index a_4[i_50]
//       in (before_54, u_53)
//     }
//     in (u_56)
//   } is_58
//   let (total_60: i32) = reduce_comm n_0 \(x_61: i32) (y_62: i32) : i32 {
//     let (sum_63: i32) = mul.i32 x_61 y_62
//     in (sum_63)
//   } (1i32) each_59
//   let (s_6: i32) = mul.i32 5i32 total_60
//   in (ys_5, s_6)
// }
//
// entry nest [n_20: i64] [m_21: i64] : (ys_22: [n_20][m_21]i64) = {
//   let (a_23: [n_20][m_21]i64) = replicate [n_20][m_21] 0i64
//   let (is_65: [n_20]i64) = iota.i64 n_20 0i64 1i64
//   let (ys_24: [n_20][m_21]i64) = map n_20 \(i_26: i64) : [m_21]i64 {
//     let (is_64: [m_21]i64) = iota.i64 m_21 0i64 1i64
//     let (r_27: [m_21]i64) = map m_21 \(j_29: i64) : i64 {
//       let (x_30: i64) = mul.i64 i_26 j_29
//       in (x_30)
//     } is_64
//     in (r_27)
//   } is_65
//   in (ys_24)
// }
//
// entry negative (k_40: i64) : (s_41: i64) = {
//   let (s_42: i64) = loop (t_43: i64 = 0i64) for i_44: i64 < k_40 {
//     let (r_45: i64) = loop (u_46: i64 = t_43) for j_47: i64 < i_44 {
//       let (x_48: i64) = xor.i64 j_47 u_46
//       in (x_48)
//     }
//     in (r_45)
//   }
//   in (s_42)
// }
