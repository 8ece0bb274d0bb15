// case: pass introduce-memory hoist-scalars hoist-allocations short-circuit
// A kernel in a loop: each of its points makes its row in one arm of a branch and changes it in the other. The matrix that it reads
// was there before the block of its result, so that is another one.
entry main [n_0: i64] (xs_1: [n_0][n_0]i64) (k_2: i64) : (ys_3: [n_0][n_0]i64) = {
  let (ys_4: [n_0][n_0]i64) = loop (m_5: [n_0][n_0]i64 = xs_1) for t_6: i64 < k_2 {
    let (w_7: [n_0][n_0]i64) = kernel (i_8 < n_0) {
      let (x_9: [n_0]i64) = slice m_5[i_8, 0i64 : n_0 : 1i64]
      let (a_10: [n_0]i64) = copy x_9
      let (c_11: bool) = lt.i64 i_8 t_6
      let (r_12: [n_0]i64) = if c_11 {
        let (b_13: [n_0]i64) = replicate [n_0] t_6
        in (b_13)
      } else {
        let (d_14: [n_0]i64) = update a_10[i_8] 9i64
        in (d_14)
      }
      in (r_12)
    }
    in (w_7)
  }
  in (ys_4)
}
// ---
// entry main [n_0: i64] [xs_mem_15: mem] (xs_1: [n_0][n_0]i64 @ xs_mem_15 -> 0 + {(n_0 : n_0)(n_0 : 1)}) (k_2: i64) : [ys_mem_24: mem] (ys_3: [n_0][n_0]i64 @ ys_mem_24 -> 0 + {(n_0 : n_0)(n_0 : 1)}) = {
//   let (ys_mem_23: mem) = alloc [n_0][n_0] i64
//   let (ys_mem_21: mem) (ys_4: [n_0][n_0]i64 @ ys_mem_21 -> 0 + {(n_0 : n_0)(n_0 : 1)}) = loop (m_mem_16: mem = xs_mem_15) (m_5: [n_0][n_0]i64 @ m_mem_16 -> 0 + {(n_0 : n_0)(n_0 : 1)} = xs_1) for t_6: i64 < k_2 {
//     let (w_mem_17: mem) = alloc [n_0][n_0] i64
//     let (w_7: [n_0][n_0]i64 @ w_mem_17 -> 0 + {(n_0 : n_0)(n_0 : 1)}) = kernel (i_8 < n_0) {
//       let (c_11: bool) = lt.i64 i_8 t_6
//       let (x_9: [n_0]i64 @ m_mem_16 -> n_0*i_8 + {(n_0 : 1)}) = slice m_5[i_8, 0i64 : n_0 : 1i64]
//       let (a_10: [n_0]i64 @ w_mem_17 -> n_0*i_8 + {(n_0 : 1)}) = copy x_9
//       let (r_12: [n_0]i64 @ w_mem_17 -> n_0*i_8 + {(n_0 : 1)}) = if c_11 {
//         let (b_13: [n_0]i64 @ w_mem_17 -> n_0*i_8 + {(n_0 : 1)}) = replicate [n_0] t_6
//         in (b_13)
//       } else {
//         let (d_14: [n_0]i64 @ w_mem_17 -> n_0*i_8 + {(n_0 : 1)}) = update a_10[i_8] 9i64
//         in (d_14)
//       }
//       in (r_12)
//     }
//     in (w_mem_17, w_7)
//   }
//   let (ys_22: [n_0][n_0]i64 @ ys_mem_23 -> 0 + {(n_0 : n_0)(n_0 : 1)}) = copy ys_4
//   in (ys_mem_23, ys_22)
// }
