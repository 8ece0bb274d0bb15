// case: pass early-reads
// What a loop reads in a branch, at an index that is certainly within bounds, it reads in front of the branch (r). Not so what may be beyond
// the end (s: `k + 1`), what stands beside other work (t: a loop), what the loop itself makes (u), and branches in no sequential loop (v).
entry main [n_0: i64] (xs_1: [n_0]i32) (c_2: i32) : (r_3: i32) (s_4: i32) (t_5: i32) (u_6: [n_0]i32) (v_7: [n_0]i32) = {
  let (r_10: i32) = loop (x_11: i32 = c_2) for k_12: i64 < n_0 {
    let (odd_13: bool) = gt.i32 x_11 0i32
    let (y_14: i32) = if odd_13 {
      let (j_15: i64) = sub.i64 n_0 1i64
      let (i_16: i64) = sub.i64 j_15 k_12
      let (e_17: i32) = index xs_1[i_16]
      let (z_18: i32) = xor.i32 x_11 e_17
      in (z_18)
    } else {
      let (e_19: i32) = index xs_1[k_12]
      in (e_19)
    }
    in (y_14)
  }
  let (s_20: i32) = loop (x_21: i32 = c_2) for k_22: i64 < n_0 {
    let (next_23: i64) = add.i64 k_22 1i64
    let (more_24: bool) = lt.i64 next_23 n_0
    let (y_25: i32) = if more_24 {
      let (e_26: i32) = index xs_1[next_23]
      let (z_27: i32) = xor.i32 x_21 e_26
      in (z_27)
    } else {
      in (x_21)
    }
    in (y_25)
  }
  let (t_30: i32) = loop (x_31: i32 = c_2) for k_32: i64 < n_0 {
    let (odd_33: bool) = gt.i32 x_31 0i32
    let (y_34: i32) = if odd_33 {
      let (e_35: i32) = index xs_1[k_32]
      let (z_36: i32) = loop (w_37: i32 = e_35) for l_38: i64 < k_32 {
        let (q_39: i32) = mul.i32 w_37 3i32
        in (q_39)
      }
      in (z_36)
    } else {
      in (x_31)
    }
    in (y_34)
  }
  let (ys_40: [n_0]i32) = copy xs_1
  let (u_41: [n_0]i32) = loop (as_42: [n_0]i32 = ys_40) for k_43: i64 < n_0 {
    let (odd_44: bool) = gt.i32 c_2 0i32
    let (y_45: i32) = if odd_44 {
      let (e_46: i32) = index as_42[k_43]
      in (e_46)
    } else {
      in (c_2)
    }
    let (bs_47: [n_0]i32) = update as_42[k_43] y_45
    in (bs_47)
  }
  let (v_50: [n_0]i32) = kernel (k_51 < n_0) {
    let (odd_52: bool) = gt.i32 c_2 0i32
    let (y_53: i32) = if odd_52 {
      let (e_54: i32) = index xs_1[k_51]
      in (e_54)
    } else {
      in (c_2)
    }
    in (y_53)
  }
  in (r_10, s_20, t_30, u_41, v_50)
}
// ---
// entry main [n_0: i64] (xs_1: [n_0]i32) (c_2: i32) : (r_3: i32) (s_4: i32) (t_5: i32) (u_6: [n_0]i32) (v_7: [n_0]i32) = {
//   let (r_10: i32) = loop (x_11: i32 = c_2) for k_12: i64 < n_0 {
//     let (odd_13: bool) = gt.i32 x_11 0i32
//     let (j_15: i64) = sub.i64 n_0 1i64
//     let (i_16: i64) = sub.i64 j_15 k_12
//     let (e_17: i32) = index xs_1[i_16]
//     let (e_19: i32) = index xs_1[k_12]
//     let (y_14: i32) = if odd_13 {
//       let (z_18: i32) = xor.i32 x_11 e_17
//       in (z_18)
//     } else {
//       in (e_19)
//     }
//     in (y_14)
//   }
//   let (s_20: i32) = loop (x_21: i32 = c_2) for k_22: i64 < n_0 {
//     let (next_23: i64) = add.i64 k_22 1i64
//     let (more_24: bool) = lt.i64 next_23 n_0
//     let (y_25: i32) = if more_24 {
//       let (e_26: i32) = index xs_1[next_23]
//       let (z_27: i32) = xor.i32 x_21 e_26
//       in (z_27)
//     } else {
//       in (x_21)
//     }
//     in (y_25)
//   }
//   let (t_30: i32) = loop (x_31: i32 = c_2) for k_32: i64 < n_0 {
//     let (odd_33: bool) = gt.i32 x_31 0i32
//     let (y_34: i32) = if odd_33 {
//       let (e_35: i32) = index xs_1[k_32]
//       let (z_36: i32) = loop (w_37: i32 = e_35) for l_38: i64 < k_32 {
//         let (q_39: i32) = mul.i32 w_37 3i32
//         in (q_39)
//       }
//       in (z_36)
//     } else {
//       in (x_31)
//     }
//     in (y_34)
//   }
//   let (ys_40: [n_0]i32) = copy xs_1
//   let (u_41: [n_0]i32) = loop (as_42: [n_0]i32 = ys_40) for k_43: i64 < n_0 {
//     let (odd_44: bool) = gt.i32 c_2 0i32
//     let (y_45: i32) = if odd_44 {
//       let (e_46: i32) = index as_42[k_43]
//       in (e_46)
//     } else {
//       in (c_2)
//     }
//     let (bs_47: [n_0]i32) = update as_42[k_43] y_45
//     in (bs_47)
//   }
//   let (v_50: [n_0]i32) = kernel (k_51 < n_0) {
//     let (odd_52: bool) = gt.i32 c_2 0i32
//     let (y_53: i32) = if odd_52 {
//       let (e_54: i32) = index xs_1[k_51]
//       in (e_54)
//     } else {
//       in (c_2)
//     }
//     in (y_53)
//   }
//   in (r_10, s_20, t_30, u_41, v_50)
// }
