// case: pass introduce-memory hoist-scalars hoist-allocations short-circuit choose-layouts
// Each point of the kernel builds its row in the result, which is read by columns: the rows are spread.
entry rows [n_0: i64] (xs_1: [n_0]i64) : (s_2: i64) = {
  let (a_3: [n_0][n_0]i64) = kernel (i_4 < n_0) {
    let (x_5: i64) = index xs_1[i_4]
    let (row_6: [n_0]i64) = iota.i64 n_0 x_5 1i64
    let (other_7: [n_0]i64) = update row_6[i_4] 7i64
    in (other_7)
  }
  let (s_9: i64) = loop (r_10: i64 = 0i64) for k_11: i64 < n_0 {
    let (u_12: i64) = loop (t_13: i64 = r_10) for i_14: i64 < n_0 {
      let (w_15: i64) = loop (v_16: i64 = t_13) for j_17: i64 < n_0 {
        let (x_18: i64) = index a_3[j_17, i_14]
        let (y_19: i64) = add.i64 v_16 x_18
        in (y_19)
      }
      in (w_15)
    }
    in (u_12)
  }
  in (s_9)
}
// ---
// entry rows [n_0: i64] [xs_mem_20: mem] (xs_1: [n_0]i64 @ xs_mem_20 -> 0 + {(n_0 : 1)}) : (s_2: i64) = {
//   let (a_mem_21: mem) = alloc [n_0][n_0] i64
//   let (a_3: [n_0][n_0]i64 @ a_mem_21 -> 0 + {(n_0 : 1)(n_0 : n_0)}) = kernel (i_4 < n_0) {
//     let (x_5: i64) = index xs_1[i_4]
//     let (row_6: [n_0]i64 @ a_mem_21 -> i_4 + {(n_0 : n_0)}) = iota.i64 n_0 x_5 1i64
//     let (other_7: [n_0]i64 @ a_mem_21 -> i_4 + {(n_0 : n_0)}) = update row_6[i_4] 7i64
//     in (other_7)
//   }
//   let (s_9: i64) = loop (r_10: i64 = 0i64) for k_11: i64 < n_0 {
//     let (u_12: i64) = loop (t_13: i64 = r_10) for i_14: i64 < n_0 {
//       let (w_15: i64) = loop (v_16: i64 = t_13) for j_17: i64 < n_0 {
//         let (x_18: i64) = index a_3[j_17, i_14]
//         let (y_19: i64) = add.i64 v_16 x_18
//         in (y_19)
//       }
//       in (w_15)
//     }
//     in (u_12)
//   }
//   in (s_9)
// }
