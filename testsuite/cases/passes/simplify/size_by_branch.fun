// case: pass simplify
// Whichever arms run, `m_4` stays `n_0`, and so do the sizes of the branches' arrays. What `k_20` becomes may be something else.
entry main [n_0: i64] (xs_1: [n_0]i64) (t_2: i64) : [r_30: i64] (z_3: [r_30]i64) (k_31: i64) = {
  let (m_40: i64) (z_41: [m_40]i64) (k_42: i64) = loop (m_4: i64 = n_0) (y_5: [m_4]i64 = xs_1) (k_20: i64 = t_2) for i_6: i64 < t_2 {
    let (c_7: bool) = lt.i64 i_6 3i64
    let (a_8: [n_0]i64) = replicate [n_0] i_6
    let (s_9: i64) (b_10: [s_9]i64) (l_21: i64) = if c_7 {
      in (m_4, y_5, k_20)
    } else {
      let (d_11: bool) = lt.i64 i_6 5i64
      let (s_12: i64) (b_13: [s_12]i64) (l_22: i64) = if d_11 {
        in (n_0, a_8, t_2)
      } else {
        in (m_4, y_5, i_6)
      }
      in (s_12, b_13, l_22)
    }
    in (s_9, b_10, l_21)
  }
  in (m_40, z_41, k_42)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]i64) (t_2: i64) : [r_30: i64] (z_3: [r_30]i64) (k_31: i64) = {
//   let (z_41: [n_0]i64) (k_42: i64) = loop (y_5: [n_0]i64 = xs_1) (k_20: i64 = t_2) for i_6: i64 < t_2 {
//     let (c_7: bool) = lt.i64 i_6 3i64
//     let (a_8: [n_0]i64) = replicate [n_0] i_6
//     let (b_10: [n_0]i64) (l_21: i64) = if c_7 {
//       in (y_5, k_20)
//     } else {
//       let (d_11: bool) = lt.i64 i_6 5i64
//       let (b_13: [n_0]i64) (l_22: i64) = if d_11 {
//         in (a_8, t_2)
//       } else {
//         in (y_5, i_6)
//       }
//       in (b_13, l_22)
//     }
//     in (b_10, l_21)
//   }
//   in (n_0, z_41, k_42)
// }
