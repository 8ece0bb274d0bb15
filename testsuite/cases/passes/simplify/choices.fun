// case: pass simplify
// A match on a sum of alternatives: which of them it is, is a condition. The second comparison depends on both conditions, and stays; the number
// that the second choice gives may be any.
entry main (a_0: bool) (b_1: bool) (n_2: i64) (f_3: f32) : (x_20: f32) (y_21: bool) (z_22: bool) (u_23: bool) (v_24: bool) (w_25: bool) = {
  let (kind_4: u8) = if a_0 {
    in (2u8)
  } else {
    let (c_5: bool) = lt.i64 n_2 7i64
    let (d_6: bool) = and.bool b_1 c_5
    let (k_7: u8) = if d_6 {
      in (1u8)
    } else {
      in (0u8)
    }
    in (k_7)
  }
  let (two_8: bool) = eq.u8 kind_4 2u8
  let (r_9: f32) = if two_8 {
    let (s_10: f32) = mul.f32 f_3 f_3
    in (s_10)
  } else {
    let (s_11: f32) = sin.f32 f_3
    in (s_11)
  }
  let (one_12: bool) = eq.u8 1u8 kind_4
  let (three_13: bool) = eq.u8 kind_4 3u8
  let (not_two_14: bool) = ne.u8 kind_4 2u8
  let (not_three_15: bool) = ne.u8 kind_4 3u8
  let (any_16: i64) = if b_1 {
    in (2i64)
  } else {
    in (n_2)
  }
  let (some_17: bool) = eq.i64 any_16 2i64
  in (r_9, one_12, three_13, not_two_14, not_three_15, some_17)
}
// ---
// entry main (a_0: bool) (b_1: bool) (n_2: i64) (f_3: f32) : (x_20: f32) (y_21: bool) (z_22: bool) (u_23: bool) (v_24: bool) (w_25: bool) = {
//   let (kind_4: u8) = if a_0 {
//     in (2u8)
//   } else {
//     let (c_5: bool) = lt.i64 n_2 7i64
//     let (d_6: bool) = and.bool b_1 c_5
//     let (k_7: u8) = if d_6 {
//       in (1u8)
//     } else {
//       in (0u8)
//     }
//     in (k_7)
//   }
//   let (r_9: f32) = if a_0 {
//     let (s_10: f32) = mul.f32 f_3 f_3
//     in (s_10)
//   } else {
//     let (s_11: f32) = sin.f32 f_3
//     in (s_11)
//   }
//   let (one_12: bool) = eq.u8 1u8 kind_4
//   let (not_two_14: bool) = not.bool a_0
//   let (any_16: i64) = if b_1 {
//     in (2i64)
//   } else {
//     in (n_2)
//   }
//   let (some_17: bool) = eq.i64 any_16 2i64
//   in (r_9, one_12, false, not_two_14, true, some_17)
// }
