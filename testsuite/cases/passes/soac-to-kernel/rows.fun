// case: pass soac-to-kernel
// The sum of a flattened map of short rows is a sum of the rows' sums.
entry main (n_0: i64) (x_1: i32) : (r_2: i32) = {
  let (is_3: [n_0]i64) = iota.i64 n_0 0i64 1i64
  let (m_4: [n_0][3i64]i32) = map n_0 \(i_5: i64): [3i64]i32 {
    let (js_6: [3i64]i32) = iota.i32 3i64 0i32 1i32
    let (ys_7: [3i64]i32) = map 3i64 \(j_8: i32): i32 {
      let (c_9: i32) = convert.i32.i64 i_5
      let (y_10: i32) = mul.i32 c_9 j_8
      in (y_10)
    } js_6
    in (ys_7)
  } is_3
  let (size_11: i64) = mul.i64 n_0 3i64
  let (f_12: [size_11]i32) = reshape [size_11] m_4
  let (s_13: i32) = reduce size_11 \(a_14: i32) (b_15: i32): i32 {
    let (c_16: i32) = add.i32 a_14 b_15
    in (c_16)
  } (0i32) f_12
  in (s_13)
}
// ---
// entry main (n_0: i64) (x_1: i32) : (r_2: i32) = {
//   let (is_3: [n_0]i64) = iota.i64 n_0 0i64 1i64
//   let (m_4: [n_0][3i64]i32) = kernel (i_28 < n_0) {
//     let (i_5: i64) = index is_3[i_28]
//     let (js_6: [3i64]i32) = iota.i32 3i64 0i32 1i32
//     let (ys_7: [3i64]i32) = kernel (i_27 < 3i64) {
//       let (j_8: i32) = index js_6[i_27]
//       let (c_9: i32) = convert.i32.i64 i_5
//       let (y_10: i32) = mul.i32 c_9 j_8
//       in (y_10)
//     }
//     in (ys_7)
//   }
//   let (size_11: i64) = mul.i64 n_0 3i64
//   let (f_12: [size_11]i32) = reshape [size_11] m_4
//   let (s_13: i32) = kernel (i_26 < n_0) reduce \(a_17: i32) (b_18: i32) : i32 {
//     let (c_19: i32) = add.i32 a_17 b_18
//     in (c_19)
//   } (0i32) {
//     let (row_20: [3i64]i32) = slice m_4[i_26, 0i64 : 3i64 : 1i64]
//     let (red_24: i32) = kernel (i_29 < 3i64) reduce \(a_21: i32) (b_22: i32) : i32 {
//       let (c_23: i32) = add.i32 a_21 b_22
//       in (c_23)
//     } (0i32) {
//       let (element_30: i32) = index row_20[i_29]
//       in (element_30)
//     }
//     in (red_24)
//   }
//   in (s_13)
// }
