// case: pass introduce-memory hoist-scalars
// A division by a positive constant can't fail; by a variable, or by -1, it can.
entry main [n_0: i64] (xs_1: [n_0]i32) (m_2: i64) : (r_3: [n_0]i32) (r_4: i64) = {
  let (a_5: [n_0]i32) = copy xs_1
  let (x_6: i64) = quot.i64 n_0 2i64
  let (x_7: i64) = quot.i64 n_0 m_2
  let (x_8: i64) = quot.i64 n_0 -1i64
  let (x_9: i64) = add.i64 x_6 x_7
  let (x_10: i64) = add.i64 x_8 x_9
  in (a_5, x_10)
}
// ---
// entry main [n_0: i64] [xs_mem_11: mem] (xs_1: [n_0]i32 @ xs_mem_11 -> 0 + {(n_0 : 1)}) (m_2: i64) : [r_mem_13: mem] (r_3: [n_0]i32 @ r_mem_13 -> 0 + {(n_0 : 1)}) (r_4: i64) = {
//   let (x_6: i64) = quot.i64 n_0 2i64
//   let (a_mem_12: mem) = alloc [n_0] i32
//   let (a_5: [n_0]i32 @ a_mem_12 -> 0 + {(n_0 : 1)}) = copy xs_1
//   let (x_7: i64) = quot.i64 n_0 m_2
//   let (x_9: i64) = add.i64 x_6 x_7
//   let (x_8: i64) = quot.i64 n_0 -1i64
//   let (x_10: i64) = add.i64 x_8 x_9
//   in (a_mem_12, a_5, x_10)
// }
