// case: pass simplify
// What a loop adds up and takes away is a formula if it is linear in the counter (s, t); a bound below 0 counts as 0. What is used on the way (u), or depends
// on what another parameter was (v), is none.
entry main (n_0: i32) (c_1: i64) : (s_2: i64) (t_3: u8) (u_4: i32) (w_5: i32) (v_6: i32) = {
  let (s_7: i64) (t_8: u8) (u_9: i32) (w_10: i32) (v_11: i32) = loop (s_12: i64 = c_1) (t_13: u8 = 3u8) (u_14: i32 = 0i32) (w_15: i32 = 1i32) (v_16: i32 = 0i32) for i_17: i32 < n_0 {
    let (i_18: i64) = convert.i64.i32 i_17
    let (s_19: i64) = add.i64 i_18 s_12
    let (d_20: i64) = mul.i64 i_18 c_1
    let (s_21: i64) = sub.i64 s_19 d_20
    let (i_22: u8) = convert.u8.i32 i_17
    let (t_23: u8) = sub.u8 t_13 i_22
    let (u_24: i32) = add.i32 u_14 i_17
    let (w_25: i32) = mul.i32 w_15 u_24
    let (v_26: i32) = add.i32 v_16 w_15
    in (s_21, t_23, u_24, w_25, v_26)
  }
  in (s_7, t_8, u_9, w_10, v_11)
}
// ---
// entry main (n_0: i32) (c_1: i64) : (s_2: i64) (t_3: u8) (u_4: i32) (w_5: i32) (v_6: i32) = {
//   let (x_27: i64) = sub.i64 1i64 c_1
//   let (x_28: i32) = max.i32 n_0 0i32
//   let (x_29: i64) = convert.i64.i32 x_28
//   let (x_30: i64) = lshr.i64 x_29 1i64
//   let (x_31: i64) = sub.i64 x_29 1i64
//   let (x_32: i64) = or.i64 x_31 1i64
//   let (x_33: i64) = mul.i64 x_30 x_32
//   let (x_34: i64) = mul.i64 x_33 x_27
//   let (x_35: i64) = add.i64 c_1 x_34
//   let (x_36: i32) = max.i32 n_0 0i32
//   let (x_37: i64) = convert.i64.i32 x_36
//   let (x_38: i64) = lshr.i64 x_37 1i64
//   let (x_39: i64) = sub.i64 x_37 1i64
//   let (x_40: i64) = or.i64 x_39 1i64
//   let (x_41: i64) = mul.i64 x_38 x_40
//   let (x_42: u8) = convert.u8.i64 x_41
//   let (x_43: u8) = mul.u8 x_42 255u8
//   let (x_44: u8) = add.u8 3u8 x_43
//   let (u_9: i32) (w_10: i32) (v_11: i32) = loop (u_14: i32 = 0i32) (w_15: i32 = 1i32) (v_16: i32 = 0i32) for i_17: i32 < n_0 {
//     let (u_24: i32) = add.i32 u_14 i_17
//     let (w_25: i32) = mul.i32 w_15 u_24
//     let (v_26: i32) = add.i32 v_16 w_15
//     in (u_24, w_25, v_26)
//   }
//   in (x_35, x_44, u_9, w_10, v_11)
// }
