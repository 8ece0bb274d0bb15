// case: pass introduce-memory hoist-scalars hoist-allocations short-circuit reuse-memory
// Each point of the second kernel reads what it overwrites, and nothing else; the third reads its neighbour and needs another block; the
// fourth gives numbers of another type that are as wide.
entry main [n_0: i64] (x_1: f32) : (r_2: [n_0]i32) = {
  let (a_3: [n_0]f32) = kernel (i_4 < n_0) {
    let (e_5: f32) = convert.f32.i64 i_4
    let (e_6: f32) = add.f32 e_5 x_1
    in (e_6)
  }
  let (b_7: [n_0]f32) = kernel (i_8 < n_0) {
    let (e_9: f32) = index a_3[i_8]
    let (e_10: f32) = mul.f32 e_9 x_1
    in (e_10)
  }
  let (l_11: i64) = sub.i64 n_0 1i64
  let (c_12: [n_0]f32) = kernel (i_13 < n_0) {
    let (k_14: i64) = add.i64 i_13 1i64
    let (k_15: i64) = min.i64 k_14 l_11
    let (e_16: f32) = index b_7[k_15]
    in (e_16)
  }
  let (d_17: [n_0]i32) = kernel (i_18 < n_0) {
    let (e_19: f32) = index c_12[i_18]
    let (e_20: i32) = convert.i32.f32 e_19
    in (e_20)
  }
  in (d_17)
}

// The row is reversed cell by cell: it cannot be copied over itself.
entry rows [n_21: i64] (x_22: i64) : (r_23: [n_21][n_21]i64) = {
  let (a_24: [n_21][n_21]i64) = kernel (i_25 < n_21, j_26 < n_21) {
    let (e_27: i64) = mul.i64 i_25 x_22
    let (e_28: i64) = add.i64 e_27 j_26
    in (e_28)
  }
  let (b_29: [n_21][n_21]i64) = kernel (i_30 < n_21) {
    let (s_31: [n_21]i64) = slice a_24[i_30, 0i64 : n_21 : 1i64]
    let (v_32: [n_21]i64) = reverse 0 s_31
    in (v_32)
  }
  in (b_29)
}
// ---
// entry main [n_0: i64] (x_1: f32) : [r_mem_37: mem] (r_2: [n_0]i32 @ r_mem_37 -> 0 + {(n_0 : 1)}) = {
//   let (a_mem_33: mem) = alloc [n_0] f32
//   let (c_mem_35: mem) = alloc [n_0] f32
//   let (l_11: i64) = sub.i64 n_0 1i64
//   let (a_3: [n_0]f32 @ a_mem_33 -> 0 + {(n_0 : 1)}) = kernel (i_4 < n_0) {
//     let (e_5: f32) = convert.f32.i64 i_4
//     let (e_6: f32) = add.f32 e_5 x_1
//     in (e_6)
//   }
//   let (b_7: [n_0]f32 @ a_mem_33 -> 0 + {(n_0 : 1)}) = kernel (i_8 < n_0) {
//     let (e_9: f32) = index a_3[i_8]
//     let (e_10: f32) = mul.f32 e_9 x_1
//     in (e_10)
//   }
//   let (c_12: [n_0]f32 @ c_mem_35 -> 0 + {(n_0 : 1)}) = kernel (i_13 < n_0) {
//     let (k_14: i64) = add.i64 i_13 1i64
//     let (k_15: i64) = min.i64 k_14 l_11
//     let (e_16: f32) = index b_7[k_15]
//     in (e_16)
//   }
//   let (d_17: [n_0]i32 @ c_mem_35 -> 0 + {(n_0 : 1)}) = kernel (i_18 < n_0) {
//     let (e_19: f32) = index c_12[i_18]
//     let (e_20: i32) = convert.i32.f32 e_19
//     in (e_20)
//   }
//   in (c_mem_35, d_17)
// }
//
// entry rows [n_21: i64] (x_22: i64) : [r_mem_40: mem] (r_23: [n_21][n_21]i64 @ r_mem_40 -> 0 + {(n_21 : n_21)(n_21 : 1)}) = {
//   let (a_mem_38: mem) = alloc [n_21][n_21] i64
//   let (b_mem_39: mem) = alloc [n_21][n_21] i64
//   let (a_24: [n_21][n_21]i64 @ a_mem_38 -> 0 + {(n_21 : n_21)(n_21 : 1)}) = kernel (i_25 < n_21, j_26 < n_21) {
//     let (e_27: i64) = mul.i64 i_25 x_22
//     let (e_28: i64) = add.i64 e_27 j_26
//     in (e_28)
//   }
//   let (b_29: [n_21][n_21]i64 @ b_mem_39 -> 0 + {(n_21 : n_21)(n_21 : 1)}) = kernel (i_30 < n_21) {
//     let (s_31: [n_21]i64 @ a_mem_38 -> n_21*i_30 + {(n_21 : 1)}) = slice a_24[i_30, 0i64 : n_21 : 1i64]
//     let (v_32: [n_21]i64 @ a_mem_38 -> n_21*i_30 + n_21 + -1 + {(n_21 : -1)}) = reverse 0 s_31
//     in (v_32)
//   }
//   in (b_mem_39, b_29)
// }
