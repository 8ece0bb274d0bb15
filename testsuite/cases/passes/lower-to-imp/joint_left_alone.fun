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
// entry proc main(n_0: i64, a_mem_32: mem, s_mem_33: mem, p_31: i64): (i64, i64, i64, i64)
//   takes (i64[@0] @ 1, i64[@0] @ 2, i64 @ 3)
//   gives (i64 @ 0, i64 @ 1, i64 @ 2, i64 @ 3)
// {
//   view a_1: i64 @ a_mem_32 -> 0 + {(n_0 : 1)}
//   view s_2: i64 @ s_mem_33 -> 0 + {(n_0 : 1)}
//   let chunks_34: i64 = select(ge.i64(n_0, 4i64), 3i64, 1i64)
//   let chunk_35: i64 = quot.i64(add.i64(n_0, sub.i64(chunks_34, 1i64)), chunks_34)
//   alloc partial_mem_36: i64[64i64] in stack
//   view partial_37: i64 @ partial_mem_36 -> 0 + {(64 : 1)}
//   alloc partial_mem_38: i64[64i64] in stack
//   view partial_39: i64 @ partial_mem_38 -> 0 + {(64 : 1)}
//   for c_40: i64 < chunks_34 par {
//     let start_41: i64 = mul.i64(c_40, chunk_35)
//     let count_42: i64 = min.i64(sub.i64(n_0, start_41), chunk_35)
//     var acc_43: i64 = 9223372036854775807i64
//     var acc_44: i64 = 9223372036854775807i64
//     for k_45: i64 < count_42 fold {
//       let k_9: i64 = add.i64(start_41, k_45)
//       let at_17: i64 = s_2[k_9]
//       let low_18: i64 = max.i64(at_17, 0i64)
//       let e_19: i64 = a_1[low_18]
//       let less_14: bool = lt.i64(acc_43, e_19)
//       let v_15: i64 = select(less_14, acc_43, e_19)
//       let i_16: i64 = min.i64(acc_44, k_9)
//       acc_43 := v_15
//       acc_44 := i_16
//     }
//     partial_37[c_40] := acc_43
//     partial_39[c_40] := acc_44
//   }
//   var x_7: i64 = 9223372036854775807i64
//   var i_8: i64 = 9223372036854775807i64
//   for c_46: i64 < chunks_34 seq {
//     let part_47: i64 = partial_37[c_46]
//     let part_48: i64 = partial_39[c_46]
//     let less_49: bool = lt.i64(x_7, part_47)
//     let v_50: i64 = select(less_49, x_7, part_47)
//     let i_51: i64 = min.i64(i_8, part_48)
//     x_7 := v_50
//     i_8 := i_51
//   }
//   free partial_mem_36
//   free partial_mem_38
//   let chunks_52: i64 = select(ge.i64(n_0, 4i64), 3i64, 1i64)
//   let chunk_53: i64 = quot.i64(add.i64(n_0, sub.i64(chunks_52, 1i64)), chunks_52)
//   alloc partial_mem_54: i64[64i64] in stack
//   view partial_55: i64 @ partial_mem_54 -> 0 + {(64 : 1)}
//   alloc partial_mem_56: i64[64i64] in stack
//   view partial_57: i64 @ partial_mem_56 -> 0 + {(64 : 1)}
//   for c_58: i64 < chunks_52 par {
//     let start_59: i64 = mul.i64(c_58, chunk_53)
//     let count_60: i64 = min.i64(sub.i64(n_0, start_59), chunk_53)
//     var acc_61: i64 = 1i64
//     var acc_62: i64 = -9223372036854775808i64
//     for k_63: i64 < count_60 fold {
//       let k_22: i64 = add.i64(start_59, k_63)
//       let e_30: i64 = a_1[k_22]
//       let product_27: i64 = mul.i64(acc_61, e_30)
//       let rest_28: i64 = mod.i64(product_27, p_31)
//       let most_29: i64 = max.i64(acc_62, e_30)
//       acc_61 := rest_28
//       acc_62 := most_29
//     }
//     partial_55[c_58] := acc_61
//     partial_57[c_58] := acc_62
//   }
//   var y_20: i64 = 1i64
//   var z_21: i64 = -9223372036854775808i64
//   for c_64: i64 < chunks_52 seq {
//     let part_65: i64 = partial_55[c_64]
//     let part_66: i64 = partial_57[c_64]
//     let product_67: i64 = mul.i64(y_20, part_65)
//     let rest_68: i64 = mod.i64(product_67, p_31)
//     let most_69: i64 = max.i64(z_21, part_66)
//     y_20 := rest_68
//     z_21 := most_69
//   }
//   free partial_mem_54
//   free partial_mem_56
//   return (x_7, i_8, y_20, z_21)
// }
