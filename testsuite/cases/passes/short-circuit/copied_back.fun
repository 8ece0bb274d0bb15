// case: pass introduce-memory hoist-scalars hoist-allocations short-circuit
// A row is copied, changed and put back where it was: it is changed there. Also if the old one is read in between, as long as that may
// happen before; where it is read depends on the new one in the third, which stays a copy.
entry back [n_0: i64] (*xs_1: [n_0][n_0]f32) (k_2: i64) : (ys_3: [n_0][n_0]f32) = {
  let (x_5: bool) = le.i64 0i64 k_2
  let (x_6: bool) = lt.i64 k_2 n_0
  let (x_7: bool) = and.bool x_5 x_6
  let = assert x_7 "out of bounds"
  let (s_8: [n_0]f32) = slice xs_1[k_2, 0i64 : n_0 : 1i64]
  let (r_9: [n_0]f32) = copy s_8
  let (r_10: [n_0]f32) = update r_9[k_2] 1.0f32
  let (ys_11: [n_0][n_0]f32) = update xs_1[k_2, 0i64 : n_0 : 1i64] r_10
  in (ys_11)
}

entry read [n_20: i64] (*xs_21: [n_20][n_20]f32) (k_22: i64) : (ys_23: [n_20][n_20]f32) = {
  let (x_25: bool) = le.i64 0i64 k_22
  let (x_26: bool) = lt.i64 k_22 n_20
  let (x_27: bool) = and.bool x_25 x_26
  let = assert x_27 "out of bounds"
  let (s_28: [n_20]f32) = slice xs_21[k_22, 0i64 : n_20 : 1i64]
  let (r_29: [n_20]f32) = copy s_28
  let (r_30: [n_20]f32) = update r_29[k_22] 1.0f32
  let (e_31: f32) = index s_28[k_22]
  let (r_32: [n_20]f32) = update r_30[0i64] e_31
  let (ys_33: [n_20][n_20]f32) = update xs_21[k_22, 0i64 : n_20 : 1i64] r_32
  in (ys_33)
}

