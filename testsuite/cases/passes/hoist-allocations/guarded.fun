// case: pass introduce-memory hoist-allocations sink-allocations
// `k_1 * k_1` may be anything: without an iteration it must not be asked for. `m_5` may be negative: then the assertion fails, not the
// allocation. `u_16` may be too much, which an assertion tells before: that allocation stays.
entry main (k_1: i64) (f_2: i64) : (s_3: i64) = {
  let (q_4: i64) = mul.i64 k_1 k_1
  let (t_6: i64) = loop (acc_7: i64 = 0i64) for i_9: i64 < f_2 {
    let (a_10: [q_4]i64) = iota.i64 q_4 0i64 1i64
    let (e_11: i64) = index a_10[i_9]
    let (m_5: i64) = sub.i64 f_2 3i64
    let (c_12: bool) = lt.i64 0i64 m_5
    let = assert c_12 "too few: {}" m_5
    let (b_13: [m_5]i64) = iota.i64 m_5 0i64 1i64
    let (g_14: i64) = index b_13[0i64]
    let (h_15: i64) = add.i64 g_14 e_11
    let (u_16: i64) = mul.i64 f_2 f_2
    let (v_17: bool) = lt.i64 u_16 100i64
    let = assert v_17 "too many: {}" u_16
    let (w_18: [u_16]i64) = iota.i64 u_16 h_15 1i64
    let (z_19: i64) = index w_18[0i64]
    in (z_19)
  }
  in (t_6)
}
// ---
// entry main (k_1: i64) (f_2: i64) : (s_3: i64) = {
//   let (q_4: i64) = mul.i64 k_1 k_1
//   let (some_23: bool) = lt.i64 0i64 f_2
//   let (some_24: i64) = convert.i64.bool some_23
//   let (size_25: i64) = max.i64 q_4 0i64
//   let (m_5: i64) = sub.i64 f_2 3i64
//   let (size_26: i64) = max.i64 m_5 0i64
//   let (a_mem_20: mem) = alloc [some_24][size_25] i64
//   let (b_mem_21: mem) = alloc [some_24][size_26] i64
//   let (t_6: i64) = loop (acc_7: i64 = 0i64) for i_9: i64 < f_2 {
//     let (a_10: [q_4]i64 @ a_mem_20 -> 0 + {(q_4 : 1)}) = iota.i64 q_4 0i64 1i64
//     let (e_11: i64) = index a_10[i_9]
//     let (c_12: bool) = lt.i64 0i64 m_5
//     let = assert c_12 "too few: {}" m_5
//     let (b_13: [m_5]i64 @ b_mem_21 -> 0 + {(m_5 : 1)}) = iota.i64 m_5 0i64 1i64
//     let (g_14: i64) = index b_13[0i64]
//     let (h_15: i64) = add.i64 g_14 e_11
//     let (u_16: i64) = mul.i64 f_2 f_2
//     let (v_17: bool) = lt.i64 u_16 100i64
//     let = assert v_17 "too many: {}" u_16
//     let (w_mem_22: mem) = alloc [u_16] i64
//     let (w_18: [u_16]i64 @ w_mem_22 -> 0 + {(u_16 : 1)}) = iota.i64 u_16 h_15 1i64
//     let (z_19: i64) = index w_18[0i64]
//     in (z_19)
//   }
//   in (t_6)
// }
