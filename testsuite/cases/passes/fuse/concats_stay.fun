// case: pass fuse
// Kernels over arrays after each other that stay as they are. Sums of floats depend on what is added first.
entry floats [n_0: i64] (xs_1: [n_0]f32) (ys_2: [n_0]f32) : (sum_3: f32) = {
  let (s_4: i64) = add.i64 n_0 n_0
  let (both_5: [s_4]f32) = concat s_4 xs_1 ys_2
  let (sum_6: f32) = kernel (i_7 < s_4) reduce \(a_8: f32) (b_9: f32) : f32 {
    let (c_10: f32) = add.f32 a_8 b_9
    in (c_10)
  } (0f32) {
    let (x_11: f32) = index both_5[i_7]
    in (x_11)
  }
  in (sum_6)
}

// One that reads other elements too.
entry elsewhere [n_20: i64] (xs_21: [n_20]i32) (ys_22: [n_20]i32) : (size_23: i64) (out_24: [size_23]i32) = {
  let (s_25: i64) = add.i64 n_20 n_20
  let (both_26: [s_25]i32) = concat s_25 xs_21 ys_22
  let (last_27: i64) = sub.i64 s_25 1i64
  let (out_28: [s_25]i32) = kernel (i_29 < s_25) {
    let (x_30: i32) = index both_26[i_29]
    let (k_31: i64) = sub.i64 last_27 i_29
    let (y_32: i32) = index both_26[k_31]
    let (z_33: i32) = add.i32 x_30 y_32
    in (z_33)
  }
  in (s_25, out_28)
}

// The first part is changed before its elements would be read.
entry changed [n_40: i64] (*xs_41: [n_40]i32) (ys_42: [n_40]i32) : (size_43: i64) (out_44: [size_43]i32) (xs_45: [n_40]i32) = {
  let (s_46: i64) = add.i64 n_40 n_40
  let (both_47: [s_46]i32) = concat s_46 xs_41 ys_42
  let (xs_48: [n_40]i32) = update xs_41[0i64] 7i32
  let (out_49: [s_46]i32) = kernel (i_50 < s_46) {
    let (x_51: i32) = index both_47[i_50]
    let (y_52: i32) = add.i32 x_51 1i32
    in (y_52)
  }
  in (s_46, out_49, xs_48)
}

// What is given back as well.
entry given [n_60: i64] (xs_61: [n_60]i32) (ys_62: [n_60]i32) : (size_63: i64) (both_64: [size_63]i32) (out_65: [size_63]i32) = {
  let (s_66: i64) = add.i64 n_60 n_60
  let (both_67: [s_66]i32) = concat s_66 xs_61 ys_62
  let (out_68: [s_66]i32) = kernel (i_69 < s_66) {
    let (x_70: i32) = index both_67[i_69]
    let (y_71: i32) = add.i32 x_70 1i32
    in (y_71)
  }
  in (s_66, both_67, out_68)
}
// ---
// entry floats [n_0: i64] (xs_1: [n_0]f32) (ys_2: [n_0]f32) : (sum_3: f32) = {
//   let (s_4: i64) = add.i64 n_0 n_0
//   let (both_5: [s_4]f32) = concat s_4 xs_1 ys_2
//   let (sum_6: f32) = kernel (i_7 < s_4) reduce \(a_8: f32) (b_9: f32) : f32 {
//     let (c_10: f32) = add.f32 a_8 b_9
//     in (c_10)
//   } (0.0f32) {
//     let (x_11: f32) = index both_5[i_7]
//     in (x_11)
//   }
//   in (sum_6)
// }
//
// entry elsewhere [n_20: i64] (xs_21: [n_20]i32) (ys_22: [n_20]i32) : (size_23: i64) (out_24: [size_23]i32) = {
//   let (s_25: i64) = add.i64 n_20 n_20
//   let (both_26: [s_25]i32) = concat s_25 xs_21 ys_22
//   let (last_27: i64) = sub.i64 s_25 1i64
//   let (out_28: [s_25]i32) = kernel (i_29 < s_25) {
//     let (x_30: i32) = index both_26[i_29]
//     let (k_31: i64) = sub.i64 last_27 i_29
//     let (y_32: i32) = index both_26[k_31]
//     let (z_33: i32) = add.i32 x_30 y_32
//     in (z_33)
//   }
//   in (s_25, out_28)
// }
//
// entry changed [n_40: i64] (*xs_41: [n_40]i32) (ys_42: [n_40]i32) : (size_43: i64) (out_44: [size_43]i32) (xs_45: [n_40]i32) = {
//   let (s_46: i64) = add.i64 n_40 n_40
//   let (both_47: [s_46]i32) = concat s_46 xs_41 ys_42
//   let (xs_48: [n_40]i32) = update xs_41[0i64] 7i32
//   let (out_49: [s_46]i32) = kernel (i_50 < s_46) {
//     let (x_51: i32) = index both_47[i_50]
//     let (y_52: i32) = add.i32 x_51 1i32
//     in (y_52)
//   }
//   in (s_46, out_49, xs_48)
// }
//
// entry given [n_60: i64] (xs_61: [n_60]i32) (ys_62: [n_60]i32) : (size_63: i64) (both_64: [size_63]i32) (out_65: [size_63]i32) = {
//   let (s_66: i64) = add.i64 n_60 n_60
//   let (both_67: [s_66]i32) = concat s_66 xs_61 ys_62
//   let (out_68: [s_66]i32) = kernel (i_69 < s_66) {
//     let (x_70: i32) = index both_67[i_69]
//     let (y_71: i32) = add.i32 x_70 1i32
//     in (y_71)
//   }
//   in (s_66, both_67, out_68)
// }
