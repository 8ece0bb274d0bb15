// case: pass introduce-memory lower-to-imp-small stack-blocks simplify-imp
// no lanes: values that are read from anywhere, and a product modulo a number that may be zero
entry main [n_0: i64] (a_1: [n_0]i64) (s_2: [n_0]i64) (p_31: i64) : (x_3: i64) (i_4: i64) (y_5: i64) (z_6: i64) = {
  let (x_7: i64) (i_8: i64) = kernel (k_9 < n_0) reduce_comm \(v_10: i64) (i_11: i64) (w_12: i64) (j_13: i64) : i64, i64 {
    let (less_14: bool) = lt.i64 v_10 w_12
    let (v_15: i64) = if less_14 {
      in (v_10)
    } else {
      in (w_12)
    }
    let (i_16: i64) = min.i64 i_11 j_13
    in (v_15, i_16)
  } (9223372036854775807i64, 9223372036854775807i64) {
    let (at_17: i64) = index s_2[k_9]
    let (low_18: i64) = max.i64 at_17 0i64
    let (e_19: i64) = index a_1[low_18]
    in (e_19, k_9)
  }
  let (y_20: i64) (z_21: i64) = kernel (k_22 < n_0) reduce_comm \(v_23: i64) (i_24: i64) (w_25: i64) (j_26: i64) : i64, i64 {
    let (product_27: i64) = mul.i64 v_23 w_25
    let (rest_28: i64) = mod.i64 product_27 p_31
    let (most_29: i64) = max.i64 i_24 j_26
    in (rest_28, most_29)
  } (1i64, -9223372036854775808i64) {
    let (e_30: i64) = index a_1[k_22]
    in (e_30, e_30)
  }
  in (x_7, i_8, y_20, z_21)
}
// ---
