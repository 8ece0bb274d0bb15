// case: pass introduce-memory hoist-scalars hoist-allocations short-circuit
// What lies at its place in the matrix may be read there afterwards, as long as nothing writes to the place.
entry read [n_0: i64] (*xs_1: [n_0][n_0]f32) (k_2: i64) : (ys_3: [n_0][n_0]f32) (s_4: f32) = {
  let (x_5: bool) = le.i64 0i64 k_2
  let (x_6: bool) = lt.i64 k_2 n_0
  let (x_7: bool) = and.bool x_5 x_6
  let = assert x_7 "out of bounds"
  let (r_8: [n_0]f32) = replicate [n_0] 1.0f32
  let (ys_9: [n_0][n_0]f32) = update xs_1[k_2, 0i64 : n_0 : 1i64] r_8
  let (e_10: f32) = index r_8[0i64]
  in (ys_9, e_10)
}

entry changed [n_20: i64] (*xs_21: [n_20][n_20]f32) (k_22: i64) : (ys_23: [n_20][n_20]f32) (s_24: f32) = {
  let (x_25: bool) = le.i64 0i64 k_22
  let (x_26: bool) = lt.i64 k_22 n_20
  let (x_27: bool) = and.bool x_25 x_26
  let = assert x_27 "out of bounds"
  let (r_28: [n_20]f32) = replicate [n_20] 1.0f32
  let (ys_29: [n_20][n_20]f32) = update xs_21[k_22, 0i64 : n_20 : 1i64] r_28
  let (ys_30: [n_20][n_20]f32) = update ys_29[k_22, 0i64] 2.0f32
  let (e_31: f32) = index r_28[0i64]
  in (ys_30, e_31)
}

// An array after itself is made once and copied once.
entry twice [n_40: i64] (x_41: f32) : [s_42: i64] (r_43: [s_42]f32) = {
  let (x_44: i64) = mul.i64 n_40 2i64
  let (a_45: [n_40]f32) = replicate [n_40] x_41
  let (c_46: [x_44]f32) = concat x_44 a_45 a_45
  in (x_44, c_46)
}
// ---
// entry read [n_0: i64] [xs_mem_47: mem] (*xs_1: [n_0][n_0]f32 @ xs_mem_47 -> 0 + {(n_0 : n_0)(n_0 : 1)}) (k_2: i64) : [ys_mem_49: mem] (ys_3: [n_0][n_0]f32 @ ys_mem_49 -> 0 + {(n_0 : n_0)(n_0 : 1)}) (s_4: f32) = {
//   let (x_5: bool) = le.i64 0i64 k_2
//   let (x_6: bool) = lt.i64 k_2 n_0
//   let (x_7: bool) = and.bool x_5 x_6
//   let = assert x_7 "out of bounds"
//   let (r_8: [n_0]f32 @ xs_mem_47 -> n_0*k_2 + {(n_0 : 1)}) = replicate [n_0] 1.0f32
//   let (ys_9: [n_0][n_0]f32 @ xs_mem_47 -> 0 + {(n_0 : n_0)(n_0 : 1)}) = update xs_1[k_2, 0i64 : n_0 : 1i64] r_8
//   let (e_10: f32) = index r_8[0i64]
//   in (xs_mem_47, ys_9, e_10)
// }
//
// entry changed [n_20: i64] [xs_mem_50: mem] (*xs_21: [n_20][n_20]f32 @ xs_mem_50 -> 0 + {(n_20 : n_20)(n_20 : 1)}) (k_22: i64) : [ys_mem_52: mem] (ys_23: [n_20][n_20]f32 @ ys_mem_52 -> 0 + {(n_20 : n_20)(n_20 : 1)}) (s_24: f32) = {
//   let (x_25: bool) = le.i64 0i64 k_22
//   let (x_26: bool) = lt.i64 k_22 n_20
//   let (x_27: bool) = and.bool x_25 x_26
//   let = assert x_27 "out of bounds"
//   let (r_mem_51: mem) = alloc [n_20] f32
//   let (r_28: [n_20]f32 @ r_mem_51 -> 0 + {(n_20 : 1)}) = replicate [n_20] 1.0f32
//   let (ys_29: [n_20][n_20]f32 @ xs_mem_50 -> 0 + {(n_20 : n_20)(n_20 : 1)}) = update xs_21[k_22, 0i64 : n_20 : 1i64] r_28
//   let (ys_30: [n_20][n_20]f32 @ xs_mem_50 -> 0 + {(n_20 : n_20)(n_20 : 1)}) = update ys_29[k_22, 0i64] 2.0f32
//   let (e_31: f32) = index r_28[0i64]
//   in (xs_mem_50, ys_30, e_31)
// }
//
// entry twice [n_40: i64] (x_41: f32) : [s_42: i64] [r_mem_55: mem] (r_43: [s_42]f32 @ r_mem_55 -> 0 + {(s_42 : 1)}) = {
//   let (x_44: i64) = mul.i64 n_40 2i64
//   let (c_mem_54: mem) = alloc [x_44] f32
//   let (a_45: [n_40]f32 @ c_mem_54 -> 0 + {(n_40 : 1)}) = replicate [n_40] x_41
//   let (c_46: [x_44]f32 @ c_mem_54 -> 0 + {(x_44 : 1)}) = concat x_44 a_45 a_45
//   in (x_44, c_mem_54, c_46)
// }
