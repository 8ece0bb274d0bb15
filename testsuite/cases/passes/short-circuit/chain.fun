// case: pass introduce-memory hoist-scalars hoist-allocations short-circuit
// A row that a loop builds in a kernel's body lies in the kernel's result, and that in a part of the argument: nothing is copied.
entry main [n_0: i64] (*xs_1: [2i64][n_0][n_0]i64) : (ys_2: [2i64][n_0][n_0]i64) = {
  let (k_3: [n_0][n_0]i64) = kernel (i_4 < n_0) {
    let (s_5: [n_0]i64) = scratch [n_0] i64
    let (l_6: [n_0]i64) = loop (a_7: [n_0]i64 = s_5) for j_8: i64 < n_0 {
      let (p_9: i64) = mul.i64 i_4 j_8
      let (u_10: [n_0]i64) = update a_7[j_8] p_9
      in (u_10)
    }
    in (l_6)
  }
  let (ys_11: [2i64][n_0][n_0]i64) = update xs_1[1i64, 0i64 : n_0 : 1i64, 0i64 : n_0 : 1i64] k_3
  in (ys_11)
}
// ---
// entry main [n_0: i64] [xs_mem_12: mem] (*xs_1: [2i64][n_0][n_0]i64 @ xs_mem_12 -> 0 + {(2 : n_0*n_0)(n_0 : n_0)(n_0 : 1)}) : [ys_mem_15: mem] (ys_2: [2i64][n_0][n_0]i64 @ ys_mem_15 -> 0 + {(2 : n_0*n_0)(n_0 : n_0)(n_0 : 1)}) = {
//   let (k_3: [n_0][n_0]i64 @ xs_mem_12 -> n_0*n_0 + {(n_0 : n_0)(n_0 : 1)}) = kernel (i_4 < n_0) {
//     let (s_5: [n_0]i64 @ xs_mem_12 -> n_0*n_0 + n_0*i_4 + {(n_0 : 1)}) = scratch [n_0]i64
//     let (l_6: [n_0]i64 @ xs_mem_12 -> n_0*n_0 + n_0*i_4 + {(n_0 : 1)}) = loop (a_7: [n_0]i64 @ xs_mem_12 -> n_0*n_0 + n_0*i_4 + {(n_0 : 1)} = s_5) for j_8: i64 < n_0 {
//       let (p_9: i64) = mul.i64 i_4 j_8
//       let (u_10: [n_0]i64 @ xs_mem_12 -> n_0*n_0 + n_0*i_4 + {(n_0 : 1)}) = update a_7[j_8] p_9
//       in (u_10)
//     }
//     in (l_6)
//   }
//   let (ys_11: [2i64][n_0][n_0]i64 @ xs_mem_12 -> 0 + {(2 : n_0*n_0)(n_0 : n_0)(n_0 : 1)}) = update xs_1[1i64, 0i64 : n_0 : 1i64, 0i64 : n_0 : 1i64] k_3
//   in (xs_mem_12, ys_11)
// }
