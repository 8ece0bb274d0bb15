// case: pass introduce-memory hoist-scalars hoist-allocations short-circuit
// The parts of what an iteration makes are made in its block while the block of the iteration before is still read: these are two.
entry main [n_0: i64] (k_1: i64) (xs_2: [n_0]i32) : (ys_3: [n_0]i32) = {
  let (m_4: i64) = sub.i64 n_0 1i64
  let (ok_5: bool) = le.i64 0i64 m_4
  let = assert ok_5 "at least one"
  let (ys_6: [n_0]i32) = loop (x_7: [n_0]i32 = xs_2) for t_8: i64 < k_1 {
    let (b_9: [m_4]i32) = kernel (i_10 < m_4) {
      let (j_11: i64) = add.i64 i_10 1i64
      let (e_12: i32) = index x_7[j_11]
      in (e_12)
    }
    let (f_13: i32) = index x_7[0i64]
    let (c_14: [1i64]i32) = array i32 [f_13]
    let (n_15: i64) = add.i64 m_4 1i64
    let (d_16: [n_15]i32) = concat n_15 b_9 c_14
    let (y_17: [n_0]i32) = reshape [n_0] d_16
    in (y_17)
  }
  in (ys_6)
}
// ---
// entry main [n_0: i64] (k_1: i64) [xs_mem_18: mem] (xs_2: [n_0]i32 @ xs_mem_18 -> 0 + {(n_0 : 1)}) : [ys_mem_26: mem] (ys_3: [n_0]i32 @ ys_mem_26 -> 0 + {(n_0 : 1)}) = {
//   let (ys_mem_25: mem) = alloc [n_0] i32
//   let (m_4: i64) = sub.i64 n_0 1i64
//   let (ok_5: bool) = le.i64 0i64 m_4
//   let = assert ok_5 "at least one"
//   let (some_27: bool) = lt.i64 0i64 k_1
//   let (some_28: i64) = convert.i64.bool some_27
//   let (size_29: i64) = max.i64 m_4 0i64
//   let (n_15: i64) = add.i64 m_4 1i64
//   let (ys_mem_23: mem) (ys_6: [n_0]i32 @ ys_mem_23 -> 0 + {(n_0 : 1)}) = loop (x_mem_19: mem = xs_mem_18) (x_7: [n_0]i32 @ x_mem_19 -> 0 + {(n_0 : 1)} = xs_2) for t_8: i64 < k_1 {
//     let (d_mem_22: mem) = alloc [n_15] i32
//     let (b_9: [m_4]i32 @ d_mem_22 -> 0 + {(m_4 : 1)}) = kernel (i_10 < m_4) {
//       let (j_11: i64) = add.i64 i_10 1i64
//       let (e_12: i32) = index x_7[j_11]
//       in (e_12)
//     }
//     let (f_13: i32) = index x_7[0i64]
//     let (c_14: [1i64]i32 @ d_mem_22 -> m_4 + {(1 : 1)}) = array i32 [f_13]
//     let (d_16: [n_15]i32 @ d_mem_22 -> 0 + {(n_15 : 1)}) = concat n_15 b_9 c_14
//     let (y_17: [n_0]i32 @ d_mem_22 -> 0 + {(n_0 : 1)}) = reshape [n_0] d_16
//     in (d_mem_22, y_17)
//   }
//   let (ys_24: [n_0]i32 @ ys_mem_25 -> 0 + {(n_0 : 1)}) = copy ys_6
//   in (ys_mem_25, ys_24)
// }
