// case: pass introduce-memory hoist-scalars join-kernels
// Two maps of one array are one; a third one reads what the first one makes and stays, and so does one over another space.
entry main [n_0: i64] (xs_1: [n_0]i32) : (*as_2: [n_0]i32) (*bs_3: [n_0]i32) (*cs_4: [n_0]i32) (*ds_5: [2i64][n_0]i32) = {
  let (as_6: [n_0]i32) = kernel (i_7 < n_0) {
    let (x_8: i32) = index xs_1[i_7]
    let (a_9: i32) = add.i32 x_8 1i32
    in (a_9)
  }
  let (bs_10: [n_0]i32) = kernel (i_11 < n_0) {
    let (x_12: i32) = index xs_1[i_11]
    let (b_13: i32) = mul.i32 x_12 2i32
    in (b_13)
  }
  let (cs_14: [n_0]i32) = kernel (i_15 < n_0) {
    let (x_16: i32) = index xs_1[i_15]
    let (y_17: i32) = index as_6[i_15]
    let (c_18: i32) = sub.i32 x_16 y_17
    in (c_18)
  }
  let (ds_19: [2i64][n_0]i32) = kernel (h_20 < 2i64, i_21 < n_0) {
    let (x_22: i32) = index xs_1[i_21]
    let (h_23: i32) = convert.i32.i64 h_20
    let (d_24: i32) = add.i32 x_22 h_23
    in (d_24)
  }
  in (as_6, bs_10, cs_14, ds_19)
}
// ---
// entry main [n_0: i64] [xs_mem_25: mem] (xs_1: [n_0]i32 @ xs_mem_25 -> 0 + {(n_0 : 1)}) : [as_mem_30: mem] (*as_2: [n_0]i32 @ as_mem_30 -> 0 + {(n_0 : 1)}) [bs_mem_31: mem] (*bs_3: [n_0]i32 @ bs_mem_31 -> 0 + {(n_0 : 1)}) [cs_mem_32: mem] (*cs_4: [n_0]i32 @ cs_mem_32 -> 0 + {(n_0 : 1)}) [ds_mem_33: mem] (*ds_5: [2i64][n_0]i32 @ ds_mem_33 -> 0 + {(2 : n_0)(n_0 : 1)}) = {
//   let (as_mem_26: mem) = alloc [n_0] i32
//   let (bs_mem_27: mem) = alloc [n_0] i32
//   let (as_6: [n_0]i32 @ as_mem_26 -> 0 + {(n_0 : 1)}) (bs_10: [n_0]i32 @ bs_mem_27 -> 0 + {(n_0 : 1)}) = kernel (i_11 < n_0) {
//     let (x_8: i32) = index xs_1[i_11]
//     let (a_9: i32) = add.i32 x_8 1i32
//     let (x_12: i32) = index xs_1[i_11]
//     let (b_13: i32) = mul.i32 x_12 2i32
//     in (a_9, b_13)
//   }
//   let (cs_mem_28: mem) = alloc [n_0] i32
//   let (cs_14: [n_0]i32 @ cs_mem_28 -> 0 + {(n_0 : 1)}) = kernel (i_15 < n_0) {
//     let (x_16: i32) = index xs_1[i_15]
//     let (y_17: i32) = index as_6[i_15]
//     let (c_18: i32) = sub.i32 x_16 y_17
//     in (c_18)
//   }
//   let (ds_mem_29: mem) = alloc [2i64][n_0] i32
//   let (ds_19: [2i64][n_0]i32 @ ds_mem_29 -> 0 + {(2 : n_0)(n_0 : 1)}) = kernel (h_20 < 2i64, i_21 < n_0) {
//     let (h_23: i32) = convert.i32.i64 h_20
//     let (x_22: i32) = index xs_1[i_21]
//     let (d_24: i32) = add.i32 x_22 h_23
//     in (d_24)
//   }
//   in (as_mem_26, as_6, bs_mem_27, bs_10, cs_mem_28, cs_14, ds_mem_29, ds_19)
// }