entry depends [n_40: i64] (*xs_41: [n_40][n_40]f32) (k_42: i64) : (ys_43: [n_40][n_40]f32) = {
  let (x_44: bool) = le.i64 0i64 k_42
  let (x_45: bool) = lt.i64 k_42 n_40
  let (x_46: bool) = and.bool x_44 x_45
  let = assert x_46 "out of bounds"
  let (s_47: [n_40]f32) = slice xs_41[k_42, 0i64 : n_40 : 1i64]
  let (r_48: [n_40]f32) = copy s_47
  let (r_49: [n_40]f32) = update r_48[k_42] 1.0f32
  let (f_50: f32) = index r_49[0i64]
  let (i_51: i64) = convert.i64.f32 f_50
  let (j_52: i64) = mod.i64 i_51 n_40
  let (e_53: f32) = index s_47[j_52]
  let (r_54: [n_40]f32) = update r_49[0i64] e_53
  let (ys_55: [n_40][n_40]f32) = update xs_41[k_42, 0i64 : n_40 : 1i64] r_54
  in (ys_55)
}
// ---
// entry back [n_0: i64] [xs_mem_56: mem] (*xs_1: [n_0][n_0]f32 @ xs_mem_56 -> 0 + {(n_0 : n_0)(n_0 : 1)}) (k_2: i64) : [ys_mem_58: mem] (ys_3: [n_0][n_0]f32 @ ys_mem_58 -> 0 + {(n_0 : n_0)(n_0 : 1)}) = {
//   let (x_5: bool) = le.i64 0i64 k_2
//   let (x_6: bool) = lt.i64 k_2 n_0
//   let (x_7: bool) = and.bool x_5 x_6
//   let = assert x_7 "out of bounds"
//   let (s_8: [n_0]f32 @ xs_mem_56 -> n_0*k_2 + {(n_0 : 1)}) = slice xs_1[k_2, 0i64 : n_0 : 1i64]
//   let (r_9: [n_0]f32 @ xs_mem_56 -> n_0*k_2 + {(n_0 : 1)}) = copy s_8
//   let (r_10: [n_0]f32 @ xs_mem_56 -> n_0*k_2 + {(n_0 : 1)}) = update r_9[k_2] 1.0f32
//   let (ys_11: [n_0][n_0]f32 @ xs_mem_56 -> 0 + {(n_0 : n_0)(n_0 : 1)}) = update xs_1[k_2, 0i64 : n_0 : 1i64] r_10
//   in (xs_mem_56, ys_11)
// }
//
// entry read [n_20: i64] [xs_mem_59: mem] (*xs_21: [n_20][n_20]f32 @ xs_mem_59 -> 0 + {(n_20 : n_20)(n_20 : 1)}) (k_22: i64) : [ys_mem_61: mem] (ys_23: [n_20][n_20]f32 @ ys_mem_61 -> 0 + {(n_20 : n_20)(n_20 : 1)}) = {
//   let (x_25: bool) = le.i64 0i64 k_22
//   let (x_26: bool) = lt.i64 k_22 n_20
//   let (x_27: bool) = and.bool x_25 x_26
//   let = assert x_27 "out of bounds"
//   let (s_28: [n_20]f32 @ xs_mem_59 -> n_20*k_22 + {(n_20 : 1)}) = slice xs_21[k_22, 0i64 : n_20 : 1i64]
//   let (e_31: f32) = index s_28[k_22]
//   let (r_29: [n_20]f32 @ xs_mem_59 -> n_20*k_22 + {(n_20 : 1)}) = copy s_28
//   let (r_30: [n_20]f32 @ xs_mem_59 -> n_20*k_22 + {(n_20 : 1)}) = update r_29[k_22] 1.0f32
//   let (r_32: [n_20]f32 @ xs_mem_59 -> n_20*k_22 + {(n_20 : 1)}) = update r_30[0i64] e_31
//   let (ys_33: [n_20][n_20]f32 @ xs_mem_59 -> 0 + {(n_20 : n_20)(n_20 : 1)}) = update xs_21[k_22, 0i64 : n_20 : 1i64] r_32
//   in (xs_mem_59, ys_33)
// }
//
// entry depends [n_40: i64] [xs_mem_62: mem] (*xs_41: [n_40][n_40]f32 @ xs_mem_62 -> 0 + {(n_40 : n_40)(n_40 : 1)}) (k_42: i64) : [ys_mem_64: mem] (ys_43: [n_40][n_40]f32 @ ys_mem_64 -> 0 + {(n_40 : n_40)(n_40 : 1)}) = {
//   let (x_44: bool) = le.i64 0i64 k_42
//   let (x_45: bool) = lt.i64 k_42 n_40
//   let (x_46: bool) = and.bool x_44 x_45
//   let = assert x_46 "out of bounds"
//   let (r_mem_63: mem) = alloc [n_40] f32
//   let (s_47: [n_40]f32 @ xs_mem_62 -> n_40*k_42 + {(n_40 : 1)}) = slice xs_41[k_42, 0i64 : n_40 : 1i64]
//   let (r_48: [n_40]f32 @ r_mem_63 -> 0 + {(n_40 : 1)}) = copy s_47
//   let (r_49: [n_40]f32 @ r_mem_63 -> 0 + {(n_40 : 1)}) = update r_48[k_42] 1.0f32
//   let (f_50: f32) = index r_49[0i64]
//   let (i_51: i64) = convert.i64.f32 f_50
//   let (j_52: i64) = mod.i64 i_51 n_40
//   let (e_53: f32) = index s_47[j_52]
//   let (r_54: [n_40]f32 @ r_mem_63 -> 0 + {(n_40 : 1)}) = update r_49[0i64] e_53
//   let (ys_55: [n_40][n_40]f32 @ xs_mem_62 -> 0 + {(n_40 : n_40)(n_40 : 1)}) = update xs_41[k_42, 0i64 : n_40 : 1i64] r_54
//   in (xs_mem_62, ys_55)
// }
