// case: pass introduce-memory hoist-scalars hoist-allocations pass-destinations
// A function that calls itself is changed together with its calls.
fun down [n_0: i64] (k_1: i64) (xs_2: [n_0]i32) : (r_3: [n_0]i32) = {
  let (c_4: bool) = le.i64 k_1 0i64
  let (r_5: [n_0]i32) = if c_4 {
    let (a_6: [n_0]i32) = copy xs_2
    in (a_6)
  } else {
    let (j_7: i64) = sub.i64 k_1 1i64
    let (s_8: [n_0]i32) = reverse 0 xs_2
    let (b_9: [n_0]i32) = call down n_0 j_7 s_8
    in (b_9)
  }
  in (r_5)
}

entry main [n_10: i64] (xs_11: [n_10]i32) (k_12: i64) : (r_13: [n_10]i32) = {
  let (r_14: [n_10]i32) = call down n_10 k_12 xs_11
  in (r_14)
}
// ---
// fun down [n_0: i64] (k_1: i64) [xs_mem_15: mem] [xs_off_16: i64] [xs_step_17: i64] (xs_2: [n_0]i32 @ xs_mem_15 -> xs_off_16 + {(n_0 : xs_step_17)}) [r_mem_30: mem] [r_off_31: i64] : (r_3: [n_0]i32 @ r_mem_30 -> r_off_31 + {(n_0 : 1)}) = {
//   let (c_4: bool) = le.i64 k_1 0i64
//   let (r_5: [n_0]i32 @ r_mem_30 -> r_off_31 + {(n_0 : 1)}) = if c_4 {
//     let (a_6: [n_0]i32 @ r_mem_30 -> r_off_31 + {(n_0 : 1)}) = copy xs_2
//     in (a_6)
//   } else {
//     let (j_7: i64) = sub.i64 k_1 1i64
//     let (off_19: i64) = mul.i64 n_0 xs_step_17
//     let (off_20: i64) = add.i64 off_19 xs_off_16
//     let (off_21: i64) = mul.i64 -1i64 xs_step_17
//     let (off_22: i64) = add.i64 off_20 off_21
//     let (step_23: i64) = mul.i64 -1i64 xs_step_17
//     let (s_8: [n_0]i32 @ xs_mem_15 -> n_0*xs_step_17 + xs_off_16 + -1*xs_step_17 + {(n_0 : -1*xs_step_17)}) = reverse 0 xs_2
//     let (b_9: [n_0]i32 @ r_mem_30 -> r_off_31 + {(n_0 : 1)}) = call down n_0 j_7 xs_mem_15 off_22 step_23 s_8 r_mem_30 r_off_31
//     in (b_9)
//   }
//   in (r_5)
// }
//
// entry main [n_10: i64] [xs_mem_27: mem] (xs_11: [n_10]i32 @ xs_mem_27 -> 0 + {(n_10 : 1)}) (k_12: i64) : [r_mem_29: mem] (r_13: [n_10]i32 @ r_mem_29 -> 0 + {(n_10 : 1)}) = {
//   let (r_mem_28: mem) = alloc [n_10] i32
//   let (r_14: [n_10]i32 @ r_mem_28 -> 0 + {(n_10 : 1)}) = call down n_10 k_12 xs_mem_27 0i64 1i64 xs_11 r_mem_28 0i64
//   in (r_mem_28, r_14)
// }
