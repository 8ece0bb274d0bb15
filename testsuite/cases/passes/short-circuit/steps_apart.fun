// case: pass introduce-memory remove-checks hoist-scalars hoist-allocations short-circuit
// What is written is q apart and what is read is one before each, where q is more than 2: the array is made in place. It is not where what is
// read is q before, which is what the point before it writes.
entry one_before [n_0: i64] (*xs_4: [n_0]i32) (q_1: i64) (s_2: i64) (c_3: i64) : (ys_5: [n_0]i32) = {
  let (x_6: bool) = lt.i64 2i64 q_1
  let = assert x_6 "bounds"
  let (x_7: bool) = lt.i64 q_1 1000i64
  let = assert x_7 "bounds"
  let (x_8: bool) = le.i64 q_1 s_2
  let = assert x_8 "bounds"
  let (x_9: bool) = lt.i64 s_2 1000i64
  let = assert x_9 "bounds"
  let (x_10: bool) = le.i64 0i64 c_3
  let = assert x_10 "bounds"
  let (x_11: bool) = lt.i64 c_3 1000i64
  let = assert x_11 "bounds"
  let (m_13: i64) = mul.i64 q_1 c_3
  let (e_12: i64) = add.i64 s_2 m_13
  let (x_14: bool) = le.i64 e_12 n_0
  let = assert x_14 "beyond"
  let (new_15: [c_3]i32) = kernel (i_16 < c_3) {
    let (m_17: i64) = mul.i64 q_1 i_16
    let (p_18: i64) = add.i64 s_2 m_17
    let (p_19: i64) = sub.i64 p_18 1i64
    let (e_20: i32) = index xs_4[p_19]
    let (e_21: i32) = add.i32 e_20 1i32
    in (e_21)
  }
  let (ys_22: [n_0]i32) = update xs_4[s_2 : c_3 : q_1] new_15
  in (ys_22)
}

entry one_step_before [n_40: i64] (*xs_44: [n_40]i32) (q_41: i64) (s_42: i64) (c_43: i64) : (ys_45: [n_40]i32) = {
  let (x_46: bool) = lt.i64 2i64 q_41
  let = assert x_46 "bounds"
  let (x_47: bool) = lt.i64 q_41 1000i64
  let = assert x_47 "bounds"
  let (x_48: bool) = le.i64 q_41 s_42
  let = assert x_48 "bounds"
  let (x_49: bool) = lt.i64 s_42 1000i64
  let = assert x_49 "bounds"
  let (x_50: bool) = le.i64 0i64 c_43
  let = assert x_50 "bounds"
  let (x_51: bool) = lt.i64 c_43 1000i64
  let = assert x_51 "bounds"
  let (m_53: i64) = mul.i64 q_41 c_43
  let (e_52: i64) = add.i64 s_42 m_53
  let (x_54: bool) = le.i64 e_52 n_40
  let = assert x_54 "beyond"
  let (new_55: [c_43]i32) = kernel (i_56 < c_43) {
    let (m_57: i64) = mul.i64 q_41 i_56
    let (p_58: i64) = add.i64 s_42 m_57
    let (p_59: i64) = sub.i64 p_58 q_41
    let (e_60: i32) = index xs_44[p_59]
    let (e_61: i32) = add.i32 e_60 1i32
    in (e_61)
  }
  let (ys_62: [n_40]i32) = update xs_44[s_42 : c_43 : q_41] new_55
  in (ys_62)
}
// ---
// entry one_before [n_0: i64] [xs_mem_63: mem] (*xs_4: [n_0]i32 @ xs_mem_63 -> 0 + {(n_0 : 1)}) (q_1: i64) (s_2: i64) (c_3: i64) : [ys_mem_65: mem] (ys_5: [n_0]i32 @ ys_mem_65 -> 0 + {(n_0 : 1)}) = {
//   let (x_6: bool) = lt.i64 2i64 q_1
//   let = assert x_6 "bounds"
//   let (x_7: bool) = lt.i64 q_1 1000i64
//   let = assert x_7 "bounds"
//   let (x_8: bool) = le.i64 q_1 s_2
//   let = assert x_8 "bounds"
//   let (x_9: bool) = lt.i64 s_2 1000i64
//   let = assert x_9 "bounds"
//   let (x_10: bool) = le.i64 0i64 c_3
//   let = assert x_10 "bounds"
//   let (x_11: bool) = lt.i64 c_3 1000i64
//   let = assert x_11 "bounds"
//   let (m_13: i64) = mul.i64 q_1 c_3
//   let (e_12: i64) = add.i64 s_2 m_13
//   let (x_14: bool) = le.i64 e_12 n_0
//   let = assert x_14 "beyond"
//   let (new_15: [c_3]i32 @ xs_mem_63 -> s_2 + {(c_3 : q_1)}) = kernel (i_16 < c_3) {
//     let (m_17: i64) = mul.i64 q_1 i_16
//     let (p_18: i64) = add.i64 s_2 m_17
//     let (p_19: i64) = sub.i64 p_18 1i64
//     let (e_20: i32) = index xs_4[p_19]
//     let (e_21: i32) = add.i32 e_20 1i32
//     in (e_21)
//   }
//   let (ys_22: [n_0]i32 @ xs_mem_63 -> 0 + {(n_0 : 1)}) = update xs_4[s_2 : c_3 : q_1] new_15
//   in (xs_mem_63, ys_22)
// }
//
// entry one_step_before [n_40: i64] [xs_mem_66: mem] (*xs_44: [n_40]i32 @ xs_mem_66 -> 0 + {(n_40 : 1)}) (q_41: i64) (s_42: i64) (c_43: i64) : [ys_mem_68: mem] (ys_45: [n_40]i32 @ ys_mem_68 -> 0 + {(n_40 : 1)}) = {
//   let (x_46: bool) = lt.i64 2i64 q_41
//   let = assert x_46 "bounds"
//   let (x_47: bool) = lt.i64 q_41 1000i64
//   let = assert x_47 "bounds"
//   let (x_48: bool) = le.i64 q_41 s_42
//   let = assert x_48 "bounds"
//   let (x_49: bool) = lt.i64 s_42 1000i64
//   let = assert x_49 "bounds"
//   let (x_50: bool) = le.i64 0i64 c_43
//   let = assert x_50 "bounds"
//   let (x_51: bool) = lt.i64 c_43 1000i64
//   let = assert x_51 "bounds"
//   let (m_53: i64) = mul.i64 q_41 c_43
//   let (e_52: i64) = add.i64 s_42 m_53
//   let (x_54: bool) = le.i64 e_52 n_40
//   let = assert x_54 "beyond"
//   let (new_mem_67: mem) = alloc [c_43] i32
//   let (new_55: [c_43]i32 @ new_mem_67 -> 0 + {(c_43 : 1)}) = kernel (i_56 < c_43) {
//     let (m_57: i64) = mul.i64 q_41 i_56
//     let (p_58: i64) = add.i64 s_42 m_57
//     let (p_59: i64) = sub.i64 p_58 q_41
//     let (e_60: i32) = index xs_44[p_59]
//     let (e_61: i32) = add.i32 e_60 1i32
//     in (e_61)
//   }
//   let (ys_62: [n_40]i32 @ xs_mem_66 -> 0 + {(n_40 : 1)}) = update xs_44[s_42 : c_43 : q_41] new_55
//   in (xs_mem_66, ys_62)
// }
