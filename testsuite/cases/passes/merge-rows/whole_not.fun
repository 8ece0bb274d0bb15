// case: pass merge-rows
// What a block of threads does not do for a row: loops with a condition around kernels, and values that need arrays of their own.
entry main (n_0: i64) (m_1: i64) (xs_2: [n_0][m_1]i64) : (s_4: [n_0]i64) (t_5: [n_0]i64) = {
  let (sums_20: [n_0]i64) = kernel (i_21 < n_0) {
    let (small_22: bool) (sum_23: i64) = loop (go_24: bool = true) (sum_25: i64 = 1i64) while go_24 {
      let (more_26: i64) = kernel (j_27 < m_1) reduce_comm \(a_28: i64) (b_29: i64) : i64 {
        let (c_30: i64) = add.i64 a_28 b_29
        in (c_30)
      } (1i64) {
        let (x_31: i64) = index xs_2[i_21, j_27]
        let (y_32: i64) = mul.i64 x_31 sum_25
        in (y_32)
      }
      let (less_33: bool) = lt.i64 more_26 sum_25
      in (less_33, more_26)
    }
    in (sum_23)
  }
  let (others_40: [n_0]i64) = kernel (i_41 < n_0) {
    let (lasts_42: [m_1]i64) = kernel (j_43 < m_1) {
      let (one_44: [m_1]i64) = iota.i64 m_1 0i64 1i64
      let (x_45: i64) = index xs_2[i_41, j_43]
      let (changed_46: [m_1]i64) = update one_44[j_43] x_45
      let (first_47: i64) = index changed_46[0i64]
      in (first_47)
    }
    let (sum_48: i64) = kernel (j_49 < m_1) reduce_comm \(a_50: i64) (b_51: i64) : i64 {
      let (c_52: i64) = add.i64 a_50 b_51
      in (c_52)
    } (0i64) {
      let (x_53: i64) = index lasts_42[j_49]
      in (x_53)
    }
    in (sum_48)
  }
  in (sums_20, others_40)
}
// ---
// entry main (n_0: i64) (m_1: i64) (xs_2: [n_0][m_1]i64) : (s_4: [n_0]i64) (t_5: [n_0]i64) = {
//   let (sums_20: [n_0]i64) = kernel (i_21 < n_0) {
//     let (small_22: bool) (sum_23: i64) = loop (go_24: bool = true) (sum_25: i64 = 1i64) while go_24 {
//       let (more_26: i64) = kernel (j_27 < m_1) reduce_comm \(a_28: i64) (b_29: i64) : i64 {
//         let (c_30: i64) = add.i64 a_28 b_29
//         in (c_30)
//       } (1i64) {
//         let (x_31: i64) = index xs_2[i_21, j_27]
//         let (y_32: i64) = mul.i64 x_31 sum_25
//         in (y_32)
//       }
//       let (less_33: bool) = lt.i64 more_26 sum_25
//       in (less_33, more_26)
//     }
//     in (sum_23)
//   }
//   let (rows_54: [n_0][m_1]i64) = kernel (i_55 < n_0, j_56 < m_1) {
//     let (one_57: [m_1]i64) = iota.i64 m_1 0i64 1i64
//     let (x_58: i64) = index xs_2[i_55, j_56]
//     let (changed_59: [m_1]i64) = update one_57[j_56] x_58
//     let (first_60: i64) = index changed_59[0i64]
//     in (first_60)
//   }
//   let (others_40: [n_0]i64) = kernel (i_65 < n_0, j_66 < m_1) reduce_comm \(a_62: i64) (b_63: i64) : i64 {
//     let (c_64: i64) = add.i64 a_62 b_63
//     in (c_64)
//   } (0i64) {
//     let (lasts_67: [m_1]i64) = slice rows_54[i_65, 0i64 : m_1 : 1i64]
//     let (x_68: i64) = index lasts_67[j_66]
//     in (x_68)
//   }
//   in (sums_20, others_40)
// }
