// case: pass introduce-memory lower-to-imp-small stack-blocks simplify-imp
// the least value with its index has two lanes, as the operator is declared to commute; a composition of lines, which does not, has none
entry main [n_0: i64] (a_1: [n_0]i32) (b_2: [n_0]i32) : (x_3: i32) (i_4: i64) (s_5: i32) (t_6: i32) = {
  let (x_7: i32) (i_8: i64) = kernel (k_9 < n_0) reduce_comm \(v_10: i32) (i_11: i64) (w_12: i32) (j_13: i64) : i32, i64 {
    let (less_14: bool) = lt.i32 v_10 w_12
    let (same_15: bool) = eq.i32 v_10 w_12
    let (first_16: bool) = lt.i64 i_11 j_13
    let (tie_17: bool) = and.bool same_15 first_16
    let (left_18: bool) = or.bool less_14 tie_17
    let (v_19: i32) (i_20: i64) = if left_18 {
      in (v_10, i_11)
    } else {
      in (w_12, j_13)
    }
    in (v_19, i_20)
  } (2147483647i32, 9223372036854775807i64) {
    let (e_21: i32) = index a_1[k_9]
    in (e_21, k_9)
  }
  let (s_22: i32) (t_23: i32) = kernel (k_24 < n_0) reduce \(a_25: i32) (b_26: i32) (c_27: i32) (d_28: i32) : i32, i32 {
    let (slope_29: i32) = mul.i32 a_25 c_27
    let (moved_30: i32) = mul.i32 b_26 c_27
    let (offset_31: i32) = add.i32 moved_30 d_28
    in (slope_29, offset_31)
  } (1i32, 0i32) {
    let (e_32: i32) = index a_1[k_24]
    let (f_33: i32) = index b_2[k_24]
    in (e_32, f_33)
  }
  in (x_7, i_8, s_22, t_23)
}
// ---
