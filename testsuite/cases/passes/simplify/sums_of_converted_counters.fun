// case: pass simplify
// A counter is the same number in every wider type, with a sign or without (s, t); what has wrapped around is not the number that a wider type would have
// (u: the counter has lost bits; v: 200 is -56; w: a sum of bytes).
entry main (n_0: u8) (m_1: i64) : (s_2: i64) (t_3: i32) (u_4: i64) (v_5: i64) (w_6: i64) = {
  let (s_7: i64) (t_8: i32) (v_9: i64) (w_10: i64) = loop (s_11: i64 = 0i64) (t_12: i32 = 0i32) (v_13: i64 = 0i64) (w_14: i64 = 0i64) for i_15: u8 < n_0 {
    let (j_16: i64) = convert.i64.u8 i_15
    let (s_17: i64) = add.i64 s_11 j_16
    let (j_18: u16) = convert.u16.u8 i_15
    let (j_20: i32) = convert.i32.u16 j_18
    let (t_21: i32) = add.i32 t_12 j_20
    let (k_22: i8) = convert.i8.u8 i_15
    let (k_23: i64) = convert.i64.i8 k_22
    let (v_24: i64) = add.i64 v_13 k_23
    let (l_25: u8) = add.u8 i_15 i_15
    let (l_26: i64) = convert.i64.u8 l_25
    let (w_27: i64) = add.i64 w_14 l_26
    in (s_17, t_21, v_24, w_27)
  }
  let (u_28: i64) = kernel (i_29 < m_1) reduce \(a_30: i64) (b_31: i64) : i64 {
    let (x_32: i64) = add.i64 a_30 b_31
    in (x_32)
  } (0i64) {
    let (j_33: i32) = convert.i32.i64 i_29
    let (k_34: i64) = convert.i64.i32 j_33
    in (k_34)
  }
  in (s_7, t_8, u_28, v_9, w_10)
}
// ---
// entry main (n_0: u8) (m_1: i64) : (s_2: i64) (t_3: i32) (u_4: i64) (v_5: i64) (w_6: i64) = {
//   let (x_35: u8) = max.u8 n_0 0u8
//   let (x_36: i64) = convert.i64.u8 x_35
//   let (x_37: i64) = lshr.i64 x_36 1i64
//   let (x_38: i64) = sub.i64 x_36 1i64
//   let (x_39: i64) = or.i64 x_38 1i64
//   let (x_40: i64) = mul.i64 x_37 x_39
//   let (x_41: u8) = max.u8 n_0 0u8
//   let (x_42: i64) = convert.i64.u8 x_41
//   let (x_43: i64) = lshr.i64 x_42 1i64
//   let (x_48: i32) = convert.i32.i64 x_43
//   let (x_49: i32) = convert.i32.u8 x_41
//   let (x_50: i32) = sub.i32 x_49 1i32
//   let (x_51: i32) = or.i32 x_50 1i32
//   let (x_47: i32) = mul.i32 x_48 x_51
//   let (v_9: i64) (w_10: i64) = loop (v_13: i64 = 0i64) (w_14: i64 = 0i64) for i_15: u8 < n_0 {
//     let (k_22: i8) = convert.i8.u8 i_15
//     let (k_23: i64) = convert.i64.i8 k_22
//     let (v_24: i64) = add.i64 v_13 k_23
//     let (l_25: u8) = add.u8 i_15 i_15
//     let (l_26: i64) = convert.i64.u8 l_25
//     let (w_27: i64) = add.i64 w_14 l_26
//     in (v_24, w_27)
//   }
//   let (u_28: i64) = kernel (i_29 < m_1) reduce \(a_30: i64) (b_31: i64) : i64 {
//     let (x_32: i64) = add.i64 a_30 b_31
//     in (x_32)
//   } (0i64) {
//     let (j_33: i32) = convert.i32.i64 i_29
//     let (k_34: i64) = convert.i64.i32 j_33
//     in (k_34)
//   }
//   in (x_40, x_47, u_28, v_9, w_10)
// }
