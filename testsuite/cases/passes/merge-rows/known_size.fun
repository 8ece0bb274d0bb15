// case: pass merge-rows
// Rows of a known size are merged from 32 elements on: each lies in a line of memory of its own.
entry main (n_0: i64) (xs_1: [n_0][32i64]f32) : (r_2: [n_0]f32) = {
  let (sums_3: [n_0]f32) = kernel (i_4 < n_0) {
    let (sum_5: f32) = kernel (j_6 < 32i64) reduce_comm \(a_7: f32) (b_8: f32) : f32 {
      let (c_9: f32) = add.f32 a_7 b_8
      in (c_9)
    } (0.0f32) {
      let (x_10: f32) = index xs_1[i_4, j_6]
      in (x_10)
    }
    in (sum_5)
  }
  in (sums_3)
}
// ---
// entry main (n_0: i64) (xs_1: [n_0][32i64]f32) : (r_2: [n_0]f32) = {
//   let (sums_3: [n_0]f32) = kernel (i_14 < n_0, j_15 < 32i64) reduce_comm \(a_11: f32) (b_12: f32) : f32 {
//     let (c_13: f32) = add.f32 a_11 b_12
//     in (c_13)
//   } (0.0f32) {
//     let (x_16: f32) = index xs_1[i_14, j_15]
//     in (x_16)
//   }
//   in (sums_3)
// }
