// case: pass introduce-memory remove-checks
// The step of a slice is q, its sign is 1, and d*q + q divided by q is d + 1: the slice is as long as it must be. Of any step none of this is
// known, nor of d*q + q + r; an array that a selection gives is left alone.
entry slices [n_0: i64] (q_1: i64) (d_2: i64) (xs_3: [n_0]i32) : (s_4: i64) (g_5: i64) = {
  let (x_6: bool) = gt.i64 q_1 2i64
  let = assert x_6 "few"
  let (x_7: bool) = le.i64 0i64 d_2
  let (x_8: bool) = lt.i64 d_2 q_1
  let (x_9: bool) = and.bool x_7 x_8
  let = assert x_9 "beyond"
  let (x_11: bool) = lt.i64 q_1 1000i64
  let = assert x_11 "many"
  let (x_12: bool) = ne.i64 q_1 0i64
  let (s_13: i64) = if x_12 {
    in (q_1)
  } else {
    in (1i64)
  }
  let (g_14: i64) = sgn.i64 s_13
  let (m_15: i64) = mul.i64 d_2 q_1
  let (t_16: i64) = add.i64 m_15 q_1
  let (c_17: i64) = quot.i64 t_16 s_13
  let (e_18: i64) = add.i64 d_2 1i64
  let (x_19: bool) = eq.i64 c_17 e_18
  let = assert x_19 "length"
  in (s_13, g_14)
}

entry any_step (q_20: i64) (d_21: i64) : (s_22: i64) (g_23: i64) = {
  let (x_24: bool) = ne.i64 q_20 0i64
  let (s_25: i64) = if x_24 {
    in (q_20)
  } else {
    in (1i64)
  }
  let (g_26: i64) = sgn.i64 s_25
  in (s_25, g_26)
}

entry rest (q_30: i64) (d_31: i64) (r_32: i64) : (c_33: i64) = {
  let (x_34: bool) = lt.i64 0i64 q_30
  let (x_35: bool) = lt.i64 q_30 1000i64
  let (x_36: bool) = and.bool x_34 x_35
  let = assert x_36 "step"
  let (x_37: bool) = le.i64 0i64 d_31
  let (x_38: bool) = lt.i64 d_31 1000i64
  let (x_39: bool) = and.bool x_37 x_38
  let = assert x_39 "place"
  let (x_40: bool) = le.i64 0i64 r_32
  let (x_41: bool) = le.i64 r_32 q_30
  let (x_42: bool) = and.bool x_40 x_41
  let = assert x_42 "rest"
  let (m_43: i64) = mul.i64 d_31 q_30
  let (t_44: i64) = add.i64 m_43 r_32
  let (c_45: i64) = quot.i64 t_44 q_30
  let (x_46: bool) = eq.i64 c_45 d_31
  let = assert x_46 "may be one more"
  in (c_45)
}

entry arrays [n_50: i64] (xs_51: [n_50]i32) (ys_52: [n_50]i32) : (zs_53: [n_50]i32) = {
  let (x_54: bool) = le.i64 0i64 n_50
  let (zs_55: [n_50]i32) = if x_54 {
    in (xs_51)
  } else {
    in (ys_52)
  }
  in (zs_55)
}
// ---
// entry slices [n_0: i64] (q_1: i64) (d_2: i64) [xs_mem_56: mem] (xs_3: [n_0]i32 @ xs_mem_56 -> 0 + {(n_0 : 1)}) : (s_4: i64) (g_5: i64) = {
//   let (x_6: bool) = gt.i64 q_1 2i64
//   let = assert x_6 "few"
//   let (x_7: bool) = le.i64 0i64 d_2
//   let (x_8: bool) = lt.i64 d_2 q_1
//   let (x_9: bool) = and.bool x_7 x_8
//   let = assert x_9 "beyond"
//   let (x_11: bool) = lt.i64 q_1 1000i64
//   let = assert x_11 "many"
//   let (x_12: bool) = ne.i64 q_1 0i64
//   let (s_13: i64) = q_1
//   let (g_14: i64) = 1i64
//   let (m_15: i64) = mul.i64 d_2 q_1
//   let (t_16: i64) = add.i64 m_15 q_1
//   let (c_17: i64) = quot.i64 t_16 s_13
//   let (e_18: i64) = add.i64 d_2 1i64
//   let (x_19: bool) = eq.i64 c_17 e_18
//   in (s_13, g_14)
// }
//
// entry any_step (q_20: i64) (d_21: i64) : (s_22: i64) (g_23: i64) = {
//   let (x_24: bool) = ne.i64 q_20 0i64
//   let (s_25: i64) = if x_24 {
//     in (q_20)
//   } else {
//     in (1i64)
//   }
//   let (g_26: i64) = sgn.i64 s_25
//   in (s_25, g_26)
// }
//
// entry rest (q_30: i64) (d_31: i64) (r_32: i64) : (c_33: i64) = {
//   let (x_34: bool) = lt.i64 0i64 q_30
//   let (x_35: bool) = lt.i64 q_30 1000i64
//   let (x_36: bool) = and.bool x_34 x_35
//   let = assert x_36 "step"
//   let (x_37: bool) = le.i64 0i64 d_31
//   let (x_38: bool) = lt.i64 d_31 1000i64
//   let (x_39: bool) = and.bool x_37 x_38
//   let = assert x_39 "place"
//   let (x_40: bool) = le.i64 0i64 r_32
//   let (x_41: bool) = le.i64 r_32 q_30
//   let (x_42: bool) = and.bool x_40 x_41
//   let = assert x_42 "rest"
//   let (m_43: i64) = mul.i64 d_31 q_30
//   let (t_44: i64) = add.i64 m_43 r_32
//   let (c_45: i64) = quot.i64 t_44 q_30
//   let (x_46: bool) = eq.i64 c_45 d_31
//   let = assert x_46 "may be one more"
//   in (c_45)
// }
//
// entry arrays [n_50: i64] [xs_mem_57: mem] (xs_51: [n_50]i32 @ xs_mem_57 -> 0 + {(n_50 : 1)}) [ys_mem_58: mem] (ys_52: [n_50]i32 @ ys_mem_58 -> 0 + {(n_50 : 1)}) : [zs_mem_62: mem] (zs_53: [n_50]i32 @ zs_mem_62 -> 0 + {(n_50 : 1)}) = {
//   let (x_54: bool) = le.i64 0i64 n_50
//   let (zs_mem_59: mem) (zs_55: [n_50]i32 @ zs_mem_59 -> 0 + {(n_50 : 1)}) = if x_54 {
//     in (xs_mem_57, xs_51)
//   } else {
//     in (ys_mem_58, ys_52)
//   }
//   let (zs_mem_61: mem) = alloc [n_50] i32
//   let (zs_60: [n_50]i32 @ zs_mem_61 -> 0 + {(n_50 : 1)}) = copy zs_55
//   in (zs_mem_61, zs_60)
// }
