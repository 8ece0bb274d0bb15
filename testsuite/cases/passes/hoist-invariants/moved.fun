// case: pass hoist-invariants
// A sum of an array that stays is computed before the map, and before the loop around it; a sum of what the loop carries stays, and so does one of an array
// that is used otherwise.
entry main (n_0: i64) (x_1: [n_0]f32) (y_2: [n_0]f32) : (r_3: [n_0]f32) = {
  let (r_4: [n_0]f32) = loop (a_5: [n_0]f32 = x_1) for k_6: i64 < 3i64 {
    let (m_7: [n_0]f32) = kernel (i_8 < n_0) {
      let (e_9: f32) = index a_5[i_8]
      let (s_10: f32) = kernel (j_11 < n_0) reduce \(p_12: f32) (q_13: f32) : f32 {
        let (t_14: f32) = add.f32 p_12 q_13
        in (t_14)
      } (0.0f32) {
        let (f_15: f32) = index y_2[j_11]
        in (f_15)
      }
      let (s_16: f32) = kernel (j_17 < n_0) reduce \(p_18: f32) (q_19: f32) : f32 {
        let (t_20: f32) = max.f32 p_18 q_19
        in (t_20)
      } (0.0f32) {
        let (f_21: f32) = index a_5[j_17]
        in (f_21)
      }
      let (u_22: f32) = mul.f32 e_9 s_10
      let (v_23: f32) = add.f32 u_22 s_16
      in (v_23)
    }
    in (m_7)
  }
  in (r_4)
}
// ---
// entry main (n_0: i64) (x_1: [n_0]f32) (y_2: [n_0]f32) : (r_3: [n_0]f32) = {
//   let (s_10: f32) = kernel (j_11 < n_0) reduce \(p_12: f32) (q_13: f32) : f32 {
//     let (t_14: f32) = add.f32 p_12 q_13
//     in (t_14)
//   } (0.0f32) {
//     let (f_15: f32) = index y_2[j_11]
//     in (f_15)
//   }
//   let (r_4: [n_0]f32) = loop (a_5: [n_0]f32 = x_1) for k_6: i64 < 3i64 {
//     let (s_16: f32) = kernel (j_17 < n_0) reduce \(p_18: f32) (q_19: f32) : f32 {
//       let (t_20: f32) = max.f32 p_18 q_19
//       in (t_20)
//     } (0.0f32) {
//       let (f_21: f32) = index a_5[j_17]
//       in (f_21)
//     }
//     let (m_7: [n_0]f32) = kernel (i_8 < n_0) {
//       let (e_9: f32) = index a_5[i_8]
//       let (u_22: f32) = mul.f32 e_9 s_10
//       let (v_23: f32) = add.f32 u_22 s_16
//       in (v_23)
//     }
//     in (m_7)
//   }
//   in (r_4)
// }
