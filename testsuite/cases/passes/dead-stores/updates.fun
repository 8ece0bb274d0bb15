// case: pass dead-stores
// The same cells are written twice; a read between them keeps the first.
entry overwritten [n_0: i64] (*xs_1: [n_0]i64) (i_2: i64) : (ys_3: [n_0]i64) = {
  let (a_4: [n_0]i64) = update xs_1[i_2] 1i64
  let (b_5: [n_0]i64) = update a_4[i_2] 2i64
  let (c_6: [n_0]i64) = update b_5[i_2] 3i64
  in (c_6)
}

entry read [n_20: i64] (*xs_21: [n_20]i64) (i_22: i64) (j_23: i64) : (ys_24: [n_20]i64) = {
  let (a_25: [n_20]i64) = update xs_21[i_22] 1i64
  let (x_26: i64) = index a_25[j_23]
  let (b_27: [n_20]i64) = update a_25[i_22] x_26
  in (b_27)
}

entry other [n_40: i64] (*xs_41: [n_40]i64) (i_42: i64) (j_43: i64) : (ys_44: [n_40]i64) = {
  let (a_45: [n_40]i64) = update xs_41[i_42] 1i64
  let (b_46: [n_40]i64) = update a_45[j_43] 2i64
  in (b_46)
}
// ---
// entry overwritten [n_0: i64] (*xs_1: [n_0]i64) (i_2: i64) : (ys_3: [n_0]i64) = {
//   let (c_6: [n_0]i64) = update xs_1[i_2] 3i64
//   in (c_6)
// }
//
// entry read [n_20: i64] (*xs_21: [n_20]i64) (i_22: i64) (j_23: i64) : (ys_24: [n_20]i64) = {
//   let (a_25: [n_20]i64) = update xs_21[i_22] 1i64
//   let (x_26: i64) = index a_25[j_23]
//   let (b_27: [n_20]i64) = update a_25[i_22] x_26
//   in (b_27)
// }
//
// entry other [n_40: i64] (*xs_41: [n_40]i64) (i_42: i64) (j_43: i64) : (ys_44: [n_40]i64) = {
//   let (a_45: [n_40]i64) = update xs_41[i_42] 1i64
//   let (b_46: [n_40]i64) = update a_45[j_43] 2i64
//   in (b_46)
// }
