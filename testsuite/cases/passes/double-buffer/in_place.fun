// case: pass introduce-memory double-buffer
// Each point reads what it alone overwrites: the next value is made over the present one, in the block of the initial value, or in one
// block if the initial value must stay.
entry over [n_0: i64] (k_1: i64) (*a_2: [n_0]f32) : (r_3: [n_0]f32) = {
  let (x_4: [n_0]f32) = loop (p_5: [n_0]f32 = a_2) for i_6: i64 < k_1 {
    let (q_7: [n_0]f32) = kernel (j_8 < n_0) {
      let (b_9: f32) = index p_5[j_8]
      let (c_10: f32) = add.f32 b_9 1f32
      in (c_10)
    }
    in (q_7)
  }
  in (x_4)
}

entry stays [n_20: i64] (k_21: i64) (a_22: [n_20]f32) : (r_23: f32) = {
  let (x_24: [n_20]f32) = loop (p_25: [n_20]f32 = a_22) for i_26: i64 < k_21 {
    let (q_27: [n_20]f32) = kernel (j_28 < n_20) {
      let (b_29: f32) = index p_25[j_28]
      let (c_30: f32) = add.f32 b_29 1f32
      in (c_30)
    }
    in (q_27)
  }
  let (y_31: f32) = index x_24[0i64]
  in (y_31)
}

// The present value is read after the next one is made, or carried along: two blocks.
entry read_after [n_40: i64] (k_41: i64) (*a_42: [n_40]f32) : (r_43: [n_40]f32) (s_44: f32) = {
  let (x_45: [n_40]f32) (s_46: f32) = loop (p_47: [n_40]f32 = a_42) (t_48: f32 = 0f32) for i_49: i64 < k_41 {
    let (q_50: [n_40]f32) = kernel (j_51 < n_40) {
      let (b_52: f32) = index p_47[j_51]
      let (c_53: f32) = add.f32 b_52 1f32
      in (c_53)
    }
    let (u_54: f32) = index p_47[i_49]
    in (q_50, u_54)
  }
  in (x_45, s_46)
}
// ---
// entry over [n_0: i64] (k_1: i64) [a_mem_55: mem] (*a_2: [n_0]f32 @ a_mem_55 -> 0 + {(n_0 : 1)}) : [r_mem_59: mem] (r_3: [n_0]f32 @ r_mem_59 -> 0 + {(n_0 : 1)}) = {
//   let (x_mem_58: mem) (x_4: [n_0]f32 @ x_mem_58 -> 0 + {(n_0 : 1)}) = loop (p_mem_56: mem = a_mem_55) (p_5: [n_0]f32 @ p_mem_56 -> 0 + {(n_0 : 1)} = a_2) for i_6: i64 < k_1 {
//     let (q_7: [n_0]f32 @ p_mem_56 -> 0 + {(n_0 : 1)}) = kernel (j_8 < n_0) {
//       let (b_9: f32) = index p_5[j_8]
//       let (c_10: f32) = add.f32 b_9 1.0f32
//       in (c_10)
//     }
//     in (p_mem_56, q_7)
//   }
//   in (x_mem_58, x_4)
// }
//
// entry stays [n_20: i64] (k_21: i64) [a_mem_60: mem] (a_22: [n_20]f32 @ a_mem_60 -> 0 + {(n_20 : 1)}) : (r_23: f32) = {
//   let (buffer_mem_71: mem) = alloc [n_20] f32
//   let (x_mem_63: mem) (x_24: [n_20]f32 @ x_mem_63 -> 0 + {(n_20 : 1)}) (spare_mem_73: mem) = loop (p_mem_61: mem = a_mem_60) (p_25: [n_20]f32 @ p_mem_61 -> 0 + {(n_20 : 1)} = a_22) (spare_mem_72: mem = buffer_mem_71) for i_26: i64 < k_21 {
//     let (q_27: [n_20]f32 @ spare_mem_72 -> 0 + {(n_20 : 1)}) = kernel (j_28 < n_20) {
//       let (b_29: f32) = index p_25[j_28]
//       let (c_30: f32) = add.f32 b_29 1.0f32
//       in (c_30)
//     }
//     in (spare_mem_72, q_27, spare_mem_72)
//   }
//   let (y_31: f32) = index x_24[0i64]
//   in (y_31)
// }
//
// entry read_after [n_40: i64] (k_41: i64) [a_mem_64: mem] (*a_42: [n_40]f32 @ a_mem_64 -> 0 + {(n_40 : 1)}) : [r_mem_68: mem] (r_43: [n_40]f32 @ r_mem_68 -> 0 + {(n_40 : 1)}) (s_44: f32) = {
//   let (buffer_mem_75: mem) = alloc [n_40] f32
//   let (x_mem_67: mem) (x_45: [n_40]f32 @ x_mem_67 -> 0 + {(n_40 : 1)}) (s_46: f32) (spare_mem_77: mem) = loop (p_mem_65: mem = a_mem_64) (p_47: [n_40]f32 @ p_mem_65 -> 0 + {(n_40 : 1)} = a_42) (t_48: f32 = 0.0f32) (spare_mem_76: mem = buffer_mem_75) for i_49: i64 < k_41 {
//     let (q_50: [n_40]f32 @ spare_mem_76 -> 0 + {(n_40 : 1)}) = kernel (j_51 < n_40) {
//       let (b_52: f32) = index p_47[j_51]
//       let (c_53: f32) = add.f32 b_52 1.0f32
//       in (c_53)
//     }
//     let (u_54: f32) = index p_47[i_49]
//     in (spare_mem_76, q_50, u_54, p_mem_65)
//   }
//   in (x_mem_67, x_45, s_46)
// }
