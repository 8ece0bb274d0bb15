// case: pass introduce-memory hoist-scalars hoist-allocations reuse-memory
// A scan overwrites what each of its points reads alone. The second reads a neighbour, and the operator of the third reads the array:
// they need blocks of their own.
entry main [n_0: i64] (x_1: i32) : (r_2: [n_0]i32) = {
  let (a_3: [n_0]i32) = kernel (i_4 < n_0) {
    let (e_5: i32) = convert.i32.i64 i_4
    in (e_5)
  }
  let (b_6: [n_0]i32) = kernel (i_7 < n_0) scan \(s_8: i32) (t_9: i32) : i32 {
    let (u_10: i32) = add.i32 s_8 t_9
    in (u_10)
  } (0i32) {
    let (e_11: i32) = index a_3[i_7]
    let (e_12: i32) = mul.i32 e_11 x_1
    in (e_12)
  }
  in (b_6)
}

entry neighbour [n_20: i64] (x_21: i32) : (r_22: [n_20]i32) = {
  let (a_23: [n_20]i32) = kernel (i_24 < n_20) {
    let (e_25: i32) = convert.i32.i64 i_24
    in (e_25)
  }
  let (l_26: i64) = sub.i64 n_20 1i64
  let (b_27: [n_20]i32) = kernel (i_28 < n_20) scan \(s_29: i32) (t_30: i32) : i32 {
    let (u_31: i32) = add.i32 s_29 t_30
    in (u_31)
  } (0i32) {
    let (j_32: i64) = sub.i64 l_26 i_28
    let (e_33: i32) = index a_23[j_32]
    in (e_33)
  }
  in (b_27)
}

entry operator [n_40: i64] (x_41: i32) : (r_42: [n_40]i32) = {
  let (a_43: [n_40]i32) = kernel (i_44 < n_40) {
    let (e_45: i32) = convert.i32.i64 i_44
    in (e_45)
  }
  let (b_46: [n_40]i32) = kernel (i_47 < n_40) scan \(s_48: i32) (t_49: i32) : i32 {
    let (f_50: i32) = index a_43[0i64]
    let (u_51: i32) = add.i32 s_48 t_49
    let (v_52: i32) = min.i32 u_51 f_50
    in (v_52)
  } (0i32) {
    let (e_53: i32) = index a_43[i_47]
    in (e_53)
  }
  in (b_46)
}
// ---
// entry main [n_0: i64] (x_1: i32) : [r_mem_56: mem] (r_2: [n_0]i32 @ r_mem_56 -> 0 + {(n_0 : 1)}) = {
//   let (a_mem_54: mem) = alloc [n_0] i32
//   let (a_3: [n_0]i32 @ a_mem_54 -> 0 + {(n_0 : 1)}) = kernel (i_4 < n_0) {
//     let (e_5: i32) = convert.i32.i64 i_4
//     in (e_5)
//   }
//   let (b_6: [n_0]i32 @ a_mem_54 -> 0 + {(n_0 : 1)}) = kernel (i_7 < n_0) scan \(s_8: i32) (t_9: i32) : i32 {
//     let (u_10: i32) = add.i32 s_8 t_9
//     in (u_10)
//   } (0i32) {
//     let (e_11: i32) = index a_3[i_7]
//     let (e_12: i32) = mul.i32 e_11 x_1
//     in (e_12)
//   }
//   in (a_mem_54, b_6)
// }
//
// entry neighbour [n_20: i64] (x_21: i32) : [r_mem_59: mem] (r_22: [n_20]i32 @ r_mem_59 -> 0 + {(n_20 : 1)}) = {
//   let (a_mem_57: mem) = alloc [n_20] i32
//   let (b_mem_58: mem) = alloc [n_20] i32
//   let (l_26: i64) = sub.i64 n_20 1i64
//   let (a_23: [n_20]i32 @ a_mem_57 -> 0 + {(n_20 : 1)}) = kernel (i_24 < n_20) {
//     let (e_25: i32) = convert.i32.i64 i_24
//     in (e_25)
//   }
//   let (b_27: [n_20]i32 @ b_mem_58 -> 0 + {(n_20 : 1)}) = kernel (i_28 < n_20) scan \(s_29: i32) (t_30: i32) : i32 {
//     let (u_31: i32) = add.i32 s_29 t_30
//     in (u_31)
//   } (0i32) {
//     let (j_32: i64) = sub.i64 l_26 i_28
//     let (e_33: i32) = index a_23[j_32]
//     in (e_33)
//   }
//   in (b_mem_58, b_27)
// }
//
// entry operator [n_40: i64] (x_41: i32) : [r_mem_62: mem] (r_42: [n_40]i32 @ r_mem_62 -> 0 + {(n_40 : 1)}) = {
//   let (a_mem_60: mem) = alloc [n_40] i32
//   let (b_mem_61: mem) = alloc [n_40] i32
//   let (a_43: [n_40]i32 @ a_mem_60 -> 0 + {(n_40 : 1)}) = kernel (i_44 < n_40) {
//     let (e_45: i32) = convert.i32.i64 i_44
//     in (e_45)
//   }
//   let (b_46: [n_40]i32 @ b_mem_61 -> 0 + {(n_40 : 1)}) = kernel (i_47 < n_40) scan \(s_48: i32) (t_49: i32) : i32 {
//     let (u_51: i32) = add.i32 s_48 t_49
//     let (f_50: i32) = index a_43[0i64]
//     let (v_52: i32) = min.i32 u_51 f_50
//     in (v_52)
//   } (0i32) {
//     let (e_53: i32) = index a_43[i_47]
//     in (e_53)
//   }
//   in (b_mem_61, b_46)
// }
