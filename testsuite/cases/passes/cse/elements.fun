// case: pass cse simplify
// What was put into an array is not read from there again. Of elements that may be the one that is put, nothing is known any more; others stay known: those by
// constants, and those beside it.
entry turns (*s_0: [16i64]u32) (i_1: i64) : (*r_2: [16i64]u32) (r_3: u32) (r_4: u32) (r_5: u32) = {
  let (a_6: u32) = index s_0[0i64]
  let (b_7: u32) = index s_0[4i64]
  let (x_8: u32) = add.u32 a_6 b_7
  let (s_9: [16i64]u32) = update s_0[0i64] x_8
  let (c_10: u32) = index s_9[0i64]
  let (d_11: u32) = index s_9[4i64]
  let (e_12: u32) = xor.u32 c_10 d_11
  let (s_13: [16i64]u32) = update s_9[i_1] e_12
  let (f_14: u32) = index s_13[0i64]
  let (g_15: u32) = index s_13[i_1]
  let (j_16: i64) = add.i64 i_1 1i64
  let (s_17: [16i64]u32) = update s_13[j_16] f_14
  let (h_18: u32) = index s_17[i_1]
  let (k_19: u32) = index s_17[0i64]
  in (s_17, g_15, h_18, k_19)
}

// Nothing is known behind an update of rows, and what a branch knows stays in it.
entry rows (*m_20: [4i64][4i64]i32) (row_21: [4i64]i32) (c_22: bool) : (*r_23: [4i64][4i64]i32) (r_24: i32) = {
  let (a_25: i32) = index m_20[1i64, 2i64]
  let (m_26: [4i64][4i64]i32) = update m_20[1i64, 0i64 : 4i64 : 1i64] row_21
  let (b_27: i32) = if c_22 {
    let (e_28: i32) = index m_26[1i64, 2i64]
    let (f_29: i32) = index m_26[1i64, 2i64]
    let (g_30: i32) = add.i32 e_28 f_29
    in (g_30)
  } else {
    let (e_31: i32) = index m_26[1i64, 2i64]
    in (e_31)
  }
  let (h_32: i32) = add.i32 a_25 b_27
  in (m_26, h_32)
}
// ---
// entry turns (*s_0: [16i64]u32) (i_1: i64) : (*r_2: [16i64]u32) (r_3: u32) (r_4: u32) (r_5: u32) = {
//   let (a_6: u32) = index s_0[0i64]
//   let (b_7: u32) = index s_0[4i64]
//   let (x_8: u32) = add.u32 a_6 b_7
//   let (s_9: [16i64]u32) = update s_0[0i64] x_8
//   let (e_12: u32) = xor.u32 x_8 b_7
//   let (s_13: [16i64]u32) = update s_9[i_1] e_12
//   let (f_14: u32) = index s_13[0i64]
//   let (j_16: i64) = add.i64 i_1 1i64
//   let (s_17: [16i64]u32) = update s_13[j_16] f_14
//   let (k_19: u32) = index s_17[0i64]
//   in (s_17, e_12, e_12, k_19)
// }
//
// entry rows (*m_20: [4i64][4i64]i32) (row_21: [4i64]i32) (c_22: bool) : (*r_23: [4i64][4i64]i32) (r_24: i32) = {
//   let (a_25: i32) = index m_20[1i64, 2i64]
//   let (m_26: [4i64][4i64]i32) = update m_20[1i64, 0i64 : 4i64 : 1i64] row_21
//   let (b_27: i32) = if c_22 {
//     let (e_28: i32) = index m_26[1i64, 2i64]
//     let (g_30: i32) = add.i32 e_28 e_28
//     in (g_30)
//   } else {
//     let (e_31: i32) = index m_26[1i64, 2i64]
//     in (e_31)
//   }
//   let (h_32: i32) = add.i32 a_25 b_27
//   in (m_26, h_32)
// }
