// case: pass introduce-memory hoist-scalars hoist-allocations join-blocks
// Both arms allocate a row and give it: there is one block before the branch. The inner branch's block is that, too.
entry main [n_0: i64] (xs_1: [n_0]i64) (c_2: bool) (d_3: bool) : (ys_4: [n_0]i64) = {
  let (r_5: [n_0]i64) = if c_2 {
    let (a_6: [n_0]i64) = copy xs_1
    in (a_6)
  } else {
    let (b_7: [n_0]i64) = if d_3 {
      let (e_8: [n_0]i64) = iota.i64 n_0 0i64 1i64
      in (e_8)
    } else {
      let (f_9: [n_0]i64) = replicate [n_0] 7i64
      in (f_9)
    }
    in (b_7)
  }
  in (r_5)
}
// ---
// entry main [n_0: i64] [xs_mem_10: mem] (xs_1: [n_0]i64 @ xs_mem_10 -> 0 + {(n_0 : 1)}) (c_2: bool) (d_3: bool) : [ys_mem_16: mem] (ys_4: [n_0]i64 @ ys_mem_16 -> 0 + {(n_0 : 1)}) = {
//   let (r_mem_15: mem) = alloc [n_0] i64
//   let (r_5: [n_0]i64 @ r_mem_15 -> 0 + {(n_0 : 1)}) = if c_2 {
//     let (a_6: [n_0]i64 @ r_mem_15 -> 0 + {(n_0 : 1)}) = copy xs_1
//     in (a_6)
//   } else {
//     let (b_7: [n_0]i64 @ r_mem_15 -> 0 + {(n_0 : 1)}) = if d_3 {
//       let (e_8: [n_0]i64 @ r_mem_15 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 0i64 1i64
//       in (e_8)
//     } else {
//       let (f_9: [n_0]i64 @ r_mem_15 -> 0 + {(n_0 : 1)}) = replicate [n_0] 7i64
//       in (f_9)
//     }
//     in (b_7)
//   }
//   in (r_mem_15, r_5)
// }
