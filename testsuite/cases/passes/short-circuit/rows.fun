// case: pass introduce-memory hoist-scalars hoist-allocations short-circuit
// The rows of an array literal are made in it, in chains with concatenations too; not a row that stands there twice, nor an argument.
entry main [n_0: i64] (a_1: [n_0]i32) : (ys_2: [4i64][n_0]i32) (zs_3: [2i64][n_0]i32) = {
  let (b_4: [n_0]i32) = kernel (i_5 < n_0) {
    let (e_6: i32) = index a_1[i_5]
    let (f_7: i32) = add.i32 e_6 1i32
    in (f_7)
  }
  let (c_8: [n_0]i32) = kernel (i_9 < n_0) {
    let (e_10: i32) = index a_1[i_9]
    let (f_11: i32) = mul.i32 e_10 e_10
    in (f_11)
  }
  let (d_12: [n_0]i32) = kernel (i_13 < n_0) {
    let (e_14: i32) = index a_1[i_13]
    let (f_15: i32) = sub.i32 e_14 1i32
    in (f_15)
  }
  let (x_16: [2i64][n_0]i32) = array [n_0]i32 [b_4, a_1]
  let (y_17: [2i64][n_0]i32) = array [n_0]i32 [a_1, c_8]
  let (ys_18: [4i64][n_0]i32) = concat 4i64 x_16 y_17
  let (zs_19: [2i64][n_0]i32) = array [n_0]i32 [d_12, d_12]
  in (ys_18, zs_19)
}
// ---
// entry main [n_0: i64] [a_mem_20: mem] (a_1: [n_0]i32 @ a_mem_20 -> 0 + {(n_0 : 1)}) : [ys_mem_28: mem] (ys_2: [4i64][n_0]i32 @ ys_mem_28 -> 0 + {(4 : n_0)(n_0 : 1)}) [zs_mem_29: mem] (zs_3: [2i64][n_0]i32 @ zs_mem_29 -> 0 + {(2 : n_0)(n_0 : 1)}) = {
//   let (d_mem_23: mem) = alloc [n_0] i32
//   let (ys_mem_26: mem) = alloc [4i64][n_0] i32
//   let (zs_mem_27: mem) = alloc [2i64][n_0] i32
//   let (b_4: [n_0]i32 @ ys_mem_26 -> 0 + {(n_0 : 1)}) = kernel (i_5 < n_0) {
//     let (e_6: i32) = index a_1[i_5]
//     let (f_7: i32) = add.i32 e_6 1i32
//     in (f_7)
//   }
//   let (c_8: [n_0]i32 @ ys_mem_26 -> 3*n_0 + {(n_0 : 1)}) = kernel (i_9 < n_0) {
//     let (e_10: i32) = index a_1[i_9]
//     let (f_11: i32) = mul.i32 e_10 e_10
//     in (f_11)
//   }
//   let (d_12: [n_0]i32 @ d_mem_23 -> 0 + {(n_0 : 1)}) = kernel (i_13 < n_0) {
//     let (e_14: i32) = index a_1[i_13]
//     let (f_15: i32) = sub.i32 e_14 1i32
//     in (f_15)
//   }
//   let (x_16: [2i64][n_0]i32 @ ys_mem_26 -> 0 + {(2 : n_0)(n_0 : 1)}) = array [n_0]i32 [b_4, a_1]
//   let (y_17: [2i64][n_0]i32 @ ys_mem_26 -> 2*n_0 + {(2 : n_0)(n_0 : 1)}) = array [n_0]i32 [a_1, c_8]
//   let (ys_18: [4i64][n_0]i32 @ ys_mem_26 -> 0 + {(4 : n_0)(n_0 : 1)}) = concat 4i64 x_16 y_17
//   let (zs_19: [2i64][n_0]i32 @ zs_mem_27 -> 0 + {(2 : n_0)(n_0 : 1)}) = array [n_0]i32 [d_12, d_12]
//   in (ys_mem_26, ys_18, zs_mem_27, zs_19)
// }
