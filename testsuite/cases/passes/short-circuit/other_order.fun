// case: pass introduce-memory hoist-scalars hoist-allocations short-circuit
// The matrix is filled after the row was made, but may as well be before.
entry main [m_0: i64] (xs_1: [m_0]i32) (n_2: i64) : (r_3: [n_2][m_0]i32) = {
  let (x_4: bool) = lt.i64 0i64 n_2
  let = assert x_4 "no row"
  let (row_5: [m_0]i32) = kernel (i_6 < m_0) {
    let (e_7: i32) = index xs_1[i_6]
    in (e_7)
  }
  let (out_8: [n_2][m_0]i32) = replicate [n_2][m_0] 0i32
  let (out_9: [n_2][m_0]i32) = update out_8[0i64, 0i64 : m_0 : 1i64] row_5
  in (out_9)
}

// What fills it depends on the row, or the row is made from what is changed in between, or making the row may stop the program before
// another message: it is copied.
entry depends [m_20: i64] (xs_21: [m_20]i32) (n_22: i64) : (r_23: [n_22][m_20]i32) = {
  let (x_24: bool) = lt.i64 0i64 n_22
  let = assert x_24 "no row"
  let (row_25: [m_20]i32) = kernel (i_26 < m_20) {
    let (e_27: i32) = index xs_21[i_26]
    in (e_27)
  }
  let (y_28: i32) = index row_25[0i64]
  let (out_29: [n_22][m_20]i32) = replicate [n_22][m_20] y_28
  let (out_30: [n_22][m_20]i32) = update out_29[0i64, 0i64 : m_20 : 1i64] row_25
  in (out_30)
}

entry changed [m_40: i64] (*xs_41: [m_40][m_40]i32) : (r_42: [m_40][m_40]i32) = {
  let (x_43: bool) = lt.i64 0i64 m_40
  let = assert x_43 "no row"
  let (row_44: [m_40]i32) = kernel (i_45 < m_40) {
    let (e_46: i32) = index xs_41[i_45, 0i64]
    in (e_46)
  }
  let (col_47: [m_40]i32) = replicate [m_40] 1i32
  let (xs_48: [m_40][m_40]i32) = update xs_41[0i64 : m_40 : 1i64, 0i64] col_47
  let (xs_49: [m_40][m_40]i32) = update xs_48[0i64, 0i64 : m_40 : 1i64] row_44
  in (xs_49)
}

