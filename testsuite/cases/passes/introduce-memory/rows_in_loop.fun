// case: pass introduce-memory
// A loop that drops rows of its array carries the offset along; the array stays where it is. What has another stride is copied.
entry rows [n_0: i64] [m_1: i64] (xs_2: [n_0][m_1]i32) : (k_3: i64) (ys_4: [k_3][m_1]i32) = {
  let (k_5: i64) (ys_6: [k_5][m_1]i32) = loop (l_7: i64 = n_0) (a_8: [l_7][m_1]i32 = xs_2) for i_9: i64 < 2i64 {
    let (less_10: i64) = sub.i64 l_7 1i64
    let (some_11: bool) = le.i64 0i64 less_10
    let = assert some_11 "none left"
    let (b_12: [less_10][m_1]i32) = slice a_8[1i64 : less_10 : 1i64, 0i64 : m_1 : 1i64]
    in (less_10, b_12)
  }
  in (k_5, ys_6)
}

entry every_other [n_20: i64] (xs_21: [n_20]i32) : (k_22: i64) (ys_23: [k_22]i32) = {
  let (k_24: i64) (ys_25: [k_24]i32) = loop (l_26: i64 = n_20) (a_27: [l_26]i32 = xs_21) for i_28: i64 < 2i64 {
    let (half_29: i64) = div.i64 l_26 2i64
    let (b_30: [half_29]i32) = slice a_27[0i64 : half_29 : 2i64]
    in (half_29, b_30)
  }
  in (k_24, ys_25)
}
// ---
// entry rows [n_0: i64] [m_1: i64] [xs_mem_31: mem] (xs_2: [n_0][m_1]i32 @ xs_mem_31 -> 0 + {(n_0 : m_1)(m_1 : 1)}) : (k_3: i64) [ys_mem_39: mem] (ys_4: [k_3][m_1]i32 @ ys_mem_39 -> 0 + {(k_3 : m_1)(m_1 : 1)}) = {
//   let (k_5: i64) (ys_mem_35: mem) (ys_off_36: i64) (ys_6: [k_5][m_1]i32 @ ys_mem_35 -> ys_off_36 + {(k_5 : m_1)(m_1 : 1)}) = loop (l_7: i64 = n_0) (a_mem_32: mem = xs_mem_31) (a_off_33: i64 = 0i64) (a_8: [l_7][m_1]i32 @ a_mem_32 -> a_off_33 + {(l_7 : m_1)(m_1 : 1)} = xs_2) for i_9: i64 < 2i64 {
//     let (less_10: i64) = sub.i64 l_7 1i64
//     let (some_11: bool) = le.i64 0i64 less_10
//     let = assert some_11 "none left"
//     let (b_12: [less_10][m_1]i32 @ a_mem_32 -> m_1 + a_off_33 + {(less_10 : m_1)(m_1 : 1)}) = slice a_8[1i64 : less_10 : 1i64, 0i64 : m_1 : 1i64]
//     let (off_34: i64) = add.i64 m_1 a_off_33
//     in (less_10, a_mem_32, off_34, b_12)
//   }
//   let (ys_mem_38: mem) = alloc [k_5][m_1] i32
//   let (ys_37: [k_5][m_1]i32 @ ys_mem_38 -> 0 + {(k_5 : m_1)(m_1 : 1)}) = copy ys_6
//   in (k_5, ys_mem_38, ys_37)
// }
//
// entry every_other [n_20: i64] [xs_mem_40: mem] (xs_21: [n_20]i32 @ xs_mem_40 -> 0 + {(n_20 : 1)}) : (k_22: i64) [ys_mem_47: mem] (ys_23: [k_22]i32 @ ys_mem_47 -> 0 + {(k_22 : 1)}) = {
//   let (k_24: i64) (ys_mem_44: mem) (ys_25: [k_24]i32 @ ys_mem_44 -> 0 + {(k_24 : 1)}) = loop (l_26: i64 = n_20) (a_mem_41: mem = xs_mem_40) (a_27: [l_26]i32 @ a_mem_41 -> 0 + {(l_26 : 1)} = xs_21) for i_28: i64 < 2i64 {
//     let (half_29: i64) = div.i64 l_26 2i64
//     let (b_30: [half_29]i32 @ a_mem_41 -> 0 + {(half_29 : 2)}) = slice a_27[0i64 : half_29 : 2i64]
//     let (b_mem_43: mem) = alloc [half_29] i32
//     let (b_42: [half_29]i32 @ b_mem_43 -> 0 + {(half_29 : 1)}) = copy b_30
//     in (half_29, b_mem_43, b_42)
//   }
//   let (ys_mem_46: mem) = alloc [k_24] i32
//   let (ys_45: [k_24]i32 @ ys_mem_46 -> 0 + {(k_24 : 1)}) = copy ys_25
//   in (k_24, ys_mem_46, ys_45)
// }
