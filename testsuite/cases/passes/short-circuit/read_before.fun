// case: pass introduce-memory hoist-scalars hoist-allocations short-circuit
// The row is read after the array for it is made, where that says, so it keeps a block of its own; so does one whose kernel reads the row backwards.
entry between [n_0: i64] (*xs_1: [4i64][n_0]f32) (j_2: i64) : (ys_3: [4i64][n_0]f32) (y_4: f32) = {
  let (r_5: [n_0]f32) = replicate [n_0] 1f32
  let (f_30: f32) = index r_5[j_2]
  let (i_31: i64) = convert.i64.f32 f_30
  let (j_6: i64) = mod.i64 i_31 n_0
  let (e_7: f32) = index xs_1[2i64, j_6]
  let (ys_8: [4i64][n_0]f32) = update xs_1[2i64, 0i64 : n_0 : 1i64] r_5
  in (ys_8, e_7)
}

entry elsewhere [n_10: i64] (*xs_11: [4i64][n_10]f32) (j_12: i64) : (ys_13: [4i64][n_10]f32) (y_14: f32) = {
  let (r_15: [n_10]f32) = replicate [n_10] 1f32
  let (j_16: i64) = mod.i64 j_12 n_10
  let (e_17: f32) = index xs_11[1i64, j_16]
  let (ys_18: [4i64][n_10]f32) = update xs_11[2i64, 0i64 : n_10 : 1i64] r_15
  in (ys_18, e_17)
}

entry backwards [n_20: i64] (*xs_21: [4i64][n_20]f32) : (ys_23: [4i64][n_20]f32) = {
  let (l_24: i64) = sub.i64 n_20 1i64
  let (r_25: [n_20]f32) = kernel (i_26 < n_20) {
    let (k_27: i64) = sub.i64 l_24 i_26
    let (e_28: f32) = index xs_21[2i64, k_27]
    in (e_28)
  }
  let (ys_29: [4i64][n_20]f32) = update xs_21[2i64, 0i64 : n_20 : 1i64] r_25
  in (ys_29)
}
// ---
// entry between [n_0: i64] [xs_mem_32: mem] (*xs_1: [4i64][n_0]f32 @ xs_mem_32 -> 0 + {(4 : n_0)(n_0 : 1)}) (j_2: i64) : [ys_mem_34: mem] (ys_3: [4i64][n_0]f32 @ ys_mem_34 -> 0 + {(4 : n_0)(n_0 : 1)}) (y_4: f32) = {
//   let (r_mem_33: mem) = alloc [n_0] f32
//   let (r_5: [n_0]f32 @ r_mem_33 -> 0 + {(n_0 : 1)}) = replicate [n_0] 1.0f32
//   let (f_30: f32) = index r_5[j_2]
//   let (i_31: i64) = convert.i64.f32 f_30
//   let (j_6: i64) = mod.i64 i_31 n_0
//   let (e_7: f32) = index xs_1[2i64, j_6]
//   let (ys_8: [4i64][n_0]f32 @ xs_mem_32 -> 0 + {(4 : n_0)(n_0 : 1)}) = update xs_1[2i64, 0i64 : n_0 : 1i64] r_5
//   in (xs_mem_32, ys_8, e_7)
// }
//
// entry elsewhere [n_10: i64] [xs_mem_35: mem] (*xs_11: [4i64][n_10]f32 @ xs_mem_35 -> 0 + {(4 : n_10)(n_10 : 1)}) (j_12: i64) : [ys_mem_37: mem] (ys_13: [4i64][n_10]f32 @ ys_mem_37 -> 0 + {(4 : n_10)(n_10 : 1)}) (y_14: f32) = {
//   let (r_15: [n_10]f32 @ xs_mem_35 -> 2*n_10 + {(n_10 : 1)}) = replicate [n_10] 1.0f32
//   let (j_16: i64) = mod.i64 j_12 n_10
//   let (e_17: f32) = index xs_11[1i64, j_16]
//   let (ys_18: [4i64][n_10]f32 @ xs_mem_35 -> 0 + {(4 : n_10)(n_10 : 1)}) = update xs_11[2i64, 0i64 : n_10 : 1i64] r_15
//   in (xs_mem_35, ys_18, e_17)
// }
//
// entry backwards [n_20: i64] [xs_mem_38: mem] (*xs_21: [4i64][n_20]f32 @ xs_mem_38 -> 0 + {(4 : n_20)(n_20 : 1)}) : [ys_mem_40: mem] (ys_23: [4i64][n_20]f32 @ ys_mem_40 -> 0 + {(4 : n_20)(n_20 : 1)}) = {
//   let (r_mem_39: mem) = alloc [n_20] f32
//   let (l_24: i64) = sub.i64 n_20 1i64
//   let (r_25: [n_20]f32 @ r_mem_39 -> 0 + {(n_20 : 1)}) = kernel (i_26 < n_20) {
//     let (k_27: i64) = sub.i64 l_24 i_26
//     let (e_28: f32) = index xs_21[2i64, k_27]
//     in (e_28)
//   }
//   let (ys_29: [4i64][n_20]f32 @ xs_mem_38 -> 0 + {(4 : n_20)(n_20 : 1)}) = update xs_21[2i64, 0i64 : n_20 : 1i64] r_25
//   in (xs_mem_38, ys_29)
// }
