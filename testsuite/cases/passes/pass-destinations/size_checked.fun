// case: pass introduce-memory hoist-scalars hoist-allocations pass-destinations
// A block whose size is checked first stays in the function; the other result has a destination.
fun filled [n_0: i64] (m_1: i64) (x_2: i32) (xs_3: [n_0]i32) : (r_4: [m_1]i32) (s_5: [n_0]i32) = {
  let (y_6: bool) = le.i64 0i64 m_1
  let = assert y_6 "size {}" m_1
  let (a_7: [m_1]i32) = replicate [m_1] x_2
  let (b_8: [n_0]i32) = copy xs_3
  in (a_7, b_8)
}

entry main [n_10: i64] (xs_11: [n_10]i32) (m_12: i64) : (a_13: [m_12]i32) (b_14: [n_10]i32) = {
  let (c_15: [m_12]i32) (d_16: [n_10]i32) = call filled n_10 m_12 1i32 xs_11
  let (e_17: [m_12]i32) (f_18: [n_10]i32) = call filled n_10 m_12 2i32 d_16
  in (e_17, f_18)
}
// ---
// fun filled [n_0: i64] (m_1: i64) (x_2: i32) [xs_mem_19: mem] [xs_off_20: i64] [xs_step_21: i64] (xs_3: [n_0]i32 @ xs_mem_19 -> xs_off_20 + {(n_0 : xs_step_21)}) [s_mem_33: mem] [s_off_34: i64] : [r_mem_24: mem] (r_4: [m_1]i32 @ r_mem_24 -> 0 + {(m_1 : 1)}) (s_5: [n_0]i32 @ s_mem_33 -> s_off_34 + {(n_0 : 1)}) = {
//   let (y_6: bool) = le.i64 0i64 m_1
//   let = assert y_6 "size {}" m_1
//   let (a_mem_22: mem) = alloc [m_1] i32
//   let (a_7: [m_1]i32 @ a_mem_22 -> 0 + {(m_1 : 1)}) = replicate [m_1] x_2
//   let (b_8: [n_0]i32 @ s_mem_33 -> s_off_34 + {(n_0 : 1)}) = copy xs_3
//   in (a_mem_22, a_7, b_8)
// }
//
// entry main [n_10: i64] [xs_mem_26: mem] (xs_11: [n_10]i32 @ xs_mem_26 -> 0 + {(n_10 : 1)}) (m_12: i64) : [a_mem_31: mem] (a_13: [m_12]i32 @ a_mem_31 -> 0 + {(m_12 : 1)}) [b_mem_32: mem] (b_14: [n_10]i32 @ b_mem_32 -> 0 + {(n_10 : 1)}) = {
//   let (d_mem_28: mem) = alloc [n_10] i32
//   let (c_mem_27: mem) (c_15: [m_12]i32 @ c_mem_27 -> 0 + {(m_12 : 1)}) (d_16: [n_10]i32 @ d_mem_28 -> 0 + {(n_10 : 1)}) = call filled n_10 m_12 1i32 xs_mem_26 0i64 1i64 xs_11 d_mem_28 0i64
//   let (f_mem_30: mem) = alloc [n_10] i32
//   let (e_mem_29: mem) (e_17: [m_12]i32 @ e_mem_29 -> 0 + {(m_12 : 1)}) (f_18: [n_10]i32 @ f_mem_30 -> 0 + {(n_10 : 1)}) = call filled n_10 m_12 2i32 d_mem_28 0i64 1i64 d_16 f_mem_30 0i64
//   in (e_mem_29, e_17, f_mem_30, f_18)
// }
