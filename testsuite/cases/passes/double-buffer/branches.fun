// case: pass introduce-memory double-buffer
// By a branch, each loop takes the new array or keeps the present one. The first one takes over the block of `a_2`, which changes places with the
// spare one where the new array is taken. The second one still reads its initial value, so it has two blocks of its own, and a branch in a branch.
// The arms of the third one make the new array, each by itself, in one block.
entry main [n_0: i64] (k_1: i64) (z_61: [n_0]i64) : (s_2: i64) = {
  let (a_3: [n_0]i64) = iota.i64 n_0 0i64 1i64
  let (x_4: [n_0]i64) = loop (p_5: [n_0]i64 = a_3) for i_6: i64 < k_1 {
    let (q_7: [n_0]i64) = kernel (j_8 < n_0) {
      let (e_9: i64) = index p_5[i_6]
      in (e_9)
    }
    let (c_10: bool) = lt.i64 i_6 3i64
    let (y_11: [n_0]i64) = if c_10 {
      in (q_7)
    } else {
      in (p_5)
    }
    in (y_11)
  }
  let (b_20: [n_0]i64) = loop (p_21: [n_0]i64 = z_61) for i_22: i64 < k_1 {
    let (e_23: i64) = index z_61[i_22]
    let (q_24: [n_0]i64) = replicate [n_0] e_23
    let (c_25: bool) = lt.i64 i_22 3i64
    let (y_26: [n_0]i64) = if c_25 {
      in (p_21)
    } else {
      let (d_27: bool) = lt.i64 i_22 5i64
      let (w_28: [n_0]i64) = if d_27 {
        in (q_24)
      } else {
        in (p_21)
      }
      in (w_28)
    }
    in (y_26)
  }
  let (r_40: [n_0]i64) = loop (p_41: [n_0]i64 = x_4) for i_42: i64 < k_1 {
    let (c_43: bool) = lt.i64 i_42 3i64
    let (y_44: [n_0]i64) = if c_43 {
      let (q_45: [n_0]i64) = kernel (j_46 < n_0) {
        let (e_47: i64) = index p_41[i_42]
        in (e_47)
      }
      in (q_45)
    } else {
      let (d_48: bool) = lt.i64 i_42 5i64
      let (w_49: [n_0]i64) = if d_48 {
        in (p_41)
      } else {
        let (t_50: [n_0]i64) = reverse 0 p_41
        let (v_51: [n_0]i64) = copy t_50
        in (v_51)
      }
      in (w_49)
    }
    in (y_44)
  }
  let (f_52: i64) = index b_20[0i64]
  let (g_53: i64) = index r_40[0i64]
  let (s_54: i64) = add.i64 f_52 g_53
  in (s_54)
}
// ---
// entry main [n_0: i64] (k_1: i64) [z_mem_62: mem] (z_61: [n_0]i64 @ z_mem_62 -> 0 + {(n_0 : 1)}) : (s_2: i64) = {
//   let (a_mem_63: mem) = alloc [n_0] i64
//   let (a_3: [n_0]i64 @ a_mem_63 -> 0 + {(n_0 : 1)}) = iota.i64 n_0 0i64 1i64
//   let (buffer_mem_79: mem) = alloc [n_0] i64
//   let (x_mem_67: mem) (x_4: [n_0]i64 @ x_mem_67 -> 0 + {(n_0 : 1)}) (spare_mem_82: mem) = loop (p_mem_64: mem = a_mem_63) (p_5: [n_0]i64 @ p_mem_64 -> 0 + {(n_0 : 1)} = a_3) (spare_mem_80: mem = buffer_mem_79) for i_6: i64 < k_1 {
//     let (q_7: [n_0]i64 @ spare_mem_80 -> 0 + {(n_0 : 1)}) = kernel (j_8 < n_0) {
//       let (e_9: i64) = index p_5[i_6]
//       in (e_9)
//     }
//     let (c_10: bool) = lt.i64 i_6 3i64
//     let (y_mem_66: mem) (y_11: [n_0]i64 @ y_mem_66 -> 0 + {(n_0 : 1)}) (spare_mem_81: mem) = if c_10 {
//       in (spare_mem_80, q_7, p_mem_64)
//     } else {
//       in (p_mem_64, p_5, spare_mem_80)
//     }
//     in (y_mem_66, y_11, spare_mem_81)
//   }
//   let (buffer_mem_83: mem) = alloc [n_0] i64
//   let (b_mem_72: mem) (b_20: [n_0]i64 @ b_mem_72 -> 0 + {(n_0 : 1)}) (spare_mem_90: mem) (spare_mem_91: mem) = loop (p_mem_68: mem = z_mem_62) (p_21: [n_0]i64 @ p_mem_68 -> 0 + {(n_0 : 1)} = z_61) (spare_mem_84: mem = spare_mem_82) (spare_mem_85: mem = buffer_mem_83) for i_22: i64 < k_1 {
//     let (e_23: i64) = index z_61[i_22]
//     let (q_24: [n_0]i64 @ spare_mem_84 -> 0 + {(n_0 : 1)}) = replicate [n_0] e_23
//     let (c_25: bool) = lt.i64 i_22 3i64
//     let (y_mem_71: mem) (y_26: [n_0]i64 @ y_mem_71 -> 0 + {(n_0 : 1)}) (spare_mem_88: mem) (spare_mem_89: mem) = if c_25 {
//       in (p_mem_68, p_21, spare_mem_84, spare_mem_85)
//     } else {
//       let (d_27: bool) = lt.i64 i_22 5i64
//       let (w_mem_70: mem) (w_28: [n_0]i64 @ w_mem_70 -> 0 + {(n_0 : 1)}) (spare_mem_86: mem) (spare_mem_87: mem) = if d_27 {
//         in (spare_mem_84, q_24, spare_mem_85, spare_mem_84)
//       } else {
//         in (p_mem_68, p_21, spare_mem_84, spare_mem_85)
//       }
//       in (w_mem_70, w_28, spare_mem_86, spare_mem_87)
//     }
//     in (y_mem_71, y_26, spare_mem_88, spare_mem_89)
//   }
//   let (r_mem_78: mem) (r_40: [n_0]i64 @ r_mem_78 -> 0 + {(n_0 : 1)}) (spare_mem_95: mem) = loop (p_mem_73: mem = x_mem_67) (p_41: [n_0]i64 @ p_mem_73 -> 0 + {(n_0 : 1)} = x_4) (spare_mem_92: mem = spare_mem_90) for i_42: i64 < k_1 {
//     let (c_43: bool) = lt.i64 i_42 3i64
//     let (y_mem_77: mem) (y_44: [n_0]i64 @ y_mem_77 -> 0 + {(n_0 : 1)}) (spare_mem_94: mem) = if c_43 {
//       let (q_45: [n_0]i64 @ spare_mem_92 -> 0 + {(n_0 : 1)}) = kernel (j_46 < n_0) {
//         let (e_47: i64) = index p_41[i_42]
//         in (e_47)
//       }
//       in (spare_mem_92, q_45, p_mem_73)
//     } else {
//       let (d_48: bool) = lt.i64 i_42 5i64
//       let (w_mem_76: mem) (w_49: [n_0]i64 @ w_mem_76 -> 0 + {(n_0 : 1)}) (spare_mem_93: mem) = if d_48 {
//         in (p_mem_73, p_41, spare_mem_92)
//       } else {
//         let (t_50: [n_0]i64 @ p_mem_73 -> n_0 + -1 + {(n_0 : -1)}) = reverse 0 p_41
//         let (v_51: [n_0]i64 @ spare_mem_92 -> 0 + {(n_0 : 1)}) = copy t_50
//         in (spare_mem_92, v_51, p_mem_73)
//       }
//       in (w_mem_76, w_49, spare_mem_93)
//     }
//     in (y_mem_77, y_44, spare_mem_94)
//   }
//   let (f_52: i64) = index b_20[0i64]
//   let (g_53: i64) = index r_40[0i64]
//   let (s_54: i64) = add.i64 f_52 g_53
//   in (s_54)
// }
