// case: pass introduce-memory hoist-scalars join-kernels
// A sum and a maximum of one array are one reduction of pairs; a sum of squares of the differences from the sum stays behind it.
entry main [n_0: i64] (xs_1: [n_0]i32) : (s_2: i32) (m_3: i32) (v_4: i32) = {
  let (s_5: i32) = kernel (i_6 < n_0) reduce_comm \(a_7: i32) (b_8: i32) : i32 {
    let (c_9: i32) = add.i32 a_7 b_8
    in (c_9)
  } (0i32) {
    let (x_10: i32) = index xs_1[i_6]
    in (x_10)
  }
  let (m_11: i32) = kernel (i_12 < n_0) reduce \(a_13: i32) (b_14: i32) : i32 {
    let (c_15: i32) = max.i32 a_13 b_14
    in (c_15)
  } (-2147483648i32) {
    let (x_16: i32) = index xs_1[i_12]
    in (x_16)
  }
  let (v_17: i32) = kernel (i_18 < n_0) reduce \(a_19: i32) (b_20: i32) : i32 {
    let (c_21: i32) = add.i32 a_19 b_20
    in (c_21)
  } (0i32) {
    let (x_22: i32) = index xs_1[i_18]
    let (d_23: i32) = sub.i32 x_22 s_5
    let (q_24: i32) = mul.i32 d_23 d_23
    in (q_24)
  }
  in (s_5, m_11, v_17)
}
// ---
// entry main [n_0: i64] [xs_mem_25: mem] (xs_1: [n_0]i32 @ xs_mem_25 -> 0 + {(n_0 : 1)}) : (s_2: i32) (m_3: i32) (v_4: i32) = {
//   let (s_5: i32) (m_11: i32) = kernel (i_12 < n_0) reduce_comm \(a_7: i32) (a_13: i32) (b_8: i32) (b_14: i32) : i32, i32 {
//     let (c_9: i32) = add.i32 a_7 b_8
//     let (c_15: i32) = max.i32 a_13 b_14
//     in (c_9, c_15)
//   } (0i32, -2147483648i32) {
//     let (x_10: i32) = index xs_1[i_12]
//     let (x_16: i32) = index xs_1[i_12]
//     in (x_10, x_16)
//   }
//   let (v_17: i32) = kernel (i_18 < n_0) reduce \(a_19: i32) (b_20: i32) : i32 {
//     let (c_21: i32) = add.i32 a_19 b_20
//     in (c_21)
//   } (0i32) {
//     let (x_22: i32) = index xs_1[i_18]
//     let (d_23: i32) = sub.i32 x_22 s_5
//     let (q_24: i32) = mul.i32 d_23 d_23
//     in (q_24)
//   }
//   in (s_5, m_11, v_17)
// }
