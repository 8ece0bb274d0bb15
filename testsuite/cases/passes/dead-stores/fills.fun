// case: pass dead-stores
// A loop that writes every row is all that uses the array, in one nest or two.
entry rows [n_0: i64] [m_1: i64] (xs_2: [m_1]i32) : (ys_3: [n_0][m_1]i32) = {
  let (a_4: [n_0][m_1]i32) = replicate [n_0][m_1] 0i32
  let (ys_5: [n_0][m_1]i32) = loop (p_6: [n_0][m_1]i32 = a_4) for i_7: i64 < n_0 {
    let (q_8: [n_0][m_1]i32) = update p_6[i_7, 0i64 : m_1 : 1i64] xs_2
    in (q_8)
  }
  in (ys_5)
}

entry cells [n_20: i64] [m_21: i64] (b_22: [n_20][m_21]i64) : (ys_23: [n_20][m_21]i64) = {
  let (a_24: [n_20][m_21]i64) = copy b_22
  let (ys_25: [n_20][m_21]i64) = loop (p_26: [n_20][m_21]i64 = a_24) for i_27: i64 < n_20 {
    let (r_28: [n_20][m_21]i64) = loop (q_29: [n_20][m_21]i64 = p_26) for j_30: i64 < m_21 {
      let (x_31: i64) = mul.i64 i_27 j_30
      let (q_32: [n_20][m_21]i64) = update q_29[i_27, j_30] x_31
      in (q_32)
    }
    in (r_28)
  }
  in (ys_25)
}
// ---
// entry rows [n_0: i64] [m_1: i64] (xs_2: [m_1]i32) : (ys_3: [n_0][m_1]i32) = {
//   let (a_4: [n_0][m_1]i32) = scratch [n_0][m_1]i32
//   let (ys_5: [n_0][m_1]i32) = loop (p_6: [n_0][m_1]i32 = a_4) for i_7: i64 < n_0 {
//     let (q_8: [n_0][m_1]i32) = update p_6[i_7, 0i64 : m_1 : 1i64] xs_2
//     in (q_8)
//   }
//   in (ys_5)
// }
//
// entry cells [n_20: i64] [m_21: i64] (b_22: [n_20][m_21]i64) : (ys_23: [n_20][m_21]i64) = {
//   let (a_24: [n_20][m_21]i64) = scratch [n_20][m_21]i64
//   let (ys_25: [n_20][m_21]i64) = loop (p_26: [n_20][m_21]i64 = a_24) for i_27: i64 < n_20 {
//     let (r_28: [n_20][m_21]i64) = loop (q_29: [n_20][m_21]i64 = p_26) for j_30: i64 < m_21 {
//       let (x_31: i64) = mul.i64 i_27 j_30
//       let (q_32: [n_20][m_21]i64) = update q_29[i_27, j_30] x_31
//       in (q_32)
//     }
//     in (r_28)
//   }
//   in (ys_25)
// }
