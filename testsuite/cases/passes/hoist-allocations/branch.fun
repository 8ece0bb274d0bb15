// case: pass introduce-memory hoist-allocations sink-allocations
// Inside a loop also an allocation in a branch leaves it, if its size is modest: `[n_0]` is, `[n_0][n_0]` is not.
entry main [n_0: i64] (xs_1: [n_0]i64) (k_2: i64) : (s_3: i64) = {
  let (t_5: i64) = loop (acc_7: i64 = 0i64) for i_9: i64 < k_2 {
    let (c_10: bool) = lt.i64 acc_7 10i64
    let (r_11: i64) = if c_10 {
      let (a_12: [n_0]i64) = iota.i64 n_0 0i64 1i64
      let (x_13: i64) = index a_12[0i64]
      in (x_13)
    } else {
      let (b_14: [n_0][n_0]i64) = replicate [n_0][n_0] 1i64
      let (y_15: i64) = index b_14[0i64, 0i64]
      in (y_15)
    }
    in (r_11)
  }
  in (t_5)
}
// ---
// entry main [n_0: i64] [xs_mem_16: mem] (xs_1: [n_0]i64 @ xs_mem_16 -> 0 + {(n_0 : 1)}) (k_2: i64) : (s_3: i64) = {
//   let (a_mem_17: mem) = alloc [n_0] i64
//   let (t_5: i64) = loop (acc_7: i64 = 0i64) for i_9: i64 < k_2 {
//     let (c_10: bool) = lt.i64 acc_7 10i64
//     let (r_11: i64) = if c_10 {
//       let (a_12: [n_0]i64 @ a_mem_17 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 0i64 1i64
//       let (x_13: i64) = index a_12[0i64]
//       in (x_13)
//     } else {
//       let (b_mem_18: mem) = alloc [n_0][n_0] i64
//       let (b_14: [n_0][n_0]i64 @ b_mem_18 -> 0 + {(n_0 : n_0)(n_0 : 1)}) = replicate [n_0][n_0] 1i64
//       let (y_15: i64) = index b_14[0i64, 0i64]
//       in (y_15)
//     }
//     in (r_11)
//   }
//   in (t_5)
// }
