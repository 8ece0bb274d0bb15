// case: pass fuse
// A loop carries the histogram, so the numbers that were there before it are no part of it: they are read in the next iteration, too.
entry main [n_0: i64] [m_1: i64] (bins_2: [n_0]i64) (values_3: [n_0]i32) (times_4: i64) : (*out_95: [m_1]i32) = {
  let (zeros_6: [m_1]i32) = replicate [m_1] 0i32
  let (sums_5: [m_1]i32) = loop (sums_7: [m_1]i32 = zeros_6) for t_8: i64 < times_4 {
    let (squares_9: [n_0]i32) = kernel (i_10 < n_0) {
      let (x_11: i32) = index values_3[i_10]
      let (x_12: i32) = mul.i32 x_11 x_11
      in (x_12)
    }
    let (next_13: [m_1]i32) = kernel (i_14 < n_0) hist \(a_15: i32) (b_16: i32) : i32 {
      let (x_17: i32) = add.i32 a_15 b_16
      in (x_17)
    } (0i32) (sums_7) {
      let (bin_18: i64) = index bins_2[i_14]
      let (square_19: i32) = index squares_9[i_14]
      in (bin_18, square_19)
    }
    in (next_13)
  }
  in (sums_5)
}

// Where the numbers are what the loop carries, they may be part of it.
entry itself [n_30: i64] (bins_31: [n_30]i64) (*values_32: [n_30]i32) (times_33: i64) : (*out_934: [n_30]i32) = {
  let (sums_34: [n_30]i32) = loop (sums_35: [n_30]i32 = values_32) for t_36: i64 < times_33 {
    let (squares_37: [n_30]i32) = kernel (i_38 < n_30) {
      let (x_39: i32) = index sums_35[i_38]
      let (x_40: i32) = mul.i32 x_39 x_39
      in (x_40)
    }
    let (next_41: [n_30]i32) = kernel (i_42 < n_30) hist \(a_43: i32) (b_44: i32) : i32 {
      let (x_45: i32) = add.i32 a_43 b_44
      in (x_45)
    } (0i32) (sums_35) {
      let (bin_46: i64) = index bins_31[i_42]
      let (square_47: i32) = index squares_37[i_42]
      in (bin_46, square_47)
    }
    in (next_41)
  }
  in (sums_34)
}
// ---
// entry main [n_0: i64] [m_1: i64] (bins_2: [n_0]i64) (values_3: [n_0]i32) (times_4: i64) : (*out_95: [m_1]i32) = {
//   let (zeros_6: [m_1]i32) = replicate [m_1] 0i32
//   let (sums_5: [m_1]i32) = loop (sums_7: [m_1]i32 = zeros_6) for t_8: i64 < times_4 {
//     let (next_13: [m_1]i32) = kernel (i_14 < n_0) hist \(a_15: i32) (b_16: i32) : i32 {
//       let (x_17: i32) = add.i32 a_15 b_16
//       in (x_17)
//     } (0i32) (sums_7) {
//       let (bin_18: i64) = index bins_2[i_14]
//       let (x_935: i32) = index values_3[i_14]
//       let (x_936: i32) = mul.i32 x_935 x_935
//       let (square_19: i32) = x_936
//       in (bin_18, square_19)
//     }
//     in (next_13)
//   }
//   in (sums_5)
// }
//
// entry itself [n_30: i64] (bins_31: [n_30]i64) (*values_32: [n_30]i32) (times_33: i64) : (*out_934: [n_30]i32) = {
//   let (sums_34: [n_30]i32) = loop (sums_35: [n_30]i32 = values_32) for t_36: i64 < times_33 {
//     let (squares_37: [n_30]i32) = kernel (i_38 < n_30) {
//       let (x_39: i32) = index sums_35[i_38]
//       let (x_40: i32) = mul.i32 x_39 x_39
//       in (x_40)
//     }
//     let (next_41: [n_30]i32) = kernel (i_42 < n_30) hist \(a_43: i32) (b_44: i32) : i32 {
//       let (x_45: i32) = add.i32 a_43 b_44
//       in (x_45)
//     } (0i32) (sums_35) {
//       let (bin_46: i64) = index bins_31[i_42]
//       let (square_47: i32) = index squares_37[i_42]
//       in (bin_46, square_47)
//     }
//     in (next_41)
//   }
//   in (sums_34)
// }
