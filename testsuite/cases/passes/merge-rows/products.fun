// case: pass merge-rows
// Two products for each matrix, the second of the first: a map of all rows and columns for each. What is below, whose product's
// inner size is known to be small, stays a map for each.
entry main [b_0: i64] [n_1: i64] (as_2: [b_0][n_1][n_1]i32) (w_3: [n_1][n_1]i32) : (r_4: [b_0][n_1][n_1]i32) = {
  let (rs_5: [b_0][n_1][n_1]i32) = kernel (l_6 < b_0) {
    let (squares_7: [n_1][n_1]i32) = kernel (i_8 < n_1, j_9 < n_1) {
      let (sum_10: i32) = kernel (k_11 < n_1) reduce_comm \(a_12: i32) (b_13: i32) : i32 {
        let (c_14: i32) = add.i32 a_12 b_13
        in (c_14)
      } (0i32) {
        let (x_15: i32) = index as_2[l_6, i_8, k_11]
        let (y_16: i32) = index as_2[l_6, k_11, j_9]
        let (z_17: i32) = mul.i32 x_15 y_16
        in (z_17)
      }
      in (sum_10)
    }
    let (times_18: [n_1][n_1]i32) = kernel (i_19 < n_1, j_20 < n_1) {
      let (sum_21: i32) = kernel (k_22 < n_1) reduce_comm \(a_23: i32) (b_24: i32) : i32 {
        let (c_25: i32) = add.i32 a_23 b_24
        in (c_25)
      } (0i32) {
        let (x_26: i32) = index squares_7[i_19, k_22]
        let (y_27: i32) = index w_3[k_22, j_20]
        let (z_28: i32) = mul.i32 x_26 y_27
        in (z_28)
      }
      in (sum_21)
    }
    in (times_18)
  }
  in (rs_5)
}

entry small [b_29: i64] [n_30: i64] (as_31: [b_29][n_30][3i64]i32) : (r_32: [b_29][n_30][n_30]i32) = {
  let (rs_33: [b_29][n_30][n_30]i32) = kernel (l_34 < b_29) {
    let (squares_35: [n_30][n_30]i32) = kernel (i_36 < n_30, j_37 < n_30) {
      let (sum_38: i32) = kernel (k_39 < 3i64) reduce_comm \(a_40: i32) (b_41: i32) : i32 {
        let (c_42: i32) = add.i32 a_40 b_41
        in (c_42)
      } (0i32) {
        let (x_43: i32) = index as_31[l_34, i_36, k_39]
        let (y_44: i32) = index as_31[l_34, j_37, k_39]
        let (z_45: i32) = mul.i32 x_43 y_44
        in (z_45)
      }
      in (sum_38)
    }
    let (times_46: [n_30][n_30]i32) = kernel (i_47 < n_30, j_48 < n_30) {
      let (x_49: i32) = index squares_35[i_47, j_48]
      let (y_50: i32) = index squares_35[j_48, i_47]
      let (z_51: i32) = add.i32 x_49 y_50
      in (z_51)
    }
    in (times_46)
  }
  in (rs_33)
}
// ---
// entry main [b_0: i64] [n_1: i64] (as_2: [b_0][n_1][n_1]i32) (w_3: [n_1][n_1]i32) : (r_4: [b_0][n_1][n_1]i32) = {
//   let (rows_52: [b_0][n_1][n_1]i32) = kernel (l_53 < b_0, i_54 < n_1, j_55 < n_1) {
//     let (sum_63: i32) = kernel (k_59 < n_1) reduce_comm \(a_56: i32) (b_57: i32) : i32 {
//       let (c_58: i32) = add.i32 a_56 b_57
//       in (c_58)
//     } (0i32) {
//       let (x_60: i32) = index as_2[l_53, i_54, k_59]
//       let (y_61: i32) = index as_2[l_53, k_59, j_55]
//       let (z_62: i32) = mul.i32 x_60 y_61
//       in (z_62)
//     }
//     in (sum_63)
//   }
//   let (rs_5: [b_0][n_1][n_1]i32) = kernel (l_6 < b_0, i_19 < n_1, j_20 < n_1) {
//     let (squares_7: [n_1][n_1]i32) = slice rows_52[l_6, 0i64 : n_1 : 1i64, 0i64 : n_1 : 1i64]
//     let (sum_21: i32) = kernel (k_22 < n_1) reduce_comm \(a_23: i32) (b_24: i32) : i32 {
//       let (c_25: i32) = add.i32 a_23 b_24
//       in (c_25)
//     } (0i32) {
//       let (x_26: i32) = index squares_7[i_19, k_22]
//       let (y_27: i32) = index w_3[k_22, j_20]
//       let (z_28: i32) = mul.i32 x_26 y_27
//       in (z_28)
//     }
//     in (sum_21)
//   }
//   in (rs_5)
// }
//
// entry small [b_29: i64] [n_30: i64] (as_31: [b_29][n_30][3i64]i32) : (r_32: [b_29][n_30][n_30]i32) = {
//   let (rs_33: [b_29][n_30][n_30]i32) = kernel (l_34 < b_29) {
//     let (squares_35: [n_30][n_30]i32) = kernel (i_36 < n_30, j_37 < n_30) {
//       let (sum_38: i32) = kernel (k_39 < 3i64) reduce_comm \(a_40: i32) (b_41: i32) : i32 {
//         let (c_42: i32) = add.i32 a_40 b_41
//         in (c_42)
//       } (0i32) {
//         let (x_43: i32) = index as_31[l_34, i_36, k_39]
//         let (y_44: i32) = index as_31[l_34, j_37, k_39]
//         let (z_45: i32) = mul.i32 x_43 y_44
//         in (z_45)
//       }
//       in (sum_38)
//     }
//     let (times_46: [n_30][n_30]i32) = kernel (i_47 < n_30, j_48 < n_30) {
//       let (x_49: i32) = index squares_35[i_47, j_48]
//       let (y_50: i32) = index squares_35[j_48, i_47]
//       let (z_51: i32) = add.i32 x_49 y_50
//       in (z_51)
//     }
//     in (times_46)
//   }
//   in (rs_33)
// }
