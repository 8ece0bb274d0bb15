// case: pass simplify
// What is converted to fewer bits is computed in these, but what is needed as it was, what arrays hold, and quotients.
entry main [n_0: i64] (xs_1: [n_0]i64) (k_2: i64) (b_3: i8) : (rs_4: [n_0]u32) (ss_5: [n_0]i64) (t_6: i32) (u_7: u16) = {
  let (rs_8: [n_0]u32) (ss_9: [n_0]i64) = kernel (i_10 < n_0) {
    let (a_11: i64) = mul.i64 i_10 64i64
    let (c_12: i64) = add.i64 a_11 k_2
    let (d_13: u64) = convert.u64.i64 c_12
    let (e_14: u32) = convert.u32.u64 d_13
    let (kept_15: i64) = sub.i64 i_10 k_2
    let (f_16: u32) = convert.u32.i64 kept_15
    let (x_17: i64) = index xs_1[i_10]
    let (y_18: i64) = add.i64 x_17 1i64
    let (g_19: u32) = convert.u32.i64 y_18
    let (h_20: i64) = quot.i64 i_10 3i64
    let (j_21: u32) = convert.u32.i64 h_20
    let (l_22: u32) = xor.u32 e_14 f_16
    let (m_23: u32) = xor.u32 g_19 j_21
    let (o_24: u32) = xor.u32 l_22 m_23
    in (o_24, kept_15)
  }
  let (p_25: i64) = convert.i64.i8 b_3
  let (q_26: i32) = convert.i32.i64 p_25
  let (r_27: u16) = convert.u16.i64 p_25
  in (rs_8, ss_9, q_26, r_27)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]i64) (k_2: i64) (b_3: i8) : (rs_4: [n_0]u32) (ss_5: [n_0]i64) (t_6: i32) (u_7: u16) = {
//   let (rs_8: [n_0]u32) (ss_9: [n_0]i64) = kernel (i_10 < n_0) {
//     let (x_28: u32) = convert.u32.i64 i_10
//     let (x_29: u32) = mul.u32 x_28 64u32
//     let (x_30: u32) = convert.u32.i64 k_2
//     let (e_14: u32) = add.u32 x_29 x_30
//     let (kept_15: i64) = sub.i64 i_10 k_2
//     let (f_16: u32) = convert.u32.i64 kept_15
//     let (x_17: i64) = index xs_1[i_10]
//     let (y_18: i64) = add.i64 x_17 1i64
//     let (g_19: u32) = convert.u32.i64 y_18
//     let (h_20: i64) = quot.i64 i_10 3i64
//     let (j_21: u32) = convert.u32.i64 h_20
//     let (l_22: u32) = xor.u32 e_14 f_16
//     let (m_23: u32) = xor.u32 g_19 j_21
//     let (o_24: u32) = xor.u32 l_22 m_23
//     in (o_24, kept_15)
//   }
//   let (q_26: i32) = convert.i32.i8 b_3
//   let (r_27: u16) = convert.u16.i8 b_3
//   in (rs_8, ss_9, q_26, r_27)
// }
