// case: pass introduce-memory lower-to-imp-small stack-blocks simplify-imp
// no lanes for the product of complex numbers of each row: there may be many short ones, and other passes have several of these at once
entry main [n_0: i64] [m_1: i64] (a_2: [n_0][m_1]f32) : (r_4: [n_0]f32) = {
  let (r_6: [n_0]f32) (i_7: [n_0]f32) = kernel (i_8 < n_0, j_9 < m_1) reduce_comm \(a_10: f32) (b_11: f32) (c_12: f32) (d_13: f32) : f32, f32 {
    let (x_14: f32) = mul.f32 a_10 c_12
    let (y_15: f32) = mul.f32 b_11 d_13
    let (real_16: f32) = sub.f32 x_14 y_15
    let (z_17: f32) = mul.f32 a_10 d_13
    let (w_18: f32) = mul.f32 b_11 c_12
    let (imag_19: f32) = add.f32 z_17 w_18
    in (real_16, imag_19)
  } (1.0f32, 0.0f32) {
    let (e_20: f32) = index a_2[i_8, j_9]
    in (e_20, 1.0f32)
  }
  in (r_6)
}
// ---
// entry proc main(n_0: i64, m_1: i64, a_mem_21: mem): (mem, i64)
//   takes (f32[@0][@1] @ 2)
//   gives (f32[@1] @ 0)
// {
//   view a_2: f32 @ a_mem_21 -> 0 + {(n_0 : m_1)(m_1 : 1)}
//   alloc r_mem_22: f32[n_0]
//   alloc i_mem_23: f32[n_0]
//   view r_6: f32 @ r_mem_22 -> 0 + {(n_0 : 1)}
//   for i_8: i64 < n_0 par {
//     var acc_25: f32 = 1.0f32
//     var acc_26: f32 = 0.0f32
//     for j_9: i64 < m_1 fold {
//       let e_20: f32 = a_2[i_8, j_9]
//       let x_14: f32 = mul.f32(acc_25, e_20)
//       let y_15: f32 = mul.f32(acc_26, 1.0f32)
//       let real_16: f32 = sub.f32(x_14, y_15)
//       let z_17: f32 = mul.f32(acc_25, 1.0f32)
//       let w_18: f32 = mul.f32(acc_26, e_20)
//       let imag_19: f32 = add.f32(z_17, w_18)
//       acc_25 := real_16
//       acc_26 := imag_19
//     }
//     r_6[i_8] := acc_25
//   }
//   free i_mem_23
//   return (r_mem_22, n_0)
// }
