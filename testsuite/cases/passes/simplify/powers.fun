// case: pass simplify
// Powers by small constants are products; not of floats but by 1, nor by an exponent that is not known or large.
entry main (a_0: i32) (b_1: u8) (c_2: f64) (n_3: i32) : (r_4: i32) (s_5: i32) (t_6: u8) (u_7: f64) (v_8: f64) (w_9: i32) (x_10: i32) = {
  let (r_11: i32) = pow.i32 a_0 3i32
  let (s_12: i32) = pow.i32 a_0 10i32
  let (t_13: u8) = pow.u8 b_1 7u8
  let (u_14: f64) = pow.f64 c_2 1.0f64
  let (v_15: f64) = pow.f64 c_2 3.0f64
  let (w_16: i32) = pow.i32 a_0 65i32
  let (x_17: i32) = pow.i32 2i32 n_3
  in (r_11, s_12, t_13, u_14, v_15, w_16, x_17)
}
// ---
// entry main (a_0: i32) (b_1: u8) (c_2: f64) (n_3: i32) : (r_4: i32) (s_5: i32) (t_6: u8) (u_7: f64) (v_8: f64) (w_9: i32) (x_10: i32) = {
//   let (x_18: i32) = mul.i32 a_0 a_0
//   let (r_11: i32) = mul.i32 a_0 x_18
//   let (x_19: i32) = mul.i32 a_0 a_0
//   let (x_20: i32) = mul.i32 x_19 x_19
//   let (x_21: i32) = mul.i32 a_0 x_20
//   let (s_12: i32) = mul.i32 x_21 x_21
//   let (x_22: u8) = mul.u8 b_1 b_1
//   let (x_23: u8) = mul.u8 b_1 x_22
//   let (x_24: u8) = mul.u8 x_23 x_23
//   let (t_13: u8) = mul.u8 b_1 x_24
//   let (v_15: f64) = pow.f64 c_2 3.0f64
//   let (w_16: i32) = pow.i32 a_0 65i32
//   let (x_17: i32) = pow.i32 2i32 n_3
//   in (r_11, s_12, t_13, c_2, v_15, w_16, x_17)
// }
