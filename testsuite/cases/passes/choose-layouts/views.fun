// case: pass introduce-memory short-circuit choose-layouts
// Views follow, and so does what a loop makes of the array in place. With a reshape between, the array stays as it is, and so does one without cells.
entry followed [n_0: i64] : (s_1: i64) = {
  let (a_2: [n_0][n_0]i64) = replicate [n_0][n_0] 1i64
  let (b_3: [n_0][n_0]i64) = loop (p_4: [n_0][n_0]i64 = a_2) for i_5: i64 < n_0 {
    let (q_6: [n_0][n_0]i64) = update p_4[i_5, i_5] i_5
    in (q_6)
  }
  let (c_7: [n_0][n_0]i64) = permute (1, 0) b_3
  let (d_8: [n_0][n_0]i64) = reverse 1 c_7
  let (s_9: i64) = loop (r_10: i64 = 0i64) for k_11: i64 < n_0 {
    let (u_12: i64) = loop (t_13: i64 = r_10) for i_14: i64 < n_0 {
      let (w_15: i64) = loop (v_16: i64 = t_13) for j_17: i64 < n_0 {
        let (x_18: i64) = index d_8[i_14, j_17]
        let (y_19: i64) = add.i64 v_16 x_18
        in (y_19)
      }
      in (w_15)
    }
    in (u_12)
  }
  in (s_9)
}

entry flattened [n_40: i64] : (s_41: i64) = {
  let (a_42: [n_40][n_40]i64) = replicate [n_40][n_40] 1i64
  let (nn_43: i64) = mul.i64 n_40 n_40
  let (f_44: [nn_43]i64) = reshape [nn_43] a_42
  let (some_45: bool) = lt.i64 0i64 nn_43
  let = assert some_45 "none"
  let (z_46: i64) = index f_44[0i64]
  let (s_47: i64) = loop (r_48: i64 = z_46) for k_49: i64 < n_40 {
    let (u_50: i64) = loop (t_51: i64 = r_48) for i_52: i64 < n_40 {
      let (w_53: i64) = loop (v_54: i64 = t_51) for j_55: i64 < n_40 {
        let (x_56: i64) = index a_42[j_55, i_52]
        let (y_57: i64) = add.i64 v_54 x_56
        in (y_57)
      }
      in (w_53)
    }
    in (u_50)
  }
  in (s_47)
}

entry empty : (s_61: i64) = {
  let (a_62: [0i64][5i64]i64) = replicate [0i64][5i64] 1i64
  let (s_63: i64) = loop (r_64: i64 = 0i64) for k_65: i64 < 5i64 {
    let (u_66: i64) = loop (t_67: i64 = r_64) for i_68: i64 < 5i64 {
      let (w_69: i64) = loop (v_70: i64 = t_67) for j_71: i64 < 0i64 {
        let (x_72: i64) = index a_62[j_71, i_68]
        let (y_73: i64) = add.i64 v_70 x_72
        in (y_73)
      }
      in (w_69)
    }
    in (u_66)
  }
  in (s_63)
}
// ---
// entry followed [n_0: i64] : (s_1: i64) = {
//   let (a_mem_74: mem) = alloc [n_0][n_0] i64
//   let (a_2: [n_0][n_0]i64 @ a_mem_74 -> 0 + {(n_0 : 1)(n_0 : n_0)}) = replicate [n_0][n_0] 1i64
//   let (b_3: [n_0][n_0]i64 @ a_mem_74 -> 0 + {(n_0 : 1)(n_0 : n_0)}) = loop (p_4: [n_0][n_0]i64 @ a_mem_74 -> 0 + {(n_0 : 1)(n_0 : n_0)} = a_2) for i_5: i64 < n_0 {
//     let (q_6: [n_0][n_0]i64 @ a_mem_74 -> 0 + {(n_0 : 1)(n_0 : n_0)}) = update p_4[i_5, i_5] i_5
//     in (q_6)
//   }
//   let (c_7: [n_0][n_0]i64 @ a_mem_74 -> 0 + {(n_0 : n_0)(n_0 : 1)}) = permute (1, 0) b_3
//   let (d_8: [n_0][n_0]i64 @ a_mem_74 -> n_0 + -1 + {(n_0 : n_0)(n_0 : -1)}) = reverse 1 c_7
//   let (s_9: i64) = loop (r_10: i64 = 0i64) for k_11: i64 < n_0 {
//     let (u_12: i64) = loop (t_13: i64 = r_10) for i_14: i64 < n_0 {
//       let (w_15: i64) = loop (v_16: i64 = t_13) for j_17: i64 < n_0 {
//         let (x_18: i64) = index d_8[i_14, j_17]
//         let (y_19: i64) = add.i64 v_16 x_18
//         in (y_19)
//       }
//       in (w_15)
//     }
//     in (u_12)
//   }
//   in (s_9)
// }
//
// entry flattened [n_40: i64] : (s_41: i64) = {
//   let (a_mem_75: mem) = alloc [n_40][n_40] i64
//   let (a_42: [n_40][n_40]i64 @ a_mem_75 -> 0 + {(n_40 : n_40)(n_40 : 1)}) = replicate [n_40][n_40] 1i64
//   let (nn_43: i64) = mul.i64 n_40 n_40
//   let (f_44: [nn_43]i64 @ a_mem_75 -> 0 + {(nn_43 : 1)}) = reshape [nn_43] a_42
//   let (some_45: bool) = lt.i64 0i64 nn_43
//   let = assert some_45 "none"
//   let (z_46: i64) = index f_44[0i64]
//   let (s_47: i64) = loop (r_48: i64 = z_46) for k_49: i64 < n_40 {
//     let (u_50: i64) = loop (t_51: i64 = r_48) for i_52: i64 < n_40 {
//       let (w_53: i64) = loop (v_54: i64 = t_51) for j_55: i64 < n_40 {
//         let (x_56: i64) = index a_42[j_55, i_52]
//         let (y_57: i64) = add.i64 v_54 x_56
//         in (y_57)
//       }
//       in (w_53)
//     }
//     in (u_50)
//   }
//   in (s_47)
// }
//
// entry empty : (s_61: i64) = {
//   let (a_mem_76: mem) = alloc [0i64][5i64] i64
//   let (a_62: [0i64][5i64]i64 @ a_mem_76 -> 0 + {(0 : 5)(5 : 1)}) = replicate [0i64][5i64] 1i64
//   let (s_63: i64) = loop (r_64: i64 = 0i64) for k_65: i64 < 5i64 {
//     let (u_66: i64) = loop (t_67: i64 = r_64) for i_68: i64 < 5i64 {
//       let (w_69: i64) = loop (v_70: i64 = t_67) for j_71: i64 < 0i64 {
//         let (x_72: i64) = index a_62[j_71, i_68]
//         let (y_73: i64) = add.i64 v_70 x_72
//         in (y_73)
//       }
//       in (w_69)
//     }
//     in (u_66)
//   }
//   in (s_63)
// }
