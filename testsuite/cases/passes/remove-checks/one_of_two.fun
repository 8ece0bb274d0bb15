// case: pass introduce-memory remove-checks
// A number that is one of two is within bounds where both are: clamped, or chosen by a branch, in which the condition is known. That of
// a counter that another branch decides on is not.
entry main [n_0: i64] (xs_1: [n_0]i32) (c_2: bool) : (ys_3: [n_0]i32) = {
  let (ys_4: [n_0]i32) = kernel (i_5 < n_0) {
    let (l_6: i64) = sub.i64 n_0 1i64
    let (a_7: i64) = add.i64 i_5 1i64
    let (m_8: i64) = min.i64 l_6 a_7
    let (k_9: i64) = max.i64 0i64 m_8
    let (x_10: bool) = le.i64 0i64 k_9
    let (x_11: bool) = lt.i64 k_9 n_0
    let (x_12: bool) = and.bool x_10 x_11
    let = assert x_12 "clamped"
    let (x_13: bool) = eq.i64 i_5 0i64
    let (j_14: i64) = if x_13 {
      in (0i64)
    } else {
      let (b_15: i64) = sub.i64 i_5 1i64
      in (b_15)
    }
    let (x_16: bool) = le.i64 0i64 j_14
    let (x_17: bool) = lt.i64 j_14 n_0
    let (x_18: bool) = and.bool x_16 x_17
    let = assert x_18 "chosen"
    let (h_19: i64) = if c_2 {
      in (i_5)
    } else {
      let (b_20: i64) = sub.i64 i_5 1i64
      in (b_20)
    }
    let (x_21: bool) = le.i64 0i64 h_19
    let = assert x_21 "not shown"
    let (e_22: i32) = index xs_1[k_9]
    let (f_23: i32) = index xs_1[j_14]
    let (g_24: i32) = index xs_1[h_19]
    let (s_25: i32) = add.i32 e_22 f_23
    let (t_26: i32) = add.i32 s_25 g_24
    in (t_26)
  }
  in (ys_4)
}
// ---
// entry main [n_0: i64] [xs_mem_27: mem] (xs_1: [n_0]i32 @ xs_mem_27 -> 0 + {(n_0 : 1)}) (c_2: bool) : [ys_mem_29: mem] (ys_3: [n_0]i32 @ ys_mem_29 -> 0 + {(n_0 : 1)}) = {
//   let (ys_mem_28: mem) = alloc [n_0] i32
//   let (ys_4: [n_0]i32 @ ys_mem_28 -> 0 + {(n_0 : 1)}) = kernel (i_5 < n_0) {
//     let (l_6: i64) = sub.i64 n_0 1i64
//     let (a_7: i64) = add.i64 i_5 1i64
//     let (m_8: i64) = min.i64 l_6 a_7
//     let (k_9: i64) = max.i64 0i64 m_8
//     let (x_10: bool) = le.i64 0i64 k_9
//     let (x_11: bool) = lt.i64 k_9 n_0
//     let (x_12: bool) = and.bool x_10 x_11
//     let (x_13: bool) = eq.i64 i_5 0i64
//     let (j_14: i64) = if x_13 {
//       in (0i64)
//     } else {
//       let (b_15: i64) = sub.i64 i_5 1i64
//       in (b_15)
//     }
//     let (x_16: bool) = le.i64 0i64 j_14
//     let (x_17: bool) = lt.i64 j_14 n_0
//     let (x_18: bool) = and.bool x_16 x_17
//     let (h_19: i64) = if c_2 {
//       in (i_5)
//     } else {
//       let (b_20: i64) = sub.i64 i_5 1i64
//       in (b_20)
//     }
//     let (x_21: bool) = le.i64 0i64 h_19
//     let = assert x_21 "not shown"
//     let (e_22: i32) = index xs_1[k_9]
//     let (f_23: i32) = index xs_1[j_14]
//     let (g_24: i32) = index xs_1[h_19]
//     let (s_25: i32) = add.i32 e_22 f_23
//     let (t_26: i32) = add.i32 s_25 g_24
//     in (t_26)
//   }
//   in (ys_mem_28, ys_4)
// }