entry stops [m_60: i64] (xs_61: [m_60]i32) (n_62: i64) (k_63: i64) : (r_64: [n_62][m_60]i32) = {
  let (x_65: bool) = lt.i64 0i64 n_62
  let = assert x_65 "no row"
  let (row_66: [m_60]i32) = kernel (i_67 < m_60) {
    let (c_68: bool) = lt.i64 i_67 k_63
    let = assert c_68 "too far"
    let (e_69: i32) = index xs_61[i_67]
    in (e_69)
  }
  let (out_70: [n_62][m_60]i32) = replicate [n_62][m_60] 0i32
  let (out_71: [n_62][m_60]i32) = update out_70[0i64, 0i64 : m_60 : 1i64] row_66
  in (out_71)
}
// ---
// entry main [m_0: i64] [xs_mem_72: mem] (xs_1: [m_0]i32 @ xs_mem_72 -> 0 + {(m_0 : 1)}) (n_2: i64) : [r_mem_75: mem] (r_3: [n_2][m_0]i32 @ r_mem_75 -> 0 + {(n_2 : m_0)(m_0 : 1)}) = {
//   let (x_4: bool) = lt.i64 0i64 n_2
//   let = assert x_4 "no row"
//   let (out_mem_74: mem) = alloc [n_2][m_0] i32
//   let (out_8: [n_2][m_0]i32 @ out_mem_74 -> 0 + {(n_2 : m_0)(m_0 : 1)}) = replicate [n_2][m_0] 0i32
//   let (row_5: [m_0]i32 @ out_mem_74 -> 0 + {(m_0 : 1)}) = kernel (i_6 < m_0) {
//     let (e_7: i32) = index xs_1[i_6]
//     in (e_7)
//   }
//   let (out_9: [n_2][m_0]i32 @ out_mem_74 -> 0 + {(n_2 : m_0)(m_0 : 1)}) = update out_8[0i64, 0i64 : m_0 : 1i64] row_5
//   in (out_mem_74, out_9)
// }
//
// entry depends [m_20: i64] [xs_mem_76: mem] (xs_21: [m_20]i32 @ xs_mem_76 -> 0 + {(m_20 : 1)}) (n_22: i64) : [r_mem_79: mem] (r_23: [n_22][m_20]i32 @ r_mem_79 -> 0 + {(n_22 : m_20)(m_20 : 1)}) = {
//   let (row_mem_77: mem) = alloc [m_20] i32
//   let (x_24: bool) = lt.i64 0i64 n_22
//   let = assert x_24 "no row"
//   let (out_mem_78: mem) = alloc [n_22][m_20] i32
//   let (row_25: [m_20]i32 @ row_mem_77 -> 0 + {(m_20 : 1)}) = kernel (i_26 < m_20) {
//     let (e_27: i32) = index xs_21[i_26]
//     in (e_27)
//   }
//   let (y_28: i32) = index row_25[0i64]
//   let (out_29: [n_22][m_20]i32 @ out_mem_78 -> 0 + {(n_22 : m_20)(m_20 : 1)}) = replicate [n_22][m_20] y_28
//   let (out_30: [n_22][m_20]i32 @ out_mem_78 -> 0 + {(n_22 : m_20)(m_20 : 1)}) = update out_29[0i64, 0i64 : m_20 : 1i64] row_25
//   in (out_mem_78, out_30)
// }
//
// entry changed [m_40: i64] [xs_mem_80: mem] (*xs_41: [m_40][m_40]i32 @ xs_mem_80 -> 0 + {(m_40 : m_40)(m_40 : 1)}) : [r_mem_83: mem] (r_42: [m_40][m_40]i32 @ r_mem_83 -> 0 + {(m_40 : m_40)(m_40 : 1)}) = {
//   let (x_43: bool) = lt.i64 0i64 m_40
//   let = assert x_43 "no row"
//   let (row_mem_81: mem) = alloc [m_40] i32
//   let (row_44: [m_40]i32 @ row_mem_81 -> 0 + {(m_40 : 1)}) = kernel (i_45 < m_40) {
//     let (e_46: i32) = index xs_41[i_45, 0i64]
//     in (e_46)
//   }
//   let (col_47: [m_40]i32 @ xs_mem_80 -> 0 + {(m_40 : m_40)}) = replicate [m_40] 1i32
//   let (xs_48: [m_40][m_40]i32 @ xs_mem_80 -> 0 + {(m_40 : m_40)(m_40 : 1)}) = update xs_41[0i64 : m_40 : 1i64, 0i64] col_47
//   let (xs_49: [m_40][m_40]i32 @ xs_mem_80 -> 0 + {(m_40 : m_40)(m_40 : 1)}) = update xs_48[0i64, 0i64 : m_40 : 1i64] row_44
//   in (xs_mem_80, xs_49)
// }
//
// entry stops [m_60: i64] [xs_mem_84: mem] (xs_61: [m_60]i32 @ xs_mem_84 -> 0 + {(m_60 : 1)}) (n_62: i64) (k_63: i64) : [r_mem_87: mem] (r_64: [n_62][m_60]i32 @ r_mem_87 -> 0 + {(n_62 : m_60)(m_60 : 1)}) = {
//   let (row_mem_85: mem) = alloc [m_60] i32
//   let (x_65: bool) = lt.i64 0i64 n_62
//   let = assert x_65 "no row"
//   let (out_mem_86: mem) = alloc [n_62][m_60] i32
//   let (row_66: [m_60]i32 @ row_mem_85 -> 0 + {(m_60 : 1)}) = kernel (i_67 < m_60) {
//     let (c_68: bool) = lt.i64 i_67 k_63
//     let = assert c_68 "too far"
//     let (e_69: i32) = index xs_61[i_67]
//     in (e_69)
//   }
//   let (out_70: [n_62][m_60]i32 @ out_mem_86 -> 0 + {(n_62 : m_60)(m_60 : 1)}) = replicate [n_62][m_60] 0i32
//   let (out_71: [n_62][m_60]i32 @ out_mem_86 -> 0 + {(n_62 : m_60)(m_60 : 1)}) = update out_70[0i64, 0i64 : m_60 : 1i64] row_66
//   in (out_mem_86, out_71)
// }
