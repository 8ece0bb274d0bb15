// case: pass save-slices
// Nothing is saved where a neighbour is read (a_4), where the number of iterations is not the size of the row (c_16), or where the old array is
// used behind the map (e_30).
entry main [n_0: i64] (m_1: i64) (xs_2: [n_0][n_0]i32) : (r_3: [n_0][n_0]i32) (q_40: [n_0][n_0]i32) (t_41: [n_0][n_0]i32) (u_42: i32) = {
  let (d_43: [n_0][n_0]i32) = loop (a_4: [n_0][n_0]i32 = xs_2) for k_5: i64 < n_0 {
    let (ys_6: [n_0][n_0]i32) = kernel (i_7 < n_0, j_8 < n_0) {
      let (x_9: i32) = index a_4[j_8, i_7]
      let (y_10: i32) = index a_4[k_5, j_8]
      let (s_11: i32) = sub.i32 x_9 y_10
      in (s_11)
    }
    in (ys_6)
  }
  let (e_44: [n_0][n_0]i32) = loop (c_16: [n_0][n_0]i32 = xs_2) for k_17: i64 < m_1 {
    let (ys_18: [n_0][n_0]i32) = kernel (i_19 < n_0, j_20 < n_0) {
      let (x_21: i32) = index c_16[i_19, j_20]
      let (y_22: i32) = index c_16[i_19, k_17]
      let (s_23: i32) = sub.i32 x_21 y_22
      in (s_23)
    }
    in (ys_18)
  }
  let (f_45: [n_0][n_0]i32) (g_46: i32) = loop (e_30: [n_0][n_0]i32 = xs_2) (h_31: i32 = 0i32) for k_32: i64 < n_0 {
    let (ys_33: [n_0][n_0]i32) = kernel (i_34 < n_0, j_35 < n_0) {
      let (x_36: i32) = index e_30[i_34, j_35]
      let (y_37: i32) = index e_30[i_34, k_32]
      let (s_38: i32) = sub.i32 x_36 y_37
      in (s_38)
    }
    let (old_39: i32) = index e_30[k_32, k_32]
    in (ys_33, old_39)
  }
  in (d_43, e_44, f_45, g_46)
}
// ---
// entry main [n_0: i64] (m_1: i64) (xs_2: [n_0][n_0]i32) : (r_3: [n_0][n_0]i32) (q_40: [n_0][n_0]i32) (t_41: [n_0][n_0]i32) (u_42: i32) = {
//   let (d_43: [n_0][n_0]i32) = loop (a_4: [n_0][n_0]i32 = xs_2) for k_5: i64 < n_0 {
//     let (ys_6: [n_0][n_0]i32) = kernel (i_7 < n_0, j_8 < n_0) {
//       let (x_9: i32) = index a_4[j_8, i_7]
//       let (y_10: i32) = index a_4[k_5, j_8]
//       let (s_11: i32) = sub.i32 x_9 y_10
//       in (s_11)
//     }
//     in (ys_6)
//   }
//   let (e_44: [n_0][n_0]i32) = loop (c_16: [n_0][n_0]i32 = xs_2) for k_17: i64 < m_1 {
//     let (ys_18: [n_0][n_0]i32) = kernel (i_19 < n_0, j_20 < n_0) {
//       let (x_21: i32) = index c_16[i_19, j_20]
//       let (y_22: i32) = index c_16[i_19, k_17]
//       let (s_23: i32) = sub.i32 x_21 y_22
//       in (s_23)
//     }
//     in (ys_18)
//   }
//   let (f_45: [n_0][n_0]i32) (g_46: i32) = loop (e_30: [n_0][n_0]i32 = xs_2) (h_31: i32 = 0i32) for k_32: i64 < n_0 {
//     let (ys_33: [n_0][n_0]i32) = kernel (i_34 < n_0, j_35 < n_0) {
//       let (x_36: i32) = index e_30[i_34, j_35]
//       let (y_37: i32) = index e_30[i_34, k_32]
//       let (s_38: i32) = sub.i32 x_36 y_37
//       in (s_38)
//     }
//     let (old_39: i32) = index e_30[k_32, k_32]
//     in (ys_33, old_39)
//   }
//   in (d_43, e_44, f_45, g_46)
// }
