// case: pass introduce-memory hoist-scalars hoist-allocations short-circuit choose-layouts double-buffer
// Cells of three numbers, which a loop makes of those of neighbours: the numbers of neighbouring cells come to lie side by side, in all the blocks that the
// outer loop carries.
entry cells [n_0: i64] (k_1: i64) : (s_2: i64) = {
  let (a_3: [n_0][3i64]i64) = replicate [n_0][3i64] 1i64
  let (last_40: i64) = sub.i64 n_0 1i64
  let (b_4: [n_0][3i64]i64) = loop (p_5: [n_0][3i64]i64 = a_3) for t_6: i64 < k_1 {
    let (q_7: [n_0][3i64]i64) = kernel (i_8 < n_0) {
      let (row_9: [3i64]i64) = replicate [3i64] 0i64
      let (other_10: [3i64]i64) = loop (r_11: [3i64]i64 = row_9) for j_12: i64 < 3i64 {
        let (at_13: i64) = add.i64 i_8 j_12
        let (at_14: i64) = min.i64 at_13 last_40
        let (x_15: i64) = index p_5[at_14, j_12]
        let (y_16: i64) = add.i64 x_15 t_6
        let (u_17: [3i64]i64) = update r_11[j_12] y_16
        in (u_17)
      }
      in (other_10)
    }
    in (q_7)
  }
  let (s_18: i64) = kernel (i_19 < n_0) reduce \(c_20: i64) (d_21: i64) : i64 { let (e_22: i64) = add.i64 c_20 d_21 in (e_22) } (0i64) {
    let (f_23: i64) = index b_4[i_19, 2i64]
    in (f_23)
  }
  in (s_18)
}

// Not what a result of the program goes on to be.
entry given [n_50: i64] (k_51: i64) : (s_52: [n_50][3i64]i64) = {
  let (a_53: [n_50][3i64]i64) = replicate [n_50][3i64] 1i64
  let (b_54: [n_50][3i64]i64) = loop (p_55: [n_50][3i64]i64 = a_53) for t_56: i64 < k_51 {
    let (q_57: [n_50][3i64]i64) = kernel (i_58 < n_50) {
      let (row_59: [3i64]i64) = replicate [3i64] 0i64
      let (other_60: [3i64]i64) = loop (r_61: [3i64]i64 = row_59) for j_62: i64 < 3i64 {
        let (x_65: i64) = index p_55[i_58, j_62]
        let (y_66: i64) = add.i64 x_65 t_56
        let (u_67: [3i64]i64) = update r_61[j_62] y_66
        in (u_67)
      }
      in (other_60)
    }
    in (q_57)
  }
  in (b_54)
}
// ---
// entry cells [n_0: i64] (k_1: i64) : (s_2: i64) = {
//   let (a_mem_68: mem) = alloc [n_0][3i64] i64
//   let (last_40: i64) = sub.i64 n_0 1i64
//   let (a_3: [n_0][3i64]i64 @ a_mem_68 -> 0 + {(n_0 : 1)(3 : n_0)}) = replicate [n_0][3i64] 1i64
//   let (buffer_mem_80: mem) = alloc [n_0][3i64] i64
//   let (b_mem_72: mem) (b_4: [n_0][3i64]i64 @ b_mem_72 -> 0 + {(n_0 : 1)(3 : n_0)}) (spare_mem_82: mem) = loop (p_mem_69: mem = a_mem_68) (p_5: [n_0][3i64]i64 @ p_mem_69 -> 0 + {(n_0 : 1)(3 : n_0)} = a_3) (spare_mem_81: mem = buffer_mem_80) for t_6: i64 < k_1 {
//     let (q_7: [n_0][3i64]i64 @ spare_mem_81 -> 0 + {(n_0 : 1)(3 : n_0)}) = kernel (i_8 < n_0) {
//       let (row_9: [3i64]i64 @ spare_mem_81 -> i_8 + {(3 : n_0)}) = replicate [3i64] 0i64
//       let (other_10: [3i64]i64 @ spare_mem_81 -> i_8 + {(3 : n_0)}) = loop (r_11: [3i64]i64 @ spare_mem_81 -> i_8 + {(3 : n_0)} = row_9) for j_12: i64 < 3i64 {
//         let (at_13: i64) = add.i64 i_8 j_12
//         let (at_14: i64) = min.i64 at_13 last_40
//         let (x_15: i64) = index p_5[at_14, j_12]
//         let (y_16: i64) = add.i64 x_15 t_6
//         let (u_17: [3i64]i64 @ spare_mem_81 -> i_8 + {(3 : n_0)}) = update r_11[j_12] y_16
//         in (u_17)
//       }
//       in (other_10)
//     }
//     in (spare_mem_81, q_7, p_mem_69)
//   }
//   let (s_18: i64) = kernel (i_19 < n_0) reduce \(c_20: i64) (d_21: i64) : i64 {
//     let (e_22: i64) = add.i64 c_20 d_21
//     in (e_22)
//   } (0i64) {
//     let (f_23: i64) = index b_4[i_19, 2i64]
//     in (f_23)
//   }
//   in (s_18)
// }
//
// entry given [n_50: i64] (k_51: i64) : [s_mem_78: mem] (s_52: [n_50][3i64]i64 @ s_mem_78 -> 0 + {(n_50 : 3)(3 : 1)}) = {
//   let (a_mem_73: mem) = alloc [n_50][3i64] i64
//   let (a_53: [n_50][3i64]i64 @ a_mem_73 -> 0 + {(n_50 : 3)(3 : 1)}) = replicate [n_50][3i64] 1i64
//   let (buffer_mem_84: mem) = alloc [n_50][3i64] i64
//   let (b_mem_77: mem) (b_54: [n_50][3i64]i64 @ b_mem_77 -> 0 + {(n_50 : 3)(3 : 1)}) (spare_mem_86: mem) = loop (p_mem_74: mem = a_mem_73) (p_55: [n_50][3i64]i64 @ p_mem_74 -> 0 + {(n_50 : 3)(3 : 1)} = a_53) (spare_mem_85: mem = buffer_mem_84) for t_56: i64 < k_51 {
//     let (q_57: [n_50][3i64]i64 @ spare_mem_85 -> 0 + {(n_50 : 3)(3 : 1)}) = kernel (i_58 < n_50) {
//       let (row_59: [3i64]i64 @ spare_mem_85 -> 3*i_58 + {(3 : 1)}) = replicate [3i64] 0i64
//       let (other_60: [3i64]i64 @ spare_mem_85 -> 3*i_58 + {(3 : 1)}) = loop (r_61: [3i64]i64 @ spare_mem_85 -> 3*i_58 + {(3 : 1)} = row_59) for j_62: i64 < 3i64 {
//         let (x_65: i64) = index p_55[i_58, j_62]
//         let (y_66: i64) = add.i64 x_65 t_56
//         let (u_67: [3i64]i64 @ spare_mem_85 -> 3*i_58 + {(3 : 1)}) = update r_61[j_62] y_66
//         in (u_67)
//       }
//       in (other_60)
//     }
//     in (spare_mem_85, q_57, p_mem_74)
//   }
//   in (b_mem_77, b_54)
// }
