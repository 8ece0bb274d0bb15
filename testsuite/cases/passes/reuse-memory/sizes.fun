// case: pass introduce-memory hoist-allocations reuse-memory sink-allocations
// `b_8` has as many elements as `a_5` under another name; `c_10` has half as many bytes; `d_12` is larger as far as anyone knows.
entry main (n_0: i64) (m_1: i64) : (x_2: i64) = {
  let (k_3: i64) = mul.i64 n_0 m_1
  let (l_4: i64) = mul.i64 m_1 n_0
  let (a_5: [n_0][m_1]i64) = replicate [n_0][m_1] 1i64
  let (x_7: i64) = index a_5[0i64, 0i64]
  let (b_8: [l_4]i64) = iota.i64 l_4 x_7 1i64
  let (x_9: i64) = index b_8[0i64]
  let (c_10: [k_3]i32) = replicate [k_3] 7i32
  let (x_11: i32) = index c_10[x_9]
  let (k_14: i64) = add.i64 k_3 1i64
  let (d_12: [k_14]i64) = iota.i64 k_14 x_9 1i64
  let (x_13: i64) = index d_12[0i64]
  in (x_13)
}
// ---
// entry main (n_0: i64) (m_1: i64) : (x_2: i64) = {
//   let (k_3: i64) = mul.i64 n_0 m_1
//   let (l_4: i64) = mul.i64 m_1 n_0
//   let (k_14: i64) = add.i64 k_3 1i64
//   let (a_mem_15: mem) = alloc [n_0][m_1] i64
//   let (a_5: [n_0][m_1]i64 @ a_mem_15 -> 0 + {(n_0 : m_1)(m_1 : 1)}) = replicate [n_0][m_1] 1i64
//   let (x_7: i64) = index a_5[0i64, 0i64]
//   let (b_8: [l_4]i64 @ a_mem_15 -> 0 + {(l_4 : 1)}) = iota.i64 l_4 x_7 1i64
//   let (x_9: i64) = index b_8[0i64]
//   let (c_10: [k_3]i32 @ a_mem_15 -> 0 + {(k_3 : 1)}) = replicate [k_3] 7i32
//   let (x_11: i32) = index c_10[x_9]
//   let (d_mem_18: mem) = alloc [k_14] i64
//   let (d_12: [k_14]i64 @ d_mem_18 -> 0 + {(k_14 : 1)}) = iota.i64 k_14 x_9 1i64
//   let (x_13: i64) = index d_12[0i64]
//   in (x_13)
// }
