// case: pass merge-rows
// Nothing changes where what follows a reduction may fail, where rows are short or of a size of their own, where an operator goes by the
// row, and where rows meet columns.
entry main [n_0: i64] [m_1: i64] [p_2: i64] (xs_3: [n_0][m_1]i32) (ys_4: [p_2][m_1]i32) : (a_5: [n_0]i32) (b_6: [n_0]i32) (c_7: [n_0]i64) (d_8: [n_0]i32) (e_9: [n_0][p_2]i32) = {
  let (fails_10: [n_0]i32) = kernel (i_11 < n_0) {
    let (sum_12: i32) = kernel (j_13 < m_1) reduce_comm \(a_14: i32) (b_15: i32) : i32 {
      let (c_16: i32) = add.i32 a_14 b_15
      in (c_16)
    } (0i32) {
      let (x_17: i32) = index xs_3[i_11, j_13]
      in (x_17)
    }
    let (q_18: i32) = quot.i32 1000i32 sum_12
    in (q_18)
  }
  let (short_19: [n_0]i32) = kernel (i_20 < n_0) {
    let (sum_21: i32) = kernel (j_22 < 31i64) reduce_comm \(a_23: i32) (b_24: i32) : i32 {
      let (c_25: i32) = add.i32 a_23 b_24
      in (c_25)
    } (0i32) {
      let (x_26: i32) = convert.i32.i64 j_22
      let (y_27: i32) = convert.i32.i64 i_20
      let (z_28: i32) = mul.i32 x_26 y_27
      in (z_28)
    }
    in (sum_21)
  }
  let (own_29: [n_0]i64) = kernel (i_30 < n_0) {
    let (sum_31: i64) = kernel (j_32 < i_30) reduce_comm \(a_33: i64) (b_34: i64) : i64 {
      let (c_35: i64) = add.i64 a_33 b_34
      in (c_35)
    } (0i64) {
      let (x_36: i64) = mul.i64 j_32 i_30
      in (x_36)
    }
    in (sum_31)
  }
  let (operator_37: [n_0]i32) = kernel (i_38 < n_0) {
    let (y_39: i32) = convert.i32.i64 i_38
    let (sum_40: i32) = kernel (j_41 < m_1) reduce_comm \(a_42: i32) (b_43: i32) : i32 {
      let (c_44: i32) = max.i32 a_42 b_43
      let (d_45: i32) = max.i32 c_44 y_39
      in (d_45)
    } (0i32) {
      let (x_46: i32) = index xs_3[i_38, j_41]
      in (x_46)
    }
    in (sum_40)
  }
  let (product_47: [n_0][p_2]i32) = kernel (i_48 < n_0, k_49 < p_2) {
    let (sum_50: i32) = kernel (j_51 < m_1) reduce_comm \(a_52: i32) (b_53: i32) : i32 {
      let (c_54: i32) = add.i32 a_52 b_53
      in (c_54)
    } (0i32) {
      let (x_55: i32) = index xs_3[i_48, j_51]
      let (y_56: i32) = index ys_4[k_49, j_51]
      let (z_57: i32) = mul.i32 x_55 y_56
      in (z_57)
    }
    in (sum_50)
  }
  in (fails_10, short_19, own_29, operator_37, product_47)
}
// ---
// entry main [n_0: i64] [m_1: i64] [p_2: i64] (xs_3: [n_0][m_1]i32) (ys_4: [p_2][m_1]i32) : (a_5: [n_0]i32) (b_6: [n_0]i32) (c_7: [n_0]i64) (d_8: [n_0]i32) (e_9: [n_0][p_2]i32) = {
//   let (fails_10: [n_0]i32) = kernel (i_11 < n_0) {
//     let (sum_12: i32) = kernel (j_13 < m_1) reduce_comm \(a_14: i32) (b_15: i32) : i32 {
//       let (c_16: i32) = add.i32 a_14 b_15
//       in (c_16)
//     } (0i32) {
//       let (x_17: i32) = index xs_3[i_11, j_13]
//       in (x_17)
//     }
//     let (q_18: i32) = quot.i32 1000i32 sum_12
//     in (q_18)
//   }
//   let (short_19: [n_0]i32) = kernel (i_20 < n_0) {
//     let (sum_21: i32) = kernel (j_22 < 31i64) reduce_comm \(a_23: i32) (b_24: i32) : i32 {
//       let (c_25: i32) = add.i32 a_23 b_24
//       in (c_25)
//     } (0i32) {
//       let (x_26: i32) = convert.i32.i64 j_22
//       let (y_27: i32) = convert.i32.i64 i_20
//       let (z_28: i32) = mul.i32 x_26 y_27
//       in (z_28)
//     }
//     in (sum_21)
//   }
//   let (own_29: [n_0]i64) = kernel (i_30 < n_0) {
//     let (sum_31: i64) = kernel (j_32 < i_30) reduce_comm \(a_33: i64) (b_34: i64) : i64 {
//       let (c_35: i64) = add.i64 a_33 b_34
//       in (c_35)
//     } (0i64) {
//       let (x_36: i64) = mul.i64 j_32 i_30
//       in (x_36)
//     }
//     in (sum_31)
//   }
//   let (operator_37: [n_0]i32) = kernel (i_38 < n_0) {
//     let (y_39: i32) = convert.i32.i64 i_38
//     let (sum_40: i32) = kernel (j_41 < m_1) reduce_comm \(a_42: i32) (b_43: i32) : i32 {
//       let (c_44: i32) = max.i32 a_42 b_43
//       let (d_45: i32) = max.i32 c_44 y_39
//       in (d_45)
//     } (0i32) {
//       let (x_46: i32) = index xs_3[i_38, j_41]
//       in (x_46)
//     }
//     in (sum_40)
//   }
//   let (product_47: [n_0][p_2]i32) = kernel (i_48 < n_0, k_49 < p_2) {
//     let (sum_50: i32) = kernel (j_51 < m_1) reduce_comm \(a_52: i32) (b_53: i32) : i32 {
//       let (c_54: i32) = add.i32 a_52 b_53
//       in (c_54)
//     } (0i32) {
//       let (x_55: i32) = index xs_3[i_48, j_51]
//       let (y_56: i32) = index ys_4[k_49, j_51]
//       let (z_57: i32) = mul.i32 x_55 y_56
//       in (z_57)
//     }
//     in (sum_50)
//   }
//   in (fails_10, short_19, own_29, operator_37, product_47)
// }
