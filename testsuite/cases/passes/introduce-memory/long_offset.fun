// case: pass introduce-memory
// The place of a slice of flat slices as an if gives it: an offset of seven terms, and a stride of one.
fun helper0 [n_0: i64] [n_1: i64] (x_2: [n_0][n_1]i32) (x_3: i8) (x_4: [0i64][3i64][0i64]i64) (fuel_5: i64) : [n_6: i64] [n_7: i64] [n_8: i64] (y_9: [n_0][n_1]i32) (y_10: [n_6][n_7][n_8]i64) (y_11: i64) (y_12: i8) (y_13: i64) = {
  let (q_14: i64) = quot.i64 0i64 0i64
  let (l_15: i64) = sub.i64 0i64 1i64
  let (s_16: [fuel_5][1i64][q_14][2i64][0i64]i64) = slice x_4[0i64 + {(fuel_5 : 1i64)(1i64 : 1i64)}, l_15 + {(q_14 : -2i64)(2i64 : -1i64)}, 0i64 : 0i64 : 1i64]
  let (o_17: i64) = sub.i64 fuel_5 n_0
  let (o_18: i64) = sub.i64 q_14 o_17
  let (s_19: [n_0][o_17][n_0]i64) = slice s_16[o_17 : n_0 : 0i64, 1i64, o_18 : o_17 : 1i64, n_0, n_0 : n_0 : 1i64]
  let (y_21: i64) (y_22: i64) (y_23: i64) (y_24: [n_0][n_1]i32) (y_25: [y_21][y_22][y_23]i64) (y_26: i64) (y_27: i8) (y_28: i64) = if false {
    let (y_20: [0i64][0i64][0i64]i64) = replicate [0i64][0i64][0i64] 0i64
    in (0i64, 0i64, 0i64, x_2, y_20, 0i64, 0i8, 0i64)
  } else {
    in (n_0, o_17, n_0, x_2, s_19, n_0, x_3, n_0)
  }
  in (y_21, y_22, y_23, y_24, y_25, y_26, y_27, y_28)
}

entry main : (y_29: i64) = {
  in (0i64)
}
// ---
// fun helper0 [n_0: i64] [n_1: i64] [x_mem_30: mem] [x_off_31: i64] [x_step_32: i64] [x_step_33: i64] (x_2: [n_0][n_1]i32 @ x_mem_30 -> x_off_31 + {(n_0 : x_step_32)(n_1 : x_step_33)}) (x_3: i8) [x_mem_34: mem] [x_off_35: i64] [x_step_36: i64] [x_step_37: i64] [x_step_38: i64] (x_4: [0i64][3i64][0i64]i64 @ x_mem_34 -> x_off_35 + {(0 : x_step_36)(3 : x_step_37)(0 : x_step_38)}) (fuel_5: i64) : [n_6: i64] [n_7: i64] [n_8: i64] [y_mem_62: mem] (y_9: [n_0][n_1]i32 @ y_mem_62 -> 0 + {(n_0 : n_1)(n_1 : 1)}) [y_mem_63: mem] (y_10: [n_6][n_7][n_8]i64 @ y_mem_63 -> 0 + {(n_6 : n_7*n_8)(n_7 : n_8)(n_8 : 1)}) (y_11: i64) (y_12: i8) (y_13: i64) = {
//   let (q_14: i64) = quot.i64 0i64 0i64
//   let (l_15: i64) = sub.i64 0i64 1i64
//   let (s_16: [fuel_5][1i64][q_14][2i64][0i64]i64 @ x_mem_34 -> l_15*x_step_37 + x_off_35 + {(fuel_5 : x_step_36)(1 : x_step_36)(q_14 : -2*x_step_37)(2 : -1*x_step_37)(0 : x_step_38)}) = slice x_4[0i64 + {(fuel_5 : 1i64)(1i64 : 1i64)}, l_15 + {(q_14 : -2i64)(2i64 : -1i64)}, 0i64 : 0i64 : 1i64]
//   let (o_17: i64) = sub.i64 fuel_5 n_0
//   let (o_18: i64) = sub.i64 q_14 o_17
//   let (s_19: [n_0][o_17][n_0]i64 @ x_mem_34 -> -1*n_0*x_step_37 + n_0*x_step_38 + l_15*x_step_37 + o_17*x_step_36 + -2*o_18*x_step_37 + x_off_35 + x_step_36 + {(n_0 : 0)(o_17 : -2*x_step_37)(n_0 : x_step_38)}) = slice s_16[o_17 : n_0 : 0i64, 1i64, o_18 : o_17 : 1i64, n_0, n_0 : n_0 : 1i64]
//   let (y_21: i64) (y_22: i64) (y_23: i64) (y_24: [n_0][n_1]i32 @ x_mem_30 -> x_off_31 + {(n_0 : x_step_32)(n_1 : x_step_33)}) (y_mem_40: mem) (y_off_54: i64) (y_step_56: i64) (y_step_57: i64) (y_25: [y_21][y_22][y_23]i64 @ y_mem_40 -> y_off_54 + {(y_21 : 0)(y_22 : y_step_56)(y_23 : y_step_57)}) (y_26: i64) (y_27: i8) (y_28: i64) = if false {
//     let (y_mem_39: mem) = alloc [0i64][0i64][0i64] i64
//     let (y_20: [0i64][0i64][0i64]i64 @ y_mem_39 -> 0 + {(0 : 0)(0 : 0)(0 : 1)}) = replicate [0i64][0i64][0i64] 0i64
//     in (0i64, 0i64, 0i64, x_2, y_mem_39, 0i64, 0i64, 1i64, y_20, 0i64, 0i8, 0i64)
//   } else {
//     let (y_off_41: i64) = mul.i64 -1i64 n_0
//     let (y_off_42: i64) = mul.i64 y_off_41 x_step_37
//     let (y_off_43: i64) = mul.i64 n_0 x_step_38
//     let (y_off_44: i64) = add.i64 y_off_42 y_off_43
//     let (y_off_45: i64) = mul.i64 l_15 x_step_37
//     let (y_off_46: i64) = add.i64 y_off_44 y_off_45
//     let (y_off_47: i64) = mul.i64 o_17 x_step_36
//     let (y_off_48: i64) = add.i64 y_off_46 y_off_47
//     let (y_off_49: i64) = mul.i64 -2i64 o_18
//     let (y_off_50: i64) = mul.i64 y_off_49 x_step_37
//     let (y_off_51: i64) = add.i64 y_off_48 y_off_50
//     let (y_off_52: i64) = add.i64 y_off_51 x_off_35
//     let (y_off_53: i64) = add.i64 y_off_52 x_step_36
//     let (y_step_55: i64) = mul.i64 -2i64 x_step_37
//     in (n_0, o_17, n_0, x_2, x_mem_34, y_off_53, y_step_55, x_step_38, s_19, n_0, x_3, n_0)
//   }
//   let (y_mem_59: mem) = alloc [n_0][n_1] i32
//   let (y_58: [n_0][n_1]i32 @ y_mem_59 -> 0 + {(n_0 : n_1)(n_1 : 1)}) = copy y_24
//   let (y_mem_61: mem) = alloc [y_21][y_22][y_23] i64
//   let (y_60: [y_21][y_22][y_23]i64 @ y_mem_61 -> 0 + {(y_21 : y_22*y_23)(y_22 : y_23)(y_23 : 1)}) = copy y_25
//   in (y_21, y_22, y_23, y_mem_59, y_58, y_mem_61, y_60, y_26, y_27, y_28)
// }
//
// entry main : (y_29: i64) = {
//   in (0i64)
// }
