// case: pass introduce-memory short-circuit choose-layouts
// The innermost loop goes down the columns of a matrix: they are put in order. What is only turned round and copied stays.
entry product [n_0: i64] [m_1: i64] (a_2: [n_0][m_1]i64) : (c_3: [n_0][n_0]i64) = {
  let (b_4: [m_1][n_0]i64) = kernel (i_5 < m_1, j_6 < n_0) {
    let (x_7: i64) = mul.i64 i_5 j_6
    in (x_7)
  }
  let (c_8: [n_0][n_0]i64) = kernel (i_9 < n_0, j_10 < n_0) {
    let (sum_11: i64) = loop (s_12: i64 = 0i64) for k_13: i64 < m_1 {
      let (x_14: i64) = index a_2[i_9, k_13]
      let (y_15: i64) = index b_4[k_13, j_10]
      let (z_16: i64) = mul.i64 x_14 y_15
      let (t_17: i64) = add.i64 s_12 z_16
      in (t_17)
    }
    in (sum_11)
  }
  in (c_8)
}

entry turned [n_30: i64] [m_31: i64] : (b_32: [m_31][n_30]i64) = {
  let (a_33: [n_30][m_31]i64) = kernel (i_34 < n_30, j_35 < m_31) {
    let (x_36: i64) = mul.i64 i_34 j_35
    in (x_36)
  }
  let (b_37: [m_31][n_30]i64) = permute (1, 0) a_33
  let (c_38: [m_31][n_30]i64) = copy b_37
  in (c_38)
}
// ---
// entry product [n_0: i64] [m_1: i64] [a_mem_39: mem] (a_2: [n_0][m_1]i64 @ a_mem_39 -> 0 + {(n_0 : m_1)(m_1 : 1)}) : [c_mem_42: mem] (c_3: [n_0][n_0]i64 @ c_mem_42 -> 0 + {(n_0 : n_0)(n_0 : 1)}) = {
//   let (b_mem_40: mem) = alloc [m_1][n_0] i64
//   let (b_4: [m_1][n_0]i64 @ b_mem_40 -> 0 + {(m_1 : 1)(n_0 : m_1)}) = kernel (i_5 < m_1, j_6 < n_0) {
//     let (x_7: i64) = mul.i64 i_5 j_6
//     in (x_7)
//   }
//   let (c_mem_41: mem) = alloc [n_0][n_0] i64
//   let (c_8: [n_0][n_0]i64 @ c_mem_41 -> 0 + {(n_0 : n_0)(n_0 : 1)}) = kernel (i_9 < n_0, j_10 < n_0) {
//     let (sum_11: i64) = loop (s_12: i64 = 0i64) for k_13: i64 < m_1 {
//       let (x_14: i64) = index a_2[i_9, k_13]
//       let (y_15: i64) = index b_4[k_13, j_10]
//       let (z_16: i64) = mul.i64 x_14 y_15
//       let (t_17: i64) = add.i64 s_12 z_16
//       in (t_17)
//     }
//     in (sum_11)
//   }
//   in (c_mem_41, c_8)
// }
//
// entry turned [n_30: i64] [m_31: i64] : [b_mem_45: mem] (b_32: [m_31][n_30]i64 @ b_mem_45 -> 0 + {(m_31 : n_30)(n_30 : 1)}) = {
//   let (c_mem_44: mem) = alloc [m_31][n_30] i64
//   let (a_33: [n_30][m_31]i64 @ c_mem_44 -> 0 + {(n_30 : 1)(m_31 : n_30)}) = kernel (i_34 < n_30, j_35 < m_31) {
//     let (x_36: i64) = mul.i64 i_34 j_35
//     in (x_36)
//   }
//   let (b_37: [m_31][n_30]i64 @ c_mem_44 -> 0 + {(m_31 : n_30)(n_30 : 1)}) = permute (1, 0) a_33
//   let (c_38: [m_31][n_30]i64 @ c_mem_44 -> 0 + {(m_31 : n_30)(n_30 : 1)}) = copy b_37
//   in (c_mem_44, c_38)
// }
