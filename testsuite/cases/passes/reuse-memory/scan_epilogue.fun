// case: pass introduce-memory hoist-scalars hoist-allocations reuse-memory
// What an epilogue reads at its own point may be overwritten there; what it reads elsewhere may not.
entry main [n_0: i64] (x_1: i32) (xs_2: [n_0]i32) : (r_3: [n_0]i32) = {
  let (a_4: [n_0]i32) = kernel (i_5 < n_0) {
    let (e_6: i32) = convert.i32.i64 i_5
    let (e_7: i32) = mul.i32 e_6 x_1
    in (e_7)
  }
  let (b_8: [n_0]i32) = kernel (i_9 < n_0) scan \(s_10: i32) (t_11: i32) : i32 {
    let (u_12: i32) = add.i32 s_10 t_11
    in (u_12)
  } (0i32) then \(v_13: i32) : i32 {
    let (e_14: i32) = index a_4[i_9]
    let (w_15: i32) = sub.i32 v_13 e_14
    in (w_15)
  } {
    let (e_16: i32) = index xs_2[i_9]
    in (e_16)
  }
  in (b_8)
}

entry neighbour [n_20: i64] (x_21: i32) (xs_22: [n_20]i32) : (r_23: [n_20]i32) = {
  let (a_24: [n_20]i32) = kernel (i_25 < n_20) {
    let (e_26: i32) = convert.i32.i64 i_25
    let (e_27: i32) = mul.i32 e_26 x_21
    in (e_27)
  }
  let (l_40: i64) = sub.i64 n_20 1i64
  let (b_28: [n_20]i32) = kernel (i_29 < n_20) scan \(s_30: i32) (t_31: i32) : i32 {
    let (u_32: i32) = add.i32 s_30 t_31
    in (u_32)
  } (0i32) then \(v_33: i32) : i32 {
    let (j_34: i64) = sub.i64 l_40 i_29
    let (e_35: i32) = index a_24[j_34]
    let (w_36: i32) = sub.i32 v_33 e_35
    in (w_36)
  } {
    let (e_37: i32) = index xs_22[i_29]
    in (e_37)
  }
  in (b_28)
}
// ---
// entry main [n_0: i64] (x_1: i32) [xs_mem_41: mem] (xs_2: [n_0]i32 @ xs_mem_41 -> 0 + {(n_0 : 1)}) : [r_mem_44: mem] (r_3: [n_0]i32 @ r_mem_44 -> 0 + {(n_0 : 1)}) = {
//   let (a_mem_42: mem) = alloc [n_0] i32
//   let (a_4: [n_0]i32 @ a_mem_42 -> 0 + {(n_0 : 1)}) = kernel (i_5 < n_0) {
//     let (e_6: i32) = convert.i32.i64 i_5
//     let (e_7: i32) = mul.i32 e_6 x_1
//     in (e_7)
//   }
//   let (b_8: [n_0]i32 @ a_mem_42 -> 0 + {(n_0 : 1)}) = kernel (i_9 < n_0) scan \(s_10: i32) (t_11: i32) : i32 {
//     let (u_12: i32) = add.i32 s_10 t_11
//     in (u_12)
//   } (0i32) then \(v_13: i32) : i32 {
//     let (e_14: i32) = index a_4[i_9]
//     let (w_15: i32) = sub.i32 v_13 e_14
//     in (w_15)
//   } {
//     let (e_16: i32) = index xs_2[i_9]
//     in (e_16)
//   }
//   in (a_mem_42, b_8)
// }
//
// entry neighbour [n_20: i64] (x_21: i32) [xs_mem_45: mem] (xs_22: [n_20]i32 @ xs_mem_45 -> 0 + {(n_20 : 1)}) : [r_mem_48: mem] (r_23: [n_20]i32 @ r_mem_48 -> 0 + {(n_20 : 1)}) = {
//   let (a_mem_46: mem) = alloc [n_20] i32
//   let (b_mem_47: mem) = alloc [n_20] i32
//   let (l_40: i64) = sub.i64 n_20 1i64
//   let (a_24: [n_20]i32 @ a_mem_46 -> 0 + {(n_20 : 1)}) = kernel (i_25 < n_20) {
//     let (e_26: i32) = convert.i32.i64 i_25
//     let (e_27: i32) = mul.i32 e_26 x_21
//     in (e_27)
//   }
//   let (b_28: [n_20]i32 @ b_mem_47 -> 0 + {(n_20 : 1)}) = kernel (i_29 < n_20) scan \(s_30: i32) (t_31: i32) : i32 {
//     let (u_32: i32) = add.i32 s_30 t_31
//     in (u_32)
//   } (0i32) then \(v_33: i32) : i32 {
//     let (j_34: i64) = sub.i64 l_40 i_29
//     let (e_35: i32) = index a_24[j_34]
//     let (w_36: i32) = sub.i32 v_33 e_35
//     in (w_36)
//   } {
//     let (e_37: i32) = index xs_22[i_29]
//     in (e_37)
//   }
//   in (b_mem_47, b_28)
// }
