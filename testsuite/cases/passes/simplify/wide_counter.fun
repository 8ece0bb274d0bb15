// case: pass simplify
// A counter that is only converted to i64 is one; not where something else needs it as well, or it has no sign.
entry main (n_0: i32) (xs_1: [8i64]f32) : (a_2: f32) (b_3: i32) (c_4: f32) = {
  let (a_5: f32) = loop (s_6: f32 = 0.0f32) for i_7: i32 < n_0 {
    let (k_8: i64) = convert.i64.i32 i_7
    let (x_9: f32) = index xs_1[k_8]
    let (t_10: f32) = add.f32 s_6 x_9
    in (t_10)
  }
  let (b_11: i32) = loop (s_12: i32 = 0i32) for i_13: i32 < 7i32 {
    let (k_14: i64) = convert.i64.i32 i_13
    let (x_15: f32) = index xs_1[k_14]
    let (y_16: i32) = convert.i32.f32 x_15
    let (z_17: i32) = mul.i32 y_16 i_13
    let (t_18: i32) = add.i32 s_12 z_17
    in (t_18)
  }
  let (c_19: f32) = loop (s_20: f32 = 0.0f32) for i_21: u8 < 7u8 {
    let (k_22: i64) = convert.i64.u8 i_21
    let (x_23: f32) = index xs_1[k_22]
    let (t_24: f32) = add.f32 s_20 x_23
    in (t_24)
  }
  in (a_5, b_11, c_19)
}
// ---
// entry main (n_0: i32) (xs_1: [8i64]f32) : (a_2: f32) (b_3: i32) (c_4: f32) = {
//   let (x_25: i64) = convert.i64.i32 n_0
//   let (a_5: f32) = loop (s_6: f32 = 0.0f32) for i_7: i64 < x_25 {
//     let (x_9: f32) = index xs_1[i_7]
//     let (t_10: f32) = add.f32 s_6 x_9
//     in (t_10)
//   }
//   let (b_11: i32) = loop (s_12: i32 = 0i32) for i_13: i32 < 7i32 {
//     let (k_14: i64) = convert.i64.i32 i_13
//     let (x_15: f32) = index xs_1[k_14]
//     let (y_16: i32) = convert.i32.f32 x_15
//     let (z_17: i32) = mul.i32 y_16 i_13
//     let (t_18: i32) = add.i32 s_12 z_17
//     in (t_18)
//   }
//   let (c_19: f32) = loop (s_20: f32 = 0.0f32) for i_21: u8 < 7u8 {
//     let (k_22: i64) = convert.i64.u8 i_21
//     let (x_23: f32) = index xs_1[k_22]
//     let (t_24: f32) = add.f32 s_20 x_23
//     in (t_24)
//   }
//   in (a_5, b_11, c_19)
// }
