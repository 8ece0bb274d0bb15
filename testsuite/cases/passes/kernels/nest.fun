// case: pass introduce-memory lower-to-imp simplify-imp kernels simplify-imp
// Two loops are one, with a thread for each point; neighbouring threads write neighbouring cells.
entry main (n_0: i64) (m_1: i64) (xs_2: [n_0]f32) : (r_3: [n_0][m_1]f32) = {
  let (r_4: [n_0][m_1]f32) = kernel (i_5 < n_0, j_6 < m_1) {
    let (x_7: f32) = index xs_2[i_5]
    let (y_8: f32) = mul.f32 x_7 x_7
    in (y_8)
  }
  in (r_4)
}
// ---
// entry proc main(n_0: i64, m_1: i64, xs_mem_9: mem): (mem, i64, i64)
//   takes (i64 @ 0, i64 @ 1, f32[@0] @ 2)
//   gives (f32[@1][@2] @ 0)
// {
//   alloc xs_mem_12: f32[n_0] in device
//   view to_13: f32 @ xs_mem_12 -> 0 + {(n_0 : 1)}
//   view from_14: f32 @ xs_mem_9 -> 0 + {(n_0 : 1)}
//   copy to_13 <- from_14
//   view xs_2: f32 @ xs_mem_12 -> 0 + {(n_0 : 1)}
//   alloc r_mem_10: f32[n_0][m_1] in device
//   view r_4: f32 @ r_mem_10 -> 0 + {(n_0 : m_1)(m_1 : 1)}
//   let count_16: i64 = mul.i64(max.i64(n_0, 0i64), max.i64(m_1, 0i64))
//   let blocks_17: i64 = quot.i64(add.i64(count_16, 255i64), 256i64)
//   for block_18: i64 < blocks_17 block {
//     for t_19: i64 < 256i64 thread {
//       let thread_20: i64 = add.i64(mul.i64(block_18, 256i64), t_19)
//       if lt.i64(thread_20, count_16) {
//         let i_5: i64 = quot.i64(thread_20, max.i64(m_1, 1i64))
//         let j_6: i64 = sub.i64(thread_20, mul.i64(i_5, max.i64(m_1, 0i64)))
//         let x_7: f32 = xs_2[i_5]
//         let y_8: f32 = mul.f32(x_7, x_7)
//         r_4[i_5, j_6] := y_8
//       }
//     }
//   }
//   let cells_21: i64 = mul.i64(n_0, m_1)
//   alloc r_mem_22: f32[cells_21]
//   view to_23: f32 @ r_mem_22 -> 0 + {(cells_21 : 1)}
//   view from_24: f32 @ r_mem_10 -> 0 + {(cells_21 : 1)}
//   copy to_23 <- from_24
//   free r_mem_10
//   free xs_mem_12
//   return (r_mem_22, n_0, m_1)
// }
